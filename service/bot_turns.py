"""Use case of the workers: a bot's turn, down to the default move when bots fail.

A bot gets what its seat sees, the legal moves of its seat and dice of its own; never the state. It may
crash, stall or answer nonsense: it is asked once more, then the weakest bot answers, then the default move;
each step is recorded in the log.
"""

import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

from domain.kernel import match as match_rules
from domain.kernel.chance import Dice
from domain.kernel.game import Command
from domain.kernel.match import By
from domain.kernel.table import SCRIPT, ReportBotFailure
from service import access, scripts, work
from service.errors import Refused, outline
from service.positions import Position, Positions
from service.sandbox import WorldClock
from service.scheduling import Scheduler
from service.transact import Done, Order, Transactor, chance_of
from service.work import BotTurn, Work

# Limits the time of what runs inside, in seconds: raises something there when it is over.
Limit = Callable[[float], AbstractContextManager[None]]

WEAKEST: Final = "random"
DEFAULT_MOVE: Final = "default-move"
# Why a bot failed, as the log says it.
NO_MOVE: Final = "no-move"
REFUSED: Final = "refused"
TRIES: Final = 2
# A job plays on with other turns for this long; then it leaves them to other jobs.
SLICE_S: Final = 0.5
_MOVED_ON: Final = frozenset(
    {"stale-decision", "not-your-decision", "match-over", "match-paused", "not-started"}
)

log = logging.getLogger(__name__)


class MovedOn(Exception):
    """The match has moved on: the turn was played by somebody else, or is no bot's any more."""


class BotTurns:
    """Plays for bots."""

    def __init__(
        self,
        known: Positions,
        transactor: Transactor,
        scheduler: Scheduler,
        clock: WorldClock,
        limit: Limit,
        limit_ms: int,
    ) -> None:
        self._positions = known
        self._transactor = transactor
        self._scheduler = scheduler
        self._clock = clock
        self._limit = limit
        self._limit_s = limit_ms / 1000

    def play(self, match: str, decision: str, seat: int) -> int:
        """Play for a bot until its seat is not awaited by this decision any more; then for the other bots
        of the decision, and in decisions that these moves have opened, for which nobody else was asked.
        After half a second, what is left becomes jobs, one a seat. How many moves were made: 0 when the
        turn is over, whoever played it. Raises the errors of the store."""
        until = time.monotonic() + SLICE_S
        mine = {decision}
        moves, missed = 0, 0
        while (position := self._positions.load(match)) is not None:
            if position.unsupported is not None:
                log.warning("no bots for %s: no rules or cards here for %s", match, position.unsupported)
                break
            turns = [turn for turn in work.of(position).bots if turn.decision in mine]
            turns.sort(key=lambda turn: (turn.opened, turn.seat < seat, turn.seat))
            if not turns or (not moves and (turns[0].decision, turns[0].seat) != (decision, seat)):
                break
            if moves and time.monotonic() > until:
                ahead = self._clock.ahead_ms(access.world_of(position))
                self._scheduler.ask_bots(Work(frozenset(turns)).earlier(ahead).bots)
                break
            try:
                done = self._answer(position, turns[0])
            except MovedOn:
                if position.version == missed:
                    # Nobody has moved since, so trying again would go on for ever.
                    log.error("bots of %s are refused at %d", match, missed)
                    break
                missed = position.version
                continue
            moves += 1
            opened = done.records[0].version
            mine |= {turn.decision for turn in work.of(done.position).bots if turn.opened >= opened}
        return moves

    def _answer(self, position: Position, turn: BotTurn) -> Done:
        """One move of a bot, whatever it takes. Raises MovedOn."""
        bot = position.state.chairs[turn.seat].bot or WEAKEST
        if bot == SCRIPT:
            ladder = [(SCRIPT, DEFAULT_MOVE)]
        elif bot == WEAKEST:
            ladder = [(WEAKEST, DEFAULT_MOVE)]
        else:
            ladder = [(bot, WEAKEST), (WEAKEST, DEFAULT_MOVE)]
        for name, instead in ladder:
            why = NO_MOVE
            for attempt in range(TRIES if name == bot != SCRIPT else 1):
                command = self._think(position, turn, name, attempt)
                if command is None:
                    continue
                if (done := self._send(position, turn, name, command)) is not None:
                    return done
                why = REFUSED
            log.warning("bot %s failed at %s of %s: %s instead", name, turn.decision, turn.match, instead)
            failed = self._report(position, turn, name, instead, why)
            position = failed.position
        return failed

    def _think(self, position: Position, turn: BotTurn, name: str, attempt: int) -> Command | None:
        """What the bot wants to do; None when it fails."""
        game, state = position.game, position.state
        if name == SCRIPT:
            return scripts.next_move(position, turn.seat)
        policy = game.BOTS.get(name)
        if policy is None:
            return None
        moves = [command for _, command in match_rules.legal_moves(game, state, turn.seat)]
        build = f"{game.RULESET}/{name}" + (f"/{attempt}" if attempt else "")
        # In a match with a seed, whichever seat was faster, the dice fall alike.
        at = position.version if state.seed is None else position.times.bot_moves.get(turn.seat, 0)
        dice = Dice(chance_of(position).bot_seed(at, turn.seat, build))
        try:
            with self._limit(self._limit_s):
                command = policy(game.view(state.play, turn.seat), moves, dice)
        except Exception as error:
            # Whatever a bot raises is a failure of the bot; the caller records it.
            log.error("bot %s at %s of %s: %s", name, turn.decision, turn.match, outline(error))
            return None
        if type(command) not in game.COMMANDS.values():
            log.error("bot %s at %s of %s answered no command", name, turn.decision, turn.match)
            return None
        return command

    def _send(self, position: Position, turn: BotTurn, name: str, command: Command) -> Done | None:
        """The move in the log; None when the rules refuse it. Raises MovedOn."""
        try:
            return self._transactor.run(
                self._order(
                    position,
                    turn,
                    By(turn.seat, "bot", turn.decision),
                    command,
                    f"bot-{turn.opened}-{turn.seat}",
                )
            )
        except Refused as refused:
            if refused.kind in _MOVED_ON:
                raise MovedOn from refused
            log.error("bot %s at %s of %s: %s", name, turn.decision, turn.match, refused.reason.code)
            return None

    def _report(self, position: Position, turn: BotTurn, name: str, instead: str, why: str) -> Done:
        """The failure in the log, with the default move where that is what is done instead. Raises
        MovedOn."""
        failure = ReportBotFailure(turn.decision, turn.seat, name, instead, why)
        try:
            return self._transactor.run(
                self._order(
                    position,
                    turn,
                    By(None, "bot", turn.decision),
                    failure,
                    f"bot-failure-{turn.opened}-{turn.seat}-{instead}",
                )
            )
        except Refused as refused:
            raise MovedOn from refused

    def _order(self, decided: Position, turn: BotTurn, by: By, command: Command, key: str) -> Order:
        """An order that holds only while the seat has not acted since the position it was decided at. Two
        jobs that decide at the same version have the same key: the second gets the answer of the first."""
        at = decided.version

        def allow(position: Position) -> None:
            if position.command is None and not _still(position, turn, at):
                raise MovedOn

        return Order(
            turn.match,
            by,
            lambda _: command,
            self._clock.now_ms(access.world_of(decided)),
            key=f"{key}-{at}",
            fingerprint="bot",
            allow=allow,
            plays_on=True,
        )


def _still(position: Position, turn: BotTurn, decided_at: int) -> bool:
    """Whether it is still this bot's turn, and the seat has not acted since a version."""
    open_ = position.decision(turn.decision)
    return (
        open_ is not None
        and turn.seat in open_.awaited
        and position.state.chairs[turn.seat].played_by_bot
        and position.times.acted.get(f"seat:{turn.seat}", 0) <= decided_at
    )
