"""The developments of the original set, one line each: designed for Wonderlog, not the printed cards.

A row: id without `dev_`, type, copies, cost, recycling, production, completion bonus (a letter a unit, see
`bags.LETTERS`), points, then production and points by type. The few facts that are those of a printed card
are named in its origin.
"""

from typing import Final

from domain.wonderful_kingdom.bags import LETTERS, bag
from domain.wonderful_kingdom.cards import DISCOVERY as DIS
from domain.wonderful_kingdom.cards import MONUMENT as MON
from domain.wonderful_kingdom.cards import ORIGINAL, Development, Origin, Per, Rate
from domain.wonderful_kingdom.cards import SPECIALIST as SPE
from domain.wonderful_kingdom.cards import STRUCTURE as STR


def dev(
    id: str,
    type: int,
    copies: int,
    cost: str,
    recycling: str,
    production: str,
    bonus: str,
    points: int,
    *by_type: Rate | Per,
    origin: Origin = ORIGINAL,
) -> Development:
    """A row of the table."""
    per = [each for each in by_type if isinstance(each, Per)]
    return Development(
        f"dev_{id}",
        printed_name(id),
        type,
        copies,
        bag(cost),
        bag(recycling),
        bag(production),
        tuple(each for each in by_type if isinstance(each, Rate)),
        bag(bonus),
        points,
        per[0] if per else None,
        origin,
    )


def printed_name(id: str) -> str:
    """The name on a card: its id as a title, with the marks an id cannot hold."""
    name = id.replace("_", " ").title()
    for word, printed in (
        ("Seven Arch Aqueduct", "Seven-Arch Aqueduct"),
        (" Of ", " of "),
        (" The ", " the "),
    ):
        name = name.replace(word, printed)
    return name


def makes(icons: str, type: int) -> Rate:
    """So many icons for each constructed development of the type."""
    return Rate(LETTERS.index(icons[0]), type, len(icons))


def per(points: int, type: int) -> Per:
    """Points for each constructed development of the type."""
    return Per(points, type)


# fmt: off
_LOST_HOST: Final = Origin(
    "original",
    ("completion_bonus", "victory_points"),
    "Only these fields echo a card described (unnamed, cost unstated) in a public review [S14]: one-time"
    " bonus of three soldiers, 2 VP per blue card. Name, cost, recycling and type are original.",
)

DEVELOPMENTS: Final = (
    dev("claywright_yard",         STR, 4, "MM",       "M", "MM",   "",    0),
    dev("terraced_barley",         STR, 3, "MM",       "P", "P",    "S",   0),
    dev("counting_loft",           STR, 3, "MMP",      "G", "GG",   "",    0),
    dev("longhouse_row",           STR, 3, "MMMM",     "P", "PPP",  "",    0),
    dev("muster_green",            STR, 3, "MMM",      "M", "MP",   "S",   0),
    dev("ropewalk_quay",           STR, 3, "MMM",      "P", "PG",   "",    0),
    dev("lantern_causeway",        STR, 3, "MMP",      "X", "GX",   "",    0),
    dev("waystone_road",           STR, 1, "MMM",      "M", "",     "",    0, per(1, SPE)),
    dev("brambled_palisade",       STR, 1, "MM",       "M", "",     "SS",  1),
    dev("reedmere_ferrymen",       SPE, 2, "PP",       "X", "X",    "",    0),
    dev("scree_prospectors",       SPE, 2, "MPP",      "M", "MX",   "",    0),
    dev("oathbound_pikes",         SPE, 2, "MPP",      "M", "X",    "S",   0),
    dev("honest_assayers",         SPE, 2, "PPP",      "G", "GX",   "",    0),
    dev("table_of_mapwrights",     SPE, 2, "PPPG",     "X", "XX",   "S",   0),
    dev("thornwall_wardens",       SPE, 1, "PPPP",     "P", "",     "SS",  3),
    dev("granary_stewards",        SPE, 1, "PPP",      "M", "",     "",    1, makes("M", STR)),
    dev("ledger_reeves",           SPE, 1, "PPPP",     "G", "",     "",    2, makes("G", SPE)),
    dev("pathfinder_lodge",        SPE, 1, "PPPX",     "X", "",     "",    3, makes("X", SPE)),
    dev("vale_annalists",          SPE, 1, "PPP",      "G", "",     "",    0, per(1, MON)),
    dev("grand_marshalcy",         SPE, 1, "PPPPPPS",  "P", "",     "",    0, per(2, SPE)),
    dev("drapers_exchange",        MON, 2, "GGGG",     "G", "MMGG", "",    2),
    dev("hall_of_torn_banners",    MON, 2, "PPGG",     "X", "XX",   "",    1),
    dev("seven_arch_aqueduct",     MON, 1, "MMMGG",    "P", "PPPP", "",    3),
    dev("undermount_vaults",       MON, 1, "MMMGGG",   "M", "MMPP", "K",   3),
    dev("silver_belfry",           MON, 1, "MMGGGS",   "G", "",     "",    9),
    dev("wayfarers_reliquary",     MON, 2, "GGG",      "X", "",     "",    0, per(2, DIS)),
    dev("colossus_of_the_ford",    MON, 1, "MMMMMGGG", "G", "",     "",    0, per(2, MON)),
    dev("painted_amphitheatre",    MON, 1, "PGGGG",    "P", "",     "",    0, per(2, SPE)),
    dev("mint_tower",              MON, 1, "GGG",      "G", "",     "S",   2, makes("G", MON)),
    dev("market_rotunda",          MON, 1, "PGGG",     "G", "",     "",    2, makes("G", STR)),
    dev("stargazers_dome",         MON, 1, "PPGGGK",   "X", "",     "SS",  9),
    dev("palace_of_glass_leaves",  MON, 1, "GGGGGGSS", "G", "",     "",    0, per(3, MON)),
    dev("drowned_bells",           DIS, 1, "XXX",      "G", "GX",   "",    2),
    dev("isle_of_mirrors",         DIS, 1, "XXXXX",    "P", "P",    "",    8),
    dev("barrow_of_the_reed_king", DIS, 1, "XXXXXXX",  "G", "",     "SS",  11),
    dev("humming_geode",           DIS, 2, "XXXX",     "X", "",     "K",   5),
    dev("amber_strand",            DIS, 1, "XXXX",     "G", "GGG",  "",    3),
    dev("gate_under_the_hill",     DIS, 1, "XXXXXSS",  "X", "",     "",    12),
    dev("orchard_of_first_light",  DIS, 1, "XXXXX",    "P", "",     "",    0, per(2, SPE)),
    dev("flooded_archive",         DIS, 1, "XXXXXX",   "G", "G",    "KK",  0, per(2, DIS)),
    dev("roost_of_the_old_wyrm",   DIS, 1, "XXXXXXS",  "M", "",     "KK",  9),
    dev("singing_menhirs",         DIS, 1, "XXXX",     "G", "",     "",    3, makes("G", STR)),
    dev("well_of_second_youth",    DIS, 1, "XXXXXX",   "P", "",     "KKK", 5),
    dev("standard_of_the_lost_host",DIS, 1, "PPXXXXX", "X", "",     "SSS", 0, per(2, DIS), origin=_LOST_HOST),
    dev("broken_skybridge",        DIS, 1, "XXXXK",    "X", "XX",   "",    7),
    dev("giants_maproom",          DIS, 1, "XXXX",     "M", "",     "",    0, per(1, STR)),
)
# fmt: on
