"""The Empire cards, one line for each side.

A row: id, side, production (a letter a unit, see `cubes.LETTERS`), krystallium at the start, points.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from domain.wonderful.cards import DISCOVERY, PROJECT, RESEARCH, STRUCTURE, VEHICLE, Per, per
from domain.wonderful.cubes import FINANCIER, GENERAL, pool

SIDES: Final = ("A", "B", "C", "D", "E", "F")


@dataclass(frozen=True, slots=True)
class Empire:
    """One side of an Empire card; it has no type and is no development (rules 6.2)."""

    id: str
    name: str
    side: str
    production: tuple[int, ...]
    krystallium: int
    per: tuple[Per, ...]


def empire(id: str, side: str, production: str, krystallium: int, *points: Per) -> Empire:
    """A row of the table."""
    name = id.replace("_", " ").title().replace(" Of ", " of ")
    return Empire(id, name, side, pool(production), krystallium, points)


# fmt: off
TABLE: Final = (
    # Aztec Empire
    empire("aztec_empire",         "A", "EEX",               0, per(3, DISCOVERY)),
    empire("aztec_empire",         "B", "MMES",              0),
    empire("aztec_empire",         "C", "",                  5),
    empire("aztec_empire",         "D", "MMEE",              0),
    empire("aztec_empire",         "E", "MMMMEE-S-G-X",      0),
    empire("aztec_empire",         "F", "MM-SGX",            0),
    # Federation of Asia
    empire("federation_of_asia",   "A", "MGG",               0, per(2, PROJECT)),
    empire("federation_of_asia",   "B", "MMES",              0),
    empire("federation_of_asia",   "C", "",                  5),
    empire("federation_of_asia",   "D", "MMSS",              0),
    empire("federation_of_asia",   "E", "MMMMEE-S-G-X",      0),
    empire("federation_of_asia",   "F", "MMMMS-X",           0),
    # Noram States
    empire("noram_states",         "A", "MMMG",              0, per(1, FINANCIER)),
    empire("noram_states",         "B", "MMES",              0),
    empire("noram_states",         "C", "",                  5),
    empire("noram_states",         "D", "MMMG",              0),
    empire("noram_states",         "E", "MMMMEE-S-G-X",      0),
    empire("noram_states",         "F", "MMMEE-G",           0),
    # Panafrican Union
    empire("panafrican_union",     "A", "MMSS",              0, per(2, RESEARCH)),
    empire("panafrican_union",     "B", "MMES",              0),
    empire("panafrican_union",     "C", "",                  5),
    empire("panafrican_union",     "D", "MGG",               0),
    empire("panafrican_union",     "E", "MMMMEE-S-G-X",      0),
    empire("panafrican_union",     "F", "MMM-ESS",           0),
    # Republic of Europe
    empire("republic_of_europe",   "A", "MMES",              0, per(1, GENERAL)),
    empire("republic_of_europe",   "B", "MMES",              0),
    empire("republic_of_europe",   "C", "",                  5),
    empire("republic_of_europe",   "D", "MMMX",              0),
    empire("republic_of_europe",   "E", "MMMMEE-S-G-X",      0),
    empire("republic_of_europe",   "F", "-MEESS",            0),
    # Nations of Oceania
    empire("nations_of_oceania",   "A", "MMME",              0, per(1, STRUCTURE)),
    empire("nations_of_oceania",   "B", "MMES",              0),
    empire("nations_of_oceania",   "C", "",                  5),
    empire("nations_of_oceania",   "D", "SGX",               0),
    empire("nations_of_oceania",   "E", "MMMMEE-S-G-X",      0),
    empire("nations_of_oceania",   "F", "-M-MGGXX",          0),
    # North Hegemony
    empire("north_hegemony",       "A", "EEE",               0, per(2, VEHICLE)),
    empire("north_hegemony",       "B", "MMES",              0),
    empire("north_hegemony",       "C", "",                  5),
    empire("north_hegemony",       "D", "EEES",              0),
    empire("north_hegemony",       "E", "MMMMEE-S-G-X",      0),
    empire("north_hegemony",       "F", "MMMEE-S-S",         0),
)
# fmt: on

EMPIRES: Final[Mapping[str, Mapping[str, Empire]]] = {
    row.id: {other.side: other for other in TABLE if other.id == row.id} for row in TABLE
}
ASCENSION: Final = ("nations_of_oceania", "north_hegemony")  # come with Corruption & Ascension
BASE: Final = tuple(name for name in EMPIRES if name not in ASCENSION)
