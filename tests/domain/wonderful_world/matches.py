"""Whole matches of seats that move at random, for properties that hold after every event."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from domain import wonderful_world
from domain.kernel.engine import handle, record, settle
from domain.kernel.game import Command, Event
from domain.kernel.seats import Seat
from domain.kernel.table import MatchStarted
from tests.domain.wonderful_world.tables import DEFAULTS
from tests.given_when_then import secrets

# Every option at every number of seats it has a meaning for.
TABLES: Final[list[tuple[int, dict[str, Any]]]] = [
    (1, {}),
    (1, {"scenario": "to-the-center-of-the-earth", "auto_validate": True}),
    (1, {"scenario": "back-to-the-future", "war_or_peace": True, "side": "C"}),
    (2, {}),
    (2, {"corruption_and_ascension": True, "side": "E"}),
    (3, {}),
    (3, {"side": "B", "auto_validate": True}),
    (3, {"corruption_and_ascension": True, "war_or_peace": True, "side": "F"}),
    (4, {"side": "C", "war_or_peace": True}),
    (5, {}),
    (5, {"corruption_and_ascension": True, "side": "D"}),
    (6, {}),
    (7, {"war_or_peace": True}),
    (7, {"corruption_and_ascension": True, "auto_validate": True, "side": "E"}),
]


def name(table: tuple[int, dict[str, Any]]) -> str:
    """A table in a test's name."""
    seats, options = table
    return "-".join([str(seats), *(f"{key}={value}" for key, value in options.items())])


@dataclass(slots=True)
class Turn:
    """What a seat did, and all that followed. `state` is the state afterwards."""

    state: Any
    seat: Seat | None
    command: Command | None
    events: list[Event]


def expanded(state: Any, seat: Seat, move: Command) -> list[Command]:
    """Every command an entry of the legal moves stands for."""
    ranges = wonderful_world.describe(state, seat, move).parameters
    if not ranges:
        return [move]
    assert list(ranges) == ["count"]
    least, most = ranges["count"]
    assert (least, most) == (1, move.count)
    return [replace(move, count=count) for count in range(least, most + 1)]


def turns(seats: int, seed: int, options: dict[str, Any]) -> Iterator[Turn]:
    """A match turn by turn. Seats that are done act too, now and then: free actions, withdrawn picks."""
    dice, chance = random.Random(seed), secrets(f"mat_{seats}_{seed}", seats)
    state = wonderful_world.initial()
    events: list[Event] = []
    record(wonderful_world, state, [MatchStarted(seats, {**DEFAULTS, **options})], events)
    settle(wonderful_world, state, chance, events)
    yield Turn(state, None, None, events)
    while wonderful_world.outcome(state) is None:
        (decision,) = wonderful_world.decisions(state)
        seat = dice.choice(decision.awaited)
        if decision.revisable and dice.random() < 0.1:
            seat = dice.choice(decision.revisable)
        moves = wonderful_world.legal_moves(state, seat)
        assert moves, f"seat {seat} is asked and has nothing to do"
        command = dice.choice(expanded(state, seat, dice.choice(moves)))
        yield Turn(state, seat, command, handle(wonderful_world, state, seat, command, chance))


def log(seats: int, seed: int, options: dict[str, Any]) -> list[Event]:
    """All events of a match."""
    return [event for turn in turns(seats, seed, options) for event in turn.events]
