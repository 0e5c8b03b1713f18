"""The first table and the beginning of each Age (7W 1, 2.1)."""

from collections import Counter

import pytest

from domain import seven_wonders
from domain.kernel.chance import DeckShuffled
from domain.kernel.table import MatchStarted
from domain.seven_wonders.cards import CARDS, GUILDS, deck
from domain.seven_wonders.events import BoardDealt, HandsDealt, TableSet
from domain.seven_wonders.wonders import WONDERS
from tests.domain.seven_wonders.tables import BOARDS, Vector, at, options, take_turn, vector
from tests.given_when_then import Given, given, secrets

SEATS = (3, 4, 5, 6, 7)


def started(seats: int, match: str = "mat_test") -> Given:
    """A match that has just begun, with default options."""
    events = [MatchStarted(seats, options())]
    return given(seven_wonders, events, secrets(match, seats)).when_nobody_acts()


@vector("FLO-20")
def test_vector_of_the_starting_state(vector: Vector) -> None:
    expect = vector["expect"]
    for seats in SEATS:
        story = started(seats)
        for seat in range(seats):
            city = story.city(seat)
            assert (city["coins"], city["shields"]) == (expect["coins"], expect["shields"])
            assert (city["stages"], city["cards"], city["tokens"]) == (expect["stages"], [], [])
            assert len(story.view(seat)["hand"]) == expect["hand"]
        assert story.awaited() == [("choose", tuple(range(seats)))]
        assert (story.view()["age"], story.view()["turn"]) == (1, 1)


@pytest.mark.parametrize("seats", SEATS)
def test_every_seat_gets_a_wonder_of_its_own_and_a_side_by_chance(seats: int) -> None:
    """7W 1.5."""
    sides = set()
    for match in range(20):
        story = started(seats, f"mat_{match}")
        dealt = [event for event in story.recorded if isinstance(event, BoardDealt)]
        assert [event.city for event in dealt] == list(range(seats))
        assert len({event.wonder for event in dealt}) == seats
        assert {event.wonder for event in dealt} <= set(WONDERS)
        sides |= {event.side for event in dealt}
    assert sides == {"A", "B"}


def test_the_board_is_the_face_that_was_drawn_first() -> None:
    story = started(7)
    draw = story.recorded[1]
    assert isinstance(draw, DeckShuffled)
    assert draw.label == "seven_wonders/boards"
    assert sorted(draw.output) == draw.input
    first: dict[str, str] = {}
    for face in draw.output:
        first.setdefault(face.split(":")[0], face)
    dealt = [event for event in story.recorded if isinstance(event, BoardDealt)]
    assert [f"{event.wonder}:{event.side}" for event in dealt] == list(first.values())


def test_the_facts_of_the_beginning_in_their_order() -> None:
    story = started(3)
    story.then_types(TableSet, DeckShuffled, BoardDealt, BoardDealt, BoardDealt, DeckShuffled, HandsDealt)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("age", [1, 2, 3])
def test_an_age_deals_its_own_deck_seven_cards_a_seat(seats: int, age: int) -> None:
    """7W 1.2-1.4, 2.1; Age III with n + 2 guilds."""
    story = started(seats)
    if age > 1:
        story = at(*BOARDS[:seats], age=age - 1, turn=6, chance=secrets("mat_test", seats))
        take_turn(story)
    dealt = story.last(HandsDealt)
    assert (dealt.age, dealt.pile) == (age, [])
    assert [len(hand) for hand in dealt.hands] == [7] * seats
    cards = Counter(card for hand in dealt.hands for card in hand)
    guilds = Counter(card for card in cards.elements() if card in GUILDS)
    assert cards - guilds == Counter(deck(age, seats))
    assert sum(guilds.values()) == (seats + 2 if age == 3 else 0)
    assert max(guilds.values(), default=1) == 1
    assert all(CARDS[card].age == age for card in cards)
    assert [story.view(seat)["hand"] for seat in range(seats)] == dealt.hands
    assert (story.view()["age"], story.view()["turn"]) == (age, 1)


@pytest.mark.parametrize("seats", SEATS)
def test_hands_are_dealt_from_the_shuffled_deck_seat_by_seat(seats: int) -> None:
    story = started(seats)
    draws = [event for event in story.recorded if isinstance(event, DeckShuffled)]
    assert [draw.label for draw in draws] == ["seven_wonders/boards", "seven_wonders/age-1/deck"]
    order = draws[-1].output
    dealt = story.last(HandsDealt).hands
    assert dealt == [sorted(order[7 * seat : 7 * seat + 7]) for seat in range(seats)]


def test_guilds_are_drawn_before_the_deck_of_age_iii_is_shuffled() -> None:
    story = at(*BOARDS[:4], age=2, turn=6, chance=secrets("mat_test", 4))
    take_turn(story)
    guilds, shuffled = (event for event in story.recorded if isinstance(event, DeckShuffled))
    assert (guilds.label, guilds.count, guilds.input) == ("seven_wonders/guilds", 6, list(GUILDS))
    assert (shuffled.label, shuffled.count) == ("seven_wonders/age-3/deck", 28)
    assert shuffled.input == sorted(deck(3, 4) + guilds.output)


def test_nobody_sees_a_draw_or_the_hand_of_another() -> None:
    story = started(3)
    for event in story.recorded:
        secret = seven_wonders.REDACTIONS[type(event)]
        if isinstance(event, DeckShuffled):
            assert secret is not None
            for viewer in (-1, 0, 1, 2):
                shown = secret.hide(event, viewer)
                assert set(shown.output) == set(shown.input) == {"face-down"}
                assert (shown.label, shown.count) == (event.label, event.count)
        if isinstance(event, HandsDealt):
            assert secret is not None
            for viewer in (-1, 0, 1, 2):
                for seat, hand in enumerate(secret.hide(event, viewer).hands):
                    assert hand == (event.hands[seat] if seat == viewer else ["face-down"] * 7)
