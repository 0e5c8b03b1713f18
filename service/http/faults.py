"""Faults on demand: what a network does to a client sooner or later, for credentials of a sandbox only.

`Sandbox-Fault: <name>` makes it happen to every other try of the same request (the same credential, method,
path, query and Idempotency-Key), beginning with the first: a client that tries again gets through. With live
credentials the header does nothing.
"""

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from flask import Response, g, request

from service import sandbox
from service.credentials import Caller
from service.errors import Fault
from service.http import limits
from service.http.face import Face
from service.http.problems import Problem

HEADER: Final = "Sandbox-Fault"
DROP_REQUEST: Final = "drop-request"
DROP_RESPONSE: Final = "drop-response"
DUPLICATE: Final = "duplicate"
STALE: Final = "stale"
BUSY: Final = "429"
SLOW: Final = "slow-stream"

# Where a server that can cut connections leaves its offer.
CUT: Final = "wonderlog.cut"
# No decision opens with the first event of a match, so this one is open in none.
_CLOSED: Final = "d1"
# Between two halves of what a slow stream sends, in seconds.
PAUSE_S: Final = 0.25


@dataclass(slots=True)
class Cut:
    """Of a server that can cut the connection: whether it is to."""

    wanted: bool = False


def asked_for(face: Face, caller: Caller, fits: tuple[str, ...]) -> str:
    """The fault that is to happen to this request; empty for none. `fits` are those that can happen to the
    operation. Raises Problem `validation` for any other, StoreUnavailable."""
    name = request.headers.get(HEADER)
    if name is None or not sandbox.is_sandbox(caller.world):
        return ""
    if name not in fits:
        fault = Fault(f"/header/{HEADER}", "invalid", f"here it is one of {', '.join(fits)}")
        raise Problem("validation", "this cannot go wrong here", [fault])
    key = request.headers.get("Idempotency-Key", "")
    query = request.query_string.decode("latin-1")
    said = [name, caller.credential, request.method, request.path, query, key]
    told = "\n".join(said).encode(errors="backslashreplace")
    hit = face.matches.sandbox_clock.flip(hashlib.sha256(told).hexdigest())
    return name if hit else ""


def served(name: str, view: Callable[[bool], Response]) -> Response:
    """The answer of a view to which this happens. The view takes whether somebody else was to be first."""
    if name == BUSY:
        g.limit_headers = limits.used_up(g.get("limit_headers", {}), 1)
        raise Problem("rate-limited", "as asked for with Sandbox-Fault", retry_after_s=1)
    if name == DROP_REQUEST:
        return _cut()
    if name == STALE:
        return view(True)
    g.slow_stream = name == SLOW
    response = view(False)
    if name == DUPLICATE:
        response.close()
        return view(False)
    if name == DROP_RESPONSE:
        response.close()
        return _cut()
    return response


def overtaken(body: dict[str, Any]) -> dict[str, Any] | None:
    """The body of commands as if their decision had been closed meanwhile; None where it names none."""
    if "commands" in body:
        first, *rest = body["commands"]
        late = overtaken(first)
        return None if late is None else {**body, "commands": [late, *rest]}
    if "decision" not in body:
        return None
    return {**body, "decision": f"{_CLOSED}.{body['decision'].partition('.')[2]}"}


def slowly(written: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes in halves, with pauses, where the stream is to be slow."""
    if not g.get("slow_stream", False):
        return written
    return _halves(written)


def _halves(written: Iterator[bytes]) -> Iterator[bytes]:
    for data in written:
        middle = len(data) // 2
        for half in (data[:middle], data[middle:]):
            time.sleep(PAUSE_S)
            if half:
                yield half


def _cut() -> Response:
    cut: Cut | None = request.environ.get(CUT)
    if cut is None:
        # No server that could; this is the next best thing a client has to bear.
        raise Problem("temporarily-unavailable", "as asked for with Sandbox-Fault")
    cut.wanted = True
    return Response(status=500)
