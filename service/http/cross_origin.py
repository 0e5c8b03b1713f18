"""Browser clients of other origins (CORS): no cookies, no credentials mode, an allow-list for each tenant.

A preflight names no tenant, so it is answered for the origins of all of them. The answer to the request
itself is opened to the page only if the tenant whose credential it carries (or whose match its token opens)
lists the origin; a request without a valid credential belongs to nobody, and any listed origin may read its
answer.
"""

import logging
from typing import Final

from flask import Flask, Response, current_app, g, request

from events.store import StoreUnavailable
from service.credentials import Caller
from service.http.face import face_of

EXPOSED: Final = (
    "ETag",
    "Location",
    "Retry-After",
    "RateLimit",
    "RateLimit-Policy",
    "Idempotency-Replayed",
    "Deprecation",
    "Sunset",
    "Link",
    "Date",
    "Allow",
    "Api-Version",
    "Content-Disposition",
    "Sandbox-Time",
    "Request-Id",
    "Vary",
    "WWW-Authenticate",
    "traceparent",
)
ALLOWED: Final = (
    "Authorization",
    "Content-Type",
    "If-Match",
    "If-None-Match",
    "Idempotency-Key",
    "Last-Event-ID",
    "Request-Id",
    "Sandbox-Fault",
    "Wonderlog-Known-Head",
    "traceparent",
)
PREFLIGHT_S: Final = 7200

_log: Final = logging.getLogger("wonderlog.http")


def install(app: Flask) -> None:
    """Answer preflights, and say on every answer which page may read it."""

    @app.after_request
    def open_up(response: Response) -> Response:
        # Also where nothing is opened: a cache must not give one page the answer for another.
        response.vary.add("Origin")
        origin = request.headers.get("Origin")
        if origin is None:
            return response
        preflight = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
        if _allowed(origin, None if preflight else _tenant()):
            response.headers["Access-Control-Allow-Origin"] = origin
            if preflight and response.status_code < 300:
                _permit(response)
            elif not preflight:
                response.headers["Access-Control-Expose-Headers"] = ", ".join(EXPOSED)
        return response


def _permit(response: Response) -> None:
    response.headers["Access-Control-Allow-Methods"] = response.headers.get("Allow", "")
    response.headers["Access-Control-Allow-Headers"] = ", ".join(ALLOWED)
    response.headers["Access-Control-Max-Age"] = str(PREFLIGHT_S)
    response.headers["Cache-Control"] = "no-store"


def _tenant() -> str | None:
    """The tenant the request belongs to, None when it belongs to nobody."""
    caller: Caller | None = g.get("caller")
    return None if caller is None else caller.tenant or caller.host


def _allowed(origin: str, tenant: str | None) -> bool:
    try:
        return face_of(current_app).matches.allows_origin(origin, tenant)
    except StoreUnavailable:
        _log.warning("the origins cannot be read: nothing is opened to other pages")
        return False
