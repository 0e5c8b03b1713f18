"""The options of a match: how boards come to the table, and the readings of uncertain rules (rules 14)."""

from typing import Final

from domain.kernel.game import Option

WONDERS: Final = "wonders"
SIDES: Final = "sides"
MAY_DECLINE: Final = "halicarnassus_may_decline"
SHIPOWNERS: Final = "copied_shipowners_counts_itself"
SEARCH_ORDER: Final = "discard_pile_search"
CHAINS: Final = "chains"
END_CHOICES: Final = "end_of_game_choices"
FACE_DOWN_CARDS: Final = "face_down_cards"

OPTIONS: Final = (
    Option(WONDERS, "deal", ("deal", "choose"), "Wonders are dealt, or chosen in seat order (1.5)."),
    Option(SIDES, "deal", ("deal", "choose", "A"), "Sides are dealt, chosen in seat order, or all A (1.5)."),
    Option(
        MAY_DECLINE,
        True,
        (True, False),
        "Whether Halicarnassus may build nothing from the discard pile although it could (U1).",
        certain=False,
    ),
    Option(
        SHIPOWNERS,
        True,
        (True, False),
        "Whether a copied Shipowners Guild counts itself among the purple cards (U2).",
        certain=False,
    ),
    Option(
        SEARCH_ORDER,
        "after-seventh-card",
        ("after-seventh-card", "before-seventh-card"),
        "Whether Halicarnassus searches the discard pile after or before Babylon's seventh card (U4).",
        certain=False,
    ),
    Option(
        CHAINS,
        "free",
        ("free", "free-or-paid"),
        "Whether a structure with a chain may also be paid for, feeding a neighbour (U6).",
        certain=False,
    ),
    Option(
        END_CHOICES,
        "best",
        ("best", "ask"),
        "Whether guild copies and wild symbols are counted for the most points, or asked for (U5).",
        certain=False,
    ),
    Option(
        FACE_DOWN_CARDS,
        "hidden",
        ("hidden", "revealed"),
        "Whether markers and cards discarded for coins stay hidden from the others when actions are revealed"
        " (U9).",
        certain=False,
    ),
)
