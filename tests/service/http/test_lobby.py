"""The lobby over HTTP: lists and their filters, changes, rematches."""

import json

from tests.service.http.conftest import Api, Seated


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
    joined = api.post(f"{table.path}/seats", {"player_ref": "user-4711"}, table.host)
    table.seats.append(joined.json["token"])
    table.start()
    found = api.get("/v1/matches?awaiting_me=user-4711", table.host)
    assert [each["id"] for each in found.json["items"]] == [table.id]
    assert api.get("/v1/matches?awaiting_me=user-4712", table.host).json["items"] == []
    answers = [found.text, joined.text]
    for token in (table.host, *table.seats, None):
        for path in ("", "/seats", "/view", "/events?limit=200", "/export"):
            answers.append(api.get(table.path + path, token).text)
    assert "4711" not in json.dumps(answers)


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
