"""Legal moves and refusals in words and numbers."""

import pytest

from domain.wonderful.commands import PlaceCubes, PlaceKrystallium, StoreCubes, Validate
from domain.wonderful_kingdom import GAME
from domain.wonderful_kingdom.commands import (
    CompleteQuest,
    DefeatMenace,
    OfferCards,
    RecycleCollected,
    ScrapDevelopment,
    SelectArea,
)
from tests.domain.wonderful_kingdom.matches import TABLES, name, turns
from tests.domain.wonderful_kingdom.tables import HAND, VALADOS, Land, choosing, fighting, planning, producing

YARD, LOFT = HAND[:2]


@pytest.mark.parametrize("table", TABLES, ids=name)
def test_every_legal_move_is_described(table: dict[str, str]) -> None:
    for number, turn in enumerate(turns(table, 10)):
        for seat in (0, 1) if number % 8 == 0 else ():
            labels = [
                (shown.label, str(shown.cost), str(shown.effects))
                for move in GAME.legal_moves(turn.state, seat)
                if (shown := GAME.describe(turn.state, seat, move)).label
            ]
            assert len(labels) == len(GAME.legal_moves(turn.state, seat))
            if any(type(move) is OfferCards for move in GAME.legal_moves(turn.state, seat)):
                assert len(set(labels)) > 0.7 * len(labels)


def test_an_offer_names_its_cards_and_the_traps_it_takes() -> None:
    table = choosing()
    shown = GAME.describe(table.state, 0, OfferCards(left=[YARD], right_face_down=[LOFT]))
    assert shown.label == "Offer Claywright Yard left and Counting Loft right face down"
    assert shown.cost == {"traps": 1}


def test_a_selection_tells_no_face_down_card() -> None:
    table = choosing().when(0, OfferCards(left=[YARD], left_face_down=[LOFT]))
    shown = GAME.describe(table.state, 1, SelectArea("left"))
    assert shown.effects == {"cards": ["dev_honest_assayers", YARD, "face-down"]}


def test_placing_says_what_it_completes() -> None:
    land = Land(building={"dev_mint_tower": {"gold": 2}}, krystallium=1)
    table = producing("gold", [1, 0], land, VALADOS)
    shown = GAME.describe(table.state, 0, PlaceCubes("dev_mint_tower-1", "gold"))
    assert shown.label == "Place 1 gold on Mint Tower"
    assert shown.effects == {"completes": "dev_mint_tower", "soldiers": 1}
    assert shown.parameters == {"count": (1, 1)}
    shown = GAME.describe(table.state, 0, PlaceKrystallium("dev_mint_tower-1", "gold"))
    assert shown.label == "Place 1 krystallium for gold on Mint Tower"


def test_storing_tells_the_krystallium_it_forms() -> None:
    land = Land(cubes={"gold": 4}, building={"dev_mint_tower": {}})
    table = producing("gold", [2, 0], land, VALADOS)
    shown = GAME.describe(table.state, 0, StoreCubes("gold", 2))
    assert (shown.effects, shown.parameters) == ({"krystallium": 1}, {"count": (1, 2)})


def test_scrapping_and_recycling_tell_the_cubes() -> None:
    land = Land(building={"dev_mint_tower": {"gold": 2}}, collected=["tre_dowry_procession"])
    table = planning(land, VALADOS)
    shown = GAME.describe(table.state, 0, ScrapDevelopment("dev_mint_tower-1"))
    assert (shown.cost, shown.effects) == ({"gold": 2}, {"gold": 1})
    shown = GAME.describe(table.state, 0, RecycleCollected("tre_dowry_procession"))
    assert shown.label == "Recycle Dowry Procession: 1 population, 1 gold"


def test_costs_are_told_as_they_are_paid() -> None:
    land = Land(menaces=["men_rats_3"], soldiers=2, krystallium=1)
    table = fighting(land, VALADOS)
    shown = GAME.describe(table.state, 0, DefeatMenace("men_rats_3", ["population"]))
    assert (shown.cost, shown.effects) == ({"krystallium": 1, "soldiers": 2}, {"points": 4})
    quests = planning(Land(cubes={"materials": 3}), VALADOS, mode="quests")
    shown = GAME.describe(quests.state, 0, CompleteQuest("quest_the_drowned_beacon_1"))
    assert shown.cost == {"materials": 3}
    assert shown.label.startswith("Raise the Causeway: ")


def test_refusals_say_why_one_is_not_done_and_what_is_not_affordable() -> None:
    table = planning(Land(collected=[YARD]), VALADOS, mode="quests")
    codes = {refusal.label: refusal.reason.code for refusal in GAME.refused(table.state, 0)}
    assert codes["Validate"] == "cards-left"
    assert codes["Rekindle the Beacon"] == "not-enough-soldiers"
    cubes = producing("gold", [2, 0], Land(building={"dev_mint_tower": {}}), VALADOS)
    (refusal,) = GAME.refused(cubes.state, 0)
    assert (refusal.reason.code, refusal.missing) == ("cubes-left", {"gold": 2})
    fight = fighting(Land(menaces=["men_frost_1"]), VALADOS)
    assert [refusal.label for refusal in GAME.refused(fight.state, 0)] == ["Defeat Hoarfrost Ogre"]
    assert fight.allows(0, Validate())
