"""The quest boards of the original set: designed for Wonderlog, not the printed boards."""

from typing import Final

from domain.wonderful_kingdom.bags import EXPLORATION, GOLD, MATERIALS, POPULATION, bag
from domain.wonderful_kingdom.cards import Effect, Origin, Quest, QuestBoard

ANY: Final = (MATERIALS, POPULATION, GOLD, EXPLORATION)
_BOARD: Final = Origin(
    "original",
    (
        "three boards exist",
        "each player has 4 completion tokens (rules text)",
        "right-most entry is the major quest whose failure loses (rules text)",
    ),
)

BOARDS: Final = (
    QuestBoard(
        "quest_the_drowned_beacon",
        "The Drowned Beacon",
        (
            Quest(
                "quest_the_drowned_beacon_1",
                "Raise the Causeway",
                bag("MMM"),
                (
                    Effect("gain_soldiers", count=1),
                    Effect("gain_cubes", cubes=bag("P")),
                ),
                False,
                "Pay 3 materials: 1 soldier and 1 population.",
            ),
            Quest(
                "quest_the_drowned_beacon_2",
                "Hire the Divers",
                bag("PPG"),
                (
                    Effect("gain_krystallium", count=1),
                    Effect("gain_cubes", cubes=bag("X")),
                ),
                False,
                "Pay 2 population and 1 gold: 1 krystallium and 1 exploration.",
            ),
            Quest(
                "quest_the_drowned_beacon_3",
                "Chart the Shoals",
                bag("GXX"),
                (
                    Effect("draw_keep", count=3, keep=1),
                    Effect("gain_soldiers", count=1),
                ),
                False,
                "Pay 1 gold and 2 exploration: draw 3 keep 1, and 1 soldier.",
            ),
            Quest(
                "quest_the_drowned_beacon_4",
                "Rekindle the Beacon",
                bag("XXXKSS"),
                (Effect("gain_krystallium", count=1),),
                True,
                "Pay 3 exploration, 1 krystallium and 2 soldiers: 1 krystallium.",
            ),
        ),
        _BOARD,
    ),
    QuestBoard(
        "quest_the_northmarch_war",
        "The Northmarch War",
        (
            Quest(
                "quest_the_northmarch_war_1",
                "Levy the Villages",
                bag("PPP"),
                (Effect("gain_soldiers", count=2),),
                False,
                "Pay 3 population: 2 soldiers.",
            ),
            Quest(
                "quest_the_northmarch_war_2",
                "Forge the Line",
                bag("MMS"),
                (
                    Effect("gain_cubes", cubes=bag("GG")),
                    Effect("fill_training"),
                ),
                False,
                "Pay 2 materials and 1 soldier: 2 gold, and fill your training ground.",
            ),
            Quest(
                "quest_the_northmarch_war_3",
                "Hold the Passes",
                bag("XSS"),
                (Effect("gain_krystallium", count=2),),
                False,
                "Pay 2 soldiers and 1 exploration: 2 krystallium.",
            ),
            Quest(
                "quest_the_northmarch_war_4",
                "Storm the Iron Keep",
                bag("GGGSSSS"),
                (Effect("gain_cubes_choice", count=2, resources=ANY),),
                True,
                "Pay 3 gold and 4 soldiers: 2 resources of your choice.",
            ),
        ),
        _BOARD,
    ),
    QuestBoard(
        "quest_the_krystal_conclave",
        "The Krystal Conclave",
        (
            Quest(
                "quest_the_krystal_conclave_1",
                "Buy the Lenses",
                bag("GGG"),
                (
                    Effect("gain_krystallium", count=1),
                    Effect("gain_soldiers", count=1),
                ),
                False,
                "Pay 3 gold: 1 krystallium and 1 soldier.",
            ),
            Quest(
                "quest_the_krystal_conclave_2",
                "Quarry the Red Seam",
                bag("MMPP"),
                (Effect("gain_krystallium", count=2),),
                False,
                "Pay 2 materials and 2 population: 2 krystallium.",
            ),
            Quest(
                "quest_the_krystal_conclave_3",
                "Guard the Procession",
                bag("SS"),
                (Effect("gain_cubes_choice", count=3, resources=ANY),),
                False,
                "Pay 2 soldiers: 3 resources of your choice.",
            ),
            Quest(
                "quest_the_krystal_conclave_4",
                "Convene the Conclave",
                bag("XXKKKS"),
                (Effect("gain_cubes", cubes=bag("XX")),),
                True,
                "Pay 2 exploration, 3 krystallium and 1 soldier: 2 exploration.",
            ),
        ),
        _BOARD,
    ),
)
