"""The lobby over HTTP: lists and their filters, changes, rematches, the queue, batches."""

import json
from functools import partial
from typing import Any

import pytest

from tests.service.http.conftest import Api, Seated
from tests.service.http.running import new_key
from tests.service.table import at_once


def test_a_change_depends_on_what_was_seen(api: Api, seated: Seated) -> None:
    table = seated()
    version = api.get(table.path, table.host).json["version"]
    body = {"options": {"sides": "A"}}
    stale = api.ask("PATCH", table.path, table.host, json=body, headers={"If-Match": '"v1"'})
    assert (stale.status_code, stale.json["code"]) == (412, "stale-version")
    right = api.ask("PATCH", table.path, table.host, json=body, headers={"If-Match": f'"v{version}"'})
    assert (right.status_code, right.json["options"]["sides"]) == (200, "A")
    wrong = api.ask("PATCH", table.path, table.host, json={"options": {"sides": "Z"}})
    assert (wrong.status_code, wrong.json["errors"][0]["pointer"]) == (400, "/options/sides")
    table.start()
    late = api.ask("PATCH", table.path, table.host, json=body)
    assert (late.status_code, late.json["code"]) == (409, "already-started")


def test_pages_are_linked_with_their_filters(api: Api, seated: Seated) -> None:
    table = seated(open_seats=1)
    for _ in range(2):
        plan = {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3}
        api.post("/v1/matches", plan, table.host)
    path, found = "/v1/matches?open_seats=true&limit=1&status=lobby", []
    while path:
        answer = api.get(path, table.host)
        found += [each["id"] for each in answer.json["items"]]
        path = answer.headers.get("Link", "").partition(">")[0].removeprefix("<")
    assert len(set(found)) == 3 and table.id in found


def test_a_reference_is_in_no_answer(api: Api, seated: Seated) -> None:
    table = seated(open_seats=1)
    # No hash and no id can hold the reference, or the end of it, by chance.
    joined = api.post(f"{table.path}/seats", {"player_ref": "user-Zoe-4711"}, table.host)
    table.seats.append(joined.json["token"])
    table.start()
    found = api.get("/v1/matches?awaiting_me=user-Zoe-4711", table.host)
    assert [each["id"] for each in found.json["items"]] == [table.id]
    assert api.get("/v1/matches?awaiting_me=user-Zoe-4712", table.host).json["items"] == []
    answers = [found.text, joined.text]
    for token in (table.host, *table.seats, None):
        for path in ("", "/seats", "/view", "/events?limit=200", "/export"):
            answers.append(api.get(table.path + path, token).text)
    assert "Zoe-4711" not in json.dumps(answers)


def test_a_key_without_the_scope_for_seats_sees_no_invite_of_a_rematch(api: Api, seated: Seated) -> None:
    table = seated().start()
    for seat in (1, 2):
        assert table.send(seat, {"command": {"type": "resign"}}).status_code == 200
    limited = api.post("/v1/keys", {"scopes": ["matches:write"]}, table.host).json["key"]
    narrow = api.post(f"{table.path}/rematch", {}, limited)
    assert (narrow.status_code, narrow.json["seats"]) == (201, [])
    wide = api.post(f"{table.path}/rematch", {}, table.host)
    assert [each["seat"] for each in wide.json["seats"]] == [0, 1, 2]
    assert wide.headers["Idempotency-Replayed"] == "true"
    own = api.post(f"{table.path}/rematch", {}, table.seats[2]).json
    assert own["seats"] == wide.json["seats"][:1]
    assert own["match"]["id"] == narrow.json["match"]["id"]


WISH: dict[str, Any] = {"game": "seven-wonders", "seats": {"min": 3, "max": 3}}


def test_a_player_waits_for_a_table_and_plays_at_it(api: Api) -> None:
    host = api.tenant("acme")
    first = api.post("/v1/queue-tickets", {**WISH, "name": "Ann", "player_ref": "ann"}, host)
    assert (first.status_code, first.json["status"]) == (201, "waiting")
    path = first.headers["Location"]
    assert api.get(path, host).json == first.json

    def others() -> None:
        for _ in range(2):
            api.post("/v1/queue-tickets", WISH, host)

    waited, _ = at_once(partial(api.get, f"{path}?wait=20", host), others)
    assert waited.json["status"] == "matched"
    view = api.get(f"/v1/matches/{waited.json['match']}/view", waited.json["token"])
    assert (view.json["status"], len(view.json["state"]["hand"])) == ("running", 7)
    late = api.ask("DELETE", path, host)
    assert (late.status_code, late.json["code"]) == (409, "conflict")


def test_a_key_may_be_sent_again_and_a_short_wait_ends(api: Api) -> None:
    host, key = api.tenant("acme"), {"Idempotency-Key": new_key()}
    first, again = (api.post("/v1/queue-tickets", WISH, host, headers=key) for _ in range(2))
    assert again.json == first.json and again.headers["Idempotency-Replayed"] == "true"
    other = api.post("/v1/queue-tickets", {**WISH, "wait_ms": 5}, host, headers=key)
    assert (other.status_code, other.json["code"]) == (422, "idempotency-key-reused")
    path = first.headers["Location"]
    assert api.get(f"{path}?wait=1", host).json["status"] == "waiting"
    for _ in range(2):
        assert api.ask("DELETE", path, host).status_code == 204
    assert api.get(f"{path}?wait=20", host).json["status"] == "withdrawn"


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"seats": {"min": 4, "max": 3}}, "/seats/max"),
        ({"seats": {"min": 1}}, "/seats/min"),
        ({"options": {"sides": "Z"}}, "/options/sides"),
        ({"bot": "nobody"}, "/bot"),
        ({"seat": 1}, "/seat"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused_with_a_pointer(
    api: Api, change: dict[str, Any], pointer: str
) -> None:
    answer = api.post("/v1/queue-tickets", {**WISH, **change}, api.tenant("acme"))
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (400, pointer)


def test_many_matches_are_set_up_at_once_or_none(api: Api) -> None:
    host, key = api.tenant("acme"), {"Idempotency-Key": new_key()}
    plan = {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3}
    body = {"matches": [plan] * 40}
    made, again = (api.post("/v1/match-batches", body, host, headers=key) for _ in range(2))
    assert (made.status_code, made.json["status"]) == (201, "finished")
    assert again.json == made.json and again.headers["Idempotency-Replayed"] == "true"
    assert api.get(made.headers["Location"], host).json == made.json
    for each in made.json["result"]["matches"]:
        assert api.get(each["self"], host).json["id"] == each["match"]
    wrong = api.post("/v1/match-batches", {"matches": [plan, {**plan, "options": {"x": 1}}]}, host)
    assert (wrong.status_code, wrong.json["errors"][0]["pointer"]) == (400, "/matches/1/options/x")
    assert len(api.get("/v1/matches?limit=200", host).json["items"]) == 40


def test_a_game_there_is_not_is_no_filter(api: Api) -> None:
    answer = api.get("/v1/matches?game=chess", api.tenant("acme"))
    assert (answer.status_code, answer.json["code"]) == (400, "validation")
    assert answer.json["errors"][0]["pointer"] == "/query/game"
