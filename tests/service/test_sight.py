"""What a seat learns from its own command, so that a batch cannot look first and decide later."""

from domain.catalogue import GAMES
from domain.kernel.match import Fact
from domain.wonderful_kingdom.events import CardPeeked
from service import sight
from tests import twins

KINGDOM = GAMES["its-a-wonderful-kingdom"]
CARD = next(iter(KINGDOM.catalogue()["cards"]))["id"]
PEEKED = [Fact(CardPeeked(0, "left", 0, CARD), "seat:0", "player")]


def test_a_card_that_was_face_down_is_learned_by_who_peeks() -> None:
    assert sight.learns(KINGDOM, frozenset(), 0, PEEKED)


def test_who_knows_the_card_learns_nothing() -> None:
    assert not sight.learns(KINGDOM, frozenset([CARD]), 0, PEEKED)


def test_the_other_seat_and_spectators_see_a_back() -> None:
    assert not sight.learns(KINGDOM, frozenset(), 1, PEEKED)
    assert not sight.learns(KINGDOM, frozenset(), -1, PEEKED)


def test_the_own_hand_is_known_and_other_hands_are_not() -> None:
    game = GAMES["seven-wonders"]
    told = [each.fact.event for each in twins.tell(game, 3, seed=5)]
    dealt = next(at for at, event in enumerate(told) if type(event).__name__ == "HandsDealt")
    match = twins.fold(game, told[: dealt + 1])
    for seat in range(3):
        assert set(told[dealt].hands[seat]) <= sight.seen(game, match, seat)
        others = {card for other in range(3) if other != seat for card in told[dealt].hands[other]}
        assert not sight.seen(game, match, seat) & (others - set(told[dealt].hands[seat]))
