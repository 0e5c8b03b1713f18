"""Checking that a match kept its secrets."""

from flask import Response

from service import scopes
from service.http import replies
from service.http.face import Face
from service.http.operations import WATCHERS, Answer, Asked, Operation


def show_secrecy(face: Face, asked: Asked) -> Response:
    """Check that nothing hidden was told

    For a match that is over: what each seat and the spectators were served is held against worlds that differ
    from the match only in what was hidden from them, at every version. Worlds that follow from what they were
    told, worlds in which hidden cards are dealt anew, and the match with hidden cards exchanged for others of
    the same back: event, view and legal moves must be the same. 202 while it is made: ask again.
    """
    report, done = face.matches.secrecy(asked.caller, asked.match)
    if done:
        return replies.as_json(report, keeps=replies.AT_HEAD, Vary="Authorization")
    response = replies.as_json(report, 202)
    response.headers["Retry-After"] = "1"
    return response


OPERATIONS = (
    Operation(
        "GET",
        "/v1/matches/<match>/audit/secrecy",
        "getSecrecy",
        show_secrecy,
        {
            200: Answer("What was found.", "SecrecyReport", ("CacheControl", "Vary")),
            202: Answer("What was found so far; it is being made.", "SecrecyReport", ("RetryAfter",)),
        },
        WATCHERS,
        credential=True,
        scope=scopes.READ,
        problems=("conflict",),
    ),
)
