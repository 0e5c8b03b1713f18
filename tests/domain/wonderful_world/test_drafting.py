"""Dealing, picking in secret, revealing, passing (rules 4, 12.1)."""

from itertools import pairwise
from typing import Any

import pytest

from domain import wonderful_world
from domain.kernel.chance import DeckShuffled
from domain.kernel.engine import record, settle
from domain.kernel.game import Event
from domain.kernel.redaction import FACE_DOWN, redact
from domain.kernel.seats import SPECTATOR
from domain.kernel.table import MatchStarted
from domain.wonderful.commands import Validate
from domain.wonderful_world.commands import DraftCard, WithdrawPick
from domain.wonderful_world.decks import ASCENSION
from domain.wonderful_world.events import (
    CardDrafted,
    EmpiresDealt,
    HandsDealt,
    HandsPassed,
    LeftoversDiscarded,
    PicksRevealed,
    PickWithdrawn,
    PlanningBegan,
)
from tests.domain.wonderful_world.tables import DEFAULTS, VECTORS, board
from tests.given_when_then import Given, given, secrets


def start(seats: int, **options: Any) -> Given:
    """A match just begun; `recorded` is how."""
    table = given(wonderful_world, [], secrets(seats=seats))
    record(wonderful_world, table.state, [MatchStarted(seats, {**DEFAULTS, **options})], table.recorded)
    settle(wonderful_world, table.state, table.chance, table.recorded)
    return table


def pick_first(table: Given, seats: int) -> None:
    for seat in range(seats):
        table.when(seat, DraftCard(table.state.hands[seat][0]))


def to_next_round(table: Given, seats: int) -> HandsDealt:
    """Default moves until hands are dealt again."""
    while True:
        for decision in wonderful_world.decisions(table.state):
            seat = decision.awaited[0]
            table.when(seat, wonderful_world.default_move(table.state, seat))
        dealt = [event for event in table.recorded if isinstance(event, HandsDealt)]
        if dealt:
            return dealt[0]


def test_a_match_begins_with_empires_a_deck_and_hands() -> None:
    table = start(3)
    table.then_types(MatchStarted, DeckShuffled, EmpiresDealt, DeckShuffled, HandsDealt)
    labels = [event.label for event in table.recorded if isinstance(event, DeckShuffled)]
    assert labels == ["wonderful_world/empires", "wonderful_world/deck"]
    dealt = table.last(EmpiresDealt)
    assert len(set(dealt.empires)) == 3
    assert dealt.krystallium == [0, 0, 0]
    assert [len(hand) for hand in table.last(HandsDealt).hands] == [7, 7, 7]
    assert all(hand == sorted(hand) for hand in table.last(HandsDealt).hands)


def test_side_c_starts_with_five_krystallium_and_produces_nothing() -> None:
    table = start(4, side="C")
    assert [board(table, seat)["krystallium"] for seat in range(4)] == [5] * 4
    assert not any(board(table)["production"].values())


def test_vector_d02_two_players_pick_seven_of_ten_and_discard_three() -> None:
    vector = VECTORS["D02"]
    table = start(2)
    assert [len(hand) for hand in table.state.hands] == [vector["given"]["dealt"]] * 2
    for _ in range(7):
        pick_first(table, 2)
    table.then_types(CardDrafted, PicksRevealed, LeftoversDiscarded, PlanningBegan)
    left = table.last(LeftoversDiscarded).hands
    assert [len(hand) for hand in left] == [vector["then"]["discarded_per_player"]] * 2
    assert table.view()["discard_pile"] == sorted(left[0] + left[1])
    assert len(board(table)["draft_area"]) == vector["then"]["draft_area"]
    assert board(table)["loose_cubes"] == vector["then"]["cubes_gained"]


def test_vector_d03_hands_pass_to_the_left_and_to_the_right_in_turn() -> None:
    table = start(4)
    for number in range(1, 5):
        goes_to = VECTORS["D03"]["then"][str(number)]
        rest = [sorted(hand[1:]) for hand in table.state.hands]
        pick_first(table, 4)
        passed = table.last(HandsPassed)
        assert passed.to == ("left" if number % 2 else "right")
        assert [passed.hands[goes_to[seat]] for seat in range(4)] == rest
        if number < 4:
            to_next_round(table, 4)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_vector_d04_and_f10_the_deck_lasts_for_four_rounds(seats: int) -> None:
    table = start(seats)
    sizes = [table.view()["deck"]]
    for _ in range(3):
        to_next_round(table, seats)
        sizes.append(table.view()["deck"])
    assert sizes == VECTORS["D04"]["then"][str(seats)]
    if seats == VECTORS["F10"]["given"]["players"]:
        assert sizes[-1] == VECTORS["F10"]["then"]["deck"]


def test_vector_d05_a_pick_is_hidden_until_all_have_picked() -> None:
    table = start(3)
    first, second = table.state.hands[0][0], table.state.hands[1][0]
    before = table.view(1)
    table.when(0, DraftCard(first)).then(CardDrafted(0, first))
    assert VECTORS["D05"]["then"]["visible"] == "only that player 0 has picked"
    for viewer in (1, 2, SPECTATOR):
        hidden = redact(wonderful_world.REDACTIONS, table.recorded[0], viewer)
        assert hidden == CardDrafted(0, FACE_DOWN)
    assert redact(wonderful_world.REDACTIONS, table.recorded[0], 0) == CardDrafted(0, first)
    assert table.view(1) == {**before, "picked": [True, False, False]}
    assert table.view(0)["pick"] == first
    table.when(1, DraftCard(second))
    assert table.view(2)["picked"] == [True, True, False]
    table.when(2, DraftCard(table.state.hands[2][0]))
    assert board(table)["draft_area"] == [first]
    assert board(table, 1)["draft_area"] == [second]


def test_vector_d07_a_second_pick_is_refused() -> None:
    table = start(3)
    hand = table.state.hands[0]
    table.when(0, DraftCard(hand[0]))
    reason = table.refuses(0, DraftCard(hand[1]), VECTORS["D07"]["then"]["error"].replace(" ", "-"))
    assert "picked" in reason.detail


def test_a_pick_is_taken_back_as_long_as_somebody_thinks() -> None:
    table = start(3)
    hand = list(table.state.hands[0])
    table.refuses(0, WithdrawPick(), "nothing-picked")
    table.when(0, DraftCard(hand[0]))
    assert wonderful_world.decisions(table.state)[0].revisable == (0,)
    table.when(0, WithdrawPick()).then(PickWithdrawn(0))
    assert table.awaited() == [("draft", (0, 1, 2))]
    table.when(0, DraftCard(hand[1]))
    table.when(1, DraftCard(table.state.hands[1][0])).when(2, DraftCard(table.state.hands[2][0]))
    assert board(table)["draft_area"] == [hand[1]]
    table.refuses(0, WithdrawPick(), "nothing-picked")


@pytest.mark.parametrize(
    ("command", "code"),
    [(DraftCard("zeppelin-1"), "not-in-hand"), (DraftCard(""), "not-in-hand"), (Validate(), "not-now")],
    ids=str,
)
def test_only_a_card_of_the_hand_is_picked(command: object, code: str) -> None:
    start(3).refuses(0, command, code)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7])
def test_vector_d08_the_deal_with_ascension(seats: int) -> None:
    base, extra = VECTORS["D08"]["then"][str(seats)]
    table = start(seats, corruption_and_ascension=True)
    for _ in range(4):
        for hand in table.state.hands:
            assert sum(card in ASCENSION for card in hand) == extra
            assert sum(card not in ASCENSION for card in hand) == base
        assert table.view()["hands"] == [{"cards": base + extra, "ascension": extra}] * seats
        for _ in range(7 if base + extra > 7 else 6):
            pick_first(table, seats)
        table.then_among(PlanningBegan(table.state.round))
        assert [len(board(table, seat)["draft_area"]) for seat in range(seats)] == [7] * seats
        if table.state.round < 4:
            to_next_round(table, seats)
    assert len(table.state.ascension) == 56 - 4 * seats * extra
    if seats == 7:
        assert table.state.ascension == []


@pytest.mark.parametrize(("seats", "played"), [(5, False), (6, True), (7, True)])
def test_six_and_seven_players_always_play_with_ascension(seats: int, played: bool) -> None:
    table = start(seats)
    assert (table.view()["ascension_deck"] > 0 or seats == 7) == played
    assert (sum(hand["ascension"] for hand in table.view()["hands"]) > 0) == played


def test_everybody_sees_the_backs_in_a_hand_and_nothing_more() -> None:
    table = start(3, corruption_and_ascension=True)
    hidden = redact(wonderful_world.REDACTIONS, table.last(HandsDealt), 1)
    assert hidden.hands[0] == [FACE_DOWN] * 9
    assert hidden.ascension == [3, 3, 3]
    for _ in range(3):
        pick_first(table, 3)
        for seat, hand in enumerate(table.state.hands):
            assert table.view()["hands"][seat]["ascension"] == sum(card in ASCENSION for card in hand)


def test_the_last_single_card_is_taken_by_itself() -> None:
    table = start(3)
    for _ in range(6):
        pick_first(table, 3)
    table.then_types(CardDrafted, PicksRevealed, HandsPassed, PicksRevealed, PlanningBegan)
    assert [len(board(table, seat)["draft_area"]) for seat in range(3)] == [7] * 3
    assert table.view(0)["hand"] == []


def test_a_passed_hand_says_nothing_about_the_place_of_the_picked_card() -> None:
    table = start(3)
    for _ in range(5):
        table.when(0, DraftCard(table.state.hands[0][-1]))
        for seat in (1, 2):
            table.when(seat, DraftCard(table.state.hands[seat][0]))
        assert all(hand == sorted(hand) for hand in table.last(HandsPassed).hands)


def test_two_copies_in_a_hand_are_one_choice_and_one_stays() -> None:
    events: list[Event] = [
        MatchStarted(2, DEFAULTS),
        EmpiresDealt("A", ["noram_states", "aztec_empire"], [0, 0]),
        HandsDealt(1, [["zeppelin"] * 10, ["museum"] * 10], [0, 0]),
    ]
    table = given(wonderful_world, events)
    assert table.legal(0) == [DraftCard("zeppelin")]
    table.when(0, DraftCard("zeppelin")).when(1, DraftCard("museum"))
    assert table.last(HandsPassed).hands == [["museum"] * 9, ["zeppelin"] * 9]


def test_the_default_pick_is_the_first_card_of_the_hand() -> None:
    table = start(3)
    assert wonderful_world.default_move(table.state, 1) == DraftCard(table.state.hands[1][0])


def test_every_draw_has_a_label_of_its_own_and_a_sorted_input() -> None:
    table = start(7, war_or_peace=True)
    draws = [event for event in table.recorded if isinstance(event, DeckShuffled)]
    assert len({event.label for event in draws}) == len(draws) == 3
    for event in draws:
        assert all(one <= other for one, other in pairwise(event.input))
        assert event.output == table.chance.shuffled(event.label, event.input)[: event.count]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)], ids=str)
def test_picks_may_come_in_any_order(order: tuple[int, ...]) -> None:
    table, expected = start(3), start(3)
    picks = [hand[2] for hand in table.state.hands]
    expected.when_all(*map(DraftCard, picks))
    for seat in order:
        table.when(seat, DraftCard(picks[seat]))
    assert table.state == expected.state
    assert table.recorded[1:] == expected.recorded[1:]
    assert table.recorded[1] == PicksRevealed(picks)
