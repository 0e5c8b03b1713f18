"""Steps, validation, free actions, rounds, the end (rules 3, 6.9-6.12, 8.5)."""

import copy

import pytest

from domain import wonderful_world
from domain.wonderful.commands import (
    DiscardConstruction,
    PlaceCubes,
    PlaceKrystallium,
    RecycleCard,
    SlateCard,
    StoreCubes,
    Validate,
)
from domain.wonderful.events import CubesStored, StepValidated
from domain.wonderful_world.commands import ChooseCharacter, DraftCard
from domain.wonderful_world.events import (
    CubesProduced,
    HandsDealt,
    PointsCounted,
    SupremacyAwarded,
    TokensProduced,
)
from tests.domain.wonderful_world.tables import VECTORS, Land, board, planning, producing, under_construction

STEPS = ["materials", "energy", "science", "gold", "exploration"]


def test_vector_f01_a_step_is_not_validated_while_cubes_are_left() -> None:
    assert "resources left" in VECTORS["F01"]["then"]["error"]
    table = producing("energy", [1, 0], Land(building={"zeppelin": {}}), Land())
    table.refuses(0, Validate(), "cubes-left")
    assert [
        (each.label, each.reason.code, each.missing) for each in wonderful_world.refused(table.state, 0)
    ] == [("Validate", "cubes-left", {"energy": 1})]
    assert table.allows(0, StoreCubes("energy", 1))


def test_vector_f02_the_winner_of_science_chooses_before_validating() -> None:
    assert VECTORS["F02"]["then"]["error"] == "choose a character first"
    table = planning(Land("panafrican_union"), Land("aztec_empire"))
    for _ in range(3):
        table.when(0, Validate()).when(1, Validate())
    assert table.last(SupremacyAwarded) == SupremacyAwarded(0, "science", None)
    reason = table.refuses(0, Validate(), "choose-character")
    assert reason.detail == VECTORS["F02"]["then"]["error"]
    table.when(0, ChooseCharacter("general")).when(0, Validate())


def test_vector_f03_a_step_closes_only_when_everybody_has_validated() -> None:
    table = producing("gold", [1, 0, 0], Land(), Land(), Land())
    table.when_nobody_acts().when(0, Validate()).when(1, Validate())
    table.then(StepValidated(1))
    assert table.awaited() == [("production", (2,))]
    assert VECTORS["F03"]["then"]["step_closed"] is False
    table.refuses(0, Validate(), "already-validated")
    table.when(2, Validate())
    table.then_types(StepValidated, CubesProduced)


def test_vector_f04_the_game_ends_with_the_last_validation_of_round_four() -> None:
    land = Land(krystallium=1, building={"museum": {"gold": 2}})
    table = producing("exploration", [0, 0], land, Land(), round=4)
    table.when(0, Validate())
    table.when(0, PlaceKrystallium("museum-1", "gold"))
    table.when(1, Validate()).then_types(StepValidated, PointsCounted)
    assert VECTORS["F04"]["then"] == {"phase": "game over", "further_moves": False}
    assert table.view()["phase"] == "over"
    assert table.awaited() == []
    assert table.legal(0) == table.legal(1) == []
    table.refuses(0, Validate(), "not-your-turn")


def test_vector_f05_the_order_of_the_steps() -> None:
    table = planning(Land("aztec_empire"), Land("noram_states"))
    steps = []
    for _ in range(5):
        table.when(0, Validate()).when(1, Validate())
        steps.append(table.last(CubesProduced).resource)
        assert table.view()["step"] == steps[-1]
    assert steps == VECTORS["F05"]["then"]


def test_vector_f06_and_c06_what_is_left_stays_for_the_next_round() -> None:
    land = Land("aztec_empire", loose=3, krystallium=2, financiers=1, building={"harbor_zone": {"gold": 2}})
    table = producing("exploration", [0, 0], land, Land("aztec_empire"))
    before = board(table)
    table.when(0, Validate()).when(1, Validate())
    table.then_types(StepValidated, HandsDealt)
    assert table.view()["round"] == VECTORS["F06"]["given"]["round"] + 1
    assert under_construction(table) == {"harbor_zone-1": {"gold": 2}}
    assert len(board(table)["draft_area"]) == VECTORS["F06"]["then"]["draft_area"]
    assert board(table)["loose_cubes"] == VECTORS["C06"]["then"]["empire_cubes"]
    kept = ("krystallium", "financiers", "loose_cubes", "under_construction", "constructed")
    assert {name: board(table)[name] for name in kept} == {name: before[name] for name in kept}


def test_vector_f09_cubes_may_be_stored_although_a_card_takes_them() -> None:
    table = producing("gold", [2, 0], Land(building={"propaganda_center": {}}), Land())
    table.when(0, StoreCubes("gold", 2)).then(CubesStored(0, "gold", 2))
    assert board(table)["loose_cubes"] == VECTORS["F09"]["then"]["empire_cubes_added"]


def test_the_close_of_a_step_is_recorded_with_the_validation_that_closed_it() -> None:
    table = planning(Land("noram_states"), Land("aztec_empire"))
    table.when(0, Validate()).then(StepValidated(0))
    table.when(1, Validate()).then(
        StepValidated(1),
        CubesProduced("materials", [3, 0]),
        SupremacyAwarded(0, "materials", "financier"),
        CubesStored(0, "materials", 3, 0, forced=True),
    )


def test_cubes_are_placed_in_parts_on_several_cards() -> None:
    land = Land(building={"museum": {}, "harbor_zone": {}})
    table = producing("gold", [3, 0], land, Land())
    table.when(0, PlaceCubes("museum-1", "gold", 1)).when(0, PlaceCubes("harbor_zone-1", "gold", 1))
    table.when(0, StoreCubes("gold", 1)).when(0, Validate())
    assert under_construction(table) == {"museum-1": {"gold": 1}, "harbor_zone-1": {"gold": 1}}


@pytest.mark.parametrize("phase", ["draft", "planning", "production"])
def test_free_actions_are_legal_in_every_phase_also_for_a_seat_that_is_done(phase: str) -> None:
    land = Land(krystallium=1, building={"museum": {}, "zeppelin": {}}, drafted=["museum"])
    other = Land(drafted=["museum"])
    if phase == "planning":
        table = planning(land, other)
        table.when(0, RecycleCard("museum")).when(0, Validate())
    elif phase == "production":
        table = producing("science", [0, 0], land, other).when(0, Validate())
    else:
        table = producing("exploration", [0, 0], land, other).when(0, Validate()).when(1, Validate())
        table.when(0, DraftCard(table.state.hands[0][0]))
    (decision,) = wonderful_world.decisions(table.state)
    assert decision.kind == phase
    assert decision.awaited == (1,)
    assert decision.revisable == (0,)
    assert table.allows(0, PlaceKrystallium("museum-1", "gold"))
    table.when(0, DiscardConstruction("zeppelin-1"))
    assert wonderful_world.decisions(table.state) == [decision]


def test_commands_of_different_seats_in_a_step_may_come_in_any_order() -> None:
    lands = (
        Land(krystallium=1, building={"zeppelin": {}, "museum": {}}, drafted=["zeppelin", "museum"]),
        Land(building={"zeppelin": {}, "recycling_plant": {}}, drafted=["zeppelin", "military_base"]),
    )
    mine = [RecycleCard("zeppelin"), SlateCard("museum"), PlaceKrystallium("museum-1", "gold"), Validate()]
    yours = [
        DiscardConstruction("zeppelin-1"),
        SlateCard("zeppelin"),
        RecycleCard("military_base", "recycling_plant-1"),
    ]
    orders = [
        mine + yours,
        yours + mine,
        [each for pair in zip(mine, yours, strict=False) for each in pair] + [mine[3]],
    ]
    states = []
    for order in orders:
        table = planning(*lands)
        for command in order:
            table.when(0 if command in mine else 1, command)
        states.append(copy.deepcopy(table.state))
    assert states[0] == states[1] == states[2]


def test_a_seat_without_any_move_is_validated_where_the_table_plays_so() -> None:
    table = planning(Land("noram_states", building={"museum": {}}), Land("aztec_empire"), auto_validate=True)
    table.when_nobody_acts().then(StepValidated(1, automatic=True))
    table.when(0, Validate())
    table.then_among(CubesProduced("materials", [3, 0]), StepValidated(1, automatic=True))
    assert table.awaited() == [("production", (0,))]


def test_no_seat_is_validated_by_itself_in_the_strict_game() -> None:
    table = planning(Land(), Land("aztec_empire")).when_nobody_acts().then()
    assert table.awaited() == [("planning", (0, 1))]


def test_a_seat_with_a_character_to_choose_is_not_validated_by_itself() -> None:
    table = planning(Land("panafrican_union"), Land("aztec_empire"), auto_validate=True).when_nobody_acts()
    assert table.view()["step"] == "science"
    assert table.awaited() == [("production", (0,))]
    table.when(0, ChooseCharacter("general"))
    assert table.view()["phase"] == "draft"


def test_the_default_move_of_production_chooses_stores_and_validates() -> None:
    table = planning(Land("panafrican_union", building={"time_travel": {}}), Land("aztec_empire"))
    for _ in range(3):
        table.when(0, Validate()).when(1, Validate())
    for expected in (ChooseCharacter("financier"), StoreCubes("science", 2), Validate()):
        assert wonderful_world.default_move(table.state, 0) == expected
        table.when(0, expected)


def test_war_or_peace_gives_tokens_in_a_sixth_step() -> None:
    land = Land(constructed=["tower_of_babel", "cargo_fleet"], building={"giant_tower": {}})
    idle = Land(building={"zeppelin": {}})
    table = producing("exploration", [0, 0, 0], land, Land(constructed=["headquarters"]), idle)
    for seat in range(3):
        table.when(seat, Validate())
    table.then(StepValidated(2), TokensProduced([0, 1], [2, 0, 0], [1, 0, 0], [0, 2, 0]))
    assert table.view()["step"] == "tokens"
    assert (board(table)["krystallium"], board(table)["financiers"]) == (2, 1)
    assert board(table, 1)["generals"] == 2
    assert table.awaited() == [("production", (0, 1))]
    assert wonderful_world.decisions(table.state)[0].revisable == (2,)
    table.when(0, PlaceKrystallium("giant_tower-1", "gold", 2))
    table.when(0, Validate()).when(1, Validate()).then_types(StepValidated, HandsDealt)


def test_there_is_no_sixth_step_where_nobody_produces_tokens() -> None:
    table = producing("exploration", [0, 0], Land(), Land())
    table.when(0, Validate()).when(1, Validate()).then_no(TokensProduced)


def test_the_sixth_step_of_the_last_round_comes_before_the_points() -> None:
    table = producing("exploration", [0, 0], Land(constructed=["pax_10"]), Land(), round=4)
    table.when(0, Validate()).when(1, Validate()).then_types(StepValidated, TokensProduced)
    table.when(0, Validate()).then_types(StepValidated, PointsCounted)
    assert table.last(PointsCounted).scores[0]["financiers"] == 4


def test_a_memorial_has_a_type_that_nothing_else_counts() -> None:
    land = Land("aztec_empire", ["memorial_for_the_builder", "memorial_for_the_explorer"])
    assert board(planning(land, Land()))["points"] == {"gross": 4, "combo": 0, "generals": 0, "financiers": 0}
