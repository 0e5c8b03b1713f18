"""The choice phase: splits, selections in turn, traps and what changes their limit, advisors in it."""

import pytest

from domain.kernel.redaction import FACE_DOWN
from domain.wonderful.commands import PlaceKrystallium, Validate
from domain.wonderful_kingdom import GAME
from domain.wonderful_kingdom import events as ev
from domain.wonderful_kingdom.commands import (
    ActivateAdvisor,
    CompleteQuest,
    OfferCards,
    SalvageCard,
    ScrapDevelopment,
    SelectArea,
)
from tests.domain.wonderful_kingdom.tables import HAND, SEEDS, VALADOS, Land, board, choosing
from tests.given_when_then import Given

YARD, LOFT, ROW, GREEN, QUAY, BARLEY, ROAD = HAND
CORIN, AMARANTH, TASMIN = "adv_veilmaster_corin", "adv_herald_amaranth", "adv_envoy_tasmin"


def test_offers_and_selections_alternate_and_the_start_player_selects_last() -> None:
    for start in (0, 1):
        table = choosing(start=start, hands=([*HAND, YARD], [*HAND, YARD]))
        order = []
        while table.view()["phase"] in ("offer", "select"):
            seat = table.view()["acting"]
            order.append((table.view()["phase"], seat))
            table.when(seat, GAME.default_move(table.state, seat))
        other = 1 - start
        four = [("offer", start), ("select", other), ("offer", other), ("select", start)]
        assert order == four * 4


@pytest.mark.parametrize("start", [0, 1])
def test_the_split_is_fair_both_ways(start: int) -> None:
    """Whoever selects gets one area and leaves the other; what is left stays for the next split."""
    for area, rest in (("left", "right"), ("right", "left")):
        table = choosing(start=start)
        table.when(start, OfferCards(left=[YARD], right=[LOFT]))
        table.when(1 - start, SelectArea(area))
        taken = [laid["card"] for laid in board(table, 1 - start)["collection_area"]]
        left = [laid["card"] for laid in table.view()["areas"][rest]]
        cards = {"left": [SEEDS[0], YARD], "right": [SEEDS[1], LOFT]}
        assert (taken, left) == (cards[area], cards[rest])
        assert board(table, start)["collection_area"] == []
        assert table.view()["acting"] == 1 - start


def test_only_the_acting_player_offers_and_selects() -> None:
    table = choosing()
    table.refuses(1, OfferCards(left=[YARD, LOFT]), "not-your-turn")
    table.refuses(0, SelectArea("left"), "not-now")
    table.when(0, OfferCards(left=[LOFT, YARD][::-1]))
    table.refuses(0, SelectArea("left"), "not-your-turn")
    table.refuses(1, SelectArea("middle"), "no-such-area")


def test_an_offer_names_cards_of_the_hand_in_order() -> None:
    table = choosing()
    table.refuses(0, OfferCards(left=[LOFT, YARD]), "not-sorted")
    table.refuses(0, OfferCards(left=[YARD, YARD]), "not-in-hand")
    table.refuses(0, OfferCards(left=["men_rats_1"], right=[YARD]), "not-in-hand")


def test_two_face_down_cards_in_one_area_lie_in_either_order() -> None:
    """Their places tell nothing, as the one who lays them chooses them."""
    for down in ([YARD, LOFT], [LOFT, YARD]):
        table = choosing().when(0, OfferCards(left_face_down=down))
        assert [laid["card"] for laid in table.view(0)["areas"]["left"]] == [SEEDS[0], *down]
        assert [laid["card"] for laid in table.view(1)["areas"]["left"]] == [SEEDS[0], *[FACE_DOWN] * 2]


def test_an_advisor_raises_the_trap_limit_until_the_end_of_the_round() -> None:
    table = choosing(Land(advisors=[CORIN], soldiers=1), VALADOS, mode="advisors")
    assert board(table)["trap_limit"] == 2
    table.when(0, ActivateAdvisor(CORIN))
    assert (board(table)["trap_limit"], board(table)["traps_left"]) == (3, 3)
    table.when(0, OfferCards(left_face_down=[YARD, LOFT])).when(1, SelectArea("right"))
    table.when(1, OfferCards(left=[YARD, LOFT])).when(0, SelectArea("right"))
    assert table.allows(0, OfferCards(left=[ROW], right_face_down=[GREEN]))
    assert not table.allows(0, OfferCards(left_face_down=[ROW, GREEN]))


def test_the_trap_limit_is_never_below_zero() -> None:
    table = choosing(Land(menaces=["men_shadow_1"] * 3), VALADOS)
    assert board(table)["trap_limit"] == 0
    table.refuses(0, OfferCards(left=[YARD], left_face_down=[LOFT]), "no-trap-left")


def test_a_lowered_limit_counts_traps_already_used() -> None:
    table = choosing(Land(menaces=["men_shadow_1"]), VALADOS)
    table.when(0, OfferCards(left_face_down=[YARD], right=[LOFT]))
    assert (board(table)["trap_limit"], board(table)["traps_left"]) == (1, 0)


def selecting(*advisors: str, soldiers: int = 3) -> Given:
    """The second player, with advisors, selects; two cards in either area, one of them face down."""
    other = Land("duchy_valados", advisors=advisors, soldiers=soldiers)
    hands = ([*HAND, CORIN], [*HAND, YARD])
    table = choosing(Land(), other, mode="advisors", hands=hands)
    return table.when(0, OfferCards(left=[CORIN], left_face_down=[YARD]))


def test_the_herald_takes_a_face_up_card_of_the_other_area_too() -> None:
    table = selecting(AMARANTH)
    table.refuses(1, SelectArea("right", [0]), "no-extra")
    table.when(1, ActivateAdvisor(AMARANTH))
    assert board(table, 1)["soldiers"] == 1
    table.refuses(1, SelectArea("right", [2]), "no-extra")  # that one lies face down
    table.refuses(1, SelectArea("right", [0, 1]), "no-extra")
    table.when(1, SelectArea("right", [1]))
    table.then(ev.AreaSelected(1, "right", [1]), ev.AdvisorPlaced(1, CORIN, 1))
    assert [laid["card"] for laid in board(table, 1)["collection_area"]] == [SEEDS[1]]
    assert [each["card"] for each in board(table, 1)["advisors"]] == [AMARANTH, CORIN]
    assert [laid["card"] for laid in table.view()["areas"]["left"]] == [SEEDS[0], FACE_DOWN]
    table.when(1, OfferCards(left=[YARD, LOFT][1:], right=[ROW])).when(0, SelectArea("left"))
    assert board(table, 1)["granted"]["extra_cards"] == 0


def test_advisors_act_in_their_window_only() -> None:
    table = choosing(Land(advisors=[AMARANTH, TASMIN], soldiers=5), VALADOS, mode="advisors")
    table.refuses(0, ActivateAdvisor(AMARANTH), "wrong-time")
    table.refuses(0, ActivateAdvisor(TASMIN), "wrong-time")
    table.refuses(0, ActivateAdvisor(CORIN), "not-your-advisor")
    selected = selecting(CORIN)
    selected.refuses(1, ActivateAdvisor(CORIN), "wrong-time")
    selected.refuses(0, ActivateAdvisor(CORIN), "not-your-advisor")


def leftovers(*boards: Land, start: int = 0) -> Given:
    """After the eighth selection; everything went to the right area and was left or taken there."""
    hands = ([*HAND, YARD], [*HAND, YARD])
    table = choosing(*boards, mode="advisors", hands=hands, start=start)
    while table.view()["phase"] in ("offer", "select"):
        seat = table.view()["acting"]
        if table.view()["phase"] == "offer":
            first, second = table.view(seat)["hand"][:2]
            last = table.view()["turn"] == 14
            down = OfferCards(left=[first], left_face_down=[second])
            table.when(seat, down if last else OfferCards(left=[first, second]))
        else:
            table.when(seat, SelectArea("right"))
    return table


def test_leftovers_are_salvaged_start_player_first() -> None:
    for start in (0, 1):
        envoys = (
            Land(advisors=[TASMIN], soldiers=1),
            Land("duchy_valados", advisors=[TASMIN], soldiers=1),
        )
        table = leftovers(*envoys, start=start)
        assert table.awaited() == [("leftovers", (start,))]
        table.refuses(1 - start, ActivateAdvisor(TASMIN), "wrong-time")
        table.when(start, ActivateAdvisor(TASMIN)).when(start, SalvageCard("left", 0))
        assert {laid["card"] for laid in board(table, start)["collection_area"]} >= {SEEDS[0]}
        assert table.awaited() == [("leftovers", (1 - start,))]
        table.when(1 - start, Validate())
        assert table.view()["phase"] == "planning"


def test_face_down_leftovers_cannot_be_salvaged() -> None:
    table = leftovers(Land(advisors=[TASMIN], soldiers=1), VALADOS)
    table.refuses(0, SalvageCard("left", 0), "nothing-to-take")
    table.when(0, ActivateAdvisor(TASMIN))
    last = len(table.view()["areas"]["left"]) - 1
    assert table.view()["areas"]["left"][last]["card"] == FACE_DOWN
    table.refuses(0, SalvageCard("left", last), "nothing-to-take")


def test_nobody_is_asked_for_leftovers_without_an_envoy_and_a_soldier() -> None:
    assert leftovers(Land(advisors=[TASMIN]), VALADOS).view()["phase"] == "planning"


def test_free_actions_are_open_to_the_player_who_is_not_asked() -> None:
    land = Land(
        "duchy_valados",
        building={"dev_mint_tower": {"gold": 2}, "dev_amber_strand": {}},
        krystallium=1,
        soldiers=2,
        cubes={"materials": 3},
    )
    table = choosing(Land(), land, mode="quests")
    assert table.awaited() == [("offer", (0,))]
    assert GAME.decisions(table.state)[0].revisable == (1,)
    table.when(1, CompleteQuest("quest_the_drowned_beacon_1"))
    table.when(1, PlaceKrystallium("dev_mint_tower-1", "gold"))
    table.when(1, ScrapDevelopment("dev_amber_strand-1"))
    assert table.awaited() == [("offer", (0,))]
    table.when(0, OfferCards(left=[YARD, LOFT]))


def test_what_a_quest_brings_is_placed_before_one_selects() -> None:
    land = Land(
        "duchy_valados", building={"dev_longhouse_row": {}, "dev_honest_assayers": {}}, cubes={"materials": 3}
    )
    table = choosing(Land(), land, mode="quests").when(0, OfferCards(left=[YARD, LOFT]))
    table.when(1, CompleteQuest("quest_the_drowned_beacon_1"))
    table.refuses(1, SelectArea("left"), "cubes-left")
    assert table.awaited() == [("select", (1,))]
