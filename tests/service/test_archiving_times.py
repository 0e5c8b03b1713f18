"""When the archive looks at a finished match, whose clock that follows, and what is gone with a match."""

from typing import Any

import pytest

from events.archive import Whole
from service.adapters.memory_persons import MemoryPersons
from service.archiving import AGAIN_MS, SOON_MS
from service.bootstrap import Services
from service.credentials import Caller
from service.retention import Retention
from service.sandbox import TEST, world
from tests.service.table import Hands, finished, set_up, tenant
from tests.service.test_sandbox import in_test_mode, move_clock
from workers.archiver import MOST

DAY_S = 86_400


def archived(services: Services) -> set[str]:
    """What is in the archive once everything that is due was looked at."""
    while services.archiving.tick(10):
        pass
    return {listed.match for listed in services.archiving.present()}


def test_a_match_moves_when_its_time_has_come_and_not_hours_later(services: Services, clock: Hands) -> None:
    services.archiving.retentions.set("acme", Retention(3600))
    table = finished(services)
    assert archived(services) == set()
    clock.move(3_599_999)
    assert archived(services) == set()
    clock.move(1)
    assert archived(services) == {table.match}


def test_whose_time_never_comes_is_looked_at_now_and_then(services: Services, clock: Hands) -> None:
    services.archiving.retentions.set("acme", Retention(None))
    table = finished(services)
    assert archived(services) == set()
    services.archiving.retentions.set("acme", Retention(0))
    clock.move(AGAIN_MS - 1)
    assert archived(services) == set()
    clock.move(1)
    assert archived(services) == {table.match}


def test_matches_that_cannot_move_yet_are_left_alone_for_a_moment(services: Services, clock: Hands) -> None:
    """Else the loop of a worker would look at a full batch of them again and again, without a pause."""
    hook = {"url": "https://hooks.example/x", "events": ["match.ended"]}
    services.matches.webhooks.create(tenant(services), hook, "webhook-key-0001", "f")
    services.archiving.retentions.set("acme", Retention(0))
    for _ in range(MOST):
        finished(services)
    assert services.archiving.tick(MOST) == MOST
    assert services.archiving.tick(MOST) == 0
    clock.move(SOON_MS)
    assert services.archiving.tick(MOST) == MOST
    assert len(list(services.archiving.present())) == MOST


def test_a_match_of_a_sandbox_moves_by_the_clock_of_the_sandbox(services: Services, clock: Hands) -> None:
    host = in_test_mode(services)
    move_clock(services, host, advance_ms=300 * DAY_S * 1000)
    table = finished(services, host=host)
    assert archived(services) == set()
    clock.move(DAY_S * 1000)
    assert archived(services) == {table.match}
    assert services.archiving.expire() == 0


def test_a_sandbox_has_the_retention_of_its_tenant(services: Services, clock: Hands) -> None:
    services.archiving.retentions.set("acme", Retention(0, keep_s=DAY_S))
    host = in_test_mode(services)
    table = finished(services, host=host)
    move_clock(services, host, advance_ms=DAY_S * 1000 - 1)
    assert archived(services) == {table.match}
    assert services.archiving.expire() == 0
    move_clock(services, host, key="move-a-second-time", advance_ms=1)
    assert services.archiving.expire() == 1
    assert archived(services) == set()
    assert services.adapters.lists.find(world("acme", TEST), table.match) is None


def test_a_worker_that_looks_while_a_match_comes_back_does_not_forget_it(
    services: Services, clock: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = finished(services)
    clock.move(DAY_S * 1000)
    assert archived(services) == {table.match}
    moves = services.adapters.archive.moves
    restore = moves.restore

    def late(whole: Whole, tombstone: str) -> None:
        assert services.archiving.tick(10) == 1, "a worker finds it noted, and still away"
        restore(whole, tombstone)

    monkeypatch.setattr(moves, "restore", late)
    services.matches.revoke_token(table.tenant, table.match, 0)
    assert list(services.archiving.present()) == []
    assert archived(services) == {table.match}, "and looks at it again"


def test_a_match_that_was_brought_back_stays_as_long_as_was_asked_for(
    services: Services, clock: Hands
) -> None:
    table = finished(services)
    clock.move(DAY_S * 1000)
    assert archived(services) == {table.match}
    assert services.archiving.restore(table.match, DAY_S)
    services.upkeep.rebuild()
    clock.move(DAY_S * 1000 - 1)
    assert archived(services) == set()
    clock.move(1)
    assert archived(services) == {table.match}


def test_names_of_seats_are_gone_with_their_match_and_those_of_persons_are_not(
    services: Services, clock: Hands
) -> None:
    host, persons = tenant(services), services.adapters.persons
    assert isinstance(persons, MemoryPersons)
    table = named(services, host, {}, {"player_ref": "user-1"})
    other = named(services, host, {}, {})
    services.archiving.retentions.set("acme", Retention(0, keep_s=DAY_S))
    assert archived(services) == {table.match}
    assert len(persons.persons) == len(persons.kept) == 4
    clock.move(DAY_S * 1000)
    assert services.archiving.expire() == 1
    assert len(persons.persons) == len(persons.kept) == 3
    assert services.persons.find("acme", "user-1") is not None
    assert [each.get("name") for each in other.view()["seats"]] == ["Ann", "Ann"]
    assert services.persons.erasures() == [], "nobody asked for it"


def named(services: Services, host: Caller, *more: dict[str, str]) -> Any:
    """A match of two who have names; the first one resigns if somebody has a `player_ref`."""
    table = set_up(services, 2, host=host)
    for seat, told in enumerate(more):
        services.matches.leave(host, table.match, seat)
        table.join(seat=seat, name="Ann", **told)
    table.start()
    if any(more):
        table.command(table.seat(0), {"command": {"type": "resign"}})
    return table
