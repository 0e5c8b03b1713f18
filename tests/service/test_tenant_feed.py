"""The feed of a tenant on a real server: noted a moment after the commit, and complete whatever dies."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping

import pytest
from redis import Redis

from events.store import StoreUnavailable
from service.adapters.gathering import Gathering
from service.adapters.redis_feed import RedisFeed
from service.bootstrap import Services
from tests.service.table import started

Notes = Mapping[tuple[str, str], int]


def until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "not in time"
        time.sleep(0.02)


def noted(feed: RedisFeed, tenant: str = "acme") -> dict[str, int]:
    """The version each match has reached in the feed."""
    return {entry.match: entry.last_version for entry in feed.read(tenant, 0, 10_000)}


@pytest.fixture
def elsewhere(on_redis: Services) -> Iterator[RedisFeed]:
    """The same feed in an object that has noted nothing."""
    with Redis.from_url(on_redis.settings.streams_url) as client:
        yield RedisFeed(client, 1000)


def test_what_was_noted_is_seen_here_at_once_and_elsewhere_soon(
    on_redis: Services, elsewhere: RedisFeed
) -> None:
    feed = on_redis.adapters.tenants
    for version in range(1, 20):
        feed.note_soon("acme", "mat_A", version)
    feed.note_soon("acme", "mat_B", 3)
    feed.note_soon("other", "mat_C", 1)
    assert feed.span("acme").head == 22
    feed.note_soon("acme", "mat_B", 4)
    until(lambda: noted(elsewhere) == {"mat_A": 19, "mat_B": 4})
    assert noted(elsewhere, "other") == {"mat_C": 1}


def test_a_server_that_does_not_know_the_script_is_taught_it(
    on_redis: Services, elsewhere: RedisFeed
) -> None:
    feed = on_redis.adapters.tenants
    with Redis.from_url(on_redis.settings.streams_url) as client:
        client.script_flush()
    feed.note_soon("acme", "mat_A", 1)
    feed.note_soon("acme", "mat_B", 2)
    assert feed.span("acme").head == 3


def test_the_end_of_a_match_is_noted_before_its_last_command_is_answered(
    on_redis: Services, elsewhere: RedisFeed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From then on the sweeper does not look at it any more."""
    monkeypatch.setattr(Gathering, "note", lambda *_: None)
    table = started(on_redis, seats=2)
    while table.view()["status"] == "running":
        for seat in (0, 1):
            table.pick(seat, 3)
    assert noted(elsewhere)[table.match] == table.view()["version"]


def test_after_the_end_of_the_process_notes_are_written_at_once() -> None:
    written: list[Notes] = []
    gathering = Gathering[tuple[str, str], int](written.append, max)
    gathering.note(("acme", "mat_A"), 2)
    gathering.close()
    gathering.note(("acme", "mat_A"), 3)
    assert written == [{("acme", "mat_A"): 2}, {("acme", "mat_A"): 3}]


def test_what_cannot_be_written_is_said_and_the_next_is_written(caplog: pytest.LogCaptureFixture) -> None:
    written: list[Notes] = []
    away = True

    def write(notes: Notes) -> None:
        if away:
            raise StoreUnavailable("away")
        written.append(notes)

    gathering = Gathering[tuple[str, str], int](write, max)
    gathering.note(("acme", "mat_A"), 2)
    gathering.settle()
    away = False
    gathering.note(("acme", "mat_B"), 1)
    gathering.close()
    assert "1 notes left to the sweeper: away" in caplog.text
    assert written == [{("acme", "mat_B"): 1}]


def test_notes_of_many_threads_are_all_written() -> None:
    highest: dict[tuple[str, str], int] = {}

    def write(notes: Notes) -> None:
        assert all(version > highest.get(name, 0) for name, version in notes.items())
        highest.update(notes)

    gathering = Gathering[tuple[str, str], int](write, max)

    def work(number: int) -> None:
        for version in range(1, 500):
            gathering.note(("acme", f"mat_{number}"), version)
            if version % 50 == 0:
                gathering.settle()
                assert highest["acme", f"mat_{number}"] >= version

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gathering.close()
    assert highest == {("acme", f"mat_{number}"): 499 for number in range(8)}


_DIES = """
import os, signal, sys
from dataclasses import replace
from service import bootstrap, settings
from service.adapters.redis_feed import RedisFeed
from tests.service import tiny_game
from tests.service.table import PATIENT_MS, SECRET, Table, tenant
url, match, token = sys.argv[1:]
known = replace(settings.for_memory(SECRET), streams_url=url, queues_url=url, store_timeout_ms=PATIENT_MS)
RedisFeed._note_all = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
services = bootstrap.services(known, {tiny_game.NAME: tiny_game})
table = Table(services, services.matches.authenticate(token, match), match, {0: token})
table.pick(0, 3)
services.adapters.tenants.span("acme")
"""


def test_a_process_killed_between_the_append_and_the_feed_loses_nothing(
    on_redis: Services, elsewhere: RedisFeed
) -> None:
    table = started(on_redis, seats=2)
    before = table.view()["version"]
    until(lambda: noted(elsewhere) == {table.match: before})
    arguments = [on_redis.settings.streams_url, table.match, table.tokens[0]]
    died = subprocess.run([sys.executable, "-c", _DIES, *arguments], timeout=120, check=False)
    assert died.returncode == -signal.SIGKILL
    after = table.view()["version"]
    assert after == before + 1
    assert noted(elsewhere) == {table.match: before}, "it died before the feed"
    until(lambda: on_redis.upkeep.sweep() > 0)
    assert noted(elsewhere) == {table.match: after}
    # What comes next follows without a gap.
    table.pick(1, 4)
    items = on_redis.matches.feed(table.tenant, "0", 200)["items"]
    assert [item["version"] for item in items] == list(range(1, table.view()["version"] + 1))
