"""Tables of 7 Wonders made of events: cities with boards, stages, cards, coins and tokens, and the hands."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

from domain import seven_wonders
from domain.kernel.chance import Chance
from domain.kernel.game import Command, Event
from domain.kernel.seats import Seat
from domain.kernel.table import MatchStarted
from domain.seven_wonders.commands import DiscardForCoins
from domain.seven_wonders.events import (
    BoardDealt,
    CardDrawn,
    ConflictsResolved,
    HandsDealt,
    HandsPassed,
    LeftoversDiscarded,
    StageBuilt,
    StructureBuilt,
    TableSet,
)
from tests.given_when_then import Given, given

Vector = dict[str, Any]

VECTOR_FILE: Final = Path(__file__).parents[2] / "vectors" / "seven_wonders.json"
VECTORS: Final[dict[str, Vector]] = {
    vector["id"]: vector for vector in json.loads(VECTOR_FILE.read_text("utf-8"))["vectors"]
}
CLAIMED: Final[set[str]] = set()  # the vectors that some test is parametrised over

FREE_CITY: Final = 2
BOARDS: Final = (
    "giza:A",
    "rhodes:A",
    "ephesus:A",
    "alexandria:A",
    "babylon:A",
    "olympia:A",
    "halicarnassus:A",
)
SYMBOL_CARDS: Final = {
    "compass": ("apothecary", "dispensary", "lodge", "academy"),
    "gear": ("workshop", "laboratory", "observatory", "study"),
    "tablet": ("scriptorium", "library", "school", "university"),
}
IDLE: Final = ("guard_tower", "barracks")  # what a seat holds of which nothing is said


@dataclass(frozen=True, slots=True)
class Town:
    """A city as the story begins; `board` is wonder:side, `marker` the card under each built stage."""

    board: str
    cards: tuple[str, ...] = ()
    stages: int = 0
    coins: int = 3
    tokens: tuple[int, ...] = ()
    marker: str = "altar"


def town(
    board: str,
    *cards: str,
    stages: int = 0,
    coins: int = 3,
    tokens: Sequence[int] = (),
    marker: str = "altar",
) -> Town:
    """A city as the story begins."""
    return Town(board, cards, stages, coins, tuple(tokens), marker)


def town_of(facts: Mapping[str, Any], coins: int = 3, without: str | None = None) -> Town:
    """The city of a vector, perhaps without one of its cards."""
    cards = tuple(card for card in facts["cards"] if card != without)
    return town(
        facts["wonder"], *cards, stages=facts["stages"], coins=coins, tokens=[-1] * facts.get("defeats", 0)
    )


def options(**chosen: Any) -> dict[str, Any]:
    """The options of the game, defaults filled in. Raises KeyError for an unknown name."""
    filled = {option.name: option.default for option in seven_wonders.OPTIONS}
    for name, value in chosen.items():
        filled[name]
        filled[name] = value
    return filled


def table(
    *towns: Town | str,
    seats: int | None = None,
    hands: Mapping[Seat, Sequence[str]] | None = None,
    pile: Sequence[str] = (),
    discard: Sequence[str] = (),
    age: int = 1,
    turn: int = 1,
    **chosen: Any,
) -> list[Event]:
    """The facts that lead to this table, in the given Age and turn. With two seats the third town is the Free
    City and hands are those after the holder drew. Seats whose hand is not given hold `IDLE`."""
    cities = [town(each) if isinstance(each, str) else each for each in towns]
    seats = len(cities) if seats is None else seats
    held = [sorted((hands or {}).get(seat, IDLE)) for seat in range(seats)]
    nothing: list[list[str]] = [[] for _ in range(seats)]
    coins = min(city.coins for city in cities)
    events: list[Event] = [MatchStarted(seats, options(**chosen)), TableSet(len(cities), coins)]
    for number, city in enumerate(cities):
        events.append(BoardDealt(number, *city.board.split(":")))
    events.append(HandsDealt(age, nothing, []))
    for number, city in enumerate(cities):
        events += _built(number, city, min(number, seats - 1), city.coins - coins)
    if discard:
        events.append(LeftoversDiscarded([list(discard), *nothing[1:]], []))
    events += _tokens(cities)
    return events + (_passed(held, age, turn) if seats > 2 else _drawn(held, pile, age, turn))


def _built(number: int, city: Town, seat: Seat, coins: int) -> list[Event]:
    if coins and not city.cards and not city.stages:
        raise ValueError(f"city {number} has nothing built that could have brought its coins")
    events: list[Event] = []
    for card in city.cards:
        events.append(StructureBuilt(seat, number, card, "paid", coins=coins))
        coins = 0
    for stage in range(1, city.stages + 1):
        events.append(StageBuilt(seat, number, stage, city.marker, False, coins=coins))
        coins = 0
    return events


def _tokens(cities: Sequence[Town]) -> list[Event]:
    """Conflicts that gave these tokens, two a city at a time; at least one, which closes the last Age."""
    events: list[Event] = []
    for first in count(0, 2):
        rest = [list(city.tokens[first : first + 2]) for city in cities]
        if events and not any(rest):
            return events
        events.append(ConflictsResolved(1, rest))
    raise AssertionError


def _passed(hands: list[list[str]], age: int, turn: int) -> list[Event]:
    return [HandsDealt(age, hands, []), *(HandsPassed(hands) for _ in range(turn - 1))]


def _drawn(hands: list[list[str]], pile: Sequence[str], age: int, turn: int) -> list[Event]:
    """Two players: the holder of this turn drew the first card of its hand."""
    backs = ["altar"] * (turn - 1)
    holder = (turn - 1 + (age == 2)) % 2
    drawn = hands[holder][0]
    before = [hand[1:] if seat == holder else hand for seat, hand in enumerate(hands)]
    events: list[Event] = [HandsDealt(age, before, [*backs, drawn, *pile])]
    for earlier, back in enumerate(backs):
        events += [CardDrawn((earlier + (age == 2)) % 2, back), HandsPassed(before)]
    return [*events, CardDrawn(holder, drawn)]


def at(*towns: Town | str, chance: Chance | None = None, **facts: Any) -> Given:
    """A story that begins at this table."""
    return given(seven_wonders, table(*towns, **facts), chance)


def take_turn(story: Given, commands: Mapping[Seat, Command] | None = None) -> Given:
    """Every awaited seat acts: the one named so, the others discard the first card of their hand."""
    (decision,) = seven_wonders.decisions(story.state)
    for seat in decision.awaited:
        hand = story.view(seat)["hand"]
        story.when(seat, (commands or {}).get(seat, DiscardForCoins(hand[0])))
    return story


def scores(*towns: Town | str, **facts: Any) -> list[dict[str, int]]:
    """What every seat scores when the cities end like this; the last conflicts gave nobody a token."""
    story = ended(*towns, **facts)
    shown: list[dict[str, int]] = story.view()["scores"]
    return shown


def ended(*towns: Town | str, seats: int | None = None, **facts: Any) -> Given:
    """A story that begins right after the last conflicts."""
    events = table(*towns, age=3, turn=6, seats=seats, **facts)
    nothing = ConflictsResolved(3, [[0, 0] for _ in towns])
    return given(seven_wonders, [*events, nothing]).when_nobody_acts()


def vectors(area: str) -> Any:
    """Parametrises a test over every vector of an area, by id."""
    return vector(*(id for id, each in VECTORS.items() if each["area"] == area))


def vector(*ids: str) -> Any:
    """Parametrises a test over these vectors, by id."""
    CLAIMED.update(ids)
    return pytest.mark.parametrize("vector", [VECTORS[id] for id in ids], ids=ids)
