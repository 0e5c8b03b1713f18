"""The seven boards of the 1st edition, both sides, one line a stage.

A stage: cost (a letter a unit) and what it does. A board produces its starting resource from the beginning;
it is for sale but is not a card. What stages produce is not for sale.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from domain.seven_wonders import effects as fx
from domain.seven_wonders.cards import use
from domain.seven_wonders.effects import (
    CLAY,
    CLOTH,
    FIELD_BITS,
    GLASS,
    ORE,
    PAPYRUS,
    RAW,
    STONE,
    WOOD,
    BuildFromDiscard,
    Coins,
    CopyGuild,
    Discount,
    Effect,
    FreeBuild,
    Points,
    ScienceChoice,
    SeventhCard,
    Shields,
    Sources,
)


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a wonder. What is below `effects` follows from them; nothing a stage makes is for sale."""

    coins: int  # to the bank
    cost: Sources
    effects: tuple[Effect, ...]
    makes: Sources
    shields: int
    points: int
    discounts: int


@dataclass(frozen=True, slots=True)
class Board:
    """One side of a wonder. `makes` is its starting resource, for the owner and for sale."""

    wonder: str
    side: Literal["A", "B"]
    name: str
    full_name: str
    resource: int
    stages: tuple[Stage, ...]
    makes: Sources


def stage(cost: str, *effects: Effect) -> Stage:
    """A row of the table."""
    return Stage(
        coins=cost.count("$"),
        cost=fx.units(cost.replace("$", "")),
        effects=effects,
        makes=fx.makes(effects),
        shields=fx.shields(effects),
        points=fx.points(effects),
        discounts=fx.discounts(effects),
    )


def wonder(full_name: str, resource: int, a: tuple[Stage, ...], b: tuple[Stage, ...]) -> dict[str, Board]:
    """Both sides of a wonder; its name is the last word of the full name."""
    name = full_name.split()[-1]
    start = 1 << FIELD_BITS * resource
    return {
        "A": Board(name.lower(), "A", name, full_name, resource, a, start),
        "B": Board(name.lower(), "B", name, full_name, resource, b, start),
    }


# fmt: off
_TABLE: Final = (
    wonder("The Colossus of Rhodes", ORE, (
        stage("WW",    Points(3)),
        stage("CCC",   Shields(2)),
        stage("OOOO",  Points(7)),
    ), (
        stage("SSS",   Shields(1), Points(3), Coins(3)),
        stage("OOOO",  Shields(1), Points(4), Coins(4)),
    )),
    wonder("The Lighthouse of Alexandria", GLASS, (
        stage("SS",    Points(3)),
        stage("OO",    use("C/O/W/S")),
        stage("GG",    Points(7)),
    ), (
        stage("CC",    use("W/S/O/C")),
        stage("WW",    use("G/L/P")),
        stage("SSS",   Points(7)),
    )),
    wonder("The Temple of Artemis in Ephesus", PAPYRUS, (
        stage("SS",    Points(3)),
        stage("WW",    Coins(9)),
        stage("PP",    Points(7)),
    ), (
        stage("SS",    Points(2), Coins(4)),
        stage("WW",    Points(3), Coins(4)),
        stage("GPL",   Points(5), Coins(4)),
    )),
    wonder("The Hanging Gardens of Babylon", CLAY, (
        stage("CC",    Points(3)),
        stage("WWW",   ScienceChoice()),
        stage("CCCC",  Points(7)),
    ), (
        stage("CL",    Points(3)),
        stage("WWG",   SeventhCard()),
        stage("CCCP",  ScienceChoice()),
    )),
    wonder("The Statue of Zeus in Olympia", WOOD, (
        stage("WW",    Points(3)),
        stage("SS",    FreeBuild()),
        stage("OO",    Points(7)),
    ), (
        stage("WW",    Discount(("left", "right"), RAW)),
        stage("SS",    Points(5)),
        stage("OOL",   CopyGuild()),
    )),
    wonder("The Mausoleum of Halicarnassus", CLOTH, (
        stage("CC",    Points(3)),
        stage("OOO",   BuildFromDiscard()),
        stage("LL",    Points(7)),
    ), (
        stage("OO",    Points(2), BuildFromDiscard()),
        stage("CCC",   Points(1), BuildFromDiscard()),
        stage("GPL",   BuildFromDiscard()),
    )),
    wonder("The Pyramids of Giza", STONE, (
        stage("SS",    Points(3)),
        stage("WWW",   Points(5)),
        stage("SSSS",  Points(7)),
    ), (
        stage("WW",    Points(3)),
        stage("SSS",   Points(5)),
        stage("CCC",   Points(5)),
        stage("SSSSP", Points(7)),
    )),
)
# fmt: on

WONDERS: Final[Mapping[str, Mapping[str, Board]]] = {sides["A"].wonder: sides for sides in _TABLE}
