"""Boards that are dealt or chosen (7W 1.5)."""

import pytest

from domain import seven_wonders
from domain.kernel.chance import DeckShuffled
from domain.kernel.table import MatchStarted
from domain.seven_wonders.commands import ChooseBoard, DiscardForCoins
from domain.seven_wonders.events import (
    BoardChoiceOpened,
    BoardChosen,
    BoardDealt,
    BoardsOffered,
    HandsDealt,
    TableSet,
)
from domain.seven_wonders.wonders import WONDERS
from tests.domain.seven_wonders.tables import options
from tests.given_when_then import Given, given, secrets


def started(seats: int, match: str = "mat_test", **chosen: object) -> Given:
    events = [MatchStarted(seats, options(**chosen))]
    return given(seven_wonders, events, secrets(match, seats)).when_nobody_acts()


def faces(story: Given) -> list[str]:
    return [f"{city['wonder']}:{city['side']}" for city in story.view()["cities"]]


@pytest.mark.parametrize("seats", [2, 3, 7])
def test_side_a_only(seats: int) -> None:
    story = started(seats, sides="A")
    assert {face[-1] for face in faces(story)} == {"A"}
    assert isinstance(story.recorded[1], DeckShuffled)
    assert len(story.recorded[1].input) == 7
    assert story.awaited() == [("choose", tuple(range(seats)))]


def test_sides_may_be_chosen_in_seat_order() -> None:
    story = started(3, sides="choose")
    story.then_types(
        TableSet, DeckShuffled, BoardDealt, BoardDealt, BoardDealt, BoardsOffered, BoardChoiceOpened
    )
    dealt = [event.wonder for event in story.recorded if isinstance(event, BoardDealt)]
    assert story.last(BoardsOffered).boards == sorted(f"{wonder}:{side}" for wonder in dealt for side in "AB")
    assert [(city["wonder"], city["side"]) for city in story.view()["cities"]] == [(w, None) for w in dealt]
    for seat, wonder in enumerate(dealt):
        assert story.awaited() == [("board", (seat,))]
        assert story.legal(seat) == [ChooseBoard(wonder, "A"), ChooseBoard(wonder, "B")]
        story.refuses(seat, ChooseBoard(dealt[seat - 1], "A"), "board-not-free")
        story.refuses(seat, DiscardForCoins("altar"), "not-now")
        story.refuses((seat + 1) % 3, ChooseBoard(dealt[(seat + 1) % 3], "A"), "not-your-turn")
        story.when(seat, ChooseBoard(wonder, "AB"[seat % 2]))
        assert story.recorded[0] == BoardChosen(seat, wonder, "AB"[seat % 2])
    assert isinstance(story.recorded[-1], HandsDealt)
    assert faces(story) == [f"{wonder}:{'AB'[seat % 2]}" for seat, wonder in enumerate(dealt)]


def test_wonders_may_be_chosen_each_with_the_side_that_was_drawn_first() -> None:
    story = started(4, wonders="choose")
    offered = story.last(BoardsOffered).boards
    assert len(offered) == 7 and len({face.split(":")[0] for face in offered}) == 7
    assert offered == sorted(offered)
    free = list(offered)
    for seat in range(4):
        assert story.legal(seat) == [ChooseBoard(*face.split(":")) for face in free]
        face = free.pop(seat)
        wonder, side = face.split(":")
        story.refuses(seat, ChooseBoard(wonder, "A" if side == "B" else "B"), "board-not-free")
        story.when(seat, ChooseBoard(wonder, side))
        if seat < 3:
            story.refuses(seat + 1, ChooseBoard(wonder, side), "board-not-free")
    assert isinstance(story.recorded[-1], HandsDealt)


def test_wonders_and_sides_may_be_chosen_and_a_wonder_once() -> None:
    """7W 1.5: each wonder exists once."""
    story = started(3, wonders="choose", sides="choose")
    assert len(story.last(BoardsOffered).boards) == 14
    story.when(0, ChooseBoard("giza", "B"))
    story.refuses(1, ChooseBoard("giza", "A"), "board-not-free")
    story.refuses(1, ChooseBoard("giza", "B"), "board-not-free")
    story.refuses(1, ChooseBoard("atlantis", "A"), "board-not-free")
    story.refuses(1, ChooseBoard("rhodes", "C"), "board-not-free")
    assert len(story.legal(1)) == 12


def test_wonders_chosen_with_sides_all_a() -> None:
    story = started(3, wonders="choose", sides="A")
    assert story.last(BoardsOffered).boards == sorted(f"{wonder}:A" for wonder in WONDERS)


def test_the_board_makes_its_resource_from_the_beginning() -> None:
    """7W 1.7: also where the board was chosen."""
    story = started(3, wonders="choose", sides="choose")
    for seat, wonder in enumerate(("giza", "olympia", "rhodes")):
        story.when(seat, ChooseBoard(wonder, "A"))
    hands = HandsDealt(1, [["baths"], ["stockade"], ["barracks"]], [])
    again = [event for event in replay(3) if not isinstance(event, HandsDealt)]
    story = given(seven_wonders, [*again, hands])
    for seat in range(3):
        assert len(story.legal(seat)) == 2


def replay(seats: int) -> list[object]:
    story = started(seats, wonders="choose", sides="choose")
    facts: list[object] = [MatchStarted(seats, options(wonders="choose", sides="choose")), *story.recorded]
    for seat, wonder in enumerate(("giza", "olympia", "rhodes")):
        facts += story.when(seat, ChooseBoard(wonder, "A")).recorded
    return facts


def test_the_default_is_the_first_board_offered() -> None:
    story = started(3, wonders="choose")
    offered = story.last(BoardsOffered).boards
    assert seven_wonders.default_move(story.state, 0) == ChooseBoard(*offered[0].split(":"))


@pytest.mark.parametrize(
    "chosen", [{"sides": "choose"}, {"wonders": "choose"}, {"wonders": "choose", "sides": "choose"}]
)
def test_the_free_city_gets_a_board_that_nobody_took(chosen: dict[str, str]) -> None:
    story = started(2, **chosen)
    while story.awaited()[0][0] == "board":
        (seat,) = story.awaited()[0][1]
        story.when(seat, story.legal(seat)[-1])
    assert story.recorded[-1].seat == 0  # the holder drew
    assert len({city["wonder"] for city in story.view()["cities"]}) == 3
    assert all(city["side"] in ("A", "B") for city in story.view()["cities"])


def test_boards_are_public() -> None:
    story = started(3, wonders="choose")
    for viewer in (-1, 0, 1, 2):
        assert story.view(viewer)["offered"]["boards"] == story.last(BoardsOffered).boards
    assert seven_wonders.REDACTIONS[BoardsOffered] is None
    assert seven_wonders.REDACTIONS[BoardDealt] is None
