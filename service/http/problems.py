"""Exceptions become application/problem+json here and nowhere else.

Nothing of a request but the place of a fault is repeated, and nothing a seat may not see can be: the details
come from the catalogue, from the schemas, and from the refusals of the domain, which obey that rule.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from flask import Response
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from domain.kernel.errors import IllegalMove
from events.store import Archived, KeyReused, OutcomeUnknown, StoreUnavailable
from service.errors import (
    BundleRefused,
    CursorExpired,
    Fault,
    Forbidden,
    HistoryForked,
    Invalid,
    InviteInvalid,
    NotFound,
    NotReady,
    QuotaExceeded,
    Refused,
    RulesetUnsupported,
    StaleVersion,
    Unauthenticated,
    WebhookOff,
)
from service.http.catalogue import CATALOGUE

MEDIA_TYPE: Final = "application/problem+json"


@dataclass(slots=True, eq=False)
class Problem(Exception):
    """An error on its way out; `retry_after_s` is that of the catalogue when left out.
    Raised by the HTTP face itself, made from other exceptions by `problem_for`."""

    code: str
    detail: str = ""
    errors: Sequence[Fault] = ()
    current: Mapping[str, Any] | None = None
    rule: Mapping[str, str] | None = None
    headers: dict[str, str] = field(default_factory=dict)
    retry_after_s: int | None = None
    head: str | None = None


def body(problem: Problem, base: str, request_id: str) -> dict[str, Any]:
    """The members of the problem document. `base` is the address of the service without a final slash."""
    kind = CATALOGUE[problem.code]
    members: dict[str, Any] = {
        "type": f"{base}/problems/{problem.code}",
        "code": problem.code,
        "title": kind.title,
        "status": kind.status,
        "detail": problem.detail or kind.title,
        "instance": request_id,
    }
    if problem.errors:
        members["errors"] = [
            {"pointer": error.pointer, "code": error.code, "detail": error.detail} for error in problem.errors
        ]
    if problem.current is not None:
        members["current"] = problem.current
    if problem.head is not None:
        members["head"] = problem.head
    if problem.rule is not None:
        members["rule"] = problem.rule
    pause = problem.retry_after_s or kind.retry_after_s
    if pause is not None:
        members["retry"] = {"safe": True, "after_ms": pause * 1000}
    return members


def response(problem: Problem, base: str, request_id: str) -> Response:
    """The problem as a response, with Retry-After and WWW-Authenticate where they belong."""
    kind = CATALOGUE[problem.code]
    headers = {"Cache-Control": "no-store", **problem.headers}
    pause = problem.retry_after_s or kind.retry_after_s
    if pause is not None:
        headers["Retry-After"] = str(pause)
    if kind.status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="wonderlog"'
    document = msgspec.json.encode(body(problem, base, request_id))
    return Response(document, kind.status, headers, mimetype=MEDIA_TYPE)


def problem_for(error: Exception) -> Problem:
    """The problem an exception is answered with. What is not listed here is a fault of ours: `internal`."""
    match error:
        case Problem():
            return error
        case Refused():
            return _refused(error, msgspec.to_builtins(error.current))
        case IllegalMove():
            return _refused(error, None)
        case StaleVersion():
            return Problem("stale-version", current=msgspec.to_builtins(error.current))
        case HistoryForked():
            detail = "the log does not contain the head you know"
            return Problem("history-forked", detail, current=msgspec.to_builtins(error.current))
        case BundleRefused():
            fault = Fault(f"/lines/{error.line}", error.kind, f"line {error.line}: {error.reason}")
            return Problem("bundle-refused", fault.detail, [fault])
        case Invalid():
            return Problem("validation", "the request does not fit its schema", error.faults)
        case Unauthenticated():
            fault = Fault("/header/Authorization", error.code, str(error))
            return Problem("unauthenticated", fault.detail, [fault])
        case Forbidden():
            return Problem(error.code, error.detail)
        case NotFound():
            return Problem("not-found", f"there is no such {error.what}")
        case RulesetUnsupported():
            return Problem("ruleset-unsupported", f"the match is played under {error.ruleset}")
        case KeyReused():
            detail = "with this key another body, or another If-Match (or none), was sent and executed"
            return Problem("idempotency-key-reused", detail)
        case QuotaExceeded():
            return Problem("quota-exceeded", error.detail)
        case CursorExpired():
            return Problem("cursor-expired", head=error.head)
        case NotReady():
            return Problem("temporarily-unavailable", "the service is not ready; its log says why")
        case HTTPException():
            return _of_http(error)
        case ParseException():
            return Problem("malformed", "the body is not framed as HTTP wants it")
    return Problem(_PLAIN.get(type(error), "internal"))


_PLAIN: Final[Mapping[type[Exception], str]] = {
    InviteInvalid: "invite-invalid",
    OutcomeUnknown: "outcome-unknown",
    StoreUnavailable: "temporarily-unavailable",
    Archived: "archived",
    WebhookOff: "webhook-off",
}


def _refused(error: IllegalMove, current: Mapping[str, Any] | None) -> Problem:
    reason = error.reason
    code = error.kind if error.kind in CATALOGUE else "conflict"
    rule = {"ref": reason.rule} if reason.rule else None
    pointer = error.pointer if isinstance(error, Refused) else ""
    return Problem(code, reason.detail, [Fault(pointer, reason.code, reason.detail)], current, rule)


_OF_STATUS: Final = {
    404: "not-found",
    406: "not-acceptable",
    413: "payload-too-large",
    414: "uri-too-long",
    415: "unsupported-media-type",
    431: "headers-too-large",
    501: "not-implemented",
    503: "temporarily-unavailable",
}


def _of_http(error: HTTPException) -> Problem:
    if isinstance(error, MethodNotAllowed):
        allowed = ", ".join(sorted(error.valid_methods or ()))
        return Problem("method-not-allowed", headers={"Allow": allowed})
    status = error.code or 500
    return Problem(_OF_STATUS.get(status, "malformed" if status < 500 else "internal"))
