"""The options of a match: Empire cards, expansions, the game alone, how strict the table is."""

from collections.abc import Mapping
from typing import Any, Final

from domain.kernel.game import Option
from domain.wonderful_world.empires import SIDES as EMPIRE_SIDES

SIDE: Final = "side"
ASCENSION: Final = "corruption_and_ascension"
WAR_OR_PEACE: Final = "war_or_peace"
SCENARIO: Final = "scenario"
SCENARIO_CARDS: Final = "scenario_cards_required"
AUTO_VALIDATE: Final = "auto_validate"

FREE_PLAY: Final = "free-play"
# Cards under construction at the start, and the totals for bronze, silver and gold (rules 11.6).
SCENARIOS: Final[Mapping[str, tuple[tuple[str, ...], tuple[int, int, int]]]] = {
    "to-the-center-of-the-earth": (
        ("polar_base", "super_sonar", "center_of_the_earth", "mega_drill"),
        (70, 95, 115),
    ),
    "a-better-world": (
        ("wind_turbines", "recycling_plant", "universal_vaccine", "aquaculture"),
        (70, 95, 115),
    ),
    "they-are-among-us": (
        ("unknown_technology", "saucer_squadron", "lunar_base", "secret_laboratory"),
        (70, 90, 105),
    ),
    "back-to-the-future": (("research_center", "neuroscience", "time_travel"), (65, 85, 105)),
    "end-of-times": (
        ("industrial_complex", "underground_city", "underwater_city", "secret_society"),
        (75, 95, 120),
    ),
    "money-has-no-smell": (
        ("financial_center", "propaganda_center", "national_monument"),
        (60, 85, 105),
    ),
}

OPTIONS: Final = (
    Option(
        SIDE,
        "A",
        EMPIRE_SIDES,
        "The side of the Empire cards, one for the whole table; A and B come with the base game (2.2), C to F"
        " on further Empire cards.",
    ),
    Option(
        ASCENSION,
        False,
        (False, True),
        "Corruption & Ascension (12.1-12.4). Always played with 6 and 7 seats, never alone.",
        decided=((range(1, 2), False), (range(6, 8), True)),
    ),
    Option(
        WAR_OR_PEACE,
        False,
        (False, True),
        "The reward cards of War or Peace in the deck, and the sixth production step (12.5).",
        certain=False,
    ),
    Option(
        SCENARIO,
        FREE_PLAY,
        (FREE_PLAY, *SCENARIOS),
        "The scenario of the game alone (11.6); without meaning at a table with more seats.",
        certain=False,
        decided=((range(2, 8), FREE_PLAY),),
    ),
    Option(
        SCENARIO_CARDS,
        False,
        (False, True),
        "Whether a scenario is only won with all its cards constructed (11.7).",
        certain=False,
        decided=((range(2, 8), False),),
    ),
    Option(
        AUTO_VALIDATE,
        False,
        (False, True),
        "Whether a seat that could do nothing but validate is validated by the rules; the strict game asks"
        " every seat at every step (6.9).",
    ),
)


def with_ascension(options: Mapping[str, Any], seats: int) -> bool:
    """Whether the match is played with Corruption & Ascension."""
    return seats > 5 or (seats > 1 and bool(options[ASCENSION]))
