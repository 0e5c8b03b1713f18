"""Military conflicts at the end of an Age (rules 10)."""

from collections.abc import Callable, Sequence
from typing import Final

from domain.seven_wonders.events import ConflictsResolved
from domain.seven_wonders.state import AGE_END, State

VICTORY: Final = {1: 1, 2: 3, 3: 5}
DEFEAT: Final = -1


def conflict(own: int, other: int, age: int) -> int:
    """The token against one neighbour: more shields win, the margin is irrelevant, a tie gives 0."""
    if own == other:
        return 0
    return VICTORY[age] if own > other else DEFEAT


def tokens(shields: Sequence[int], age: int) -> list[list[int]]:
    """For each city, clockwise, the tokens against its left and its right neighbour."""
    count = len(shields)
    return [
        [conflict(own, shields[(seat + 1) % count], age), conflict(own, shields[seat - 1], age)]
        for seat, own in enumerate(shields)
    ]


def resolve(state: State) -> ConflictsResolved:
    """The conflicts of this Age, once."""
    return ConflictsResolved(state.age, tokens([city.shields for city in state.cities], state.age))


def _resolved(state: State, event: ConflictsResolved) -> None:
    state.phase = AGE_END
    state.fresh = []
    for city, won in zip(state.cities, event.tokens, strict=True):
        city.tokens += [token for token in won if token]


HANDLERS: Final[dict[type, Callable[..., None]]] = {ConflictsResolved: _resolved}
