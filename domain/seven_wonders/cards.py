"""The cards of the 1st edition, one line each, in the order of the printed list.

A row: id, Age, colour, cost (a letter a unit, `$` a coin), player-count marks (one copy for each mark up to
the number of players), what it does, and the structure that makes it free. The name follows from the id;
cards whose ids differ only in `_age1` and `_age2` are the same structure.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from domain.seven_wonders import effects as fx
from domain.seven_wonders.effects import (
    COMPASS,
    GEAR,
    LETTERS,
    MADE,
    RAW,
    TABLET,
    City,
    Coins,
    CoinsPer,
    Counted,
    Discount,
    Effect,
    Points,
    PointsPer,
    Produce,
    Science,
    ScienceChoice,
    Shields,
    Sources,
)

BROWN, GREY, BLUE, YELLOW, RED, GREEN, PURPLE = "brown", "grey", "blue", "yellow", "red", "green", "purple"
TYPES: Final[Mapping[str, str]] = {
    BROWN: "raw_material",
    GREY: "manufactured_good",
    BLUE: "civilian",
    YELLOW: "commercial",
    RED: "military",
    GREEN: "scientific",
    PURPLE: "guild",
}

STAGES, DEFEATS = "wonder_stages", "defeat_tokens"
OWN: Final[tuple[City, ...]] = ("self",)
NEXT: Final[tuple[City, ...]] = ("left", "right")
ALL: Final[tuple[City, ...]] = ("self", "left", "right")
TRADING_POSTS = "east_trading_post west_trading_post"  # either is enough


@dataclass(frozen=True, slots=True)
class Card:
    """A kind of card. What is below `marks` follows from `effects`, worked out once: `makes` for the owner,
    `sells` for the neighbours, `symbol` an index into `SYMBOLS` or -1, `discounts` the bits of `effects`."""

    id: str
    structure: str  # no city holds two cards of one structure
    name: str
    age: int
    colour: str
    coins: int  # to the bank
    cost: Sources
    chain_from: tuple[str, ...]  # any one of these structures in the city makes it free
    effects: tuple[Effect, ...]
    marks: tuple[int, ...] | None  # None for guilds
    makes: Sources
    sells: Sources
    shields: int
    symbol: int
    points: int
    discounts: int

    def copies(self, players: int) -> int:
        """How many are in the Age's deck; 0 for guilds, which are drawn."""
        return sum(mark <= players for mark in self.marks or ())


def card(id: str, age: int, colour: str, cost: str, marks: str, *effects: Effect, chain: str = "") -> Card:
    """A row of the table."""
    structure = id.removesuffix(f"_age{age}")
    return Card(
        id=id,
        structure=structure,
        name=structure.replace("_", " ").title().replace(" Of ", " of "),
        age=age,
        colour=colour,
        coins=cost.count("$"),
        cost=fx.units(cost.replace("$", "")),
        chain_from=tuple(chain.split()),
        effects=effects,
        marks=None if colour == PURPLE else tuple(map(int, marks)),
        makes=fx.makes(effects),
        sells=fx.sells(effects),
        shields=fx.shields(effects),
        symbol=fx.symbol(effects),
        points=fx.points(effects),
        discounts=fx.discounts(effects),
    )


def make(bundles: str) -> Produce:
    """A source for the owner and for sale: "WW" two wood, "W/C" wood or clay."""
    return Produce(tuple(tuple(map(LETTERS.index, bundle)) for bundle in bundles.split("/")))


def use(bundles: str) -> Produce:
    """A source for the owner alone."""
    return Produce(make(bundles).alternatives, sellable=False)


def coins_per(amount: int, scope: tuple[City, ...], *counted: str) -> CoinsPer:
    """Coins when built for each card of the colours, or each stage."""
    return CoinsPer(amount, *_counted(counted), scope)


def points_per(points: int, scope: tuple[City, ...], *counted: str) -> PointsPer:
    """Points at the end for each card of the colours, each stage or each defeat token."""
    return PointsPer(points, *_counted(counted), scope)


def each(coins: int, points: int, counted: str) -> tuple[CoinsPer, PointsPer]:
    """Coins when built and points at the end for each of the same thing in one's own city."""
    return coins_per(coins, OWN, counted), points_per(points, OWN, counted)


def _counted(what: tuple[str, ...]) -> tuple[Counted, tuple[str, ...]]:
    if what == (STAGES,):
        return "wonder_stages", ()
    if what == (DEFEATS,):
        return "defeat_tokens", ()
    return "cards", what


# fmt: off
TABLE: Final = (
    # Age I
    card("lumber_yard",         1, BROWN,  "",        "34",  make("W")),
    card("stone_pit",           1, BROWN,  "",        "35",  make("S")),
    card("clay_pool",           1, BROWN,  "",        "35",  make("C")),
    card("ore_vein",            1, BROWN,  "",        "34",  make("O")),
    card("tree_farm",           1, BROWN,  "$",       "6",   make("W/C")),
    card("excavation",          1, BROWN,  "$",       "4",   make("S/C")),
    card("clay_pit",            1, BROWN,  "$",       "3",   make("C/O")),
    card("timber_yard",         1, BROWN,  "$",       "3",   make("S/W")),
    card("forest_cave",         1, BROWN,  "$",       "5",   make("W/O")),
    card("mine",                1, BROWN,  "$",       "6",   make("O/S")),
    card("loom_age1",           1, GREY,   "",        "36",  make("L")),
    card("glassworks_age1",     1, GREY,   "",        "36",  make("G")),
    card("press_age1",          1, GREY,   "",        "36",  make("P")),
    card("pawnshop",            1, BLUE,   "",        "47",  Points(3)),
    card("baths",               1, BLUE,   "S",       "37",  Points(3)),
    card("altar",               1, BLUE,   "",        "35",  Points(2)),
    card("theater",             1, BLUE,   "",        "36",  Points(2)),
    card("tavern",              1, YELLOW, "",        "457", Coins(5)),
    card("east_trading_post",   1, YELLOW, "",        "37",  Discount(("right",), RAW)),
    card("west_trading_post",   1, YELLOW, "",        "37",  Discount(("left",), RAW)),
    card("marketplace",         1, YELLOW, "",        "36",  Discount(("left", "right"), MADE)),
    card("stockade",            1, RED,    "W",       "37",  Shields(1)),
    card("barracks",            1, RED,    "O",       "35",  Shields(1)),
    card("guard_tower",         1, RED,    "C",       "34",  Shields(1)),
    card("apothecary",          1, GREEN,  "L",       "35",  Science(COMPASS)),
    card("workshop",            1, GREEN,  "G",       "37",  Science(GEAR)),
    card("scriptorium",         1, GREEN,  "P",       "34",  Science(TABLET)),
    # Age II
    card("sawmill",             2, BROWN,  "$",       "34",  make("WW")),
    card("quarry",              2, BROWN,  "$",       "34",  make("SS")),
    card("brickyard",           2, BROWN,  "$",       "34",  make("CC")),
    card("foundry",             2, BROWN,  "$",       "34",  make("OO")),
    card("loom_age2",           2, GREY,   "",        "35",  make("L")),
    card("glassworks_age2",     2, GREY,   "",        "35",  make("G")),
    card("press_age2",          2, GREY,   "",        "35",  make("P")),
    card("aqueduct",            2, BLUE,   "SSS",     "37",  Points(5),             chain="baths"),
    card("temple",              2, BLUE,   "WCG",     "36",  Points(3),             chain="altar"),
    card("statue",              2, BLUE,   "WOO",     "37",  Points(4),             chain="theater"),
    card("courthouse",          2, BLUE,   "CCL",     "35",  Points(4),             chain="scriptorium"),
    card("forum",               2, YELLOW, "CC",      "367", use("L/G/P"),          chain=TRADING_POSTS),
    card("caravansery",         2, YELLOW, "WW",      "356", use("C/S/O/W"),        chain="marketplace"),
    card("vineyard",            2, YELLOW, "",        "36",  coins_per(1, ALL, BROWN)),
    card("bazar",               2, YELLOW, "",        "47",  coins_per(2, ALL, GREY)),
    card("walls",               2, RED,    "SSS",     "37",  Shields(2)),
    card("training_ground",     2, RED,    "WOO",     "467", Shields(2)),
    card("stables",             2, RED,    "WCO",     "35",  Shields(2),            chain="apothecary"),
    card("archery_range",       2, RED,    "WWO",     "36",  Shields(2),            chain="workshop"),
    card("dispensary",          2, GREEN,  "OOG",     "34",  Science(COMPASS),      chain="apothecary"),
    card("laboratory",          2, GREEN,  "CCP",     "35",  Science(GEAR),         chain="workshop"),
    card("library",             2, GREEN,  "SSL",     "36",  Science(TABLET),       chain="scriptorium"),
    card("school",              2, GREEN,  "WP",      "37",  Science(TABLET)),
    # Age III
    card("pantheon",            3, BLUE,   "CCOGPL",  "36",  Points(7),             chain="temple"),
    card("gardens",             3, BLUE,   "WCC",     "34",  Points(5),             chain="statue"),
    card("town_hall",           3, BLUE,   "SSOG",    "356", Points(6)),
    card("palace",              3, BLUE,   "WSCOGPL", "37",  Points(8)),
    card("senate",              3, BLUE,   "WWSO",    "35",  Points(6),             chain="library"),
    card("haven",               3, YELLOW, "WOL",     "34",  *each(1, 1, BROWN),    chain="forum"),
    card("lighthouse",          3, YELLOW, "SG",      "36",  *each(1, 1, YELLOW),   chain="caravansery"),
    card("chamber_of_commerce", 3, YELLOW, "CCP",     "46",  *each(2, 2, GREY)),
    card("arena",               3, YELLOW, "SSO",     "357", *each(3, 1, STAGES),   chain="dispensary"),
    card("fortifications",      3, RED,    "SOOO",    "37",  Shields(3),            chain="walls"),
    card("circus",              3, RED,    "SSSO",    "456", Shields(3),            chain="training_ground"),
    card("arsenal",             3, RED,    "WWOL",    "347", Shields(3)),
    card("siege_workshop",      3, RED,    "WCCC",    "35",  Shields(3),            chain="laboratory"),
    card("lodge",               3, GREEN,  "CCPL",    "36",  Science(COMPASS),      chain="dispensary"),
    card("observatory",         3, GREEN,  "OOGL",    "37",  Science(GEAR),         chain="laboratory"),
    card("university",          3, GREEN,  "WWGP",    "34",  Science(TABLET),       chain="library"),
    card("academy",             3, GREEN,  "SSSG",    "37",  Science(COMPASS),      chain="school"),
    card("study",               3, GREEN,  "WPL",     "35",  Science(GEAR),         chain="school"),
    # Guilds
    card("workers_guild",       3, PURPLE, "WSCOO",   "",    points_per(1, NEXT, BROWN)),
    card("craftsmens_guild",    3, PURPLE, "SSOO",    "",    points_per(2, NEXT, GREY)),
    card("traders_guild",       3, PURPLE, "GPL",     "",    points_per(1, NEXT, YELLOW)),
    card("philosophers_guild",  3, PURPLE, "CCCPL",   "",    points_per(1, NEXT, GREEN)),
    card("spies_guild",         3, PURPLE, "CCCG",    "",    points_per(1, NEXT, RED)),
    card("strategists_guild",   3, PURPLE, "SOOL",    "",    points_per(1, NEXT, DEFEATS)),
    card("shipowners_guild",    3, PURPLE, "WWWGP",   "",    points_per(1, OWN, BROWN, GREY, PURPLE)),
    card("scientists_guild",    3, PURPLE, "WWOOP",   "",    ScienceChoice()),
    card("magistrates_guild",   3, PURPLE, "WWWSL",   "",    points_per(1, NEXT, BLUE)),
    card("builders_guild",      3, PURPLE, "SSCCG",   "",    points_per(1, ALL, STAGES)),
)
# fmt: on

CARDS: Final[Mapping[str, Card]] = {row.id: row for row in TABLE}
GUILDS: Final[tuple[str, ...]] = tuple(sorted(row.id for row in TABLE if row.colour == PURPLE))
CHAINS_TO: Final[Mapping[str, tuple[str, ...]]] = {
    source.structure: tuple(sorted(row.structure for row in TABLE if source.structure in row.chain_from))
    for source in TABLE
}


def deck(age: int, players: int) -> list[str]:
    """The cards of an Age for so many players (3 to 7), copy by copy, sorted by code point; without guilds.
    The players + 2 guilds drawn from `GUILDS` come on top in Age III. Raises ValueError for other numbers."""
    if age not in (1, 2, 3) or players not in range(3, 8):
        raise ValueError(f"no deck of Age {age} for {players} players")
    return list(_deck(age, players))


@cache
def _deck(age: int, players: int) -> tuple[str, ...]:
    return tuple(sorted(row.id for row in TABLE if row.age == age for _ in range(row.copies(players))))
