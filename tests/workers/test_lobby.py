"""The queue and batches through real workers, some of which are killed."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from service.bootstrap import Services
from service.credentials import Caller
from service.lobby import Lobby
from service.playing import Playing
from tests.workers.conftest import WorkerProcess

GAME = "seven-wonders"


def until(check: Callable[[], Any], seconds: float = 120) -> Any:
    """The first answer that is not empty."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = check()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError("nothing happens")


def host_of(services: Services) -> Caller:
    return services.matches.authenticate(services.keys.create("acme").key, None)


class Killed(BaseException):
    """As a signal would end the process."""


def die(*_: Any, **__: Any) -> Any:
    raise Killed


def matched(services: Services, host: Caller, id: str) -> dict[str, Any] | None:
    ticket = services.matches.queue_ticket(host, id)[0]
    return ticket if ticket["status"] == "matched" else None


def test_a_worker_lets_bots_in_after_the_wait_and_they_play(
    services: Services, start_worker: Callable[[], WorkerProcess]
) -> None:
    host = host_of(services)
    start_worker()
    wish = {"game": GAME, "seats": {"min": 3, "max": 4}, "wait_ms": 1000, "bot": "random"}
    ticket, _ = services.matches.enter_queue(host, wish, "a-ticket-for-bots-01", "f")
    found = until(partial(matched, services, host, ticket["id"]))
    seat = services.matches.authenticate(found["token"], found["match"])
    until(lambda: services.matches.view(seat, found["match"])["awaited"] == [found["seat"]])


def test_what_killed_processes_leave_behind_is_finished_by_workers(
    services: Services, start_worker: Callable[[], WorkerProcess]
) -> None:
    host = host_of(services)
    wish = {"game": GAME, "seats": {"min": 3, "max": 3}}
    tickets = [
        services.matches.enter_queue(host, wish, f"one-of-the-tickets-{number}", "f")[0]
        for number in range(2)
    ]
    plan = {"game": GAME, "seats": [{"kind": "open"}] * 3}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Playing, "command", die)
        with pytest.raises(Killed):
            services.matches.enter_queue(host, wish, "one-of-the-tickets-2", "f")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lobby, "create", die)
        with pytest.raises(Killed):
            services.matches.create_batch(host, {"matches": [plan] * 30}, "a-batch-of-thirty-01", "f")
    first, second = start_worker(), start_worker()
    for ticket in tickets:
        until(partial(matched, services, host, ticket["id"]))
    first.kill()
    job, _ = services.matches.create_batch(host, {"matches": [plan] * 30}, "a-batch-of-thirty-01", "f")

    def seen() -> str:
        count = len(services.matches.list_matches(host, limit=200)["items"])
        status = str(services.matches.job(host, job["id"])["status"])
        assert count in (1, 31), "the table of the queue, and all of the batch or none"
        return status if status == "finished" else ""

    until(seen)
    assert len(services.matches.list_matches(host, limit=200)["items"]) == 31
    assert services.relisting.check().is_clean
    assert second.terminate() == 0
