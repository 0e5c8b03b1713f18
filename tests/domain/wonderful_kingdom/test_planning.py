"""Planning: forced placements, doubled and bound recycling, drawn cards, what menaces demand."""

from domain.wonderful.commands import PlaceCubes, StoreCubes, Validate
from domain.wonderful_kingdom import GAME, ORIGINAL
from domain.wonderful_kingdom import events as ev
from domain.wonderful_kingdom.commands import (
    ActivateAdvisor,
    BuildDevelopment,
    ChooseCube,
    CompleteQuest,
    DeclineEffect,
    DiscardCollected,
    KeepDrawn,
    OfferCards,
    RecycleCollected,
    SelectArea,
    TransmuteCubes,
)
from domain.wonderful_kingdom.planning import reveal
from tests.domain.wonderful_kingdom.tables import (
    HAND,
    VALADOS,
    Land,
    board,
    both_done,
    choosing,
    kinds_constructed,
    lands,
    planning,
)
from tests.given_when_then import Given, given

YARD, LOFT, ROW, GREEN = HAND[:4]
PELL, QUILL, OSK, NHIM = (
    "adv_scrapwright_pell",
    "adv_archivist_quill",
    "adv_crucible_keeper_osk",
    "adv_farwalker_nhim",
)


def played_to_planning(
    land: Land, hand: list[str], seats_hand: list[str] | None = None, **table: object
) -> Given:
    """All offers by default moves; the first two cards go to the second player, who has `land`."""
    hands = (hand, seats_hand or [*HAND, YARD])
    played = choosing(Land(), land, hands=hands, **table)
    played.when(0, OfferCards(left=sorted(hand[:2]))).when(1, SelectArea("left"))
    while played.view()["phase"] in ("offer", "select"):
        seat = played.view()["acting"]
        played.when(seat, GAME.default_move(played.state, seat))
    return played


def test_menaces_go_under_construction_and_calamities_to_the_duchy_at_once() -> None:
    table = played_to_planning(VALADOS, ["men_rats_1", YARD, *HAND[1:]])
    table.then_among(ev.MenacePlaced(1, "men_rats_1"))
    assert board(table, 1)["menaces"] == ["men_rats_1"]
    quests = played_to_planning(VALADOS, ["cal_salt_rain", YARD, *HAND[1:]], mode="quests")
    quests.then_among(ev.CalamityPlaced(1, "cal_salt_rain"))


def test_the_ogre_wants_a_card_from_the_round_after_it_came() -> None:
    fresh = played_to_planning(VALADOS, ["men_frost_1", YARD, *HAND[1:]])
    assert board(fresh, 1)["owed"]["discards"] == 0
    table = played_to_planning(Land("duchy_valados", menaces=["men_frost_1"]), [YARD, LOFT, *HAND[2:], ROW])
    table.then_among(ev.EffectGranted(1, "discard_collected", 1))
    card = board(table, 1)["collection_area"][0]["card"]
    table.refuses(1, BuildDevelopment(card), "unresolved")
    table.refuses(1, Validate(), "unresolved")
    table.when(1, DiscardCollected(card)).then(ev.CollectedDiscarded(1, card))
    assert table.allows(1, BuildDevelopment(board(table, 1)["collection_area"][0]["card"]))


def test_recycled_cubes_must_go_on_the_duchy_in_an_order_of_ones_own() -> None:
    clerk = Land(
        collected=["tre_gilded_roof_tiles"],
        menaces=["men_shadow_3"],
        building={"dev_longhouse_row": {}, "dev_mint_tower": {}},
        cubes={"population": 4},
    )
    for first, second in (("materials", "gold"), ("gold", "materials")):
        table = planning(clerk, VALADOS).when(0, RecycleCollected("tre_gilded_roof_tiles"))
        assert board(table)["to_store"] == {"materials": 1, "gold": 1}
        table.refuses(0, PlaceCubes("dev_longhouse_row-1", "materials"), "not-enough")
        table.when(0, StoreCubes(first))
        assert (board(table)["krystallium"], board(table)["cubes"]) == (1, {second: 1})


def test_two_recycled_cards_are_doubled_from_the_collection_area_only() -> None:
    land = Land(collected=[YARD, LOFT, ROW], advisors=[PELL], soldiers=1)
    table = planning(land, VALADOS, mode="advisors").when(0, ActivateAdvisor(PELL))
    for card, cubes in ((YARD, {"materials": 2}), (LOFT, {"gold": 2}), (ROW, {"population": 1})):
        table.when(0, RecycleCollected(card))
        recycled = table.recorded[0]
        assert isinstance(recycled, ev.CardRecycled)
        assert recycled.cubes == cubes
    doubled = planning(land, VALADOS, mode="advisors").when(0, ActivateAdvisor(PELL))
    for card in (YARD, LOFT, ROW):
        doubled.when(0, BuildDevelopment(card))
    both_done(doubled)
    assert board(doubled)["granted"]["double_recycles"] == 0


def test_the_archivist_draws_into_the_collection_area() -> None:
    land = Land(advisors=[QUILL], soldiers=1)
    top = ["dev_mint_tower", "dev_amber_strand", "adv_alchemist_drue"]
    table = planning(land, VALADOS, mode="quests", top=top[:2])
    table.when(0, ActivateAdvisor(QUILL))
    table.refuses(0, Validate(), "unresolved")
    drawn = board(table, 0, 0)["owed"]["drawn_cards"]
    assert len(drawn) == 3
    table.when(0, KeepDrawn("dev_mint_tower")).when(0, BuildDevelopment("dev_mint_tower"))
    assert [each["kind"] for each in board(table)["under_construction"]] == ["dev_mint_tower"]


CHART = "quest_the_drowned_beacon_3"


def charting(*top: str) -> Given:
    """The first player offers, while the second pays for a draw of three."""
    land = Land("duchy_valados", cubes={"gold": 1, "exploration": 2})
    table = choosing(Land(), land, mode="quests", top=top)
    return table.when(1, CompleteQuest(CHART))


def test_a_card_drawn_out_of_planning_is_built_or_recycled_at_once() -> None:
    table = charting("dev_mint_tower", "dev_amber_strand", "tre_dowry_procession")
    assert table.awaited() == [("offer", (0, 1))]
    table.when(1, KeepDrawn("dev_mint_tower"))
    assert board(table, 1)["owed"]["kept"] == ["dev_mint_tower"]
    table.refuses(1, BuildDevelopment("dev_amber_strand"), "unresolved")
    table.when(1, BuildDevelopment("dev_mint_tower"))
    assert table.awaited() == [("offer", (0,))]
    assert board(table, 1)["soldiers"] == 1


def test_a_treasure_drawn_out_of_planning_is_recycled() -> None:
    table = charting("dev_mint_tower", "dev_amber_strand", "tre_dowry_procession")
    table.when(1, KeepDrawn("tre_dowry_procession"))
    table.refuses(1, BuildDevelopment("tre_dowry_procession"), "not-buildable")
    table.when(1, RecycleCollected("tre_dowry_procession"))
    assert board(table, 1)["cubes"] == {"gold": 1, "population": 1}


def test_a_cube_of_choice_is_named_then_placed() -> None:
    land = Land(advisors=[NHIM], soldiers=1, building={"dev_mint_tower": {}})
    table = planning(land, VALADOS, mode="advisors").when(0, ActivateAdvisor(NHIM))
    table.refuses(0, ChooseCube("krystallium"), "no-choice")
    table.when(0, ChooseCube("gold")).when(0, PlaceCubes("dev_mint_tower-1", "gold"))
    assert board(table)["cubes"] == {"exploration": 1}


def test_transmuting_may_be_left_and_ends_by_itself_without_cubes() -> None:
    land = Land(advisors=[OSK], soldiers=1, cubes={"gold": 3})
    table = planning(land, VALADOS, mode="advisors").when(0, ActivateAdvisor(OSK))
    table.refuses(0, TransmuteCubes(["gold"]), "count")
    table.refuses(0, TransmuteCubes(["gold", "materials"]), "not-enough-cubes")
    declined = planning(land, VALADOS, mode="advisors").when(0, ActivateAdvisor(OSK))
    declined.when(0, DeclineEffect("transmute"))
    assert board(declined)["krystallium"] == 0
    table.when(0, TransmuteCubes(["gold", "gold"]))
    table.then_among(ev.EffectDeclined(0, "transmute", automatic=True))
    assert (board(table)["krystallium"], board(table)["cubes"]) == (1, {"gold": 1})


def test_a_card_completed_in_planning_produces_in_this_round() -> None:
    land = Land(building={YARD: {"materials": 1}}, collected=[GREEN])
    table = planning(land, VALADOS).when(0, RecycleCollected(GREEN))
    table.when(0, PlaceCubes(f"{YARD}-1", "materials"))
    assert kinds_constructed(table) == [YARD]
    (produced,) = [event for event in both_done(table) if isinstance(event, ev.CubesProduced)]
    assert produced.counts == [4, 2]


def test_menaces_demand_no_more_cards_than_there_are() -> None:
    events = [
        *lands(Land(menaces=["men_frost_1"] * 2), VALADOS),
        ev.OffersBegan(0),
        ev.AreaSelected(0, "left", []),
    ]
    table = given(GAME, events)
    assert reveal(ORIGINAL, table.state) == [ev.EffectGranted(0, "discard_collected", 1)]
