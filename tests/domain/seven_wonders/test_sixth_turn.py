"""The sixth turn: one of two cards is played, the other discarded without coins (7W 2.4, 2.5)."""

from domain.kernel.chance import DeckShuffled
from domain.seven_wonders import REDACTIONS
from domain.seven_wonders.commands import BuildStructure, DiscardForCoins
from domain.seven_wonders.events import (
    ActionChosen,
    CardDiscarded,
    ConflictsResolved,
    HandsDealt,
    HandsPassed,
    LeftoversDiscarded,
    PointsCounted,
)
from tests.domain.seven_wonders.tables import BOARDS, at, take_turn
from tests.given_when_then import secrets

HANDS = {0: ["altar", "tavern"], 1: ["baths", "theater"], 2: ["pawnshop", "stockade"]}


def test_the_card_not_played_is_discarded_without_coins() -> None:
    story = at(*BOARDS[:3], hands=HANDS, age=3, turn=6)
    take_turn(story, {0: BuildStructure("altar"), 1: BuildStructure("theater")})
    leftovers = story.last(LeftoversDiscarded)
    assert leftovers == LeftoversDiscarded([["tavern"], ["baths"], ["stockade"]], [])
    assert story.view()["discard_pile"] == 4
    assert story.coins() == [3, 3, 6]
    assert story.view()["hands"] == [0, 0, 0]


def test_the_player_chooses_which_of_the_two_is_played() -> None:
    """7W U8."""
    story = at(*BOARDS[:3], hands=HANDS, age=3, turn=6)
    assert story.legal(0) == [
        BuildStructure("altar"),
        DiscardForCoins("altar"),
        BuildStructure("tavern"),
        DiscardForCoins("tavern"),
    ]


def test_conflicts_and_the_next_age_follow_and_hands_are_not_passed() -> None:
    story = at(*BOARDS[:3], hands=HANDS, age=1, turn=6, chance=secrets())
    take_turn(story)
    story.then_types(
        ActionChosen,
        CardDiscarded,
        CardDiscarded,
        CardDiscarded,
        LeftoversDiscarded,
        ConflictsResolved,
        DeckShuffled,
        HandsDealt,
    )
    story.then_no(HandsPassed)


def test_after_the_last_age_points_are_counted() -> None:
    story = take_turn(at(*BOARDS[:3], hands=HANDS, age=3, turn=6))
    assert [type(event) for event in story.recorded[-2:]] == [ConflictsResolved, PointsCounted]
    assert story.awaited() == []
    assert story.legal(0) == []
    story.refuses(0, DiscardForCoins("tavern"), "not-your-turn")


def test_leftovers_lie_face_down() -> None:
    story = take_turn(at(*BOARDS[:3], hands=HANDS, age=3, turn=6))
    event = story.last(LeftoversDiscarded)
    secret = REDACTIONS[LeftoversDiscarded]
    assert secret is not None
    assert secret.hide(event, 1).hands == [["face-down"], ["theater"], ["face-down"]]
    assert secret.hide(event, -1).hands == [["face-down"]] * 3
