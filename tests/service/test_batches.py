"""Many matches at once: all or none, and whoever is killed leaves nothing half done."""

import itertools
from functools import partial
from typing import Any

import pytest

from events.store import KeyReused
from service.bootstrap import Services
from service.credentials import NOBODY, Caller
from service.errors import Forbidden, Invalid, NotFound, Unauthenticated
from service.lobby import Lobby
from service.read_models import Filters
from tests.service.table import Hands, at_once, records, run_jobs, set_up, tenant

KEY = "the-key-of-the-batch"
PLAN: dict[str, Any] = {"game": "tiny", "seats": [{"kind": "open"}, {"kind": "bot", "bot": "easy"}]}


def begin(services: Services, host: Caller, count: int = 3, key: str = KEY, **more: Any) -> dict[str, Any]:
    return services.matches.create_batch(host, {"matches": [{**PLAN, **more}] * count}, key, str(count))[0]


def listed(services: Services, host: Caller) -> list[str]:
    return [each["id"] for each in services.matches.list_matches(host, limit=200)["items"]]


def feed(services: Services, host: Caller) -> list[str]:
    return [each["match"] for each in services.matches.feed(host, "0", 200)["items"]]


def test_all_are_there_in_order(either: Services) -> None:
    host = tenant(either)
    plans = [{**PLAN, "options": {"rounds": rounds}} for rounds in (1, 2, 3)]
    job, replayed = either.matches.create_batch(host, {"matches": plans}, KEY, "a")
    assert (job["status"], job["kind"], job["error"], replayed) == ("finished", "match-batch", None, False)
    made = [each["match"] for each in job["result"]["matches"]]
    assert [either.matches.match(host, match)["options"]["rounds"] for match in made] == [1, 2, 3]
    assert sorted(listed(either, host)) == sorted(made)
    assert sorted(set(feed(either, host))) == sorted(made)
    assert either.matches.job(host, job["id"]) == job
    assert either.matches.create_batch(host, {"matches": plans}, KEY, "a") == (job, True)
    with pytest.raises(KeyReused):
        either.matches.create_batch(host, {"matches": plans}, KEY, "b")


def test_the_same_request_at_once_makes_the_matches_once(either: Services) -> None:
    host = tenant(either)
    jobs = at_once(*[partial(begin, either, host)] * 5)
    assert len({job["id"] for job in jobs}) == 1
    either.batching.work(jobs[0]["id"])
    assert either.matches.job(host, jobs[0]["id"])["status"] == "finished"
    assert len(listed(either, host)) == 3


class Killed(BaseException):
    """As a signal would end the process."""


def dies_after(count: int, patch: pytest.MonkeyPatch) -> None:
    """The process is killed when it sets up one match more."""
    create, made = Lobby.create, itertools.count()

    def counted(self: Lobby, *args: Any, **more: Any) -> Any:
        if next(made) == count:
            raise Killed
        return create(self, *args, **more)

    patch.setattr(Lobby, "create", counted)


@pytest.mark.parametrize("count", range(3))
def test_nobody_sees_a_match_before_all_are_there(services: Services, clock: Hands, count: int) -> None:
    host = tenant(services)
    with pytest.MonkeyPatch.context() as patch:
        dies_after(count, patch)
        with pytest.raises(Killed):
            begin(services, host)
    clock.move(4_000)
    services.upkeep.sweep()
    services.notifying.tell_news(100)
    assert listed(services, host) == feed(services, host) == []
    assert services.relisting.check().is_clean
    assert services.batching.due() == [], "it is left to whoever began it, for a while"
    clock.move(2_000)
    (id,) = services.batching.due()
    assert services.batching.due() == [], "one process is told"
    assert services.matches.job(host, id)["status"] == "started"
    services.scheduler.ask_batch(id)
    run_jobs(services)
    job = services.matches.job(host, id)
    assert (job["status"], len(job["result"]["matches"])) == ("finished", 3)
    assert sorted(listed(services, host)) == sorted(each["match"] for each in job["result"]["matches"])
    assert services.batching.due() == []
    assert [len(records(services, match)) for match in listed(services, host)] == [1, 1, 1]


def test_lists_show_all_in_one_step(on_redis: Services) -> None:
    host = tenant(on_redis)
    lists = on_redis.adapters.lists
    seen: list[int] = []
    note_all = type(lists).note_all

    def watched(self: Any, summaries: Any) -> None:
        seen.append(len(lists.page(Filters("acme"), None, 200)[0]))
        note_all(self, summaries)
        seen.append(len(lists.page(Filters("acme"), None, 200)[0]))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(lists), "note_all", watched)
        begin(on_redis, host, 20)
    assert set(seen) == {0, 20}
    assert on_redis.relisting.check().is_clean


def test_what_takes_longer_than_a_request_goes_on_as_a_job(services: Services, clock: Hands) -> None:
    host = tenant(services)
    body = {"matches": [PLAN] * 3}
    job, _ = services.batching.begin(host, body, KEY, "a", at_once_s=-1)
    assert (job["status"], job["result"]) == ("started", None)
    clock.move(5_000)
    for id in services.batching.due():
        services.batching.work(id)
    assert services.matches.job(host, job["id"])["status"] == "finished"


def test_a_job_that_cannot_be_done_is_undone(either: Services) -> None:
    host = tenant(either)
    create, made = Lobby.create, itertools.count()

    def fails(self: Lobby, *args: Any, **more: Any) -> Any:
        if next(made) == 2:
            raise Invalid
        return create(self, *args, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lobby, "create", fails)
        job = begin(either, host)
    assert (job["status"], job["result"]) == ("failed", None)
    assert "Invalid" in job["error"]
    assert listed(either, host) == feed(either, host) == []
    either.upkeep.sweep()
    assert listed(either, host) == []
    assert begin(either, host) == job, "the same key says the same"


def test_every_fault_is_named_and_nothing_is_set_up(services: Services) -> None:
    host = tenant(services)
    plans = [PLAN, {**PLAN, "options": {"rounds": 9}}, {"game": "chess"}, 7]
    with pytest.raises(Invalid) as wrong:
        services.matches.create_batch(host, {"matches": plans}, KEY, "a")
    pointers = [fault.pointer for fault in wrong.value.faults]
    assert pointers == ["/matches/1/options/rounds", "/matches/2/game", "/matches/3"]
    for body in ({}, {"matches": []}, {"matches": [PLAN] * 201}, {"matches": [PLAN], "x": 1}):
        with pytest.raises(Invalid):
            services.matches.create_batch(host, body, KEY, "a")
    assert listed(services, host) == []


def test_jobs_are_the_tenants_own(services: Services) -> None:
    job = begin(services, tenant(services))
    with pytest.raises(NotFound):
        services.matches.job(tenant(services, "stranger"), job["id"])
    with pytest.raises(NotFound):
        services.matches.job(tenant(services), "job_" + "a" * 26)
    with pytest.raises(Unauthenticated):
        services.matches.job(NOBODY, job["id"])
    with pytest.raises(Forbidden):
        begin(services, set_up(services, seats=2).seat(0))
