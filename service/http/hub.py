"""All streams of a process, written by one thread.

A request that asks for a stream is answered up to its headers by a thread of the server; then its connection
is taken over here, and the thread is free again. Writing never waits: what a client does not take is kept,
up to a bound, and beyond that the stream reads on from the store once the client has caught up. So nobody
waits for anybody, and the number of streams costs neither threads nor connections to the store.
"""

import contextlib
import logging
import os
import selectors
import socket
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Final

from events.feed import Feed
from events.store import StoreUnavailable
from service.http.access_log import outline
from service.http.live import Memo, Stream

# Bytes that may wait for a client before its stream stops reading; a page of events comes on top.
MOST_WAITING: Final = 64 * 1024
_RECEIVED: Final = 4096
_TICK_S: Final = 1.0
_PAUSE_S: Final = 0.5

_log: Final = logging.getLogger("wonderlog.http")


@dataclass(frozen=True, slots=True)
class StreamLimits:
    """`most`: streams of one process. Seconds: `age_s` until a stream ends and is resumed, `ping_s` between
    heartbeats, `stall_s` a client may take nothing at all, `drain_s` to say goodbye."""

    most: int = 1000
    age_s: float = 900.0
    ping_s: float = 15.0
    stall_s: float = 60.0
    drain_s: float = 3.0


@dataclass(slots=True, eq=False)
class Place:
    """The right to one stream, until it is given back. `kept`: whoever answers the request is not the one to
    give it back any more."""

    hub: "Hub"
    kept: bool = False
    _held: bool = True

    def give_back(self) -> None:
        """Free the place; again, nothing happens."""
        self.hub.freed(self._held)
        self._held = False


@dataclass(slots=True, eq=False)
class _Connection:
    """A client, what waits for it, and the times (monotonic seconds) of what is due."""

    socket: socket.socket
    stream: Stream
    place: Place
    waiting: bytearray
    ends_at: float
    ping_at: float
    moved_at: float
    watched: int = selectors.EVENT_READ


@dataclass(slots=True)
class Hub:
    """The streams of this process."""

    feed: Feed
    limits: StreamLimits = field(default_factory=StreamLimits)
    draining: threading.Event = field(default_factory=threading.Event)
    _taken: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _thread: threading.Thread | None = None
    _process: int = 0
    _arrived: deque[_Connection] = field(default_factory=deque)
    _news: deque[str] = field(default_factory=deque)
    _topics: dict[str, set[_Connection]] = field(default_factory=dict)
    _due: set[_Connection] = field(default_factory=set)
    _over: bool = False
    _selector: selectors.BaseSelector = field(init=False)
    _bell: socket.socket = field(init=False)
    _ears: socket.socket = field(init=False)
    _pause_until: float = 0.0

    def place(self) -> Place | None:
        """A place for one more stream; None when all are taken or the process drains."""
        with self._lock:
            if self.draining.is_set() or self._taken >= self.limits.most:
                return None
            self._taken += 1
        return Place(self)

    def freed(self, held: bool) -> None:
        """A place was given back."""
        with self._lock:
            self._taken -= held

    @property
    def taken(self) -> int:
        """How many streams there are."""
        return self._taken

    def take(self, connection: socket.socket, stream: Stream, place: Place, begun: bytes) -> None:
        """Write a stream from now on; `begun` are its first bytes. The connection, whose headers were sent,
        is the hub's from now on, whatever happens."""
        now = time.monotonic()
        try:
            connection.setblocking(False)
            _end_dead_peers(connection, self.limits)
        except OSError:
            # The client has left already.
            connection.close()
            place.give_back()
            return
        made = _Connection(
            connection,
            stream,
            place,
            bytearray(begun),
            now + self.limits.age_s,
            now + self.limits.ping_s,
            now,
        )
        with self._lock:
            self._start()
            if self._over:
                connection.close()
            else:
                self._arrived.append(made)
        if self._over:
            place.give_back()
        self._wake()

    def drain(self) -> None:
        """Say goodbye to everybody and take nobody any more. Safe in a signal handler."""
        self.draining.set()
        self._wake()

    def close(self) -> None:
        """Drain, and wait for the end."""
        self.drain()
        thread = self._thread
        if thread is not None and self._process == os.getpid():
            thread.join(self.limits.drain_s + 10.0)

    # Everything below runs in the hub's own thread.

    def _start(self) -> None:
        """A thread started before a fork is dead after it: begin when there is something to do."""
        if self._thread is not None and self._process == os.getpid():
            return
        self._process = os.getpid()
        self._arrived, self._news, self._topics, self._due = deque(), deque(), {}, set()
        self._selector = selectors.DefaultSelector()
        self._bell, self._ears = socket.socketpair()
        self._bell.setblocking(False)
        self._ears.setblocking(False)
        self._selector.register(self._ears, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, name="wonderlog-streams", daemon=True)
        self._thread.start()

    def _wake(self) -> None:
        if self._thread is not None:
            # A full pipe has woken the thread already; a closed one has ended it.
            with contextlib.suppress(OSError):
                self._bell.send(b"\0")

    def _hear(self, topic: str) -> None:
        """News of a topic, told by the feed's thread."""
        self._news.append(topic)
        self._wake()

    def _run(self) -> None:
        tick_at = time.monotonic()
        while not self.draining.is_set():
            self._wait(max(0.0, min(tick_at - time.monotonic(), _TICK_S)))
            now = time.monotonic()
            self._admit()
            self._take_news()
            self._advance(now)
            if now >= tick_at:
                tick_at = now + _TICK_S
                self._tick(now)
        self._say_goodbye()

    def _wait(self, most: float) -> None:
        """Until something can be read or written, for at most so many seconds."""
        paused = time.monotonic() < self._pause_until
        busy = not paused and any(map(self._has_room, self._due))
        for key, ready in self._selector.select(0 if busy else most):
            connection: _Connection | None = key.data
            if connection is None:
                with contextlib.suppress(BlockingIOError):
                    while self._ears.recv(_RECEIVED):
                        pass
                continue
            if ready & selectors.EVENT_READ and self._has_left(connection):
                self._drop(connection)
            elif ready & selectors.EVENT_WRITE:
                self._send(connection)

    def _admit(self) -> None:
        while self._arrived:
            connection = self._arrived.popleft()
            try:
                self._begin(connection)
            except Exception as error:
                # As where the system gives no more threads: its client resumes, the others go on.
                _log.error("a stream cannot begin\n%s", outline(error))
                connection.socket.close()
                connection.place.give_back()

    def _begin(self, connection: _Connection) -> None:
        topic = connection.stream.log.topic
        if topic not in self._topics:
            self.feed.follow(topic, self._hear)
            self._topics[topic] = set()
        self._selector.register(connection.socket, selectors.EVENT_READ, connection)
        self._topics[topic].add(connection)
        self._due.add(connection)
        self._send(connection)

    def _take_news(self) -> None:
        while self._news:
            self._due.update(self._topics.get(self._news.popleft(), ()))

    def _advance(self, now: float) -> None:
        """Let every stream that is due, and whose client keeps up, read on."""
        if now < self._pause_until:
            return
        memo: Memo = {}
        for connection in [each for each in self._due if self._has_room(each)]:
            self._read_on(connection, memo)

    def _read_on(self, connection: _Connection, memo: Memo) -> None:
        try:
            data = connection.stream.more(memo)
        except StoreUnavailable:
            self._pause_until = time.monotonic() + _PAUSE_S
            return
        except Exception as error:
            # A fault of ours, in this stream: its client resumes, the others go on.
            _log.error("a stream broke off\n%s", outline(error))
            self._drop(connection)
            return
        if not connection.stream.behind or connection.stream.ended:
            self._due.discard(connection)
        if data:
            self._say(connection, data)
        elif connection.stream.ended:
            self._send(connection)

    def _tick(self, now: float) -> None:
        memo: Memo = {}
        paused = now < self._pause_until
        for connection in list(self._all()):
            if connection.waiting and now - connection.moved_at > self.limits.stall_s:
                self._drop(connection)
            elif connection.stream.ended:
                continue
            elif now >= connection.ends_at:
                self._say(connection, connection.stream.bye("max-age"))
            elif now >= connection.ping_at:
                connection.ping_at = now + self.limits.ping_s
                said = len(connection.waiting)
                if not paused and self._has_room(connection):
                    # The rights, and whether there is more, are looked at again with each heartbeat.
                    self._read_on(connection, memo)
                if not connection.stream.ended and not said and not connection.waiting:
                    self._say(connection, connection.stream.ping())

    def _say(self, connection: _Connection, data: bytes) -> None:
        if not connection.waiting:
            connection.moved_at = time.monotonic()
        connection.waiting += data
        self._send(connection)

    def _send(self, connection: _Connection) -> None:
        """Send what the client takes now, and close the connection after the last byte of an ended stream."""
        try:
            while connection.waiting:
                sent = connection.socket.send(connection.waiting)
                del connection.waiting[:sent]
                connection.moved_at = time.monotonic()
        except BlockingIOError:
            pass
        except OSError:
            self._drop(connection)
            return
        if connection.stream.ended and not connection.waiting:
            self._drop(connection)
            return
        watched = selectors.EVENT_READ | (selectors.EVENT_WRITE if connection.waiting else 0)
        if watched != connection.watched:
            connection.watched = watched
            self._selector.modify(connection.socket, watched, connection)

    def _has_left(self, connection: _Connection) -> bool:
        """Whether the client has closed the connection; what else it may send means nothing."""
        try:
            return not connection.socket.recv(_RECEIVED)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _drop(self, connection: _Connection) -> None:
        topic = connection.stream.log.topic
        connections = self._topics.get(topic, set())
        if connection not in connections:
            return
        connections.remove(connection)
        self._due.discard(connection)
        if not connections:
            del self._topics[topic]
            self.feed.unfollow(topic, self._hear)
        self._selector.unregister(connection.socket)
        connection.socket.close()
        connection.place.give_back()

    def _has_room(self, connection: _Connection) -> bool:
        return len(connection.waiting) < MOST_WAITING and not connection.stream.ended

    def _all(self) -> list[_Connection]:
        return [connection for connections in self._topics.values() for connection in connections]

    def _say_goodbye(self) -> None:
        self._admit()
        for connection in self._all():
            if not connection.stream.ended:
                self._say(connection, connection.stream.bye("drain"))
        until = time.monotonic() + self.limits.drain_s
        while self._topics and time.monotonic() < until:
            self._wait(0.1)
        with self._lock:
            self._over = True
        self._admit()
        for connection in self._all():
            self._drop(connection)
        self._selector.close()
        self._bell.close()
        self._ears.close()


def _end_dead_peers(connection: socket.socket, limits: StreamLimits) -> None:
    """Let the system end a connection whose peer acknowledges nothing any more; and keep little for each
    client in its buffers. A peer that acknowledges and takes nothing is ended by the system as well, after
    the same time, so that is never shorter than what such a client is given here."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_WAITING)
    if connection.family in (socket.AF_INET, socket.AF_INET6):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            patience_ms = round(max(2 * limits.ping_s, limits.stall_s) * 1000)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, patience_ms)
