"""What happens on a board of either Wonderful game. All of it is public. A card under construction is named
`zeppelin-1`, the first zeppelin of this seat; `kind` is what is printed on it."""

from dataclasses import dataclass

from domain.kernel.seats import Seat


@dataclass(frozen=True, slots=True)
class CardSlated:
    """A drafted card is under construction, and has a name from now on."""

    seat: Seat
    kind: str
    card: str


@dataclass(frozen=True, slots=True)
class CardRecycled:
    """A drafted card went to the discard pile for a cube, which lies on `target` or (null) on the Empire
    card, where it formed so much `krystallium`."""

    seat: Seat
    kind: str
    resource: str
    target: str | None
    krystallium: int = 0


@dataclass(frozen=True, slots=True)
class CubesPlaced:
    """Cubes lie on a card under construction."""

    seat: Seat
    card: str
    resource: str
    count: int


@dataclass(frozen=True, slots=True)
class CubesStored:
    """Cubes lie on the Empire card and formed so much `krystallium`; `forced` where no card takes them."""

    seat: Seat
    resource: str
    count: int
    krystallium: int = 0
    forced: bool = False


@dataclass(frozen=True, slots=True)
class KrystalliumPlaced:
    """Krystallium lies on spaces of one kind of a card under construction."""

    seat: Seat
    card: str
    space: str
    count: int


@dataclass(frozen=True, slots=True)
class ConstructionDiscarded:
    """A card under construction went to the discard pile with all that lay on it; its cube lies on the Empire
    card and formed so much `krystallium`."""

    seat: Seat
    card: str
    kind: str
    resource: str
    krystallium: int = 0


@dataclass(frozen=True, slots=True)
class CardConstructed:
    """A card is complete and belongs to the Empire; `bonus` was received."""

    seat: Seat
    card: str
    kind: str
    bonus: dict[str, int]


@dataclass(frozen=True, slots=True)
class StepValidated:
    """A seat is done with the step; `automatic` where it had nothing to do and the table plays so."""

    seat: Seat
    automatic: bool = False
