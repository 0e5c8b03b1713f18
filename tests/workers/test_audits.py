"""Audits by the job workers: a job for each match, behind bots and deadlines, results collected."""

import threading

from redis import Redis

from domain import seven_wonders
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


def test_every_match_is_examined_by_a_worker_and_its_result_collected(services: Services) -> None:
    over = finished.put(services.store, LOG)
    running = finished.put(services.store, finished.records(seven_wonders, 4, 6), most=30)
    audits = services.audits
    assert audits is not None
    asked = audits.ask(services.adapters.lists.all_matches(), None)
    assert {match for match, _ in asked} == {over, running}
    assert burst(services)
    found = {one.match: one for one in audits.collect(asked)}
    assert (found[over].status, found[over].commands) == (SAME, len({each.command for each in LOG}))
    assert (found[running].status, found[running].reason) == (SKIPPED, "it is not over")
    assert not burst(services), "nothing is left in the queue"


def test_a_job_that_failed_or_was_lost_is_unreadable_not_waited_for(services: Services) -> None:
    match, audits = finished.put(services.store, LOG), services.audits
    assert audits is not None
    lost, failed = audits.ask([match, "no id at all"], None)
    queue = services.adapters.queue
    assert queue is not None
    queue.connection.delete(f"rq:job:{lost[1]}")
    client: Redis = queue.connection
    key = next(iter(client.scan_iter(match=f"*{match}*events*")))
    other = audits.ask([match], None)
    client.xadd(key, {"type": "broken"})
    burst(services)
    found = list(audits.collect([lost, *other]))
    assert {one.status for one in found} == {UNREADABLE}
    assert {one.reason for one in found} == {"its job was lost", "its job has failed"}
    assert list(audits.collect([failed]))[0].status in (SKIPPED, UNREADABLE)


def test_audits_wait_behind_everything_else(services: Services) -> None:
    client = Redis.from_url(services.settings.queues_url)
    names = [queue.name for queue in worker_for(services, client, threading.Event()).queues]
    client.close()
    assert names == [services.settings.queue, f"{services.settings.queue}-audits"]
