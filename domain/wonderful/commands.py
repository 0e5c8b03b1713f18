"""What a player of either Wonderful game may ask while planning and building.

`card` names a kind (`zeppelin`) where a card is still in the draft area, and a card under construction
(`zeppelin-1`) where it is not. A `count` goes from 1 to the maximum of the legal move.
"""

from dataclasses import dataclass
from typing import Annotated

from domain.kernel.words import CardId, Count, OneOf

# Of both games together: which of them a game has, its rules say.
_COLOURS = ("materials", "energy", "science", "gold", "exploration", "population")
Resource = Annotated[str, OneOf(_COLOURS)]
Space = Annotated[str, OneOf((*_COLOURS, "krystallium"))]


@dataclass(frozen=True, slots=True)
class SlateCard:
    """Move a drafted card to the construction area."""

    card: CardId


@dataclass(frozen=True, slots=True)
class RecycleCard:
    """Discard a drafted card for a cube, put on `target` (a card under construction) or, if null, on the
    Empire card."""

    card: CardId
    target: CardId | None = None


@dataclass(frozen=True, slots=True)
class PlaceCubes:
    """Put produced cubes on a card under construction."""

    card: CardId
    resource: Resource
    count: Count = 1


@dataclass(frozen=True, slots=True)
class StoreCubes:
    """Put cubes on the Empire card, or on the duchy."""

    resource: Resource
    count: Count = 1


@dataclass(frozen=True, slots=True)
class PlaceKrystallium:
    """Put krystallium on the spaces of one kind of a card under construction; at any time."""

    card: CardId
    space: Space
    count: Count = 1


@dataclass(frozen=True, slots=True)
class DiscardConstruction:
    """Give up a card under construction with all that lies on it, for its cube on the Empire card; at any
    time."""

    card: CardId


@dataclass(frozen=True, slots=True)
class Validate:
    """You are done with this step."""
