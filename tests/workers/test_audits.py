"""Audits by the job workers: a job for each match, behind bots and deadlines, results collected."""

import threading

import pytest
from redis import Redis

from domain import seven_wonders
from service.adapters import audit_jobs
from service.bootstrap import Services
from service.impact import SAME, SKIPPED, UNREADABLE
from tests.rulesets import finished
from workers import jobs
from workers.main import worker_for

LOG = finished.records(seven_wonders, 3, 5)


def burst(services: Services) -> bool:
    """A worker that does what is queued and ends; whether there was anything."""
    jobs.serve(services)
    client = Redis.from_url(services.settings.queues_url)
    try:
        return worker_for(services, client, threading.Event()).work(burst=True, logging_level="ERROR")
    finally:
        client.close()


def test_every_match_is_examined_by_a_worker_and_its_result_collected(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = finished.put(services.store, LOG)
    running = finished.put(services.store, finished.records(seven_wonders, 4, 6), most=30)
    audits = services.audits
    assert audits is not None
    monkeypatch.setattr("service.adapters.audit_jobs.time.sleep", lambda _: burst(services))
    found = {one.match: one for one in audits.examined(services.every_match(), None)}
    assert set(found) == {over, running}
    assert (found[over].status, found[over].commands) == (SAME, len({each.command for each in LOG}))
    assert (found[running].status, found[running].reason) == (SKIPPED, "it is not over")
    assert not burst(services), "nothing is left in the queue"


def test_few_jobs_are_in_the_queue_however_many_matches_there_are(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_jobs, "AT_ONCE", 2)
    match, audits, counts = finished.put(services.store, LOG, most=30), services.audits, list[int]()
    assert audits is not None

    def pause(_: float) -> None:
        counts.append(audits._queue.count)
        burst(services)

    monkeypatch.setattr("service.adapters.audit_jobs.time.sleep", pause)
    assert [one.status for one in audits.examined([match] * 5, None)] == [SKIPPED] * 5
    assert counts and max(counts) == 2


def test_a_job_that_failed_or_was_lost_is_unreadable_not_waited_for(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, audits, queue = finished.put(services.store, LOG), services.audits, services.adapters.queue
    assert audits is not None and queue is not None
    client: Redis = queue.connection
    key = next(iter(client.scan_iter(match=f"*{match}*events*")))
    client.xadd(key, {"type": "broken"})
    other = finished.put(services.store, finished.records(seven_wonders, 4, 6))

    def pause(_: float) -> None:
        (lost,) = [job.id for job in audits._queue.jobs if job.args[0] == other]
        client.delete(f"rq:job:{lost}")
        monkeypatch.setattr("service.adapters.audit_jobs.time.sleep", lambda _: None)
        burst(services)

    monkeypatch.setattr("service.adapters.audit_jobs.time.sleep", pause)
    found = list(audits.examined([match, other], None))
    assert {one.status for one in found} == {UNREADABLE}
    assert {one.reason for one in found} == {"its job was lost", "its job has failed"}


def test_audits_wait_behind_everything_else(services: Services) -> None:
    client = Redis.from_url(services.settings.queues_url)
    names = [queue.name for queue in worker_for(services, client, threading.Event()).queues]
    client.close()
    assert names == [services.settings.queue, f"{services.settings.queue}-audits"]
