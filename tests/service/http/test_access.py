"""Who may do what: every operation of the document × every kind of caller, on public and private matches.

The matrix is driven by the OpenAPI document, so that a new operation cannot be forgotten.
"""

import json
from typing import Any

import pytest

from domain.catalogue import GAMES
from service.http import openapi
from tests.audit.whole_matches import lines_of
from tests.service.http.conftest import Api, Seated, Table
from tests.service.http.running import new_key

CALLERS = ("nobody", "garbage", "seat", "other seat", "dead seat", "host", "stranger")

# What each caller gets: (public match, private match), in the order of CALLERS. 200 stands for success.
MATRIX: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "listGames": ((200, 200, 200, 200, 200, 200, 200),) * 2,
    "getGame": ((200, 200, 200, 200, 200, 200, 200),) * 2,
    "getStatistics": ((401, 401, 403, 403, 403, 200, 200),) * 2,
    "getOpenApi": ((200, 200, 200, 200, 200, 200, 200),) * 2,
    "getProblemPage": ((200, 200, 200, 200, 200, 200, 200),) * 2,
    "listPublicKeys": ((200, 200, 200, 200, 200, 200, 200),) * 2,
    "getLiveness": ((200, 200, 200, 200, 200, 200, 200),) * 2,
    "getReadiness": ((200, 200, 200, 200, 200, 200, 200),) * 2,
    # Where no match is loaded a seat token cannot be proven again: no right with it, dead or alive.
    "listMatches": ((401, 401, 403, 403, 403, 200, 200),) * 2,
    "createImport": ((401, 401, 403, 403, 403, 200, 200),) * 2,
    "listImports": ((401, 401, 403, 403, 403, 200, 200),) * 2,
    "deleteImport": ((401, 401, 403, 403, 403, 200, 404),) * 2,
    "createMatch": ((401, 401, 403, 403, 403, 200, 200),) * 2,
    "updateMatch": ((401, 401, 403, 403, 401, 200, 404),) * 2,
    # The match is not over.
    "createRematch": ((401, 401, 409, 403, 401, 409, 404),) * 2,
    "createQueueTicket": ((401, 401, 403, 403, 403, 200, 200),) * 2,
    "getQueueTicket": ((401, 401, 403, 403, 403, 200, 404),) * 2,
    "deleteQueueTicket": ((401, 401, 403, 403, 403, 200, 404),) * 2,
    "createMatchBatch": ((401, 401, 403, 403, 403, 200, 200),) * 2,
    "getJob": ((401, 401, 403, 403, 403, 200, 404),) * 2,
    "getMatch": ((200, 401, 200, 403, 401, 200, 404), (404, 401, 200, 403, 401, 200, 404)),
    "listSeats": ((200, 401, 200, 403, 401, 200, 404), (404, 401, 200, 403, 401, 200, 404)),
    "getSeat": ((200, 401, 200, 403, 401, 200, 404), (404, 401, 200, 403, 401, 200, 404)),
    "joinMatch": ((401, 401, 403, 403, 401, 200, 404),) * 2,
    "leaveSeat": ((401, 401, 200, 403, 401, 200, 404),) * 2,
    "renewSeatToken": ((401, 401, 200, 403, 401, 200, 404),) * 2,
    "revokeSeatToken": ((401, 401, 200, 403, 401, 200, 404),) * 2,
    # The match has not started.
    "handOverSeat": ((401, 401, 409, 403, 401, 409, 404),) * 2,
    "createInvite": ((401, 401, 403, 403, 401, 200, 404),) * 2,
    "listInvites": ((401, 401, 403, 403, 401, 200, 404),) * 2,
    "getInvite": ((401, 401, 403, 403, 401, 200, 404),) * 2,
    "revokeInvite": ((401, 401, 403, 403, 401, 200, 404),) * 2,
    "createSpectator": ((401, 401, 403, 403, 401, 200, 404),) * 2,
    "listSpectators": ((401, 401, 403, 403, 401, 200, 404),) * 2,
    "getSpectator": ((401, 401, 403, 403, 401, 200, 404),) * 2,
    "revokeSpectator": ((401, 401, 403, 403, 401, 200, 404),) * 2,
    # Only a sandbox has a clock to look at: a key of the live mode has no right to one.
    "getSandboxClock": ((401, 401, 403, 403, 403, 403, 403),) * 2,
    "moveSandboxClock": ((401, 401, 403, 403, 403, 403, 403),) * 2,
    "listKeys": ((401, 401, 403, 403, 403, 200, 200),) * 2,
    "createKey": ((401, 401, 403, 403, 403, 200, 200),) * 2,
    "getKey": ((401, 401, 403, 403, 403, 200, 404),) * 2,
    "rotateKey": ((401, 401, 403, 403, 403, 200, 404),) * 2,
    "revokeKey": ((401, 401, 403, 403, 403, 200, 404),) * 2,
    "erasePerson": ((401, 401, 403, 403, 403, 200, 200),) * 2,
    "getOrigins": ((401, 401, 403, 403, 403, 200, 200),) * 2,
    "setOrigins": ((401, 401, 403, 403, 403, 200, 200),) * 2,
    "sendCommand": ((401, 401, 403, 403, 401, 200, 404),) * 2,
    "sendCommandBatch": ((401, 401, 409, 403, 401, 403, 404),) * 2,
    "getCommandOutcome": ((401, 401, 200, 403, 401, 200, 404),) * 2,
    "listLegalMoves": ((401, 401, 200, 403, 401, 403, 404),) * 2,
    "getView": ((200, 401, 200, 403, 401, 200, 404), (404, 401, 200, 403, 401, 200, 404)),
    "createFork": ((401, 401, 409, 403, 401, 409, 404),) * 2,
    "getDiff": ((200, 401, 200, 403, 401, 200, 404), (404, 401, 200, 403, 401, 200, 404)),
    "getEvent": ((200, 401, 200, 403, 401, 200, 404), (404, 401, 200, 403, 401, 200, 404)),
    "listEvents": ((200, 401, 200, 403, 401, 200, 404), (404, 401, 200, 403, 401, 200, 404)),
    # The match is not over.
    "getSecrecy": ((401, 401, 409, 403, 401, 409, 404),) * 2,
    "getProof": ((200, 401, 200, 403, 401, 200, 404), (404, 401, 200, 403, 401, 200, 404)),
    # The feed; a ticket for the match.
    "listFeed": ((401, 401, 403, 403, 403, 200, 200),) * 2,
    "createStreamTicket": ((401, 401, 200, 403, 401, 200, 404),) * 2,
    "exportMatch": ((200, 401, 200, 403, 401, 200, 404), (404, 401, 200, 403, 401, 200, 404)),
    "listWebhooks": ((401, 401, 403, 403, 403, 200, 200),) * 2,
    "createWebhook": ((401, 401, 403, 403, 403, 200, 200),) * 2,
    "getWebhook": ((401, 401, 403, 403, 403, 200, 404),) * 2,
    "updateWebhook": ((401, 401, 403, 403, 403, 200, 404),) * 2,
    "deleteWebhook": ((401, 401, 403, 403, 403, 200, 404),) * 2,
    "rotateWebhookSecret": ((401, 401, 403, 403, 403, 200, 404),) * 2,
    "listDeliveries": ((401, 401, 403, 403, 403, 200, 404),) * 2,
    "getDelivery": ((401, 401, 403, 403, 403, 200, 404),) * 2,
    "testWebhook": ((401, 401, 403, 403, 403, 200, 404),) * 2,
    "redeliverWebhook": ((401, 401, 403, 403, 403, 200, 404),) * 2,
}
UPLOADS = {"createImport": lambda: b"".join(lines_of("seven-wonders"))}
BODIES: dict[str, Any] = {
    "createFork": {"version": 1},
    "createMatch": {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3},
    "joinMatch": {"name": "Zoë", "player_ref": "user-4711"},
    "updateMatch": {"options": {"sides": "A"}},
    "createRematch": {},
    "createQueueTicket": {"game": "seven-wonders"},
    "createMatchBatch": {"matches": [{"game": "seven-wonders", "seats": [{"kind": "open"}] * 3}]},
    "renewSeatToken": {},
    "handOverSeat": {"kind": "bot", "bot": "easy"},
    "createInvite": {},
    "createSpectator": {},
    "moveSandboxClock": {"advance_ms": 1000},
    "createKey": {"scopes": ["matches:read"]},
    "rotateKey": {},
    "setOrigins": {"origins": ["https://play.example"]},
    "sendCommand": {"command": {"type": "cancel"}},
    "createWebhook": {"url": "https://example.com/hook"},
    "updateWebhook": {"enabled": True},
    "rotateWebhookSecret": {},
    "testWebhook": {},
    "redeliverWebhook": {"since": "2026-01-05T10:11:12.345Z"},
    # Accepted as far as rights go; there is nothing to resign from before the start.
    "sendCommandBatch": {"commands": [{"command": {"type": "resign"}}]},
}


# What a query must hold.
QUERIES = {"getDiff": "?from=1"}


def document() -> dict[str, Any]:
    return openapi.document(GAMES)


OPERATIONS = [
    (operation["operationId"], method.upper(), path)
    for path, item in document()["paths"].items()
    for method, operation in item.items()
    if method in ("get", "post", "put", "patch", "delete")
]


def test_the_matrix_knows_every_operation() -> None:
    assert {id for id, _, _ in OPERATIONS} == set(MATRIX)


def tokens(api: Api, table: Table, seated: Seated) -> dict[str, str | None]:
    """A token for each caller. The dead seat's was valid until its player left."""
    left = api.post(f"{table.path}/seats", {}, table.host).json
    assert api.get(f"{table.path}/view", left["token"]).status_code == 200, "seen alive, then dead"
    gone = api.ask("DELETE", f"{table.path}/seats/{left['seat']}", table.host)
    assert gone.status_code == 204
    return {
        "nobody": None,
        "garbage": "st_" + "a" * 26 + "_0_" + "b" * 52,
        "seat": table.seats[0],
        "other seat": seated().seats[0],
        "dead seat": left["token"],
        "host": table.host,
        "stranger": api.tenant("stranger"),
    }


def hook(api: Api, host: str) -> dict[str, str]:
    """A webhook of the host, and a delivery."""
    made = api.post("/v1/webhooks", {"url": "https://example.com/hook"}, host).json["id"]
    delivery = api.post(f"/v1/webhooks/{made}/test", {}, host).json["id"]
    return {"webhook": made, "delivery": delivery}


def ask(api: Api, table: Table, operation: tuple[str, str, str], token: str | None) -> Any:
    id, method, path = operation
    named = {
        "game": "seven-wonders",
        "key": new_key(),
        "code": "not-found",
        "version": 1,
        "player_ref": "user-4711",
    }
    if "{webhook}" in path:
        named |= hook(api, table.host)
    if "{ticket}" in path or "{job}" in path:
        named |= lobby_of(api, table.host)
    named["id"] = table.host.split("_")[2]
    if id == "deleteImport":
        sent = {"data": UPLOADS["createImport"](), "content_type": "application/x-ndjson"}
        named["id"] = api.ask("POST", "/v1/imports", table.host, **sent).json["id"]
    if "{invite}" in path or "{spectator}" in path:
        named |= passes_of(table)
    filled = path.format(match=table.id, seat=0, **named) + QUERIES.get(id, "")
    keyed = {"Idempotency-Key": new_key()}
    if id in UPLOADS:
        return api.ask(method, filled, token, data=UPLOADS[id](), content_type="application/x-ndjson")
    body = {"match": table.id} if id == "createStreamTicket" else BODIES.get(id)
    if id == "joinMatch" and token is not None and token.startswith("it_"):
        body = {"name": "Zoë"}  # the invite says who its guest is
    return api.ask(method, filled, token, json=body, headers=keyed)


def lobby_of(api: Api, host: str) -> dict[str, str]:
    """A ticket that waits, and a job."""
    ticket = api.post("/v1/queue-tickets", {"game": "seven-wonders", "seats": {"min": 7}}, host).json["id"]
    job = api.post("/v1/match-batches", BODIES["createMatchBatch"], host).json["id"]
    return {"ticket": ticket, "job": job}


def passes_of(table: Table) -> dict[str, str]:
    """The ids of an invite and of a spectator token of the match."""
    made = [table.api.post(f"{table.path}/{kind}", {}, table.host) for kind in ("invites", "spectators")]
    return {"invite": made[0].json["id"], "spectator": made[1].json["id"]}


@pytest.mark.parametrize("private", [False, True], ids=["public", "private"])
@pytest.mark.parametrize("operation", OPERATIONS, ids=[id for id, _, _ in OPERATIONS])
def test_callers_get_what_is_theirs(
    operation: tuple[str, str, str], private: bool, api: Api, seated: Seated
) -> None:
    wanted = MATRIX[operation[0]][private]
    found = []
    for caller in CALLERS:
        table = seated("private" if private else "public", open_seats=1)
        answer = ask(api, table, operation, tokens(api, table, seated)[caller])
        if answer.status_code < 300:
            found.append(200)
        else:
            assert answer.mimetype == "application/problem+json"
            found.append(answer.status_code)
    assert dict(zip(CALLERS, found, strict=True)) == dict(zip(CALLERS, wanted, strict=True))


_READ = (
    "", "/view", "/events", "/seats", "/seats/0", "/export", "/events/1", "/diff?from=1", "/proof",
)  # fmt: skip


def test_a_private_match_looks_like_none_at_all(api: Api, seated: Seated) -> None:
    table = seated("private")
    stranger = api.tenant("stranger")
    for token in (None, stranger):
        for path in _READ:
            there = api.get(table.path + path, token)
            nowhere = api.get(f"/v1/matches/mat_{'a' * 26}{path}", token)
            assert there.status_code == nowhere.status_code == 404
            for answer in (there, nowhere):
                assert all(
                    answer.headers.pop(name) for name in ("Request-Id", "traceparent", "Content-Length")
                )
            assert there.headers == nowhere.headers
            same = [{**json.loads(answer.data), "instance": ""} for answer in (there, nowhere)]
            assert same[0] == same[1]


def test_every_failed_authentication_is_the_same(api: Api, seated: Seated) -> None:
    table = seated()
    valid = table.seats[0]
    bad = [
        valid[:-1] + ("a" if valid[-1] != "a" else "b"),
        valid.replace("_0_", "_1_"),
        "tk_live_" + "a" * 16 + "_" + "b" * 52,
        table.host[:-1] + ("a" if table.host[-1] != "a" else "b"),
        "tk_test_" + table.host.removeprefix("tk_live_"),
    ]
    answers = [api.get(f"{table.path}/view", token) for token in bad]
    assert {answer.status_code for answer in answers} == {401}
    assert len({json.dumps({**answer.json, "instance": ""}) for answer in answers}) == 1
    assert {answer.headers["WWW-Authenticate"] for answer in answers} == {'Bearer realm="wonderlog"'}
    assert faults(answers[0]) == ["invalid"]
    for unreadable in ("x" * 40, "short", "a b", "st_" + "a" * 40):
        assert faults(api.get(f"{table.path}/view", unreadable)) == ["malformed"]
    assert faults(api.get("/v1/matches")) == ["missing"]


def faults(answer: Any) -> list[str]:
    """What is wrong with a credential."""
    assert answer.status_code == 401
    return [fault["code"] for fault in answer.json["errors"]]


def test_a_good_token_of_another_match_is_told_so_whether_there_is_such_a_match_or_not(
    api: Api, seated: Seated
) -> None:
    table, private, nowhere = seated(), seated("private"), f"/v1/matches/mat_{'a' * 26}"
    invite, spectator = (
        api.post(f"{table.path}/{kind}", {}, table.host).json["token"] for kind in ("invites", "spectators")
    )
    public = seated().path
    for token in (table.seats[0], invite, spectator):
        for path in ("", "/view", "/seats"):
            answers = [api.get(place + path, token) for place in (public, private.path, nowhere)]
            assert {(answer.status_code, answer.json["code"]) for answer in answers} == {(403, "forbidden")}
            assert len({answer.json["detail"] for answer in answers}) == 1
    ticket = api.post("/v1/stream-tickets", {"match": private.id}, table.seats[0])
    assert ticket.status_code == 403


def test_a_token_that_was_replaced_is_told_so_until_the_next_one_is(seated: Seated) -> None:
    table = seated()
    old = table.seats[0]
    for code in ("replaced", "invalid"):
        api = table.api
        table.seats[0] = api.post(f"{table.path}/seats/0/token", {}, table.seats[0]).json["token"]
        assert faults(api.get(f"{table.path}/view", old)) == [code]


def test_a_seat_sees_its_own_hand_and_nobody_elses(seated: Seated) -> None:
    table = seated().start()
    hands = [table.api.get(f"{table.path}/view", token).json["state"].get("hand") for token in table.seats]
    assert all(len(hand) == 7 for hand in hands)
    for token in (None, table.host):
        assert table.api.get(f"{table.path}/view", token).json["state"]["hand"] is None
    for seat, token in enumerate(table.seats):
        events = table.api.get(f"{table.path}/events?limit=200", token).json["items"]
        dealt = next(event for event in events if event["type"].endswith("hands_dealt"))
        for other, hand in enumerate(dealt["data"]["hands"]):
            assert (sorted(hand) == sorted(hands[other])) == (seat == other)


def test_the_seat_in_a_path_is_not_who_asks(seated: Seated) -> None:
    table = seated()
    answer = table.api.ask("DELETE", f"{table.path}/seats/0", table.seats[1])
    assert (answer.status_code, answer.json["code"]) == (403, "seat-mismatch")
    assert table.api.get(f"{table.path}/seats/0").json["kind"] == "human"
    assert table.api.ask("DELETE", f"{table.path}/seats/1", table.seats[1]).status_code == 204
    assert table.api.get(f"{table.path}/view", table.seats[1]).status_code == 401


def test_a_token_is_taken_from_the_header_alone(api: Api, seated: Seated) -> None:
    table = seated("private")
    assert api.get(f"{table.path}/view?token={table.host}").status_code == 400
    assert api.get(f"{table.path}/view", headers={"Cookie": f"Authorization={table.host}"}).status_code == 404
    assert api.get(f"{table.path}/view", headers={"X-Api-Key": table.host}).status_code == 404
    lower = api.get(f"{table.path}/view", headers={"Authorization": f"bearer {table.host}"})
    assert lower.status_code == 200
