"""The games that are live, by name and ruleset: several rulesets and card sets of a game stand side by side.

A ruleset is `<game>/<version of the rules>`, for a game whose cards are a package `…+<pin of the card set>`,
and stands on every event of a match. A match is only ever played and shown by the game of its own ruleset.
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
        """The game that plays a match set up under `ruleset`: that very one, never another. Raises
        UnknownRuleset."""
        for game in self._live.get(name, ()):
            if ruleset == game.RULESET:
                return game
        raise UnknownRuleset(ruleset)

    def under(self, name: str, ruleset: str, new: str) -> Game:
        """The game that would play a match of `ruleset` under the rules `new`: of a game whose cards are a
        package, with the cards of the match, unless `new` pins others. Raises UnknownRuleset."""
        pin = "" if pin_of(new) else pin_of(ruleset)
        return self.game_for(name, f"{new}+{pin}" if pin else new)

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
