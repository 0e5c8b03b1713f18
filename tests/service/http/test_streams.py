"""Streams in one process: what they say, to whom, from where on, and how they end."""

import dataclasses
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from service.http import face as faces
from service.http.face import face_of
from service.http.hub import Hub, StreamLimits
from service.keyring import Wish
from tests.service.http.conftest import Api, Seated, Table
from tests.service.http.contract import misfits
from tests.service.http.streaming import NDJSON, SSE, ndjson_items, sse_items

ITEM = {"$ref": "#/components/schemas/StreamItem"}


class Reader:
    """Reads a stream of the test client piece by piece."""

    def __init__(self, api: Api, path: str, token: str | None, accept: str = SSE, **headers: str) -> None:
        sent = {"Accept": accept} | {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        self.answer = api.app.test_client().get(path, headers=sent)
        self.pieces: Iterator[bytes] = iter(self.answer.response)

    def next(self) -> str:
        """The next piece."""
        return next(self.pieces).decode()

    def items(self) -> list[dict[str, Any]]:
        """The items of the next piece."""
        text = self.next()
        if self.answer.mimetype == SSE:
            return [item for _, item in sse_items(text)]
        return [item for item in ndjson_items(text) if item is not None]

    def close(self) -> None:
        """Leave."""
        self.answer.close()


def limited(api: Api, **limits: Any) -> Hub:
    """Give the service other limits."""
    face = face_of(api.app)
    hub = Hub(face.streams.feed, StreamLimits(**limits))
    faces.install(api.app, dataclasses.replace(face, streams=hub))
    return hub


@pytest.mark.parametrize("accept", [SSE, NDJSON])
def test_a_stream_says_hello_and_then_what_the_page_says(accept: str, api: Api, seated: Seated) -> None:
    table = seated().start()
    for token in (None, table.host, *table.seats):
        page = api.get(f"{table.path}/events?after=2&limit=200", token).json
        reader = Reader(api, f"{table.path}/events?after=2", token, accept)
        hello, *events = reader.items()
        assert hello == {"type": "hello", "head": page["head"], "resumed_from": 2}
        assert events == page["items"]
        assert not [wrong for item in (hello, *events) for wrong in misfits(ITEM, item)]
        reader.close()


def test_a_stream_is_not_to_be_stored_or_held_back(api: Api, seated: Seated) -> None:
    reader = Reader(api, f"{seated().path}/events", None)
    headers = reader.answer.headers
    assert headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert headers["Cache-Control"] == "no-store" and headers["X-Accel-Buffering"] == "no"
    assert headers["Vary"] == "Authorization, Accept, Origin" and headers["Request-Id"]
    reader.close()


def test_server_sent_events_carry_versions_as_ids_and_say_when_to_come_back(api: Api, seated: Seated) -> None:
    reader = Reader(api, f"{seated().path}/events?after=1", None)
    text = reader.next()
    assert text.startswith("retry: 2000\nid: 1\nevent: hello\n")
    found = sse_items(text)
    assert [id for id, _ in found[1:]] == [str(item["version"]) for _, item in found[1:]] == ["2", "3", "4"]
    reader.close()


def test_the_last_event_id_wins_over_the_query(api: Api, seated: Seated) -> None:
    table = seated().start()
    reader = Reader(api, f"{table.path}/events?after=1", None, Last_Event_ID="4")
    hello, first, *_ = reader.items()
    assert hello["resumed_from"] == 4 and first["version"] == 5
    reader.close()


@pytest.mark.parametrize("unknown", ["99999", "999999999", "x", "-1", "17.3fa2bc01", "٣"])
def test_an_unknown_cursor_is_reset_and_the_stream_goes_on(unknown: str, api: Api, seated: Seated) -> None:
    table = seated().start()
    head = api.get(table.path, table.host).json["version"]
    sent = unknown.encode().decode("latin-1")
    reader = Reader(api, f"{table.path}/events", None, Last_Event_ID=sent)
    hello, reset = reader.items()
    assert hello == {"type": "hello", "head": head, "resumed_from": head}
    assert reset == {"type": "reset", "snapshot_version": head}
    assert table.send(0, table.moves(0)[0]).status_code == 200
    assert reader.items()[0]["version"] == head + 1
    reader.close()


def test_what_happens_arrives_and_a_ping_where_nothing_does(api: Api, seated: Seated) -> None:
    table = seated().start()
    limited(api, ping_s=0.2)
    head = api.get(table.path, table.host).json["version"]
    reader = Reader(api, f"{table.path}/events?after={head}", table.seats[1])
    assert [item["type"] for item in reader.items()] == ["hello"]
    assert reader.items() == [{"type": "ping", "head": head}]
    answer = table.send(0, table.moves(0)[0])
    after = [item["version"] for item in reader.items()]
    assert after == [event["version"] for event in answer.json["events"]]
    reader.close()
    lines = Reader(api, f"{table.path}/events?after=999", None, NDJSON)
    lines.next()
    assert lines.next() == "\n"
    lines.close()


def test_the_end_of_the_match_ends_the_stream(api: Api, seated: Seated) -> None:
    table = seated()
    reader = Reader(api, f"{table.path}/events?after=4", None)
    reader.next()
    table.cancel()
    *_, bye = reader.items()
    assert bye == {"type": "bye", "reason": "match-over"}
    with pytest.raises(StopIteration):
        reader.next()
    again = Reader(api, f"{table.path}/events?after=0", None)
    assert again.items()[-1] == bye


def test_old_streams_end_and_so_do_those_of_a_process_that_stops(api: Api, seated: Seated) -> None:
    table = seated()
    limited(api, age_s=0.1)
    reader = Reader(api, f"{table.path}/events", None)
    reader.next()
    assert reader.items() == [{"type": "bye", "reason": "max-age"}]
    hub = limited(api)
    reader = Reader(api, f"{table.path}/events", None)
    reader.next()
    hub.drain()
    assert reader.items() == [{"type": "bye", "reason": "drain"}]
    refused = api.get(f"{table.path}/events", headers={"Accept": SSE})
    assert (refused.status_code, refused.json["code"]) == (503, "too-many-streams")


def test_beyond_the_cap_streams_are_refused_until_one_ends(api: Api, seated: Seated) -> None:
    table = seated()
    hub = limited(api, most=2)
    readers = [Reader(api, f"{table.path}/events", None) for _ in range(2)]
    refused = api.get(f"{table.path}/events", headers={"Accept": SSE})
    assert (refused.status_code, refused.json["code"]) == (503, "too-many-streams")
    assert refused.headers["Retry-After"] == "5"
    assert api.get(f"{table.path}/events").status_code == 200, "pages are another matter"
    readers[0].close()
    Reader(api, f"{table.path}/events", None).close()
    readers[1].close()
    assert hub.taken == 0
    assert api.ask("HEAD", f"{table.path}/events", headers={"Accept": SSE}).status_code == 200
    assert hub.taken == 0


def leave(api: Api, table: Table) -> None:
    """The seat is opened again, and its token dies."""
    assert api.ask("DELETE", f"{table.path}/seats/0", table.host).status_code == 204


def revoke(api: Api, table: Table) -> None:
    """The tenant's key dies."""
    assert api.services.keys.revoke(table.host.split("_")[2])


@pytest.mark.parametrize("accept", [SSE, NDJSON])
@pytest.mark.parametrize(("end", "seat"), [(leave, 0), (revoke, None)], ids=["seat token", "tenant key"])
def test_a_credential_that_ends_ends_its_stream_before_the_next_event(
    end: Callable[[Api, Table], None], seat: int | None, accept: str, api: Api, seated: Seated
) -> None:
    table = seated(visibility="private")
    dead = Reader(api, f"{table.path}/events", table.host if seat is None else table.seats[seat], accept)
    other = Reader(api, f"{table.path}/events", table.seats[1], accept)
    dead.next(), other.next()
    end(api, table)
    assert dead.items() == [{"type": "bye", "reason": "auth-revoked"}]
    with pytest.raises(StopIteration):
        dead.next()
    other.close()


def test_the_errors_of_a_stream_are_problems_as_for_a_page(api: Api, seated: Seated) -> None:
    table = seated(visibility="private")
    for token, status in ((None, 404), (api.tenant("stranger"), 404), (seated().seats[0], 403)):
        for accept in (SSE, NDJSON):
            answer = api.get(f"{table.path}/events", token, headers={"Accept": accept})
            assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")


def ticket(api: Api, body: dict[str, Any], token: str, **headers: str) -> Any:
    """A ticket."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return api.post("/v1/stream-tickets", body, token, headers=named)


def test_a_ticket_opens_the_stream_of_its_seat_once(
    api: Api, seated: Seated, log: pytest.LogCaptureFixture
) -> None:
    table = seated(visibility="private").start()
    made = ticket(api, {"match": table.id}, table.seats[1])
    assert made.status_code == 201 and made.json["expires_in_s"] == 60
    reader = Reader(api, made.json["url"], None)
    mine = Reader(api, f"{table.path}/events", table.seats[1])
    assert reader.items() == mine.items()
    again = api.get(made.json["url"], headers={"Accept": SSE})
    assert (again.status_code, again.json["code"]) == (401, "unauthenticated")
    assert made.json["ticket"] not in log.text and made.json["ticket"] not in again.text
    reader.close(), mine.close()


def test_a_ticket_is_for_its_stream_only(api: Api, seated: Seated) -> None:
    table, other = seated(), seated()
    feed = ticket(api, {}, table.host).json["ticket"]
    for path in (f"{other.path}/events", f"{table.path}/events"):
        for given in (feed, ticket(api, {"match": seated().id}, table.host).json["ticket"]):
            answer = api.get(f"{path}?ticket={given}", headers={"Accept": SSE})
            assert answer.status_code == 401
    as_bearer = ticket(api, {"match": table.id}, table.host).json["ticket"]
    assert api.get(table.path, as_bearer).status_code == 401
    assert api.get(f"{table.path}/view?ticket={as_bearer}").status_code == 400


def test_nobody_gets_a_ticket_for_what_it_may_not_see(api: Api, seated: Seated) -> None:
    table = seated(visibility="private")
    assert ticket(api, {"match": table.id}, api.tenant("stranger")).status_code == 404
    assert ticket(api, {"match": table.id}, seated().seats[0]).status_code == 403
    assert ticket(api, {}, table.seats[0]).json["url"].startswith(f"{table.path}/events?ticket=stk_")


def test_a_ticket_dies_with_the_rights_behind_it(api: Api, seated: Seated) -> None:
    table = seated(visibility="private")
    made = ticket(api, {"match": table.id}, table.seats[0]).json
    leave(api, table)
    assert api.get(made["url"], headers={"Accept": SSE}).status_code == 401


def test_the_same_key_gives_the_same_ticket_and_never_a_second_use(api: Api, seated: Seated) -> None:
    table = seated()
    key = {"Idempotency_Key": "k" * 20}
    first = ticket(api, {"match": table.id}, table.host, **key)
    again = ticket(api, {"match": table.id}, table.host, **key)
    assert again.json == first.json and again.headers["Idempotency-Replayed"] == "true"
    other = ticket(api, {}, table.host, **key)
    assert (other.status_code, other.json["code"]) == (422, "idempotency-key-reused")
    Reader(api, first.json["url"], None).close()
    ticket(api, {"match": table.id}, table.host, **key)
    assert api.get(first.json["url"], headers={"Accept": SSE}).status_code == 401


def test_of_twenty_at_once_one_gets_through(api: Api, seated: Seated) -> None:
    table = seated()
    url = ticket(api, {"match": table.id}, table.host).json["url"]
    statuses: list[int] = []
    ready = threading.Barrier(20)

    def use() -> None:
        ready.wait()
        answer = api.app.test_client().get(url, headers={"Accept": SSE})
        statuses.append(answer.status_code)
        answer.close()

    threads = [threading.Thread(target=use) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200] + [401] * 19


def test_the_feed_holds_all_matches_of_the_tenant_as_a_spectator_sees_them(api: Api, seated: Seated) -> None:
    one, two = seated().start(), seated(visibility="private").start()
    one.send(0, one.moves(0)[0])
    page = api.get("/v1/events?limit=200", one.host).json
    for table in (one, two):
        mine = api.get(f"{table.path}/events?limit=200", table.host).json["items"]
        there = [dict(item) for item in page["items"] if item["match"] == table.id]
        for item in there:
            assert item.pop("cursor")
        assert there == mine
    assert page["next_after"] == page["head"] == page["items"][-1]["cursor"]
    assert api.get("/v1/events", api.tenant("stranger")).json == {"items": [], "head": "0", "next_after": "0"}


def test_the_feed_goes_on_after_any_cursor_and_in_any_form(api: Api, seated: Seated) -> None:
    table = seated().start()
    everything = api.get("/v1/events?limit=200", table.host).json["items"]
    for index in (0, 3, len(everything) - 2):
        cursor = everything[index]["cursor"]
        rest = everything[index + 1 :]
        assert api.get(f"/v1/events?after={cursor}&limit=200", table.host).json["items"] == rest
        for accept in (SSE, NDJSON):
            reader = Reader(api, "/v1/events", table.host, accept, Last_Event_ID=cursor)
            hello, *items = reader.items()
            assert items == rest and hello["resumed_from"] == cursor
            assert not [wrong for item in (hello, *items) for wrong in misfits(ITEM, item)]
            reader.close()
    some = api.get("/v1/events?limit=2", table.host).json
    assert [item["cursor"] for item in some["items"]] == [item["cursor"] for item in everything[:2]]
    assert some["next_after"] == everything[1]["cursor"]


def test_a_feed_cursor_of_another_history_is_told(api: Api, seated: Seated) -> None:
    table = seated()
    page = api.get("/v1/events", table.host).json
    number = page["head"].split(".")[0]
    for lost in (f"{number}.00000000", f"{int(number) + 5}.00000000"):
        answer = api.get(f"/v1/events?after={lost}", table.host)
        assert (answer.status_code, answer.json["code"]) == (410, "cursor-expired")
        assert answer.json["head"] == page["head"]
        reader = Reader(api, "/v1/events", table.host, Last_Event_ID=lost)
        assert reader.items() == [
            {"type": "hello", "head": page["head"], "resumed_from": page["head"]},
            {"type": "reset", "snapshot_version": page["head"]},
        ]
        reader.close()


def test_the_feed_can_be_waited_for(api: Api, seated: Seated) -> None:
    table = seated()
    head = api.get("/v1/events", table.host).json["head"]
    empty = api.get(f"/v1/events?after={head}&wait=1", table.host).json
    assert empty == {"items": [], "head": head, "next_after": head}
    pages: list[Any] = []
    waiter = threading.Thread(
        target=lambda: pages.append(api.get(f"/v1/events?after={head}&wait=30", table.host).json)
    )
    waiter.start()
    table.start()
    waiter.join(timeout=60)
    assert pages[0]["items"][0]["type"] == "match.started"


def test_a_key_that_may_not_see_live_has_no_feed(api: Api, seated: Seated) -> None:
    seated()
    made = api.services.keys.create("acme", Wish(["matches:read"])).key
    answer = api.get("/v1/events", made)
    assert answer.status_code == 403 and "matches:live" in answer.json["detail"]


def test_spectators_of_a_stream_trail_behind_as_those_of_a_page_do(api: Api) -> None:
    host = api.tenant("acme")
    plan = {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3, "options": {"spectator_delay": 3}}
    match = api.post("/v1/matches", plan, host).json["id"]
    seats = [api.post(f"/v1/matches/{match}/seats", {}, host).json["token"] for _ in range(3)]
    table = Table(api, match, host, seats).start()
    table.send(0, table.moves(0)[0])
    page = api.get(f"{table.path}/events?limit=200").json
    live = api.get(f"{table.path}/events?limit=200", seats[0]).json
    assert page["head"] < live["head"]
    reader = Reader(api, f"{table.path}/events", None)
    hello, *items = reader.items()
    assert hello["head"] == page["head"] and items == page["items"]
    answer = table.send(1, table.moves(1)[0]).json
    assert [item["version"] for item in reader.items()] == [page["head"] + len(answer["events"])]
    reader.close()


def test_a_stream_and_its_hello_are_json_a_line_each(api: Api, seated: Seated) -> None:
    reader = Reader(api, f"{seated().path}/events", None, NDJSON)
    for line in reader.next().splitlines():
        assert json.loads(line)["type"]
    reader.close()
