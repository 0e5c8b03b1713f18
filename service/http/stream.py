"""The log: events by page or by long-poll, and the whole of it as a bundle."""

import itertools
import logging
from collections.abc import Iterator
from functools import partial
from typing import Final

from flask import Response

from service import scopes
from service.http import replies
from service.http.access_log import outline
from service.http.face import Face
from service.http.follow import STREAMS, follow
from service.http.negotiation import JSON
from service.http.operations import WATCHERS, Answer, Asked, Operation
from service.http.schemas import EventsQuery, ExportQuery
from service.http.stream_items import NDJSON

HTML: Final = "text/html"
NOTATION: Final = "text/plain"
_log: Final = logging.getLogger("wonderlog.http")


class BundleBroken(Exception):
    """A bundle could not be finished; the connection is cut, and the missing trailer shows it."""


def list_events(face: Face, asked: Asked) -> Response:
    """Read the log

    The events after a version, as the caller sees them: the same versions and types for everybody, what is
    hidden lies face down. With `wait`, an empty page is held back until there is an event or the time is
    up. At most half of a process's threads wait; beyond that the empty page comes at once. A version beyond
    the head is refused with `cursor-expired`: the log has lost it, or it is of another match.

    As `text/event-stream` or `application/x-ndjson` the answer is a stream that goes on: a sequence of items,
    each an event or one of the stream's own. `hello` comes first; then the events after `Last-Event-ID`, or
    else after `after`, and each new one as it happens; `ping` (an empty line in NDJSON) now and then;
    `reset` when the cursor is unknown: read the view, the stream goes on after it; `bye` last, after which a
    client resumes unless the match is over. `limit` and `wait` are for pages.
    """
    query = asked.query
    if asked.accepts != JSON:
        log = face.matches.following.match(asked.caller, asked.match)
        return follow(face, log, str(query["after"]), asked.accepts)
    look = partial(face.matches.events, asked.caller, asked.match, query["after"], query["limit"])
    wait_s: int = query["wait"]
    if wait_s:
        with face.polls.place() as granted:
            page = face.polls.wait(look, wait_s) if granted else look(0)
    else:
        page = look(0)
    return replies.as_json(page, keeps=replies.AT_HEAD, Vary="Authorization, Accept")


def export_match(face: Face, asked: Asked) -> Response:
    """Export the match

    Its bundle: a header line, an event a line, a signed trailer; whole, or cut after a version. In the
    caller's perspective while the match runs, in any, by default in full, once it is over. Verify it with
    `wonderlog verify`. The file is named after the match, and after the version and the perspective where the
    request names them: `mat_….v42.public.jsonl`.
    """
    version, perspective = asked.query.get("version"), asked.query.get("perspective")
    if asked.query["format"] != "bundle":
        return _for_people(face, asked, version, perspective)
    lines = iter(face.matches.export(asked.caller, asked.match, version, perspective))
    first = next(lines, b"")  # refusals are raised before the first line, so before the status is sent
    headers = {
        "Cache-Control": replies.NEVER,
        "Vary": "Authorization",
        "Content-Disposition": _named(asked, "jsonl"),
    }
    return Response(_sent(itertools.chain([first], lines)), 200, headers, mimetype=NDJSON)


def _for_people(face: Face, asked: Asked, version: int | None, perspective: str | None) -> Response:
    """The replay in HTML, or the notation. What it holds of others' making is data in it; and it is for a
    disk, not for the origin of this service."""
    headers = {
        "Cache-Control": replies.NEVER,
        "Vary": "Authorization",
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox; default-src 'none'",
    }
    if asked.query["format"] == "html":
        text, media, suffix = face.matches.page(asked.caller, asked.match, version, perspective), HTML, "html"
    else:
        text = face.matches.notation(asked.caller, asked.match, version, perspective)
        media, suffix = NOTATION, "txt"
    headers["Content-Disposition"] = _named(asked, suffix)
    return Response(text, 200, headers, mimetype=media)


def _named(asked: Asked, suffix: str) -> str:
    """The header that names the file after the match and after what was asked for."""
    version, perspective = asked.query.get("version"), asked.query.get("perspective")
    parts = [asked.match, *([f"v{version}"] if version else []), *([perspective] if perspective else [])]
    return f'attachment; filename="{".".join(parts)}.{suffix}"'


def _sent(lines: Iterator[bytes]) -> Iterator[bytes]:
    try:
        yield from lines
    except Exception as broken:
        _log.error("export broke off\n%s", outline(broken))
        raise BundleBroken("the export broke off") from None


_FOLLOWED: Final = ("CacheControl", "Vary", "AccelBuffering")

OPERATIONS = (
    Operation(
        "GET",
        "/v1/matches/<match>/events",
        "listEvents",
        list_events,
        {200: Answer("A page of events, or a stream.", "EventPage", _FOLLOWED, more=STREAMS)},
        WATCHERS,
        scope=scopes.READ,
        query=EventsQuery,
        streams=True,
        problems=("archived", "cursor-expired", "not-acceptable", "too-many-streams"),
    ),
    Operation(
        "GET",
        "/v1/matches/<match>/export",
        "exportMatch",
        export_match,
        {
            200: Answer(
                "The bundle, a JSON object a line; or, as `format` asks, a page or a text.",
                "BundleLine",
                ("CacheControl", "Vary", "ContentDisposition", "ContentSecurityPolicy"),
                NDJSON,
                texts=(HTML, NOTATION),
            )
        },
        WATCHERS,
        scope=scopes.READ,
        query=ExportQuery,
        problems=("archived", "forbidden"),
    ),
)
