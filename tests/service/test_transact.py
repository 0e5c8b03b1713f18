"""Commands come into the log once each, in one order, whoever sends what at the same time."""

import itertools
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from domain.kernel.errors import IllegalMove
from domain.kernel.registry import EventType
from events.envelope import Recorded
from events.memory import MemoryStore
from events.store import (
    NO_SECRETS,
    Appended,
    EventStore,
    KeyReused,
    OutcomeUnknown,
    StoreUnavailable,
    VersionConflict,
)
from service import bootstrap, transact
from service.bootstrap import Services
from service.errors import NotFound, Refused, StaleVersion
from tests.service import tiny_game
from tests.service.table import Hands, as_game, at_once, in_memory, records, set_up, started

KEY = "one-key-for-all-tries"


class Between(MemoryStore):
    """A store that does something else first, or answers something else, when it is asked to append."""

    def __init__(self) -> None:
        super().__init__()
        self.first: Callable[[], None] = lambda: None
        self.after: Callable[[], None] = lambda: None

    def append(
        self,
        match: str,
        expected: int,
        command_id: str | None,
        fingerprint: str,
        events: Sequence[Recorded],
        secrets: Mapping[str, str] = NO_SECRETS,
        durable: bool = True,
    ) -> Appended:
        first, self.first = self.first, lambda: None
        first()
        done = super().append(match, expected, command_id, fingerprint, events, secrets, durable)
        after, self.after = self.after, lambda: None
        after()
        return done


def on(store: EventStore, clock: Hands | None = None) -> Services:
    """Services in memory on a store of one's own."""
    clock = clock or Hands()
    return in_memory(clock, adapters=replace(bootstrap.in_memory(clock), store=store))


def test_a_retry_gets_the_first_answer_although_the_match_has_moved_on(either: Services) -> None:
    table = started(either, seats=2)
    decision = table.decision()["id"]
    first = table.pick(0, 3, decision, KEY)
    table.pick(1, 4, decision)
    assert table.decision()["id"] != decision
    body = {"decision": decision, "command": {"type": "pick", "number": 3}}
    again, replayed = either.matches.command(table.seat(0), table.match, body, KEY, repr(body))
    assert replayed
    assert again == first
    assert table.types().count("tiny.number_picked") == 2


def test_a_key_used_for_another_request_is_refused(either: Services) -> None:
    table = started(either, seats=2)
    decision = table.decision()["id"]
    table.pick(0, 3, decision, KEY)
    with pytest.raises(KeyReused):
        table.pick(0, 4, decision, KEY)
    assert table.view(table.seat(0))["state"]["picks"] == {"0": 3}


def test_keys_of_different_seats_do_not_meet(either: Services) -> None:
    table = started(either, seats=3)
    decision = table.decision()["id"]
    table.pick(0, 3, decision, KEY)
    table.pick(1, 4, decision, KEY)
    assert table.types().count("tiny.number_picked") == 2


def test_the_same_request_sent_eight_times_at_once_happens_once(either: Services) -> None:
    table = started(either, seats=2)
    decision = table.decision()["id"]
    answers = at_once(*[lambda: table.pick(0, 3, decision, KEY)] * 8)
    assert [answer for answer in answers if answer != answers[0]] == []
    assert table.types().count("tiny.number_picked") == 1


def test_seven_seats_that_choose_at_once_are_all_accepted_200_times(either: Services) -> None:
    for _ in range(67):
        table = started(either, seats=7, options={"rounds": 3})
        for round_ in range(3):
            decision = table.decision()["id"]
            answers = at_once(*(partial(table.pick, seat, 1, decision) for seat in range(7)))
            assert [answer for answer in answers if isinstance(answer, Exception)] == []
            assert table.types().count("tiny.round_scored") == round_ + 1
        assert table.view()["status"] == "over"
        assert table.types().count("tiny.number_picked") == 21


def test_a_command_is_decided_again_when_somebody_else_was_first() -> None:
    store = Between()
    table = started(on(store), seats=3)
    decision = table.decision()["id"]
    store.first = lambda: void(table.pick(1, 2, decision))
    table.pick(0, 3, decision)
    assert [event["actor"] for event in table.log()[-2:]] == ["seat:1", "seat:0"]


def test_a_command_meant_for_one_version_is_not_decided_again() -> None:
    store = Between()
    table = started(on(store), seats=3)
    decision, version = table.decision()["id"], table.view()["version"]
    store.first = lambda: void(table.pick(1, 2, decision))
    body = {"decision": decision, "command": {"type": "pick", "number": 3}}
    with pytest.raises(StaleVersion) as stale:
        table.command(table.seat(0), body, if_match=version)
    assert stale.value.current.version == version + 1
    assert stale.value.current.decision_id == decision
    with pytest.raises(StaleVersion):
        table.command(table.seat(0), body, if_match=version)
    table.command(table.seat(0), body, if_match=version + 1)


def test_an_answer_that_got_lost_is_found_under_its_key() -> None:
    store = Between()
    table = started(on(store), seats=2)

    def lose() -> None:
        raise OutcomeUnknown("the line went dead")

    store.after = lose
    with pytest.raises(OutcomeUnknown):
        table.pick(0, 3, key=KEY)
    outcome = table.services.matches.command_outcome(table.seat(0), table.match, KEY)
    assert outcome["status"] == "applied"
    answer = table.pick(0, 3, key=KEY)
    assert answer["version"] == outcome["last"] == outcome["first"]
    assert table.types().count("tiny.number_picked") == 1


def test_a_retry_is_not_acknowledged_before_the_first_is_on_disk() -> None:
    store = Between()
    table = started(on(store), seats=2)

    def no_disk() -> None:
        store.after = no_disk
        raise OutcomeUnknown("written, but not durable in time")

    store.after = no_disk
    for _ in range(3):
        with pytest.raises(OutcomeUnknown):
            table.pick(0, 3, key=KEY)
    with pytest.raises(OutcomeUnknown):
        store_says_applied = table.services.matches.command_outcome(table.seat(0), table.match, KEY)
        raise AssertionError(store_says_applied)
    store.after = lambda: None
    assert table.pick(0, 3, key=KEY)["version"] == table.view()["version"]
    assert table.types().count("tiny.number_picked") == 1


def test_a_command_that_never_came_is_unknown(services: Services) -> None:
    table = started(services, seats=2)
    assert services.matches.command_outcome(table.seat(0), table.match, KEY) == {"status": "unknown"}


def test_a_failed_append_leaves_nothing_behind() -> None:
    store = Between()
    table = started(on(store), seats=2)
    before = table.view(table.seat(0))

    def fail() -> None:
        raise StoreUnavailable("no disk")

    store.first = fail
    with pytest.raises(StoreUnavailable):
        table.pick(0, 3)
    assert table.view(table.seat(0)) == before
    table.pick(0, 4)
    assert table.view(table.seat(0))["state"]["picks"] == {"0": 4}


def test_a_refused_command_leaves_nothing_behind(services: Services) -> None:
    table = started(services, seats=2)
    before = table.view(table.seat(0))
    with pytest.raises(Refused) as refused:
        table.pick(0, 6)
    assert refused.value.kind == "illegal-move"
    assert refused.value.reason.code == "out-of-range"
    assert table.view(table.seat(0)) == before


def test_somebody_who_is_never_first_gives_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    class Busy(MemoryStore):
        busy = False

        def append(self, match: str, expected: int, *rest: Any, **more: Any) -> Appended:
            if self.busy:
                raise VersionConflict(expected)
            return super().append(match, expected, *rest, **more)

    store = Busy()
    table = started(on(store), seats=2)
    store.busy = True
    monkeypatch.setattr(transact, "BUDGET_S", 0.1)
    with pytest.raises(StoreUnavailable):
        table.pick(0, 3)


def test_a_stale_decision_is_refused_with_where_the_match_stands(either: Services) -> None:
    table = started(either, seats=2)
    old = table.decision()["id"]
    table.pick(0, 1, old)
    table.pick(1, 2, old)
    with pytest.raises(Refused) as refused:
        table.pick(0, 1, old)
    assert refused.value.kind == "stale-decision"
    current = refused.value.current
    assert current.decision_id == table.decision()["id"]
    assert current.version == current.cursor == table.view()["version"]


def test_no_old_command_is_accepted_in_any_later_state(services: Services) -> None:
    table = started(services, seats=2)
    old: list[tuple[int, str]] = []
    for _ in range(3):
        decision = table.decision()["id"]
        for seat in range(2):
            for owner, stale in old:
                with pytest.raises(Refused) as refused:
                    table.pick(owner, 1, stale)
                assert refused.value.kind == "stale-decision"
            table.pick(seat, seat + 1, decision)
        old += [(seat, decision) for seat in range(2)]
    with pytest.raises(Refused) as refused:
        table.pick(0, 1, old[-1][1])
    assert refused.value.kind == "match-over"


def test_commands_for_a_match_that_is_not_there_find_nothing(services: Services) -> None:
    table = started(services, seats=2)
    lost = replace(table, match="mat_" + "a" * 26)
    with pytest.raises(NotFound):
        lost.start()


def test_the_log_names_command_decision_cause_and_hides_what_is_secret(services: Services) -> None:
    table = started(services, seats=2)
    decision = table.decision()["id"]
    table.pick(0, 3, decision)
    table.pick(1, 4, decision)
    *_, first, second, scored = records(services, table.match)
    assert (first.actor, first.cause, first.decision) == ("seat:0", "player", decision)
    assert first.data == {"seat": 0, "number": 3}
    assert first.public == {"seat": 0, "number": "face-down"}
    assert first.parts == {"s0": {"seat": 0, "number": 3}}
    assert set(first.seals) == {"s0", "full"}
    assert (scored.actor, scored.cause, scored.decision) == ("rules", "rules", decision)
    assert (scored.parts, scored.seals) == ({}, {})
    assert second.command == scored.command == second.version
    assert "credential" in second.meta and "key" in second.meta and scored.meta == {}
    assert all("meta" not in event for event in table.log(table.seat(0)))


def test_what_a_command_of_the_table_says_about_a_decision_is_not_recorded(services: Services) -> None:
    table = started(services, seats=3)
    table.command(table.seat(0), {"decision": "d999.nonsense", "command": {"type": "resign"}})
    assert {event["decision"] for event in table.log()} == {None}


def test_time_never_goes_backwards_in_a_log(services: Services, clock: Hands) -> None:
    table = started(services, seats=2)
    clock.move(5000)
    table.pick(0, 3)
    clock.move(-60_000)
    table.pick(1, 4)
    times = [event["occurred_at"] for event in table.log()]
    assert times == sorted(times)
    assert times[-1] == times[-2]


def test_the_cache_is_dropped_when_the_log_is_another_one(services: Services) -> None:
    table = started(services, seats=2)
    table.pick(0, 3)
    kept: Any = services.store
    while not isinstance(kept, MemoryStore):
        kept = kept._inner
    lost = kept._matches[table.match].entries
    del lost[-1:]  # a failover that lost the last event
    assert table.view(table.seat(0))["state"]["picks"] == {}
    table.pick(0, 4)
    assert table.view(table.seat(0))["state"]["picks"] == {"0": 4}


def test_a_fork_of_the_same_length_is_noticed_before_anything_is_added_to_it() -> None:
    one, other = Between(), Between()
    table = started(on(one), seats=2)
    for match, kept in one._matches.items():
        other._matches[match] = type(kept)(list(kept.entries), dict(kept.commands), dict(kept.secrets))
    table.pick(0, 3)
    elsewhere = replace(table, services=on(other))
    elsewhere.pick(0, 5)
    one._matches[table.match] = other._matches[table.match]
    table.pick(1, 2)
    assert [event["data"]["number"] for event in table.log(table.seat(0)) if "number" in event["data"]] == [
        5,
        "face-down",
    ]


def test_old_shapes_are_brought_up_when_folding_and_served_as_they_are(services: Services) -> None:
    table = started(services, seats=2)
    table.pick(0, 3)
    newer = as_game(
        EVENTS={
            **tiny_game.EVENTS,
            "tiny.number_picked": EventType("tiny.number_picked", tiny_game.NumberPicked, 2),
        },
        UPCASTS={("tiny.number_picked", 1): lambda shape: {**shape, "number": 5}},
    )
    release = in_memory(games={"tiny": newer}, adapters=services.adapters)
    later = replace(table, services=release)
    assert later.view(later.seat(0))["state"]["picks"] == {"0": 5}
    assert later.log(later.seat(0))[-1]["data"] == {"seat": 0, "number": 3}
    later.pick(1, 2)
    assert [record.schema for record in records(release, table.match)[-3:]] == [1, 2, 1]


def test_threads_that_read_and_write_the_same_match_never_see_half_a_command(either: Services) -> None:
    table = started(either, seats=3)
    seen: list[Any] = []
    begun, done = threading.Barrier(3), threading.Event()

    def look() -> None:
        begun.wait(60)
        while True:
            view = table.view()
            seen.append((view["version"], len(view["state"]["picks"]), view["state"]["points"]))
            if done.is_set():
                return

    watchers = [threading.Thread(target=look) for _ in range(2)]
    for watcher in watchers:
        watcher.start()
    begun.wait(60)
    for _, seat in itertools.product(range(3), range(3)):
        table.pick(seat, seat + 1)
    done.set()
    for watcher in watchers:
        watcher.join(60)
    assert len(seen) >= 2
    assert all(picks < 3 for _, picks, _ in seen)


def test_a_full_lobby_refuses_one_more(either: Services) -> None:
    table = set_up(either, seats=2)
    with pytest.raises(IllegalMove) as refused:
        table.join()
    assert refused.value.kind == "seat-taken"


def void(value: object) -> None:
    """Nothing, for callbacks that give something."""
