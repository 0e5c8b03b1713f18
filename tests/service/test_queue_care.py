"""What one queue may not do to another; what is left of a queue; the clock queues and jobs go by."""

from typing import Any

import pytest
from redis import Redis

from events.store import OutcomeUnknown, StoreUnavailable
from service.adapters.redis_queue import TENANTS
from service.bootstrap import Services
from service.clock import milliseconds
from service.lobby import Lobby
from service.queue_tickets import QueueTable
from tests.service.table import START, Hands, run_jobs, tenant
from tests.service.test_queue import enter, read
from tests.service.test_sandbox import in_test_mode, move_clock, scripted

HOUR = 3_600_000


def test_a_table_that_cannot_be_set_up_keeps_nobody_else_waiting(
    either: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    host, other = tenant(either, "acme"), tenant(either, "zeta")
    create = Lobby.create

    def broken(self: Lobby, caller: Any, body: Any, *more: Any, **named: Any) -> Any:
        if body["options"]["rounds"] == 1 and caller.credential == "queue":
            raise RuntimeError("as a fault of ours would")
        return create(self, caller, body, *more, **named)

    monkeypatch.setattr(Lobby, "create", broken)
    stuck = [enter(either, host, options={"rounds": 1}, player_ref=f"p{each}") for each in range(2)]
    assert [read(either, host, ticket)["status"] for ticket in stuck] == ["seating"] * 2
    for caller in (host, other):
        pair = [enter(either, caller, options={"rounds": 2}) for _ in range(2)]
        assert read(either, caller, pair[0])["status"] == "matched"
    monkeypatch.undo()
    either.queueing.tick()
    assert [read(either, host, ticket)["status"] for ticket in stuck] == ["matched"] * 2
    assert "RuntimeError at" in caplog.text and "a fault of ours" not in caplog.text


def test_a_queue_that_cannot_be_read_keeps_no_other_waiting(
    either: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, other = tenant(either, "acme"), tenant(either, "zeta")
    kept = either.adapters.queue_of_players
    waiting = type(kept).waiting
    enter(either, host)
    pair = [enter(either, other, seats={"min": 2, "max": 3}, wait_ms=50, player_ref=str(n)) for n in range(2)]

    def broken(self: Any, tenant: str, most: int) -> Any:
        if tenant == "acme":
            raise KeyError(tenant)
        return waiting(self, tenant, most)

    monkeypatch.setattr(type(kept), "waiting", broken)
    deadline = 200
    while read(either, other, pair[0])["status"] == "waiting" and deadline:
        clock: Any = either.queueing._clock._clock
        clock.sleep(50)
        either.queueing.tick()
        deadline -= 1
    assert read(either, other, pair[0])["status"] == "matched"


def test_a_table_whose_ticket_is_forgotten_frees_the_others(either: Services, server_url: str) -> None:
    host = tenant(either)
    first = enter(either, host)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.queueing.Queueing._seat", lambda *_: None)
        second = enter(either, host)
    kept: Any = either.adapters.queue_of_players
    (table,) = kept.tables("acme")
    assert isinstance(table, QueueTable) and set(table.tickets) == {first["id"], second["id"]}
    if hasattr(kept, "tickets"):
        del kept.tickets["acme", first["id"]]
    else:
        with Redis.from_url(server_url) as client:
            assert client.delete(f"{{queue:acme}}:ticket:{first['id']}") == 1
    either.queueing.tick()
    assert kept.tables("acme") == []
    assert read(either, host, second)["status"] == "waiting"
    third = enter(either, host)
    assert third["match"] == read(either, host, second)["match"]


def test_tenants_without_a_queue_are_forgotten_and_come_back(on_redis: Services, server_url: str) -> None:
    with Redis.from_url(server_url) as client:
        for number in range(5):
            for _ in range(2):
                enter(on_redis, tenant(on_redis, f"tenant-{number}"))
        host = tenant(on_redis, "tenant-0")
        late = enter(on_redis, host, seats={"min": 3, "max": 3})
        assert client.scard(TENANTS) == 5
        on_redis.queueing.tick()
        assert client.smembers(TENANTS) == {b"tenant-0"}, "somebody waits there"
        on_redis.matches.leave_queue(host, late["id"])
        on_redis.queueing.tick()
        assert client.scard(TENANTS) == 0
        enter(on_redis, host)
        assert client.smembers(TENANTS) == {b"tenant-0"}


def test_whoever_enters_while_the_tenant_is_forgotten_is_found(
    on_redis: Services, server_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, kept = tenant(on_redis), on_redis.adapters.queue_of_players
    with Redis.from_url(server_url) as client:
        client.sadd(TENANTS, "acme")
        srem = Redis.srem

        def interrupted(self: Any, *arguments: Any) -> Any:
            monkeypatch.undo()
            enter(on_redis, host)
            return srem(self, *arguments)

        monkeypatch.setattr(Redis, "srem", interrupted)
        kept.retire("acme")
        assert kept.tenants() == ["acme"]


def test_tickets_of_a_sandbox_go_by_its_clock(services: Services, clock: Hands) -> None:
    host = in_test_mode(services)
    move_clock(services, host, advance_ms=24 * HOUR)
    bots = {"seats": {"min": 2, "max": 3}, "wait_ms": HOUR, "bot": "easy", "expires_in_s": 7200}
    ticket = enter(services, host, **bots)
    assert milliseconds(ticket["created_at"]) == START + 24 * HOUR
    assert milliseconds(ticket["start_at"]) == START + 25 * HOUR
    late = enter(services, host, options={"rounds": 2}, expires_in_s=3600)
    live = tenant(services)
    real = enter(services, live, **bots)
    clock.move(1_000)
    services.queueing.tick()
    assert read(services, host, ticket)["status"] == "waiting"
    move_clock(services, host, "move-on-0123456789", advance_ms=HOUR)
    services.queueing.tick()
    found = read(services, host, ticket)
    assert (found["status"], read(services, host, late)["status"]) == ("matched", "expired")
    made = services.matches.match(host, found["match"])
    assert made["sandbox"] == {"seed": None} and milliseconds(made["created_at"]) == START + 25 * HOUR + 1_000
    assert run_jobs(services) >= 1, "the bots were asked to play"
    assert read(services, live, real)["status"] == "waiting", "the live queue has another clock"


def test_many_matches_at_once_are_set_up_in_a_sandbox_by_its_clock(either: Services) -> None:
    host = in_test_mode(either)
    move_clock(either, host, advance_ms=24 * HOUR)
    plans = [
        {"game": "tiny", "seats": [{"kind": "open"}, scripted(1, 2)], "sandbox": {"seed": seed}}
        for seed in ("one", "two")
    ]
    job, _ = either.matches.create_batch(host, {"matches": plans}, "the-key-of-the-batch", "f")
    assert job["status"] == "finished"
    matches = [either.matches.match(host, each["match"]) for each in job["result"]["matches"]]
    assert [each["sandbox"]["seed"] for each in matches] == ["one", "two"]
    now = milliseconds(either.matches.sandbox_clock.show(host)["now"])
    for time in (job["created_at"], job["ended_at"], *(each["created_at"] for each in matches)):
        assert now - HOUR < milliseconds(time) <= now
    assert either.matches.list_matches(tenant(either))["items"] == [], "nothing of it is live"
    assert either.batching.due() == [], "the job is done, and nobody takes it up by another clock"
    over = either.matches.create_batch(host, {"matches": plans}, "the-key-of-the-batch", "f")
    assert over == (job, True)


def test_a_job_of_a_sandbox_that_was_left_is_taken_up_in_time(services: Services, clock: Hands) -> None:
    host = in_test_mode(services)
    move_clock(services, host, advance_ms=24 * HOUR)
    plan = {"game": "tiny", "seats": [{"kind": "open"}, {"kind": "open"}]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.batching.Batching.work", lambda *_: None)
        job, _ = services.matches.create_batch(host, {"matches": [plan]}, "the-key-of-the-batch", "f")
    clock.move(5_000)
    (due,) = services.batching.due()
    services.batching.work(due)
    assert services.matches.job(host, job["id"])["status"] == "finished"


@pytest.mark.parametrize("error", [StoreUnavailable, OutcomeUnknown])
def test_a_job_that_is_written_down_is_answered_whatever_becomes_of_its_first_match(
    services: Services, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: Any, **__: Any) -> Any:
        raise error("for a test")

    monkeypatch.setattr(Lobby, "create", lost)
    plan = {"game": "tiny", "seats": [{"kind": "open"}, {"kind": "open"}]}
    job, _ = services.matches.create_batch(tenant(services), {"matches": [plan]}, "the-key-of-the-batch", "f")
    assert job["status"] in ("queued", "started") and job["result"] is None
