"""Statistics of a game, from the caller's own finished public matches."""

from typing import Any, Final

from flask import Response
from marshmallow import fields, validate

from service import scopes
from service.http import replies
from service.http.face import Face
from service.http.operations import TENANT, Answer, Asked, Operation
from service.http.schemas import RULESET, Number, Request
from service.http.shapes import Shape
from service.http.shown import many, number, or_null, ref, text, thing


def _fraction(description: str, example: float, **more: Any) -> Shape:
    """A number that need not be whole."""
    bounds = {"format": "double", "minimum": 0, "maximum": 1}
    return {"type": "number", **bounds, **more, "description": description, "examples": [example]}


_RATE: Final[dict[str, Shape]] = {
    "played": number("How often it was played.", 240),
    "won": number("How often its seat was among the winners.", 91),
    "rate": _fraction("Won of played.", 0.3792),
    "low": _fraction("The lower end of the 95 % interval of the rate (Wilson).", 0.3202),
    "high": _fraction("Its upper end.", 0.442),
    "expected": _fraction("The rate if all seats won equally often.", 0.3333),
}
_POINTS: Final = _fraction("Points on average.", 47.25, minimum=-1_000_000, maximum=1_000_000)

SCHEMAS: Final[dict[str, Shape]] = {
    "Statistics": thing(
        "What a tenant's finished public matches of a game say.",
        {
            "game": text("The game.", "seven-wonders"),
            "ruleset": or_null(text("The ruleset of these matches; null where there are none.")),
            "rulesets": many(ref("Ruleset"), "All rulesets there are matches under."),
            "seats": or_null(number("Matches with so many seats, or null: all.", 3)),
            "matches": number("How many matches.", 80),
            "results": many(ref("ResultRate"), "By number of seats, seat and player."),
            "boards": many(ref("BoardRate"), "By board (wonder, empire, duchy) and side."),
            "cards": many(ref("CardRate"), "By card that stood at the end, once for each seat."),
            "picks": many(ref("PickCount"), "By card taken from a hand that goes round."),
            "shuffles": many(ref("ShuffleTest"), "Whether shuffles are uniform, of any number of seats."),
            "draws": thing(
                "The draws, each made again.",
                {
                    "as_drawn": number("How many gave what is recorded.", 240),
                    "otherwise": number("How many gave something else: 0.", 0),
                },
            ),
        },
    ),
    "ResultRate": thing(
        "How a player did at a seat.",
        {
            "seats": number("Of a match with so many seats.", 3),
            "seat": ref("SeatNumber"),
            "player": text(
                "`person`, `bot:<name>`, or `mixed`: it changed hands or was given up.", "bot:easy"
            ),
            **_RATE,
            "points": _POINTS,
        },
    ),
    "BoardRate": thing(
        "How a board did.", {"board": text("Board and side.", "giza:A"), **_RATE, "points": _POINTS}
    ),
    "CardRate": thing("How seats did that had a card.", {"card": text("The card.", "palace"), **_RATE}),
    "PickCount": thing(
        "When a card was taken.",
        {
            "card": text("The card.", "palace"),
            "taken": number("How often.", 71),
            "mean": _fraction("As which card of its age or round, on average.", 2.39, minimum=1, maximum=100),
            "places": many(number("How often.", 20), "How often as the first, the second …", 100),
        },
    ),
    "ShuffleTest": thing(
        "A chi-square test; null where there are too few draws.",
        {
            "cards": number("Draws from decks of so many cards.", 21),
            "which": text("`first` or `last`: which card that came out is looked at.", "first"),
            "draws": number("How many draws.", 80),
            "cells": or_null(number("Into how many groups the places in the deck are put.", 16)),
            "chi_square": or_null(_fraction("The sum over the groups.", 14.2, maximum=1e12)),
            "freedom": or_null(number("Degrees of freedom.", 15)),
            "p": or_null(_fraction("How likely so large a value is if shuffles are uniform.", 0.51)),
        },
    ),
}


class StatisticsQuery(Request):
    """Which of the matches."""

    ruleset = fields.String(
        validate=RULESET,
        metadata={
            "description": "Matches under this ruleset; left out: the one with the most matches. A plus sign"
            " in it is written %2B.",
            "examples": ["seven-wonders/1.0.0"],
        },
    )
    seats = Number(
        validate=validate.Range(1, 7),
        metadata={"description": "Matches with so many seats; left out: all."},
    )


def show_statistics(face: Face, asked: Asked) -> Response:
    """Read the statistics of a game

    What the tenant's finished public matches say: results by seat and player, win rates of boards and cards
    with 95 % intervals, when cards are taken, and whether shuffles are uniform. Forks, imports, private
    matches and matches that are not over never count. A match is counted some seconds after its end.
    """
    shown = face.matches.statistics(
        asked.caller, asked.path["game"], asked.query.get("ruleset"), asked.query.get("seats")
    )
    return replies.as_json(shown)


OPERATIONS = (
    Operation(
        "GET",
        "/v1/games/<game>/statistics",
        "getStatistics",
        show_statistics,
        {200: Answer("The statistics.", "Statistics")},
        security=TENANT,
        credential=True,
        scope=scopes.READ,
        query=StatisticsQuery,
    ),
)
