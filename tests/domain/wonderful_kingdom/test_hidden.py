"""Hidden information: twin worlds, peeking, the advisors drawn, the menaces left, cards drawn."""

import random
from dataclasses import replace

import pytest

from domain.kernel import match as matches
from domain.kernel.redaction import FACE_DOWN, redact
from domain.kernel.seats import SPECTATOR
from domain.kernel.table import OVER, MatchEnded
from domain.wonderful_kingdom import GAME, ORIGINAL
from domain.wonderful_kingdom.commands import (
    ActivateAdvisor,
    ChooseMenace,
    CompleteQuest,
    KeepAdvisor,
    KeepDrawn,
    OfferCards,
    PeekCard,
    SelectArea,
)
from domain.wonderful_kingdom.events import (
    AdvisorKept,
    AdvisorsDrawn,
    CardPeeked,
    CardsDrawn,
    CardsOffered,
    HandsDealt,
    MenaceChosen,
)
from tests import twins
from tests.domain.wonderful_kingdom.matches import MODES, begin
from tests.domain.wonderful_kingdom.tables import HAND, VALADOS, Land, board, choosing, lands, planning
from tests.given_when_then import Given, given, secrets

VEY = "adv_listener_vey"
YARD, LOFT, ROW = HAND[:3]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(3))
def test_twin_worlds_look_the_same_to_whom_they_hide_their_difference(mode: str, seed: int) -> None:
    told = twins.tell(GAME, 2, seed, mode=mode, side="AB"[seed % 2])
    dice, compared, moved = random.Random(seed), 0, 0
    kinds = dict(ORIGINAL.kinds)
    for viewer in twins.viewers(2):
        for _ in range(12):
            until = dice.randrange(1, len(told))
            if any(isinstance(each.fact.event, MatchEnded) for each in told[:until]):
                continue
            other = twins.twin(GAME, told[:until], viewer, kinds, dice)
            if other is None:
                continue
            one, two = (twins.fold(GAME, [each.fact.event for each in log]) for log in (told[:until], other))
            assert matches.view(GAME, one, viewer) == matches.view(GAME, two, viewer)
            if one.play is not None and one.status != OVER and viewer != SPECTATOR:
                assert GAME.decisions(one.play) == GAME.decisions(two.play)
                moves = GAME.legal_moves(one.play, viewer)
                assert moves == GAME.legal_moves(two.play, viewer)
                assert GAME.refused(one.play, viewer) == GAME.refused(two.play, viewer)
                for move in dice.sample(moves, min(5, len(moves))):
                    assert GAME.describe(one.play, viewer, move) == GAME.describe(two.play, viewer, move)
                moved += 1
            compared += 1
    assert compared > 15 and moved > 5


def trapped() -> Given:
    """Two face-down cards, one in either area; the second player, with the Listener, selects."""
    table = choosing(Land(), Land("duchy_valados", advisors=[VEY], soldiers=1), mode="advisors")
    return table.when(0, OfferCards(left_face_down=[YARD], right_face_down=[LOFT]))


def test_peeking_shows_the_card_to_the_peeker_only() -> None:
    table = trapped().when(1, ActivateAdvisor(VEY)).when(1, PeekCard("left", 1))
    shown = {viewer: table.view(viewer)["areas"] for viewer in (0, 1, SPECTATOR)}
    assert [area[1]["card"] for area in shown[1].values()] == [YARD, FACE_DOWN]
    assert [area[1]["card"] for area in shown[SPECTATOR].values()] == [FACE_DOWN, FACE_DOWN]
    assert shown[SPECTATOR]["left"][1]["seen_by"] == [0, 1]  # that a peek happened is public


def test_a_peeked_card_stays_known_to_the_peeker_after_the_other_area_was_taken() -> None:
    table = trapped().when(1, ActivateAdvisor(VEY)).when(1, PeekCard("left", 1)).when(1, SelectArea("right"))
    assert table.view(1)["areas"]["left"][1]["card"] == YARD
    assert board(table, 1, 1)["collection_area"][1]["card"] == FACE_DOWN
    assert board(table, 1, 0)["collection_area"][1]["card"] == LOFT


def test_only_unknown_face_down_cards_are_peeked_at_and_no_more_than_allowed() -> None:
    table = trapped()
    table.refuses(1, PeekCard("left", 1), "nothing-to-peek")
    table.when(1, ActivateAdvisor(VEY))
    table.refuses(1, PeekCard("left", 0), "nothing-to-peek")
    table.when(1, PeekCard("left", 1)).refuses(1, PeekCard("left", 1), "nothing-to-peek")
    table.when(1, PeekCard("right", 1)).refuses(1, PeekCard("right", 0), "nothing-to-peek")
    table.refuses(1, PeekCard("left", 7), "no-such-card")


def test_unused_peeks_are_gone_with_the_selection() -> None:
    table = trapped().when(1, ActivateAdvisor(VEY)).when(1, SelectArea("left"))
    assert board(table, 1)["granted"]["peeks"] == 0


def test_the_advisor_kept_is_secret_until_both_have_chosen_and_the_other_for_ever() -> None:
    state, _, chance = begin(GAME, {"mode": "advisors"}, 5)
    table = Given(GAME, state, chance)
    first = [table.view(seat)["advisors"]["drawn"] for seat in (0, 1)]
    table.when(0, KeepAdvisor(first[0][1]))
    assert table.view(1)["advisors"] == {"drawn": first[1], "chosen": [True, False], "choice": None}
    assert table.view(0)["advisors"]["choice"] == first[0][1]
    table.refuses(0, KeepAdvisor(first[0][0]), "already-chosen")
    table.refuses(1, KeepAdvisor(first[0][0]), "not-drawn")
    table.when(1, KeepAdvisor(first[1][0]))
    assert [each["card"] for each in board(table, 0)["advisors"]] == [first[0][1]]
    assert table.view(0)["advisors"]["drawn"] == [first[0][0]]
    assert table.view(SPECTATOR)["advisors"]["drawn"] is None
    dealt = {*state.deck, *(card for hand in state.hands for card in hand)}
    assert not dealt & {*first[0], *first[1]}


def test_the_menace_chosen_is_in_the_hand_and_known_to_nobody_else() -> None:
    events = [
        replace(event, incomplete=True) if isinstance(event, HandsDealt) else event
        for event in lands(Land(), VALADOS, hands=(HAND, HAND))
    ]
    table = given(GAME, events, secrets(seats=2)).when(0, ChooseMenace("men_rats_2"))
    assert "men_rats_2" in table.view(0)["hand"]
    assert board(table, 0, 0)["menaces_in_set"] == ["men_rats_1", "men_rats_3", "men_rats_4"]
    assert board(table, 0, 1)["menaces_in_set"] is None
    assert board(table, 0, 1)["menaces_left"] == 3
    assert board(table, 0, 1)["menace_chosen"]
    assert "men_rats_2" not in str(table.view(1))
    table.refuses(0, ChooseMenace("men_rats_1"), "already-chosen")
    table.refuses(1, ChooseMenace("men_rats_1"), "not-in-set")


def test_drawn_cards_are_seen_by_the_drawer_and_the_kept_one_and_the_discards_by_all() -> None:
    chart = "quest_the_drowned_beacon_3"
    land = Land(cubes={"gold": 1, "exploration": 2})
    top = ["dev_mint_tower", "dev_amber_strand", "tre_dowry_procession"]
    table = planning(land, VALADOS, mode="quests", top=top).when(0, CompleteQuest(chart))
    assert board(table, 0, 0)["owed"]["drawn_cards"] == sorted(top)
    assert board(table, 0, 1)["owed"]["drawn_cards"] is None
    assert board(table, 0, 1)["owed"]["drawn"] == 3
    table.when(0, KeepDrawn("dev_mint_tower"))
    assert board(table, 0, 1)["collection_area"] == [{"card": "dev_mint_tower"}]
    assert table.view(1)["discard_pile"] == ["dev_amber_strand", "tre_dowry_procession"]


HIDING = [
    (CardsOffered(0, [YARD], [], [LOFT], [ROW]), CardsOffered(0, [YARD], [], [FACE_DOWN], [FACE_DOWN])),
    (CardPeeked(0, "left", 1, YARD), CardPeeked(0, "left", 1, FACE_DOWN)),
    (MenaceChosen(0, "men_rats_1"), MenaceChosen(0, FACE_DOWN)),
    (AdvisorKept(0, VEY), AdvisorKept(0, FACE_DOWN)),
    (CardsDrawn(0, [YARD, LOFT], 1), CardsDrawn(0, [FACE_DOWN] * 2, 1)),
    (HandsDealt(1, 0, [[YARD], []], [LOFT, ROW]), HandsDealt(1, 0, [[FACE_DOWN], []], [LOFT, ROW])),
    (AdvisorsDrawn([[VEY], []]), AdvisorsDrawn([[FACE_DOWN], []])),
]


@pytest.mark.parametrize(("event", "hidden"), HIDING, ids=lambda event: type(event).__name__)
def test_an_event_shows_its_hidden_cards_to_the_acting_seat_alone(event: object, hidden: object) -> None:
    assert redact(GAME.REDACTIONS, event, 0) == event
    assert redact(GAME.REDACTIONS, event, 1) == redact(GAME.REDACTIONS, event, SPECTATOR) == hidden
