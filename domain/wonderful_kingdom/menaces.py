"""The menaces of the original set, in four sets, and the rats: designed for Wonderlog."""

from typing import Final

from domain.wonderful_kingdom.bags import EXPLORATION, GOLD, MATERIALS, POPULATION, bag
from domain.wonderful_kingdom.cards import RAT_PILE, Effect, Menace, Origin

_SET: Final = Origin(
    "original",
    (
        "set name",
        "set size 4",
    ),
)
_OGRE: Final = Origin(
    "original",
    (
        "set name",
        "set size 4",
        "defeat_cost",
        "victory_points",
        "effect idea: forces the holder to discard a card while held",
    ),
    "A menace with exactly defeat cost 3 soldiers, -4 VP and a forced discard is described in a"
    " public review [S14]; that it belongs to the frost giants, its exact timing and its name are NOT"
    " verified.",
)
_RAT: Final = Origin("original", ("existence and count (10 Rat cards beside 4 Giant Rats) [S4]",))

MENACES: Final = (
    Menace(
        "men_rats_1",
        "Barn-Gnawer",
        "giant_rats",
        bag("S"),
        -2,
        (Effect("spawn_rat", trigger="production_start", count=1),),
        "At the start of each production phase while this menace is with you, take 1 Rat card from"
        " the rat pile into your under-construction area (if any is left).",
        _SET,
    ),
    Menace(
        "men_rats_2",
        "Cellar Matriarch",
        "giant_rats",
        bag("SSS"),
        -5,
        (Effect("spawn_rat", trigger="production_start", count=1),),
        "At the start of each production phase while this menace is with you, take 1 Rat card from"
        " the rat pile into your under-construction area (if any is left).",
        _SET,
    ),
    Menace(
        "men_rats_3",
        "Rope-Chewer",
        "giant_rats",
        bag("PSS"),
        -4,
        (Effect("spawn_rat", trigger="production_start", count=1),),
        "At the start of each production phase while this menace is with you, take 1 Rat card from"
        " the rat pile into your under-construction area (if any is left).",
        _SET,
    ),
    Menace(
        "men_rats_4",
        "Moat Swimmer",
        "giant_rats",
        bag("SS"),
        -3,
        (Effect("spawn_rat", trigger="production_start", count=1),),
        "At the start of each production phase while this menace is with you, take 1 Rat card from"
        " the rat pile into your under-construction area (if any is left).",
        _SET,
    ),
    Menace(
        "men_frost_1",
        "Hoarfrost Ogre",
        "frost_giants",
        bag("SSS"),
        -4,
        (Effect("discard_collected", trigger="planning_reveal", count=1, chooser="owner"),),
        "From the round after it arrives: in each planning phase, after the reveal, discard 1"
        " development or treasure from your collection area without any recycling bonus.",
        _OGRE,
    ),
    Menace(
        "men_frost_2",
        "Quarry-Freezer",
        "frost_giants",
        bag("SS"),
        -2,
        (Effect("production_modifier", trigger="static", count=-2, resources=(MATERIALS,)),),
        "You count 2 fewer materials icons (minimum 0).",
        _SET,
    ),
    Menace(
        "men_frost_3",
        "Granary-Freezer",
        "frost_giants",
        bag("SS"),
        -1,
        (
            Effect("production_modifier", trigger="static", count=-1, resources=(POPULATION,)),
            Effect("production_modifier", trigger="static", count=-1, resources=(GOLD,)),
        ),
        "You count 1 fewer population icon and 1 fewer gold icon (minimum 0 each).",
        _SET,
    ),
    Menace(
        "men_frost_4",
        "Pass-Blocker",
        "frost_giants",
        bag("S"),
        -2,
        (Effect("production_modifier", trigger="static", count=-2, resources=(EXPLORATION,)),),
        "You count 2 fewer exploration icons (minimum 0).",
        _SET,
    ),
    Menace(
        "men_shadow_1",
        "Whispering Dark",
        "shadows",
        bag("SS"),
        -4,
        (Effect("trap_limit", trigger="static", count=-1),),
        "Your trap limit is 1 lower in every round while this menace is with you.",
        _SET,
    ),
    Menace(
        "men_shadow_2",
        "Banner-Eater",
        "shadows",
        bag("SS"),
        -4,
        (
            Effect(
                "supremacy_block",
                trigger="static",
                resources=(
                    GOLD,
                    EXPLORATION,
                ),
            ),
        ),
        "You cannot win supremacy in the gold and exploration steps (your opponent still compares"
        " normally and may win).",
        _SET,
    ),
    Menace(
        "men_shadow_3",
        "Ash Clerk",
        "shadows",
        bag("GS"),
        -3,
        (Effect("recycle_to_duchy_only", trigger="static"),),
        "All cubes you gain by recycling must go on your duchy card.",
        _SET,
    ),
    Menace(
        "men_shadow_4",
        "Prism-Drinker",
        "shadows",
        bag("KS"),
        -4,
        (Effect("krystallium_no_substitute", trigger="static"),),
        "Your krystallium cannot stand in for resource cubes (it still pays krystallium costs).",
        _SET,
    ),
    Menace(
        "men_thief_1",
        "Cutpurse",
        "thieves",
        bag("S"),
        -1,
        (Effect("steal", trigger="production_start", zone="constructed", chooser="owner"),),
        "If its stolen token is not in play, put it on one of your constructed developments that has"
        " none (your choice). See effect steal.",
        _SET,
    ),
    Menace(
        "men_thief_2",
        "Second-Storey Crew",
        "thieves",
        bag("SS"),
        -1,
        (Effect("steal", trigger="production_start", zone="constructed", chooser="opponent"),),
        "As Cutpurse, but your opponent chooses.",
        _SET,
    ),
    Menace(
        "men_thief_3",
        "Scaffold Strippers",
        "thieves",
        bag("S"),
        -2,
        (Effect("steal", trigger="production_start", zone="under_construction", chooser="owner"),),
        "If its stolen token is not in play, put it on one of your developments under construction"
        " that has none (your choice).",
        _SET,
    ),
    Menace(
        "men_thief_4",
        "Toll Barons",
        "thieves",
        bag("GS"),
        -2,
        (Effect("steal", trigger="production_start", zone="under_construction", chooser="opponent"),),
        "As Scaffold Strippers, but your opponent chooses.",
        _SET,
    ),
    *(
        Menace(
            f"men_rat_{number:02}", "Rat", RAT_PILE, bag("P"), -2, (), "No effect besides its penalty.", _RAT
        )
        for number in range(1, 11)
    ),
)
