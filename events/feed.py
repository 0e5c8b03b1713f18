"""Waiting for the next event of a match: one tailer per process, whatever the number of waiters and
followers.

An announced head is a hint, reading the stream is the truth, and a slow regular look at every match
somebody waits for is the safety net. The tailer is a thread, started by the first wait, so that it lives in
the process that waits (a thread started before a fork is dead after it).

A topic is the id of a match, or any other name that appears in announcements (it holds a `:`); what its head
is, `other_heads` knows.
"""

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from events.keys import EVERYTHING
from events.store import Archived, EventStore, Heads, StoreUnavailable

# Told of a topic that there may be news; called from the tailer, so it must be quick and never raise.
Listener = Callable[[str], None]


@dataclass(slots=True)
class _Watch:
    """A topic that somebody waits for or follows; `version` is the newest head heard of, `gone`: the match
    was archived."""

    news: threading.Condition
    version: int = 0
    waiters: int = 0
    gone: bool = False
    listeners: list[Listener] = field(default_factory=list)


class Feed:
    """Wakes those who wait for a topic when it has a new head, and tells those who follow it."""

    def __init__(
        self,
        store: EventStore,
        look_every: float = 5.0,
        retry_after: float = 0.5,
        other_heads: Callable[[str], int] | None = None,
        on_new_rights: Callable[[], None] | None = None,
    ) -> None:
        """`look_every`, `retry_after`: seconds between two looks, and between two tries to subscribe.
        `other_heads` gives the head of a topic that is no match; it raises StoreUnavailable. `on_new_rights`
        is called when rights may have changed, before anybody is told."""
        self._store = store
        self._look_every = look_every
        self._retry_after = retry_after
        self._other_heads = other_heads
        self._on_new_rights = on_new_rights
        self._closing = threading.Event()
        self._reset()

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._watches: dict[str, _Watch] = {}
        self._tailer: threading.Thread | None = None
        self._process = os.getpid()

    def wait(self, match: str, after: int, timeout: float) -> int:
        """The version of the head: above `after` as soon as it is, or what it is after `timeout` seconds; at
        once when the feed is closed or the match archived. Raises StoreUnavailable, Archived."""
        deadline = time.monotonic() + timeout
        watch = self._watch(match)
        try:
            # Looking after the watch is set up leaves no gap between the look and the first announcement.
            self._heard(match, self._head(match))
            with watch.news:
                while watch.version <= after and not watch.gone and not self._closing.is_set():
                    remaining = deadline - time.monotonic()
                    if remaining <= 0 or not watch.news.wait(remaining):
                        break
                return watch.version
        finally:
            self._unwatch(match, watch)

    @property
    def closing(self) -> bool:
        """Whether the feed is closed: nobody waits any more."""
        return self._closing.is_set()

    def follow(self, topic: str, listener: Listener) -> None:
        """Tell the listener whenever there may be news of the topic, or rights to see it may have changed,
        until it unfollows. What was announced before is not told: look once after this call."""
        watch = self._watch(topic)
        with self._lock:
            watch.listeners.append(listener)

    def unfollow(self, topic: str, listener: Listener) -> None:
        """End a `follow`."""
        with self._lock:
            watch = self._watches.get(topic)
            if watch is None or listener not in watch.listeners:
                return
            watch.listeners.remove(listener)
        self._unwatch(topic, watch)

    def close(self) -> None:
        """Wake everybody, end the tailer and wait for its end."""
        self._closing.set()
        with self._lock:
            for watch in self._watches.values():
                watch.news.notify_all()
            tailer = self._tailer
        if tailer is not None and self._process == os.getpid():
            tailer.join()

    def _watch(self, match: str) -> _Watch:
        if self._process != os.getpid():
            self._reset()
        with self._lock:
            watch = self._watches.get(match)
            if watch is None:
                watch = self._watches[match] = _Watch(threading.Condition(self._lock))
            watch.waiters += 1
            running = self._tailer is not None and self._tailer.is_alive()
            if not running and not self._closing.is_set():
                self._tailer = threading.Thread(target=self._tail, name="wonderlog-feed", daemon=True)
                self._tailer.start()
        return watch

    def _unwatch(self, match: str, watch: _Watch) -> None:
        with self._lock:
            watch.waiters -= 1
            if not watch.waiters:
                del self._watches[match]

    def _head(self, topic: str) -> int:
        """Raises StoreUnavailable, Archived."""
        if ":" not in topic:
            return self._store.head(topic).version
        return 0 if self._other_heads is None else self._other_heads(topic)

    def _hinted(self, topic: str, version: int) -> None:
        """Take an announcement: of a new head, or (version 0) of new rights to see a topic or everything."""
        if version > 0:
            self._heard(topic, version)
            return
        if self._on_new_rights is not None:
            self._on_new_rights()
        with self._lock:
            watches = self._watches.items() if topic == EVERYTHING else [(topic, self._watches.get(topic))]
            told = [(name, list(watch.listeners)) for name, watch in watches if watch is not None]
        _tell(told)

    def _heard(self, match: str, version: int) -> None:
        with self._lock:
            watch = self._watches.get(match)
            if watch is None or version <= watch.version:
                return
            watch.version = version
            watch.news.notify_all()
            listeners = list(watch.listeners)
        _tell([(match, listeners)])

    def _left(self, match: str) -> None:
        with self._lock:
            watch = self._watches.get(match)
            if watch is None or watch.gone:
                return
            watch.gone = True
            watch.news.notify_all()
            listeners = list(watch.listeners)
        _tell([(match, listeners)])

    def _tail(self) -> None:
        while not self._closing.is_set():
            try:
                heads = self._store.subscribe()
            except StoreUnavailable:
                self._closing.wait(self._retry_after)
                continue
            try:
                self._follow(heads)
            except StoreUnavailable:
                self._closing.wait(self._retry_after)
            finally:
                heads.close()

    def _follow(self, heads: Heads) -> None:
        """Pass hints on until the subscription breaks. Raises StoreUnavailable."""
        look_at = time.monotonic()
        while not self._closing.is_set():
            # The first look, at once, catches up with what was announced before this subscription.
            if time.monotonic() >= look_at:
                self._look()
                look_at = time.monotonic() + self._look_every
            hint = heads.next(min(0.2, max(0.0, look_at - time.monotonic())))
            if hint is not None:
                self._hinted(*hint)

    def _look(self) -> None:
        with self._lock:
            matches = list(self._watches)
        for match in matches:
            try:
                self._heard(match, self._head(match))
            except Archived:
                self._left(match)


def _tell(told: list[tuple[str, list[Listener]]]) -> None:
    """Call the listeners, outside the lock: they may follow and unfollow."""
    for topic, listeners in told:
        for listener in listeners:
            listener(topic)
