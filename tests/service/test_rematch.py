"""Rematches: one for each match, the same table, everybody one seat further."""

from functools import partial

import pytest

from service.bootstrap import Services
from service.credentials import NOBODY
from service.errors import Forbidden, InviteInvalid, NotFound, Refused, Unauthenticated
from tests.service.table import Table, at_once, run_jobs, set_up, started, tenant


def over(services: Services, seats: int = 3, **more: object) -> Table:
    """A match that somebody has won because the others resigned."""
    table = started(services, seats, **more)  # type: ignore[arg-type]
    for seat in list(table.tokens)[1:] or list(table.tokens):
        table.command(table.seat(seat), {"command": {"type": "resign"}})
    for seat in list(table.tokens)[:1]:
        if table.view()["status"] != "over":
            table.command(table.seat(seat), {"command": {"type": "resign"}})
    assert table.view()["status"] == "over"
    return table


def test_everybody_who_asks_finds_the_same_match(either: Services) -> None:
    table = over(either, options={"rounds": 2}, visibility="private")
    callers = [table.tenant, *(table.seat(seat) for seat in range(3))]
    made = at_once(*(partial(either.matches.rematch, caller, table.match) for caller in callers))
    assert len({answer["match"]["id"] for answer, _ in made}) == 1
    assert sum(not there for _, there in made) == 1
    new = made[0][0]["match"]
    assert (new["options"]["rounds"], new["visibility"], new["status"]) == (2, "private", "lobby")
    assert new["rematch_of"] == table.match
    assert either.matches.match(table.tenant, table.match)["rematch"] == new["id"]
    assert "rematch" not in new


def test_everybody_is_invited_to_the_next_seat_and_sees_the_own_invite_alone(either: Services) -> None:
    table = over(either)
    own = [either.matches.rematch(table.seat(seat), table.match)[0] for seat in range(3)]
    everybody, _ = either.matches.rematch(table.tenant, table.match)
    assert [answer["seats"][0]["seat"] for answer in own] == [1, 2, 0]
    assert sorted((a["seats"][0] for a in own), key=lambda seat: seat["seat"]) == everybody["seats"]
    new = Table(either, table.tenant, everybody["match"]["id"])
    for seat in (0, 1, 2):
        invite = own[(seat - 1) % 3]["seats"][0]["invite"]
        guest = either.matches.authenticate(invite, new.match)
        with pytest.raises(Forbidden):
            either.matches.join(guest, new.match, {"seat": (seat + 1) % 3}, new.key(), "j")
        joined, _ = either.matches.join(guest, new.match, {}, new.key(), "j")
        assert joined["seat"] == seat
        with pytest.raises(InviteInvalid):
            either.matches.join(guest, new.match, {}, new.key(), "j")
    new.start()
    assert new.view()["status"] == "running"


def test_bots_sit_down_again_and_players_keep_their_references(services: Services) -> None:
    table = set_up(services, seats=3, bots={1: "easy", 2: "random"})
    services.matches.leave(table.tenant, table.match, 0)
    table.join(player_ref="ann")
    table.start()
    table.command(table.seat(0), {"command": {"type": "resign"}})
    while table.view()["status"] != "over":
        run_jobs(services)
    made, _ = services.matches.rematch(table.seat(0), table.match)
    kinds = [(seat["kind"], seat.get("bot")) for seat in made["match"]["seats"]]
    assert kinds == [("bot", "random"), ("open", None), ("bot", "easy")]
    guest = services.matches.authenticate(made["seats"][0]["invite"], made["match"]["id"])
    services.matches.join(guest, made["match"]["id"], {}, "join-the-rematch-1", "j")
    services.matches.command(
        table.tenant, made["match"]["id"], {"command": {"type": "start"}}, "start-the-rematch", "s"
    )
    waiting = services.matches.list_matches(table.tenant, awaiting_me="ann")["items"]
    assert [each["id"] for each in waiting] == [made["match"]["id"]]


def test_a_rematch_that_was_called_off_is_followed_by_another(either: Services) -> None:
    table = over(either)
    first = either.matches.rematch(table.tenant, table.match)[0]["match"]["id"]
    Table(either, table.tenant, first).command(table.tenant, {"command": {"type": "cancel"}})
    second = either.matches.rematch(table.seat(0), table.match)[0]["match"]["id"]
    assert second != first
    assert either.matches.match(table.tenant, table.match)["rematch"] == second
    with pytest.raises(Refused):
        either.matches.rematch(table.tenant, first)


def test_there_is_none_before_the_end_and_none_for_strangers(services: Services) -> None:
    running, table = started(services, seats=2), over(services)
    with pytest.raises(Refused) as refused:
        services.matches.rematch(running.tenant, running.match)
    assert (refused.value.kind, refused.value.reason.code) == ("conflict", "not-over")
    with pytest.raises(NotFound):
        services.matches.rematch(tenant(services, "stranger"), table.match)
    with pytest.raises(Unauthenticated):
        services.matches.rematch(NOBODY, table.match)
    with pytest.raises(Forbidden):
        services.matches.rematch(running.seat(0), table.match)


def test_the_lists_know_of_it(on_redis: Services) -> None:
    table = over(on_redis)
    on_redis.matches.rematch(table.tenant, table.match)
    assert on_redis.relisting.check().is_clean
