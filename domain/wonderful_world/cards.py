"""The development cards of the base game, one line each, in the order of their printed numbers.

A row: id, type, copies, cost, construction bonus, recycling cube, production (a letter a unit, see
`cubes.LETTERS`; a minus sign before a letter takes one away), points, then production by type and points by
element.
"""

from typing import Final

from domain.wonderful.cards import DISCOVERY as DIS
from domain.wonderful.cards import PROJECT as PRO
from domain.wonderful.cards import RESEARCH as RES
from domain.wonderful.cards import STRUCTURE as STR
from domain.wonderful.cards import VEHICLE as VEH
from domain.wonderful.cards import card, makes, per
from domain.wonderful.cubes import FINANCIER as FIN
from domain.wonderful.cubes import GENERAL as GEN

# fmt: off
TABLE: Final = (
    card("financial_center",         STR, 5, "MMMME",    "F",   "G", "GG",   0),
    card("industrial_complex",       STR, 6, "MMME",     "F",   "G", "MG",   0),
    card("military_base",            STR, 6, "MMME",     "R",   "M", "MS",   0),
    card("nuclear_plant",            STR, 5, "MMMMS",    "",    "E", "EEE",  0),
    card("offshore_oil_rig",         STR, 5, "MMMX",     "F",   "E", "EG",   0),
    card("recycling_plant",          STR, 7, "MM",       "",    "M", "MM",   0),
    card("research_center",          STR, 7, "MMME",     "",    "S", "SS",   0),
    card("transportation_network",   STR, 2, "MMM",      "",    "M", "",     0,  per(1, VEH)),
    card("wind_turbines",            STR, 7, "MM",       "",    "E", "E",    0),
    card("airborne_laboratory",      VEH, 3, "EEE",      "",    "S", "SX",   0),
    card("aircraft_carrier",         VEH, 1, "MMMEEEE",  "RR",  "M", "",     0,  makes("X", VEH)),
    card("icebreaker",               VEH, 4, "EEES",     "",    "X", "XX",   0),
    card("juggernaut",               VEH, 1, "MMMEEEK",  "RR",  "M", "XX",   0,  per(1, VEH)),
    card("mega_drill",               VEH, 4, "MEE",      "",    "M", "MX",   0),
    card("saucer_squadron",          VEH, 2, "EEESS",    "",    "S", "XXX",  0),
    card("submarine",                VEH, 3, "MMEEE",    "R",   "M", "XX",   0),
    card("tank_division",            VEH, 7, "MEE",      "R",   "M", "X",    0),
    card("zeppelin",                 VEH, 6, "EE",       "",    "X", "X",    0),
    card("aquaculture",              RES, 1, "SSSSGG",   "F",   "S", "",     0,  per(1, FIN)),
    card("bionic_grafts",            RES, 1, "SSSSS",    "R",   "M", "MM",   4),
    card("climate_control",          RES, 1, "SSSSS",    "",    "E", "EEG",  2),
    card("cryopreservation",         RES, 1, "SSSSSSS",  "F",   "G", "",     0,  per(1, FIN)),
    card("genetic_upgrades",         RES, 1, "SSSS",     "FF",  "S", "",     3),
    card("gravity_inverter",         RES, 1, "ESSSSK",   "F",   "S", "",     0,  per(2, PRO)),
    card("human_cloning",            RES, 1, "SSG",      "F",   "G", "G",    1),
    card("mega_bomb",                RES, 1, "EESS",     "RR",  "E", "",     3),
    card("neuroscience",             RES, 1, "SSS",      "",    "S", "",     1,  makes("S", RES)),
    card("quantum_generator",        RES, 1, "SSSSS",    "",    "E", "EEE",  0,  per(1, VEH)),
    card("robot_assistants",         RES, 1, "SSS",      "",    "M", "",     1,  makes("M", STR)),
    card("robotic_animals",          RES, 1, "ESS",      "R",   "E", "M",    2),
    card("satellites",               RES, 1, "EESSSS",   "R",   "X", "XX",   3),
    card("security_automatons",      RES, 1, "SSSSG",    "",    "G", "",     0,  per(1, GEN)),
    card("super_soldiers",           RES, 1, "SSSSSSS",  "R",   "X", "",     0,  per(1, GEN)),
    card("super_sonar",              RES, 1, "SSSS",     "",    "X", "",     1,  makes("X", VEH)),
    card("supercomputer",            RES, 1, "SSSS",     "",    "S", "S",    0,  per(1, VEH)),
    card("teleportation",            RES, 1, "SSSSSSSS", "KK",  "X", "",     8),
    card("time_travel",              RES, 1, "SSSSSKKK", "",    "X", "",     15),
    card("transmutation",            RES, 1, "SSSGG",    "K",   "G", "GGG",  1),
    card("universal_vaccine",        RES, 1, "SSS",      "",    "G", "",     0,  per(1, PRO)),
    card("unknown_technology",       RES, 1, "SSSSSSSK", "",    "S", "",     0,  per(3, RES)),
    card("virtual_reality",          RES, 1, "SSSSS",    "",    "G", "",     2,  makes("G", RES)),
    card("casino_city",              PRO, 2, "EEEGGGG",  "F",   "G", "GG",   0,  per(1, FIN)),
    card("espionage_agency",         PRO, 2, "EEGG",     "",    "X", "XX",   1),
    card("giant_dam",                PRO, 1, "MMMGG",    "",    "E", "EEEE", 1),
    card("giant_tower",              PRO, 1, "MMGGGF",   "",    "G", "",     10),
    card("harbor_zone",              PRO, 2, "GGGGG",    "FF",  "G", "MMGG", 2),
    card("lunar_base",               PRO, 1, "EESSGGK",  "RR",  "X", "",     10),
    card("magnetic_train",           PRO, 1, "ESGGG",    "FF",  "G", "",     2,  makes("G", STR)),
    card("museum",                   PRO, 2, "GGG",      "",    "X", "",     0,  per(2, DIS)),
    card("national_monument",        PRO, 1, "MMMMMGGG", "",    "G", "",     0,  per(2, PRO)),
    card("polar_base",               PRO, 1, "EEEGGGG",  "R",   "X", "XXX",  0,  per(2, DIS)),
    card("propaganda_center",        PRO, 2, "GGG",      "R",   "G", "",     1,  makes("G", PRO)),
    card("secret_laboratory",        PRO, 2, "MMGGG",    "K",   "S", "SS",   0,  per(1, RES)),
    card("secret_society",           PRO, 2, "GGGK",     "",    "G", "",     0,  per(1, FIN)),
    card("solar_cannon",             PRO, 1, "EESGGG",   "R",   "E", "",     0,  per(1, GEN)),
    card("space_elevator",           PRO, 1, "EEESGG",   "F",   "E", "",     0,  per(1, FIN)),
    card("underground_city",         PRO, 2, "MMMGGG",   "K",   "E", "MMEE", 3),
    card("underwater_city",          PRO, 2, "EESGG",    "",    "X", "SXX",  3),
    card("universal_exposition",     PRO, 1, "GGGFF",    "",    "G", "",     0,  per(3, RES)),
    card("university",               PRO, 1, "SGG",      "",    "S", "",     2,  makes("S", PRO)),
    card("world_congress",           PRO, 1, "GGGGGGFF", "",    "G", "",     0,  per(3, PRO)),
    card("alexanders_tomb",          DIS, 1, "XXXXXXX",  "RR",  "G", "",     10),
    card("ancient_astronauts",       DIS, 1, "XXXXXXR",  "KK",  "S", "",     10, makes("S", DIS)),
    card("ark_of_the_covenant",      DIS, 1, "XXXX",     "K",   "X", "",     5),
    card("atlantis",                 DIS, 1, "XXXXXXXK", "",    "G", "",     0,  per(2, GEN)),
    card("bermuda_triangle",         DIS, 1, "XXXX",     "K",   "S", "S",    4),
    card("blackbeards_treasure",     DIS, 1, "XXX",      "",    "G", "GX",   2),
    card("center_of_the_earth",      DIS, 1, "XXXXXRR",  "",    "X", "",     15),
    card("cities_of_gold",           DIS, 1, "XXXX",     "",    "G", "GGG",  3),
    card("city_of_agartha",          DIS, 1, "XXXXK",    "",    "X", "XX",   0,  per(1, GEN)),
    card("fountain_of_youth",        DIS, 1, "XXXXXXX",  "KKK", "E", "",     0,  per(1, GEN)),
    card("garden_of_the_hesperides", DIS, 1, "XXXXX",    "",    "X", "",     0,  per(2, PRO)),
    card("island_of_avalon",         DIS, 1, "XXXXX",    "",    "S", "S",    7),
    card("king_solomons_mines",      DIS, 1, "XXXX",     "",    "G", "",     2,  makes("G", STR)),
    card("lost_continent_of_mu",     DIS, 1, "XXXXXX",   "KK",  "G", "G",    0,  per(2, DIS)),
    card("parallel_dimension",       DIS, 1, "SSSXXXXR", "KKK", "X", "",     0,  per(3, RES)),
    card("roswell",                  DIS, 1, "XXXXXX",   "R",   "S", "S",    0,  per(1, GEN)),
    card("treasure_of_the_templars", DIS, 1, "XXXXX",    "KK",  "G", "GG",   3),
)
# fmt: on
