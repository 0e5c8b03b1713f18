"""The sandbox: a world of its own, the same draws for the same seed, scripts, a clock moved by hand."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.kernel.chance import commitment, of_seed
from events.store import KeyReused
from service.bootstrap import Services
from service.clock import milliseconds, timestamp
from service.credentials import Caller
from service.errors import Forbidden, Invalid, InviteInvalid, NotFound, Refused
from service.keyring import Wish
from service.sandbox import FARTHEST_MS
from tests.service.table import START, Hands, Table, run_jobs, set_up, started, tenant
from workers.deadlines import DeadlineLoop

HOUR = 3_600_000
LIMIT = {"decision_limit_ms": HOUR}


def in_test_mode(services: Services, name: str = "acme") -> Caller:
    """A tenant with a test key."""
    return services.matches.authenticate(services.keys.create(name, Wish(mode="test")).key, None)


def seeded(
    services: Services,
    seed: str | None,
    seats: list[Mapping[str, Any]],
    host: Caller | None = None,
    **options: Any,
) -> Table:
    """A match of the sandbox that has started; persons sit on the open seats."""
    who = host or in_test_mode(services)
    body = {"game": "tiny", "seats": seats, "options": options, "sandbox": {"seed": seed} if seed else {}}
    key = f"seeded-{seeded.count:010d}"
    seeded.count += 1
    made, _ = services.matches.create(who, body, key, "create")
    table = Table(services, who, made["id"])
    for number, seat in enumerate(seats):
        if seat["kind"] == "open":
            table.join(seat=number)
    table.start()
    return table


seeded.count = 0
OPEN = {"kind": "open"}


def scripted(*numbers: int | None) -> dict[str, Any]:
    script = [None if number is None else {"type": "pick", "number": number} for number in numbers]
    return {"kind": "bot", "bot": "script", "script": script}


def move_clock(services: Services, host: Caller, key: str = "move-0123456789abc", **body: Any) -> Any:
    return services.matches.move_sandbox_clock(host, body, key, repr(body))


def deadlines(services: Services, clock: Hands) -> None:
    """What a worker does about deadlines, once the moment for late arrivals is over."""
    clock.move(1_000)
    DeadlineLoop(services.scheduler, services.upkeep, clock).tick()
    run_jobs(services)


def test_live_and_test_keys_of_a_tenant_see_nothing_of_each_other(either: Services) -> None:
    live, test = tenant(either), in_test_mode(either)
    tables = {"live": set_up(either, host=live), "test": set_up(either, host=test)}
    for mine, other in ((live, "test"), (test, "live")):
        seen = [match["id"] for match in either.matches.list_matches(mine)["items"]]
        assert tables[other].match not in seen and len(seen) == 1
        for read in (either.matches.match, either.matches.view, either.matches.seats):
            with pytest.raises(NotFound):
                read(mine, tables[other].match)
        feed = either.matches.feed(mine, "0")["items"]
        assert feed and tables[other].match not in {event["match"] for event in feed}
    assert (
        "sandbox" not in tables["live"].log()[0]["data"] or tables["live"].log()[0]["data"]["sandbox"] is None
    )
    assert tables["test"].log()[0]["data"]["sandbox"] == {"seed": None}
    assert either.matches.match(test, tables["test"].match)["sandbox"] == {"seed": None}
    assert "sandbox" not in either.matches.match(live, tables["live"].match)


def test_two_tenants_have_two_sandboxes(either: Services) -> None:
    mine, theirs = in_test_mode(either), in_test_mode(either, "other")
    table = set_up(either, host=mine)
    with pytest.raises(NotFound):
        either.matches.match(theirs, table.match)
    move_clock(either, mine, advance_ms=HOUR)
    assert either.matches.sandbox_clock.show(theirs)["ahead_ms"] == 0


def test_a_test_key_deals_with_test_keys_only(services: Services) -> None:
    live, test = tenant(services), in_test_mode(services)
    listed = services.matches.keys(test)["items"]
    assert [key["mode"] for key in listed] == ["test"]
    assert {key["mode"] for key in services.matches.keys(live)["items"]} == {"live", "test"}
    live_id = live.credential.rpartition("_")[2]
    for use in (services.matches.key, services.matches.revoke_key):
        with pytest.raises(NotFound):
            use(test, live_id)
    assert services.matches.key(live, live_id)["revoked_at"] is None


def test_the_same_seed_gives_the_same_match_whatever_its_name(either: Services) -> None:
    def bonus_and_picks(seed: str) -> tuple[Any, str]:
        table = seeded(either, seed, [scripted(3), {"kind": "bot", "bot": "random"}], rounds=2)
        if not hasattr(either.scheduler, "take_job"):
            while table.view()["status"] == "running":
                for decision in table.view()["decisions"]:
                    either.bots.play(table.match, decision["id"], decision["awaited"][0])
        else:
            run_jobs(either)
        log = table.log()
        assert log[-1]["type"] == "match.ended"
        key, nonce = of_seed(seed)
        assert log[0]["data"]["commitment"] == commitment(key, nonce)
        assert (log[-1]["data"]["match_key"], log[-1]["data"]["commit_nonce"]) == (key.hex(), nonce.hex())
        played = [event["data"] for event in log if event["type"] not in ("match.created",)]
        return played, table.match

    one, other = bonus_and_picks("tuesday"), bonus_and_picks("tuesday")
    assert one[0] == other[0] and one[1] != other[1]
    assert any(bonus_and_picks(f"day-{n}")[0] != one[0] for n in range(3))


def test_a_script_is_played_move_by_move_and_then_the_default_move(services: Services) -> None:
    table = seeded(services, "s", [OPEN, scripted(4, None)], rounds=3)
    for number in (1, 1, 1):
        run_jobs(services)
        table.pick(0, number)
    run_jobs(services)
    scored = [event["data"]["numbers"] for event in table.log() if event["type"] == "tiny.round_scored"]
    assert [numbers[1] for numbers in scored] == [4, 1, 1]
    assert "match.bot_failed" not in table.types()


def test_an_entry_the_rules_refuse_is_a_failure_and_the_next_entry_comes_next(services: Services) -> None:
    table = seeded(services, "s", [OPEN, scripted(9, 5)], rounds=2)
    for number in (2, 2):
        run_jobs(services)
        table.pick(0, number)
    run_jobs(services)
    failed = next(event for event in table.log() if event["type"] == "match.bot_failed")
    assert (failed["data"]["bot"], failed["data"]["instead"]) == ("script", "default-move")
    assert failed["data"]["why"] == "refused"
    scored = [event["data"]["numbers"] for event in table.log() if event["type"] == "tiny.round_scored"]
    assert [numbers[1] for numbers in scored] == [1, 5]


def test_a_script_stays_beside_the_log_until_it_is_played(services: Services) -> None:
    table = seeded(services, "s", [OPEN, scripted(4, 3, 2)], rounds=1)
    shown = repr([table.log(), table.view(), services.matches.match(table.tenant, table.match)])
    assert "'number': 3" not in shown and "script:1" not in shown


def test_a_script_that_is_none_is_refused_with_its_place(services: Services) -> None:
    wrong = [[{"type": "pick"}], [{"type": "leap"}], ["pick"], [None, {"type": "pick", "number": 1, "x": 1}]]
    places = ["0", "0/type", "0", "1/x"]
    for script, place in zip(wrong, places, strict=True):
        body = {"game": "tiny", "seats": [OPEN, {"kind": "bot", "bot": "script", "script": script}]}
        with pytest.raises(Invalid) as invalid:
            services.matches.create(in_test_mode(services), body, "wrong-0123456789", "create")
        assert [fault.pointer for fault in invalid.value.faults] == [f"/seats/1/script/{place}"]


def test_seeds_and_scripts_are_for_the_sandbox(services: Services) -> None:
    live = tenant(services)
    for more in ({"sandbox": {"seed": "x"}}, {"sandbox": {}}, {"seats": [OPEN, scripted(1)]}):
        body = {"game": "tiny", "seats": [OPEN, OPEN], **more}
        with pytest.raises(Forbidden):
            services.matches.create(live, body, "live-01234567890123", "create")
    table = set_up(services, host=in_test_mode(services), seats=2)
    services.matches.leave(table.tenant, table.match, 1)
    with pytest.raises(Invalid) as refused:
        services.matches.join(table.tenant, table.match, {"kind": "bot", "bot": "script"}, "k" * 16, "x")
    assert [(fault.pointer, fault.code) for fault in refused.value.faults] == [("/bot", "unknown")]


def test_the_clock_goes_on_by_a_time_or_to_a_time_and_never_back(either: Services) -> None:
    host = in_test_mode(either)
    before = either.matches.sandbox_clock.show(host)
    assert before["ahead_ms"] == 0
    moved, replayed = move_clock(either, host, advance_ms=5 * HOUR)
    assert (moved["ahead_ms"], replayed) == (5 * HOUR, False)
    again, replayed = move_clock(either, host, advance_ms=5 * HOUR)
    assert (again, replayed) == (moved, True)
    with pytest.raises(KeyReused):
        move_clock(either, host, advance_ms=HOUR)
    to = milliseconds(moved["now"]) + 10 * HOUR
    shown, _ = move_clock(either, host, "move-to-0123456789", set=timestamp(to))
    assert milliseconds(shown["now"]) == to
    for key, body in (
        ("back-0123456789", {"set": before["now"]}),
        ("far-01234567890", {"advance_ms": FARTHEST_MS}),
    ):
        with pytest.raises(Invalid):
            move_clock(either, host, key, **body)
    assert either.matches.sandbox_clock.show(host)["ahead_ms"] == shown["ahead_ms"]


def test_the_clock_is_for_test_keys(services: Services) -> None:
    with pytest.raises(Forbidden):
        move_clock(services, tenant(services), advance_ms=1)
    with pytest.raises(Forbidden):
        services.matches.sandbox_clock.show(tenant(services))


def test_deadlines_follow_the_clock_of_the_sandbox_and_those_of_live_matches_do_not(
    services: Services, clock: Hands
) -> None:
    live = started(services, seats=2, options=LIMIT)
    table = started(services, seats=2, options=LIMIT, host=in_test_mode(services))
    deadlines(services, clock)
    assert "match.deadline_expired" not in [*table.types(), *live.types()]
    move_clock(services, table.tenant, advance_ms=HOUR)
    deadlines(services, clock)
    assert "match.deadline_expired" in table.types()
    assert "match.deadline_expired" not in live.types()
    expired = next(event for event in table.log() if event["type"] == "match.deadline_expired")
    assert milliseconds(expired["occurred_at"]) >= START + HOUR
    (decision,) = table.view()["decisions"]
    assert milliseconds(decision["deadline_at"]) >= START + 2 * HOUR
    # Another hour, without a worker: a command that comes too late finds the expiry before it.
    move_clock(services, table.tenant, "move-on-0123456789", advance_ms=HOUR)
    with pytest.raises(Refused) as refused:
        table.pick(0, 3, decision["id"])
    assert refused.value.kind == "stale-decision"
    assert table.types().count("match.deadline_expired") == 2


def test_a_deadline_noted_with_the_clock_as_it_was_is_found_again(services: Services, clock: Hands) -> None:
    host = in_test_mode(services)
    move_clock(services, host, advance_ms=24 * HOUR)
    table = started(services, seats=2, options=LIMIT, host=host)
    assert milliseconds(table.log()[0]["occurred_at"]) == START + 24 * HOUR
    clock.move(HOUR - 2_000)
    deadlines(services, clock)
    assert "match.deadline_expired" not in table.types()
    clock.move(2_000)
    deadlines(services, clock)
    assert "match.deadline_expired" in table.types()


def test_a_moved_clock_is_no_outage(services: Services, clock: Hands) -> None:
    services.upkeep.note_presence()
    table = started(services, seats=2, options=LIMIT, host=in_test_mode(services))
    clock.move(120_000)
    services.upkeep.note_presence()
    move_clock(services, table.tenant, advance_ms=HOUR)
    deadlines(services, clock)
    assert "match.deadline_expired" in table.types()
    assert "match.outage_credited" not in table.types()


def test_bots_of_a_sandbox_that_is_ahead_are_looked_after_by_the_sweeper(
    services: Services, clock: Hands
) -> None:
    host = in_test_mode(services)
    move_clock(services, host, advance_ms=24 * HOUR)
    table = seeded(services, None, [OPEN, {"kind": "bot", "bot": "random"}], host=host)
    scheduler: Any = services.scheduler
    scheduler.jobs.clear()  # the job was lost
    clock.move(5_000)
    assert services.upkeep.sweep() == 1
    assert run_jobs(services) == 1
    assert table.view()["decisions"][0]["awaited"] == [0]


def test_invites_expire_by_the_clock_of_the_sandbox(services: Services) -> None:
    table = set_up(services, host=in_test_mode(services), seats=2)
    services.matches.leave(table.tenant, table.match, 1)
    wish = {"uses": 1, "expires_in_s": 60, "label": ""}
    made, _ = services.matches.issue_pass(table.tenant, table.match, "invite", wish, "i" * 16, "x")
    guest = services.matches.authenticate(made["token"], table.match)
    assert guest.mode == "test"
    move_clock(services, table.tenant, advance_ms=61_000)
    with pytest.raises(InviteInvalid):
        services.matches.join(guest, table.match, {}, "j" * 16, "x")
    assert services.matches.match(table.tenant, table.match)["seats"][1]["kind"] == "open"
