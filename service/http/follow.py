"""Following: streams of events, tickets for them, the feed of a tenant."""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from flask import Response, g, request

from events.feed import Feed
from events.store import StoreUnavailable
from service import scopes
from service.following import START, Log
from service.http import faults, replies
from service.http.face import Face
from service.http.hub import Hub, Place
from service.http.live import Stream
from service.http.negotiation import JSON
from service.http.operations import TENANT, WATCHERS, Answer, Asked, Operation, SchemaBody
from service.http.problems import Problem
from service.http.schemas import FeedQuery, NewTicket
from service.http.stream_items import ENCODINGS, NDJSON, SSE
from service.tickets import LIFE_S

# Where a server that can take connections over leaves its offer.
OFFER: Final = "wonderlog.offer"
_PAUSE_S: Final = 0.5

STREAMS: Final = {SSE: "StreamItem", NDJSON: "StreamItem"}


@dataclass(slots=True)
class Offer:
    """Of a server that takes the connection after the headers: the stream to write there, its place, its
    first bytes."""

    taken: tuple[Stream, Place, bytes] | None = None


def follow(face: Face, log: Log, after: str, media_type: str) -> Response:
    """Answer with a stream of the log after a cursor; `Last-Event-ID` wins over `after`. Raises Problem
    `too-many-streams`, and what `Log.page` does but CursorExpired."""
    headers = {
        "Content-Type": f"{media_type}; charset=utf-8" if media_type == SSE else media_type,
        "Cache-Control": replies.NEVER,
        "Vary": "Authorization, Accept",
        "X-Accel-Buffering": "no",
    }
    stream = Stream(log, ENCODINGS[media_type], request.headers.get("Last-Event-ID") or after)
    with ExitStack() as undo:
        place = face.streams.place()
        if place is None:
            raise Problem("too-many-streams")
        undo.callback(place.give_back)
        begun = stream.begin()
        offer: Offer | None = None if g.get("slow_stream") else request.environ.get(OFFER)
        if request.method == "HEAD":
            return Response(status=200, headers=headers)
        if offer is not None:
            offer.taken = (stream, place, begun)
            response = Response(iter(()), 200, headers)
        else:
            # The server gives no connection away: a thread of it writes the stream, as few as wait in
            # long-polls.
            if not undo.enter_context(face.polls.place()):
                raise Problem("too-many-streams")
            written = _written(stream, begun, log.topic, face.streams)
            response = Response(faults.slowly(written), 200, headers)
        kept = undo.pop_all()

    @response.call_on_close
    def end() -> None:
        if place.kept:
            kept.pop_all()
        kept.close()

    return response


def _written(stream: Stream, begun: bytes, topic: str, hub: Hub) -> Iterator[bytes]:
    """The stream, in the thread of whoever asks for its bytes."""
    feed: Feed = hub.feed
    news = threading.Event()

    def hear(topic: str) -> None:
        news.set()

    limits = hub.limits
    ends_at = time.monotonic() + limits.age_s
    feed.follow(topic, hear)
    try:
        yield begun
        while not stream.ended:
            ping_at = min(time.monotonic() + limits.ping_s, ends_at)
            data = b""
            while not data and not stream.ended:
                news.clear()
                try:
                    data = stream.more({})
                except StoreUnavailable:
                    time.sleep(_PAUSE_S)
                if hub.draining.is_set():
                    data += b"" if stream.ended else stream.bye("drain")
                elif not data and time.monotonic() >= ping_at:
                    data = stream.bye("max-age") if ping_at == ends_at else stream.ping()
                elif not data and not stream.ended:
                    news.wait(max(0.0, min(1.0, ping_at - time.monotonic())))
            yield data
    finally:
        feed.unfollow(topic, hear)


def list_feed(face: Face, asked: Asked) -> Response:
    """Read the events of all your matches

    One feed for a tenant: the events of its matches as a spectator sees them, in the order in which they were
    noted; within a match that is the order of its log. There is
    no spectator delay here. Each carries its place as `cursor`: ask for what comes
    after the last one you have dealt with, and nothing is lost, whatever was down meanwhile. Delivery is at
    least once. As a page, with `wait` as a long-poll, or as a stream, by `Accept`.
    """
    after = asked.query["after"]
    if asked.accepts != JSON:
        return follow(face, face.matches.following.tenant(asked.caller), after, asked.accepts)
    limit, wait_s = asked.query["limit"], asked.query["wait"]

    def look(slice_s: float) -> dict[str, object]:
        return face.matches.feed(asked.caller, after, limit, slice_s)

    if wait_s:
        with face.polls.place() as granted:
            page = face.polls.wait(look, wait_s) if granted else look(0)
    else:
        page = look(0)
    return replies.as_json(page, keeps=replies.AT_HEAD, Vary="Authorization, Accept")


def make_ticket(face: Face, asked: Asked) -> Response:
    """Get a ticket for a stream

    For a browser's EventSource, which can set no header: put it as `?ticket=` into the address of the events
    of the match it names. When it names none it is for the match of your token or, with a tenant key, for
    the tenant's feed. It opens one stream, once, within a minute, with your rights, and the stream ends when
    they do.
    """
    match = asked.body.get("match") or asked.caller.match
    ticket, replayed = face.matches.ticket(asked.caller, match, asked.key, asked.fingerprint)
    url = "/v1/events" if match is None else f"/v1/matches/{match}/events"
    made = {"ticket": ticket, "expires_in_s": LIFE_S, "url": f"{url}?ticket={ticket}"}
    return replies.made(made, replayed, None)


OPERATIONS = (
    Operation(
        "GET",
        "/v1/events",
        "listFeed",
        list_feed,
        {
            200: Answer(
                "A page of events, or a stream.",
                "FeedPage",
                ("CacheControl", "Vary", "AccelBuffering"),
                more=STREAMS,
            )
        },
        TENANT,
        credential=True,
        scope=scopes.LIVE,
        query=FeedQuery,
        streams=True,
        problems=("cursor-expired", "not-acceptable", "too-many-streams"),
    ),
    Operation(
        "POST",
        "/v1/stream-tickets",
        "createStreamTicket",
        make_ticket,
        {201: Answer("The ticket.", "StreamTicket", ("IdempotencyReplayed", "CacheControl"))},
        WATCHERS,
        credential=True,
        scope=scopes.READ,
        body=SchemaBody(NewTicket),
        keyed=True,
        problems=("not-found", "archived"),
    ),
)

__all__ = ["OFFER", "OPERATIONS", "START", "STREAMS", "Offer", "follow"]
