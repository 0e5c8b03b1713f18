"""Answers: keys and replays, entity tags, pages, caching, the request id."""

import json
import re
import threading
from typing import Any

import pytest

from tests.service.http.conftest import GAME, Api, Seated, Table

NEW = {"game": GAME, "seats": [{"kind": "open"}] * 3}


def keyed(key: str) -> dict[str, str]:
    return {"Idempotency-Key": key}


def test_the_same_key_creates_the_same_match(api: Api) -> None:
    host = api.tenant("acme")
    first = api.post("/v1/matches", NEW, host, headers=keyed("k" * 16))
    again = api.post("/v1/matches", NEW, host, headers=keyed(f'"{"k" * 16}"'))
    assert first.status_code == again.status_code == 201
    assert first.json == again.json
    assert first.headers["Location"] == again.headers["Location"] == f"/v1/matches/{first.json['id']}"
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert len(api.get("/v1/matches", host).json["items"]) == 1


def test_a_key_belongs_to_its_tenant(api: Api) -> None:
    one = api.post("/v1/matches", NEW, api.tenant("one"), headers=keyed("k" * 16))
    two = api.post("/v1/matches", NEW, api.tenant("two"), headers=keyed("k" * 16))
    assert one.json["id"] != two.json["id"]
    assert "Idempotency-Replayed" not in two.headers


def test_a_retried_join_shows_the_token_again(api: Api, seated: Seated) -> None:
    table = seated(open_seats=2)
    path = f"{table.path}/seats"
    first = api.post(path, {"name": "Ann"}, table.host, headers=keyed("j" * 16))
    again = api.post(path, {"name": "Ann"}, table.host, headers=keyed("j" * 16))
    assert first.json == again.json and again.headers["Idempotency-Replayed"] == "true"
    assert first.headers["Location"] == f"{path}/{first.json['seat']}"
    assert first.headers["Cache-Control"] == again.headers["Cache-Control"] == "no-store"
    assert api.get(first.headers["Location"]).json["name"] == "Ann"
    other = api.post(path, {"name": "Bob"}, table.host, headers=keyed("j" * 16))
    assert (other.status_code, other.json["code"]) == (422, "idempotency-key-reused")


def test_a_retried_move_gets_its_first_answer_although_the_match_went_on(seated: Seated) -> None:
    table = seated().start()
    moves = [table.moves(seat)[0] for seat in range(3)]
    first = table.send(0, moves[0], Idempotency_Key="m" * 16)
    for seat in (1, 2):
        assert table.send(seat, moves[seat]).status_code == 200
    again = table.send(0, moves[0], Idempotency_Key="m" * 16)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json == first.json
    outcome = table.api.get(f"{table.path}/commands/{'m' * 16}", table.seats[0]).json
    assert outcome["status"] == "applied"
    assert outcome["last"] == first.json["version"]
    assert table.api.get(f"{table.path}/commands/{'n' * 16}", table.seats[0]).json == {"status": "unknown"}
    assert table.api.get(f"{table.path}/commands/{'m' * 16}", table.seats[1]).json == {"status": "unknown"}


def test_many_equal_posts_at_once_are_one_move(seated: Seated) -> None:
    table = seated().start()
    before = table.api.get(table.path).json["version"]
    move = table.moves(0)[0]
    answers: list[Any] = []
    ready = threading.Barrier(12)

    def post() -> None:
        ready.wait()
        answers.append(table.send(0, move, Idempotency_Key="o" * 16))

    threads = [threading.Thread(target=post) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.data for answer in answers}) == 1
    assert sum("Idempotency-Replayed" not in answer.headers for answer in answers) == 1
    assert table.api.get(table.path).json["version"] == before + len(answers[0].json["events"])


def test_a_view_not_changed_since_is_304(seated: Seated) -> None:
    table = seated().start()
    for path in ("view", "legal-moves"):
        seen = table.api.get(f"{table.path}/{path}", table.seats[0])
        tag = seen.headers["ETag"]
        version = seen.json["version"]
        names = ":n[0-9a-f]{8}" if path == "view" else ""
        assert re.fullmatch(f'"m:{table.id}:v{version}:s0:b0:en{names}"', tag)
        assert seen.headers["Cache-Control"] == "private, no-cache"
        assert seen.headers["Vary"] == "Authorization, Accept, Accept-Language, Origin"
        known = table.api.get(f"{table.path}/{path}", table.seats[0], headers={"If-None-Match": tag})
        assert (known.status_code, known.data, known.headers["ETag"]) == (304, b"", tag)
    assert table.send(1, table.moves(1)[0]).status_code == 200
    changed = table.api.get(f"{table.path}/view", table.seats[0], headers={"If-None-Match": tag})
    assert changed.status_code == 200 and changed.headers["ETag"] != tag


def test_each_viewer_has_tags_of_its_own(seated: Seated) -> None:
    table = seated().start()
    callers = [None, *table.seats]
    tags = {table.api.get(f"{table.path}/view", token).headers["ETag"] for token in callers}
    assert len(tags) == 4
    assert table.api.get(f"{table.path}/view", table.host).headers["ETag"] in tags, "a host is a spectator"
    seat0 = table.api.get(f"{table.path}/view", table.seats[0]).headers["ETag"]
    seat1 = table.api.get(f"{table.path}/view", table.seats[1], headers={"If-None-Match": seat0})
    assert seat1.status_code == 200


def test_a_past_version_keeps_for_ever_where_nobody_is_named(seated: Seated) -> None:
    table = seated(open_seats=3)
    for _ in range(3):
        table.seats.append(table.api.post(f"{table.path}/seats", {}, table.host).json["token"])
    table.start()
    version = table.api.get(table.path).json["version"]
    then = table.api.get(f"{table.path}/view?version={version}", table.seats[0])
    assert table.send(1, table.moves(1)[0]).status_code == 200
    now = table.api.get(f"{table.path}/view?version={version}", table.seats[0])
    assert then.data == now.data and then.headers["ETag"] == now.headers["ETag"]
    assert now.headers["Cache-Control"] == "private, immutable, max-age=31536000"
    lobby = table.api.get(f"{table.path}/view?version=2", table.seats[0])
    assert lobby.json["status"] == "lobby"
    assert lobby.headers["Cache-Control"] == "private, no-cache", "names may still change"
    named = seated().start()
    past = named.api.get(f"{named.path}/view?version=5", named.seats[0])
    assert past.json["status"] == "running" and past.headers["Cache-Control"] == "private, no-cache"


def test_a_move_may_insist_on_what_was_seen(seated: Seated) -> None:
    table = seated().start()
    tag = table.api.get(f"{table.path}/view", table.seats[0]).headers["ETag"]
    spectators = table.api.get(f"{table.path}/view").headers["ETag"]
    version = table.api.get(table.path).json["version"]
    move = table.moves(0)[0]
    stale = table.send(0, move, If_Match=f'"v{version - 1}"')
    assert (stale.status_code, stale.json["current"]["version"]) == (412, version)
    assert table.send(0, move, If_Match=spectators).status_code == 412
    assert table.send(0, move, If_Match=tag).status_code == 200
    assert table.send(0, move, If_Match=tag).status_code == 412, "the own move moved the version on"
    assert table.send(0, move, If_Match=f'"v{version + 1}"').status_code == 200


def test_a_move_needs_no_version_when_others_move(seated: Seated) -> None:
    table = seated().start()
    moves = [table.moves(seat)[0] for seat in range(3)]
    assert [table.send(seat, moves[seat]).status_code for seat in (2, 0, 1)] == [200, 200, 200]


def test_lists_come_in_pages_with_a_cursor_for_their_filters(api: Api) -> None:
    host = api.tenant("acme")
    made = [api.post("/v1/matches", NEW, host).json["id"] for _ in range(5)]
    found, path = [], "/v1/matches?limit=2&status=lobby"
    for _ in range(3):
        page = api.get(path, host)
        found += [item["id"] for item in page.json["items"]]
        assert page.json["has_more"] == (page.json["next_cursor"] is not None) == ("Link" in page.headers)
        if page.json["has_more"]:
            target, rel = page.headers["Link"].split("; ")
            assert rel == 'rel="next"'
            path = target.strip("<>")
    assert sorted(found) == sorted(made)
    cursor = api.get("/v1/matches?limit=2&status=lobby", host).json["next_cursor"]
    other = api.get(f"/v1/matches?limit=2&status=over&cursor={cursor}", host)
    assert (other.status_code, other.json["errors"][0]["pointer"]) == (400, "/query/cursor")


def test_events_come_in_pages_without_gaps(seated: Seated) -> None:
    table = seated().start()
    after, versions = 0, []
    while True:
        page = table.api.get(f"{table.path}/events?after={after}&limit=3").json
        versions += [event["version"] for event in page["items"]]
        after = page["next_after"]
        if not page["items"]:
            break
    assert versions == list(range(1, page["head"] + 1))


def test_a_wait_ends_at_once_when_there_is_something(seated: Seated) -> None:
    table = seated().start()
    assert table.api.get(f"{table.path}/events?after=0&wait=30").json["items"]


def test_a_wait_ends_at_once_when_the_match_is_over(seated: Seated) -> None:
    table = seated().cancel()
    head = table.api.get(table.path).json["version"]
    page = table.api.get(f"{table.path}/events?after={head}&wait=30").json
    assert page == {"items": [], "head": head, "next_after": head, "spectator_delay": 0}


def test_printed_things_may_be_kept_a_while(api: Api) -> None:
    for path in ("/v1/games", f"/v1/games/{GAME}", "/v1/openapi.json"):
        answer = api.get(path)
        assert answer.headers["Cache-Control"] == "public, max-age=300"
        known = api.get(path, headers={"If-None-Match": answer.headers["ETag"]})
        assert (known.status_code, known.data) == (304, b"")


def test_the_request_id_is_echoed_when_it_is_a_plain_one(api: Api) -> None:
    assert api.get("/v1/games", headers={"Request-Id": "abc-1.2_X"}).headers["Request-Id"] == "abc-1.2_X"
    for odd in ("", "a b", "x" * 65, "<script>", "é", "st_looks_like_a_token", "tk_live_x"):
        given = api.get("/v1/games", headers={"Request-Id": odd}).headers["Request-Id"]
        assert given.startswith("req_") and given != odd
    assert api.get("/v1/games").headers["Request-Id"] != api.get("/v1/games").headers["Request-Id"]


def test_every_answer_says_what_it_is_and_nothing_of_the_server(api: Api, seated: Seated) -> None:
    table = seated().start()
    for path in (
        "/v1/games",
        table.path,
        f"{table.path}/view",
        "/nothing",
        "/healthz/live",
        "/problems/internal",
    ):
        answer = api.get(path)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"]
        assert "Werkzeug" not in str(answer.headers)


def test_an_export_is_a_sequence_of_lines_in_the_callers_perspective(seated: Seated) -> None:
    table = seated().start()
    for token, perspective in ((None, "public"), (table.host, "public"), (table.seats[1], "s1")):
        answer = table.api.get(f"{table.path}/export", token)
        assert answer.mimetype == "application/x-ndjson"
        lines = [json.loads(line) for line in answer.data.splitlines()]
        assert lines[0]["perspective"] == perspective
        assert len(lines) == 2 + table.api.get(table.path).json["version"]


def test_the_access_log_has_a_line_a_request_and_no_secret(
    api: Api, seated: Seated, log: pytest.LogCaptureFixture
) -> None:
    table: Table = seated().start()
    log.clear()
    move = table.moves(0)[0]
    table.send(0, move)
    api.get(f"{table.path}/events?after=3&limit=1", table.seats[0], headers={"Request-Id": "mine"})
    lines = [json.loads(record.message) for record in log.records if record.name == "wonderlog.access"]
    assert [line["route"].rpartition("/")[2] for line in lines] == ["legal-moves", "commands", "events"]
    assert lines[2]["request"] == "mine" and lines[2]["status"] == 200
    assert lines[2]["match"] == table.id
    assert lines[2]["credential"].startswith("st_0_")
    # As words: ids hold any letters.
    assert "after=" not in log.text
    assert re.search(rf"\b{move['command']['card']}\b", log.text) is None
    for secret in api.secrets:
        assert secret.rpartition("_")[2] not in log.text
