"""The WSGI application: the operations, their errors, their document."""

import logging
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import msgspec
from flask import Flask, Response
from flask_smorest import Api  # type: ignore[import-untyped]  # ships no types
from werkzeug.exceptions import HTTPException

from domain.kernel.game import Game
from service.adapters.quotas import MemoryQuotas
from service.http import (
    access_log,
    cross_origin,
    document,
    examples,
    follow,
    games,
    health,
    imports,
    inviting,
    jobs,
    keys,
    matches,
    persons,
    play,
    preface,
    proofs,
    proxies,
    queue,
    reference,
    sandbox,
    seating,
    secrecy,
    statistics,
    stream,
    travel,
    unions,
    versioning,
    webhooks,
)
from service.http.address import base
from service.http.face import Face, HttpSettings, LongPolls, install
from service.http.hub import Hub
from service.http.limits import Limits
from service.http.operations import Operation, blueprint
from service.http.problems import problem_for, response
from service.matches import Matches
from service.quotas import Quotas

_log: Final = logging.getLogger("wonderlog.http")


def create_app(
    matches: Matches, settings: HttpSettings, catalogue: Mapping[str, Game], quotas: Quotas | None = None
) -> Flask:
    """The application that serves these use cases and games. `quotas` count across processes; left out, in
    this one."""
    app, api = _assembled(catalogue, examples.recorded())
    polls = LongPolls(settings.threads // 2)
    limited = None if settings.limits is None else Limits(settings.limits, quotas or MemoryQuotas())
    printed = msgspec.json.encode(document.ordered(api.spec, catalogue))
    streams = Hub(matches.following.feed, settings.streams)
    install(app, Face(matches, settings, polls, printed, streams, limited))
    # One more than may be sent: a body without a length is cut at this limit, and then seen to be too long.
    app.config["MAX_CONTENT_LENGTH"] = settings.largest_body + 1
    access_log.install(app)
    reference.install(app)
    sandbox.install(app)
    cross_origin.install(app)
    serve: Any = proxies.behind(app.wsgi_app, settings.trusted_proxies)
    app.wsgi_app = serve  # type: ignore[method-assign]  # as Flask's documentation has it
    app.register_error_handler(Exception, _failed)
    return app


def documented(catalogue: Mapping[str, Game], recorded: examples.Examples) -> dict[str, Any]:
    """The OpenAPI document of a service with these games."""
    _, api = _assembled(catalogue, recorded)
    return document.ordered(api.spec, catalogue)


class ProblemApi(Api):  # type: ignore[misc]  # flask-smorest ships no types
    """flask-smorest without its error payload: every error is a problem document."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def handle_http_exception(self, error: HTTPException) -> Response:
        """Answer an error of Flask's or werkzeug's own."""
        return _failed(error)

    def _register_responses(self) -> None:
        """No responses of its own: `document` registers the problems."""

    def _register_etag_headers(self) -> None:
        """No headers of its own: `document` registers those there are."""

    def _register_pagination_header(self) -> None:
        """No pages by number."""


def _assembled(catalogue: Mapping[str, Game], recorded: examples.Examples) -> tuple[Flask, ProblemApi]:
    app = Flask("wonderlog", static_folder=None)
    app.config.update(API_TITLE="Wonderlog", API_VERSION=document.VERSION, OPENAPI_VERSION="3.1.0")
    app.json.sort_keys = False  # type: ignore[attr-defined]  # of the default provider
    app.url_map.merge_slashes = False
    app.url_map.redirect_defaults = False
    info = {"description": preface.DESCRIPTION, "x-api-version": versioning.CONTRACT}
    spec = {"servers": document.SERVERS, "info": info}
    api = ProblemApi(app, spec_kwargs=spec)
    document.components(api.spec, catalogue, recorded)
    for name, words, rows in _groups(catalogue):
        api.register_blueprint(blueprint(name, words, rows, partial(document.row, examples=recorded)))
    return app, api


def _groups(catalogue: Mapping[str, Game]) -> list[tuple[str, str, tuple[Operation, ...]]]:
    return [
        ("games", "Which games there are.", games.OPERATIONS + statistics.OPERATIONS),
        ("matches", "Set up matches, take seats.", matches.OPERATIONS),
        ("lobby", "Find a table, set up many.", (*queue.OPERATIONS, *jobs.OPERATIONS)),
        ("seats", "Who holds a seat.", seating.OPERATIONS),
        ("passes", "Let people in: to sit down, to watch.", inviting.OPERATIONS),
        ("keys", "Your own keys and origins.", keys.OPERATIONS),
        ("persons", "The people behind the seats.", persons.OPERATIONS),
        ("play", "Look at the table and move.", play.operations(unions.commands(catalogue))),
        ("log", "The log of a match, and of all matches of a tenant.", stream.OPERATIONS + follow.OPERATIONS),
        ("travel", "The past of a match.", travel.OPERATIONS),
        (
            "audit",
            "Checking a match from outside.",
            (*proofs.OPERATIONS, *secrecy.OPERATIONS, *imports.OPERATIONS),
        ),
        ("webhooks", "Be told by HTTP requests to a server of yours.", webhooks.OPERATIONS),
        ("sandbox", "Trying things out.", sandbox.OPERATIONS),
        ("service", "The service itself.", health.OPERATIONS),
    ]


def _failed(error: Exception) -> Response:
    """Any exception as a problem. What is our own fault is logged by type and place, without messages."""
    problem = problem_for(error)
    if problem.code == "internal":
        _log.error("request %s failed\n%s", access_log.request_id(), access_log.outline(error))
    elif problem.code in ("temporarily-unavailable", "outcome-unknown"):
        _log.warning("request %s: %s (%s)", access_log.request_id(), problem.code, type(error).__name__)
    return response(problem, base(), access_log.request_id())
