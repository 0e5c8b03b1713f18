"""Discarding a card for coins (7W 3.3, 3.4)."""

from domain.kernel.redaction import FACE_DOWN
from domain.seven_wonders import REDACTIONS
from domain.seven_wonders.commands import BuildStructure, DiscardForCoins
from domain.seven_wonders.events import CardDiscarded
from tests.domain.seven_wonders.tables import BOARDS, Vector, at, take_turn, town, vector


@vector("FLO-04")
def test_vector_of_discarding_for_coins(vector: Vector) -> None:
    given, expect = vector["given"], vector["expect"]
    towns = [town(board, coins=given["coins"]) for board in BOARDS[:3]]
    story = take_turn(at(*towns, hands={seat: ["altar"] for seat in range(3)}))
    assert story.coins() == [expect["coins"]] * 3
    assert story.view()["discard_pile"] == 3 * expect["discard_pile_grows_by"]


def test_a_card_may_be_discarded_although_it_could_be_built() -> None:
    """7W 3.3."""
    story = at(*BOARDS[:3], hands={0: ["altar"]})
    assert story.legal(0) == [BuildStructure("altar"), DiscardForCoins("altar")]


def test_what_can_be_neither_built_nor_a_marker_must_be_discarded() -> None:
    """7W 3.4."""
    story = at(*(town(board, coins=0) for board in BOARDS[:3]), hands={0: ["palace", "pantheon"]}, age=3)
    assert story.legal(0) == [DiscardForCoins("palace"), DiscardForCoins("pantheon")]


def test_a_discarded_card_has_no_effect() -> None:
    story = take_turn(at(*BOARDS[:3], hands={0: ["tavern"]}), {0: DiscardForCoins("tavern")})
    assert story.coins()[0] == 6
    assert story.city(0)["cards"] == []


def test_only_who_discarded_a_card_knows_it() -> None:
    """7W U7, U9."""
    story = take_turn(at(*BOARDS[:3], hands={0: ["tavern"]}), {0: DiscardForCoins("tavern")})
    event = next(event for event in story.recorded if isinstance(event, CardDiscarded))
    secret = REDACTIONS[CardDiscarded]
    assert secret is not None
    assert event == CardDiscarded(0, 0, "tavern", False, 3) == secret.hide(event, 0)
    assert {secret.hide(event, viewer).card for viewer in (-1, 1, 2)} == {FACE_DOWN}
    assert all("tavern" not in str(story.view(viewer)) for viewer in (-1, 0, 1, 2))
