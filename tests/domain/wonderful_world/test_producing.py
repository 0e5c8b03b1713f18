"""What an Empire produces, and when a new card begins to (rules 6.2, 6.3, 12.2)."""

from domain.wonderful.commands import PlaceCubes, RecycleCard, StoreCubes, Validate
from domain.wonderful.cubes import INDEX
from domain.wonderful.events import CardConstructed
from domain.wonderful_world.events import CubesProduced
from tests.domain.wonderful_world.tables import (
    VECTORS,
    Land,
    Vector,
    board,
    planning,
    producing,
    production,
    vectors,
)


@vectors("production", without=("P11", "P12"))
def test_what_an_empire_produces(vector: Vector) -> None:
    given = vector["given"]
    table = planning(Land(given["empire"], given["constructed"]), Land(), side=given["side"])
    assert production(table) == vector["then"]
    table.when(0, Validate()).when(1, Validate())
    assert table.last(CubesProduced).counts[0] == vector["then"].get("materials", 0)


def test_vector_p11_a_card_completed_in_a_step_produces_from_the_next_step_on() -> None:
    this_round = VECTORS["P11"]["then"]["this_round"]
    hegemony = Land("north_hegemony", building={"mega_drill": {"materials": 1}})
    table = producing("energy", [2, 0], hegemony, Land("aztec_empire"))
    table.when(0, PlaceCubes("mega_drill-1", "energy", 2))
    table.then_among(CardConstructed(0, "mega_drill-1", "mega_drill", {}))
    assert board(table)["to_place"].get("materials", 0) == this_round["materials"]
    produced = {}
    for _ in range(3):
        table.when(0, Validate()).when(1, Validate())
        step = table.last(CubesProduced)
        produced[step.resource] = step.counts[0]
    assert produced["exploration"] == this_round["exploration"]
    assert production(table)["materials"] == 1


def test_vector_p12_a_card_completed_while_planning_produces_in_this_round() -> None:
    vector = VECTORS["P12"]
    union = Land(
        "panafrican_union",
        building={"recycling_plant": {"materials": 1}},
        drafted=["military_base"],
    )
    table = planning(union, Land(drafted=["zeppelin"]))
    table.when(0, RecycleCard("military_base", "recycling_plant-1"))
    assert board(table)["constructed"] == vector["then"]["constructed"]
    table.when(1, RecycleCard("zeppelin"))
    table.when(0, Validate()).when(1, Validate())
    assert table.last(CubesProduced) == CubesProduced("materials", [vector["then"]["materials_step"], 3])


def test_the_count_is_a_snapshot_also_for_cards_by_type() -> None:
    land = Land("noram_states", ["robot_assistants"], {"wind_turbines": {"materials": 1}})
    table = planning(land, Land())
    table.when(0, Validate()).when(1, Validate())
    assert board(table)["to_place"] == {"materials": 3}
    table.when(0, PlaceCubes("wind_turbines-1", "materials", 1))
    assert board(table)["to_place"] == {}  # the two others fit nowhere and lie on the Empire card
    assert board(table)["loose_cubes"] == 2
    assert production(table)["materials"] == 4


def test_a_card_under_construction_produces_nothing() -> None:
    table = planning(Land("aztec_empire", building={"recycling_plant": {"materials": 1}}), Land())
    assert "materials" not in production(table)


def test_corruption_takes_from_the_total_and_never_below_zero() -> None:
    corrupt = Land("noram_states", ["robot_factory", "recycling_plant"])
    table = planning(corrupt, Land(), side="E")
    assert production(table) == {"materials": 4 - 1 + 2, "energy": 2 + 2, "science": 1}
    several = planning(Land("noram_states", ["raiders", "raiders", "lawless_zone"]), Land())
    assert "gold" not in production(several)


def test_every_cube_counted_is_there_to_place() -> None:
    land = Land("noram_states", building={"transportation_network": {}, "national_monument": {}})
    table = planning(land, Land())
    table.when(0, Validate()).when(1, Validate())
    assert board(table)["to_place"] == {"materials": 3}
    assert table.state.boards[0].pool[INDEX["materials"]] == 3
    table.when(0, StoreCubes("materials", 1))
    assert board(table)["to_place"] == {"materials": 2}
