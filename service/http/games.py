"""The catalogue: which games there are, and what is printed on their cards."""

import msgspec
from flask import Response

from service.http import replies
from service.http.face import Face
from service.http.operations import Answer, Asked, Operation
from service.http.schemas import GameQuery


def list_games(face: Face, asked: Asked) -> Response:
    """List the games

    Every game that can be played here, with its seats and bots.
    """
    return replies.printed(msgspec.json.encode({"items": face.matches.games()}))


def show_game(face: Face, asked: Asked) -> Response:
    """Read a game

    Its options, commands, events, bots, and every card and board as data, so that a client needs no rule
    code to draw the table. A game may have several rulesets, with other cards; a match names its own.
    """
    ruleset = asked.query.get("ruleset")
    return replies.printed(msgspec.json.encode(face.matches.game(asked.path["game"], ruleset)))


OPERATIONS = (
    Operation(
        "GET",
        "/v1/games",
        "listGames",
        list_games,
        {200: Answer("The games.", "GameList", ("ETag", "CacheControl"))},
        cached=True,
    ),
    Operation(
        "GET",
        "/v1/games/<game>",
        "getGame",
        show_game,
        {200: Answer("The game.", "Game", ("ETag", "CacheControl"))},
        query=GameQuery,
        cached=True,
    ),
)
