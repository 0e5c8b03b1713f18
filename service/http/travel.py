"""Time travel: what changed between two versions, one event by its version."""

from typing import Final

from flask import Response

from service import scopes
from service.http import conditions, replies
from service.http.face import Face
from service.http.operations import WATCHERS, Answer, Asked, Operation
from service.http.problems import Problem
from service.http.schemas import DiffQuery


def show_diff(face: Face, asked: Asked) -> Response:
    """See what changed

    A JSON Patch (RFC 6902) that makes the caller's view of the version `from` the caller's view of the
    version `to`; also backwards.
    """
    diff = face.matches.diff(asked.caller, asked.match, asked.query["from"], asked.query.get("to"))
    settled = diff.pop("settled") and "to" in asked.query
    viewer = conditions.viewer(asked.caller, asked.match)
    tag = conditions.diff_tag(asked.match, diff["from"], diff["to"], viewer, face.settings.build)
    return replies.tagged(diff, tag, keeps=replies.FOR_EVER if settled else replies.AT_HEAD)


def show_event(face: Face, asked: Asked) -> Response:
    """Read an event

    One event by its version, as the caller sees it: an address for a moment of a match.
    """
    text = asked.path["version"]
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise Problem("not-found", "there is no such event")
    event = face.matches.event(asked.caller, asked.match, int(text))
    viewer = conditions.viewer(asked.caller, asked.match)
    tag = conditions.entity_tag(asked.match, event["version"], viewer, face.settings.build)
    # An event is never changed, and neither is what a viewer is told of it.
    return replies.tagged(event, tag, keeps=replies.FOR_EVER)


_SEEN: Final = ("ETag", "CacheControl", "Vary")

OPERATIONS = (
    Operation(
        "GET",
        "/v1/matches/<match>/diff",
        "getDiff",
        show_diff,
        {200: Answer("What changed in the caller's view.", "Diff", _SEEN)},
        WATCHERS,
        scope=scopes.READ,
        query=DiffQuery,
        cached=True,
        problems=("archived",),
    ),
    Operation(
        "GET",
        "/v1/matches/<match>/events/<version>",
        "getEvent",
        show_event,
        {200: Answer("The event as the caller sees it.", "Event", _SEEN)},
        WATCHERS,
        scope=scopes.READ,
        cached=True,
        problems=("archived",),
    ),
)
