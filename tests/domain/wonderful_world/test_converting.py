"""Five cubes on an Empire card become one krystallium (rules 8.1)."""

import pytest

from domain.wonderful.commands import DiscardConstruction, PlaceKrystallium, RecycleCard, StoreCubes
from domain.wonderful.events import ConstructionDiscarded, CubesStored
from tests.domain.wonderful_world.tables import VECTORS, Land, board, planning, producing

OPEN: dict[str, dict[str, int]] = {
    "national_monument": {}
}  # takes materials and gold, so that no cube is stored by force


@pytest.mark.parametrize("name", ["C02", "C03"])
def test_vectors_of_cubes_stored_at_once(name: str) -> None:
    vector = VECTORS[name]
    count = int(vector["when"].split()[0])
    land = Land(loose=vector["given"]["empire_cubes"], building=OPEN)
    table = producing("gold", [count, 0], land, Land())
    table.when(0, StoreCubes("gold", count))
    table.then(CubesStored(0, "gold", count, vector["then"]["krystallium"]))
    assert board(table)["loose_cubes"] == vector["then"]["empire_cubes"]
    assert board(table)["krystallium"] == vector["then"]["krystallium"]


def test_vector_c05_colours_do_not_matter_and_the_cubes_are_gone() -> None:
    land = Land(loose=4, drafted=["zeppelin"], building=OPEN)
    table = planning(land, Land(drafted=["zeppelin"]))
    table.when(0, RecycleCard("zeppelin"))
    assert board(table)["loose_cubes"] == len(VECTORS["C05"]["then"]["empire_cubes"])
    assert board(table)["krystallium"] == VECTORS["C05"]["then"]["krystallium"]
    assert not [move for move in table.legal(0) if getattr(move, "resource", None)]


def test_vector_c07_krystallium_gained_in_a_step_is_used_in_the_same_step() -> None:
    land = Land(loose=3, building={"secret_society": {"gold": 3}, "harbor_zone": {}})
    table = producing("gold", [2, 0], land, Land())
    table.when(0, StoreCubes("gold", 2))
    table.when(0, PlaceKrystallium("secret_society-1", "krystallium", 1))
    then = VECTORS["C07"]["then"]
    assert board(table)["constructed"] == then["constructed"]
    assert (board(table)["krystallium"], board(table)["loose_cubes"]) == (0, 0)
    assert then["krystallium"] == then["empire_cubes"] == 0


def test_vector_c08_the_cube_of_a_card_given_up_converts_too() -> None:
    table = planning(Land(loose=4, building={"zeppelin": {}}), Land())
    table.when(0, DiscardConstruction("zeppelin-1"))
    table.then(ConstructionDiscarded(0, "zeppelin-1", "zeppelin", "exploration", 1))
    then = VECTORS["C08"]["then"]
    assert board(table)["loose_cubes"] == then["empire_cubes"]
    assert board(table)["krystallium"] == then["krystallium"]
