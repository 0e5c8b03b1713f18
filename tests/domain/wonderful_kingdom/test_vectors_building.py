"""Vectors V16-V43: planning, supremacy, production, placing, krystallium, scrapping, scoring, ties."""

from collections.abc import Sequence

import pytest

from domain.wonderful.commands import PlaceCubes, PlaceKrystallium, StoreCubes, Validate
from domain.wonderful_kingdom import GAME
from domain.wonderful_kingdom import events as ev
from domain.wonderful_kingdom.commands import BuildDevelopment, RecycleCollected, ScrapDevelopment
from tests.domain.wonderful_kingdom.tables import (
    VALADOS,
    Land,
    board,
    both_done,
    expect,
    kinds_constructed,
    lands,
    missing,
    planning,
    producing,
    total,
)
from tests.given_when_then import Given, given

SALT = "cal_salt_rain"
QUESTS = {"mode": "quests"}


def revealed(*boards: Land, **table: object) -> Given:
    """Planning after real offers, so that the reveal itself is played: the first seat took what it has."""
    events = lands(*boards, **table)  # type: ignore[arg-type]  # options of the table
    for seat, land in enumerate(boards):
        events += [ev.OffersBegan(seat), ev.CardsOffered(seat, list(land.collected), [], [], [])]
        events += [ev.AreaSelected(seat, "left", [])]
    return given(GAME, events)


def test_v16_a_calamity_lies_on_the_duchy_and_can_be_neither_built_nor_recycled() -> None:
    table = planning(Land(calamities=[SALT]), VALADOS, **QUESTS)
    then = expect("V16")
    assert len(board(table)["calamities"]) == then["duchy_calamities"]
    assert total(table) == then["score_effect"]
    table.refuses(0, RecycleCollected(SALT), "not-collected")
    table.refuses(0, BuildDevelopment(SALT), "not-collected")
    assert (then["recycle_legal"], then["build_legal"]) == (False, False)


def test_v17_a_treasure_is_recycled_and_never_built() -> None:
    roof = "tre_gilded_roof_tiles"
    table = planning(Land(collected=[roof], building={"dev_drapers_exchange": {}}), VALADOS, **QUESTS)
    assert not expect("V17")["build_legal"]
    table.refuses(0, BuildDevelopment(roof), "not-buildable")
    table.when(0, RecycleCollected(roof))
    gained = table.recorded[0]
    assert isinstance(gained, ev.CardRecycled)
    assert gained.cubes == expect("V17")["recycle_gives"]


def test_v18_a_recycled_cube_is_placed_like_a_produced_one() -> None:
    land = Land(building={"dev_ropewalk_quay": {}}, collected=["dev_claywright_yard"])
    table = planning(land, VALADOS)
    table.when(0, RecycleCollected("dev_claywright_yard"))
    assert table.allows(0, StoreCubes("materials")) == expect("V18")["alternatively_duchy_legal"]
    table.when(0, PlaceCubes("dev_ropewalk_quay-1", "materials"))
    assert missing(table, "dev_ropewalk_quay-1") == expect("V18")["quay_missing"]


def test_v20_nobody_is_done_with_a_card_undecided() -> None:
    assert expect("V20") == {"legal": False}
    planning(Land(collected=["dev_mint_tower"]), VALADOS).refuses(0, Validate(), "cards-left")


def test_v21_four_steps_on_side_b() -> None:
    table = planning(Land(), VALADOS, side="B")
    events = [event for _ in range(5) for event in both_done(table)]
    counts = [event.counts for event in events if isinstance(event, ev.CubesProduced)]
    then = expect("V21")
    assert [count[0] for count in counts] == then["Teressie_counts"]
    assert [count[1] for count in counts] == then["Valados_counts"]
    won = {event.resource: event.seat for event in events if isinstance(event, ev.SupremacyWon)}
    names = [None, "Teressie", "Valados"]
    steps = ("materials", "population", "gold", "exploration")
    assert [names[won.get(step, -1) + 1] for step in steps] == then["winners"]
    for seat, name in enumerate(("Teressie", "Valados")):
        shown = board(table, seat)
        assert (shown["training_ground"], shown["soldiers"]) == tuple(then["after"][name].values())


def test_v22_equal_counts_give_nobody_a_soldier() -> None:
    table = planning(Land(), VALADOS, side="A")
    events = [event for _ in range(5) for event in both_done(table)]
    counts = [event.counts for event in events if isinstance(event, ev.CubesProduced)]
    then = expect("V22")
    assert [[each, each] for each in then["counts_each"]] == counts
    assert not [event for event in events if isinstance(event, ev.SupremacyWon)]
    assert [board(table, seat)["training_ground"] for seat in (0, 1)] == [then["training_each"]] * 2


def test_v23_each_second_supremacy_brings_a_soldier_into_the_pool() -> None:
    events = lands(Land(), VALADOS)
    pool, training, trained = [], [], False
    for _ in range(5):
        events.append(ev.SupremacyWon(0, "gold", trained))
        trained = not trained
        shown = board(given(GAME, events))
        pool.append(shown["soldiers"])
        training.append(shown["training_ground"])
    assert (pool, training) == (expect("V23")["pool"], expect("V23")["training"])


@pytest.mark.parametrize("training", [0, 1])
def test_v23_a_soldier_in_training_is_moved_and_none_is_added(training: int) -> None:
    table = planning(Land(training=training, constructed=["dev_claywright_yard"]), VALADOS)
    won = [event for event in both_done(table) if isinstance(event, ev.SupremacyWon)]
    assert won == [ev.SupremacyWon(0, "materials", bool(training))]
    assert (board(table)["training_ground"], board(table)["soldiers"]) == (1 - training, training)


def test_v25_a_card_completed_in_its_own_step_produces_from_the_next_round_on() -> None:
    table = planning(Land(building={"dev_claywright_yard": {}}), VALADOS)
    (produced,) = [event for event in both_done(table) if isinstance(event, ev.CubesProduced)]
    assert produced.counts[0] == expect("V25")["r"]
    table.when(0, PlaceCubes("dev_claywright_yard-1", "materials", 2))
    table.then(
        *table.recorded[:1],
        ev.DevelopmentCompleted(0, "dev_claywright_yard-1", "dev_claywright_yard", {}),
    )
    assert board(table)["production"]["materials"] == expect("V25")["r+1"]


def test_v26_icons_of_duchy_and_developments_are_counted() -> None:
    yard = "dev_claywright_yard"
    built = ["dev_granary_stewards", yard, yard, "dev_ropewalk_quay", "dev_muster_green"]
    table = planning(Land(constructed=built), VALADOS)
    assert board(table)["production"]["materials"] == expect("V26")["count"]
    assert sum(expect("V26")["parts"].values()) == expect("V26")["count"]


def test_v27_a_card_counts_itself_among_its_type() -> None:
    built = ["dev_ledger_reeves", "dev_honest_assayers", "dev_oathbound_pikes"]
    table = planning(Land("duchy_valados", constructed=built), Land(), side="B")
    assert board(table)["production"]["gold"] == expect("V27")["count"]


def test_v28_no_more_cubes_than_slots() -> None:
    land = Land(building={"dev_amber_strand": {"exploration": 3}})
    table = producing("exploration", [2, 0], land, VALADOS)
    assert not expect("V28")["legal"]
    table.refuses(0, PlaceCubes("dev_amber_strand-1", "exploration", 2), "no-slot")
    assert table.allows(0, PlaceCubes("dev_amber_strand-1", "exploration", expect("V28")["max_on_card"]))


def test_v29_a_cube_on_the_duchy_never_moves_to_a_development() -> None:
    land = Land(cubes={"gold": 1}, building={"dev_mint_tower": {"gold": 2}})
    assert expect("V29") == {"legal": False}
    planning(land, VALADOS).refuses(0, PlaceCubes("dev_mint_tower-1", "gold"), "not-enough")


def test_v30_a_cube_may_go_on_the_duchy_though_a_slot_is_free() -> None:
    table = producing("gold", [1, 0], Land(building={"dev_mint_tower": {"gold": 2}}), VALADOS)
    assert table.allows(0, StoreCubes("gold")) == expect("V30")["legal"]


def test_v32_ten_cubes_become_two_krystallium() -> None:
    table = producing("population", [10, 0], Land(), VALADOS).when_nobody_acts()
    assert board(table)["krystallium"] == expect("V32")["krystallium_gained"]
    assert board(table)["cubes"] == expect("V32")["duchy_cubes"]


def test_v33_krystallium_completes_a_card_and_all_that_lay_on_it_is_gone() -> None:
    table = planning(Land(building={"dev_amber_strand": {"exploration": 2}}, krystallium=2), VALADOS)
    table.when(0, PlaceKrystallium("dev_amber_strand-1", "exploration", 2))
    assert (kinds_constructed(table) == ["dev_amber_strand"]) == expect("V33")["completed"]
    assert board(table)["krystallium"] == 2 - expect("V33")["krystallium_back_to_stock"]
    assert board(table)["cubes"] == {}


def test_v34_only_krystallium_fills_a_slot_for_it() -> None:
    land = Land(building={"dev_broken_skybridge": {"exploration": 4}})
    table = producing("exploration", [5, 0], land, VALADOS)
    assert expect("V34") == {"legal": False}
    table.refuses(0, PlaceCubes("dev_broken_skybridge-1", "exploration"), "no-slot")


def test_v35_krystallium_is_no_soldier() -> None:
    land = Land(building={"dev_silver_belfry": {"materials": 2, "gold": 3}}, krystallium=3)
    table = planning(land, VALADOS)
    assert expect("V35") == {"legal": False}
    table.refuses(0, PlaceKrystallium("dev_silver_belfry-1", "soldiers"), "wrong-slot")


def test_v36_the_bonus_of_a_card_may_complete_the_next() -> None:
    building = {"dev_humming_geode": {"exploration": 3}, "dev_broken_skybridge": {"exploration": 4}}
    table = producing("exploration", [1, 0], Land(building=building), VALADOS)
    table.when(0, PlaceCubes("dev_humming_geode-1", "exploration"))
    table.when(0, PlaceKrystallium("dev_broken_skybridge-1", "krystallium"))
    both = kinds_constructed(table) == ["dev_humming_geode", "dev_broken_skybridge"]
    assert both == expect("V36")["both_completed"]
    assert board(table)["krystallium"] == expect("V36")["krystallium_left"]


def test_v37_scrapping_puts_the_bonus_on_the_duchy() -> None:
    land = Land(building={"dev_barrow_of_the_reed_king": {"exploration": 3}}, cubes={"materials": 4})
    table = planning(land, VALADOS).when(0, ScrapDevelopment("dev_barrow_of_the_reed_king-1"))
    table.then(
        ev.DevelopmentScrapped(
            0, "dev_barrow_of_the_reed_king-1", "dev_barrow_of_the_reed_king", {"gold": 1}
        ),
        ev.CubesStored(0, "gold", 1, 1, {}, automatic=True),
    )
    assert board(table)["cubes"] == expect("V37")["duchy_cubes"]
    assert board(table)["krystallium"] == int(expect("V37")["krystallium"])
    assert board(table)["under_construction"] == []


def test_v38_scrapping_returns_soldiers_and_krystallium_too() -> None:
    lying = {"soldiers": 2, "gold:krystallium": 1, "gold": 3}
    table = planning(Land(building={"dev_palace_of_glass_leaves": lying}), VALADOS)
    before = board(table)["under_construction"][0]["placed"]
    assert before == {"gold": 3, "krystallium": 1, "soldiers": 2}
    assert expect("V38")["to_stock"] == before
    table.when(0, ScrapDevelopment("dev_palace_of_glass_leaves-1"))
    shown = board(table)
    assert (shown["soldiers"], shown["krystallium"]) == (0, 0)
    assert shown["cubes"] == expect("V38")["to_duchy"]


def scored(constructed: Sequence[str], **land: object) -> dict[str, int]:
    """The points of such a board."""
    table = planning(Land(constructed=constructed, **land), VALADOS, **QUESTS)  # type: ignore[arg-type]
    shown: dict[str, int] = board(table)["points"]
    return {**shown, "total": sum(shown.values())}


def test_v39_flat_per_type_and_negative_points() -> None:
    yard = "dev_claywright_yard"
    built = ["dev_isle_of_mirrors", "dev_humming_geode", "dev_wayfarers_reliquary", "dev_flooded_archive"]
    points = scored([*built, "dev_palace_of_glass_leaves", yard, yard], calamities=[SALT, "cal_marsh_fever"])
    assert points == {key: value for key, value in expect("V39").items() if key != "types"}


def test_v40_each_copy_scores() -> None:
    built = ["dev_wayfarers_reliquary"] * 2 + ["dev_drowned_bells", "dev_isle_of_mirrors"]
    points = scored([*built, "dev_standard_of_the_lost_host"])
    then = expect("V40")
    assert [points[key] for key in ("flat", "per_type", "total")] == [28 - 18, 18, 28]
    assert then["total"] == points["total"] and then["flat"] == points["flat"]


def test_v41_what_is_not_constructed_scores_nothing() -> None:
    building = {"dev_isle_of_mirrors": {"exploration": 4}}
    points = scored([], soldiers=4, krystallium=3, cubes={"gold": 4}, building=building)
    assert points["total"] == expect("V41")["total"]


def finished(*boards: Land) -> Given:
    """The end, both with 23 points."""
    points = {"flat": 23, "per_type": 0, "negative": 0}
    events = [*lands(*boards), ev.PointsCounted([points, points], [])]
    return given(GAME, events)


YARDS = ["dev_claywright_yard"]


def test_v42_more_developments_win_a_tie() -> None:
    table = finished(Land(constructed=YARDS * 11), Land(constructed=YARDS * 12))
    assert expect("V42")["winner"] == "the player with 12"
    assert table.view()["winners"] == [1]
    outcome = GAME.outcome(table.state)
    assert outcome is not None and outcome.ranking == [[1], [0]]


def test_v43_then_more_soldiers_win_it() -> None:
    table = finished(Land(constructed=YARDS * 12, soldiers=2), Land(constructed=YARDS * 12))
    assert expect("V43")["winner"] == "the player with 2 soldiers"
    assert table.view()["winners"] == [0]


def test_else_the_victory_is_shared() -> None:
    assert finished(Land(), VALADOS).view()["winners"] == [0, 1]
