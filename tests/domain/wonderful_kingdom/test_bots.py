"""The bots: legal in every mode, without sight of anything hidden, better than chance; `easy` is frozen."""

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from domain.kernel.chance import Dice
from domain.kernel.engine import handle
from domain.kernel.game import Command, Policy
from domain.kernel.registry import snake
from domain.wonderful_kingdom import GAME, ORIGINAL
from domain.wonderful_kingdom.commands import OfferCards
from domain.wonderful_kingdom.ending import winners
from domain.wonderful_kingdom.forecasting import Prospect, fit, forecast, plan, ranked
from tests.domain.wonderful_kingdom.matches import BOARDS, MODES, TABLES, begin, name, turns
from tests.domain.wonderful_kingdom.tables import HAND, VALADOS, Land, choosing, planning

FROZEN: Final = Path(__file__).with_name("easy_moves.jsonl")
EASY: Final = GAME.BOTS["easy"]
RANDOM: Final = GAME.BOTS["random"]
CHANCE: Final = 11


def dice(seed: int) -> Dice:
    return Dice(seed.to_bytes(32, "big"))


def play(policies: Sequence[Policy], seed: int, options: dict[str, Any]) -> Any:
    """A match of bots to its end; every move they make is among the legal ones."""
    state, _, chance = begin(GAME, options, seed)
    throws = dice(seed)
    while GAME.outcome(state) is None:
        seat = GAME.decisions(state)[0].awaited[0]
        moves = GAME.legal_moves(state, seat)
        command = policies[seat](GAME.view(state, seat), moves, throws)
        handle(GAME, state, seat, command, chance)
    return state


@pytest.mark.parametrize("table", TABLES, ids=name)
@pytest.mark.parametrize("bot", GAME.BOTS)
def test_a_bot_plays_in_every_mode(bot: str, table: dict[str, Any]) -> None:
    play([GAME.BOTS[bot]] * 2, 1, table)


@pytest.mark.parametrize("mode", MODES)
def test_easy_beats_random_from_either_seat(mode: str) -> None:
    wins = 0
    for seed in range(12):
        policies = [RANDOM, RANDOM]
        policies[seed % 2] = EASY
        options = {"mode": mode, "side": "AB"[seed // 2 % 2], "quest_board": BOARDS[seed // 4]}
        wins += winners(play(policies, seed, options)) == [seed % 2]
    assert wins >= 11


@pytest.mark.parametrize("board", BOARDS)
def test_easy_completes_the_major_quest(board: str) -> None:
    failed = sum(
        len(play([EASY, EASY], seed, {"mode": "quests", "quest_board": board}).failed) for seed in range(8)
    )
    assert failed <= 2


def test_easy_looks_at_its_view_only_and_leaves_it_as_it_was() -> None:
    for mode in MODES:
        for number, turn in enumerate(turns({"mode": mode}, 9)):
            if number % 25 or GAME.outcome(turn.state) is not None:
                continue
            for seat in GAME.decisions(turn.state)[0].awaited:
                view, moves = GAME.view(turn.state, seat), GAME.legal_moves(turn.state, seat)
                before = copy.deepcopy(view)
                first = EASY(view, moves, dice(1))
                assert view == before
                assert EASY(json.loads(json.dumps(view)), moves, dice(2)) == first


def positions() -> list[tuple[dict[str, Any], list[Command]]]:
    """Positions of every mode and phase, among seats that like to build."""
    found: list[tuple[dict[str, Any], list[Command]]] = []
    for table in TABLES:
        for number, turn in enumerate(turns(table, 21)):
            if number % 7 == 0 and GAME.outcome(turn.state) is None:
                seat = GAME.decisions(turn.state)[0].awaited[0]
                found.append((GAME.view(turn.state, seat), GAME.legal_moves(turn.state, seat)))
    return found


def written(command: Command) -> str:
    fields = {field: getattr(command, field) for field in type(command).__slots__}
    return json.dumps({"type": snake(type(command).__name__), **fields})


def test_easy_moves_as_it_was_frozen() -> None:
    frozen = FROZEN.read_text("utf-8").splitlines()
    assert len(frozen) >= 200
    assert [written(EASY(view, moves, dice(0))) for view, moves in positions()] == frozen


# What the bot reckons with


def test_easy_lays_a_calamity_face_down() -> None:
    table = choosing(mode="quests", hands=([*HAND, "cal_salt_rain"], [*HAND, "cal_wildfire_summer"]))
    move = EASY(table.view(0), table.legal(0), dice(0))
    assert isinstance(move, OfferCards)
    assert "cal_salt_rain" in (*move.left_face_down, *move.right_face_down)


def test_what_the_major_quest_takes_is_set_aside() -> None:
    land = Land(soldiers=3, krystallium=2)
    free = forecast(ORIGINAL, planning(land, VALADOS).view(0), 0)
    bound = forecast(ORIGINAL, planning(land, VALADOS, mode="quests").view(0), 0)
    assert (free.soldiers, free.krystallium) == (3, 2)
    assert bound.soldiers == 1
    assert bound.krystallium == 2 - 1 - 3  # no exploration is produced yet: krystallium stands for it


def test_a_card_is_done_in_the_round_in_which_its_last_cube_comes() -> None:
    future = forecast(ORIGINAL, planning(Land(), VALADOS).view(0), 0)
    for materials, number in ((2, 1), (3, 2), (8, 4)):
        planned = fit(ORIGINAL, future, Prospect("dev_longhouse_row", [materials, 0, 0, 0, 0, 0]))
        assert planned is not None and planned.round == number
    assert fit(ORIGINAL, future, Prospect("dev_longhouse_row", [9, 0, 0, 0, 0, 0])) is None
    assert fit(ORIGINAL, future, Prospect("dev_silver_belfry", [0, 0, 0, 0, 0, 1])) is None


def test_a_planned_card_leaves_less_for_the_next_and_brings_what_it_produces() -> None:
    future = forecast(ORIGINAL, planning(Land(), VALADOS).view(0), 0)
    yards = [Prospect("dev_claywright_yard", [2, 0, 0, 0, 0, 0]) for _ in range(2)]
    first, second = plan(ORIGINAL, future, ranked(ORIGINAL, future, yards))
    assert (first.round, second.round) == (1, 2)
    assert [row[0] for row in future.cubes[1:]] == [0, 2, 6, 6]
