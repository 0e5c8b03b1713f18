"""Possible worlds: a match as it may be, for all that one viewer knows.

What lies face down for the viewer is dealt anew, consistently with everything it was told. Nothing that the
viewer was not told is looked at, so nothing of it can show.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from domain.kernel import match as matches
from domain.kernel.agreements import MatchUndone
from domain.kernel.chance import Chance
from domain.kernel.game import Event, Game
from domain.kernel.redaction import redact
from domain.kernel.seats import Viewer
from domain.kernel.table import Match

LABEL: Final = "redeal"
_TRIES: Final = 200


def told(game: Game, events: Iterable[Event], viewer: Viewer) -> list[Event]:
    """The events of a match as the viewer is told them."""
    redactions = matches.redactions(game)
    return [redact(redactions, event, viewer) for event in events]


def standing(events: Iterable[Event]) -> list[Event]:
    """The events without those that were taken back."""
    kept: list[tuple[int, Event]] = []
    for version, event in enumerate(events, 1):
        if isinstance(event, MatchUndone):
            kept = [(number, each) for number, each in kept if number <= event.to]
        kept.append((version, event))
    return [event for _, event in kept]


def redealt(game: Game, events: Sequence[Event], viewer: Viewer, chance: Chance) -> Match:
    """The match after these events as it may be for all the viewer knows: `view(redealt, viewer)` is the
    viewer's view. Another `chance` gives another one."""
    seen = told(game, events, viewer)
    match = matches.initial()
    for event in seen:
        matches.evolve(game, match, event)
    if match.play is not None:
        for event in game.redeal(match.play, viewer, standing(seen), chance):
            game.evolve(match.play, event)
    return match


@dataclass(slots=True, eq=False)
class Place:
    """Where one card lies that the viewer cannot see. `kind`: the back, or whatever else says from which
    cards it can only be one."""

    kind: int
    card: str | None = None


@dataclass(slots=True, eq=False)
class Group:
    """Each of these cards is in one of these places."""

    cards: list[str]
    places: list[Place]

    def allows(self, card: str) -> bool:
        """Whether one of its open places can still hold the card."""
        left = list(self.cards)
        free = 0
        for place in self.places:
            if place.card is None:
                free += 1
            elif place.card in left:
                left.remove(place.card)
        return card in left or free > len(left)


class Dice:
    """Shuffles under labels of their own."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._number = 0

    def shuffled(self, cards: Iterable[str]) -> list[str]:
        """The cards in a random order."""
        self._number += 1
        return self._chance.shuffled(f"{LABEL}/{self._number}", sorted(cards))

    def order(self, count: int) -> list[int]:
        """The numbers from 0 to count - 1 in a random order."""
        return [int(number) for number in self.shuffled(f"{number:06}" for number in range(count))]

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        return self.order(n)[0]


@dataclass(slots=True)
class Puzzle:
    """Hidden places, the cards that lie in them by kind, and what is known of which lies where."""

    places: list[Place] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)

    def place(self, kind: int) -> Place:
        """A new hidden place."""
        made = Place(kind)
        self.places.append(made)
        return made

    def solve(self, cards: dict[int, list[str]], dice: Dice) -> None:
        """Put a card of its kind into every place, each card once, as the groups say. `cards` holds for each
        kind as many cards as there are places. Knowledge that cannot be made to fit after many tries is left
        out, the latest first. Raises ValueError when there are not as many cards as places."""
        for kind in {place.kind for place in self.places}:
            wanted = sum(place.kind == kind for place in self.places)
            if wanted != len(cards.get(kind, [])):
                raise ValueError(f"{len(cards.get(kind, []))} cards for {wanted} places of kind {kind}")
        groups = list(self.groups)
        while not any(self._tried(cards, groups, dice) for _ in range(_TRIES if groups else 1)):
            groups.pop()

    def _tried(self, cards: dict[int, list[str]], groups: list[Group], dice: Dice) -> bool:
        for place in self.places:
            place.card = None
        left = {kind: dice.shuffled(names) for kind, names in cards.items()}
        for group in groups:
            if not self._settled(group, groups, left, dice):
                return False
        for place in self.places:
            if place.card is None:
                place.card = left[place.kind].pop()
        return True

    def _settled(self, group: Group, groups: list[Group], left: dict[int, list[str]], dice: Dice) -> bool:
        missing = dice.shuffled(group.cards)
        for place in group.places:
            if place.card in missing:
                missing.remove(place.card)
        for card in missing:
            fits = [
                place
                for place in group.places
                if place.card is None
                and card in left.get(place.kind, ())
                and all(other.allows(card) for other in groups if place in other.places)
            ]
            if not fits:
                return False
            place = fits[dice.below(len(fits))]
            place.card = card
            left[place.kind].remove(card)
        return True
