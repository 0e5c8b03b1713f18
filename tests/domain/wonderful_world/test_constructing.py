"""Placing on cards under construction and completing them (rules 7)."""

import pytest

from domain.wonderful.commands import (
    DiscardConstruction,
    PlaceCubes,
    PlaceKrystallium,
    SlateCard,
    StoreCubes,
    Validate,
)
from domain.wonderful.events import CardConstructed, CubesPlaced, CubesStored, KrystalliumPlaced
from domain.wonderful_world.commands import PlaceCharacters
from domain.wonderful_world.events import CharactersPlaced
from tests.domain.wonderful_world.tables import (
    VECTORS,
    Land,
    board,
    planning,
    producing,
    total,
    under_construction,
)


def test_vector_b01_the_last_space_completes_the_card_and_pays_its_bonus() -> None:
    table = producing("energy", [1, 0], Land(building={"financial_center": {"materials": 4}}), Land())
    table.when(0, PlaceCubes("financial_center-1", "energy", 1)).then(
        CubesPlaced(0, "financial_center-1", "energy", 1),
        CardConstructed(0, "financial_center-1", "financial_center", {"financier": 1}),
    )
    then = VECTORS["B01"]["then"]
    assert board(table)["constructed"] == then["constructed"]
    assert board(table)["financiers"] == then["financiers"]
    assert under_construction(table) == {}


def test_vector_b02_krystallium_stands_for_any_resource() -> None:
    table = planning(Land(krystallium=1, building={"recycling_plant": {"materials": 1}}), Land())
    table.when(0, PlaceKrystallium("recycling_plant-1", "materials")).then(
        KrystalliumPlaced(0, "recycling_plant-1", "materials", 1),
        CardConstructed(0, "recycling_plant-1", "recycling_plant", {}),
    )
    assert board(table)["constructed"] == VECTORS["B02"]["then"]["constructed"]
    assert board(table)["krystallium"] == VECTORS["B02"]["then"]["krystallium"]


def test_vector_b03_krystallium_never_stands_for_a_character() -> None:
    table = planning(Land(krystallium=6, building={"giant_tower": {}}), Land())
    table.when(0, PlaceKrystallium("giant_tower-1", "materials", 2))
    table.when(0, PlaceKrystallium("giant_tower-1", "gold", 3))
    table.refuses(0, PlaceKrystallium("giant_tower-1", "financier"), "wrong-space")
    assert board(table)["krystallium"] == VECTORS["B03"]["then"]["krystallium_left"]


def test_vector_b04_a_krystallium_space_takes_only_krystallium() -> None:
    assert VECTORS["B04"]["then"] == {"error": "illegal placement"}
    land = Land(building={"secret_society": {}, "harbor_zone": {}})
    table = producing("gold", [4, 0], land, Land())
    table.refuses(0, PlaceCubes("secret_society-1", "gold", 4), "too-many")
    table.when(0, PlaceCubes("secret_society-1", "gold", 3))
    table.refuses(0, PlaceCubes("secret_society-1", "gold"), "no-space")
    table.refuses(0, PlaceCubes("secret_society-1", "krystallium"), "not-a-cube")


def test_vector_b10_time_travel_takes_three_krystallium_for_its_own_spaces() -> None:
    land = Land("aztec_empire", krystallium=3, building={"time_travel": {"science": 5}})
    table = planning(land, Land(), side="B")
    table.when(0, PlaceKrystallium("time_travel-1", "krystallium", 3))
    then = VECTORS["B10"]["then"]
    assert board(table)["constructed"] == then["constructed"]
    assert total(board(table)["points"])["total"] == then["score"]


def test_vector_b11_what_is_placed_stays() -> None:
    assert VECTORS["B11"]["then"] == {"error": "illegal"}
    table = planning(Land(building={"juggernaut": {"krystallium": 1}}), Land())
    assert {type(move) for move in table.legal(0)} == {DiscardConstruction, Validate}
    table.refuses(0, PlaceKrystallium("juggernaut-1", "krystallium"), "no-space")
    assert board(table)["krystallium"] == 0


def test_vector_b07_characters_spent_as_cost_do_not_score() -> None:
    land = Land(
        "noram_states",
        building={"harbor_zone": {"gold": 4}, "universal_exposition": {"gold": 3}},
    )
    table = producing("gold", [1, 0], land, Land())
    table.when(0, PlaceCubes("harbor_zone-1", "gold", 1))
    assert board(table)["financiers"] == 2
    table.when(0, PlaceCharacters("universal_exposition-1", "financier", 2)).then(
        CharactersPlaced(0, "universal_exposition-1", "financier", 2),
        CardConstructed(0, "universal_exposition-1", "universal_exposition", {}),
    )
    then = VECTORS["B07"]["then"]
    assert board(table)["constructed"] == then["constructed"]
    assert board(table)["financiers"] == then["financiers"]
    assert total(board(table)["points"])["total"] == then["score_if_game_ended"]


def test_vector_b08_a_bonus_krystallium_completes_another_card() -> None:
    land = Land(building={"ark_of_the_covenant": {"exploration": 3}, "secret_society": {"gold": 3}})
    table = producing("exploration", [1, 0], land, Land())
    table.when(0, PlaceCubes("ark_of_the_covenant-1", "exploration"))
    table.when(0, PlaceKrystallium("secret_society-1", "krystallium"))
    assert board(table)["constructed"] == VECTORS["B08"]["then"]["constructed"]


def test_vector_b09_the_character_of_supremacy_is_placed_in_the_same_step() -> None:
    asia = Land("federation_of_asia", building={"giant_tower": {"materials": 2, "gold": 1}})
    table = producing("science", [0, 0, 0], asia, Land("noram_states"), Land("aztec_empire"))
    for seat in range(3):
        table.when(seat, Validate())
    table.when(0, PlaceCubes("giant_tower-1", "gold", 2))
    table.when(0, PlaceCharacters("giant_tower-1", "financier"))
    assert board(table)["constructed"] == VECTORS["B09"]["then"]["constructed"]
    assert board(table)["financiers"] == VECTORS["B09"]["then"]["financiers"]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (PlaceCubes("museum-1", "gold", 0), "count"),
        (PlaceCubes("museum-1", "gold", -1), "count"),
        (PlaceCubes("museum-1", "gold", 3), "not-enough"),
        (PlaceCubes("museum-1", "gold", 4), "too-many"),
        (PlaceCubes("museum-1", "science"), "no-space"),
        (PlaceCubes("museum-1", "financier"), "not-a-cube"),
        (PlaceCubes("museum-1", "money"), "unknown-resource"),
        (PlaceCubes("museum", "gold"), "not-under-construction"),
        (PlaceCubes("museum-2", "gold"), "not-under-construction"),
        (StoreCubes("gold", 3), "not-enough"),
        (StoreCubes("gold", 0), "count"),
        (StoreCubes("energy", 1), "not-enough"),
        (StoreCubes("krystallium", 1), "not-a-cube"),
        (PlaceKrystallium("museum-1", "gold", 2), "not-enough"),
        (PlaceKrystallium("museum-1", "gold", 0), "count"),
        (PlaceKrystallium("museum-1", "materials", 1), "no-space"),
        (PlaceKrystallium("museum-1", "", 1), "unknown-resource"),
        (PlaceCharacters("giant_tower-1", "financier", 2), "too-many"),
        (PlaceCharacters("giant_tower-1", "financier", 0), "count"),
        (PlaceCharacters("giant_tower-1", "general", 1), "no-space"),
        (PlaceCharacters("giant_tower-1", "gold", 1), "not-a-character"),
        (DiscardConstruction("zeppelin-1"), "not-under-construction"),
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused(command: object, code: str) -> None:
    land = Land(building={"museum": {}, "giant_tower": {}}, krystallium=1, financiers=1)
    table = producing("gold", [2, 0], land, Land())
    table.refuses(0, command, code)


def test_a_character_one_does_not_hold_cannot_be_placed() -> None:
    table = planning(Land(building={"giant_tower": {}}), Land())
    table.refuses(0, PlaceCharacters("giant_tower-1", "financier"), "not-enough")


def test_cubes_that_fit_on_no_card_lie_on_the_empire_card_by_themselves() -> None:
    land = Land(building={"museum": {"gold": 2}})
    table = producing("gold", [3, 0], land, Land())
    table.when(0, PlaceCubes("museum-1", "gold", 1))
    table.then_among(CubesStored(0, "gold", 2, 0, forced=True))
    assert board(table)["loose_cubes"] == 2


def test_a_krystallium_on_the_last_space_makes_the_cubes_left_go_to_the_empire_card() -> None:
    land = Land(building={"museum": {"gold": 2}}, krystallium=1, loose=3)
    table = producing("gold", [2, 0], land, Land())
    table.when(0, PlaceKrystallium("museum-1", "gold")).then(
        KrystalliumPlaced(0, "museum-1", "gold", 1),
        CardConstructed(0, "museum-1", "museum", {}),
        CubesStored(0, "gold", 2, 1, forced=True),
    )


def test_two_copies_of_a_card_are_filled_apart() -> None:
    land = Land(drafted=["zeppelin", "zeppelin"])
    table = planning(land, Land(drafted=["museum", "museum"]))
    table.when(0, SlateCard("zeppelin")).when(0, SlateCard("zeppelin"))
    assert under_construction(table) == {"zeppelin-1": {}, "zeppelin-2": {}}
    table.when(0, DiscardConstruction("zeppelin-1"))
    assert under_construction(table) == {"zeppelin-2": {}}


def test_filling_one_of_two_copies_leaves_the_other_alone() -> None:
    land = Land(krystallium=1, drafted=["zeppelin", "zeppelin"])
    table = planning(land, Land(drafted=["museum", "museum"]))
    table.when(0, SlateCard("zeppelin")).when(0, SlateCard("zeppelin"))
    table.when(0, PlaceKrystallium("zeppelin-2", "energy"))
    assert under_construction(table) == {"zeppelin-1": {}, "zeppelin-2": {"krystallium": 1}}
