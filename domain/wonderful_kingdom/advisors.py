"""The advisors of the original set: designed for Wonderlog, not the printed cards."""

from typing import Final

from domain.wonderful_kingdom.bags import EXPLORATION, GOLD, MATERIALS, POPULATION, bag
from domain.wonderful_kingdom.cards import Advisor, Effect, Origin

ANY: Final = (MATERIALS, POPULATION, GOLD, EXPLORATION)
_VEIL: Final = Origin(
    "original", ("that special abilities can allow more than two face-down cards (one review) [S2]",)
)

ADVISORS: Final = (
    Advisor(
        "adv_quartermaster_ilvane",
        "Quartermaster Ilvane",
        bag("S"),
        (
            "planning",
            "production_step",
        ),
        (Effect("gain_cubes", cubes=bag("MM")),),
        "Gain 2 materials.",
        False,
    ),
    Advisor(
        "adv_hearthmother_soroe",
        "Hearthmother Soroe",
        bag("S"),
        (
            "planning",
            "production_step",
        ),
        (Effect("gain_cubes", cubes=bag("PP")),),
        "Gain 2 population.",
        False,
    ),
    Advisor(
        "adv_coinwright_bastel",
        "Coinwright Bastel",
        bag("S"),
        (
            "planning",
            "production_step",
        ),
        (Effect("gain_cubes", cubes=bag("GG")),),
        "Gain 2 gold.",
        False,
    ),
    Advisor(
        "adv_farwalker_nhim",
        "Farwalker Nhim",
        bag("S"),
        (
            "planning",
            "production_step",
        ),
        (
            Effect("gain_cubes", cubes=bag("X")),
            Effect("gain_cubes_choice", count=1, resources=ANY),
        ),
        "Gain 1 exploration and 1 resource of your choice.",
        False,
    ),
    Advisor(
        "adv_alchemist_drue",
        "Alchemist Drue",
        bag("S"),
        (
            "planning",
            "production_step",
        ),
        (Effect("gain_krystallium", count=1),),
        "Gain 1 krystallium.",
        False,
    ),
    Advisor(
        "adv_crucible_keeper_osk",
        "Crucible-Keeper Osk",
        bag("S"),
        (
            "planning",
            "production_step",
        ),
        (Effect("transmute", count=2, price=2, gain=1),),
        "Up to twice: return 2 cubes from your duchy to the stock and gain 1 krystallium.",
        False,
    ),
    Advisor(
        "adv_listener_vey",
        "Listener Vey",
        bag("S"),
        ("choice_select",),
        (Effect("peek_trap", count=2),),
        "Before choosing an area, look secretly at up to 2 face-down cards in the offering areas.",
        True,
    ),
    Advisor(
        "adv_veilmaster_corin",
        "Veilmaster Corin",
        bag("S"),
        ("choice_offer",),
        (Effect("extra_trap", count=1),),
        "Your trap limit is 1 higher this round.",
        True,
        _VEIL,
    ),
    Advisor(
        "adv_herald_amaranth",
        "Herald Amaranth",
        bag("SS"),
        ("choice_select",),
        (Effect("take_extra", count=1),),
        "When you take an area, also take 1 face-up card of your choice from the other area.",
        True,
    ),
    Advisor(
        "adv_drillmaster_hroth",
        "Drillmaster Hroth",
        bag("S"),
        (
            "planning",
            "production_step",
        ),
        (Effect("win_supremacy_ties"),),
        "For the rest of this round you win supremacy on ties of 1 or more icons.",
        False,
    ),
    Advisor(
        "adv_scrapwright_pell",
        "Scrapwright Pell",
        bag("S"),
        ("planning",),
        (Effect("double_recycle", count=2),),
        "The next 2 cards you recycle from your collection area this phase give their recycling bonus twice.",
        False,
    ),
    Advisor(
        "adv_archivist_quill",
        "Archivist Quill",
        bag("S"),
        ("planning",),
        (Effect("draw_keep", count=3, keep=1),),
        "Look at the top 3 cards of the deck, put 1 into your collection area, discard the rest.",
        False,
    ),
    Advisor(
        "adv_envoy_tasmin",
        "Envoy Tasmin",
        bag("S"),
        ("choice_end",),
        (Effect("salvage_leftover", count=1),),
        "Before the leftover offering cards are discarded, take 1 face-up card among them into your"
        " collection area.",
        False,
    ),
    Advisor(
        "adv_steward_maelis",
        "Steward Maelis",
        bag("S"),
        ("production_step_before_count",),
        (Effect("boost_production", count=2),),
        "Choose this production step: count 2 extra icons of its resource (also for supremacy).",
        False,
    ),
)
