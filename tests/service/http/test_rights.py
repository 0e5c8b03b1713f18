"""Spectators, invites, other seats, replaced tokens, at every operation of the document; seat-like members in
every body. Driven by the document, so that a new route cannot be missed."""

import copy
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from service.http import examples
from tests.service.http.conftest import Api, Seated, Table
from tests.service.http.contract import document, resolved
from tests.service.http.test_access import OPERATIONS, ask
from tests.service.http.test_scopes import SECURED

Operation = tuple[str, str, str]


def schemes(operation: Operation) -> set[str]:
    """The kinds of credential the document says an operation takes; empty for one that takes none."""
    said = document()["paths"][operation[2]][operation[1].lower()]["security"]
    return {scheme for each in said for scheme in each}


def passed(table: Table, kind: str) -> dict[str, Any]:
    """An invite or a spectator token of the match."""
    made = table.api.post(f"{table.path}/{kind}", {}, table.host)
    assert made.status_code == 201, made.text
    table.api.secrets.append(made.json["token"])
    found: dict[str, Any] = made.json
    return found


KINDS = {"spectators": "SpectatorToken", "invites": "InviteToken"}


@pytest.mark.parametrize("visibility", ["public", "private"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_pass_opens_what_the_document_says_in_its_own_match_and_nothing_else(
    kind: str, visibility: str, api: Api, seated: Seated
) -> None:
    foreign = passed(seated(visibility, open_seats=1), kind)
    for operation in SECURED:
        table = seated(visibility, open_seats=1)
        answer = ask(api, table, operation, passed(table, kind)["token"])
        if KINDS[kind] in schemes(operation):
            early = operation[0] == "getSecrecy" and answer.json["code"] == "conflict"
            assert answer.status_code < 300 or early, (operation, answer.text)
        else:
            assert (answer.status_code, answer.json["code"]) == (403, "forbidden"), operation
        if "{match}" in operation[2]:
            assert ask(api, table, operation, foreign["token"]).status_code == 403, operation


IN_MATCHES = [each for each in SECURED if "{match}" in each[2]]


def test_a_spectator_token_that_ended_opens_nothing(api: Api, seated: Seated) -> None:
    table = seated(open_seats=1)
    mine = passed(table, "spectators")
    assert api.get(f"{table.path}/view", mine["token"]).status_code == 200, "known to this process"
    assert api.ask("DELETE", f"{table.path}/spectators/{mine['id']}", table.host).status_code == 204
    for operation in IN_MATCHES:
        answer = ask(api, table, operation, mine["token"])
        refused = 401 if "SpectatorToken" in schemes(operation) else 403
        assert answer.status_code == refused, (operation, answer.text)


def test_a_seat_token_that_was_replaced_opens_nothing(api: Api, seated: Seated) -> None:
    for operation in IN_MATCHES:
        table = seated(open_seats=1)
        old = table.seats[0]
        assert api.get(f"{table.path}/view", old).status_code == 200, "known to this process"
        renewed = api.post(f"{table.path}/seats/0/token", {}, old)
        assert ask(api, table, operation, old).status_code == 401, operation
        assert ask(api, table, operation, renewed.json["token"]).status_code != 401, operation


OTHERS_SEAT = [
    each for each in SECURED if "{seat}" in each[2] and each[1] != "GET" and "SeatToken" in schemes(each)
]


def test_a_seat_may_not_act_for_another(api: Api, seated: Seated) -> None:
    table = seated(open_seats=1)
    assert len(OTHERS_SEAT) >= 4
    for operation in OTHERS_SEAT:
        answer = ask(api, table, operation, table.seats[1])
        assert (answer.status_code, answer.json["code"]) == (403, "seat-mismatch"), operation


def test_no_token_stands_for_another_kind(api: Api, seated: Seated) -> None:
    table = seated(open_seats=1)
    secret = {kind: passed(table, kind)["token"] for kind in KINDS}
    tail = table.id.removeprefix("mat_")
    for token in (*secret.values(), table.seats[0]):
        last = token.rpartition("_")[2]
        for forged in (
            f"st_{tail}_1_{last}",
            f"it_{tail}_{'a' * 16}_{last}",
            f"vt_{tail}_{'a' * 16}_{last}",
            "vt_" + token[3:],
            "it_" + token[3:],
            "tk_live_" + token[3:],
        ):
            if forged != token:
                assert api.get(f"{table.path}/view", forged).status_code == 401, forged[:3]


SEAT_LIKE = ("seat", "playerID", "player", "player_id", "actor", "viewer", "as_seat", "cause", "tenant")
# Where the host or the joining person names a seat, which no credential says yet.
NAMES_A_SEAT = {("joinMatch", "seat"), ("createInvite", "seat")}


def bodies() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Operation, member, and a recorded body with that member put in: at the top, and into each command."""
    recorded = examples.recorded()
    for id, method, path in OPERATIONS:
        said = document()["paths"][path][method.lower()].get("requestBody", {"content": {}})
        if "application/json" not in said["content"]:
            continue
        body = next(iter(recorded.requests[id].values()))
        for member in SEAT_LIKE:
            if (id, member) not in NAMES_A_SEAT:
                yield id, member, {**body, member: 1}
    for shape in document()["components"]["schemas"]["Command"]["oneOf"]:
        variant = resolved(shape)
        (kind,) = variant["properties"]["type"]["enum"]
        command = {"type": kind} | {
            name: _some(inner)
            for name, inner in variant["properties"].items()
            if name in variant.get("required", ()) and name != "type"
        }
        for member in SEAT_LIKE:
            if member not in variant["properties"]:
                yield "sendCommand", member, {"decision": "d1.choose", "command": {**command, member: 1}}


def _some(shape: Any) -> Any:
    shape = resolved(shape)
    if "enum" in shape:
        return shape["enum"][0]
    if "anyOf" in shape:
        return _some(shape["anyOf"][0])
    kind = shape.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return {name: _some(shape["properties"][name]) for name in shape.get("required", ())}
    return {"string": "x", "integer": 1, "boolean": True, "array": []}.get(str(kind))


def test_a_seat_like_member_is_refused_in_every_body_and_command(api: Api, seated: Seated) -> None:
    table = seated().start()
    paths = {id: (method, path) for id, method, path in OPERATIONS}
    kinds = set()
    for id, member, body in bodies():
        method, path = paths[id]
        key_id = table.host.split("_")[2]
        known = {"match": table.id, "seat": "0", "id": key_id}
        filled = path.format_map(defaultdict(lambda: "a" * 16, known))
        token = table.host if "TenantKey" in schemes((id, method, path)) else table.seats[0]
        if id == "sendCommand" and body["command"]["type"] not in ("start", "cancel"):
            token = table.seats[0]
        before = api.get(table.path, table.host).json["version"]
        answer = api.ask(method, filled, token, json=copy.deepcopy(body), headers=_key(method))
        assert (answer.status_code, answer.json["code"]) == (400, "validation"), (id, member, answer.text)
        pointers = [error["pointer"] for error in answer.json["errors"]]
        assert any(pointer.endswith(f"/{member}") for pointer in pointers), (id, member, pointers)
        assert api.get(table.path, table.host).json["version"] == before
        kinds.add((id, str(body.get("command", {}).get("type", ""))))
    assert len(kinds) > 20


def _key(method: str) -> dict[str, str]:
    return {} if method == "POST" else {"Idempotency-Key": "k" * 20}
