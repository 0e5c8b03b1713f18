"""Slating, recycling a drafted card, giving up a card under construction (rules 5, 8.4)."""

import pytest

from domain.wonderful.commands import (
    DiscardConstruction,
    PlaceCubes,
    RecycleCard,
    SlateCard,
    StoreCubes,
    Validate,
)
from domain.wonderful.events import CardConstructed, CardRecycled, CardSlated, ConstructionDiscarded
from tests.domain.wonderful_world.tables import VECTORS, Land, board, planning, production, under_construction


def test_vector_r01_a_recycled_cube_completes_a_card_while_planning() -> None:
    land = Land("aztec_empire", building={"zeppelin": {"energy": 1}}, drafted=["wind_turbines"])
    table = planning(land, Land(drafted=["museum"]))
    before = production(table)["exploration"]
    table.when(0, RecycleCard("wind_turbines", "zeppelin-1")).then(
        CardRecycled(0, "wind_turbines", "energy", "zeppelin-1"),
        CardConstructed(0, "zeppelin-1", "zeppelin", {}),
    )
    then = VECTORS["R01"]["then"]
    assert board(table)["constructed"] == then["constructed"]
    assert table.view()["discard_pile"] == then["discard"]
    assert production(table)["exploration"] == before + int(then["exploration_this_round"])


def test_vector_r02_a_recycled_cube_may_lie_on_the_empire_card() -> None:
    table = planning(Land(drafted=["zeppelin"]), Land(drafted=["museum"]))
    table.when(0, RecycleCard("zeppelin")).then(CardRecycled(0, "zeppelin", "exploration", None))
    assert board(table)["loose_cubes"] == VECTORS["R02"]["then"]["empire_cubes"]


def test_vector_r03_all_that_lies_on_a_card_given_up_is_lost() -> None:
    land = Land(building={"giant_tower": {"materials": 2, "gold": 1, "financier": 1}})
    table = planning(land, Land())
    table.when(0, DiscardConstruction("giant_tower-1")).then(
        ConstructionDiscarded(0, "giant_tower-1", "giant_tower", "gold")
    )
    then = VECTORS["R03"]["then"]
    assert board(table)["loose_cubes"] == then["empire_cubes"]
    assert board(table)["financiers"] == then["financiers"]
    assert table.view()["discard_pile"] == then["discard"]
    assert under_construction(table) == {}


def test_vector_r05_a_constructed_card_is_neither_given_up_nor_recycled() -> None:
    assert VECTORS["R05"]["then"] == {"error": "illegal"}
    table = planning(Land(constructed=["zeppelin"]), Land())
    table.refuses(0, DiscardConstruction("zeppelin-1"), "not-under-construction")
    table.refuses(0, RecycleCard("zeppelin"), "not-drafted")


def test_vector_r06_a_card_slated_and_given_up_in_one_round_pays_on_the_empire_card() -> None:
    land = Land(building={"blackbeards_treasure": {}}, drafted=["zeppelin"])
    table = planning(land, Land(drafted=["museum"]))
    table.when(0, SlateCard("zeppelin")).then(CardSlated(0, "zeppelin", "zeppelin-1"))
    table.when(0, DiscardConstruction("zeppelin-1"))
    assert board(table)["loose_cubes"] == VECTORS["R06"]["then"]["empire_cubes"]
    assert under_construction(table) == {"blackbeards_treasure-1": {}}
    assert VECTORS["R06"]["then"]["direct_placement_allowed"] is False
    table.refuses(0, PlaceCubes("blackbeards_treasure-1", "exploration"), "not-now")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (SlateCard("museum"), "not-drafted"),
        (SlateCard("zeppelin-1"), "not-drafted"),
        (RecycleCard("museum"), "not-drafted"),
        (RecycleCard("zeppelin", "recycling_plant-1"), "no-space"),
        (RecycleCard("zeppelin", "museum-1"), "not-under-construction"),
        (RecycleCard("military_base", "recycling_plant"), "not-under-construction"),
        (StoreCubes("gold"), "not-now"),
        (Validate(), "cards-left"),
    ],
    ids=str,
)
def test_what_cannot_be_planned_is_refused(command: object, code: str) -> None:
    land = Land(building={"recycling_plant": {}}, drafted=["zeppelin", "military_base"])
    table = planning(land, Land(drafted=["museum", "museum"]))
    table.refuses(0, command, code)


def test_every_card_that_takes_the_cube_is_offered() -> None:
    land = Land(building={"recycling_plant": {}, "museum": {}, "giant_tower": {}}, drafted=["military_base"])
    table = planning(land, Land(drafted=["museum"]))
    assert table.legal(0, RecycleCard) == [
        RecycleCard("military_base"),
        RecycleCard("military_base", "recycling_plant-1"),
        RecycleCard("military_base", "giant_tower-1"),
    ]


def test_two_copies_are_offered_once_and_planned_one_by_one() -> None:
    table = planning(Land(drafted=["zeppelin", "zeppelin"]), Land(drafted=["museum", "museum"]))
    assert table.legal(0, SlateCard) == [SlateCard("zeppelin")]
    table.when(0, SlateCard("zeppelin")).then(CardSlated(0, "zeppelin", "zeppelin-1"))
    table.when(0, SlateCard("zeppelin")).then(CardSlated(0, "zeppelin", "zeppelin-2"))
    assert table.legal(0, SlateCard) == []


def test_the_name_of_a_card_given_up_is_not_used_again() -> None:
    table = planning(Land(drafted=["zeppelin", "zeppelin"]), Land(drafted=["museum", "museum"]))
    table.when(0, SlateCard("zeppelin")).when(0, DiscardConstruction("zeppelin-1"))
    table.when(0, SlateCard("zeppelin")).then(CardSlated(0, "zeppelin", "zeppelin-2"))


def test_the_default_move_recycles_everything_to_the_empire_card_and_validates() -> None:
    table = planning(Land(drafted=["zeppelin", "museum"]), Land(drafted=["museum", "museum"]))
    for expected in (RecycleCard("museum"), RecycleCard("zeppelin"), Validate()):
        assert table.game.default_move(table.state, 0) == expected
        table.when(0, expected)
    assert table.awaited() == [("planning", (1,))]
