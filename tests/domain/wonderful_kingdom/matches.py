"""Whole matches of seats that move at random, and of scripts, for properties that hold after every event."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from domain.kernel.engine import handle, record, settle
from domain.kernel.game import Command, Event, Game
from domain.kernel.seats import Seat
from domain.kernel.table import MatchStarted
from domain.wonderful_kingdom import GAME
from tests.given_when_then import secrets

MODES: Final = ("menaces", "advisors", "quests")
BOARDS: Final = tuple(GAME.cards.boards)
# Every mode on either side of the duchies; every quest board.
TABLES: Final[list[dict[str, Any]]] = [
    *({"mode": mode, "side": side} for mode in MODES[:2] for side in ("A", "B")),
    *({"mode": "quests", "side": side, "quest_board": board} for board in BOARDS for side in ("A", "B")),
]


def name(table: dict[str, Any]) -> str:
    """A table in a test's name."""
    return "-".join(str(value) for value in table.values())


@dataclass(slots=True)
class Turn:
    """What a seat did, and all that followed. `state` is the state afterwards."""

    state: Any
    seat: Seat | None
    command: Command | None
    events: list[Event]


Pick = Callable[[Any, Seat, Sequence[Command], random.Random], Command]


def anything(state: Any, seat: Seat, moves: Sequence[Command], dice: random.Random) -> Command:
    """A class of moves, then any of it: rare kinds are as likely as offers."""
    kinds = sorted({type(move).__name__ for move in moves})
    kind = dice.choice(kinds)
    return dice.choice([move for move in moves if type(move).__name__ == kind])


def builder(state: Any, seat: Seat, moves: Sequence[Command], dice: random.Random) -> Command:
    """Anything, but nothing is given up as long as there is something else."""
    idle = ("ScrapDevelopment", "StoreCubes", "DeclineEffect", "Validate", "RecycleCollected")
    wanted = [move for move in moves if type(move).__name__ not in idle]
    return anything(state, seat, wanted or moves, dice)


def expanded(game: Game, state: Any, seat: Seat, move: Command) -> list[Command]:
    """Every command an entry of the legal moves stands for."""
    ranges = game.describe(state, seat, move).parameters
    if not ranges:
        return [move]
    least, most = ranges["count"]
    assert (least, most) == (1, move.count)
    return [replace(move, count=count) for count in range(least, most + 1)]


def begin(game: Game, options: dict[str, Any], seed: int) -> tuple[Any, list[Event], Any]:
    """A match up to its first decision: state, events, chance."""
    chance, state = secrets(f"mat_{seed}", 2), game.initial()
    defaults = {option.name: option.default for option in game.OPTIONS}
    events: list[Event] = []
    record(game, state, [MatchStarted(2, {**defaults, **options})], events)
    settle(game, state, chance, events)
    return state, events, chance


def turns(options: dict[str, Any], seed: int, pick: Pick = builder, game: Game = GAME) -> Iterator[Turn]:
    """A match turn by turn. Seats that are not awaited act too, now and then: free actions."""
    dice = random.Random(seed)
    state, events, chance = begin(game, options, seed)
    yield Turn(state, None, None, events)
    while game.outcome(state) is None:
        (decision,) = game.decisions(state)
        seat = dice.choice(decision.awaited)
        if decision.revisable and dice.random() < 0.1:
            seat = dice.choice(decision.revisable)
        move = pick(state, seat, game.legal_moves(state, seat), dice)
        command = dice.choice(expanded(game, state, seat, move))
        yield Turn(state, seat, command, handle(game, state, seat, command, chance))


def log(options: dict[str, Any], seed: int, pick: Pick = builder, game: Game = GAME) -> list[Event]:
    """All events of a match."""
    return [event for turn in turns(options, seed, pick, game) for event in turn.events]
