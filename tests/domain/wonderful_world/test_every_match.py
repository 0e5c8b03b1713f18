"""What holds in every match, at every number of seats and with every option."""

import copy
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from domain import wonderful_world
from domain.kernel.engine import apply, fold, handle, record, settle
from domain.kernel.errors import IllegalMove
from domain.kernel.game import Command, Event
from domain.kernel.redaction import forms, redact
from domain.kernel.seats import SPECTATOR
from domain.kernel.table import MatchStarted
from domain.wonderful.commands import (
    DiscardConstruction,
    PlaceCubes,
    PlaceKrystallium,
    RecycleCard,
    SlateCard,
    StoreCubes,
    Validate,
)
from domain.wonderful_world.commands import (
    ChooseCharacter,
    DraftCard,
    KeepCard,
    PlaceCharacters,
    SwapCards,
    WithdrawPick,
)
from domain.wonderful_world.decks import CARDS
from domain.wonderful_world.ending import score
from tests.domain.wonderful_world.matches import TABLES, Turn, expanded, log, name, turns
from tests.domain.wonderful_world.tables import DEFAULTS
from tests.given_when_then import NoChance, secrets

everywhere = pytest.mark.parametrize("table", TABLES, ids=name)
NAMES = ("materials", "energy", "science", "gold", "exploration", "krystallium", "financier", "general")


def sampled(table: tuple[int, dict[str, Any]], every: int, seed: int = 1) -> Iterator[Turn]:
    """The turns of one match, one in `every` of them."""
    seats, options = table
    for number, turn in enumerate(turns(seats, seed, options)):
        if number % every == 0:
            yield turn


@everywhere
def test_a_match_ends_with_the_points_of_its_boards(table: tuple[int, dict[str, Any]]) -> None:
    seats, options = table
    *_, last = turns(seats, 2, options)
    outcome = wonderful_world.outcome(last.state)
    assert outcome is not None
    assert sorted(seat for group in outcome.ranking for seat in group) == list(range(seats))
    assert outcome.scores == [score(board, last.state.side) for board in last.state.boards]
    shown = wonderful_world.view(last.state, SPECTATOR)
    assert shown["scores"] == [board["points"] for board in shown["boards"]] == outcome.scores
    assert wonderful_world.decisions(last.state) == []


@everywhere
def test_a_running_match_waits_for_somebody_who_can_act(table: tuple[int, dict[str, Any]]) -> None:
    for turn in sampled(table, 1):
        if wonderful_world.outcome(turn.state) is not None:
            break
        (decision,) = wonderful_world.decisions(turn.state)
        assert decision.awaited
        assert not set(decision.awaited) & set(decision.revisable)
        assert decision.kind in wonderful_world.DECISIONS
        assert decision.opened <= turn.state.version
        assert wonderful_world.advance(turn.state, NoChance()) == []
        for seat in decision.awaited:
            default = wonderful_world.default_move(turn.state, seat)
            assert default in wonderful_world.legal_moves(turn.state, seat)


@everywhere
def test_a_match_in_which_everybody_is_away_ends(table: tuple[int, dict[str, Any]]) -> None:
    seats, options = table
    chance, state = secrets(seats=seats), wonderful_world.initial()
    events: list[Event] = []
    record(wonderful_world, state, [MatchStarted(seats, {**DEFAULTS, **options})], events)
    settle(wonderful_world, state, chance, events)
    for _ in range(2000):
        open_ = wonderful_world.decisions(state)
        if not open_:
            break
        seat = open_[0].awaited[-1]
        handle(wonderful_world, state, seat, wonderful_world.default_move(state, seat), chance)
    assert wonderful_world.outcome(state) is not None


def attempts(state: Any, seat: int) -> list[Command]:
    """Commands near the legal ones, most of them refused: other cards, other counts, other phases."""
    board = state.boards[seat]
    cards = sorted({*board.constructions, *(f"{kind}-1" for kind in board.constructed), "zeppelin-9"})[:6]
    hand = state.hands[seat] if state.hands else []
    kinds = sorted({*board.area, *hand, *state.offered, "zeppelin"})
    found: list[Command] = [Validate(), WithdrawPick(), StoreCubes("nothing", 1)]
    found += [ChooseCharacter(character) for character in ("financier", "general", "gold")]
    for kind in kinds:
        found += [DraftCard(kind), SlateCard(kind), KeepCard(kind), RecycleCard(kind)]
        found += [RecycleCard(kind, card) for card in cards]
        found += [SwapCards([kind, other]) for other in kinds]
    for card in cards:
        found.append(DiscardConstruction(card))
        for thing in NAMES:
            for count in (0, 1, 2, 5):
                found += [PlaceCubes(card, thing, count), PlaceKrystallium(card, thing, count)]
                found += [PlaceCharacters(card, thing, count), StoreCubes(thing, count)]
    return found


def accepts(state: Any, seat: int, command: Command) -> bool:
    try:
        events = wonderful_world.decide(state, seat, command, NoChance())
    except IllegalMove:
        return False
    assert events
    return True


@everywhere
def test_the_legal_moves_are_what_is_accepted(table: tuple[int, dict[str, Any]]) -> None:
    for turn in sampled(table, 12 * table[0]):
        state = turn.state
        for seat in range(state.seats):
            listed = wonderful_world.legal_moves(state, seat)
            assert len(listed) < 100
            every = [each for move in listed for each in expanded(state, seat, move)]
            assert len(set(map(str, every))) == len(every)
            assert all(accepts(state, seat, command) for command in every)
            legal = {str(command) for command in every}
            for command in attempts(state, seat):
                assert accepts(state, seat, command) == (str(command) in legal), command
        for seat in (-1, state.seats):
            assert wonderful_world.legal_moves(state, seat) == []
            assert not accepts(state, seat, Validate())


@everywhere
def test_asking_changes_nothing(table: tuple[int, dict[str, Any]]) -> None:
    for turn in sampled(table, 10 * table[0]):
        state, before = turn.state, copy.deepcopy(turn.state)
        for seat in range(state.seats):
            for move in wonderful_world.legal_moves(state, seat):
                wonderful_world.decide(state, seat, move, NoChance())
                assert wonderful_world.describe(state, seat, move).label
            wonderful_world.refused(state, seat)
            wonderful_world.view(state, seat)
        if wonderful_world.outcome(state) is None:
            for decision in wonderful_world.decisions(state):
                for seat in decision.awaited:
                    wonderful_world.default_move(state, seat)
            wonderful_world.advance(state, NoChance())
        wonderful_world.view(state, SPECTATOR)
        events = copy.deepcopy(turn.events)
        for event in turn.events:
            for viewer in range(-1, state.seats):
                redact(wonderful_world.REDACTIONS, event, viewer)
        assert turn.events == events
        assert state == before


@everywhere
def test_a_replay_without_chance_gives_the_same_state(table: tuple[int, dict[str, Any]]) -> None:
    seats, options = table
    *_, last = turns(seats, 3, options)
    assert fold(wonderful_world, log(seats, 3, options)) == last.state


@everywhere
def test_a_command_is_restored_from_its_first_event(table: tuple[int, dict[str, Any]]) -> None:
    for turn in sampled(table, 1):
        if turn.command is not None:
            restored = wonderful_world.command_of(turn.events[0])
            assert restored == turn.command
            completed = [event for event in turn.events[1:] if wonderful_world.command_of(event) is not None]
            assert completed == []


@everywhere
def test_events_commands_and_views_survive_json(table: tuple[int, dict[str, Any]]) -> None:
    classes = {kind.cls for kind in wonderful_world.EVENTS.values()}
    for turn in sampled(table, 7):
        for event in turn.events:
            assert type(event) in classes | {MatchStarted}
            written = msgspec.json.encode(event)
            assert msgspec.json.decode(written, type=type(event)) == event
        if turn.command is not None:
            assert type(turn.command) in wonderful_world.COMMANDS.values()
            written = msgspec.json.encode(turn.command)
            assert msgspec.json.decode(written, type=type(turn.command)) == turn.command
        shown = wonderful_world.view(turn.state, 0)
        assert msgspec.json.decode(msgspec.json.encode(shown)) == shown


def kinds_in(value: Any) -> set[str]:
    """The card kinds a JSON value names."""
    if isinstance(value, str):
        return {value} & CARDS.keys()
    if isinstance(value, dict):
        return {kind for key, inner in value.items() for kind in kinds_in(key) | kinds_in(inner)}
    if isinstance(value, list | tuple):
        return {kind for inner in value for kind in kinds_in(inner)}
    return set()


@everywhere
def test_a_viewer_is_told_enough_and_no_more(table: tuple[int, dict[str, Any]]) -> None:
    seats, options = table
    viewers = [*range(seats)[:3], SPECTATOR]  # at large tables three seats stand for all
    folded = {viewer: wonderful_world.initial() for viewer in viewers}
    shown: dict[int, set[str]] = {viewer: set() for viewer in viewers}
    full = wonderful_world.initial()
    for event in log(seats, 4, options):
        apply(wonderful_world, full, event)
        for viewer in viewers:
            told = redact(wonderful_world.REDACTIONS, event, viewer)
            assert type(told) is type(event)
            apply(wonderful_world, folded[viewer], told)
            view = wonderful_world.view(full, viewer)
            assert wonderful_world.view(folded[viewer], viewer) == view
            shown[viewer] |= kinds_in(view)
            assert kinds_in(msgspec.to_builtins(told)) <= shown[viewer]
        public, own, sealed = forms(wonderful_world.REDACTIONS, event)
        assert public == redact(wonderful_world.REDACTIONS, event, SPECTATOR)
        assert sealed or public == event
        for viewer in range(seats):
            assert redact(wonderful_world.REDACTIONS, event, viewer) == own.get(viewer, public)


def test_the_redaction_table_is_closed() -> None:
    classes = {kind.cls for kind in wonderful_world.EVENTS.values()}
    assert set(wonderful_world.REDACTIONS) == classes | {MatchStarted}
