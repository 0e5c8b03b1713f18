"""The planning phase: the reveal, forced placements, build or recycle (rules 4)."""

from dataclasses import dataclass

from domain.kernel.seats import Seat


@dataclass(frozen=True, slots=True)
class CollectionsRevealed:
    """Planning begins: all cards in the collection areas lie face up."""

    collections: list[list[str]]


@dataclass(frozen=True, slots=True)
class CalamityPlaced:
    """A calamity went from the collection area to the duchy."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class MenacePlaced:
    """A menace went from the collection area under construction."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class AdvisorPlaced:
    """An advisor went from the collection area to the advisor area and brought so many soldiers."""

    seat: Seat
    card: str
    soldiers: int


@dataclass(frozen=True, slots=True)
class CollectedDiscarded:
    """A card of the collection area was discarded for nothing."""

    seat: Seat
    card: str
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class DevelopmentBegun:
    """A development is under construction, and has a name from now on."""

    seat: Seat
    kind: str
    card: str


@dataclass(frozen=True, slots=True)
class CardRecycled:
    """A card was discarded for these cubes, to place now or (`to_duchy`) on the duchy only."""

    seat: Seat
    card: str
    cubes: dict[str, int]
    to_duchy: bool
    doubled: bool = False
