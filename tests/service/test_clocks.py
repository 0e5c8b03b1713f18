"""Clocks: banks, days, claims, pauses and more time; all of it follows from the log alone."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.kernel.agreements import DAY_MS
from domain.kernel.errors import IllegalMove
from service import times
from service.bootstrap import Services
from service.clock import milliseconds, timestamp
from service.errors import Invalid
from service.work import GRACE_MS
from tests.exploring import examples
from tests.service.table import Hands, Table, in_memory, run_jobs, set_up, started
from workers.deadlines import DeadlineLoop

MINUTE = 60_000
HOUR = 60 * MINUTE
BANK = {"bank_ms": 10 * MINUTE, "increment_ms": 5_000}
LIMIT = {"decision_limit_ms": 10_000}


def loop(services: Services, clock: Hands) -> None:
    """What a worker does about deadlines."""
    DeadlineLoop(services.scheduler, services.upkeep, clock).tick()
    run_jobs(services)


def send(table: Table, seat: int | None, type: str, **members: Any) -> Any:
    """A command of the table, from a seat or the host."""
    caller = table.tenant if seat is None else table.seat(seat)
    return table.command(caller, {"command": {"type": type, **members}})


def refused(table: Table, seat: int | None, type: str, **members: Any) -> tuple[str, str]:
    """Kind and code of a refusal."""
    with pytest.raises(IllegalMove) as error:
        send(table, seat, type, **members)
    return error.value.kind, error.value.reason.code


def banks(table: Table) -> list[int]:
    return [clock["bank_ms"] for clock in table.view()["clocks"]]


def ends(table: Table) -> list[int | None]:
    """When each seat is late."""
    found = [clock["deadline_at"] for clock in table.view()["clocks"]]
    return [None if end is None else milliseconds(end) for end in found]


def elsewhere(table: Table, clock: Hands) -> Table:
    """The same match in a process that has seen nothing of it."""
    return replace(table, services=in_memory(clock, adapters=table.services.adapters))


# The bank


def test_the_bank_of_those_who_are_awaited_runs_and_of_nobody_else(services: Services, clock: Hands) -> None:
    table = started(services, 2, options=BANK)
    assert banks(table) == [10 * MINUTE + 5_000] * 2
    clock.move(MINUTE)
    table.pick(0, 3)
    assert banks(table) == [9 * MINUTE + 5_000] * 2
    assert ends(table) == [None, clock.now_ms() + 9 * MINUTE + 5_000]
    clock.move(MINUTE)
    table.pick(1, 4)
    assert banks(table) == [9 * MINUTE + 10_000, 8 * MINUTE + 10_000]
    assert elsewhere(table, clock).view() == table.view()


def test_changing_ones_mind_adds_nothing_to_the_bank(services: Services, clock: Hands) -> None:
    table = started(services, 2, options={**BANK, "undo": "own-turn"})
    for _ in range(3):
        clock.move(1_000)
        table.pick(0, 3)
        send(table, 0, "undo")
    assert banks(table)[0] == 10 * MINUTE + 5_000 - 3_000


def test_only_the_seat_whose_bank_is_empty_is_late(services: Services, clock: Hands) -> None:
    table = started(services, 2, options={"bank_ms": 10_000})
    clock.move(6_000)
    table.pick(0, 3)
    clock.move(1_000)
    table.pick(1, 4)
    assert banks(table) == [4_000, 3_000]
    clock.move(3_000 + GRACE_MS)
    loop(services, clock)
    expired = next(event for event in table.log() if event["type"] == "match.deadline_expired")
    assert expired["data"]["seats"] == [1]
    assert table.decision()["awaited"] == [0], "the other seat still has a second"
    table.pick(0, 5)
    assert banks(table) == [1_000, 1_000], "with nothing left there is a second for each decision"


def test_a_bank_that_is_empty_ends_the_match_all_the_same(services: Services, clock: Hands) -> None:
    for policy in ("default-move", "bot-takes-over", "forfeit"):
        table = started(services, 3, options={"bank_ms": 5_000, "on_expiry": policy})
        for _ in range(20):
            clock.move(6_000)
            loop(services, clock)
        assert table.view()["status"] == "over", policy
    assert services.scheduler.due_deadlines(10) == []


def test_bots_have_no_bank(services: Services, clock: Hands) -> None:
    table = set_up(services, 3, bots={2: "random"}, options=BANK)
    table.start()
    assert [seat["bank_ms"] is None for seat in table.view()["clocks"]] == [False, False, True]
    clock.move(HOUR)
    loop(services, clock)
    (expired,) = [event for event in table.log() if event["type"] == "match.deadline_expired"][:1]
    assert expired["data"]["seats"] == [0, 1]


@given(st.data())
@settings(max_examples=examples(25))
def test_a_bank_holds_what_was_given_and_not_used(data: st.DataObject) -> None:
    """Against a plain account: what each seat spent while it was awaited, pauses apart."""
    clock = Hands()
    services = in_memory(clock)
    try:
        table = started(services, 2, options={"bank_ms": HOUR, "increment_ms": 1_000})
        account, rounds, paused = [HOUR + 1_000] * 2, 1, False
        for _ in range(data.draw(st.integers(1, 12))):
            passed = data.draw(st.integers(0, 60_000))
            clock.move(passed)
            awaited = table.decision()["awaited"]
            if not paused:
                account = [left - passed * (seat in awaited) for seat, left in enumerate(account)]
            step = data.draw(st.sampled_from(("move", "move", "pause", "time")))
            if step == "pause":
                send(table, None, "resume" if paused else "pause")
                paused = not paused
            elif step == "time":
                send(table, None, "add_time", ms=5_000, seats=[1])
                account[1] += 5_000
            elif not paused:
                table.pick(data.draw(st.sampled_from(awaited)), 2)
                if len(awaited) == 1:
                    rounds += 1
                    account = [left + 1_000 for left in account]
            if rounds > 3:
                break
            assert banks(table) == account
        assert elsewhere(table, clock).view() == table.view()
    finally:
        services.close()


# Days


def test_days_to_answer(services: Services, clock: Hands) -> None:
    table = started(services, 2, options={"decision_limit_days": 3})
    assert ends(table) == [clock.now_ms() + 3 * DAY_MS] * 2
    assert table.decision()["deadline_at"] == timestamp(clock.now_ms() + 3 * DAY_MS)


@given(st.integers(0, 4 * 10**12), st.integers(0, 1439))
def test_an_anchored_deadline_is_the_first_of_its_minute(moment: int, minute: int) -> None:
    found = times.anchored(moment, minute)
    assert 0 <= found - moment < DAY_MS
    at = datetime.fromtimestamp(found / 1000, UTC)
    assert (at.hour * 60 + at.minute, at.second, found % 1000) == (minute, 0, 0)


def test_an_early_finish_does_not_shift_the_hour(services: Services, clock: Hands) -> None:
    table = started(services, 2, options={"decision_limit_days": 1, "daily_anchor_minute": 1200})
    for _ in range(2):
        assert table.decision()["deadline_at"].endswith("T20:00:00.000Z")
        clock.move(7 * HOUR + 1)
        table.pick(0, 1)
        table.pick(1, 2)
    assert table.decision()["deadline_at"].endswith("T20:00:00.000Z")


@pytest.mark.parametrize("name", ["increment_ms", "daily_anchor_minute"])
def test_what_belongs_to_a_clock_needs_the_clock(services: Services, name: str) -> None:
    with pytest.raises(Invalid) as error:
        set_up(services, 2, options={name: 600})
    assert [fault.pointer for fault in error.value.faults] == [f"/options/{name}"]


# Claims


def claimable(services: Services, seats: int = 3, **more: Any) -> Table:
    return started(services, seats, options={**LIMIT, "expiry": "claimable", **more})


def test_nothing_expires_by_itself_where_time_is_claimed(services: Services, clock: Hands) -> None:
    table = claimable(services)
    table.pick(0, 5)
    clock.move(HOUR)
    loop(services, clock)
    assert "match.deadline_expired" not in table.types()
    table.pick(1, 4)
    assert table.decision()["awaited"] == [2], "late, but before anybody claimed: it counts"


def test_who_is_not_awaited_claims(services: Services, clock: Hands) -> None:
    table = claimable(services)
    table.pick(0, 5)
    decision = table.decision()["id"]
    offers = services.matches.legal_moves(table.seat(0), table.match)["table"]
    claim = next(offer for offer in offers if offer["body"]["command"]["type"] == "claim")
    assert claim["not_before"] == table.decision()["deadline_at"]
    clock.move(9_999)
    with pytest.raises(IllegalMove) as early:
        table.command(table.seat(0), claim["body"])
    assert (early.value.kind, early.value.reason.code) == ("conflict", "not-due")
    clock.move(1)
    assert refused(table, 1, "claim", decision=decision) == ("not-your-decision", "awaited-yourself")
    answer = table.command(table.seat(0), claim["body"])
    assert [(event["type"], event["actor"], event["cause"]) for event in answer["events"][:4]] == [
        ("match.expiry_claimed", "seat:0", "player"),
        ("match.deadline_expired", "rules", "deadline"),
        ("tiny.number_picked", "seat:1", "deadline"),
        ("tiny.number_picked", "seat:2", "deadline"),
    ]
    assert table.decision()["id"] != decision


def test_the_host_claims_for_one_of_those_who_are_late(services: Services, clock: Hands) -> None:
    table = claimable(services)
    clock.move(10_000)
    decision = table.decision()["id"]
    send(table, None, "claim", decision=decision, seats=[2])
    assert table.decision() | {"deadline_at": None} == table.decision() | {
        "id": decision,
        "awaited": [0, 1],
        "deadline_at": None,
    }


def test_nobody_claims_where_time_expires_by_itself_or_not_at_all(services: Services, clock: Hands) -> None:
    for policy in ("auto", "none"):
        table = claimable(services, expiry=policy)
        table.pick(0, 5)
        assert refused(table, None, "claim", decision=table.decision()["id"]) == (
            "conflict",
            "not-claimable",
        )


def test_with_none_a_late_move_counts_however_late(services: Services, clock: Hands) -> None:
    table = claimable(services, 2, expiry="none")
    clock.move(HOUR)
    loop(services, clock)
    for seat in (0, 1):
        table.pick(seat, 2 + seat)
    assert "match.deadline_expired" not in table.types()
    assert table.decision()["awaited"] == [0, 1]


def test_the_host_ends_the_time_of_a_decision(services: Services, clock: Hands) -> None:
    table = started(services, 3)
    decision = table.decision()["id"]
    with pytest.raises(Exception, match="only the host"):
        send(table, 0, "expire", decision=decision)
    answer = send(table, None, "expire", decision=decision, seats=[1])
    ordered, expired = answer["events"][:2]
    assert (ordered["type"], ordered["actor"], ordered["cause"]) == ("match.expiry_ordered", "tenant", "host")
    assert expired["data"] == {"decision": decision, "seats": [1], "policy": "default-move"}
    assert table.decision()["awaited"] == [0, 2]


# Pauses


def test_a_pause_holds_when_every_person_has_agreed(services: Services, clock: Hands) -> None:
    table = set_up(services, 4, bots={3: "random"}, options=LIMIT)
    table.start()
    run_jobs(services)
    send(table, 0, "pause")
    proposal = table.view()["proposal"]
    assert (proposal["kind"], proposal["agreed"], proposal["awaited"]) == ("pause", [0], [1, 2])
    send(table, 1, "agree", proposal=proposal["id"])
    assert table.view()["paused"] is False
    send(table, 2, "agree", proposal=proposal["id"])
    assert table.view()["paused"] is True
    assert table.view()["proposal"] is None
    assert table.decision()["deadline_at"] is None


def test_in_a_pause_nobody_moves_and_the_clocks_stand(services: Services, clock: Hands) -> None:
    table = set_up(services, 3, bots={2: "random"}, options={**LIMIT, **BANK})
    table.start()
    clock.move(4_000)
    before = banks(table)
    send(table, None, "pause")
    decision = table.decision()["id"]
    clock.move(DAY_MS)
    loop(services, clock)
    assert services.upkeep.enforce_deadline(table.match, decision) is False
    assert services.bots.play(table.match, decision, 2) == 0, "bots do not play"
    with pytest.raises(IllegalMove) as error:
        table.pick(0, 3)
    assert error.value.kind == "match-paused"
    assert refused(table, None, "expire", decision=decision) == ("match-paused", "match-paused")
    assert refused(table, None, "pause") == ("match-paused", "match-paused")
    send(table, None, "resume")
    assert table.decision()["deadline_at"] == timestamp(clock.now_ms() + 6_000)
    assert banks(table)[:2] == [left - 4_000 for left in before[:2]]
    assert elsewhere(table, clock).view() == table.view()
    run_jobs(services)
    assert table.decision()["awaited"] == [0, 1], "the bot has played"


def test_a_pause_that_is_declined_does_not_come(services: Services, clock: Hands) -> None:
    table = started(services, 3)
    send(table, 0, "pause")
    proposal = table.view()["proposal"]["id"]
    assert refused(table, 1, "pause") == ("conflict", "proposal-open")
    assert refused(table, 0, "agree", proposal=proposal) == ("conflict", "agreed-already")
    assert refused(table, 1, "agree", proposal=proposal + 1) == ("conflict", "no-such-proposal")
    send(table, 1, "decline", proposal=proposal)
    assert table.view()["proposal"] is None
    assert refused(table, 2, "agree", proposal=proposal) == ("conflict", "no-such-proposal")


def test_a_pause_by_agreement_ends_by_agreement_or_by_the_host(services: Services, clock: Hands) -> None:
    table = started(services, 2)
    for by in (0, None):
        send(table, 0, "pause")
        send(table, 1, "agree", proposal=table.view()["proposal"]["id"])
        send(table, by, "resume")
        if by is not None:
            send(table, 1, "agree", proposal=table.view()["proposal"]["id"])
        assert table.view()["paused"] is False


def test_who_gives_up_in_a_pause_does_not_hold_it(services: Services, clock: Hands) -> None:
    table = started(services, 3)
    send(table, None, "pause")
    send(table, 1, "resign")
    assert "tiny.number_picked" not in table.types()
    send(table, 0, "resume")
    send(table, 2, "agree", proposal=table.view()["proposal"]["id"])
    assert table.decision()["awaited"] == [0, 2], "the default move of the third was made now"


# More time


def offered_ms(table: Table, seat: int) -> int:
    """How much more time the others are given by a client that posts what it is offered."""
    offers = table.services.matches.legal_moves(table.seat(seat), table.match)["table"]
    (ms,) = [each["body"]["command"]["ms"] for each in offers if each["label"].startswith("Give the others")]
    return int(ms)


def test_in_play_by_correspondence_a_day_is_offered(services: Services) -> None:
    assert offered_ms(started(services, 2, options={"decision_limit_days": 3}), 0) == DAY_MS


def test_a_seat_gives_time_to_the_others(services: Services, clock: Hands) -> None:
    table = started(services, 3, options={**LIMIT, "bank_ms": 20_000})
    now = clock.now_ms()
    send(table, 0, "add_time", ms=7_000)
    assert ends(table) == [now + 10_000, now + 17_000, now + 17_000]
    assert banks(table) == [20_000, 27_000, 27_000]
    assert offered_ms(table, 0) == 60_000
    assert refused(table, 0, "add_time", ms=7_000, seats=[0]) == ("illegal-move", "not-theirs")
    assert refused(table, 0, "add_time", ms=1) == ("illegal-move", "ms")
    send(table, None, "add_time", ms=1_000, seats=[0])
    assert ends(table)[0] == now + 11_000
    clock.move(11_000 + GRACE_MS)
    loop(services, clock)
    assert table.decision()["awaited"] == [1, 2]
    assert elsewhere(table, clock).view() == table.view()


def test_without_a_clock_there_is_no_time_to_give(services: Services, clock: Hands) -> None:
    table = started(services, 2)
    assert table.view()["clocks"] is None
    assert refused(table, 0, "add_time", ms=7_000) == ("conflict", "no-clock")


# What a client is offered


def test_every_offer_is_accepted(services: Services, clock: Hands) -> None:
    """A client without rules posts what is listed."""
    options = {**LIMIT, "expiry": "claimable", "undo": "own-turn"}
    seen = set()
    for seat in (0, 1):
        for before in ("", "pick", "pause", "paused"):
            for number in range(8):
                table = started(services, 3, options=options)
                if before == "pick":
                    table.pick(0, 3)
                elif before:
                    send(table, None if before == "paused" else 0, "pause")
                offers = services.matches.legal_moves(table.seat(seat), table.match)["table"]
                if number < len(offers):
                    clock.move(10_000 if "not_before" in offers[number] else 0)
                    table.command(table.seat(seat), offers[number]["body"])
                    seen.add(offers[number]["body"]["command"]["type"])
    assert seen == {"resign", "pause", "resume", "agree", "decline", "undo", "add_time", "claim"}
