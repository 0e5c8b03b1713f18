"""The tables of cards and Empire cards say what is printed (rules 1.2, 12)."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain import wonderful_world
from domain.wonderful.cards import ELEMENTS, TYPES, Card, Per
from domain.wonderful.cubes import CHARACTERS, NAMES, named
from domain.wonderful_world import cards, empires, expansions
from domain.wonderful_world.decks import ASCENSION, CARDS, REWARDS, ascension_deck, base_deck
from domain.wonderful_world.empires import EMPIRES, SIDES, Empire
from domain.wonderful_world.options import SCENARIOS

DATA = Path(__file__).parents[2] / "data" / "wonderful_world"


def facts(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    return found


CARD_FACTS = {
    "base": facts("developments"),
    "ascension": facts("developments_ascension"),
    "rewards": facts("developments_war_or_peace"),
}
TABLES = {"base": cards.TABLE, "ascension": expansions.ASCENSION, "rewards": expansions.REWARDS}
ALL_FACTS = [card for found in CARD_FACTS.values() for card in found]


def points_of(flat: int | None, per: tuple[Per, ...], sets: bool = True) -> dict[str, Any]:
    """Points in the words of the data."""
    shown: dict[str, Any] = {
        "flat": flat,
        "per_type": [
            {"type": TYPES[effect.of[0]], "points": effect.points}
            for effect in per
            if len(effect.of) == 1 and effect.of[0] not in CHARACTERS
        ],
        "per_character": [
            {"character": NAMES[effect.of[0]], "points": effect.points}
            for effect in per
            if len(effect.of) == 1 and effect.of[0] in CHARACTERS
        ],
    }
    if sets:
        shown["per_set"] = [
            {"of": [ELEMENTS[element] for element in effect.of], "points": effect.points}
            for effect in per
            if len(effect.of) > 1
        ]
    return shown


def facts_of(card: Card, number: int) -> dict[str, Any]:
    return {
        "id": card.id,
        "number": number,
        "name": card.name,
        "type": TYPES[card.type],
        "deck": "ascension" if card.id in ASCENSION else "base",
        "copies": card.copies,
        "cost": named(card.cost),
        "cost_spaces": card.spaces,
        "construction_bonus": card.bonus,
        "recycling_bonus": NAMES[card.recycling],
        "production": {
            "flat": named(card.production),
            "per_type": [
                {"resource": NAMES[rate.resource], "type": TYPES[rate.type], "amount": rate.amount}
                for rate in card.rates
            ],
        },
        "victory_points": points_of(card.points, card.per),
    }


def test_a_character_has_one_index_as_a_token_and_as_an_element_of_points() -> None:
    assert [ELEMENTS[character] for character in CHARACTERS] == [NAMES[character] for character in CHARACTERS]


@pytest.mark.parametrize("name", TABLES)
def test_a_table_lists_every_card_in_the_order_of_its_printed_number(name: str) -> None:
    assert [card.id for card in TABLES[name]] == [card["id"] for card in CARD_FACTS[name]]
    assert [card["number"] for card in ALL_FACTS] == list(range(1, 130))
    assert list(CARDS) == [card["id"] for card in ALL_FACTS]


@pytest.mark.parametrize("card", ALL_FACTS, ids=lambda card: card["id"])
def test_a_card_says_what_is_printed_on_it(card: dict[str, Any]) -> None:
    assert facts_of(CARDS[card["id"]], card["number"]) == card


def side_facts(empire: Empire) -> dict[str, Any]:
    return {
        "production": named(empire.production),
        "victory_points": points_of(0, empire.per, sets=False),
        "starting_krystallium": empire.krystallium,
    }


@pytest.mark.parametrize("empire", facts("empires"), ids=lambda empire: empire["id"])
def test_an_empire_card_says_what_is_printed_on_its_six_sides(empire: dict[str, Any]) -> None:
    sides = EMPIRES[empire["id"]]
    assert sides["A"].name == empire["name"]
    assert (empire["id"] in empires.ASCENSION) == (empire["set"] == "ascension")
    assert {side: side_facts(sides[side]) for side in SIDES} == empire["sides"]


def test_there_are_seven_empire_cards_five_of_them_in_the_base_game() -> None:
    assert list(EMPIRES) == [empire["id"] for empire in facts("empires")]
    assert len(EMPIRES) == 7
    assert len(empires.BASE) == 5


@pytest.mark.parametrize(
    ("deck", "kinds", "size"),
    [(base_deck(False), 78, 150), (base_deck(True), 91, 170), (ascension_deck(), 38, 56)],
    ids=["base", "war-or-peace", "ascension"],
)
def test_a_deck_holds_the_printed_copies_sorted_for_the_draw(deck: list[str], kinds: int, size: int) -> None:
    assert len(deck) == size
    assert deck == sorted(deck)
    assert {kind: deck.count(kind) for kind in deck} == {kind: CARDS[kind].copies for kind in set(deck)}
    assert len(set(deck)) == kinds


def test_the_decks_share_no_card() -> None:
    assert not set(base_deck(False)) & (ASCENSION | REWARDS)
    assert set(base_deck(True)) - set(base_deck(False)) == REWARDS
    assert set(ascension_deck()) == ASCENSION


def test_the_cards_of_a_scenario_are_in_the_base_deck() -> None:
    assert len(SCENARIOS) == 6
    for kinds, limits in SCENARIOS.values():
        assert set(kinds) <= set(base_deck(False))
        assert list(limits) == sorted(limits)


def test_the_catalogue_shows_every_card_empire_and_scenario() -> None:
    shown = wonderful_world.catalogue()
    assert [card["id"] for card in shown["cards"]] == list(CARDS)
    assert [card["copies"] for card in shown["cards"]] == [card["copies"] for card in ALL_FACTS]
    assert {card["set"] for card in shown["cards"]} == {"base", "corruption_and_ascension", "war_or_peace"}
    assert [empire["id"] for empire in shown["empires"]] == list(EMPIRES)
    assert [scenario["id"] for scenario in shown["scenarios"]] == list(SCENARIOS)
    assert json.loads(json.dumps(shown)) == shown
