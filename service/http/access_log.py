"""What the service writes down about requests: never a token, a body, a query string or a message that may
quote one."""

import logging
import secrets
import time
import traceback
from typing import Final

import msgspec
from flask import Flask, Response, g, request

from service.credentials import PREFIXES, Caller
from service.http import tracing, versioning

_encode: Final = msgspec.json.Encoder().encode
_log: Final = logging.getLogger("wonderlog.access")
_LONGEST: Final = 64
_ALLOWED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


def request_id() -> str:
    """The id of this request: the client's Request-Id if it is a plain one, else a new one."""
    known: str | None = g.get("request_id")
    if known is None:
        given = request.headers.get("Request-Id", "")
        plain = (
            0 < len(given) <= _LONGEST
            and _ALLOWED.issuperset(given)
            and not given.startswith(("tk_", "stk_", *PREFIXES))
        )
        g.request_id = known = given if plain else new_request_id()
    return known


def new_request_id() -> str:
    """An id for a request that has none."""
    return f"req_{secrets.token_hex(12)}"


def install(app: Flask) -> None:
    """One line of JSON for every request, on the logger `wonderlog.access`."""

    @app.before_request
    def begin() -> None:
        g.began = time.perf_counter()
        g.span = tracing.span(request.headers.get("traceparent"))

    @app.after_request
    def end(response: Response) -> Response:
        response.headers["Request-Id"] = request_id()
        if "span" in g:
            response.headers["traceparent"] = g.span.header
        response.headers[versioning.HEADER] = versioning.CONTRACT
        deprecation: versioning.Deprecation | None = g.get("deprecation")
        if deprecation is not None:
            versioning.announce(response, deprecation)
        response.headers["X-Content-Type-Options"] = "nosniff"
        for name, value in g.get("limit_headers", {}).items():
            response.headers.setdefault(name, value)
        if response.status_code in (204, 304) or request.method == "OPTIONS":
            response.headers.pop("Content-Type", None)  # there is no body that could have one
        if _log.isEnabledFor(logging.INFO):
            _log.info("%s", _line(response))
        return response


def _line(response: Response) -> str:
    span = g.get("span")
    method, rule = request.method, request.url_rule
    caller: Caller | None = g.get("caller")
    began: float = g.get("began", time.perf_counter())
    match = (request.view_args or {}).get("match") if response.status_code != 404 else None
    if match is not None and not match.isascii():
        match = None  # a preflight asks for any path
    return _encode(
        {
            "request": request_id(),
            "trace": None if span is None else span.trace,
            "method": method if method.isascii() and method.isalpha() else "?",
            "route": None if rule is None else rule.rule,
            "match": match,
            "status": response.status_code,
            "ms": round((time.perf_counter() - began) * 1000, 2),
            "bytes": response.content_length,
            "credential": None if caller is None else caller.credential or None,
        }
    ).decode()


def outline(error: BaseException) -> str:
    """The types and places of an exception and its causes, without messages: those may quote secrets."""
    parts: list[str] = []
    seen: BaseException | None = error
    while seen is not None and len(parts) < 8:
        places = "".join(traceback.format_list(traceback.extract_tb(seen.__traceback__)))
        parts.append(f"{type(seen).__module__}.{type(seen).__qualname__}\n{places}")
        seen = seen.__cause__ or seen.__context__
    return "caused by\n".join(parts)
