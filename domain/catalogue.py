"""The only file that knows all games."""

from collections.abc import Sequence
from typing import Final

from domain import seven_wonders, wonderful_kingdom, wonderful_world
from domain.kernel.library import Library
from domain.wonderful_kingdom import ORIGINAL, CardSet


def with_card_sets(sets: Sequence[CardSet]) -> Library:
    """Every game; It's a Wonderful Kingdom with these card sets and the original one. New matches are played
    with the first that is named, if they ask for no other."""
    live = {cards.pin: cards for cards in (*sets, ORIGINAL)}
    kingdoms = [
        wonderful_kingdom.game(cards, [pin for pin in live if pin != cards.pin]) for cards in live.values()
    ]
    return Library([seven_wonders, wonderful_world, *kingdoms])


# The games of a service that was given no card set. A match keeps the ruleset it was created with.
GAMES: Final = Library([seven_wonders, wonderful_world, wonderful_kingdom.GAME])
