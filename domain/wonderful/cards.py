"""What is printed on a development card, and the words its table is written in."""

from dataclasses import dataclass
from typing import Final

from domain.wonderful.cubes import LETTERS, NAMES, named, pool

STRUCTURE, VEHICLE, RESEARCH, PROJECT, DISCOVERY, MEMORIAL = range(6)
TYPES: Final = ("structure", "vehicle", "research", "project", "discovery", "memorial")
# What points are given for: the types, then the characters, whose indexes are those of `cubes`.
ELEMENTS: Final = (*TYPES, *NAMES[len(TYPES) :])


_SPELLINGS: Final = (
    (" Of ", " of "),
    (" The ", " the "),
    (" For ", " for "),
    ("Mega ", "Mega-"),
    ("Super ", "Super-"),
    ("High S", "High-S"),
    ("Pax ", "PAX-"),
    ("Alexanders", "Alexander's"),
    ("Blackbeards", "Blackbeard's"),
    ("Solomons", "Solomon's"),
    ("Pandoras", "Pandora's"),
)


@dataclass(frozen=True, slots=True)
class Rate:
    """Cubes of a colour for each constructed card of a type, the card itself included (rules 6.2)."""

    resource: int
    type: int
    amount: int


@dataclass(frozen=True, slots=True)
class Per:
    """Points for each element, or for each complete set of the elements (rules 9.1, 12.3)."""

    points: int
    of: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A kind of card. `cost`, `bonus` and `production` are pools; `recycling` is one cube's colour."""

    id: str
    name: str
    type: int
    copies: int
    cost: tuple[int, ...]
    spaces: int
    bonus: dict[str, int]  # received on completion: krystallium, financier, general
    recycling: int
    production: tuple[int, ...]
    rates: tuple[Rate, ...]
    points: int
    per: tuple[Per, ...]


def card(
    id: str,
    type: int,
    copies: int,
    cost: str,
    bonus: str,
    recycling: str,
    production: str,
    points: int,
    *effects: Rate | Per,
) -> Card:
    """A row of a table of cards."""
    spaces = pool(cost)
    return Card(
        id=id,
        name=printed_name(id),
        type=type,
        copies=copies,
        cost=spaces,
        spaces=sum(spaces),
        bonus=named(pool(bonus)),
        recycling=LETTERS.index(recycling),
        production=pool(production),
        rates=tuple(effect for effect in effects if isinstance(effect, Rate)),
        points=points,
        per=tuple(effect for effect in effects if isinstance(effect, Per)),
    )


def printed_name(id: str) -> str:
    """The name on a card: its id as a title, with the marks an id cannot hold."""
    name = id.replace("_", " ").title()
    for word, printed in _SPELLINGS:
        name = name.replace(word, printed)
    return name


def makes(resource: str, type: int) -> Rate:
    """One cube for each constructed card of the type."""
    return Rate(LETTERS.index(resource), type, 1)


def per(points: int, *of: int) -> Per:
    """Points for each element; with two elements, for each pair of them."""
    return Per(points, of)
