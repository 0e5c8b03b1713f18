"""What holds of every game, at every number of seats, under every option: the contract of a Game."""

import copy
import json
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest

from domain.kernel import match as matches
from domain.kernel import table
from domain.kernel.agreements import Claim, Expire, MatchUndone
from domain.kernel.chance import Dice
from domain.kernel.errors import IllegalMove
from domain.kernel.game import Command, Event, Game
from domain.kernel.match import By
from domain.kernel.seats import Seat
from domain.kernel.table import OVER, RUNNING, MatchEnded, MatchStarted, SeatPlan
from events import codec
from tests.domain.stories import (
    CATALOGUE,
    CLOCK,
    GAMES,
    HOST,
    TITLES,
    Story,
    Title,
    expanded,
    fold,
    neighbours,
    options,
    story,
)
from tests.given_when_then import NoChance, secrets

TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.SEATS]


@pytest.fixture(params=TITLES, ids=str)
def told(request: pytest.FixtureRequest) -> Story:
    """Every story in turn."""
    return story(request.param)


@pytest.fixture(params=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    """Every game in turn."""
    return GAMES[request.param]


# The log


def test_a_match_ends_and_its_end_is_its_last_event(told: Story) -> None:
    ends = [number for number, event in enumerate(told.events) if isinstance(event, MatchEnded)]
    assert ends == [len(told.events) - 1]
    assert told.live.status == OVER
    assert sorted(seat for group in told.events[-1].ranking for seat in group) == list(
        range(len(told.live.chairs))
    )


def test_the_log_alone_gives_the_match(told: Story) -> None:
    """Without chance, without commands, without rules that choose; also from its written form."""
    assert fold(told.game, told.events) == told.live
    registry = matches.events(told.game)
    names = {kind.cls: kind for kind in registry.values()}
    read = [
        codec.read(
            registry, matches.upcasts(told.game), names[type(event)].name, names[type(event)].schema, data
        )
        for event, data in zip(told.events, told.written, strict=True)
    ]
    assert read == told.events
    assert fold(told.game, read) == told.live


def test_what_was_recorded_never_changes_afterwards(told: Story) -> None:
    """No state shares a list with an event and then writes into it."""
    assert [codec.encode(event) for event in told.events] == told.written


def test_the_first_fact_of_a_command_gives_the_command_back(told: Story) -> None:
    """Deciding the whole log again needs nothing but the log and the secrets."""
    again = matches.initial()
    for step in told.steps:
        first = step.facts[0]
        command = matches.command_of(told.game, first.event)
        assert command is not None, first
        seat = int(first.actor.removeprefix("seat:")) if first.actor.startswith("seat:") else None
        by = By(seat, first.cause, step.by.decision)
        assert matches.handle(told.game, again, by, command, told.chance) == step.facts
    assert again == told.live


def test_the_game_commands_of_a_log_come_back_as_they_were(told: Story) -> None:
    kinds = tuple(told.game.COMMANDS.values())
    for step in told.steps:
        if isinstance(step.command, kinds):
            assert told.game.command_of(step.facts[0].event) == step.command


def test_events_and_commands_survive_json(told: Story) -> None:
    for event in told.events:
        assert codec.decode(type(event), json.loads(json.dumps(codec.encode(event)))) == event
    for step in told.steps:
        assert codec.decode(type(step.command), codec.encode(step.command), closed=True) == step.command


def test_views_survive_json(told: Story) -> None:
    for match in told.resting(every=5):
        for viewer in told.viewers:
            view = matches.view(told.game, match, viewer)
            assert json.loads(json.dumps(view)) == view


# Deciding


def asked(game: Game, state: Any, seat: Seat, viewers: tuple[int, ...]) -> None:
    """Every question a state can be asked, none of which may change it."""
    moves = game.legal_moves(state, seat)
    for move in moves:
        game.decide(state, seat, move, NoChance())
        game.describe(state, seat, move)
    game.refused(state, seat)
    for decision in game.decisions(state):
        if seat in decision.awaited:
            game.default_move(state, seat)
    game.advance(state, NoChance())
    game.outcome(state)
    for viewer in viewers:
        game.view(state, viewer)


def test_asking_and_deciding_never_change_the_state(told: Story) -> None:
    for match in told.resting(every=5):
        before, bytes_before = copy.deepcopy(match.play), pickle.dumps(match.play)
        for seat in range(len(match.chairs)):
            asked(told.game, match.play, seat, told.viewers)
        assert match.play == before
        assert pickle.dumps(match.play) == bytes_before


class Watched:
    """A game whose deciding functions are watched while a match is decided again."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def decide(self, state: Any, *arguments: Any) -> list[Event]:
        return self._unchanged(self.game.decide, state, *arguments)

    def advance(self, state: Any, *arguments: Any) -> list[Event]:
        return self._unchanged(self.game.advance, state, *arguments)

    def _unchanged(self, deciding: Callable[..., list[Event]], state: Any, *arguments: Any) -> list[Event]:
        before = pickle.dumps(state)
        events = deciding(state, *arguments)
        assert pickle.dumps(state) == before, events
        return events


def test_the_rules_never_change_the_state_they_decide_on(told: Story) -> None:
    """Every call of `decide` and `advance` on the way, with dice."""
    again, watched = matches.initial(), Watched(told.game)
    for step in told.steps:
        assert matches.handle(watched, again, step.by, step.command, told.chance) == step.facts
    assert again == told.live


def accepts(game: Game, state: Any, seat: Seat, command: Command) -> bool:
    """Whether `decide` accepts the command."""
    try:
        events = game.decide(state, seat, command, NoChance())
    except IllegalMove as refusal:
        assert refusal.kind == "illegal-move"
        assert refusal.reason.code and refusal.reason.detail
        return False
    assert events
    return True


def test_legal_moves_are_exactly_what_decide_accepts(told: Story) -> None:
    """From every seat, awaited or not: what is listed is accepted, and what looks like it and is not listed
    is refused."""
    dice, refused = random.Random(7), 0
    for match in told.resting(every=3):
        legal = [expanded(told.game, match.play, seat) for seat in range(len(match.chairs))]
        everybody = [move for moves in legal for move in moves]
        for seat, moves in enumerate(legal):
            assert len(moves) == len({repr(move) for move in moves}), "listed twice"
            for move in moves:
                assert accepts(told.game, match.play, seat, move), (seat, move)
            others = [move for move in everybody if move not in moves]
            candidates = neighbours(told.game, moves or everybody, dice, 24)
            for command in candidates + dice.sample(others, min(len(others), 8)):
                assert accepts(told.game, match.play, seat, command) == (command in moves), (seat, command)
                refused += command not in moves
        for seat in (-1, len(match.chairs)) if told.game.NAME in CATALOGUE else ():
            assert told.game.legal_moves(match.play, seat) == []
            assert not any(accepts(told.game, match.play, seat, move) for move in everybody[:5])
    assert refused > 50 or told.game.NAME == "tiny"


def test_awaited_seats_and_no_others_but_those_that_may_revise_can_move(told: Story) -> None:
    for match in told.resting():
        decisions = told.game.decisions(match.play)
        assert decisions and all(decision.awaited for decision in decisions)
        assert len({decision.id for decision in decisions}) == len(decisions)
        may = {seat for decision in decisions for seat in (*decision.awaited, *decision.revisable)}
        can = {seat for seat in range(len(match.chairs)) if told.game.legal_moves(match.play, seat)}
        assert can == may
        assert all(decision.opened <= match.version for decision in decisions)


def test_a_match_at_rest_waits_for_somebody_and_nothing_follows_by_itself(told: Story) -> None:
    for match in told.resting():
        assert matches.awaited(told.game, match)
        assert told.game.advance(match.play, NoChance()) == []
        assert told.game.outcome(match.play) is None


def test_a_decision_keeps_its_name_until_it_is_closed_and_is_stale_afterwards(told: Story) -> None:
    """Every command of the past is refused when it is sent again to a later decision. A decision that is open
    again, because what closed it was taken back, has its name again."""
    open_: set[str] = set()
    closed: list[tuple[By, Command]] = []
    waiting: list[tuple[By, Command]] = []
    match, dice = matches.initial(), random.Random(3)
    for step in told.steps:
        for by, command in dice.sample(closed, min(len(closed), 1)):
            with pytest.raises(IllegalMove) as refusal:
                matches.handle(told.game, copy.deepcopy(match), by, command, told.chance)
            assert refusal.value.kind == ("match-paused" if match.paused else "stale-decision")
        for fact in step.facts:
            matches.evolve(told.game, match, fact.event)
            if isinstance(fact.event, MatchUndone):
                waiting += [each for each in closed if each[0].decision in fact.event.reopened]
                closed = [each for each in closed if each[0].decision not in fact.event.reopened]
        if step.by.decision is not None:
            waiting.append((step.by, step.command))
        now = {decision.id for decision in matches.decisions(told.game, match)}
        gone = open_ - now
        if match.status == RUNNING:
            closed += [each for each in waiting if each[0].decision not in now]
            waiting = [each for each in waiting if each[0].decision in now]
        opened = now - open_
        assert not opened & {by.decision for by, _ in closed}, "a name used twice"
        assert gone or not opened or len(now) > 1 or not open_
        open_ = now


# Default moves and bots


def test_every_awaited_seat_has_a_legal_default_move(told: Story) -> None:
    for match in told.resting():
        for decision in told.game.decisions(match.play):
            assert decision.kind in told.game.DECISIONS
            for seat in decision.awaited:
                moves = expanded(told.game, match.play, seat)
                assert told.game.default_move(match.play, seat) in moves


def test_every_bot_answers_every_decision_with_a_legal_move(told: Story) -> None:
    for match in told.resting(every=3):
        for decision in told.game.decisions(match.play):
            for seat in decision.awaited:
                moves = told.game.legal_moves(match.play, seat)
                view = told.game.view(match.play, seat)
                for name, policy in told.game.BOTS.items():
                    seen, listed = copy.deepcopy(view), list(moves)
                    move = policy(view, moves, Dice(bytes(32)))
                    assert move in expanded(told.game, match.play, seat), name
                    assert (view, moves) == (seen, listed), f"{name} scribbles"


@pytest.mark.parametrize("policy", ["default-move", "bot-takes-over", "forfeit"])
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_match_in_which_nobody_moves_ends(name: str, seats: int, policy: str) -> None:
    """Under every option drawn, by expiries alone."""
    for seed in range(4):
        dice = random.Random(seed) if seed else None
        left = Story(GAMES[name], secrets(f"mat_{seed}"))
        chosen = options(left.game, dice, on_expiry=policy)
        left.ask(HOST, table.CreateMatch(chosen, [SeatPlan()] * seats))
        for seat in range(seats):
            left.ask(By(seat, "player"), table.JoinSeat(seat))
        left.ask(HOST, table.Start())
        for _ in range(400):
            if left.live.status == OVER:
                break
            (decision, *_) = matches.decisions(left.game, left.live)
            left.ask(CLOCK, table.ExpireDeadline(decision.id))
        assert isinstance(left.events[-1], MatchEnded)
        assert left.events[-1].reason == ("forfeit" if policy == "forfeit" else "finished")


@pytest.mark.parametrize("policy", ["default-move", "bot-takes-over", "forfeit"])
@pytest.mark.parametrize("name", list(GAMES))
def test_a_match_in_which_nobody_moves_is_never_stuck_where_time_is_claimed(name: str, policy: str) -> None:
    """Somebody is awaited at any time, so that the host's claims end it. The same with `none` and orders."""
    game = GAMES[name]
    for expiry, order in (("claimable", Claim), ("none", Expire)):
        left = Story(game, secrets("mat_silent"))
        seats = game.SEATS[-1]
        chosen = options(game, on_expiry=policy, expiry=expiry)
        left.ask(HOST, table.CreateMatch(chosen, [SeatPlan()] * seats))
        for seat in range(seats):
            left.ask(By(seat, "player"), table.JoinSeat(seat))
        left.ask(HOST, table.Start())
        for _ in range(400):
            if left.live.status == OVER:
                break
            decisions = matches.decisions(game, left.live)
            assert decisions and all(decision.awaited for decision in decisions)
            left.ask(HOST, order(decisions[0].id))
        assert isinstance(left.events[-1], MatchEnded)


def test_everybody_may_give_up_at_any_moment(told: Story) -> None:
    """The match goes on without them, with one end as its last event."""
    steps = [step.before for step in told.steps if step.before]
    for version in steps[:: max(1, len(steps) // 12)]:
        match = fold(told.game, told.events[:version])
        if match.status != RUNNING:
            continue
        facts = []
        for seat, chair in enumerate(match.chairs):
            if match.status == RUNNING and not chair.resigned:
                facts += matches.handle(told.game, match, By(seat, "player"), table.Resign(), told.chance)
                gone = {number for number, other in enumerate(match.chairs) if other.resigned}
                assert match.paused or not gone & set(matches.awaited(told.game, match))
        assert match.status == OVER
        assert [isinstance(fact.event, MatchEnded) for fact in facts].count(True) == 1
        assert isinstance(facts[-1].event, MatchEnded)


# The names a game binds


def test_every_class_of_event_has_an_entry_in_the_redaction_table(game: Game) -> None:
    assert set(game.REDACTIONS) - {MatchStarted} == {kind.cls for kind in game.EVENTS.values()}
    registry = matches.events(game)
    assert set(matches.redactions(game)) == {kind.cls for kind in registry.values()}


def test_names_on_the_wire_are_unique_and_every_option_has_a_default_that_may_be_chosen(game: Game) -> None:
    registry = matches.events(game)
    assert all(name == kind.name for name, kind in registry.items())
    assert len({kind.cls for kind in registry.values()}) == len(registry)
    names = [option.name for option in (*table.OPTIONS, *game.OPTIONS)]
    assert len(names) == len(set(names))
    for option in game.OPTIONS:
        if option.choices is not None:
            assert option.default in option.choices
        elif option.default is not None:
            assert option.minimum <= option.default <= option.maximum


def test_the_bots_a_table_may_name_are_bots_of_the_game(game: Game) -> None:
    (takeover,) = [option for option in table.OPTIONS if option.name == "takeover_bot"]
    assert takeover.choices is not None
    assert set(takeover.choices) <= set(game.BOTS)


def test_the_stories_reach_every_command_event_and_kind_of_decision(game: Game) -> None:
    """What is never reached is not tested. More stories are told until all is seen, up to a limit."""
    told_elsewhere = {kind.cls for kind in game.EVENTS.values() if kind.name.endswith(".hidden_dealt")}
    wanted = (
        {kind.cls for kind in game.EVENTS.values()} - told_elsewhere
        | set(game.COMMANDS.values())
        | set(game.DECISIONS)
    )
    for seed in range(40):
        for seats in game.SEATS:
            told = story(Title(game.NAME, seats, seed))
            wanted -= {type(event) for event in told.events} | {type(step.command) for step in told.steps}
            wanted -= {step.by.decision.split(".")[1] for step in told.steps if step.by.decision is not None}
        if not wanted:
            return
    raise AssertionError(f"never reached: {sorted(map(str, wanted))}")
