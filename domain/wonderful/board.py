"""What lies before a player: the Empire card, what is under construction, what is constructed."""

from dataclasses import dataclass, field

from domain.wonderful.cards import TYPES, Rate
from domain.wonderful.cubes import NAMES


def _nothing() -> list[int]:
    return [0] * len(NAMES)


@dataclass(slots=True)
class Construction:
    """A card under construction. `empty` counts its free spaces by kind, `left` all of them; `placed` counts
    what lies on it (a krystallium on a colour's space counts as krystallium)."""

    kind: str
    empty: list[int]
    left: int
    placed: list[int] = field(default_factory=_nothing)


@dataclass(slots=True)
class Board:
    """A player's area. A card under construction has a name of its own, `zeppelin-2`, as copies differ by
    what lies on them. `pool` counts the cubes to place now (the colours) and the krystallium and characters
    kept. `flat`, `rates` and `types` sum up the Empire card and what is constructed."""

    empire: str = ""
    pool: list[int] = field(default_factory=_nothing)
    loose: int = 0  # cubes on the Empire card, 0 to 4
    area: list[str] = field(default_factory=list)  # drafted and not yet planned, sorted
    constructions: dict[str, Construction] = field(default_factory=dict)
    constructed: list[str] = field(default_factory=list)
    slated: dict[str, int] = field(default_factory=dict)  # how many of a kind were ever slated
    flat: list[int] = field(default_factory=_nothing)
    rates: list[Rate] = field(default_factory=list)
    types: list[int] = field(default_factory=lambda: [0] * len(TYPES))
    validated: bool = False


def lay(pile: list[str], card: str) -> None:
    """Add a card to a pile that lies open and is kept sorted, so that it tells nothing of who came first."""
    pile.append(card)
    pile.sort()
