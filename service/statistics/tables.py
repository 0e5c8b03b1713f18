"""Totals as tables: rates with intervals, draft positions, tests of the shuffles. JSON values throughout."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from service.statistics import counting, figures
from service.statistics.counting import Counts, Name

Json = dict[str, Any]

# The tables, each a list of rows.
TABLES: Final = ("results", "boards", "cards", "picks", "shuffles")
_DIGITS: Final = 4


def report(game: str, totals: Counts, ruleset: str | None = None, seats: int | None = None) -> Json:
    """All tables of a game. `ruleset`: None for the one with the most matches (the first by name of several);
    `seats`: of matches with so many seats only, None for all."""
    matches = Counter[str]()
    for (rules, kind, *_), number in totals.items():
        if kind == counting.MATCHES:
            matches[rules] += number
    by_frequency = sorted(matches, key=lambda rules: (-matches[rules], rules))
    chosen = ruleset if ruleset is not None else next(iter(by_frequency), None)
    mine: dict[Name, int] = {name[1:]: number for name, number in totals.items() if name[0] == chosen}
    played = _number(mine, counting.MATCHES, seats)
    return {
        "game": game,
        "ruleset": chosen,
        "rulesets": sorted(matches),
        "seats": seats,
        "matches": played,
        "results": _results(mine, seats),
        "boards": _rates(mine, counting.BOARD, "board", seats, with_points=True),
        "cards": _rates(mine, counting.CARD, "card", seats, with_points=False),
        "picks": _picks(mine, seats),
        # Decks are shuffled alike whatever the number of seats.
        "shuffles": _shuffles(mine),
        "draws": {
            "as_drawn": mine.get((counting.DRAWS, counting.AS_DRAWN), 0),
            "otherwise": mine.get((counting.DRAWS, counting.OTHERWISE), 0),
        },
    }


def _number(mine: Mapping[Name, int], kind: str, seats: int | None) -> int:
    return sum(number for name, number in mine.items() if name[0] == kind and seats in (None, int(name[1])))


def _results(mine: Mapping[Name, int], seats: int | None) -> list[Json]:
    """By number of seats, place at the table and who played there."""
    found: dict[Name, Counter[str]] = {}
    for name, number in mine.items():
        if name[0] == counting.RESULT and seats in (None, int(name[1])):
            found.setdefault(name[1:4], Counter())[name[4]] += number
    return [
        {"seats": int(of), "seat": int(seat), "player": who}
        | _rate(sums, {of: sums[counting.PLAYED]}, with_points=True)
        for (of, seat, who), sums in sorted(found.items())
    ]


def _rates(
    mine: Mapping[Name, int], kind: str, called: str, seats: int | None, with_points: bool
) -> list[Json]:
    """By board or card: how often it was played, how often its seat won."""
    found: dict[str, Counter[str]] = {}
    by_seats: dict[str, Counter[str]] = {}
    for name, number in mine.items():
        if name[0] == kind and seats in (None, int(name[1])):
            _, of, what, measure = name
            found.setdefault(what, Counter())[measure] += number
            if measure == counting.PLAYED:
                by_seats.setdefault(what, Counter())[of] += number
    return [{called: what} | _rate(sums, by_seats[what], with_points) for what, sums in sorted(found.items())]


def _rate(sums: Mapping[str, int], by_seats: Mapping[str, int], with_points: bool) -> Json:
    played, won = sums.get(counting.PLAYED, 0), sums.get(counting.WON, 0)
    low, high = figures.interval(won, played)
    expected = sum(number / int(of) for of, number in by_seats.items()) / played
    points = {"points": _rounded(sums.get(counting.POINTS, 0) / played)} if with_points else {}
    return {
        "played": played,
        "won": won,
        "rate": _rounded(won / played),
        "low": _rounded(low),
        "high": _rounded(high),
        "expected": _rounded(expected),
        **points,
    }


def _picks(mine: Mapping[Name, int], seats: int | None) -> list[Json]:
    """By card: how often it was taken, as which card of its age or round on average, how often as each."""
    found: dict[str, Counter[int]] = {}
    for name, number in mine.items():
        if name[0] == counting.PICK and seats in (None, int(name[1])):
            found.setdefault(name[2], Counter())[int(name[3])] += number
    rows = []
    for card, numbers in sorted(found.items()):
        taken = sum(numbers.values())
        mean = sum(place * number for place, number in numbers.items()) / taken
        places = [numbers[place] for place in range(1, max(numbers) + 1)]
        rows.append({"card": card, "taken": taken, "mean": _rounded(mean), "places": places})
    return rows


def _shuffles(mine: Mapping[Name, int]) -> list[Json]:
    """By size of the deck: was the card that came out first (last) equally often from every place?"""
    found: dict[tuple[int, str], dict[int, int]] = {}
    for name, number in mine.items():
        if name[0] == counting.SHUFFLE:
            found.setdefault((int(name[1]), name[2]), {})[int(name[3])] = number
    rows = []
    for (size, which), places in sorted(found.items()):
        test = figures.uniformity([places.get(place, 0) for place in range(size)])
        row: Json = {"cards": size, "which": which, "draws": sum(places.values())}
        row |= {
            "cells": None if test is None else test.cells,
            "chi_square": None if test is None else _rounded(test.chi_square),
            "freedom": None if test is None else test.freedom,
            "p": None if test is None else _rounded(test.p),
        }
        rows.append(row)
    return rows


def _rounded(value: float) -> float:
    return round(value, _DIGITS)


def csv_rows(rows: Iterable[Json]) -> list[list[str]]:
    """A table for a CSV file: a header, then a row each; a list becomes numbers with spaces between, null is
    empty."""
    listed = list(rows)
    if not listed:
        return []
    return [list(listed[0]), *([_cell(value) for value in row.values()] for row in listed)]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
