"""Time travel: what changed between two versions, one event by its version, forks."""

from typing import Final

from flask import Response

from service import scopes
from service.http import conditions, replies
from service.http.face import Face
from service.http.operations import EITHER, WATCHERS, Answer, Asked, Operation, SchemaBody
from service.http.problems import Problem
from service.http.schemas import DiffQuery, NewFork


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


def create_fork(face: Face, asked: Asked) -> Response:
    """Branch off

    A private match that starts where this one stood at `version`, or at the last version before it at
    which the rules waited for somebody. Once the match is over the fork is exact. Before, it is made of what
    the caller knew then, and all that lay face down for the caller is dealt anew: another world each time,
    and nothing in it tells more than the caller knew. Later draws are the fork's own. It is marked as a fork
    for ever and stays out of lists (`forks=true` shows it) and statistics. Nobody is hurried in it. The same
    key again gives the same fork.
    """
    fork, replayed = face.matches.fork(asked.caller, asked.match, asked.body, asked.key, asked.fingerprint)
    return replies.made(fork, replayed, fork["match"]["links"]["self"])


OPERATIONS = (
    Operation(
        "POST",
        "/v1/matches/<match>/forks",
        "createFork",
        create_fork,
        {201: Answer("The fork, running.", "Fork", ("Location", "IdempotencyReplayed", "CacheControl"))},
        EITHER,
        credential=True,
        body=SchemaBody(NewFork),
        keyed=True,
        scope=scopes.WRITE,
        problems=("not-started", "quota-exceeded"),
    ),
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
