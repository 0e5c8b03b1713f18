"""The development cards of Corruption & Ascension and of War or Peace, one line each, in the order of their
printed numbers.

A row: id, type, copies, cost, construction bonus, recycling cube, production (a letter a unit, see
`cubes.LETTERS`; a minus sign before a letter takes one away), points, then production by type and points by
element.
"""

from typing import Final

from domain.wonderful.cards import DISCOVERY as DIS
from domain.wonderful.cards import MEMORIAL as MEM
from domain.wonderful.cards import PROJECT as PRO
from domain.wonderful.cards import RESEARCH as RES
from domain.wonderful.cards import STRUCTURE as STR
from domain.wonderful.cards import VEHICLE as VEH
from domain.wonderful.cards import card, makes, per
from domain.wonderful.cubes import FINANCIER as FIN
from domain.wonderful.cubes import GENERAL as GEN

# fmt: off
ASCENSION: Final = (
    card("border_patrol",            STR, 3, "MM",              "R",  "X", "G-X",    0),
    card("krystallium_power_plant",  STR, 1, "MSSK",            "",   "S", "MMMEEE", 0),
    card("robot_factory",            STR, 2, "MMSS",            "",   "M", "-MEESS", 0),
    card("gold_mine",                STR, 2, "MMMEX",           "",   "G", "GGG",    0),
    card("secret_base",              STR, 2, "MMMMES",          "R",  "X", "-EXXX",  0),
    card("lawless_zone",             STR, 3, "MM",              "",   "M", "ME-G",   0),
    card("occult_district",          STR, 3, "M",               "K",  "M", "M-S",    0),
    card("offshore_laboratory",      STR, 3, "MMG",             "F",  "E", "-ESG",   0),
    card("floating_palace",          VEH, 1, "EESGGR",          "",   "E", "EE",     0,  per(2, VEH)),
    card("giant_robot",              VEH, 1, "MMMEEEEESSK",     "RR", "M", "",       0,  per(6, STR, VEH)),
    card("armored_convoy",           VEH, 2, "MEE",             "",   "G", "-MGG",   0),
    card("mobile_base",              VEH, 2, "MMEEES",          "R",  "S", "-MSSXX", 0),
    card("inquisitors",              VEH, 3, "MEE",             "",   "S", "-SGX",   0),
    card("raiders",                  VEH, 3, "EG",              "",   "G", "-GXX",   0),
    card("planetary_archives",       RES, 1, "SSSSXX",          "",   "X", "SS",     0,  per(3, DIS)),
    card("telekinesis",              RES, 1, "SSSSSK",          "",   "S", "",       0,  per(6, VEH, FIN)),
    card("artificial_intelligence",  RES, 1, "SSS",             "",   "S", "",       1,  makes("S", VEH)),
    card("dark_matter",              RES, 1, "MMMMMSSSSSKK",    "",   "M", "",       0,  per(6, STR, RES)),
    card("artificial_sun",           RES, 1, "EEEESSSSSSSGGK",  "",   "E", "",       25),
    card("immortality",              RES, 1, "EEESSSSSSSSFR",   "",   "S", "",       0,  per(9, RES, PRO)),
    card("utopia",                   RES, 1, "MMEESSGGXXFF",    "",   "G", "",       0,  per(12, PRO, DIS)),
    card("tax_haven",                RES, 1, "SSGG",            "FF", "G", "-EGG",   1),
    card("celestial_cathedral",      PRO, 1, "MMMMGGGGGXX",     "",   "G", "",       0,  per(8, VEH, PRO)),
    card("intercontinental_network", PRO, 1, "MMEEGGG",         "",   "M", "",       0,  per(6, DIS, FIN)),
    card("high_security_prison",     PRO, 1, "MMGGGGF",         "",   "M", "",       0,  per(5, STR, GEN)),
    card("orbital_station",          PRO, 1, "EEESSSGGGGG",     "",   "S", "",       0,  per(6, FIN, GEN)),
    card("world_bank",               PRO, 1, "GGGGGGGXXXXXR",   "",   "G", "",       0,  per(7, STR, PRO)),
    card("luxury_clinic",            PRO, 2, "SGG",             "",   "E", "-ESS",   3),
    card("the_wall",                 PRO, 1, "MMMMMMMMMGGGGRR", "",   "M", "",       25),
    card("consortium",               PRO, 1, "EEEGGG",          "F",  "G", "GGGXX",  1),
    card("mining_asteroid",          PRO, 1, "EESSGG",          "KK", "M", "MMMM",   3),
    card("hyperborea",               DIS, 1, "SSSSXXXXXRR",     "",   "S", "",       0,  per(10, RES, DIS)),
    card("valhalla",                 DIS, 1, "GGXXXXXK",        "",   "G", "",       0,  per(6, PRO, GEN)),
    card("mysterious_vessel",        DIS, 1, "SSXXXXXX",        "",   "X", "",       0,  per(6, VEH, RES)),
    card("pandemonium",              DIS, 1, "XXXXFF",          "",   "E", "",       0,  per(2, STR)),
    card("pandoras_box",             DIS, 1, "XXXX",            "K",  "X", "MESG",   1),
    card("alpha_centauri",           DIS, 1, "EEESSSXXXXXXXX",  "",   "X", "",       25),
    card("shambhala",                DIS, 1, "XXXX",            "",   "X", "",       4,  makes("X", PRO)),
)

REWARDS: Final = (
    card("memorial_for_the_builder",   MEM, 1, "MMMG",  "",  "M", "K",  2),
    card("memorial_for_the_dictator",  MEM, 1, "MEES",  "",  "E", "K",  2),
    card("memorial_for_the_scientist", MEM, 1, "ESSS",  "",  "S", "K",  2),
    card("memorial_for_the_financier", MEM, 1, "EGG",   "",  "G", "K",  2),
    card("memorial_for_the_explorer",  MEM, 1, "SXX",   "",  "X", "K",  2),
    card("analysis_center",            STR, 3, "MMS",   "",  "S", "K",  0),
    card("security_ships",             VEH, 2, "MEEG",  "",  "X", "XR", 0),
    card("tower_of_babel",             DIS, 1, "XXXXX", "",  "X", "KK", 2),
    card("gaussian_weapons",           RES, 1, "ESSS",  "R", "E", "K",  1),
    card("cargo_fleet",                VEH, 2, "MMEE",  "",  "G", "GF", 0),
    card("pax_10",                     PRO, 1, "GGGG",  "",  "E", "FF", 1),
    card("headquarters",               PRO, 1, "GGGX",  "",  "X", "RR", 1),
    card("secret_forces",              STR, 4, "MMR",   "",  "X", "SX", 0),
)
# fmt: on
