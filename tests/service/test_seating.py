"""Seats that get another token, another person, a bot: decided once, at once for all, retried safely."""

import threading
from typing import Any

import pytest

from service import bootstrap
from service.bootstrap import Services
from service.credentials import Caller
from service.errors import Forbidden, Invalid, NotFound, Refused, Unauthenticated
from tests.service import tiny_game
from tests.service.table import Table, at_once, run_jobs, set_up, started, tenant

KEY = "k" * 20


def renew(table: Table, caller: Caller, seat: int, key: str = "") -> dict[str, Any]:
    """A new token of a seat."""
    answer, _ = table.services.matches.renew_token(caller, table.match, seat, key or table.key(), "renew")
    return answer


def hand(table: Table, caller: Caller, seat: int, key: str = "", **body: Any) -> dict[str, Any]:
    """A seat in other hands."""
    answer, _ = table.services.matches.hand_over(
        caller, table.match, seat, body, key or table.key(), repr(body)
    )
    return answer


def test_the_old_token_is_dead_and_the_new_one_opens_the_seat(either: Services) -> None:
    table = started(either, seats=2)
    for who in (table.seat(1), table.tenant):
        old, made = table.seat(1), renew(table, who, 1)
        with pytest.raises(Unauthenticated):
            table.view(old)
        table.tokens[1] = made["token"]
        assert table.view(table.seat(1))["version"]
        with pytest.raises(Unauthenticated):
            table.command(old, {"command": {"type": "resign"}})


def test_the_old_token_is_dead_at_once_in_a_process_that_knows_it(on_redis: Services) -> None:
    table = started(on_redis, seats=2)
    other = bootstrap.services(on_redis.settings, {tiny_game.NAME: tiny_game})
    token = table.tokens[0]
    known = other.matches.authenticate(token, table.match)
    assert other.matches.view(known, table.match)
    renew(table, table.tenant, 0)
    with pytest.raises(Unauthenticated):
        other.matches.view(other.matches.authenticate(token, table.match), table.match)
    other.close()


def test_a_wait_under_way_ends_with_its_token(either: Services) -> None:
    table = started(either, seats=2)
    caller, head = table.seat(0), table.view()["version"]
    ended: list[Exception] = []

    def wait() -> None:
        try:
            either.matches.events(caller, table.match, head, 50, 90)
        except Unauthenticated as error:
            ended.append(error)

    waiting = threading.Thread(target=wait)
    waiting.start()
    renew(table, table.tenant, 0)
    waiting.join(60)
    assert len(ended) == 1


def test_a_lost_answer_is_given_again_to_the_token_that_was_replaced(either: Services) -> None:
    table = started(either, seats=2)
    old = table.seat(0)
    first = renew(table, old, 0, KEY)
    again, replayed = either.matches.renew_token(old, table.match, 0, KEY, "renew")
    assert (again, replayed) == (first, True)
    fresh = bootstrap.services(either.settings, {tiny_game.NAME: tiny_game}, adapters=either.adapters)
    caller = fresh.matches.authenticate(table.tokens[0], table.match)
    assert fresh.matches.renew_token(caller, table.match, 0, KEY, "renew") == (first, True)
    with pytest.raises(Unauthenticated):
        renew(table, old, 0, "x" * 20)
    with pytest.raises(Unauthenticated):
        either.matches.legal_moves(caller, table.match)
    table.tokens[0] = first["token"]
    renew(table, table.seat(0), 0)
    with pytest.raises(Unauthenticated):
        either.matches.authenticate(table.tokens[0], None)
        renew(table, old, 0, KEY)


def test_many_at_once_replace_it_once(either: Services) -> None:
    table = started(either, seats=2)
    before = table.view()["version"]
    answers = at_once(*[lambda: renew(table, table.tenant, 0, KEY)] * 12)
    assert len({answer["token"] for answer in answers}) == 1
    assert table.view()["version"] == before + 1


def test_a_replay_does_not_bring_an_old_token_back(either: Services) -> None:
    table = started(either, seats=2)
    first = renew(table, table.tenant, 0, KEY)
    second = renew(table, table.tenant, 0)
    assert renew(table, table.tenant, 0, KEY) == first
    table.tokens[0] = second["token"]
    assert table.view(table.seat(0))
    with pytest.raises(Unauthenticated):
        table.tokens[0] = first["token"]
        table.view(table.seat(0))


def test_a_revoked_seat_opens_to_nobody_until_the_host_says(either: Services) -> None:
    table = started(either, seats=2)
    old = table.seat(0)
    either.matches.revoke_token(old, table.match, 0)
    either.matches.revoke_token(table.tenant, table.match, 0)
    with pytest.raises(Unauthenticated):
        either.matches.authenticate(table.tokens[0], table.match)
        table.view(old)
    assert table.types().count("match.seat_token_changed") == 1
    table.tokens[0] = renew(table, table.tenant, 0)["token"]
    assert table.view(table.seat(0))["seats"][0]["kind"] == "human"


def test_a_token_can_be_ended_after_the_match_but_not_replaced(services: Services) -> None:
    table = started(services, seats=2)
    late = table.seat(1)
    table.command(table.seat(0), {"command": {"type": "resign"}})
    head = table.view()["version"]
    with pytest.raises(Refused):
        renew(table, late, 1)
    services.matches.revoke_token(table.tenant, table.match, 1)
    with pytest.raises(Unauthenticated):
        table.view(late)
    assert table.view()["version"] == head, "the end stays the last event"


def test_only_the_seat_and_its_host_decide(services: Services) -> None:
    table, elsewhere = started(services, seats=2), started(services, seats=2)
    for caller, refused in (
        (table.seat(1), Forbidden),
        (elsewhere.seat(0), Forbidden),
        (tenant(services, "other"), NotFound),
    ):
        with pytest.raises(refused):
            renew(table, caller, 0)
        with pytest.raises(refused):
            hand(table, caller, 0, kind="person")
        with pytest.raises(refused):
            services.matches.revoke_token(caller, table.match, 0)


def test_another_person_takes_over_the_seat_with_its_hand(either: Services) -> None:
    table = started(either, seats=2)
    table.pick(0, 4)
    old = table.seat(0)
    given = hand(table, old, 0, kind="person", name="Bea")
    assert (given["seat"], given["kind"]) == (0, "human")
    with pytest.raises(Unauthenticated):
        table.view(old)
    table.tokens[0] = given["token"]
    view = table.view(table.seat(0))
    assert view["state"]["picks"]["0"] == 4
    assert view["seats"][0]["name"] == "Bea"
    assert [event["actor"] for event in table.log() if event["type"] == "match.seat_handed_over"] == [
        "seat:0"
    ]


def test_a_seat_lends_itself_to_a_bot_that_plays_at_once_and_takes_itself_back(services: Services) -> None:
    table = started(services, seats=2)
    hand(table, table.seat(0), 0, kind="bot", bot="easy")
    run_jobs(services)
    assert table.view()["awaited"] == [1]
    (back,) = services.matches.legal_moves(table.seat(0), table.match)["moves"]
    table.command(table.seat(0), back["body"])
    table.pick(1, 2)
    run_jobs(services)
    assert 0 in table.view()["awaited"], "no bot plays the seat any more"


def test_a_seat_the_host_gives_to_a_bot_is_gone_for_its_player(services: Services) -> None:
    table = started(services, seats=2)
    old = table.seat(0)
    assert hand(table, table.tenant, 0, kind="bot", bot="easy") == {"seat": 0, "kind": "bot", "bot": "easy"}
    with pytest.raises(Unauthenticated):
        table.command(old, {"command": {"type": "reclaim_seat"}})
    table.tokens[0] = hand(table, table.tenant, 0, kind="person")["token"]
    table.pick(0, 3)


def test_bots_alone_play_a_match_to_its_end_that_people_left(services: Services) -> None:
    table = started(services, seats=3)
    for seat in range(3):
        hand(table, table.seat(seat), seat, kind="bot", bot="easy")
    run_jobs(services)
    assert table.view()["status"] == "over"


def test_a_hand_over_is_retried_safely(either: Services) -> None:
    table = started(either, seats=2)
    old = table.seat(0)
    first = hand(table, old, 0, KEY, kind="person")
    assert hand(table, old, 0, KEY, kind="person") == first
    assert table.types().count("match.seat_handed_over") == 1


@pytest.mark.parametrize("body", [{}, {"kind": "cat"}, {"kind": "bot"}, {"kind": "person", "bot": "easy"}])
def test_what_is_no_controller_is_refused(services: Services, body: dict[str, Any]) -> None:
    table = started(services, seats=2)
    with pytest.raises(Invalid):
        hand(table, table.tenant, 0, **body)


def test_in_the_lobby_seats_are_left_not_handed_over(services: Services) -> None:
    table = set_up(services, seats=2)
    with pytest.raises(Refused):
        hand(table, table.tenant, 0, kind="bot", bot="easy")
    assert renew(table, table.seat(0), 0)["token"]


def retried(table: Table, caller: Caller, key: str = KEY) -> bool:
    """Whether more time under this key was given before."""
    body: dict[str, Any] = {"command": {"type": "add_time", "ms": 60_000}}
    _, replayed = table.services.matches.command(caller, table.match, body, key, repr(body))
    return replayed


def with_a_clock(services: Services) -> Table:
    """A running match in which time can be given."""
    return started(services, seats=2, options={"decision_limit_ms": 60_000})


def test_a_command_is_retried_safely_with_the_token_that_came_after(either: Services) -> None:
    table = with_a_clock(either)
    assert not retried(table, table.seat(0))
    for is_host in (True, False, True):
        table.tokens[0] = renew(table, table.tenant if is_host else table.seat(0), 0)["token"]
        found = either.matches.command_outcome(table.seat(0), table.match, KEY)
        assert found["status"] == "applied"
        assert retried(table, table.seat(0))
    either.matches.revoke_token(table.tenant, table.match, 0)
    table.tokens[0] = renew(table, table.tenant, 0)["token"]
    assert retried(table, table.seat(0)), "also after it had none"
    assert table.types().count("match.time_added") == 1


def test_what_a_key_did_is_told_to_nobody_else_who_gets_the_seat(either: Services) -> None:
    table = with_a_clock(either)
    retried(table, table.seat(0))
    table.tokens[0] = renew(table, table.seat(0), 0)["token"]
    given = hand(table, table.seat(0), 0, KEY, kind="person")
    assert hand(table, table.seat(0), 0, KEY, kind="person") == given, "the token before asks again"
    table.tokens[0] = given["token"]
    for caller in (table.seat(0), table.seat(1), table.tenant):
        assert either.matches.command_outcome(caller, table.match, KEY) == {"status": "unknown"}
    assert not retried(table, table.seat(0))


def test_a_seat_left_in_the_lobby_forgets_who_held_it(either: Services) -> None:
    table = set_up(either, seats=2)
    table.tokens[0] = renew(table, table.seat(0), 0)["token"]
    first = table.seat(0)
    either.matches.leave(first, table.match, 0)
    table.join(seat=0)
    assert table.seat(0).holder == table.seat(0).credential != first.holder


def test_keys_of_a_token_from_before_holders_were_known_still_count(either: Services) -> None:
    table = with_a_clock(either)
    retried(table, table.seat(0))
    assert not either.adapters.store.secrets(table.match)["holder:0"], "as a match written before has it"
    table.tokens[0] = renew(table, table.seat(0), 0)["token"]
    assert retried(table, table.seat(0))
