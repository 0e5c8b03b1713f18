"""Points of an Empire: flat, by combination, for generals, for financiers (rules 9.1)."""

from collections.abc import Iterable, Sequence

from domain.wonderful.cards import Per
from domain.wonderful.cubes import FINANCIER, GENERAL


def points(flat: int, per: Iterable[Per], elements: Sequence[int]) -> dict[str, int]:
    """The four parts. `elements` counts the constructed cards by type, then the characters held; a character
    is worth 1 and what single-character effects add, a set of anything counts as a combination."""
    combo, financier, general = 0, 1, 1
    for effect in per:
        if effect.of == (FINANCIER,):
            financier += effect.points
        elif effect.of == (GENERAL,):
            general += effect.points
        else:
            combo += effect.points * min(elements[element] for element in effect.of)
    return {
        "gross": flat,
        "combo": combo,
        "generals": elements[GENERAL] * general,
        "financiers": elements[FINANCIER] * financier,
    }
