"""Invites and spectator tokens: what they open, how often, until when; kept as hashes only."""

import json
from typing import Any

import pytest

from domain.kernel.errors import IllegalMove
from events.store import KeyReused
from service import passes
from service.bootstrap import Services
from service.credentials import INVITE, SPECTATOR, Caller, hashed, seat_token, token_field
from service.errors import Forbidden, Invalid, InviteInvalid, NotFound, Refused, Unauthenticated
from service.settings import derived
from tests.service.table import SECRET, Hands, Table, at_once, set_up, started, tenant

KEY = "k" * 20


def issue(table: Table, role: str, key: str = "", **body: Any) -> dict[str, Any]:
    """A pass of the match."""
    made, _ = table.services.matches.issue_pass(
        table.tenant, table.match, role, body, key or table.key(), repr(body)
    )
    return made


def holder(table: Table, made: dict[str, Any]) -> Caller:
    """Who holds its token."""
    return table.services.matches.authenticate(made["token"], table.match)


def sit(table: Table, caller: Caller, key: str = "", **body: Any) -> dict[str, Any]:
    """Somebody sits down with an invite."""
    joined, _ = table.services.matches.join(caller, table.match, body, key or table.key(), repr(body))
    return joined


def open_table(services: Services, seats: int = 3, **more: Any) -> Table:
    """A match with open seats."""
    table = set_up(services, seats=seats, **more)
    for seat in range(seats):
        services.matches.leave(table.tenant, table.match, seat)
    return table


def test_an_invite_takes_any_seat_once(either: Services) -> None:
    table = open_table(either)
    held = holder(table, issue(table, INVITE))
    joined = sit(table, held, name="Ann")
    assert table.services.matches.authenticate(joined["token"], table.match).seat == joined["seat"] == 0
    with pytest.raises(InviteInvalid):
        sit(table, held)
    (listed,) = either.matches.passes(table.tenant, table.match, INVITE)["items"]
    assert (listed["used"], listed["uses"], listed["revoked_at"]) == (1, 1, None)
    assert "token" not in listed


def test_a_lost_answer_is_given_again_though_the_invite_is_spent(either: Services) -> None:
    table = open_table(either)
    held = holder(table, issue(table, INVITE))
    joined = sit(table, held, KEY, name="Ann")
    assert sit(table, held, KEY, name="Ann") == joined
    with pytest.raises(KeyReused):
        sit(table, held, KEY, name="Bob")


def test_of_many_who_use_it_at_once_only_so_many_sit_down(either: Services) -> None:
    table = open_table(either, seats=4)
    held = holder(table, issue(table, INVITE, uses=2))
    answers = at_once(*[lambda: sit(table, held)] * 8)
    seats = [answer["seat"] for answer in answers if isinstance(answer, dict)]
    assert sorted(seats) == [0, 1]
    assert sum(isinstance(answer, InviteInvalid) for answer in answers) == 6


def test_an_invite_for_a_seat_takes_that_seat(services: Services) -> None:
    table = open_table(services)
    held = holder(table, issue(table, INVITE, seat=2))
    with pytest.raises(Forbidden) as refused:
        sit(table, held, seat=1)
    assert refused.value.code == "seat-mismatch"
    assert sit(table, held)["seat"] == 2
    other = holder(table, issue(table, INVITE, seat=2))
    with pytest.raises(Refused):
        sit(table, other)


def test_an_invite_seats_persons_only(services: Services) -> None:
    table = open_table(services)
    with pytest.raises(Forbidden):
        sit(table, holder(table, issue(table, INVITE)), kind="bot", bot="easy")


def test_an_invite_ends_when_it_is_revoked_or_its_time_is_over(services: Services, clock: Hands) -> None:
    table = open_table(services)
    made, brief = issue(table, INVITE), issue(table, INVITE, expires_in_s=60)
    held, short = holder(table, made), holder(table, brief)
    for _ in range(2):
        services.matches.end_pass(table.tenant, table.match, INVITE, made["id"])
    clock.move(60_000)
    for caller in (held, short, holder(table, made)):
        with pytest.raises(InviteInvalid):
            sit(table, caller)


def test_an_invite_shows_the_match_but_not_the_table(services: Services) -> None:
    table = open_table(services, visibility="private")
    held = holder(table, issue(table, INVITE))
    assert services.matches.match(held, table.match)["id"] == table.match
    assert services.matches.seats(held, table.match)["items"]
    for read in (services.matches.view, services.matches.export, services.matches.legal_moves):
        with pytest.raises(Forbidden):
            read(held, table.match)
    with pytest.raises(Forbidden):
        services.matches.events(held, table.match, 0)


def test_a_spectator_token_watches_a_private_match_until_it_is_ended(either: Services) -> None:
    table = started(either, seats=2, visibility="private")
    made = issue(table, SPECTATOR, label="commentator")
    watcher = holder(table, made)
    table.pick(0, 3)
    assert table.view(watcher)["state"]["picks"] == {"0": "face-down"}
    assert table.view(watcher) == table.view()
    for use in (
        lambda: table.command(watcher, {"command": {"type": "resign"}}),
        lambda: table.command(watcher, {"command": {"type": "cancel"}}),
        lambda: either.matches.legal_moves(watcher, table.match),
        lambda: sit(table, watcher),
    ):
        with pytest.raises(Forbidden):
            use()
    either.matches.end_pass(table.tenant, table.match, SPECTATOR, made["id"])
    with pytest.raises(Unauthenticated):
        table.view(watcher)
    with pytest.raises(Unauthenticated):
        table.view(holder(table, made))


def test_passes_of_one_match_open_no_other(services: Services) -> None:
    table, other = open_table(services), open_table(services)
    for role in (INVITE, SPECTATOR):
        made = issue(table, role)
        with pytest.raises(Forbidden):
            services.matches.authenticate(made["token"], other.match)
        caller = services.matches.authenticate(made["token"], None)
        with pytest.raises(Forbidden):
            services.matches.view(caller, other.match)
        with pytest.raises(Forbidden):
            sit(other, caller)


def test_only_hashes_are_kept(either: Services) -> None:
    table = open_table(either)
    made = [issue(table, role) for role in (INVITE, SPECTATOR)]
    kept = json.dumps(either.store.secrets(table.match))
    for each in made:
        assert hashed(each["token"]) in kept
        assert each["token"].rpartition("_")[2] not in kept
    assert not [event for event in table.log() if "invite" in json.dumps({**event, "match": "by chance"})]


def test_only_the_host_issues_lists_and_ends(services: Services) -> None:
    table = started(services, seats=2)
    for caller, refused in ((table.seat(0), Forbidden), (tenant(services, "other"), NotFound)):
        with pytest.raises(refused):
            services.matches.issue_pass(caller, table.match, INVITE, {}, KEY, "x")
        with pytest.raises(refused):
            services.matches.passes(caller, table.match, SPECTATOR)
        with pytest.raises(refused):
            services.matches.end_pass(caller, table.match, INVITE, "a" * 16)
    with pytest.raises(NotFound):
        services.matches.end_pass(table.tenant, table.match, INVITE, "a" * 16)


def test_issuing_is_retried_safely(either: Services) -> None:
    table = open_table(either)
    answers = at_once(*[lambda: issue(table, INVITE, KEY, uses=2)] * 10)
    assert len({answer["token"] for answer in answers}) == 1
    assert len(either.matches.passes(table.tenant, table.match, INVITE)["items"]) == 1
    with pytest.raises(KeyReused):
        issue(table, INVITE, KEY, uses=3)


def test_those_that_ended_make_room_for_new_ones(services: Services) -> None:
    table = open_table(services)
    made = [issue(table, INVITE) for _ in range(passes.MOST)]
    with pytest.raises(IllegalMove) as refused:
        issue(table, INVITE)
    assert refused.value.kind == "conflict"
    assert issue(table, SPECTATOR)["token"], "each kind has room of its own"
    services.matches.end_pass(table.tenant, table.match, INVITE, made[0]["id"])
    assert issue(table, INVITE)["token"]
    with pytest.raises(Unauthenticated):
        holder(table, made[0])


@pytest.mark.parametrize(
    "body",
    [{"seat": 9}, {"seat": True}, {"uses": 0}, {"uses": 101}, {"expires_in_s": 1}, {"label": "x" * 81}],
)
def test_what_is_no_invite_is_refused(services: Services, body: dict[str, Any]) -> None:
    with pytest.raises(Invalid):
        issue(open_table(services), INVITE, **body)


def test_guests_who_use_the_same_key_get_tokens_of_their_own(either: Services) -> None:
    """As keys copied from an example are: whoever had the seat before must not get back in."""
    table = set_up(either, seats=2, bots={1: "easy"})
    either.matches.leave(table.tenant, table.match, 0)
    key = "the-key-of-an-example"
    tokens = []
    for number in range(3):
        guest = table.tenant
        if number:
            guest = holder(table, issue(table, INVITE, seat=0))
        joined, _ = either.matches.join(guest, table.match, {"seat": 0}, key, "f")
        assert either.matches.join(guest, table.match, {"seat": 0}, key, "f") == (joined, True)
        for gone in tokens:
            with pytest.raises(Unauthenticated):
                either.matches.view(either.matches.authenticate(gone, table.match), table.match)
        tokens.append(joined["token"])
        caller = either.matches.authenticate(tokens[-1], table.match)
        assert caller.seat == 0
        either.matches.leave(table.tenant, table.match, 0)
    assert len(set(tokens)) == 3


def test_a_join_of_an_older_release_is_answered_again_with_its_token(services: Services) -> None:
    table = set_up(services, seats=2, bots={1: "easy"})
    services.matches.leave(table.tenant, table.match, 0)
    key = "the-key-of-the-join-0"
    services.matches.join(table.tenant, table.match, {"seat": 0}, key, "f")
    ids = derived(SECRET, "ids")
    former = seat_token(ids, table.match, 0, key)
    services.store.put_secrets(table.match, {token_field(0): hashed(former)})
    joined, replayed = services.matches.join(table.tenant, table.match, {"seat": 0}, key, "f")
    assert replayed and joined["token"] == former
