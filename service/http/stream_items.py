"""What a stream says: events and a few items of its own, as server-sent events or as lines of JSON.

Every item is an object with a `type`. Types of events hold a dot, those of the stream's own items do not:
`hello` (the first), `ping`, `reset` (the cursor is none of this log: read everything again), `bye` (the
last).
"""

from typing import Any, Final, Literal, Protocol

import msgspec

SSE: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"
RETRY_MS: Final = 2000

Reason = Literal["match-over", "drain", "max-age", "auth-revoked"]
Cursor = int | str
Json = dict[str, Any]

_encode: Final = msgspec.json.Encoder().encode


class Encoding(Protocol):
    """How items are written."""

    @property
    def media_type(self) -> str: ...

    def event(self, cursor: str, envelope: Json) -> bytes:
        """An event."""

    def hello(self, head: Cursor, resumed_from: Cursor) -> bytes:
        """The first item: the newest event there is, and after which one this stream begins."""

    def ping(self, head: Cursor) -> bytes:
        """A heartbeat."""

    def reset(self, snapshot: Cursor) -> bytes:
        """The cursor is unknown: take a snapshot (of this version at least); the stream goes on after it."""

    def bye(self, reason: Reason) -> bytes:
        """The last item."""


class ServerSentEvents:
    """As a browser's EventSource reads it. `hello` and `reset` have an id too, so that whoever reconnects
    resumes from there."""

    media_type = SSE

    def event(self, cursor: str, envelope: Json) -> bytes:
        return b"id: %b\nevent: %b\ndata: %b\n\n" % (
            cursor.encode(),
            envelope["type"].encode(),
            _encode(envelope),
        )

    def hello(self, head: Cursor, resumed_from: Cursor) -> bytes:
        said = {"type": "hello", "head": head, "resumed_from": resumed_from}
        return b"retry: %d\n" % RETRY_MS + self.event(str(resumed_from), said)

    def ping(self, head: Cursor) -> bytes:
        return _without_id({"type": "ping", "head": head})

    def reset(self, snapshot: Cursor) -> bytes:
        return self.event(str(snapshot), {"type": "reset", "snapshot_version": snapshot})

    def bye(self, reason: Reason) -> bytes:
        return _without_id({"type": "bye", "reason": reason})


def _without_id(said: Json) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (said["type"].encode(), _encode(said))


class Lines:
    """A JSON object a line; an empty line is a heartbeat."""

    media_type = NDJSON

    def event(self, cursor: str, envelope: Json) -> bytes:
        return _encode(envelope) + b"\n"

    def hello(self, head: Cursor, resumed_from: Cursor) -> bytes:
        return _encode({"type": "hello", "head": head, "resumed_from": resumed_from}) + b"\n"

    def ping(self, head: Cursor) -> bytes:
        return b"\n"

    def reset(self, snapshot: Cursor) -> bytes:
        return _encode({"type": "reset", "snapshot_version": snapshot}) + b"\n"

    def bye(self, reason: Reason) -> bytes:
        return _encode({"type": "bye", "reason": reason}) + b"\n"


ENCODINGS: Final[dict[str, Encoding]] = {SSE: ServerSentEvents(), NDJSON: Lines()}
