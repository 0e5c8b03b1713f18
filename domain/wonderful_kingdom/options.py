"""The options of a match: the mode, the side of the duchies, the quest board, the pinned card set."""

from collections.abc import Sequence
from typing import Final

from domain.kernel.game import Option
from domain.kernel.library import CARD_SET
from domain.wonderful_kingdom.cards import CardSet

MODE: Final = "mode"
SIDE: Final = "side"
BOARD: Final = "quest_board"

MENACES: Final = "menaces"
ADVISORS: Final = "advisors"
QUESTS: Final = "quests"


def options(cards: CardSet, others: Sequence[str] = ()) -> tuple[Option, ...]:
    """The options of a match with these cards; `others` are the pins of those it could have instead."""
    boards = tuple(cards.boards)
    return (
        Option(
            MODE,
            MENACES,
            (MENACES, ADVISORS, QUESTS),
            "The mode; the game is never played without one nor with two (1.6).",
        ),
        Option(SIDE, "A", ("A", "B"), "The side of both duchies (1.4)."),
        Option(
            BOARD, boards[0], boards, "The quest board; without meaning in another mode than quests (8.1)."
        ),
        Option(
            CARD_SET,
            cards.pin,
            (cards.pin, *others),
            f"The card set by name and digest; the whole digest is {cards.digest}.",
        ),
    )
