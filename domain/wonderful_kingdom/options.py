"""The options of a match: the mode, the side of the duchies, the quest board, the pinned card set."""

from typing import Final

from domain.kernel.game import Option
from domain.wonderful_kingdom.cards import CardSet

MODE: Final = "mode"
SIDE: Final = "side"
BOARD: Final = "quest_board"
CARD_SET: Final = "card_set"

MENACES: Final = "menaces"
ADVISORS: Final = "advisors"
QUESTS: Final = "quests"


def options(cards: CardSet) -> tuple[Option, ...]:
    """The options of a match with these cards."""
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
            (cards.pin,),
            f"The card set by name and digest; the whole digest is {cards.digest}.",
        ),
    )
