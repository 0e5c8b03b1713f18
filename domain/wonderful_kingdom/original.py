"""The original set but for its developments: designed for Wonderlog, not the printed cards.

What is printed on the cards of this game is not public. Each origin names the few facts that are; the counts
and kinds of cards are those of the game.
"""

from typing import Final

from domain.wonderful_kingdom.advisors import ADVISORS
from domain.wonderful_kingdom.bags import bag
from domain.wonderful_kingdom.cards import (
    Calamity,
    CardSet,
    Duchy,
    DuchySide,
    Origin,
    Treasure,
    card_set,
)
from domain.wonderful_kingdom.developments import DEVELOPMENTS
from domain.wonderful_kingdom.menaces import MENACES
from domain.wonderful_kingdom.questboards import BOARDS

_DUCHY: Final = Origin("original", ("name",))
_TREASURE: Final = Origin(
    "original",
    (
        "recycle-only",
        "recycling total of 2 cubes",
    ),
)
_CALAMITY: Final = Origin("original", ("victory_points (single review source)",))

DUCHIES: Final = (
    Duchy(
        "duchy_teressie",
        "Téressie",
        "blue",
        {"A": DuchySide(bag("MMPG"), bag("")), "B": DuchySide(bag("MPP"), bag("K"))},
        _DUCHY,
    ),
    Duchy(
        "duchy_valados",
        "Valados",
        "red",
        {"A": DuchySide(bag("MMPG"), bag("")), "B": DuchySide(bag("MGX"), bag("K"))},
        _DUCHY,
    ),
)

TREASURES: Final = (
    Treasure("tre_cartload_of_dressed_stone", "Cartload of Dressed Stone", 1, bag("MM"), _TREASURE),
    Treasure("tre_wandering_masons_guild", "Wandering Masons Guild", 1, bag("MP"), _TREASURE),
    Treasure("tre_gilded_roof_tiles", "Gilded Roof Tiles", 1, bag("MG"), _TREASURE),
    Treasure("tre_ironwood_sledge", "Ironwood Sledge", 1, bag("MX"), _TREASURE),
    Treasure("tre_boatload_of_settlers", "Boatload of Settlers", 1, bag("PP"), _TREASURE),
    Treasure("tre_dowry_procession", "Dowry Procession", 1, bag("PG"), _TREASURE),
    Treasure("tre_pilgrims_with_tales", "Pilgrims With Tales", 1, bag("PX"), _TREASURE),
    Treasure("tre_smugglers_strongbox", "Smugglers Strongbox", 1, bag("GG"), _TREASURE),
    Treasure("tre_far_shore_ingots", "Far-Shore Ingots", 1, bag("GX"), _TREASURE),
    Treasure("tre_sealed_chart_case", "Sealed Chart Case", 1, bag("XX"), _TREASURE),
)

CALAMITIES: Final = (
    Calamity("cal_blighted_harvest", "Blighted Harvest", -4, _CALAMITY),
    Calamity("cal_salt_rain", "Salt Rain", -4, _CALAMITY),
    Calamity("cal_collapsed_mine", "Collapsed Mine", -4, _CALAMITY),
    Calamity("cal_marsh_fever", "Marsh Fever", -4, _CALAMITY),
    Calamity("cal_broken_dykes", "Broken Dykes", -4, _CALAMITY),
    Calamity("cal_royal_creditors", "Royal Creditors", -4, _CALAMITY),
    Calamity("cal_wildfire_summer", "Wildfire Summer", -4, _CALAMITY),
    Calamity("cal_vanished_caravan", "Vanished Caravan", -4, _CALAMITY),
)


ORIGINAL: Final[CardSet] = card_set(
    "original-1",
    "949fa86af65e97edaa101cf46626ea592f5a9ca6c91b2e7573bc56ec9d60a907",
    DUCHIES,
    DEVELOPMENTS,
    TREASURES,
    CALAMITIES,
    MENACES,
    ADVISORS,
    BOARDS,
)
