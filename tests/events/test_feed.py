"""Waiting for events: woken by an announcement, never lost without one, one connection for all who wait."""

import contextlib
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

import pytest
import redis

from events.archive import Moves
from events.feed import Feed
from events.memory import MemoryStore
from events.redis_streams import RedisStreams
from events.store import Archived, EventStore, Head, StoreUnavailable
from tests.embedded import start_valkey
from tests.events.sample import noted, put_away
from tests.events.waiting import wait_until

# Longer than any test takes: what returns sooner was woken.
LONG = 60.0


class Waiter(threading.Thread):
    """Waits in a thread of its own; `answer()` gives what `wait` returned, or raises what it raised."""

    def __init__(self, feed: Feed, match: str, after: int, timeout: float = LONG) -> None:
        super().__init__()
        self._ask: Callable[[], int] = lambda: feed.wait(match, after, timeout)
        self._answer: int | BaseException = AssertionError("still waiting")
        self.start()

    def run(self) -> None:
        try:
            self._answer = self._ask()
        except BaseException as error:
            self._answer = error

    def answer(self) -> int:
        self.join(timeout=30)
        if isinstance(self._answer, BaseException):
            raise self._answer
        return self._answer


@pytest.fixture
def feed(store: EventStore) -> Iterator[Feed]:
    """A feed that looks so rarely that only announcements can wake anybody."""
    made = Feed(store, look_every=LONG)
    yield made
    made.close()


def test_what_is_there_already_is_answered_at_once(store: EventStore, feed: Feed, match: str) -> None:
    store.append(match, 0, None, "", noted(match, 3))
    assert feed.wait(match, 0, LONG) == 3
    assert feed.wait(match, 2, LONG) == 3


def test_nothing_new_is_answered_after_the_time_out(store: EventStore, feed: Feed, match: str) -> None:
    store.append(match, 0, None, "", noted(match, 2))
    started = time.monotonic()
    assert feed.wait(match, 2, 0.2) == 2
    assert feed.wait("mat_unknown", 0, 0.0) == 0
    assert 0.2 <= time.monotonic() - started < 20


def test_an_append_wakes_all_who_wait_for_the_match_and_nobody_else(
    store: EventStore, feed: Feed, match: str
) -> None:
    other = match + "x"
    waiters = [Waiter(feed, match, 0) for _ in range(20)]
    elsewhere = Waiter(feed, other, 0)
    store.append(match, 0, None, "", noted(match, 2))
    assert [waiter.answer() for waiter in waiters] == [2] * 20
    assert elsewhere.is_alive()
    store.append(other, 0, None, "", noted(other))
    assert elsewhere.answer() == 1


def test_a_follower_sees_every_event_in_order(store: EventStore, feed: Feed, match: str) -> None:
    seen: list[int] = []

    def follow() -> None:
        while len(seen) < 50:
            after = seen[-1] if seen else 0
            if feed.wait(match, after, LONG) > after:
                seen.extend(event.version for event in store.read(match, after, 7))

    follower = threading.Thread(target=follow)
    follower.start()
    prev_hash = "0" * 64
    for version in range(50):
        (event,) = noted(match, 1, version, prev_hash)
        store.append(match, version, None, "", [event], durable=False)
        prev_hash = event.hash
    follower.join(timeout=60)
    assert seen == list(range(1, 51))


def test_an_archived_match_is_told_at_once(store: EventStore, moves: Moves, feed: Feed, match: str) -> None:
    store.append(match, 0, None, "", noted(match))
    put_away(moves, match, "gone")
    with pytest.raises(Archived):
        feed.wait(match, 1, LONG)


def test_closing_wakes_everybody(store: EventStore, match: str) -> None:
    feed = Feed(store, look_every=LONG)
    waiters = [Waiter(feed, match, 0) for _ in range(3)]
    feed.close()
    assert [waiter.answer() for waiter in waiters] == [0, 0, 0]
    assert feed.wait(match, 0, LONG) == 0


class Deaf(MemoryStore):
    """A store whose announcements are all lost."""

    def subscribe(self):  # type: ignore[no-untyped-def]  # as MemoryStore's
        heads = super().subscribe()
        self.unsubscribe(heads)
        return heads


def test_the_regular_look_finds_what_was_not_announced(match: str) -> None:
    store = Deaf()
    feed = Feed(store, look_every=0.05)
    waiter = Waiter(feed, match, 0)
    store.append(match, 0, None, "", noted(match))
    assert waiter.answer() == 1
    gone = Waiter(feed, match, 1)
    put_away(store, match, "gone")
    # Told by the wait's own look if that comes after the archiving, woken by the regular one if before.
    with contextlib.suppress(Archived):
        assert gone.answer() == 1
    feed.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_tailer_that_died_is_replaced_by_the_next_wait(match: str) -> None:
    class Broken(MemoryStore):
        broken = True

        def subscribe(self):  # type: ignore[no-untyped-def]  # as MemoryStore's
            if self.broken:
                raise RuntimeError("a fault nobody foresaw")
            return super().subscribe()

    store = Broken()
    feed = Feed(store, look_every=LONG)
    others = set(threading.enumerate())
    feed.wait(match, 0, 0.2)
    for tailer in set(threading.enumerate()) - others:
        tailer.join(timeout=30)
    store.broken = False
    waiter = Waiter(feed, match, 0)
    store.append(match, 0, None, "", noted(match))
    assert waiter.answer() == 1
    feed.close()


def test_all_waiters_of_a_process_share_one_subscription(match: str) -> None:
    with start_valkey() as server:
        store = RedisStreams(server.url)
        feed = Feed(store, look_every=LONG)
        waiters = [Waiter(feed, f"{match}{number}", 0) for number in range(30)]
        with redis.Redis(port=server.port) as admin:
            wait_until(lambda: admin.pubsub_numsub("wonderlog:heads")[0][1] > 0)
            assert admin.pubsub_numsub("wonderlog:heads")[0][1] == 1
        for number in range(30):
            store.append(f"{match}{number}", 0, None, "", noted(f"{match}{number}"))
        assert [waiter.answer() for waiter in waiters] == [1] * 30
        feed.close()
        store.close()


class Watched(RedisStreams):
    """A store that knows which threads have looked for a head."""

    looked: ClassVar[set[threading.Thread]] = set()

    def head(self, match: str) -> Head:
        found = super().head(match)
        self.looked.add(threading.current_thread())
        return found


def test_waiters_survive_a_server_that_dies_and_comes_back(match: str) -> None:
    with start_valkey() as server:
        store = Watched(server.url)
        feed = Feed(store, look_every=LONG, retry_after=0.05)
        waiter = Waiter(feed, match, 0)
        wait_until(lambda: waiter in store.looked)  # it asks the server no more: it waits to be woken
        server.kill()
        with pytest.raises(StoreUnavailable):
            feed.wait(match, 0, LONG)
        server.start()
        other = RedisStreams(server.url)
        other.append(match, 0, None, "", noted(match))
        assert waiter.answer() == 1
        feed.close()
        store.close()
        other.close()


def test_a_feed_made_before_a_fork_works_after_it(tmp_path: Path) -> None:
    script = tmp_path / "fork.py"
    script.write_text(
        textwrap.dedent(
            """
            import os, threading, warnings
            warnings.simplefilter("ignore", DeprecationWarning)
            from events.feed import Feed
            from events.memory import MemoryStore
            from tests.events.sample import noted

            store = MemoryStore()
            feed = Feed(store, look_every=60)
            assert feed.wait("mat_1", 0, 0.1) == 0
            child = os.fork()
            if child == 0:
                later = threading.Timer(0.2, lambda: store.append("mat_1", 0, None, "", noted("mat_1")))
                later.start()
                os._exit(0 if feed.wait("mat_1", 0, 20) == 1 else 1)
            _, status = os.waitpid(child, 0)
            feed.close()
            raise SystemExit(os.waitstatus_to_exitcode(status))
            """
        )
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        timeout=60,
        check=False,
        capture_output=True,
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert done.returncode == 0, done.stderr.decode()
