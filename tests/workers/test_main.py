"""Worker processes as deployed: they play, they keep deadlines, and nothing is lost when they die."""

import itertools
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from domain import seven_wonders
from service import bootstrap, settings
from service.bootstrap import Services
from service.clock import milliseconds
from service.follow_ups import FollowUps
from tests.embedded import start_valkey
from tests.service.table import Table, set_up
from tests.workers.conftest import ROOT, SECRET, WorkerProcess, worker_process

StartWorker = Callable[[], WorkerProcess]


def wonders(services: Services, seats: int, bots: int, **options: object) -> Table:
    """A match of 7 Wonders, its last seats bots'."""
    named = {seat: "random" for seat in range(seats - bots, seats)}
    return set_up(services, seats, named, dict(options), game=seven_wonders.NAME)


def until_over(table: Table, seconds: float) -> float:
    """Wait until the match is over; the seconds it took."""
    began = time.monotonic()
    after = 0
    while time.monotonic() - began < seconds:
        page = table.services.matches.events(table.tenant, table.match, after, 200, 1)
        after = page["next_after"]
        if after == page["head"] and table.view()["status"] == "over":
            return time.monotonic() - began
    raise AssertionError(f"the match stands still: {table.view()['decisions']}")


def test_a_match_of_four_bots_takes_seconds_not_minutes(
    services: Services, start_worker: StartWorker
) -> None:
    for worker in [start_worker(), start_worker()]:
        worker.wait()
    table = wonders(services, 4, 4)
    table.start()
    assert until_over(table, 60) < 30
    assert table.view()["outcome"]["reason"] == "finished"


def test_a_match_ends_although_its_worker_was_killed(services: Services, start_worker: StartWorker) -> None:
    tables = [wonders(services, 7, 7) for _ in range(6)]
    first = start_worker()
    for table in tables:
        table.start()
    while all(table.view()["version"] < 60 for table in tables):
        time.sleep(0.01)
    first.kill()
    assert any(table.view()["status"] == "running" for table in tables)
    start_worker()
    for table in tables:
        until_over(table, 60)
        picks = [
            (event["decision"], event["actor"])
            for event in table.log()
            if event["type"] == "seven_wonders.action_chosen"
        ]
        assert len(picks) == len(set(picks))


def test_a_worker_that_is_asked_to_end_finishes_its_job_and_another_goes_on(
    services: Services, start_worker: StartWorker
) -> None:
    table = wonders(services, 7, 7)
    worker = start_worker()
    table.start()
    while table.view()["version"] < 60:
        time.sleep(0.01)
    began = time.monotonic()
    assert worker.terminate() == 0
    assert time.monotonic() - began < 10
    start_worker()
    until_over(table, 60)


def test_an_idle_worker_ends_at_once_on_either_signal(services: Services, start_worker: StartWorker) -> None:
    workers = [start_worker(), start_worker()]
    table = wonders(services, 3, 3)
    table.start()
    until_over(table, 60)
    while not all(b"working" in worker.log.read_bytes() for worker in workers):
        time.sleep(0.05)
    for worker, number in zip(workers, (signal.SIGTERM, signal.SIGINT), strict=True):
        worker.process.send_signal(number)
        assert worker.process.wait(timeout=30) == 0
        assert b"Traceback" not in worker.log.read_bytes()


def test_commits_without_follow_up_are_made_good_by_the_next_worker(
    services: Services, start_worker: StartWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [wonders(services, 3, 3), wonders(services, 2, 0, decision_limit_ms=300)]
    monkeypatch.setattr(FollowUps, "after", lambda *rest: None)
    for table in tables:
        table.start()
    start_worker()
    assert until_over(tables[0], 60) < 60
    while "match.deadline_expired" not in tables[1].types():
        time.sleep(0.1)


def lateness(table: Table) -> list[int]:
    """By how many milliseconds each decision expired late."""
    log = table.log()
    times = {event["version"]: milliseconds(event["occurred_at"]) for event in log}
    limit = limit_of(table)
    return [
        milliseconds(event["occurred_at"])
        - times[int(event["decision"].partition(".")[0].removeprefix("d"))]
        - limit
        for event in log
        if event["type"] == "match.deadline_expired"
    ]


@contextmanager
def stalls() -> Iterator[list[int]]:
    """By how many milliseconds a machine busy with something else has woken us too late, each time."""
    done, late = threading.Event(), [0]

    def watch() -> None:
        while not done.is_set():
            began = time.monotonic()
            time.sleep(0.01)
            late.append(int(1000 * (time.monotonic() - began - 0.01)))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield late
    finally:
        done.set()
        thread.join()


def limit_of(table: Table) -> int:
    """The time for a decision, in milliseconds."""
    return int(table.services.matches.match(table.tenant, table.match)["options"]["decision_limit_ms"])


def test_decisions_expire_in_time_although_nobody_looks_and_workers_die(
    services: Services, start_worker: StartWorker
) -> None:
    workers = [start_worker(), start_worker()]
    for worker in workers:
        worker.wait()
    tables = [wonders(services, seats, 0, decision_limit_ms=250) for seats in (2, 3, 7)]
    for table in tables:
        table.start()

    def late() -> list[int]:
        return sorted(itertools.chain.from_iterable(lateness(table) for table in tables))

    until = time.monotonic() + 120
    with stalls() as stalled_ms:
        for count in (15, 40):
            while len(late()) < count:
                assert time.monotonic() < until, late()
                time.sleep(0.2)
            if workers[0].process.poll() is None:
                workers[0].kill()
    found, stalled = late(), 2 * max(stalled_ms)
    assert found[0] >= 0
    assert found[len(found) * 9 // 10] < 2_000 + stalled
    assert found[-1] < 5_000 + stalled, "one that the killed worker had taken"
    assert all(table.view()["status"] == "over" or table.view()["decisions"] for table in tables)


def test_a_worker_outlives_its_server(tmp_path: Path) -> None:
    with start_valkey() as valkey:
        known = replace(settings.for_memory(SECRET), streams_url=valkey.url, queues_url=valkey.url)
        services = bootstrap.services(known)
        with worker_process(valkey.url, tmp_path / "worker.txt") as worker:
            table = wonders(services, 4, 4)
            table.start()
            while table.view()["version"] < 30:
                time.sleep(0.01)
            valkey.kill()
            time.sleep(1)
            valkey.start()
            until_over(table, 60)
            again = wonders(services, 3, 3)
            again.start()
            until_over(again, 60)
            assert worker.process.poll() is None
            assert worker.terminate() == 0
        services.close()


def test_wrong_settings_end_a_worker_with_their_name(start_worker: StartWorker) -> None:
    for environment, name in [
        ({}, "WONDERLOG_SERVER_SECRET"),
        ({"WONDERLOG_SERVER_SECRET": "5e" * 32, "WONDERLOG_STREAMS_URL": "memory:"}, "WONDERLOG_STREAMS_URL"),
        ({"WONDERLOG_SERVER_SECRET": "5e" * 32, "WONDERLOG_STREAMS_URL": "http://x"}, "http"),
    ]:
        done = subprocess.run(
            [sys.executable, "-m", "workers.main"],
            env={"PYTHONPATH": str(ROOT), **environment},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 2
        assert name in done.stderr
        assert "Traceback" not in done.stderr
