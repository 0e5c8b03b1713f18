"""The twin of the scoring: points read from a view and from the printed facts in `tests/data`.

It shares no code with `ending.py`: names and loops instead of tables, every assignment of wild symbols in
turn.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from tests.domain.seven_wonders.brute_force_payments import CARDS, WONDERS

SYMBOLS = ("compass", "gear", "tablet")
View = dict[str, Any]


def scores(view: View, shipowners_counts_itself: bool) -> list[dict[str, int]]:
    """What every seat scores as the cities stand in this view."""
    seats = [city["city"] for city in view["cities"] if city["seat"] is not None]
    return [_score(view, seat, shipowners_counts_itself) for seat in seats]


def ranking(view: View, points: Sequence[dict[str, int]]) -> list[list[int]]:
    """Seats by points, then coins; equals share a place."""
    worth = {seat: (sum(score.values()), view["cities"][seat]["coins"]) for seat, score in enumerate(points)}
    places = sorted(set(worth.values()), reverse=True)
    return [[seat for seat in worth if worth[seat] == place] for place in places]


def _score(view: View, seat: int, shipowners_counts_itself: bool) -> dict[str, int]:
    city = view["cities"][seat]
    copied = view["copied_guilds"].get(str(seat))
    guilds = sum(_points(view, seat, card) for card in city["cards"] if CARDS[card]["colour"] == "purple")
    if copied:
        guilds += _points(view, seat, copied)
        guilds += copied == "shipowners_guild" and shipowners_counts_itself
    chosen = view.get("chosen_symbols", {}).get(str(seat))
    return {
        "military": sum(city["tokens"]),
        "treasury": city["coins"] // 3,
        "wonder": sum(effect.get("points", 0) for effect in _stages(city)),
        "civilian": sum(
            _points(view, seat, card) for card in city["cards"] if CARDS[card]["colour"] == "blue"
        ),
        "science": _science(city, copied, chosen),
        "commerce": sum(
            _points(view, seat, card) for card in city["cards"] if CARDS[card]["colour"] == "yellow"
        ),
        "guilds": guilds,
    }


def _stages(city: View) -> Iterator[dict[str, Any]]:
    for stage in WONDERS[city["wonder"]]["sides"][city["side"]]["stages"][: city["stages"]]:
        yield from stage["effects"]


def _points(view: View, seat: int, card: str) -> int:
    total = 0
    for effect in CARDS[card]["effects"]:
        if effect["type"] == "victory_points":
            total += effect["points"]
        if effect["type"] == "points_per":
            count = len(view["cities"])
            steps = {"self": 0, "left": 1, "right": -1}
            around = [view["cities"][(seat + steps[where]) % count] for where in effect["scope"]]
            total += effect["points"] * sum(_count(city, effect["per"]) for city in around)
    return total


def _count(city: View, per: dict[str, Any]) -> int:
    if per["kind"] == "cards":
        return sum(CARDS[card]["colour"] in per["colours"] for card in city["cards"])
    if per["kind"] == "wonder_stages":
        return int(city["stages"])
    assert per["kind"] == "defeat_tokens"
    return sum(token == -1 for token in city["tokens"])


def _science(city: View, copied: str | None, chosen: list[str] | None) -> int:
    cards = [*city["cards"], *([copied] if copied else [])]
    printed = [effect for card in cards for effect in CARDS[card]["effects"]] + list(_stages(city))
    own = [effect["symbol"] for effect in printed if effect["type"] == "science"]
    wild = sum(effect["type"] == "science_choice" for effect in printed)
    choices = product(SYMBOLS, repeat=wild) if chosen is None else [tuple(chosen)]
    best = 0
    for choice in choices:
        assert len(choice) == wild
        counts = [own.count(symbol) + choice.count(symbol) for symbol in SYMBOLS]
        best = max(best, sum(count**2 for count in counts) + 7 * min(counts))
    return best
