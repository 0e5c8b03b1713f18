"""Production: advisors before and in a step, ties won, thieves and their tokens, rats, the fight."""

from domain.wonderful.commands import PlaceCubes, PlaceKrystallium, Validate
from domain.wonderful.events import StepValidated
from domain.wonderful_kingdom import GAME
from domain.wonderful_kingdom import events as ev
from domain.wonderful_kingdom.commands import (
    ActivateAdvisor,
    CompleteQuest,
    DefeatMenace,
    ExchangeCubes,
    PlaceSoldiers,
    PlaceStolenToken,
    ScrapDevelopment,
)
from tests.domain.wonderful_kingdom.tables import (
    VALADOS,
    Land,
    board,
    both_done,
    fighting,
    lands,
    missing,
    planning,
    producing,
    total,
)
from tests.given_when_then import given

HROTH, MAELIS, BASTEL = "adv_drillmaster_hroth", "adv_steward_maelis", "adv_coinwright_bastel"
YARD, LOFT = "dev_claywright_yard", "dev_counting_loft"
FORGE = "quest_the_northmarch_war_2"


def test_ties_of_one_or_more_are_won_by_effect_for_the_rest_of_the_round() -> None:
    table = planning(Land(advisors=[HROTH], soldiers=1), VALADOS, mode="advisors")
    table.when(0, ActivateAdvisor(HROTH))
    events = [event for _ in range(5) for event in both_done(table)]
    won = [event for event in events if isinstance(event, ev.SupremacyWon)]
    assert [(event.resource, event.trained) for event in won] == [
        ("materials", False), ("population", True), ("gold", False),
    ]  # fmt: skip
    assert not board(table)["granted"]["wins_ties"]


def test_a_tie_both_would_win_is_won_by_nobody() -> None:
    land = Land(advisors=[HROTH], soldiers=1)
    other = Land("duchy_valados", advisors=[HROTH], soldiers=1)
    table = planning(land, other, mode="advisors")
    table.when(0, ActivateAdvisor(HROTH)).when(1, ActivateAdvisor(HROTH))
    assert not [event for event in both_done(table) if isinstance(event, ev.SupremacyWon)]


def test_the_start_player_is_asked_first_before_a_count_and_boosts_one_step() -> None:
    land = Land(advisors=[MAELIS], soldiers=1)
    other = Land("duchy_valados", advisors=[MAELIS], soldiers=1)
    table = planning(land, other, mode="advisors", start=1)
    both_done(table)
    assert table.awaited() == [("before_count", (1,))]
    table.when(1, Validate())
    assert table.awaited() == [("before_count", (0,))]
    table.when(0, ActivateAdvisor(MAELIS))
    table.then(
        ev.AdvisorActivated(0, MAELIS, {"soldiers": 1}, []),
        ev.EffectGranted(0, "boost_production", 2),
        StepValidated(0, True),
        ev.CubesProduced("materials", [4, 2]),
        ev.SupremacyWon(0, "materials", False),
        ev.CubesStored(0, "materials", 4, 0, {"materials": 4}, True),
        ev.CubesStored(1, "materials", 2, 0, {"materials": 2}, True),
    )
    assert board(table)["production"]["population"] == 1
    both_done(table)
    assert table.awaited() == [("before_count", (1,))]


def test_an_advisor_in_a_step_brings_cubes_to_place() -> None:
    land = Land(advisors=[BASTEL], soldiers=1, building={"dev_mint_tower": {}})
    table = producing("materials", [0, 0], land, VALADOS, mode="advisors")
    table.when(0, ActivateAdvisor(BASTEL)).refuses(0, Validate(), "cubes-left")
    table.when(0, PlaceCubes("dev_mint_tower-1", "gold", 2))
    assert missing(table, "dev_mint_tower-1") == {"gold": 1}


def test_a_thief_takes_the_icons_and_points_of_a_card_that_still_counts_as_one() -> None:
    built = ["dev_ledger_reeves", "dev_honest_assayers"]
    table = planning(Land(constructed=built, menaces=["men_thief_1"]), VALADOS)
    assert board(table)["production"]["gold"] == 1 + 2 + 1
    both_done(table)
    assert table.awaited() == [("steal", (0,))]
    table.refuses(0, PlaceStolenToken("dev_mint_tower-1"), "no-target")
    table.refuses(1, PlaceStolenToken("dev_honest_assayers-built-1"), "not-your-turn")
    table.when(0, PlaceStolenToken("dev_honest_assayers-built-1"))
    table.then_among(
        ev.TokenStolen(0, 0, "men_thief_1", "dev_honest_assayers-built-1"),
        ev.CubesProduced("materials", [2, 2]),
    )
    assert board(table)["production"]["gold"] == 1 + 2
    assert board(table)["points"]["flat"] == 2
    assert board(table)["constructed"][1]["stolen_by"] == "men_thief_1"


def test_a_card_under_a_stolen_token_gives_no_points_but_counts_for_others() -> None:
    built = ["dev_isle_of_mirrors", "dev_flooded_archive", "dev_wayfarers_reliquary"]
    points = {"flat": 8, "per_type": 4 + 4, "negative": 0}
    for card, then in (
        ("dev_isle_of_mirrors-built-0", {**points, "flat": 0}),
        ("dev_flooded_archive-built-1", {**points, "per_type": 4}),
    ):
        table = planning(Land(constructed=built, menaces=["men_thief_1"]), VALADOS)
        assert board(table)["points"] == {**points, "negative": -1}
        both_done(table)
        table.when(0, PlaceStolenToken(card))
        assert board(table)["points"] == {**then, "negative": -1}


def test_a_thief_whose_token_lies_somewhere_does_not_steal_again_and_returns_it_when_defeated() -> None:
    table = planning(Land(constructed=[YARD], menaces=["men_thief_1"], soldiers=1), VALADOS)
    events = [event for _ in range(5) for event in both_done(table)]
    assert ev.TokenStolen(0, 0, "men_thief_1", f"{YARD}-built-0", automatic=True) in events
    assert board(table)["production"]["materials"] == 2
    table.when(0, DefeatMenace("men_thief_1"))
    assert board(table)["production"]["materials"] == 4
    assert board(table)["constructed"][0]["stolen_by"] is None
    assert table.view()["box"] == ["men_thief_1"]


def test_a_thief_whose_token_is_in_play_steals_nothing_more() -> None:
    events = [
        *lands(Land(constructed=[YARD, LOFT], menaces=["men_thief_1"]), VALADOS, round=2),
        ev.ProductionBegan(["men_thief_1"], [0]),
        ev.TokenStolen(0, 0, "men_thief_1", f"{YARD}-built-0"),
        ev.CollectionsRevealed([[], []]),
    ]
    again = both_done(given(GAME, events))
    assert ev.TokenStolen(0, 0, "men_thief_1", None, automatic=True) in again


def test_the_opponent_may_choose_and_a_thief_without_target_waits() -> None:
    table = planning(Land(constructed=[YARD, LOFT], menaces=["men_thief_2"]), VALADOS)
    both_done(table)
    assert table.awaited() == [("steal", (1,))]
    table.when(1, PlaceStolenToken(f"{LOFT}-built-1"))
    idle = planning(Land(menaces=["men_thief_2"]), VALADOS)
    assert ev.TokenStolen(1, 0, "men_thief_2", None, automatic=True) in both_done(idle)


def test_nothing_is_placed_on_a_development_under_a_token_and_it_is_not_scrapped() -> None:
    land = Land(building={YARD: {"materials": 1}}, menaces=["men_thief_3"], krystallium=1)
    table = planning(land, VALADOS)
    both_done(table)
    card = f"{YARD}-1"
    table.refuses(0, PlaceKrystallium(card, "materials"), "stolen")
    table.refuses(0, ScrapDevelopment(card), "stolen")
    table.refuses(0, PlaceCubes(card, "materials"), "stolen")
    assert board(table)["to_place"] == {}  # there was only the duchy to put them on


def test_a_token_has_one_place_left_when_the_others_are_scrapped_meanwhile() -> None:
    land = Land(building={YARD: {}, LOFT: {}}, menaces=["men_thief_4"])
    table = planning(land, VALADOS)
    both_done(table)
    assert table.awaited() == [("steal", (1,))]
    table.when(0, ScrapDevelopment(f"{YARD}-1"))
    table.then_among(ev.TokenStolen(1, 0, "men_thief_4", f"{LOFT}-1", automatic=True))


def test_two_thieves_take_two_cards() -> None:
    land = Land(constructed=[YARD], menaces=["men_thief_1", "men_thief_2"])
    stolen = [event for event in both_done(planning(land, VALADOS)) if isinstance(event, ev.TokenStolen)]
    assert [event.card for event in stolen] == [f"{YARD}-built-0", None]


def test_menaces_act_start_players_first_in_order_of_arrival() -> None:
    mine = Land(menaces=["men_rats_2", "men_rats_1"])
    other = Land("duchy_valados", menaces=["men_rats_3"])
    for start, order in ((0, [2, 1, 3]), (1, [3, 2, 1])):
        events = both_done(planning(mine, other, start=start))
        rats = [event for event in events if isinstance(event, ev.RatsSpawned)]
        assert [event.menace for event in rats] == [f"men_rats_{number}" for number in order]


def test_krystallium_is_held_back_by_a_menace_but_pays_its_own_costs() -> None:
    land = Land(menaces=["men_shadow_4"], krystallium=1, soldiers=1, building={"dev_broken_skybridge": {}})
    table = planning(land, VALADOS)
    table.refuses(0, PlaceKrystallium("dev_broken_skybridge-1", "exploration"), "no-substitute")
    assert table.allows(0, PlaceKrystallium("dev_broken_skybridge-1", "krystallium"))
    assert fighting(land, VALADOS).allows(0, DefeatMenace("men_shadow_4"))
    rat = Land(menaces=["men_shadow_4", "men_rat_01"], krystallium=1)
    fighting(rat, VALADOS).refuses(0, DefeatMenace("men_rat_01", ["population"]), "no-substitute")


def test_a_menace_is_paid_from_the_duchy_or_with_krystallium_for_a_cube() -> None:
    land = Land(menaces=["men_rats_3"], soldiers=2, krystallium=1, cubes={"population": 1})
    for substitutes, paid in (([], {"population": 1}), (["population"], {"krystallium": 1})):
        table = fighting(land, VALADOS).when(0, DefeatMenace("men_rats_3", substitutes))
        defeated = table.recorded[0]
        assert isinstance(defeated, ev.MenaceDefeated)
        assert defeated.paid == {**paid, "soldiers": 2}
    table.refuses(0, DefeatMenace("men_rats_3"), "not-your-menace")
    fighting(land, VALADOS).refuses(0, DefeatMenace("men_rats_3", ["gold"]), "too-many-substitutes")


def test_there_is_no_fight_when_nobody_can_pay() -> None:
    table = planning(Land(menaces=["men_frost_1"]), VALADOS)
    for _ in range(5):
        both_done(table)
    assert table.view()["round"] == 2


def test_soldiers_are_placed_at_any_time_and_do_not_come_back() -> None:
    table = planning(Land(building={"dev_silver_belfry": {}}, soldiers=2), VALADOS)
    table.refuses(0, PlaceSoldiers("dev_silver_belfry-1", 2), "no-slot")
    table.when(0, PlaceSoldiers("dev_silver_belfry-1"))
    assert board(table)["soldiers"] == 1
    table.refuses(0, PlaceSoldiers("dev_silver_belfry-1"), "no-slot")


def test_a_quest_fills_an_empty_training_ground_only() -> None:
    for training in (0, 1):
        land = Land(cubes={"materials": 2}, soldiers=1, training=training)
        table = planning(land, VALADOS, mode="quests", quest_board="quest_the_northmarch_war")
        table.when(0, CompleteQuest(FORGE))
        filled = ev.TokensGained(0, training=1) in table.recorded
        assert filled == (training == 0)
        assert board(table)["training_ground"] == 1


def test_five_cubes_are_exchanged_at_will_in_quest_mode() -> None:
    land = Land(cubes={"materials": 4, "gold": 2})
    table = planning(land, VALADOS, mode="quests")
    table.refuses(0, ExchangeCubes(["gold"] * 5), "not-enough-cubes")
    table.refuses(0, ExchangeCubes(["materials"] * 4), "count")
    table.when(0, ExchangeCubes(["gold", "materials", "materials", "materials", "materials"]))
    assert (board(table)["cubes"], board(table)["krystallium"]) == ({"gold": 1}, 1)
    planning(Land(cubes={"gold": 4}), VALADOS).refuses(0, ExchangeCubes(["gold"] * 5), "no-exchanging")


def test_a_quest_is_paid_by_who_is_done_until_the_last_step_is_over() -> None:
    rich = Land(cubes={"exploration": 3}, krystallium=1, soldiers=2)
    table = producing("exploration", [0, 0], rich, VALADOS, mode="quests", round=4)
    table.when(0, Validate()).when(0, CompleteQuest("quest_the_drowned_beacon_4")).when(1, Validate())
    assert table.view()["winners"] == [0]
    assert GAME.outcome(table.state).ranking == [[0], [1]]  # type: ignore[union-attr]  # it is over


def test_both_lose_when_both_fail_the_major_quest() -> None:
    table = producing("exploration", [0, 0], Land(constructed=[YARD]), VALADOS, mode="quests", round=4)
    both_done(table)
    table.then_among(
        ev.PointsCounted([{"flat": 0, "per_type": 0, "negative": 0}] * 2, [0, 1]),
    )
    assert table.view()["winners"] == []
    assert total(table) == 0


def test_a_tie_with_a_blocked_player_is_won_by_nobody() -> None:
    """No mode of the original set brings both effects together; the rules say what then."""
    table = planning(Land(menaces=["men_shadow_2"]), Land("duchy_valados", advisors=[HROTH], soldiers=1))
    table.when(1, ActivateAdvisor(HROTH))
    events = [event for _ in range(4) for event in both_done(table)]
    won = [event.resource for event in events if isinstance(event, ev.SupremacyWon)]
    assert won == ["materials", "population"]  # not gold, in which the holder is blocked


def test_a_fight_is_open_to_who_may_still_scrap_for_what_it_takes() -> None:
    land = Land(menaces=["men_rat_01"], building={"dev_longhouse_row": {"materials": 1}})
    table = producing("exploration", [0, 0], land, VALADOS, round=4)
    both_done(table)
    assert table.awaited() == [("fight", (0,))]
    table.refuses(0, DefeatMenace("men_rat_01"), "not-enough-cubes")
    table.when(0, ScrapDevelopment("dev_longhouse_row-1")).when(0, DefeatMenace("men_rat_01"))
    table.when(0, Validate())
    assert table.view()["scores"][0]["negative"] == 0
