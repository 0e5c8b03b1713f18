"""The queue: players wait for a table and get one, each exactly one."""

import itertools
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from domain.kernel.errors import IllegalMove
from events.store import KeyReused, StoreUnavailable
from service import bootstrap, settings
from service.bootstrap import Services
from service.credentials import NOBODY, Caller
from service.errors import Forbidden, Invalid, NotFound, Unauthenticated
from service.playing import Playing
from tests.service import tiny_game
from tests.service.table import PATIENT_MS, SECRET, Hands, at_once, run_jobs, set_up, tenant

_KEYS = itertools.count()


def enter(services: Services, host: Caller, key: str = "", **more: Any) -> dict[str, Any]:
    """A ticket for a table of two, unless `more` says something else."""
    body = {"game": "tiny", "seats": {"min": 2, "max": 2}, **more}
    name = key or f"ticket-key-{next(_KEYS):06d}"
    return services.matches.enter_queue(host, body, name, repr(sorted(body.items())))[0]


def read(services: Services, host: Caller, ticket: dict[str, Any]) -> dict[str, Any]:
    return services.matches.queue_ticket(host, ticket["id"])[0]


def test_two_who_want_the_same_sit_down_together_and_play(either: Services) -> None:
    host = tenant(either)
    first = enter(either, host, name="Ann", entropy="c0ffee", player_ref="ann")
    assert first["status"] == "waiting" and "token" not in first
    second = enter(either, host, name="Bob", player_ref="bob")
    first = read(either, host, first)
    assert (first["status"], second["status"]) == ("matched", "matched")
    assert first["match"] == second["match"] and {first["seat"], second["seat"]} == {0, 1}
    for ticket in (first, second):
        caller = either.matches.authenticate(ticket["token"], ticket["match"])
        assert either.matches.view(caller, ticket["match"])["status"] == "running"
        assert caller.seat == ticket["seat"]
    seats = either.matches.seats(host, first["match"])["items"]
    assert [seats[first["seat"]]["name"], seats[second["seat"]]["name"]] == ["Ann", "Bob"]
    waiting = either.matches.list_matches(host, awaiting_me="ann")["items"]
    assert [each["id"] for each in waiting] == [first["match"]]


def test_a_ticket_names_nobody_at_rest_and_nobody_who_was_erased(either: Services) -> None:
    host = tenant(either)
    first = enter(either, host, name="Ann of Cleves", player_ref="user-4711")
    kept = either.adapters.queue_of_players.get("acme", first["id"])
    assert kept is not None
    shown = repr(replace(kept, fingerprint="of the request, a hash"))
    assert "of Cleves" not in shown and "user-4711" not in shown
    assert either.persons.erase("acme", "user-4711", "operator")
    enter(either, host)
    found = read(either, host, first)
    seats = either.matches.seats(host, found["match"])["items"]
    assert found["status"] == "matched" and "name" not in seats[found["seat"]]


def test_who_wants_something_else_waits_on(either: Services) -> None:
    host, other = tenant(either), tenant(either, "other")
    enter(either, host)
    for ticket in (
        enter(either, host, options={"rounds": 2}),
        enter(either, host, seats={"min": 3, "max": 3}),
        enter(either, host, visibility="private"),
        enter(either, other),
    ):
        assert ticket["status"] == "waiting"


def test_bots_fill_the_table_after_the_wait(services: Services, clock: Hands) -> None:
    host = tenant(services)
    ticket = enter(services, host, seats={"min": 3, "max": 4}, wait_ms=20_000, bot="easy")
    clock.move(19_999)
    services.queueing.tick()
    assert read(services, host, ticket)["status"] == "waiting"
    clock.move(1)
    services.queueing.tick()
    found = read(services, host, ticket)
    assert found["status"] == "matched"
    seats = services.matches.seats(host, found["match"])["items"]
    assert sorted(seat["kind"] for seat in seats) == ["bot", "bot", "human"]
    assert run_jobs(services) >= 1, "the bots were asked to play"


def test_a_ticket_expires_and_is_withdrawn_but_not_from_a_table(services: Services, clock: Hands) -> None:
    host = tenant(services)
    late, gone = enter(services, host, expires_in_s=10), enter(services, host, options={"rounds": 2})
    for _ in range(2):
        services.matches.leave_queue(host, gone["id"])
    assert read(services, host, gone)["status"] == "withdrawn"
    clock.move(10_000)
    services.queueing.tick()
    assert read(services, host, late)["status"] == "expired"
    pair = [enter(services, host) for _ in range(2)]
    with pytest.raises(IllegalMove):
        services.matches.leave_queue(host, pair[0]["id"])
    assert read(services, host, pair[0])["status"] == "matched"


def test_a_retry_finds_its_ticket(either: Services) -> None:
    host = tenant(either)
    key = "the-key-of-the-ticket"
    first = enter(either, host, key)
    assert enter(either, host, key) == first
    with pytest.raises(KeyReused):
        enter(either, host, key, wait_ms=1)
    made = at_once(*[partial(enter, either, host, "another-key-of-ticket")] * 5)
    assert len({ticket["id"] for ticket in made}) == 1


def test_tickets_are_the_tenants_own(services: Services) -> None:
    host = tenant(services)
    ticket = enter(services, host)
    for call in (services.matches.queue_ticket, services.matches.leave_queue):
        with pytest.raises(NotFound):
            call(tenant(services, "stranger"), ticket["id"])
        with pytest.raises(NotFound):
            call(host, "qt_" + "a" * 26)
        with pytest.raises(Unauthenticated):
            call(NOBODY, ticket["id"])
    table = set_up(services, seats=2)
    with pytest.raises(Forbidden):
        enter(services, table.seat(0))


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"game": "chess"}, "/game"),
        ({"options": {"rounds": 9}}, "/options/rounds"),
        ({"options": 1}, "/options"),
        ({"seats": {"min": 1}}, "/seats/min"),
        ({"seats": {"min": 3, "max": 2}}, "/seats/max"),
        ({"seats": 2}, "/seats"),
        ({"wait_ms": -1}, "/wait_ms"),
        ({"wait_ms": True}, "/wait_ms"),
        ({"expires_in_s": 9}, "/expires_in_s"),
        ({"bot": "deep-thought"}, "/bot"),
        ({"name": "", "player_ref": "ann"}, "/name"),
        ({"name": "Ann"}, "/player_ref"),
        ({"entropy": "AB"}, "/entropy"),
        ({"player_ref": "x" * 129}, "/player_ref"),
        ({"visibility": "secret"}, "/visibility"),
        ({"colour": 1}, "/colour"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused(
    services: Services, change: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(Invalid) as wrong:
        enter(services, tenant(services), **change)
    assert [fault.pointer for fault in wrong.value.faults] == [pointer]


def test_of_many_tickets_at_once_in_several_processes_each_gets_one_seat(
    server_url: str, on_redis: Services
) -> None:
    host = tenant(on_redis)
    others = [_another(server_url) for _ in range(3)]
    places = [on_redis, *others]
    try:
        calls = [
            partial(
                enter, places[number % 4], host, f"parallel-ticket-{number:04d}", seats={"min": 3, "max": 3}
            )
            for number in range(24)
        ]
        calls += [each.queueing.tick for each in places]
        made = [ticket for ticket in at_once(*calls) if ticket is not None]
        assert not [each for each in made if isinstance(each, Exception)]
        on_redis.queueing.tick()
        found = [read(on_redis, host, ticket) for ticket in made]
        assert {ticket["status"] for ticket in found} == {"matched"}
        assert len({(ticket["match"], ticket["seat"]) for ticket in found}) == 24
        assert len({ticket["match"] for ticket in found}) == 8
        assert len(on_redis.matches.list_matches(host, limit=200)["items"]) == 8, "and no table besides"
        assert on_redis.adapters.queue_of_players.tables("acme") == []
    finally:
        for each in others:
            each.close()


def _another(url: str) -> Services:
    """The services of another process."""
    known = replace(settings.for_memory(SECRET), streams_url=url, queues_url=url, store_timeout_ms=PATIENT_MS)
    return bootstrap.services(known, {tiny_game.NAME: tiny_game})


@pytest.mark.parametrize("crash", ["create", "join", "start", "finish"])
def test_whoever_is_killed_while_seating_leaves_nothing_undone(either: Services, crash: str) -> None:
    host = tenant(either)
    first = enter(either, host)

    class Killed(BaseException):
        """As a signal would end it."""

    def die(*_: Any, **__: Any) -> Any:
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        if crash == "finish":
            patch.setattr(type(either.adapters.queue_of_players), "finish", die)
        elif crash == "start":
            patch.setattr(Playing, "command", die)
        else:
            patch.setattr(f"service.lobby.Lobby.{crash}", die)
        with pytest.raises(Killed):
            enter(either, host, "the-key-of-the-second")
    second = enter(either, host, "the-key-of-the-second")
    assert second["status"] == "seating"
    either.queueing.tick()
    found = [read(either, host, ticket) for ticket in (first, second)]
    assert [ticket["status"] for ticket in found] == ["matched", "matched"]
    assert len(either.matches.list_matches(host)["items"]) == 1
    assert either.matches.match(host, found[0]["match"])["status"] == "running"


def test_players_whose_table_was_called_off_wait_again(services: Services) -> None:
    host = tenant(services)
    first = enter(services, host)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Playing, "command", _unavailable)
        with pytest.raises(StoreUnavailable):
            enter(services, host, "the-key-of-the-second")
    (match,) = services.matches.list_matches(host)["items"]
    services.matches.command(host, match["id"], {"command": {"type": "cancel"}}, "cancel-the-table", "c")
    services.queueing.tick()
    services.queueing.tick()
    found = read(services, host, first)
    assert found["status"] == "matched" and found["match"] != match["id"]


def _unavailable(*_: Any, **__: Any) -> Any:
    raise StoreUnavailable("for a test")


def test_a_ticket_is_waited_for(services: Services) -> None:
    host = tenant(services)
    first = enter(services, host)
    waited, entered = at_once(
        partial(services.matches.queue_ticket, host, first["id"], 60.0), partial(enter, services, host)
    )
    assert waited[1] is True and waited[0]["status"] == "matched"
    assert entered["match"] == waited[0]["match"]
