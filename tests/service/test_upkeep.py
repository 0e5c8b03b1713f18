"""The sweeper finishes what a crash, a lost job or a dead queue left undone; lists can be made again."""

from dataclasses import replace
from typing import Any

import pytest

from events.envelope import Recorded
from events.store import StoreUnavailable
from service import bootstrap
from service.adapters.memory import MemoryScheduler
from service.bootstrap import Services
from service.follow_ups import FollowUps
from service.positions import Position
from service.read_models import Filters
from service.scheduling import LOOK_MS
from service.upkeep import BUSY_MS, RUNNING_MS
from service.work import GRACE_MS, Work
from tests.events.sample import put_away
from tests.service.table import Hands, Table, in_memory, run_jobs, set_up, started, tenant
from workers.deadlines import DeadlineLoop


def crashes_after_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every process ends right after each commit, before any follow-up."""

    def nothing(
        self: FollowUps, position: Position, records: list[Recorded], before: Work, now: Work, plays_on: bool
    ) -> None:
        return None

    monkeypatch.setattr(FollowUps, "after", nothing)


def work_on(services: Services, clock: Hands, table: Table, most: int = 200) -> int:
    """Workers that sweep, watch deadlines and do jobs; the milliseconds until the match was over."""
    began = clock.now_ms()
    watch = DeadlineLoop(services.scheduler, services.upkeep, clock)
    for _ in range(most):
        services.upkeep.sweep()
        watch.tick()
        run_jobs(services)
        if table.view()["status"] == "over":
            return clock.now_ms() - began
        clock.move(1_000)
    raise AssertionError("the match stands still")


def test_bots_whose_jobs_were_never_asked_for_play_all_the_same(
    services: Services, clock: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = set_up(services, seats=3, bots={seat: "random" for seat in range(3)})
    crashes_after_commits(monkeypatch)
    table.start()
    assert services.adapters.scheduler.jobs == {}  # type: ignore[attr-defined]  # the one in memory
    assert work_on(services, clock, table) < 60_000


def test_each_single_commit_without_follow_up_is_made_good_within_seconds(
    services: Services, clock: Hands
) -> None:
    table = set_up(services, seats=2, bots={1: "easy"})
    with pytest.MonkeyPatch.context() as patch:
        crashes_after_commits(patch)
        table.start()
    began = clock.now_ms()
    while table.view()["awaited"] != [0]:
        services.upkeep.sweep()
        run_jobs(services)
        clock.move(500)
    assert clock.now_ms() - began <= LOOK_MS + BUSY_MS


def test_deadlines_that_were_never_noted_expire_all_the_same(
    services: Services, clock: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashes_after_commits(monkeypatch)
    table = started(services, seats=2, options={"decision_limit_ms": 5_000})
    assert services.adapters.scheduler.deadlines == {}  # type: ignore[attr-defined]  # the one in memory
    work_on(services, clock, table, most=400)
    assert table.types().count("match.deadline_expired") == 3


def test_a_match_whose_last_commit_was_not_followed_up_leaves_every_set(
    services: Services, clock: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = started(services, seats=2)
    crashes_after_commits(monkeypatch)
    table.command(table.seat(0), {"command": {"type": "resign"}})
    scheduler = services.adapters.scheduler
    assert isinstance(scheduler, MemoryScheduler)
    assert table.match in scheduler.running
    clock.move(RUNNING_MS)
    services.upkeep.sweep()
    assert scheduler.running == {}
    listed = services.matches.list_matches(table.tenant, status="over")["items"]
    assert [match["id"] for match in listed] == [table.match]


def test_jobs_that_got_lost_are_asked_for_again(services: Services, clock: Hands) -> None:
    table = started(services, seats=2, bots={0: "easy", 1: "easy"})
    scheduler = services.adapters.scheduler
    assert isinstance(scheduler, MemoryScheduler)
    lost = set(scheduler.jobs)
    scheduler.jobs.clear()
    asked: set[str] = set()
    for _ in range(30):
        clock.move(1_000)
        services.upkeep.sweep()
        asked |= set(scheduler.jobs)
        scheduler.jobs.clear()
    # The same ids at first; after ten seconds, others, for the old ones may belong to a worker that is dead.
    assert lost < asked
    assert len(asked) >= 2 * 3
    assert table.view()["status"] == "running"


def test_a_busy_match_is_looked_at_again_soon_and_a_quiet_one_within_a_minute(
    services: Services, clock: Hands
) -> None:
    busy = started(services, seats=2, bots={1: "easy"})
    quiet = started(services, seats=2)
    scheduler = services.adapters.scheduler
    assert isinstance(scheduler, MemoryScheduler)
    clock.move(LOOK_MS)
    assert services.upkeep.sweep() == 2
    assert scheduler.running[busy.match] - clock.now_ms() == BUSY_MS
    assert scheduler.running[quiet.match] - clock.now_ms() == RUNNING_MS < 60_000


def test_a_quiet_match_costs_one_look_at_its_head(services: Services, clock: Hands) -> None:
    table = started(services, seats=2)
    clock.move(LOOK_MS)
    services.upkeep.sweep()
    loads: list[str] = []
    load = services.upkeep._positions.load

    def counted(match: str, command_id: str | None = None) -> Position | None:
        loads.append(match)
        return load(match, command_id)

    services.upkeep._positions.load = counted  # type: ignore[method-assign]  # counts the loads
    clock.move(RUNNING_MS)
    assert services.upkeep.sweep() == 1
    assert loads == []
    table.pick(0, 3)
    loads.clear()
    clock.move(RUNNING_MS)
    assert services.upkeep.sweep() == 1
    assert loads == [table.match]


def test_one_match_that_cannot_be_read_does_not_stop_the_sweeper(services: Services, clock: Hands) -> None:
    broken = started(services, seats=2)
    table = started(services, seats=2, bots={0: "easy", 1: "easy"})
    release = in_memory(clock, adapters=services.adapters)
    load = release.upkeep._positions.load

    def fails(match: str, command_id: str | None = None) -> Position | None:
        if match == broken.match:
            raise ZeroDivisionError
        return load(match, command_id)

    release.upkeep._positions.load = fails  # type: ignore[method-assign]  # one match is unreadable
    release.adapters.scheduler.jobs.clear()  # type: ignore[attr-defined]  # the one in memory
    clock.move(LOOK_MS)
    assert release.upkeep.sweep() == 2
    assert [job.args[0] for job in release.adapters.scheduler.jobs.values()] == [table.match] * 2  # type: ignore[attr-defined]  # the one in memory


def test_a_match_that_was_marked_but_never_begun_is_forgotten(services: Services, clock: Hands) -> None:
    services.scheduler.mark("mat_" + "a" * 26)
    clock.move(LOOK_MS)
    assert services.upkeep.sweep() == 1
    assert services.scheduler.to_look_at(10) == []


def test_an_archived_match_is_forgotten(services: Services, clock: Hands) -> None:
    table = started(services, seats=2, options={"decision_limit_ms": 1_000})
    put_away(services.adapters.archive.moves, table.match, "elsewhere")
    clock.move(LOOK_MS + GRACE_MS)
    DeadlineLoop(services.scheduler, services.upkeep, clock).tick()
    run_jobs(services)
    services.upkeep.sweep()
    assert services.scheduler.to_look_at(10) == []
    assert services.scheduler.due_deadlines(10) == []


class DeadQueue(MemoryScheduler):
    """A scheduler that cannot be reached after a commit."""

    def watch(self, *rest: Any) -> None:
        raise StoreUnavailable("no line")


def test_a_command_is_not_lost_because_the_scheduler_cannot_be_reached(clock: Hands) -> None:
    adapters = bootstrap.in_memory(clock)
    services = in_memory(clock, adapters=replace(adapters, scheduler=DeadQueue(clock)))
    table = started(services, seats=2, bots={1: "easy"})
    answer = table.pick(0, 3)
    assert answer["events"][0]["type"] == "tiny.number_picked"


def test_a_command_is_refused_when_nobody_could_look_after_it(clock: Hands) -> None:
    class Unmarked(MemoryScheduler):
        def mark(self, match: str) -> None:
            raise StoreUnavailable("no line")

    adapters = bootstrap.in_memory(clock)
    services = in_memory(clock, adapters=adapters)
    table = started(services, seats=2)
    cut_off = replace(table, services=in_memory(clock, adapters=replace(adapters, scheduler=Unmarked(clock))))
    with pytest.raises(StoreUnavailable):
        cut_off.pick(0, 3)
    assert table.view(table.seat(0))["state"]["picks"] == {}


def test_lists_and_watches_can_be_made_again_from_the_logs(on_redis: Services) -> None:
    host = tenant(on_redis)
    running = started(on_redis, seats=2, host=host, options={"decision_limit_ms": 3_600_000})
    over = started(on_redis, seats=2, host=host)
    over.command(over.seat(0), {"command": {"type": "resign"}})
    before = on_redis.matches.list_matches(host)
    assert on_redis.adapters.queue is not None
    client = on_redis.adapters.queue.connection
    lost = client.keys("{matches:*") + [b"wonderlog:running", b"wonderlog:deadlines"]
    client.delete(*lost)
    assert on_redis.matches.list_matches(host)["items"] == []
    assert on_redis.upkeep.rebuild() == 2
    assert on_redis.matches.list_matches(host) == before
    assert client.zrange("wonderlog:running", 0, -1) == [running.match.encode()]
    assert client.zcard("wonderlog:deadlines") == 1


def test_an_older_summary_does_not_replace_a_later_one(either: Services) -> None:
    table = set_up(either, seats=2)
    lists, all_of = either.adapters.lists, Filters("acme")
    old = lists.page(all_of, None, 10)[0][0]
    table.start()
    lists.note(old)
    assert lists.page(all_of, None, 10)[0][0].status == "running"
    assert [each.match for each in lists.page(replace(all_of, status="lobby"), None, 10)[0]] == []
