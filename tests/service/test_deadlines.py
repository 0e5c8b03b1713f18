"""Deadlines are data: when a decision expires follows from the log, and late is who comes late."""

from dataclasses import replace
from typing import Any

import pytest

from service.bootstrap import Services
from service.clock import milliseconds
from service.errors import Refused
from service.positions import Position
from service.work import GRACE_MS
from tests.service.table import START, Hands, Table, in_memory, run_jobs, set_up, started
from workers.deadlines import DeadlineLoop

LIMIT = 10_000


def timed(services: Services, seats: int = 3, **more: Any) -> Table:
    """A match that has started, with ten seconds for each decision."""
    options = {"decision_limit_ms": LIMIT, **more.pop("options", {})}
    return started(services, seats, options=options, **more)


def loop(services: Services, clock: Hands) -> None:
    """What a worker does about deadlines: the loop asks, the jobs are done."""
    DeadlineLoop(services.scheduler, services.upkeep, clock).tick()
    run_jobs(services)


def test_a_decision_says_when_it_opened_and_when_it_expires(services: Services, clock: Hands) -> None:
    table = set_up(services, seats=2, options={"decision_limit_ms": LIMIT})
    clock.move(60_000)
    table.start()
    decision = table.decision()
    assert milliseconds(decision["opened_at"]) == START + 60_000
    assert milliseconds(decision["deadline_at"]) == START + 60_000 + LIMIT


def test_without_a_limit_nothing_expires(services: Services, clock: Hands) -> None:
    table = started(services, seats=2)
    assert table.decision()["deadline_at"] is None
    clock.move(10**9)
    loop(services, clock)
    with pytest.raises(Refused) as refused:
        expire(services, table)
    assert refused.value.reason.code == "not-due"


def test_a_move_in_the_last_millisecond_counts_whatever_the_workers_do(
    services: Services, clock: Hands
) -> None:
    table = timed(services, seats=2)
    clock.move(LIMIT - 1)
    loop(services, clock)
    table.pick(0, 3)
    assert "match.deadline_expired" not in table.types()


def test_the_loop_leaves_moves_that_came_in_time_a_moment_to_arrive(services: Services, clock: Hands) -> None:
    table = timed(services, seats=2)
    clock.move(LIMIT + GRACE_MS - 1)
    loop(services, clock)
    assert "match.deadline_expired" not in table.types()
    clock.move(1)
    loop(services, clock)
    assert "match.deadline_expired" in table.types()


def test_a_late_move_is_refused_although_no_worker_has_looked(services: Services, clock: Hands) -> None:
    table = timed(services, seats=2)
    decision = table.decision()["id"]
    clock.move(LIMIT)
    with pytest.raises(Refused) as refused:
        table.pick(0, 3, decision)
    assert refused.value.kind == "stale-decision"
    assert refused.value.current.decision_id == table.decision()["id"] != decision
    assert table.types()[5:] == [
        "match.deadline_expired",
        "tiny.number_picked",
        "tiny.number_picked",
        "tiny.round_scored",
    ]


def test_the_expiry_names_who_was_late_and_what_was_done(services: Services, clock: Hands) -> None:
    table = timed(services, seats=3)
    table.pick(1, 4)
    decision = table.decision()["id"]
    clock.move(LIMIT + GRACE_MS)
    loop(services, clock)
    expired = next(event for event in table.log() if event["type"] == "match.deadline_expired")
    assert expired["data"] == {"decision": decision, "seats": [0, 2], "policy": "default-move"}
    assert (expired["actor"], expired["cause"], expired["decision"]) == ("rules", "deadline", decision)
    moves = [e for e in table.log() if e["type"] == "tiny.number_picked" and e["cause"] == "deadline"]
    assert [event["actor"] for event in moves] == ["seat:0", "seat:2"]


def test_a_late_move_for_a_decision_that_opened_meanwhile_is_judged_by_that_decision(
    services: Services, clock: Hands
) -> None:
    table = timed(services, seats=2)
    clock.move(LIMIT)
    # The expiry, two default moves and the score will follow: the next round opens at the fourth of them.
    table.pick(0, 3, f"d{table.view()['version'] + 4}.pick")
    assert table.log()[-1]["actor"] == "seat:0"


def test_an_expiry_that_is_asked_for_twice_happens_once(services: Services, clock: Hands) -> None:
    table = timed(services, seats=2)
    decision = table.decision()["id"]
    clock.move(LIMIT + GRACE_MS)
    assert services.upkeep.enforce_deadline(table.match, decision)
    assert not services.upkeep.enforce_deadline(table.match, decision)
    assert table.types().count("match.deadline_expired") == 1


def test_an_expiry_that_is_asked_for_too_early_does_not_happen(services: Services, clock: Hands) -> None:
    table = timed(services, seats=2)
    clock.move(LIMIT - 1)
    assert not services.upkeep.enforce_deadline(table.match, table.decision()["id"])
    assert "match.deadline_expired" not in table.types()


def test_the_deadline_is_the_same_in_a_process_that_has_seen_nothing(
    services: Services, clock: Hands
) -> None:
    table = timed(services, seats=2, options={"on_expiry": "bot-takes-over"})
    clock.move(LIMIT + GRACE_MS)
    DeadlineLoop(services.scheduler, services.upkeep, clock).tick()
    services.upkeep.enforce_deadline(table.match, table.decision()["id"])
    other = replace(table, services=in_memory(clock, adapters=services.adapters))
    assert other.decision() == table.decision()


def test_forfeit_takes_those_who_are_late_out_of_the_match(services: Services, clock: Hands) -> None:
    table = timed(services, seats=3, options={"on_expiry": "forfeit"})
    table.pick(1, 4)
    clock.move(LIMIT + GRACE_MS)
    loop(services, clock)
    view = table.view()
    assert view["status"] == "over"
    assert view["outcome"]["reason"] == "forfeit"
    assert view["outcome"]["ranking"] == [[1], [0, 2]]


def test_a_bot_takes_over_for_those_who_are_late_and_gives_the_seat_back(
    services: Services, clock: Hands
) -> None:
    table = timed(services, seats=2, options={"on_expiry": "bot-takes-over", "takeover_bot": "random"})
    decision = table.decision()
    table.pick(1, 2)
    clock.move(LIMIT + GRACE_MS)
    DeadlineLoop(services.scheduler, services.upkeep, clock).tick()
    assert services.upkeep.enforce_deadline(table.match, decision["id"])
    later = table.decision()
    assert later["id"] == decision["id"]
    assert milliseconds(later["deadline_at"]) == clock.now_ms() + LIMIT
    with pytest.raises(Refused) as refused:
        table.pick(0, 3)
    assert refused.value.reason.code == "taken-over"
    moves = services.matches.legal_moves(table.seat(0), table.match)["moves"]
    assert [move["body"] for move in moves] == [{"command": {"type": "reclaim_seat"}}]
    run_jobs(services)
    assert [e["actor"] for e in table.log() if e["cause"] == "bot"] == ["seat:0", "seat:0"]
    table.command(table.seat(0), moves[0]["body"])
    table.pick(0, 5)
    assert table.view()["seats"][0] == {"seat": 0, "kind": "human", "resigned": False}


def test_who_takes_a_seat_back_and_is_late_again_cannot_hold_a_decision_open(
    services: Services, clock: Hands
) -> None:
    table = timed(services, seats=2, options={"on_expiry": "bot-takes-over", "takeover_bot": "random"})
    table.pick(1, 2)
    decision = table.decision()["id"]
    clock.move(LIMIT + GRACE_MS)
    assert services.upkeep.enforce_deadline(table.match, decision)
    # Faster than the bot, and then idle.
    table.command(table.seat(0), {"command": {"type": "reclaim_seat"}})
    clock.move(LIMIT + GRACE_MS)
    assert services.upkeep.enforce_deadline(table.match, decision)
    assert table.decision()["id"] != decision
    assert table.view()["seats"][0] == {"seat": 0, "kind": "human", "resigned": False}
    clock.move(LIMIT + GRACE_MS)
    assert services.upkeep.enforce_deadline(table.match, table.decision()["id"])
    assert table.view()["seats"][0]["taken_over"], "in the next decision a bot takes over again"


def test_the_bot_that_took_over_is_not_overtaken_by_the_old_deadline(
    services: Services, clock: Hands
) -> None:
    table = timed(services, seats=2, options={"on_expiry": "bot-takes-over", "takeover_bot": "easy"})
    decision = table.decision()["id"]
    clock.move(LIMIT + GRACE_MS)
    assert services.upkeep.enforce_deadline(table.match, decision)
    assert not services.upkeep.enforce_deadline(table.match, decision)
    assert "tiny.number_picked" not in table.types()
    run_jobs(services)
    assert table.view()["status"] == "over"


@pytest.mark.parametrize("policy", ["default-move", "bot-takes-over", "forfeit"])
@pytest.mark.parametrize("seats", [2, 3, 7])
def test_a_match_ends_although_everybody_has_left(
    services: Services, clock: Hands, policy: str, seats: int
) -> None:
    table = timed(services, seats=seats, options={"on_expiry": policy})
    for _ in range(20):
        clock.move(LIMIT + GRACE_MS)
        loop(services, clock)
        if table.view()["status"] == "over":
            break
    assert table.view()["status"] == "over"
    assert services.scheduler.due_deadlines(10) == []
    services.upkeep.sweep()
    assert services.scheduler.to_look_at(10) == [], "looked at once more, and then no more"


def test_a_deadline_that_no_job_enforces_is_enforced_by_the_loop(services: Services, clock: Hands) -> None:
    table = timed(services, seats=2)
    watch = DeadlineLoop(services.scheduler, services.upkeep, clock)
    clock.move(LIMIT + GRACE_MS)
    watch.tick()
    assert "match.deadline_expired" not in table.types()
    clock.move(1_000)
    watch.tick()
    assert "match.deadline_expired" in table.types()


def test_one_match_that_cannot_be_read_does_not_keep_others_from_expiring(
    services: Services, clock: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, table = timed(services, seats=2), timed(services, seats=2)
    load = services.upkeep._positions.load

    def fails(match: str, command_id: str | None = None) -> Position | None:
        if match == broken.match:
            raise ZeroDivisionError
        return load(match, command_id)

    monkeypatch.setattr(services.upkeep._positions, "load", fails)
    watch = DeadlineLoop(services.scheduler, services.upkeep, clock)
    clock.move(LIMIT + GRACE_MS)
    for _ in range(2):
        watch.tick()
        clock.move(1_000)
    assert "match.deadline_expired" in table.types()


def test_a_deadline_that_is_met_is_forgotten(services: Services, clock: Hands) -> None:
    table = timed(services, seats=2)
    first = table.decision()["id"]
    table.pick(0, 1)
    table.pick(1, 2)
    clock.move(LIMIT + GRACE_MS)
    due = services.scheduler.due_deadlines(10)
    assert [deadline.decision for deadline in due] == [table.decision()["id"]]
    assert first not in {deadline.decision for deadline in due}


def test_resigning_late_lets_the_decision_expire_first(services: Services, clock: Hands) -> None:
    table = timed(services, seats=3)
    clock.move(LIMIT)
    table.command(table.seat(0), {"command": {"type": "resign"}})
    types = table.types()
    assert types.index("match.deadline_expired") < types.index("match.seat_resigned")


def expire(services: Services, table: Table) -> None:
    """Ask for an expiry without the workers' patience."""
    services.upkeep._transactor.expire(table.match, table.decision()["id"])
