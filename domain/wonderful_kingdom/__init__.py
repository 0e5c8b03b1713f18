"""It's a Wonderful Kingdom for two players, with one of its three modes: the game and the original card set.

The printed card list is not public: the cards here were designed for Wonderlog, except for the facts that
`printed_fields` names. `game(cards)` is the game with another card set.
"""

from typing import Final

from domain.wonderful_kingdom.cards import CardSet
from domain.wonderful_kingdom.game import NAME, Kingdom, game
from domain.wonderful_kingdom.original import ORIGINAL
from domain.wonderful_kingdom.packages import InvalidPackage, read

GAME: Final[Kingdom] = game(ORIGINAL)

__all__ = ["GAME", "NAME", "ORIGINAL", "CardSet", "InvalidPackage", "Kingdom", "game", "read"]
