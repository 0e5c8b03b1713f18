"""Clocks and moves taken back over HTTP: matches by clients that know no rules, and what all may see."""

import random
from typing import Any

import pytest

from domain.catalogue import GAMES
from service.keyring import Wish
from tests.service.http.conftest import Api, Table

Json = dict[str, Any]


def seated(api: Api, game: str, seats: int = 2, **options: Any) -> Table:
    """A private match of people that has started, in the sandbox: dealt the same each time."""
    host = api.services.keys.create("acme", Wish(mode="test")).key
    plan = {
        "game": game,
        "seats": [{"kind": "open"}] * seats,
        "options": options,
        "visibility": "private",
        "sandbox": {"seed": "clocks"},
    }
    made = api.post("/v1/matches", plan, host)
    assert made.status_code == 201, made.text
    table = Table(api, made.json["id"], host, [])
    for _ in range(seats):
        table.seats.append(api.post(f"{table.path}/seats", {}, host).json["token"])
    api.secrets.extend(table.seats)
    return table.start()


def offers(table: Table, seat: int) -> dict[str, Json]:
    """What a seat may send besides moves, by type."""
    listed = table.api.get(f"{table.path}/legal-moves", table.seats[seat]).json["table"]
    return {offer["body"]["command"]["type"]: offer["body"] for offer in listed}


def view(table: Table, seat: int | None = None, version: int | None = None) -> Json:
    token = table.host if seat is None else table.seats[seat]
    query = "" if version is None else f"?version={version}"
    shown: Json = table.api.get(f"{table.path}/view{query}", token).json
    return shown


def same(one: Json, other: Json) -> bool:
    """Whether two views differ in their version, and what time has done, alone."""
    return {**one, "version": 0, "clocks": None} == {**other, "version": 0, "clocks": None}


@pytest.mark.parametrize("option", ["own-turn", "consent"])
@pytest.mark.parametrize("game", list(GAMES))
def test_a_client_without_rules_takes_back_what_it_is_offered(api: Api, game: str, option: str) -> None:
    """What follows is what was before; the past still shows what was taken back; nobody sees more."""
    table = seated(api, game, undo=option)
    dice, taken = random.Random(f"{game} {option}"), 0
    for _ in range(150):
        now = view(table)
        if now["status"] == "over" or taken == 3:
            break
        seat = dice.choice(now["awaited"])
        before = [view(table, each) for each in (0, 1)]
        assert table.send(seat, dice.choice(table.moves(seat))).status_code == 200
        body = offers(table, seat).get("undo")
        if body is None or body["command"]["to"] != now["version"]:
            continue
        gone = view(table, seat)
        answer = table.send(seat, body)
        assert answer.status_code == 200, answer.text
        if option == "consent":
            assert view(table, 1 - seat)["proposal"]["kind"] == "undo"
            assert table.send(1 - seat, offers(table, 1 - seat)["agree"]).status_code == 200
        assert all(same(view(table, each), before[each]) for each in (0, 1))
        assert view(table, seat, gone["version"]) == gone
        taken += 1
    assert taken == 3
    events = api.get(f"{table.path}/events?limit=200", table.seats[0]).json["items"]
    assert [event["type"] for event in events].count("match.undone") == 3


def test_seats_pause_and_go_on_by_what_they_are_offered(api: Api) -> None:
    table = seated(api, "seven-wonders", 3, decision_limit_ms=60_000, bank_ms=600_000, increment_ms=5_000)
    tag = api.get(f"{table.path}/view", table.seats[0]).headers["ETag"]
    assert table.send(0, offers(table, 0)["pause"]).status_code == 200
    for seat in (1, 2):
        assert table.send(seat, offers(table, seat)["agree"]).status_code == 200
    paused = api.get(f"{table.path}/view", table.seats[0])
    assert paused.headers["ETag"] != tag
    assert paused.json["paused"] is True
    assert [clock["deadline_at"] for clock in paused.json["clocks"]] == [None] * 3
    assert paused.json["decisions"][0]["deadline_at"] is None
    assert set(offers(table, 0)) == {"resign", "resume", "add_time"}
    assert table.send(0, offers(table, 0)["resume"]).status_code == 200
    for seat in (1, 2):
        assert table.send(seat, offers(table, seat)["agree"]).status_code == 200
    going = view(table)
    assert going["paused"] is False and going["proposal"] is None
    assert all(clock["deadline_at"] for clock in going["clocks"])


def test_a_retry_takes_back_once(api: Api) -> None:
    table = seated(api, "seven-wonders", undo="own-turn")
    for number in (0, 1):
        assert table.send(0, table.moves(0)[number]).status_code == 200
    body, key = offers(table, 0)["undo"], {"Idempotency_Key": "0198c2a4-6a52-7d1e-9c41-1f0f6f1c2b3b"}
    first, again = table.send(0, body, **key), table.send(0, body, **key)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json == first.json
    assert view(table)["version"] == first.json["version"]


def test_the_host_alone_orders_an_expiry_and_seats_alone_take_back(api: Api) -> None:
    table = seated(api, "seven-wonders", undo="own-turn")
    decision = view(table)["decisions"][0]["id"]
    expire = {"command": {"type": "expire", "decision": decision}}
    path = f"{table.path}/commands"
    assert table.send(0, expire).status_code == 403
    assert api.post(path, {"command": {"type": "undo"}}, table.host).status_code == 403
    assert api.post(path, {"command": {"type": "agree", "proposal": 5}}, table.host).status_code == 403
    other = api.tenant("stranger")
    for name in ("pause", "resume"):
        assert api.post(path, {"command": {"type": name}}, other).status_code == 404
        assert api.post(path, {"command": {"type": name}}).status_code == 401
    assert api.post(path, expire, table.host).status_code == 200


@pytest.mark.parametrize(
    "options",
    [
        {"expiry": "sometimes"},
        {"undo": True},
        {"bank_ms": 999},
        {"increment_ms": 5_000},
        {"decision_limit_days": 31},
        {"decision_limit_days": 1, "daily_anchor_minute": 1440},
        {"daily_anchor_minute": 600},
    ],
    ids=str,
)
def test_clocks_that_make_no_sense_are_refused_with_a_pointer(api: Api, options: Json) -> None:
    plan = {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3, "options": options}
    answer = api.post("/v1/matches", plan, api.tenant("acme"))
    assert (answer.status_code, answer.json["code"]) == (400, "validation")
    assert answer.json["errors"][0]["pointer"] == f"/options/{list(options)[-1]}"


def test_the_catalogue_describes_clocks_and_their_commands(api: Api) -> None:
    described = api.get("/v1/games/seven-wonders").json
    options = described["options"]["properties"]
    assert options["expiry"]["enum"] == ["auto", "claimable", "none"]
    assert options["undo"] == options["undo"] | {"enum": ["off", "own-turn", "consent"], "default": "off"}
    assert {"pause", "resume", "agree", "decline", "undo", "add_time", "claim", "expire"} <= set(
        described["commands"]
    )
    assert "credit_outage" not in described["commands"]


@pytest.mark.parametrize(
    ("command", "pointer"),
    [
        ({"ms": 999}, "/command/ms"),
        ({"ms": 604_800_001}, "/command/ms"),
        ({"ms": 1000, "seats": [0] * 8}, "/command/seats"),
    ],
)
def test_what_no_time_can_be_is_refused_by_the_schema(api: Api, command: Json, pointer: str) -> None:
    table = seated(api, "seven-wonders", 3, decision_limit_ms=60_000)
    body = {"command": {"type": "add_time", **command}}
    answer = api.post(f"{table.path}/commands", body, table.host)
    assert (answer.status_code, answer.json["code"]) == (400, "validation")
    assert [error["pointer"] for error in answer.json["errors"]] == [pointer]
