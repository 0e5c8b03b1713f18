"""The whole framework: fold events into a state; decide a command, then let the rules run to rest."""

from collections.abc import Iterable
from typing import Any

from domain.kernel.chance import Chance
from domain.kernel.game import Command, Event, Game
from domain.kernel.seats import Seat

MOST_ROUNDS = 1000


def fold(game: Game, events: Iterable[Event], state: Any = None) -> Any:
    """The state after the events, from the beginning or from `state` (changed in place)."""
    state = game.initial() if state is None else state
    for event in events:
        apply(game, state, event)
    return state


def apply(game: Game, state: Any, event: Event) -> None:
    """Fold one event: count it, then let the game note it."""
    state.version += 1
    game.evolve(state, event)


def handle(game: Game, state: Any, seat: Seat, command: Command, chance: Chance) -> list[Event]:
    """Decide, then let the rules run until they wait for a seat. Consumes `state` (it is folded forward).

    Raises IllegalMove, and then `state` is as it was."""
    recorded: list[Event] = []
    record(game, state, game.decide(state, seat, command, chance), recorded)
    settle(game, state, chance, recorded)
    return recorded


def settle(game: Game, state: Any, chance: Chance, recorded: list[Event]) -> None:
    """Let the rules run to rest; what follows is folded into `state` and appended to `recorded`.

    Raises RuntimeError when they do not come to rest: a fault of the game, found by the every-game suite."""
    for _ in range(MOST_ROUNDS):
        events = game.advance(state, chance)
        if not events:
            return
        record(game, state, events, recorded)
    raise RuntimeError(f"{game.NAME} does not come to rest")


def record(game: Game, state: Any, events: list[Event], recorded: list[Event]) -> None:
    """Fold the events into `state` and append them to `recorded`."""
    for event in events:
        apply(game, state, event)
        recorded.append(event)
