"""The construction area: what fits where, names of copies, completion (rules 7)."""

from itertools import product

import pytest

from domain.wonderful.board import Board
from domain.wonderful.cards import PROJECT, STRUCTURE, Card, card, makes
from domain.wonderful.construction import (
    construct,
    next_name,
    put,
    slate,
    why_not_fill,
    why_not_spend,
)
from domain.wonderful.cubes import COLOURS, FINANCIER, GENERAL, GOLD, KRYSTALLIUM, MATERIALS
from domain.wonderful.production import yields

TOWER = card("tower", PROJECT, 2, "MMGKF", "KR", "G", "M-G", 3, makes("G", PROJECT))


def board_with(tower: Card, name: str = "tower-1") -> Board:
    board = Board()
    slate(board, tower, name)
    return board


@pytest.mark.parametrize(("thing", "space"), list(product(range(8), range(8))))
def test_a_space_takes_its_own_thing_and_a_colour_also_krystallium(thing: int, space: int) -> None:
    board = board_with(TOWER)
    fits = TOWER.cost[space] > 0 and (thing == space or (thing == KRYSTALLIUM and space in COLOURS))
    reason = why_not_fill(board, "tower-1", thing, space, 1, "WW 7.1")
    assert (reason is None) == fits
    if reason is not None:
        assert reason.code in ("wrong-space", "no-space")
        assert reason.rule == "WW 7.1"


def test_no_more_than_the_free_spaces() -> None:
    board = board_with(TOWER)
    assert why_not_fill(board, "tower-1", MATERIALS, MATERIALS, 2, "") is None
    reason = why_not_fill(board, "tower-1", MATERIALS, MATERIALS, 3, "")
    assert reason is not None and reason.code == "too-many"
    put(board.constructions["tower-1"], MATERIALS, MATERIALS, 1)
    assert why_not_fill(board, "tower-1", KRYSTALLIUM, MATERIALS, 1, "") is None
    put(board.constructions["tower-1"], KRYSTALLIUM, MATERIALS, 1)
    reason = why_not_fill(board, "tower-1", MATERIALS, MATERIALS, 1, "")
    assert reason is not None and reason.code == "no-space"
    assert board.constructions["tower-1"].left == 3


def test_no_more_than_one_has() -> None:
    board = Board()
    board.pool[GOLD] = 2
    assert why_not_spend(board, GOLD, 2, "") is None
    for count, code in ((3, "not-enough"), (0, "count"), (-1, "count")):
        reason = why_not_spend(board, GOLD, count, "")
        assert reason is not None and reason.code == code


def test_copies_are_named_one_after_the_other_and_no_name_comes_back() -> None:
    board = Board()
    for number in (1, 2):
        assert next_name(board, "tower") == f"tower-{number}"
        slate(board, TOWER, next_name(board, "tower"))
    del board.constructions["tower-1"]
    assert next_name(board, "tower") == "tower-3"
    slate(board, TOWER, "tower-3")
    board.constructions.clear()
    slate(board, TOWER, "tower-4")
    assert next_name(board, "tower") == "tower-5"
    assert next_name(board, "wall") == "wall-1"


def test_a_constructed_card_gives_its_bonus_and_counts_from_now_on() -> None:
    board = board_with(TOWER)
    board.flat[GOLD] = 1
    construct(board, TOWER, "tower-1", TOWER.bonus)
    assert board.constructions == {}
    assert board.constructed == ["tower"]
    assert (board.pool[KRYSTALLIUM], board.pool[FINANCIER], board.pool[GENERAL]) == (1, 0, 1)
    assert yields(board, MATERIALS) == 1
    assert yields(board, GOLD) == 1 - 1 + 1
    wall = card("wall", STRUCTURE, 1, "M", "", "M", "-M-M", 0)
    construct(board, wall, "wall-1", {})
    assert yields(board, MATERIALS) == 0
    assert board.types[PROJECT] == board.types[STRUCTURE] == 1
