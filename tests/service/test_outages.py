"""After an outage nobody is late because of it: time is given back, as an event, before anything expires."""

from dataclasses import replace

import pytest

from domain.kernel.errors import IllegalMove
from service.bootstrap import Services
from service.clock import milliseconds
from service.outages import MOST, Outage, Outages
from service.work import GRACE_MS
from tests.service.table import Hands, Table, in_memory, run_jobs, started
from workers.deadlines import DeadlineLoop

LIMIT = 60_000
AWAY = 3_600_000


def tick(services: Services, clock: Hands) -> None:
    """A worker is there for a moment."""
    DeadlineLoop(services.scheduler, services.upkeep, clock).tick()
    run_jobs(services)


def live(services: Services, clock: Hands, ms: int) -> None:
    """Time passes with a worker there all along."""
    while ms > 0:
        clock.move(min(ms, 10_000))
        ms -= 10_000
        tick(services, clock)


def credits(table: Table) -> list[tuple[int, int]]:
    return [
        (event["data"]["since_ms"], event["data"]["until_ms"])
        for event in table.log()
        if event["type"] == "match.outage_credited"
    ]


def deadline(table: Table) -> int:
    return milliseconds(table.decision()["deadline_at"])


@pytest.mark.parametrize("left", [1, 1_000, 20_000])
def test_who_had_time_left_has_as_much_again(services: Services, clock: Hands, left: int) -> None:
    table = started(services, 2, options={"decision_limit_ms": LIMIT})
    clock.move(LIMIT - left)
    tick(services, clock)
    went = clock.now_ms()
    clock.move(AWAY)
    tick(services, clock)
    assert "match.deadline_expired" not in table.types()
    assert credits(table) == [(went, went + AWAY)]
    assert deadline(table) == clock.now_ms() + left
    other = replace(table, services=in_memory(clock, adapters=services.adapters))
    assert other.view() == table.view()
    clock.move(left - 1)
    table.pick(0, 3)
    clock.move(1 + GRACE_MS)
    tick(services, clock)
    (expired,) = [event for event in table.log() if event["type"] == "match.deadline_expired"]
    assert expired["data"]["seats"] == [1]


def test_what_had_expired_before_the_outage_is_enforced(services: Services, clock: Hands) -> None:
    table = started(services, 2, options={"decision_limit_ms": LIMIT})
    clock.move(LIMIT)
    services.upkeep.note_presence()
    clock.move(AWAY)
    tick(services, clock)
    assert credits(table) == []
    assert "match.deadline_expired" in table.types()


def test_a_command_that_comes_before_any_worker_is_back_is_not_late(services: Services, clock: Hands) -> None:
    table = started(services, 2, options={"decision_limit_ms": LIMIT})
    clock.move(1_000)
    tick(services, clock)
    clock.move(AWAY)
    table.pick(0, 3)
    assert "match.deadline_expired" not in table.types()
    assert len(credits(table)) == 1
    clock.move(1_000)
    tick(services, clock)
    assert len(credits(table)) == 1, "not twice for the same time"


def test_banks_are_refunded(services: Services, clock: Hands) -> None:
    table = started(services, 2, options={"bank_ms": LIMIT})
    clock.move(20_000)
    table.pick(0, 3)
    tick(services, clock)
    clock.move(AWAY)
    tick(services, clock)
    assert [seat["bank_ms"] for seat in table.view()["clocks"]] == [40_000, 40_000]
    assert deadline(table) == clock.now_ms() + 40_000


def test_short_interruptions_are_no_outage(services: Services, clock: Hands) -> None:
    table = started(services, 2, options={"decision_limit_ms": LIMIT})
    live(services, clock, LIMIT - 10_000)
    clock.move(29_000)
    tick(services, clock)
    assert credits(table) == []
    assert "match.deadline_expired" in table.types()


def test_a_pause_is_not_credited_and_later_decisions_neither(services: Services, clock: Hands) -> None:
    table = started(services, 2, options={"decision_limit_ms": LIMIT})
    live(services, clock, 10_000)
    clock.move(AWAY)
    tick(services, clock)
    for seat in (0, 1):
        table.pick(seat, 2)
    had = credits(table)
    live(services, clock, LIMIT + 10_000)
    assert credits(table) == had
    assert "match.deadline_expired" in table.types()


def test_nobody_posts_such_a_credit(services: Services) -> None:
    table = started(services, 2)
    with pytest.raises(Exception, match="has no command"):
        table.command(table.seat(0), {"command": {"type": "credit_outage", "since_ms": 1, "until_ms": 2}})
    with pytest.raises(IllegalMove):
        table.command(table.seat(0), {"command": {"type": "undo"}})


def test_presence_is_kept_on_either_store(either: Services, clock: Hands) -> None:
    presence = either.scheduler
    assert presence.last_here() is None
    assert presence.here(1_000) is None
    assert presence.here(2_000) == 1_000
    assert presence.last_here() == 2_000
    for number in range(MOST + 5):
        presence.note_outage(Outage(number, number + 1))
    assert sorted(presence.outages()) == [Outage(number, number + 1) for number in range(5, MOST + 5)]


def test_overlapping_outages_are_one(services: Services, clock: Hands) -> None:
    found = Outages(services.scheduler, clock, 1_000)
    for since, until in ((100, 200), (150, 300), (400, 500), (900, 950)):
        services.scheduler.note_outage(Outage(since, until))
    assert found.between(120, 800) == [Outage(120, 300), Outage(400, 500)]
    assert found.between(300, 400) == []
