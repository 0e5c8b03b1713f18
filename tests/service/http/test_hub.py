"""The thread that writes all streams outlives whatever goes wrong with one of them."""

import socket
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from events.feed import Feed, Listener
from events.memory import MemoryStore
from service.credentials import NOBODY, Caller
from service.following import Found
from service.http.hub import Hub, StreamLimits
from service.http.live import Stream
from service.http.stream_items import ENCODINGS, NDJSON


@dataclass(slots=True)
class Quiet:
    """A log in which nothing happens."""

    topic: str
    caller: Caller = NOBODY

    def shown(self, cursor: str) -> int | str:
        return cursor

    def page(self, after: str, limit: int) -> Found:
        return Found([], after, after)


class Strained(Feed):
    """A feed that follows no topic of this name, as where no thread can be started."""

    def follow(self, topic: str, listener: Listener) -> None:
        if topic == "feed:strained":
            raise RuntimeError("can't start new thread")
        Feed.follow(self, topic, listener)


@pytest.fixture
def hub() -> Iterator[Hub]:
    feed = Strained(MemoryStore(), other_heads=lambda topic: 0)
    made = Hub(feed, StreamLimits(ping_s=0.2, drain_s=5.0))
    yield made
    made.close()
    feed.close()


def opened(hub: Hub, topic: str) -> socket.socket:
    """A client of a new stream."""
    place = hub.place()
    assert place is not None
    client, server = socket.socketpair()
    client.settimeout(30)
    hub.take(server, Stream(Quiet(topic), ENCODINGS[NDJSON], "0"), place, b"hello\n")
    return client


def test_a_stream_that_cannot_begin_ends_and_the_others_go_on(hub: Hub) -> None:
    with opened(hub, "feed:fine") as before, opened(hub, "feed:strained") as lost:
        while lost.recv(100):
            pass
        with opened(hub, "feed:fine") as after:
            for client in (before, after):
                said = b""
                while said.count(b"\n") < 3:  # hello, and two heartbeats
                    said += client.recv(100)
            assert hub.taken == 2, "the place is free again"


def test_a_client_that_has_left_before_its_stream_begins_takes_no_place(hub: Hub) -> None:
    place = hub.place()
    assert place is not None and hub.taken == 1
    client, server = socket.socketpair()
    client.close()
    server.close()
    hub.take(server, Stream(Quiet("feed:fine"), ENCODINGS[NDJSON], "0"), place, b"")
    assert hub.taken == 0
