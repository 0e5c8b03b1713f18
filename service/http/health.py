"""Whether the process lives, and whether it can serve; the pages behind the problem types."""

import logging
from typing import Final

from flask import Response

from service.errors import NotReady
from service.http import replies
from service.http.address import placed
from service.http.catalogue import CATALOGUE, POLICY, page
from service.http.face import Face
from service.http.operations import Answer, Asked, Operation
from service.http.problems import Problem

_log: Final = logging.getLogger("wonderlog.http")


def show_life(face: Face, asked: Asked) -> Response:
    """Ask whether the process lives"""
    return replies.as_json({"status": "alive"})


def show_readiness(face: Face, asked: Asked) -> Response:
    """Ask whether the service can serve

    It can when its store takes writes and keeps them, and while it is not shutting down.
    """
    if face.polls.draining.is_set():
        raise Problem("temporarily-unavailable", "the process is shutting down")
    try:
        return replies.as_json(face.matches.ready())
    except NotReady as why:
        # Anybody may ask: addresses and settings are for the operator.
        _log.warning("not ready: %s", "; ".join(why.reasons))
        raise


def show_document(face: Face, asked: Asked) -> Response:
    """Read this document

    With the address of this service in it, as this request was sent to it.
    """
    return replies.printed(placed(face.document))


def show_problem(face: Face, asked: Asked) -> Response:
    """Read what a problem means

    The page behind the `type` of an error.
    """
    code = asked.path["code"]
    if code not in CATALOGUE:
        raise Problem("not-found", "there is no such problem type")
    headers = {"Cache-Control": replies.CATALOGUE, "Content-Security-Policy": POLICY}
    return Response(page(code, CATALOGUE[code]), 200, headers, mimetype="text/html")


OPERATIONS = (
    Operation(
        "GET", "/healthz/live", "getLiveness", show_life, {200: Answer("It lives.", "Health")}, limited=False
    ),
    Operation(
        "GET",
        "/healthz/ready",
        "getReadiness",
        show_readiness,
        {200: Answer("It can.", "Health")},
        limited=False,
    ),
    Operation(
        "GET",
        "/v1/openapi.json",
        "getOpenApi",
        show_document,
        {200: Answer("The document.", {"type": "object"}, ("ETag", "CacheControl"))},
        cached=True,
    ),
    Operation(
        "GET",
        "/problems/<code>",
        "getProblemPage",
        show_problem,
        {200: Answer("The page.", {"type": "string"}, ("ContentSecurityPolicy",), "text/html")},
        limited=False,
    ),
)
