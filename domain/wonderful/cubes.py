"""Resource cubes, krystallium and characters as indexes; a pool is a list of eight counts.

The same indexes number the spaces of a card: a space of a colour takes that cube or a krystallium, a
krystallium space only krystallium, a character space only that character (rules 7.1).
"""

from collections.abc import Mapping, Sequence
from typing import Final

MATERIALS, ENERGY, SCIENCE, GOLD, EXPLORATION, KRYSTALLIUM, FINANCIER, GENERAL = range(8)
NAMES: Final = (
    "materials",
    "energy",
    "science",
    "gold",
    "exploration",
    "krystallium",
    "financier",
    "general",
)
INDEX: Final[Mapping[str, int]] = {name: index for index, name in enumerate(NAMES)}
COLOURS: Final = range(5)  # in the order of the production steps (rules 1.3)
CHARACTERS: Final = (FINANCIER, GENERAL)
LETTERS: Final = "MESGXKFR"  # a letter a unit in the tables of cards: X exploration, F financier, R general
FOR_KRYSTALLIUM: Final = 5  # cubes on the Empire card that become one krystallium (rules 8.1)


def pool(letters: str) -> tuple[int, ...]:
    """The counts written as letters: "MMK" is two materials and a krystallium, "-X" one exploration less."""
    counts = [0] * len(NAMES)
    sign = 1
    for letter in letters:
        if letter == "-":
            sign = -1
        else:
            counts[LETTERS.index(letter)] += sign
            sign = 1
    return tuple(counts)


def named(counts: Sequence[int]) -> dict[str, int]:
    """The counts by name, without zeros."""
    return {NAMES[index]: count for index, count in enumerate(counts) if count}


def stored(loose: int, count: int) -> tuple[int, int]:
    """Cubes put on an Empire card that holds `loose`: what lies there then, and the krystallium formed;
    five cubes of any colours become one, at once and as often as they can (rules 8.1)."""
    formed, rest = divmod(loose + count, FOR_KRYSTALLIUM)
    return rest, formed
