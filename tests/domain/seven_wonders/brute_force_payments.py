"""The twin of the payment solver: names and loops instead of packed numbers and sets, every assignment in
turn.

It shares no code with `trading.py`: a city is a list of card names and built stages, what they do is read
from the printed facts in `tests/data`, and every unit of a cost is tried on every source.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FACTS = Path(__file__).parents[2] / "data" / "seven_wonders"
CARDS: dict[str, Any] = {
    card["id"]: card for card in json.loads((FACTS / "cards.json").read_text("utf-8"))["cards"]
}
WONDERS: dict[str, Any] = {
    board["id"]: board for board in json.loads((FACTS / "wonders.json").read_text("utf-8"))["wonders"]
}
RAW = ("wood", "stone", "clay", "ore")

Source = frozenset[str]  # what it may give; it gives one unit


@dataclass(frozen=True, slots=True)
class City:
    """A board with `stages` built, and the cards in play."""

    wonder: str
    side: str
    stages: int
    cards: tuple[str, ...]

    def effects(self) -> Iterator[dict[str, Any]]:
        """Everything printed on its cards and built stages."""
        for card in self.cards:
            yield from CARDS[card]["effects"]
        for stage in WONDERS[self.wonder]["sides"][self.side]["stages"][: self.stages]:
            yield from stage["effects"]

    def sources(self, for_sale: bool) -> list[Source]:
        """Its sources, for itself or for a neighbour; a two-unit card is two sources."""
        found = [frozenset([WONDERS[self.wonder]["starting_resource"]])]
        for effect in self.effects():
            if effect["type"] == "produce" and (effect["sellable"] or not for_sale):
                alternatives = effect["alternatives"]
                if len(alternatives) == 1:
                    found += [frozenset([unit]) for unit in alternatives[0]]
                else:
                    found.append(frozenset(unit for (unit,) in alternatives))
        return found

    def price(self, neighbour: str, resource: str) -> int:
        """Coins for one unit from the neighbour on that side."""
        cheap = any(
            effect["type"] == "trade_discount"
            and neighbour in effect["from"]
            and resource in effect["resources"]
            for effect in self.effects()
        )
        return 1 if cheap else 2


def most_covered(units: list[str], sources: list[Source]) -> int:
    """How many of the units these sources can cover, each giving one."""
    if not units:
        return 0
    first, rest = units[0], units[1:]
    best = most_covered(rest, sources)
    for index in distinct(first, sources):
        best = max(best, 1 + most_covered(rest, sources[:index] + sources[index + 1 :]))
    return best


def distinct(unit: str, sources: list[Source]) -> list[int]:
    """The places of sources that can give the unit, one of each kind."""
    places = {source: index for index, source in enumerate(sources) if unit in source}
    return sorted(places.values())


def plans(
    units: list[str], me: City, own: list[Source], left: list[Source], right: list[Source]
) -> set[tuple[int, int, int]]:
    """(units covered oneself, coins to the left, coins to the right) of every way to cover all units."""
    if not units:
        return {(0, 0, 0)}
    first, rest = units[0], units[1:]
    found: set[tuple[int, int, int]] = set()
    for i in distinct(first, own):
        found |= {(n + 1, a, b) for n, a, b in plans(rest, me, own[:i] + own[i + 1 :], left, right)}
    for i in distinct(first, left):
        coins = me.price("left", first)
        found |= {(n, a + coins, b) for n, a, b in plans(rest, me, own, left[:i] + left[i + 1 :], right)}
    for i in distinct(first, right):
        coins = me.price("right", first)
        found |= {(n, a, b + coins) for n, a, b in plans(rest, me, own, left, right[:i] + right[i + 1 :])}
    return found


def legal_pairs(cost: dict[str, int], me: City, left: City, right: City) -> list[tuple[int, int]]:
    """Every pair of coins to the left and to the right of a plan that buys missing units only, sorted."""
    units = [resource for resource, count in cost.items() for _ in range(count)]
    own, on_left, on_right = me.sources(False), left.sources(True), right.sources(True)
    covered = most_covered(units, own)
    every = plans(units, me, own, on_left, on_right)
    return sorted({(a, b) for n, a, b in every if n == covered})


def fewest_missing(cost: dict[str, int], me: City, left: City, right: City) -> int:
    """How many units nobody can supply."""
    units = [resource for resource, count in cost.items() for _ in range(count)]
    return len(units) - most_covered(units, me.sources(False) + left.sources(True) + right.sources(True))
