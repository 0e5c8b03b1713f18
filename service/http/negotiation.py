"""Which of its forms an answer takes: what the Accept header asks for; and which credential opens a
stream."""

from typing import Final

from flask import request

from service.errors import Fault
from service.http.problems import Problem
from service.http.stream_items import NDJSON, SSE

JSON: Final = "application/json"


def page_or_stream() -> str:
    """JSON (also for a client that takes anything), text/event-stream or application/x-ndjson. Raises Problem
    `not-acceptable`."""
    if not request.accept_mimetypes:
        return JSON
    found: str | None = request.accept_mimetypes.best_match([JSON, SSE, NDJSON])
    if found is None:
        raise Problem("not-acceptable", f"events come as {JSON}, {SSE} or {NDJSON}")
    return found


def ticket() -> str | None:
    """The ticket in the address: for streams, and instead of a header. Raises Problem `validation`."""
    given = request.args.get("ticket")
    if given is None:
        return None
    if page_or_stream() == JSON:
        fault = Fault("/query/ticket", "stream", f"a ticket opens a stream: accept {SSE} or {NDJSON}")
        raise Problem("validation", "a ticket opens streams only", [fault])
    if request.headers.get("Authorization") is not None:
        fault = Fault("/query/ticket", "repeated", "send a ticket or an Authorization header")
        raise Problem("validation", "there are two credentials", [fault])
    return given
