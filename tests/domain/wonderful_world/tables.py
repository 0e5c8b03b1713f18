"""Tables of It's a Wonderful World made of events: boards, what is built on them, the phase of play."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from domain import wonderful_world
from domain.kernel.chance import DeckShuffled
from domain.kernel.game import Event
from domain.kernel.seats import Seat
from domain.kernel.table import MatchStarted
from domain.wonderful.cubes import COLOURS, NAMES
from domain.wonderful.events import CardConstructed, CardSlated, CubesPlaced, CubesStored, KrystalliumPlaced
from domain.wonderful_world.decks import CARDS, ascension_deck, base_deck
from domain.wonderful_world.events import (
    CharactersPlaced,
    CubesProduced,
    EmpiresDealt,
    HandsDealt,
    PicksRevealed,
    PlanningBegan,
    TokensProduced,
)
from domain.wonderful_world.setup import ASCENSION_LABEL, DECK_LABEL
from tests.given_when_then import Given, given, secrets

Vector = dict[str, Any]

VECTOR_FILE: Final = Path(__file__).parents[2] / "vectors" / "wonderful_world.json"
VECTORS: Final[dict[str, Vector]] = {
    vector["id"]: vector for vector in json.loads(VECTOR_FILE.read_text("utf-8"))["vectors"]
}
DEFAULTS: Final = {option.name: option.default for option in wonderful_world.OPTIONS}
FILLER: Final = "wind_turbines"
EMPIRES: Final = ("noram_states", "republic_of_europe", "federation_of_asia", "aztec_empire")


def vectors(category: str, without: Sequence[str] = ()) -> pytest.MarkDecorator:
    """A test runs once for each vector of a category, its id in the test's name."""
    return pytest.mark.parametrize(
        "vector",
        [
            pytest.param(vector, id=name)
            for name, vector in VECTORS.items()
            if vector["category"] == category and name not in without
        ],
    )


@dataclass(frozen=True, slots=True)
class Land:
    """A board as the story begins. `building`: kind -> what lies on it by name, `space:krystallium` for a
    krystallium on another space; `drafted` as many as at the other boards."""

    empire: str = "noram_states"
    constructed: Sequence[str] = ()
    building: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    drafted: Sequence[str] = ()
    loose: int = 0
    krystallium: int = 0
    financiers: int = 0
    generals: int = 0


def lands(
    *boards: Land, side: str = "A", round: int = 1, options: Mapping[str, Any] | None = None
) -> list[Event]:
    """A table at which nothing is asked yet, in a round whose hands are played."""
    count = len(boards)
    events: list[Event] = [
        MatchStarted(count, {**DEFAULTS, "side": side, **(options or {})}),
        EmpiresDealt(side, [board.empire for board in boards], [0] * count),
        DeckShuffled(DECK_LABEL, 150, [], base_deck(False)),
        DeckShuffled(ASCENSION_LABEL, 56, [], ascension_deck()),
        HandsDealt(round, [[] for _ in boards], [0] * count),
    ]
    for seat, board in enumerate(boards):
        for number, kind in enumerate(board.constructed):
            events.append(CardConstructed(seat, f"{kind}-built-{number}", kind, {}))
        for kind, placed in board.building.items():
            events += _built(seat, count, kind, placed)
        if board.loose:
            events += [
                CubesProduced("gold", _for(seat, count, board.loose)),
                CubesStored(seat, "gold", board.loose),
            ]
    events.append(
        TokensProduced(
            [],
            [board.krystallium for board in boards],
            [board.financiers for board in boards],
            [board.generals for board in boards],
        )
    )
    return events


def _for(seat: Seat, count: int, amount: int) -> list[int]:
    return [amount if other == seat else 0 for other in range(count)]


def _built(seat: Seat, count: int, kind: str, placed: Mapping[str, int]) -> list[Event]:
    name = f"{kind}-1"
    events: list[Event] = [CardSlated(seat, kind, name)]
    nothing = [0] * count
    for thing, amount in placed.items():
        gained = _for(seat, count, amount)
        if thing in NAMES[:5]:
            events += [CubesProduced(thing, gained), CubesPlaced(seat, name, thing, amount)]
        elif thing.endswith("krystallium"):
            space = thing.split(":")[0]
            events += [
                TokensProduced([], gained, nothing, nothing),
                KrystalliumPlaced(seat, name, space, amount),
            ]
        else:
            fins, gens = (gained, nothing) if thing == "financier" else (nothing, gained)
            events += [
                TokensProduced([], nothing, fins, gens),
                CharactersPlaced(seat, name, thing, amount),
            ]
    return events


def planning(*boards: Land, side: str = "A", round: int = 1, **options: Any) -> Given:
    """The table while the drafted cards are planned."""
    events = lands(*boards, side=side, round=round, options=options)
    for cards in zip(*(board.drafted for board in boards), strict=True):
        events.append(PicksRevealed(list(cards)))
    events.append(PlanningBegan(round))
    return given(wonderful_world, events, secrets(seats=len(boards)))


def producing(
    resource: str, counts: Sequence[int], *boards: Land, side: str = "A", round: int = 1, **options: Any
) -> Given:
    """The table in a production step that gave so many cubes; nobody won supremacy."""
    events = lands(*boards, side=side, round=round, options=options)
    events.append(CubesProduced(resource, list(counts)))
    return given(wonderful_world, events, secrets(seats=len(boards)))


def board(table: Given, seat: Seat = 0) -> dict[str, Any]:
    """A board as everybody sees it."""
    shown: dict[str, Any] = table.view()["boards"][seat]
    return shown


def under_construction(table: Given, seat: Seat = 0) -> dict[str, dict[str, int]]:
    """What lies on each card under construction."""
    return {card["card"]: card["placed"] for card in board(table, seat)["under_construction"]}


def production(table: Given, seat: Seat = 0) -> dict[str, int]:
    """What a board produces in each step, without zeros."""
    shown = board(table, seat)["production"]
    return {NAMES[colour]: shown[NAMES[colour]] for colour in COLOURS if shown[NAMES[colour]]}


def total(points: Mapping[str, int]) -> dict[str, int]:
    """Points with their sum, as the vectors write them."""
    return {**points, "total": sum(points.values())}


def cost_of(kind: str) -> dict[str, int]:
    """The spaces of a card by name."""
    return {name: count for name, count in zip(NAMES, CARDS[kind].cost, strict=True) if count}
