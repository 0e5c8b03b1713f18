"""What cards and stages do: the vocabulary of effects, and the packed integers that production is counted in.

Production, costs and sales are packed into one int each, so that they add with `+`, compare and hash fast,
and mean the same in every process. Every kind of source has a field of `FIELD_BITS` bits holding how many
there are: first the seven fixed resources in the order of `RESOURCES`, then the either/or sources in the
order of `CHOICES`. A cost uses the first seven fields only. No structure can be built twice, so no field ever
exceeds 4.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

RESOURCES: Final = ("wood", "stone", "clay", "ore", "glass", "papyrus", "cloth")
WOOD, STONE, CLAY, ORE, GLASS, PAPYRUS, CLOTH = range(7)
RAW: Final = (WOOD, STONE, CLAY, ORE)
MADE: Final = (GLASS, PAPYRUS, CLOTH)
LETTERS: Final = "WSCOGPL"  # the resources in tables: L is cloth, from the loom

SYMBOLS: Final = ("compass", "gear", "tablet")
COMPASS, GEAR, TABLET = range(3)

Sources = int
FIELD_BITS: Final = 3
FIELD_MASK: Final = (1 << FIELD_BITS) - 1

# The either/or sources that exist; each gives one unit of one of its resources a turn.
CHOICES: Final[tuple[tuple[int, ...], ...]] = (
    (WOOD, STONE),
    (WOOD, CLAY),
    (WOOD, ORE),
    (STONE, CLAY),
    (STONE, ORE),
    (CLAY, ORE),
    RAW,
    MADE,
)
# What the sources of each field may give: one resource for the first seven, several for the others.
FIELDS: Final[tuple[tuple[int, ...], ...]] = (*((resource,) for resource in range(len(RESOURCES))), *CHOICES)

# Discounts: a bit mask of what costs 1 coin a unit instead of 2. A second discount on the same changes
# nothing.
RAW_LEFT, RAW_RIGHT, MADE_LEFT, MADE_RIGHT = 1, 2, 4, 8

Side = Literal["left", "right"]
City = Literal["self", "left", "right"]
Counted = Literal["cards", "wonder_stages", "defeat_tokens"]


@dataclass(frozen=True, slots=True)
class Produce:
    """One bundle of `alternatives` a turn for the owner. If `sellable`, each neighbour may buy from it
    too."""

    alternatives: tuple[tuple[int, ...], ...]
    sellable: bool = True


@dataclass(frozen=True, slots=True)
class Discount:
    """Units of `resources` bought from the neighbours on `sides` cost 1 coin, from the turn after it was
    built."""

    sides: tuple[Side, ...]
    resources: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shields:
    """Strength in every conflict from now on."""

    count: int


@dataclass(frozen=True, slots=True)
class Science:
    """One symbol, an index into `SYMBOLS`."""

    symbol: int


@dataclass(frozen=True, slots=True)
class ScienceChoice:
    """One symbol of choice, chosen at the end of the game."""


@dataclass(frozen=True, slots=True)
class Points:
    """Points at the end of the game."""

    points: int


@dataclass(frozen=True, slots=True)
class Coins:
    """Coins from the bank, once, when built."""

    amount: int


@dataclass(frozen=True, slots=True)
class CoinsPer:
    """`amount` coins from the bank for each counted thing in the cities of `scope`, once, when built, after
    all cards of the turn are placed: the card itself counts."""

    amount: int
    kind: Counted
    colours: tuple[str, ...] = ()
    scope: tuple[City, ...] = ("self",)


@dataclass(frozen=True, slots=True)
class PointsPer:
    """`points` for each counted thing in the cities of `scope`, at the end of the game."""

    points: int
    kind: Counted
    colours: tuple[str, ...] = ()
    scope: tuple[City, ...] = ("self",)


@dataclass(frozen=True, slots=True)
class SeventhCard:
    """The card left after the sixth turn of an Age may be built, used for a stage or discarded for coins."""


@dataclass(frozen=True, slots=True)
class FreeBuild:
    """Once an Age, one structure from the hand may be built without any cost."""


@dataclass(frozen=True, slots=True)
class CopyGuild:
    """At the end of the game, one guild of a neighbour scores as if it had been built here."""


@dataclass(frozen=True, slots=True)
class BuildFromDiscard:
    """At the end of the turn in which the stage is built, one discarded card may be built without any
    cost."""


Effect = (
    Produce | Discount | Shields | Science | ScienceChoice | Points | Coins | CoinsPer | PointsPer
    | SeventhCard | FreeBuild | CopyGuild | BuildFromDiscard
)  # fmt: skip


def units(letters: str) -> Sources:
    """The packed cost (or fixed production) of letters such as "WWO". Raises ValueError for an unknown
    letter."""
    return sum(1 << FIELD_BITS * LETTERS.index(letter) for letter in letters)


def unpacked(cost: Sources) -> dict[str, int]:
    """The fixed resources of a packed cost by name, in the order of `RESOURCES`, without the zeros."""
    counts = ((name, cost >> FIELD_BITS * index & FIELD_MASK) for index, name in enumerate(RESOURCES))
    return {name: count for name, count in counts if count}


def source(production: Produce) -> Sources:
    """The packed form of one source. Raises ValueError for a choice that `CHOICES` does not know."""
    if len(production.alternatives) == 1:
        return sum(1 << FIELD_BITS * resource for resource in production.alternatives[0])
    choice = tuple(sorted(resource for (resource,) in production.alternatives))
    return 1 << FIELD_BITS * (len(RESOURCES) + CHOICES.index(choice))


def makes(effects: Iterable[Effect]) -> Sources:
    """What the owner may use."""
    return sum(source(effect) for effect in effects if isinstance(effect, Produce))


def sells(effects: Iterable[Effect]) -> Sources:
    """What each neighbour may buy: brown and grey cards only, never yellow cards or stages."""
    return sum(source(effect) for effect in effects if isinstance(effect, Produce) and effect.sellable)


def shields(effects: Iterable[Effect]) -> int:
    """The shields among the effects."""
    return sum(effect.count for effect in effects if isinstance(effect, Shields))


def points(effects: Iterable[Effect]) -> int:
    """The points that depend on nothing else."""
    return sum(effect.points for effect in effects if isinstance(effect, Points))


def symbol(effects: Iterable[Effect]) -> int:
    """The index of the symbol among the effects, or -1. No card or stage has two."""
    return next((effect.symbol for effect in effects if isinstance(effect, Science)), -1)


def discounts(effects: Iterable[Effect]) -> int:
    """The discount bits of the effects: which goods of which neighbour cost 1 coin instead of 2."""
    bits = {
        ("left", RAW): RAW_LEFT,
        ("right", RAW): RAW_RIGHT,
        ("left", MADE): MADE_LEFT,
        ("right", MADE): MADE_RIGHT,
    }
    mask = 0
    for effect in effects:
        if isinstance(effect, Discount):
            for side in effect.sides:
                mask |= bits[side, effect.resources]
    return mask
