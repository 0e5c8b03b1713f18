"""A match: a small decider composed around the game. It seats people and bots, starts, expires, ends."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from domain.kernel import agreements, pausing, table, undo
from domain.kernel.agreements import (
    AUTO,
    CLAIMABLE,
    ExpiryClaimed,
    ExpiryOrdered,
    MatchUndone,
    OutageCredited,
)
from domain.kernel.chance import Chance
from domain.kernel.engine import MOST_ROUNDS
from domain.kernel.errors import refuse
from domain.kernel.game import Command, Decision, Event, Game, Outcome
from domain.kernel.redaction import Redactions
from domain.kernel.registry import EventType, Upcasts
from domain.kernel.seats import Seat, Viewer
from domain.kernel.table import (
    LOBBY,
    OVER,
    RUNNING,
    BotFailed,
    BotSeated,
    Chair,
    DeadlineExpired,
    Match,
    MatchChanged,
    MatchCreated,
    MatchEnded,
    MatchForked,
    MatchStarted,
    SeatHandedOver,
    SeatJoined,
    SeatLeft,
    SeatReclaimed,
    SeatResigned,
    SeatScore,
    SeatTakenOver,
    SeatTokenChanged,
)

RULES: Final = "rules"


@dataclass(frozen=True, slots=True)
class By:
    """Who asks, and why: `seat` (None: the host or the service), `cause` (player, bot, host, deadline), and
    the decision the command answers."""

    seat: Seat | None
    cause: str
    decision: str | None = None

    @property
    def actor(self) -> str:
        """As the log names it."""
        if self.seat is not None:
            return f"seat:{self.seat}"
        return "tenant" if self.cause == "host" else RULES


@dataclass(frozen=True, slots=True)
class Fact:
    """An event of a match, with whose doing it is."""

    event: Event
    actor: str
    cause: str


def events(game: Game) -> Mapping[str, EventType]:
    """Every event a match of this game may hold, by wire name."""
    return {**table.EVENTS, **game.EVENTS}


def upcasts(game: Game) -> Upcasts:
    """Every upcast a match of this game may need."""
    return {**table.UPCASTS, **game.UPCASTS}


def redactions(game: Game) -> Redactions:
    """The closed redaction table of a match of this game."""
    return {**table.REDACTIONS, **game.REDACTIONS}


# Folding


def initial() -> Match:
    """A match before anything."""
    return Match()


def evolve(game: Game, match: Match, event: Event) -> None:
    """Apply one fact, in place. Total; holds no rule."""
    match.version += 1
    handler = HANDLERS.get(type(event))
    if handler is not None:
        handler(match, event)
    if isinstance(event, MatchStarted):
        match.play = game.initial()
        undo.begin(game, match)
    elif isinstance(event, MatchUndone):
        undo.restore(game, match, event)
    elif type(event) not in _BESIDE_THE_GAME:
        pausing.lapse(match, getattr(event, "seat", None) if handler is not None else None)
        if handler is not None:
            undo.close(match)
    if match.play is not None:
        match.play.version = match.version
        if handler is None or isinstance(event, MatchStarted):
            game.evolve(match.play, event)
            undo.remember(game, match, event)


def _created(match: Match, event: MatchCreated) -> None:
    match.game = event.game
    match.options = event.options
    match.visibility = event.visibility
    match.forked_from = event.forked_from
    match.sandbox = event.sandbox
    match.chairs = [Chair(plan.kind, plan.bot) for plan in event.seats]


def _changed(match: Match, event: MatchChanged) -> None:
    match.options = event.options
    match.visibility = event.visibility


def _joined(match: Match, event: SeatJoined) -> None:
    match.chairs[event.seat] = Chair("human", entropy=event.entropy)


def _bot_seated(match: Match, event: BotSeated) -> None:
    match.chairs[event.seat] = Chair("bot", event.bot)


def _left(match: Match, event: SeatLeft) -> None:
    match.chairs[event.seat] = Chair("open")


def _started(match: Match, event: MatchStarted) -> None:
    match.status = RUNNING
    match.started = match.version


def _resigned(match: Match, event: SeatResigned) -> None:
    match.chairs[event.seat].resigned = True
    match.resignations.append(event.seat)


def _taken_over(match: Match, event: SeatTakenOver) -> None:
    chair = match.chairs[event.seat]
    chair.taken_over, chair.bot = True, event.bot


def _reclaimed(match: Match, event: SeatReclaimed) -> None:
    chair = match.chairs[event.seat]
    chair.taken_over, chair.bot, chair.reclaimed = False, None, match.version


def _handed_over(match: Match, event: SeatHandedOver) -> None:
    chair = match.chairs[event.seat]
    if event.to == "person":
        chair.kind, chair.taken_over, chair.bot, chair.reclaimed = "human", False, None, match.version
    else:
        # A seat of a bot's own stays one; that of a person can be taken back.
        chair.taken_over, chair.bot = chair.kind != "bot", event.bot


def _forked(match: Match, event: MatchForked) -> None:
    entropy = [chair.entropy for chair in match.chairs]
    match.chairs = [
        Chair("bot" if plan.kind == "bot" else "human", plan.bot, brought)
        for plan, brought in zip(event.seats, entropy, strict=True)
    ]
    match.resignations = []
    match.paused, match.proposal, match.proposed = "", None, {}


def _noted(match: Match, event: Event) -> None:
    """Recorded for the reader of the log; changes nothing."""


def _ended(match: Match, event: MatchEnded) -> None:
    match.status = OVER
    match.ended = event


HANDLERS: Final[Mapping[type, Callable[[Match, Any], None]]] = {
    MatchCreated: _created,
    MatchChanged: _changed,
    SeatJoined: _joined,
    BotSeated: _bot_seated,
    SeatLeft: _left,
    MatchStarted: _started,
    SeatResigned: _resigned,
    DeadlineExpired: _noted,
    SeatTakenOver: _taken_over,
    SeatReclaimed: _reclaimed,
    SeatTokenChanged: _noted,
    SeatHandedOver: _handed_over,
    BotFailed: _noted,
    MatchForked: _forked,
    MatchEnded: _ended,
    ExpiryClaimed: _noted,
    ExpiryOrdered: _noted,
    OutageCredited: _noted,
    **pausing.HANDLERS,
}
# Events of the table that leave the game, and what can be taken back in it, as they are.
_BESIDE_THE_GAME: Final = frozenset((*agreements.EVENTS, SeatTokenChanged))


# Asking


def decisions(game: Game, match: Match) -> list[Decision]:
    """The open decisions; none in the lobby and after the end."""
    return game.decisions(match.play) if match.status == RUNNING else []


def awaited(game: Game, match: Match) -> list[Seat]:
    """The seats the match waits for, in order. A running match at rest always awaits somebody."""
    return sorted({seat for decision in decisions(game, match) for seat in decision.awaited})


def legal_moves(game: Game, match: Match, seat: Seat) -> list[tuple[Decision, Command]]:
    """Every game command this seat may send now, with the decision it answers."""
    for decision in decisions(game, match):
        if seat in decision.awaited or seat in decision.revisable:
            if match.chairs[seat].resigned or match.paused:
                return []
            return [(decision, command) for command in game.legal_moves(match.play, seat)]
    return []


def view(game: Game, match: Match, viewer: Viewer) -> dict[str, Any]:
    """What a viewer may see of the match: the table, and the game as the game shows it."""
    ended = match.ended
    return {
        "version": match.version,
        "status": match.status,
        "awaited": awaited(game, match),
        "decisions": [
            {"id": decision.id, "kind": decision.kind, "awaited": list(decision.awaited)}
            for decision in decisions(game, match)
        ],
        "seats": [seat_view(number, chair) for number, chair in enumerate(match.chairs)],
        "state": None if match.play is None else game.view(match.play, viewer),
        "outcome": None if ended is None else outcome_view(ended),
    }


def spectator_delay(match: Match) -> int:
    """How many events spectators of this match trail behind its head while it runs."""
    return int(match.options.get("spectator_delay") or 0)


def shown_to_spectators(match: Match) -> int:
    """The newest version spectators see: all of the lobby, then so many events behind the head; everything
    once the match is over."""
    if match.status != RUNNING:
        return match.version
    return max(match.started, match.version - spectator_delay(match))


def seat_view(number: Seat, chair: Chair) -> dict[str, Any]:
    """A seat as everybody sees it."""
    shown: dict[str, Any] = {"seat": number, "kind": chair.kind, "resigned": chair.resigned}
    if chair.bot is not None:
        shown["bot"] = chair.bot
    if chair.taken_over:
        shown["taken_over"] = True
    return shown


def winners(ended: MatchEnded) -> list[Seat]:
    """Who won: what the game said, else the first group of the ranking."""
    if ended.winners is not None:
        return list(ended.winners)
    return list(ended.ranking[0]) if ended.ranking else []


def outcome_view(ended: MatchEnded) -> dict[str, Any]:
    """The outcome as everybody sees it."""
    return {
        "reason": ended.reason,
        "ranking": [list(group) for group in ended.ranking],
        "winners": winners(ended),
        "scores": [
            {"seat": score.seat, "total": score.total, "categories": dict(score.categories)}
            for score in ended.scores
        ],
    }


# Deciding


class _Recorder:
    """Folds each fact as it is decided; `handle` alone makes one."""

    __slots__ = ("game", "match", "chance", "facts")

    def __init__(self, game: Game, match: Match, chance: Chance) -> None:
        self.game = game
        self.match = match
        self.chance = chance
        self.facts: list[Fact] = []

    def record(self, events: list[Event], actor: str, cause: str) -> None:
        for event in events:
            evolve(self.game, self.match, event)
            self.facts.append(Fact(event, actor, cause))

    def answer_by_default(self, seat: Seat, cause: str, decision: str) -> None:
        """Default moves of a seat until it is not awaited in this decision any more."""
        for _ in range(MOST_ROUNDS):
            still = [open_ for open_ in self.game.decisions(self.match.play) if open_.id == decision]
            if not still or seat not in still[0].awaited:
                return
            move = self.game.default_move(self.match.play, seat)
            actor = RULES if cause == RULES else f"seat:{seat}"
            self.record(self.game.decide(self.match.play, seat, move, self.chance), actor, cause)
        raise RuntimeError(f"the default move of {self.game.NAME} never answers {decision}")

    def settle(self) -> None:
        """Let the rules run to rest: the game, the seats that resigned, the end."""
        for _ in range(MOST_ROUNDS):
            if not self._advance():
                return
        raise RuntimeError(f"a match of {self.game.NAME} does not come to rest")

    def _advance(self) -> bool:
        match, game = self.match, self.game
        if match.status != RUNNING:
            return False
        outcome = game.outcome(match.play)
        if outcome is not None:
            self.record([self._end("finished", outcome)], RULES, RULES)
            return True
        playing = sum(not chair.resigned for chair in match.chairs)
        if playing == 0 or playing == 1 < len(match.chairs):
            self.record([self._end("forfeit", None)], RULES, RULES)
            return True
        events = pausing.completed(game, match)
        if not events and match.paused:
            return False
        events = events or game.advance(match.play, self.chance)
        if events:
            self.record(events, RULES, RULES)
            return True
        if match.resignations:
            for decision in game.decisions(match.play):
                gone = [seat for seat in decision.awaited if match.chairs[seat].resigned]
                for seat in gone:
                    self.answer_by_default(seat, RULES, decision.id)
                if gone:
                    return True
        return False

    def _end(self, reason: str, outcome: Outcome | None) -> MatchEnded:
        gone = self.match.resignations
        scores: list[SeatScore] = []
        won = None if outcome is None else outcome.winners
        if outcome is not None:
            ranking = [group for group in ([s for s in g if s not in gone] for g in outcome.ranking) if group]
            ranking += [group for group in ([s for s in g if s in gone] for g in outcome.ranking) if group]
            scores = [
                SeatScore(seat, sum(categories.values()), dict(categories))
                for seat, categories in enumerate(outcome.scores)
            ]
        else:
            stayed = [seat for seat, chair in enumerate(self.match.chairs) if not chair.resigned]
            ranking = [group for group in (stayed, sorted(gone)) if group]
        return MatchEnded(
            reason,
            ranking,
            scores,
            self.chance.match_key.hex(),
            self.chance.commit_nonce.hex(),
            None if won is None else [seat for seat in won if seat not in gone],
        )


def handle(game: Game, match: Match, by: By, command: Command, chance: Chance) -> list[Fact]:
    """Decide a command of the table or of the game, then let the rules run until somebody is awaited.

    Consumes `match` (it is folded forward, also when an error is raised on the way). Raises IllegalMove."""
    recorder = _Recorder(game, match, chance.with_entropy([chair.entropy for chair in match.chairs]))
    decide = DECIDERS.get(type(command))
    if match.status == OVER:
        raise refuse("match-over", "the match is over", kind="match-over")
    if not match.version and not isinstance(command, table.CreateMatch):
        raise refuse("not-created", "this match was never set up", kind="not-started")
    is_move = decide is None and type(command) not in pausing.DECIDERS
    if match.paused and (is_move or type(command) in _NOT_IN_A_PAUSE):
        raise pausing.paused()
    if decide is not None:
        decide(recorder, by, command)
    elif (at_the_table := pausing.DECIDERS.get(type(command))) is not None:
        recorder.record(at_the_table(game, match, by.seat, command), by.actor, by.cause)
    else:
        decision = answered(game, match, by)
        if match.chairs[decision[0]].resigned:
            raise refuse("resigned", "this seat has resigned", kind="not-your-decision")
        recorder.record(game.decide(match.play, decision[0], command, recorder.chance), by.actor, by.cause)
    recorder.settle()
    return recorder.facts


def answered(game: Game, match: Match, by: By) -> tuple[Seat, Decision]:
    """The seat and the open decision a game command answers. Raises IllegalMove of kind `not-started`,
    `stale-decision` or `not-your-decision`."""
    if match.status == LOBBY:
        raise refuse("not-started", "the match has not started", kind="not-started")
    if by.seat is None:
        raise refuse("no-seat", "moves are made by seats", kind="not-your-decision")
    open_ = {decision.id: decision for decision in game.decisions(match.play)}
    decision = open_.get(by.decision or "")
    if decision is None:
        raise refuse("stale-decision", "this decision is not open", kind="stale-decision")
    if by.seat not in decision.awaited and by.seat not in decision.revisable:
        raise refuse("not-your-decision", "this decision is not yours", kind="not-your-decision")
    chair = match.chairs[by.seat]
    if chair.taken_over and by.cause == "player":
        raise refuse("taken-over", "a bot plays this seat; reclaim it first", kind="not-your-decision")
    if by.cause == "bot" and not chair.played_by_bot:
        raise refuse("not-a-bot", "no bot plays this seat", kind="not-your-decision")
    return by.seat, decision


def _create(recorder: _Recorder, by: By, command: table.CreateMatch) -> None:
    game, seats = recorder.game, command.seats
    if recorder.match.version:
        raise refuse("already-created", "this match exists", kind="conflict")
    if len(seats) not in game.SEATS:
        raise refuse("seats", f"{game.TITLE} is for {game.SEATS[0]} to {game.SEATS[-1]} seats")
    for plan in seats:
        if plan.kind == "bot" and (plan.bot != table.SCRIPT or command.sandbox is None):
            _check_bot(game, plan.bot)
        elif plan.kind == "bot":
            continue
        elif plan != table.SeatPlan():
            raise refuse("seat-plan", "a seat is open, or a bot's")
    recorder.record(
        [
            MatchCreated(
                game.NAME,
                command.options,
                seats,
                command.visibility,
                recorder.chance.commitment(),
                sandbox=command.sandbox,
            )
        ],
        by.actor,
        by.cause,
    )


def _change(recorder: _Recorder, by: By, command: table.ChangeMatch) -> None:
    if recorder.match.status != LOBBY:
        raise refuse("already-started", "the match has started", kind="already-started")
    recorder.record([MatchChanged(command.options, command.visibility)], by.actor, by.cause)


def _check_bot(game: Game, bot: str | None) -> None:
    if bot not in game.BOTS:
        raise refuse("unknown-bot", f"the bots of {game.TITLE} are {', '.join(game.BOTS)}")


def _open_seat(match: Match, wish: Seat | None) -> Seat:
    """The wished seat, or the first open one. Raises IllegalMove (`already-started`, `seat-taken`)."""
    if match.status != LOBBY:
        raise refuse("already-started", "the match has started", kind="already-started")
    free = [seat for seat, chair in enumerate(match.chairs) if chair.kind == "open"]
    if wish is None and free:
        return free[0]
    if wish is not None and not 0 <= wish < len(match.chairs):
        raise refuse("no-such-seat", f"the seats are 0 to {len(match.chairs) - 1}")
    if wish is None or wish not in free:
        raise refuse("seat-taken", "no such seat is open", kind="seat-taken")
    return wish


def _join(recorder: _Recorder, by: By, command: table.JoinSeat) -> None:
    seat = _open_seat(recorder.match, command.seat)
    recorder.record([SeatJoined(seat, command.entropy)], f"seat:{seat}", "player")


def _seat_bot(recorder: _Recorder, by: By, command: table.SeatBot) -> None:
    _check_bot(recorder.game, command.bot)
    recorder.record([BotSeated(_open_seat(recorder.match, command.seat), command.bot)], by.actor, by.cause)


def _leave(recorder: _Recorder, by: By, command: table.LeaveSeat) -> None:
    match = recorder.match
    if match.status != LOBBY:
        raise refuse("already-started", "the match has started; resign instead", kind="already-started")
    seat = command.seat if by.cause == "host" else by.seat
    if seat is None or not 0 <= seat < len(match.chairs) or match.chairs[seat].kind == "open":
        raise refuse("seat-open", "nobody sits there", kind="seat-open")
    recorder.record([SeatLeft(seat)], by.actor, by.cause)


def _start(recorder: _Recorder, by: By, command: table.Start) -> None:
    match = recorder.match
    if match.status != LOBBY:
        raise refuse("already-started", "the match has started", kind="already-started")
    if any(chair.kind == "open" for chair in match.chairs):
        raise refuse("seats-open", "every seat must be taken before the start", kind="seats-open")
    recorder.record([MatchStarted(len(match.chairs), match.options)], by.actor, by.cause)


def _cancel(recorder: _Recorder, by: By, command: table.Cancel) -> None:
    if recorder.match.status != LOBBY and recorder.match.forked_from is None:
        raise refuse("already-started", "the match has started", kind="already-started")
    key, commit_nonce = recorder.chance.match_key.hex(), recorder.chance.commit_nonce.hex()
    recorder.record([MatchEnded("cancelled", [], [], key, commit_nonce)], by.actor, by.cause)


def _playing(recorder: _Recorder, by: By) -> tuple[Seat, Chair]:
    """The seat that asks, in a running match, not resigned. Raises IllegalMove."""
    match = recorder.match
    if match.status != RUNNING:
        raise refuse("not-started", "the match has not started", kind="not-started")
    if by.seat is None or not 0 <= by.seat < len(match.chairs):
        raise refuse("no-seat", "only a seat can do this", kind="not-your-decision")
    chair = match.chairs[by.seat]
    if chair.resigned:
        raise refuse("resigned", "this seat has resigned", kind="not-your-decision")
    return by.seat, chair


def _resign(recorder: _Recorder, by: By, command: table.Resign) -> None:
    seat, _ = _playing(recorder, by)
    recorder.record([SeatResigned(seat, "resigned")], by.actor, by.cause)


def _reclaim(recorder: _Recorder, by: By, command: table.ReclaimSeat) -> None:
    seat, chair = _playing(recorder, by)
    if not chair.taken_over:
        raise refuse("not-taken-over", "no bot has taken this seat over", kind="not-your-decision")
    recorder.record([SeatReclaimed(seat)], by.actor, by.cause)


def _person_at(recorder: _Recorder, by: By, seat: Seat) -> Chair:
    """The chair a seat itself or the host wants to change. Raises IllegalMove."""
    match = recorder.match
    if not 0 <= seat < len(match.chairs):
        raise refuse("no-such-seat", f"the seats are 0 to {len(match.chairs) - 1}")
    if by.seat not in (None, seat):
        raise refuse("another-seat", "this is another seat", kind="not-your-decision")
    if match.chairs[seat].resigned:
        raise refuse("resigned", "this seat has resigned", kind="conflict")
    return match.chairs[seat]


def _change_token(recorder: _Recorder, by: By, command: table.ChangeToken) -> None:
    chair = _person_at(recorder, by, command.seat)
    if chair.kind == "open":
        raise refuse("seat-open", "nobody sits there", kind="seat-open")
    if chair.kind != "human":
        raise refuse("no-person", "a bot sits there, which has no token", kind="conflict")
    recorder.record([SeatTokenChanged(command.seat, command.revoked)], by.actor, by.cause)


def _hand_over(recorder: _Recorder, by: By, command: table.HandOverSeat) -> None:
    """A seat changes hands as it is: what it holds, knows and has chosen stays with it."""
    if recorder.match.status != RUNNING:
        raise refuse("not-started", "the match has not started; leave and join instead", kind="not-started")
    chair = _person_at(recorder, by, command.seat)
    if command.to == "bot":
        _check_bot(recorder.game, command.bot)
        if chair.played_by_bot and chair.bot == command.bot:
            raise refuse("same-bot", "this bot plays the seat already", kind="conflict")
    elif command.to != "person" or command.bot is not None:
        raise refuse("controller", "a seat is given to a person or to a bot")
    recorder.record([SeatHandedOver(command.seat, command.to, command.bot)], by.actor, by.cause)


def _expire(recorder: _Recorder, by: By, command: table.ExpireDeadline) -> None:
    decision = _open_decision(recorder, command.decision)
    _run_out(recorder, decision, _awaited(decision, command.seats))


def _claim(recorder: _Recorder, by: By, command: agreements.Claim) -> None:
    """A seat that is not awaited, or the host, has done what the policy says. Who is late, the service has
    put into the command."""
    if recorder.match.options.get("expiry", AUTO) != CLAIMABLE:
        raise refuse("not-claimable", "nobody claims time in this match", kind="conflict")
    decision = _open_decision(recorder, command.decision)
    if by.seat is not None:
        seat, chair = _playing(recorder, by)
        if seat in decision.awaited or chair.taken_over:
            raise refuse("awaited-yourself", "answer the decision yourself", kind="not-your-decision")
    seats = _awaited(decision, command.seats)
    if not seats:
        raise refuse("not-due", "the time for this decision is not over", kind="conflict")
    recorder.record([ExpiryClaimed(decision.id, seats)], by.actor, by.cause)
    _run_out(recorder, decision, seats)


def _order_expiry(recorder: _Recorder, by: By, command: agreements.Expire) -> None:
    decision = _open_decision(recorder, command.decision)
    seats = _awaited(decision, command.seats)
    if not seats:
        raise refuse("not-awaited", "the decision does not wait for these seats", kind="conflict")
    recorder.record([ExpiryOrdered(decision.id, seats)], by.actor, by.cause)
    _run_out(recorder, decision, seats)


def _awaited(decision: Decision, wanted: list[Seat] | None) -> list[Seat]:
    return [seat for seat in decision.awaited if wanted is None or seat in wanted]


def _run_out(recorder: _Recorder, decision: Decision, seats: list[Seat]) -> None:
    """What the policy says, for each seat that is late. Who took the seat back in this very decision and is
    late again gets the default move: taking it back again and again must not hold a decision open."""
    match = recorder.match
    policy = str(match.options["on_expiry"])
    late = [seat for seat in seats if not match.chairs[seat].resigned]
    recorder.record([DeadlineExpired(decision.id, late, policy)], RULES, "deadline")
    for seat in late:
        chair = match.chairs[seat]
        if policy == "forfeit" and chair.kind == "human" and not chair.taken_over:
            recorder.record([SeatResigned(seat, "deadline")], RULES, "deadline")
        elif policy == "bot-takes-over" and not chair.played_by_bot and chair.reclaimed < decision.opened:
            bot = str(match.options["takeover_bot"])
            recorder.record([SeatTakenOver(seat, bot)], RULES, "deadline")
        else:
            recorder.answer_by_default(seat, "deadline", decision.id)


def _open_decision(recorder: _Recorder, wanted: str) -> Decision:
    for decision in decisions(recorder.game, recorder.match):
        if decision.id == wanted:
            return decision
    raise refuse("stale-decision", "this decision is not open", kind="stale-decision")


def _bot_failure(recorder: _Recorder, by: By, command: table.ReportBotFailure) -> None:
    decision = _open_decision(recorder, command.decision)
    seat = command.seat
    if seat not in decision.awaited or not recorder.match.chairs[seat].played_by_bot:
        raise refuse("not-awaited", "no bot is awaited there", kind="stale-decision")
    failed = BotFailed(decision.id, seat, command.bot, command.instead, command.why)
    recorder.record([failed], RULES, "bot")
    if command.instead == "default-move":
        recorder.answer_by_default(seat, "bot", decision.id)


DECIDERS: Final[Mapping[type, Callable[[_Recorder, By, Any], None]]] = {
    table.CreateMatch: _create,
    table.ChangeMatch: _change,
    table.JoinSeat: _join,
    table.SeatBot: _seat_bot,
    table.LeaveSeat: _leave,
    table.Start: _start,
    table.Cancel: _cancel,
    table.Resign: _resign,
    table.ReclaimSeat: _reclaim,
    table.ChangeToken: _change_token,
    table.HandOverSeat: _hand_over,
    table.ExpireDeadline: _expire,
    table.ReportBotFailure: _bot_failure,
    agreements.Claim: _claim,
    agreements.Expire: _order_expiry,
}
# What would move the game on; moves of the game as well.
_NOT_IN_A_PAUSE: Final = frozenset(
    (table.ExpireDeadline, table.ReportBotFailure, agreements.Undo, agreements.Claim, agreements.Expire)
)


def command_of(game: Game, event: Event) -> Command | None:
    """The command whose first event this is, or None."""
    restore = COMMANDS_OF.get(type(event))
    return game.command_of(event) if restore is None else restore(event)


COMMANDS_OF: Final[Mapping[type, Callable[[Any], Command]]] = {
    MatchCreated: lambda e: table.CreateMatch(e.options, e.seats, e.visibility, e.sandbox),
    MatchChanged: lambda e: table.ChangeMatch(e.options, e.visibility),
    SeatJoined: lambda e: table.JoinSeat(e.seat, e.entropy),
    BotSeated: lambda e: table.SeatBot(e.bot, e.seat),
    SeatLeft: lambda e: table.LeaveSeat(e.seat),
    MatchStarted: lambda e: table.Start(),
    SeatResigned: lambda e: table.Resign(),
    DeadlineExpired: lambda e: table.ExpireDeadline(e.decision, e.seats),
    SeatReclaimed: lambda e: table.ReclaimSeat(),
    SeatTokenChanged: lambda e: table.ChangeToken(e.seat, e.revoked),
    SeatHandedOver: lambda e: table.HandOverSeat(e.seat, e.to, e.bot),
    BotFailed: lambda e: table.ReportBotFailure(e.decision, e.seat, e.bot, e.instead, e.why),
    MatchEnded: lambda e: table.Cancel(),
    ExpiryClaimed: lambda e: agreements.Claim(e.decision, e.seats),
    ExpiryOrdered: lambda e: agreements.Expire(e.decision, e.seats),
    **pausing.COMMANDS_OF,
}
