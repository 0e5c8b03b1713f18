"""The games that are live, by name and ruleset: several rulesets and card sets of a game stand side by side.

A ruleset is `<game>/<version of the rules>`, for a game whose cards are a package `…+<pin of the card set>`,
and stands on every event of a match. A match is only ever played and shown by the game of its own card set.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from domain.kernel.game import Game

# The option of a match that pins its card set, in a game that has several.
CARD_SET = "card_set"


class UnknownRuleset(LookupError):
    """No live game plays this ruleset."""

    def __init__(self, ruleset: str) -> None:
        super().__init__(f"there are no rules or cards for {ruleset}")
        self.ruleset = ruleset


class Library(Mapping[str, Game]):
    """As a mapping: the name of each game -> the game that new matches are of, if they ask for nothing else.
    Of several games with one name that is the first."""

    def __init__(self, games: Iterable[Game]) -> None:
        self._live: dict[str, list[Game]] = {}
        for game in games:
            known = self._live.setdefault(game.NAME, [])
            if all(game.RULESET != other.RULESET for other in known):
                known.append(game)

    def __getitem__(self, name: str) -> Game:
        return self._live[name][0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._live)

    def __len__(self) -> int:
        return len(self._live)

    def all_of(self, name: str) -> tuple[Game, ...]:
        """Every live game of this name, that of new matches first; () for a name that is unknown."""
        return tuple(self._live.get(name, ()))

    def game_for(self, name: str, ruleset: str) -> Game:
        """The game that plays a match set up under `ruleset`. Where that very version of the rules is not
        live, the first with the same cards takes its place: events are facts and fold under later rules.
        Raises UnknownRuleset."""
        live = self._live.get(name, ())
        exact = [game for game in live if ruleset == game.RULESET]
        same_cards = [game for game in live if pin_of(game.RULESET) == pin_of(ruleset)]
        if not exact + same_cards:
            raise UnknownRuleset(ruleset)
        return (exact + same_cards)[0]

    def for_options(self, name: str, options: Mapping[str, Any]) -> Game:
        """The game of a new match: with the card set its options name, else the first. Raises KeyError for a
        name that is unknown."""
        wanted = options.get(CARD_SET)
        pinned = [game for game in self._live[name] if pin_of(game.RULESET) == wanted]
        return (pinned or self._live[name])[0]


def library(games: Mapping[str, Game]) -> Library:
    """The games as a library; one is left as it is."""
    return games if isinstance(games, Library) else Library(games.values())


def pin_of(ruleset: str) -> str:
    """The card set a ruleset pins; "" for a game whose cards belong to its rules."""
    return ruleset.partition("+")[2]
