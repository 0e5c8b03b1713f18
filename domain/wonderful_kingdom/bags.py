"""Resource cubes, krystallium and soldiers as indexes; a bag is a list or tuple of six counts.

The same indexes number the slots of a card: a slot of a colour takes that cube or a krystallium, a slot for
krystallium only krystallium, a soldier slot only a soldier (rules 5.6-5.8).
"""

from collections.abc import Mapping, Sequence
from typing import Final

MATERIALS, POPULATION, GOLD, EXPLORATION, KRYSTALLIUM, SOLDIERS = range(6)
NAMES: Final = ("materials", "population", "gold", "exploration", "krystallium", "soldiers")
INDEX: Final[Mapping[str, int]] = {name: index for index, name in enumerate(NAMES)}
COLOURS: Final = range(4)  # in the order of the production steps (rules 5.1)
STEPS: Final = NAMES[:4]
LETTERS: Final = "MPGXKS"  # a letter a unit in the tables of cards: X exploration, S soldier

Bag = tuple[int, ...]


def bag(letters: str) -> Bag:
    """The counts written as letters: "MMK" is two materials and a krystallium."""
    counts = [0] * len(NAMES)
    for letter in letters:
        counts[LETTERS.index(letter)] += 1
    return tuple(counts)


def named(counts: Sequence[int]) -> dict[str, int]:
    """The counts by name, without zeros."""
    return {NAMES[index]: count for index, count in enumerate(counts) if count}


def counted(names: Mapping[str, int]) -> Bag:
    """The counts in order. Raises KeyError for a name that is none of the six."""
    counts = [0] * len(NAMES)
    for name, count in names.items():
        counts[INDEX[name]] += count
    return tuple(counts)
