"""Setting a match up, sitting down, getting up."""

from functools import partial
from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.kernel import table
from events.store import KeyReused
from service.bootstrap import Services
from service.credentials import NOBODY
from service.errors import Forbidden, Invalid, NotFound, Refused, Unauthenticated
from tests.service import tiny_game
from tests.service.table import Hands, at_once, in_memory, records, set_up, started, tenant

KEY = "one-key-for-all-tries"
BODY: dict[str, Any] = {"game": "tiny", "seats": [{"kind": "open"}, {"kind": "bot", "bot": "easy"}]}


def test_a_new_match_waits_in_the_lobby_with_its_options_filled_in(services: Services) -> None:
    made, replayed = services.matches.create(tenant(services), {**BODY, "options": {"rounds": 2}}, KEY, "a")
    assert not replayed
    assert made["id"].startswith("mat_") and len(made["id"]) == 30
    assert (made["game"], made["ruleset"], made["status"], made["version"]) == (
        "tiny",
        "tiny/1.0.0",
        "lobby",
        1,
    )
    assert made["seats"] == [
        {"seat": 0, "kind": "open", "resigned": False},
        {"seat": 1, "kind": "bot", "bot": "easy", "resigned": False},
    ]
    filled = {option.name: option.default for option in (*table.OPTIONS, *tiny_game.OPTIONS)}
    assert made["options"] == {**filled, "rounds": 2}
    assert made["options"].keys() >= {
        "decision_limit_ms",
        "on_expiry",
        "takeover_bot",
        "expiry",
        "undo",
        "bonus",
    }
    assert made["links"]["self"] == f"/v1/matches/{made['id']}"


def test_the_same_key_gives_the_same_match_as_it_was_then(either: Services) -> None:
    host = tenant(either)
    first, _ = either.matches.create(host, BODY, KEY, "a")
    either.matches.join(host, first["id"], {}, "another-key-for-joining", "a")
    again, replayed = either.matches.create(host, BODY, KEY, "a")
    assert replayed
    assert again == first
    with pytest.raises(KeyReused):
        either.matches.create(host, BODY, KEY, "b")


def test_the_same_request_at_once_makes_one_match(either: Services) -> None:
    host = tenant(either)
    made = at_once(*[partial(either.matches.create, host, BODY, KEY, "a")] * 6)
    assert len({match["id"] for match, _ in made}) == 1
    assert sum(not replayed for _, replayed in made) == 1


def test_another_tenants_key_is_another_match(services: Services) -> None:
    one, _ = services.matches.create(tenant(services, "one"), BODY, KEY, "a")
    other, replayed = services.matches.create(tenant(services, "other"), BODY, KEY, "a")
    assert one["id"] != other["id"]
    assert not replayed


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"game": "chess"}, "/game"),
        ({"game": None}, "/game"),
        ({"seats": []}, "/seats"),
        ({"seats": [{"kind": "open"}] * 8}, "/seats"),
        ({"seats": "two"}, "/seats"),
        ({"seats": [{"kind": "open"}, {"kind": "throne"}]}, "/seats/1"),
        ({"seats": [{"kind": "open"}, {"kind": "open", "bot": "easy"}]}, "/seats/1"),
        ({"seats": [{"kind": "bot", "bot": "deep-thought"}, {"kind": "open"}]}, "/seats/0/bot"),
        ({"options": {"rounds": 4}}, "/options/rounds"),
        ({"options": {"rounds": "3"}}, "/options/rounds"),
        ({"options": {"rounds": True}}, "/options/rounds"),
        ({"options": {"bonus": 1}}, "/options/bonus"),
        ({"options": {"decision_limit_ms": 199}}, "/options/decision_limit_ms"),
        ({"options": {"decision_limit_ms": 1000.0}}, "/options/decision_limit_ms"),
        ({"options": {"a/b~c": 1}}, "/options/a~1b~0c"),
        ({"options": [1]}, "/options"),
        ({"visibility": "secret"}, "/visibility"),
        ({"colour": "blue"}, "/colour"),
    ],
)
def test_a_match_that_makes_no_sense_is_refused_with_a_pointer(
    services: Services, change: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(Invalid) as wrong:
        services.matches.create(tenant(services), {**BODY, **change}, KEY, "a")
    assert pointer in [fault.pointer for fault in wrong.value.faults]


def test_every_wrong_option_is_named_at_once(services: Services) -> None:
    with pytest.raises(Invalid) as wrong:
        services.matches.create(tenant(services), {**BODY, "options": {"rounds": 9, "x": 1}}, KEY, "a")
    assert {fault.pointer for fault in wrong.value.faults} == {"/options/rounds", "/options/x"}


def test_only_a_tenant_sets_a_match_up(services: Services) -> None:
    with pytest.raises(Unauthenticated):
        services.matches.create(NOBODY, BODY, KEY, "a")
    table = set_up(services, seats=2)
    with pytest.raises(Forbidden):
        services.matches.create(table.seat(0), BODY, KEY, "a")


def test_a_join_is_answered_again_with_the_same_token(either: Services) -> None:
    table = set_up(either, seats=2)
    host, match = tenant(either), None
    made, _ = either.matches.create(host, BODY, KEY, "a")
    match = made["id"]
    first, _ = either.matches.join(host, match, {"name": "Ann"}, KEY, "j")
    again, replayed = either.matches.join(host, match, {"name": "Ann"}, KEY, "j")
    assert replayed
    assert again == first
    assert either.matches.authenticate(first["token"], match).seat == first["seat"] == 0
    assert table.match != match


def test_a_join_takes_the_wished_seat_or_the_first_open_one(services: Services) -> None:
    host = tenant(services)
    made, _ = services.matches.create(host, {**BODY, "seats": [{"kind": "open"}] * 3}, KEY, "a")
    keys = iter(["first-key-0123456", "second-key-012345", "third-key-0123456", "fourth-key-012345"])

    def join(**body: Any) -> int:
        return int(services.matches.join(host, made["id"], body, next(keys), "j")[0]["seat"])

    assert join(seat=1) == 1
    assert join() == 0
    assert join(kind="bot", bot="easy") == 2
    with pytest.raises(Refused) as refused:
        join(seat=1)
    assert refused.value.kind == "seat-taken"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"seat": "0"}, "/seat"),
        ({"seat": True}, "/seat"),
        ({"seat": -1}, "/seat"),
        ({"kind": "ghost"}, "/kind"),
        ({"kind": "bot"}, "/bot"),
        ({"kind": "bot", "bot": "easy", "name": "Ann"}, "/name"),
        ({"name": ""}, "/name"),
        ({"name": "x" * 81}, "/name"),
        ({"name": "\ud800"}, "/name"),
        ({"entropy": "xyz"}, "/entropy"),
        ({"entropy": "AB"}, "/entropy"),
        ({"entropy": "ab" * 65}, "/entropy"),
        ({"token": "st_mine"}, "/token"),
    ],
)
def test_a_join_that_makes_no_sense_is_refused_with_a_pointer(
    services: Services, body: dict[str, Any], pointer: str
) -> None:
    table = set_up(services, seats=2, bots={1: "easy"})
    with pytest.raises(Invalid) as wrong:
        services.matches.join(table.tenant, table.match, body, KEY, "j")
    assert [fault.pointer for fault in wrong.value.faults] == [pointer]


def test_names_are_shown_and_are_in_no_event(services: Services) -> None:
    host = tenant(services)
    made, _ = services.matches.create(host, BODY, KEY, "a")
    services.matches.join(host, made["id"], {"name": "Ann of Cleves", "entropy": "00ff"}, KEY, "j")
    assert services.matches.seats(host, made["id"])["items"][0]["name"] == "Ann of Cleves"
    log = records(services, made["id"])
    assert "Cleves" not in repr(log)
    assert log[-1].data == {"seat": 0, "entropy": "00ff"}
    assert "Cleves" not in repr(services.matches.list_matches(host))


def test_who_gets_up_leaves_the_seat_open_and_the_token_dead(either: Services) -> None:
    table = set_up(either, seats=2)
    token = table.tokens[0]
    either.matches.leave(table.seat(0), table.match, 0)
    assert either.matches.match(table.tenant, table.match)["seats"][0]["kind"] == "open"
    caller = None
    with pytest.raises(Unauthenticated):
        caller = either.matches.authenticate(token, table.match)
        either.matches.view(caller, table.match)
    table.join(seat=0)
    with pytest.raises(Unauthenticated):
        either.matches.view(either.matches.authenticate(token, table.match), table.match)
    either.matches.view(table.seat(0), table.match)


def test_the_host_may_clear_any_seat_and_a_player_only_the_own(services: Services) -> None:
    table = set_up(services, seats=3, bots={2: "easy"})
    with pytest.raises(Forbidden) as forbidden:
        services.matches.leave(table.seat(0), table.match, 1)
    assert forbidden.value.code == "seat-mismatch"
    services.matches.leave(table.tenant, table.match, 1)
    services.matches.leave(table.tenant, table.match, 2)
    with pytest.raises(Refused) as refused:
        services.matches.leave(table.tenant, table.match, 1)
    assert refused.value.kind == "seat-open"
    assert [event["cause"] for event in table.log()[-2:]] == ["host", "host"]


def test_nobody_gets_up_once_the_match_has_started(services: Services) -> None:
    table = started(services, seats=2)
    with pytest.raises(Refused) as refused:
        services.matches.leave(table.seat(0), table.match, 0)
    assert refused.value.kind == "already-started"


def test_a_match_starts_when_every_seat_is_taken(services: Services) -> None:
    host = tenant(services)
    made, _ = services.matches.create(host, BODY, KEY, "a")
    start = {"command": {"type": "start"}}
    with pytest.raises(Refused) as refused:
        services.matches.command(host, made["id"], start, KEY, "s")
    assert refused.value.kind == "seats-open"
    services.matches.join(host, made["id"], {}, KEY, "j")
    # A refusal is not remembered: the same key may be used again.
    services.matches.command(host, made["id"], start, KEY, "s")
    with pytest.raises(Refused) as refused:
        services.matches.command(host, made["id"], start, "another-key-to-start", "s")
    assert refused.value.kind == "already-started"


def test_a_match_can_be_called_off_in_the_lobby(services: Services) -> None:
    table = set_up(services, seats=2)
    table.command(table.tenant, {"command": {"type": "cancel"}})
    view = table.view()
    assert (view["status"], view["outcome"]["reason"]) == ("over", "cancelled")
    assert services.scheduler.to_look_at(10) == []


def test_a_match_nobody_made_is_not_there(services: Services) -> None:
    with pytest.raises(NotFound):
        services.matches.join(tenant(services), "mat_" + "a" * 26, {}, KEY, "j")
    with pytest.raises(NotFound):
        services.matches.join(tenant(services), "no match id", {}, KEY, "j")


def test_the_catalogue_prints_every_game_with_everything_in_it() -> None:
    services = in_memory(Hands(), GAMES)
    for short in services.matches.games():
        game = services.matches.game(short["name"])
        assert game["commands"]["resign"]["required"] == ["type"]
        assert set(game["options"]["properties"]) >= {"decision_limit_ms", "on_expiry"}
        assert game["bots"]
        assert game["seats"]["min"] <= game["seats"]["max"]
        assert len(game["ruleset_digest"]) == 64
        assert set(game["decisions"]) == set(GAMES[short["name"]].DECISIONS)
    with pytest.raises(NotFound):
        services.matches.game("chess")


def test_the_schema_of_a_command_is_closed_and_names_it(services: Services) -> None:
    pick = services.matches.game(tiny_game.NAME)["commands"]["pick"]
    assert pick["properties"]["type"] == {"const": "pick"}
    assert pick["properties"]["number"]["type"] == "integer"
    assert pick["required"] == ["type", "number"]
    assert pick["additionalProperties"] is False
