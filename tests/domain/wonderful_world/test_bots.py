"""The bots: legal at every table, without sight of anything hidden, better than chance; `easy` is frozen."""

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from domain import wonderful_world
from domain.kernel.chance import Dice
from domain.kernel.engine import handle, record, settle
from domain.kernel.game import Command, Event, Generator, Policy
from domain.kernel.registry import snake
from domain.kernel.table import MatchStarted
from domain.wonderful.commands import DiscardConstruction, StoreCubes
from domain.wonderful.cubes import NAMES
from domain.wonderful_world.commands import WithdrawPick
from domain.wonderful_world.forecasting import Prospect, fit, forecast, plan, ranked
from tests.domain.wonderful_world.matches import TABLES, name, turns
from tests.domain.wonderful_world.tables import DEFAULTS, Land, planning
from tests.given_when_then import secrets

FROZEN: Final = Path(__file__).with_name("easy_moves.jsonl")
EASY: Final = wonderful_world.BOTS["easy"]
RANDOM: Final = wonderful_world.BOTS["random"]


def dice(seed: int) -> Dice:
    return Dice(seed.to_bytes(32, "big"))


def play(policies: list[Policy], seed: int, options: dict[str, Any] | None = None) -> Any:
    """A match of bots to its end; every move they make is among the legal ones."""
    seats = len(policies)
    state, chance = wonderful_world.initial(), secrets(f"mat_bots_{seed}", seats)
    events: list[Event] = []
    record(wonderful_world, state, [MatchStarted(seats, {**DEFAULTS, **(options or {})})], events)
    settle(wonderful_world, state, chance, events)
    throws = dice(seed)
    while wonderful_world.outcome(state) is None:
        seat = wonderful_world.decisions(state)[0].awaited[0]
        moves = wonderful_world.legal_moves(state, seat)
        command = policies[seat](wonderful_world.view(state, seat), moves, throws)
        assert command in moves
        handle(wonderful_world, state, seat, command, chance)
    return state


@pytest.mark.parametrize("table", TABLES, ids=name)
@pytest.mark.parametrize("bot", wonderful_world.BOTS)
def test_a_bot_plays_at_every_table(bot: str, table: tuple[int, dict[str, Any]]) -> None:
    seats, options = table
    play([wonderful_world.BOTS[bot]] * seats, 1, options)


def test_easy_beats_two_random_bots() -> None:
    wins = 0
    for seed in range(9):
        policies = [RANDOM] * 3
        policies[seed % 3] = EASY
        outcome = wonderful_world.outcome(play(policies, seed))
        assert outcome is not None
        wins += outcome.ranking[0] == [seed % 3]
    assert wins >= 8


def test_easy_scores_well_at_a_table_of_its_own() -> None:
    totals = []
    for seed in range(6):
        outcome = wonderful_world.outcome(play([EASY] * 3, seed))
        assert outcome is not None
        totals += [sum(scores.values()) for scores in outcome.scores]
    assert sum(totals) / len(totals) >= 24


def test_easy_looks_at_its_view_only_and_leaves_it_as_it_was() -> None:
    for number, turn in enumerate(turns(3, 9, {"corruption_and_ascension": True})):
        if number % 20 or wonderful_world.outcome(turn.state) is not None:
            continue
        for seat in wonderful_world.decisions(turn.state)[0].awaited:
            view, moves = (
                wonderful_world.view(turn.state, seat),
                wonderful_world.legal_moves(turn.state, seat),
            )
            before = copy.deepcopy(view)
            first = EASY(view, moves, dice(1))
            assert view == before
            assert EASY(json.loads(json.dumps(view)), moves, dice(2)) == first


def builder(view: dict[str, Any], moves: Sequence[Command], throws: Generator) -> Command:
    """Any legal move that gives nothing up, as long as there is one."""
    wanted = [move for move in moves if not isinstance(move, DiscardConstruction | StoreCubes | WithdrawPick)]
    return RANDOM(view, wanted or moves, throws)


def positions() -> list[tuple[dict[str, Any], list[Command]]]:
    """Positions of every phase, at tables of different sizes and options, among seats that like to build."""
    found: list[tuple[dict[str, Any], list[Command]]] = []
    seen = 0

    def watching(view: dict[str, Any], moves: Sequence[Command], throws: Generator) -> Command:
        nonlocal seen
        seen += 1
        if seen % (4 * len(view["boards"])) == 0:
            found.append((view, list(moves)))
        return builder(view, moves, throws)

    for seats, options in TABLES:
        seen = 0
        play([watching] * seats, 21, options)
    return found


def written(command: Command) -> str:
    fields = {field: getattr(command, field) for field in type(command).__slots__}
    return json.dumps({"type": snake(type(command).__name__), **fields})


def test_easy_moves_as_it_was_frozen() -> None:
    frozen = FROZEN.read_text("utf-8").splitlines()
    assert len(frozen) >= 200
    assert [written(EASY(view, moves, dice(0))) for view, moves in positions()] == frozen


# What the bot reckons with


def prospect(kind: str, *, name: str | None = None, **missing: int) -> Prospect:
    return Prospect(kind, [missing.get(thing, 0) for thing in NAMES], name)


def view_of(land: Land) -> dict[str, Any]:
    return planning(land, Land()).view(0)


def test_a_card_is_done_in_the_round_in_which_its_last_cube_comes() -> None:
    future = forecast(view_of(Land("noram_states")), 0)
    for materials, number in ((3, 1), (4, 2), (6, 2), (12, 4)):
        planned = fit(future, prospect("the_wall", materials=materials))
        assert planned is not None
        assert (planned.round, planned.step) == (number, 0)
    assert fit(future, prospect("the_wall", materials=13)) is None
    assert fit(future, prospect("zeppelin", energy=1)) is None


def test_krystallium_fills_what_lacks_and_characters_must_be_there() -> None:
    future = forecast(view_of(Land("noram_states", krystallium=2)), 0)
    planned = fit(future, prospect("zeppelin", energy=2))
    assert planned is not None and (planned.round, planned.krystallium) == (1, 2)
    assert fit(future, prospect("secret_society", gold=1, krystallium=3)) is None
    assert fit(future, prospect("giant_tower", gold=1, financier=1)) is None
    rich = forecast(view_of(Land("noram_states", financiers=1)), 0)
    assert fit(rich, prospect("giant_tower", gold=1, financier=1)) is not None


def test_a_planned_card_leaves_less_for_the_next_and_brings_what_it_produces() -> None:
    future = forecast(view_of(Land("noram_states")), 0)
    two = [prospect("recycling_plant", materials=2), prospect("recycling_plant", materials=2)]
    first, second = plan(future, ranked(future, two))
    assert (first.round, second.round) == (1, 2)
    assert [row[0] for row in future.cubes[1:]] == [0, 4, 7, 7]
