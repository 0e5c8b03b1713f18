"""All cards by id, and the decks they come in (rules 1.2, 12.1, 12.5)."""

from collections.abc import Iterable, Mapping
from typing import Final

from domain.wonderful.cards import Card
from domain.wonderful_world import cards, expansions

CARDS: Final[Mapping[str, Card]] = {
    row.id: row for row in (*cards.TABLE, *expansions.ASCENSION, *expansions.REWARDS)
}
ASCENSION: Final = frozenset(row.id for row in expansions.ASCENSION)  # these have a back of their own
REWARDS: Final = frozenset(row.id for row in expansions.REWARDS)


def base_deck(rewards: bool) -> list[str]:
    """The 150 cards of the base game, with the 20 of War or Peace if asked, copy by copy, sorted."""
    return _copies((*cards.TABLE, *expansions.REWARDS) if rewards else cards.TABLE)


def ascension_deck() -> list[str]:
    """The 56 cards of Corruption & Ascension, copy by copy, sorted."""
    return _copies(expansions.ASCENSION)


def _copies(table: Iterable[Card]) -> list[str]:
    return sorted(row.id for row in table for _ in range(row.copies))
