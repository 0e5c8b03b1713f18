"""Reports on secrecy made by a real worker, a job for each viewer."""

import threading

from redis import Redis

from service.bootstrap import Services
from tests.service.table import started
from workers import jobs
from workers.main import worker_for


def test_a_worker_makes_the_report(services: Services) -> None:
    table = started(services, 3, game="seven-wonders")
    for seat in (0, 1):
        table.command(table.seat(seat), {"command": {"type": "resign"}})
    report, done = services.matches.secrecy(table.tenant, table.match)
    assert not done and report["status"] == "running" and report["secret"] is None
    again, _ = services.matches.secrecy(table.tenant, table.match)
    assert again == report, "asked for once"
    jobs.serve(services)
    with Redis.from_url(services.settings.queues_url) as client:
        assert worker_for(services, client, threading.Event()).work(burst=True, logging_level="ERROR")
    report, done = services.matches.secrecy(table.tenant, table.match)
    assert done and report["secret"] is True
    assert [each["viewer"] for each in report["viewers"]] == ["public", "s0", "s1", "s2"]
    assert {each["difference"] for each in report["viewers"]} == {None}
    services.secrecy.check("mat_" + "a" * 26, 0)
    assert services.adapters.secrecy.get("mat_" + "a" * 26) == {}, "there is no such match"
