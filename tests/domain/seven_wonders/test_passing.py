"""Hands are passed after turns 1 to 5 (7W 2.3)."""

import pytest

from domain.seven_wonders import REDACTIONS
from domain.seven_wonders.events import HandsPassed
from tests.domain.seven_wonders.tables import BOARDS, at, take_turn

CARDS = ["altar", "baths", "tavern", "theater", "pawnshop", "stockade", "barracks"]


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
@pytest.mark.parametrize(("age", "step"), [(1, 1), (2, -1), (3, 1)])
def test_hands_go_to_the_left_in_age_ii_to_the_right(seats: int, age: int, step: int) -> None:
    """The left neighbour of seat i is seat i + 1 (7W 1.1)."""
    hands = {seat: ["altar", CARDS[seat]] for seat in range(1, seats)} | {0: ["altar", "altar"]}
    story = take_turn(at(*BOARDS[:seats], hands=hands, age=age))
    for seat in range(seats):
        (card,) = story.view((seat + step) % seats)["hand"]
        assert card == (CARDS[seat] if seat else "altar")
    assert story.view()["passing"] == ("right" if age == 2 else "left")


@pytest.mark.parametrize("turn", [1, 2, 3, 4, 5])
def test_after_turns_one_to_five_the_next_turn_begins(turn: int) -> None:
    story = take_turn(at(*BOARDS[:3], turn=turn))
    assert isinstance(story.recorded[-1], HandsPassed)
    assert story.view()["turn"] == turn + 1
    assert story.awaited() == [("choose", (0, 1, 2))]


def test_a_passed_hand_keeps_its_order_whatever_was_taken_from_it() -> None:
    """Where a card lay must not tell what was taken."""
    hands = {0: ["tavern", "altar", "loom_age1", "baths"]}
    story = take_turn(at(*BOARDS[:3], hands=hands))
    assert story.view(1)["hand"] == ["baths", "loom_age1", "tavern"]


def test_a_seat_sees_the_hand_it_gets_and_only_that() -> None:
    story = take_turn(at(*BOARDS[:3], hands={0: ["altar", "baths"]}))
    event = story.last(HandsPassed)
    secret = REDACTIONS[HandsPassed]
    assert secret is not None
    assert event.hands == [["guard_tower"], ["baths"], ["guard_tower"]]
    assert secret.hide(event, 1).hands == [["face-down"], ["baths"], ["face-down"]]
    assert secret.hide(event, -1).hands == [["face-down"]] * 3
    assert list(secret.seats(event)) == [0, 1, 2]
