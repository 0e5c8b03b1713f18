"""Card sets as data packages: the original one, a second one, and what is refused."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from domain.kernel.engine import fold
from domain.wonderful_kingdom import GAME, ORIGINAL, InvalidPackage, game, read
from domain.wonderful_kingdom.cards import OPS
from domain.wonderful_kingdom.catalogue import catalogue
from tests.domain.wonderful_kingdom.matches import MODES, expanded, log, turns
from tests.domain.wonderful_kingdom.packages import digest, documents, load
from tests.given_when_then import NoChance

SECOND = load("second_set", "second-1")
OTHER = game(SECOND)


def test_the_original_set_is_the_one_of_its_folder() -> None:
    """The table the domain holds and the folder a licence holder would copy are the same, digest included."""
    assert load("original", "original-1") == ORIGINAL


def test_every_card_says_where_it_comes_from() -> None:
    shown = catalogue(ORIGINAL)
    every = [*shown["cards"], *shown["duchies"], *shown["quest_boards"]]
    assert {card["provenance"] for card in every} == {"original"}
    assert all(isinstance(card["printed_fields"], list) for card in every)
    standard = next(card for card in every if card["id"] == "dev_standard_of_the_lost_host")
    assert standard["printed_fields"] == ["completion_bonus", "victory_points"]
    assert "not public" in shown["card_set"]["notice"]
    assert sum(card["copies"] for card in shown["cards"]) == 70 + 10 + 8 + 26 + 14


def test_the_catalogue_names_effects_in_the_words_of_the_package() -> None:
    shown = {card["id"]: card for card in catalogue(ORIGINAL)["cards"]}
    for kind in ("advisors", "menaces"):
        for card in documents("original")[kind]["cards"]:
            assert shown[card["id"]]["effects"] == card["effects"]
    boards = {board["id"]: board for board in catalogue(ORIGINAL)["quest_boards"]}
    for board in documents("original")["quest_boards"]["boards"]:
        rewards = [quest["rewards"] for quest in boards[board["id"]]["quests"]]
        assert rewards == [step["rewards"] for step in board["steps"]]


def test_every_op_is_used_by_the_original_set() -> None:
    used = {effect.op for row in ORIGINAL.advisors.values() for effect in row.effects}
    used |= {effect.op for card in ORIGINAL.menaces.values() for effect in card.effects}
    used |= {
        effect.op for board in ORIGINAL.boards.values() for quest in board.quests for effect in quest.rewards
    }
    assert used == set(OPS)


def test_a_match_pins_its_card_set_by_name_and_digest() -> None:
    assert ORIGINAL.digest == digest(documents("original"))
    for each, cards in ((GAME, ORIGINAL), (OTHER, SECOND)):
        (option,) = [option for option in each.OPTIONS if option.name == "card_set"]
        assert option.default == f"{cards.name}@{cards.digest[:16]}"
        assert option.choices == (option.default,)
        assert f"its-a-wonderful-kingdom/1.0.0+{option.default}" == each.RULESET
    assert GAME.RULESET != OTHER.RULESET


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(3))
def test_whole_matches_are_played_with_another_set(mode: str, seed: int) -> None:
    """The rules know no card by name: with other ids, costs and effects all goes as with the original."""
    board = list(SECOND.boards)[seed]
    options = {"mode": mode, "side": "AB"[seed % 2], "quest_board": board}
    for number, turn in enumerate(turns(options, seed, game=OTHER)):
        if number % 9 or OTHER.outcome(turn.state) is not None:
            continue
        for seat in (0, 1):
            moves = OTHER.legal_moves(turn.state, seat)
            for move in moves[:: max(1, len(moves) // 40)]:
                for command in expanded(OTHER, turn.state, seat, move):
                    assert OTHER.decide(turn.state, seat, command, NoChance())
    assert fold(OTHER, log(options, seed, game=OTHER)) == turn.state
    named = str(log(options, seed, game=OTHER))
    assert not [card for card in ORIGINAL.kinds if f"'{card}" in named]
    assert any(f"'{card}" in named for card in SECOND.kinds)


def broken(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The original documents with something wrong in them."""
    shapes = copy.deepcopy(documents("original"))
    change(shapes)
    return shapes


FAULTS: dict[str, Callable[[dict[str, Any]], object]] = {
    "a card too few": lambda shapes: shapes["treasures"]["cards"].pop(),
    "a copy too many": lambda shapes: shapes["developments"]["designs"][0].update(copies=5),
    "an unknown op": lambda shapes: shapes["advisors"]["cards"][0]["effects"][0].update(op="win_the_game"),
    "an op in the wrong window": lambda shapes: (
        shapes["advisors"]["cards"][0].update(window=["choice_offer"])
        or shapes["advisors"]["cards"][0]["effects"].append({"op": "peek_trap", "count": 1})
    ),
    "an op without its parameter": lambda shapes: shapes["advisors"]["cards"][0]["effects"][0].pop("cubes"),
    "an unknown parameter": lambda shapes: shapes["advisors"]["cards"][0]["effects"][0].update(twice=True),
    "an unknown trigger": lambda shapes: shapes["menaces"]["cards"][0]["effects"][0].update(trigger="dawn"),
    "an unknown resource": lambda shapes: shapes["treasures"]["cards"][0].update(recycling={"silver": 2}),
    "an unknown type": lambda shapes: shapes["developments"]["designs"][0].update(type="vehicle"),
    "a negative cost": lambda shapes: shapes["developments"]["designs"][0].update(cost={"gold": -1}),
    "a free development": lambda shapes: shapes["developments"]["designs"][0].update(cost={}),
    "a set of the wrong size": lambda shapes: shapes["menaces"]["cards"][0].update(set="thieves"),
    "no major quest": lambda shapes: shapes["quest_boards"]["boards"][0]["steps"][3].update(major=False),
    "a duchy with one side": lambda shapes: shapes["duchies"]["cards"][0]["sides"].pop("B"),
    "two cards with an id": lambda shapes: shapes["treasures"]["cards"][0].update(id="cal_salt_rain"),
    "a deck that runs out": lambda shapes: shapes["advisors"]["cards"][11]["effects"][0].update(draw=5),
    "a missing field": lambda shapes: shapes["calamities"]["cards"][0].pop("victory_points"),
    "no document": lambda shapes: shapes.pop("duchies"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_package_that_is_no_card_set_is_refused(fault: str) -> None:
    with pytest.raises(InvalidPackage):
        read("broken-1", "0" * 64, broken(FAULTS[fault]))
