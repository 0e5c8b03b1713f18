"""What effects give, and what a seat chooses of it (the vocabulary of effects)."""

from dataclasses import dataclass, field

from domain.kernel.seats import Seat


@dataclass(frozen=True, slots=True)
class EffectGranted:
    """An effect gave a seat something it uses later or chooses now; `effect` is the op.

    `count` times; `resources` to choose from, `price` in cubes, `krystallium` for it."""

    seat: Seat
    effect: str
    count: int
    resources: list[str] = field(default_factory=list)
    price: int = 0
    krystallium: int = 0


@dataclass(frozen=True, slots=True)
class EffectDeclined:
    """A seat left the rest of an effect unused."""

    seat: Seat
    effect: str
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class CubesGained:
    """A seat has these cubes to place."""

    seat: Seat
    cubes: dict[str, int]


@dataclass(frozen=True, slots=True)
class CubeChosen:
    """A seat chose a cube, which it has to place."""

    seat: Seat
    resource: str
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class TokensGained:
    """A seat received krystallium, soldiers, and a soldier in its training ground."""

    seat: Seat
    krystallium: int = 0
    soldiers: int = 0
    training: int = 0


@dataclass(frozen=True, slots=True)
class CubesTransmuted:
    """Cubes of the duchy became krystallium by an effect."""

    seat: Seat
    cubes: list[str]
    krystallium: int


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """A seat looks at cards of the deck, of which it keeps some."""

    seat: Seat
    cards: list[str]
    keep: int


@dataclass(frozen=True, slots=True)
class DrawnKept:
    """A seat kept a card it drew, in its collection area or (`at_once`) to resolve now; with the last one
    the others are discarded."""

    seat: Seat
    card: str
    at_once: bool
    discarded: list[str]
    automatic: bool = False
