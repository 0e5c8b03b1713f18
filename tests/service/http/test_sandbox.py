"""The sandbox over HTTP: apart from everything live on every route, marked in every answer; its faults."""

from typing import Any

import pytest

from service.http.examples import recorded
from service.keyring import Wish
from service.sandbox import is_sandbox
from tests.service.http.conftest import Api, Table
from tests.service.http.running import new_key
from tests.service.http.test_access import MATRIX, OPERATIONS, ask
from tests.service.table import run_jobs

PLAN = {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3, "visibility": "private"}
# What is everybody's, and what only a sandbox has.
CLOCK = ("getSandboxClock", "moveSandboxClock")


def key_of(api: Api, tenant: str = "acme", mode: str = "test") -> str:
    made = api.services.keys.create(tenant, Wish(mode=mode)).key
    api.secrets.append(made)
    return made


def set_up(api: Api, host: str, **more: Any) -> Table:
    """A match with two of three seats taken, in the lobby."""
    made = api.post("/v1/matches", {**PLAN, **more}, host)
    assert made.status_code == 201, made.text
    table = Table(api, made.json["id"], host, [])
    for _ in range(2):
        table.seats.append(api.post(f"{table.path}/seats", {}, host).json["token"])
    return table


@pytest.mark.parametrize("operation", OPERATIONS, ids=[id for id, _, _ in OPERATIONS])
def test_a_test_key_is_a_stranger_to_live_matches_and_a_live_key_to_those_of_the_sandbox(
    operation: tuple[str, str, str], api: Api
) -> None:
    if operation[0] in CLOCK:
        pytest.skip("live keys have no such clock at all: see below")
    live, test, stranger = key_of(api, mode="live"), key_of(api), key_of(api, "stranger", "live")
    for host, other in ((live, test), (test, live)):
        if other is live and operation[0] in ("getKey", "rotateKey", "revokeKey"):
            continue  # the keys of its tests are those of the tenant itself
        table = set_up(api, host)
        answers = [ask(api, table, operation, token) for token in (other, stranger)]
        assert answers[0].status_code == answers[1].status_code, operation
        wanted = MATRIX[operation[0]][True][-1]
        assert answers[0].status_code == wanted or (answers[0].status_code < 300 and wanted == 200)
        if "{match}" in operation[2]:
            assert answers[0].status_code == 404
        assert table.id not in answers[0].text


def test_every_answer_to_a_credential_of_the_sandbox_says_so(api: Api) -> None:
    test = key_of(api)
    table = set_up(api, test)
    seat = table.seats[0]
    watcher = api.post(f"{table.path}/spectators", {}, test).json["token"]
    for token in (test, seat, watcher):
        for path in (table.path, f"{table.path}/view", f"{table.path}/events", "/v1/matches/mat_" + "a" * 26):
            assert "Sandbox-Time" in api.get(path, token).headers or path.endswith("aaa")
    live = set_up(api, key_of(api, mode="live"))
    for token in (live.host, live.seats[0]):
        assert "Sandbox-Time" not in api.get(f"{live.path}/view", token).headers
    assert api.get(table.path, test).json["sandbox"] == {"seed": None}
    assert api.get("/v1/matches", test).json["items"][0]["sandbox"] == {"seed": None}
    assert "sandbox" not in api.get(live.path, live.host).json
    bundle = api.get(f"{table.path}/export", test).text.splitlines()
    assert '"sandbox":{"seed":null}' in bundle[1]


def test_the_script_of_the_documented_example_can_be_played(api: Api) -> None:
    test, plan = key_of(api), recorded().requests["createMatch"]["in the sandbox"]
    made = api.post("/v1/matches", plan, test)
    assert made.status_code == 201, made.text
    table = Table(api, made.json["id"], test, [])
    table.seats.append(api.post(f"{table.path}/seats", {}, test).json["token"])
    table.start()
    run_jobs(api.services)
    events = api.get(f"{table.path}/events?limit=200", test).json["items"]
    assert [each["type"] for each in events if each["actor"] == "seat:1"] == ["wonderful_world.card_drafted"]
    assert "match.bot_failed" not in {each["type"] for each in events}


def test_what_branches_off_or_follows_a_sandbox_match_is_marked_as_well(api: Api) -> None:
    test = key_of(api)
    table = set_up(api, test, sandbox={"seed": "tuesday"})
    table.seats.append(api.post(f"{table.path}/seats", {}, test).json["token"])
    table.start()
    fork = api.post(f"{table.path}/forks", {}, test)
    assert fork.json["match"]["sandbox"] == {"seed": None}
    for seat in (0, 1):
        table.send(seat, {"command": {"type": "resign"}})
    follows = api.post(f"{table.path}/rematch", {}, test)
    assert follows.status_code == 201 and follows.json["match"]["sandbox"] == {"seed": None}
    assert api.get(f"{table.path}/proof", test).json["revealed"] is not None
    notation = api.get(f"{table.path}/export?format=notation", test).text
    assert '[Sandbox "tuesday"]' in notation


def test_the_clock_is_read_and_moved(api: Api) -> None:
    test, live = key_of(api), key_of(api, mode="live")
    assert api.get("/v1/sandbox/clock", test).json["ahead_ms"] == 0
    key = {"Idempotency-Key": new_key()}
    moved = api.post("/v1/sandbox/clock", {"advance_ms": 5000}, test, headers=key)
    again = api.post("/v1/sandbox/clock", {"advance_ms": 5000}, test, headers=key)
    assert again.json == moved.json and moved.json["ahead_ms"] == 5000
    assert again.headers["Idempotency-Replayed"] == "true"
    assert api.post("/v1/sandbox/clock", {"advance_ms": 1}, test, headers=key).json["code"] == (
        "idempotency-key-reused"
    )
    for body, pointer in (
        ({"set": "2020-01-01T00:00:00.000Z"}, "/set"),
        ({"set": "2020-02-30T00:00:00.000Z"}, "/set"),
        ({"set": "tomorrow"}, "/set"),
        ({"advance_ms": -1}, "/advance_ms"),
        ({}, "/advance_ms"),
        ({"advance_ms": 1, "set": "2100-01-01T00:00:00.000Z"}, "/advance_ms"),
    ):
        refused = api.post("/v1/sandbox/clock", body, test)
        assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (400, pointer), body
    for answer in (
        api.get("/v1/sandbox/clock", live),
        api.post("/v1/sandbox/clock", {"advance_ms": 1}, live),
    ):
        assert (answer.status_code, answer.json["code"]) == (403, "forbidden")
    reader = api.services.keys.create("acme", Wish(["matches:read"], "test")).key
    assert api.get("/v1/sandbox/clock", reader).status_code == 200
    assert api.post("/v1/sandbox/clock", {"advance_ms": 1}, reader).status_code == 403


def test_a_live_key_can_have_neither_seeds_nor_scripts(api: Api) -> None:
    live = key_of(api, mode="live")
    scripted = {"kind": "bot", "bot": "script", "script": []}
    for more in ({"sandbox": {"seed": "x"}}, {"seats": [{"kind": "open"}] * 2 + [scripted]}):
        assert api.post("/v1/matches", {**PLAN, **more}, live).status_code == 403
    test = key_of(api)
    for more, pointer in (
        ({"sandbox": {"seed": ""}}, "/sandbox/seed"),
        ({"sandbox": {"seed": "a b"}}, "/sandbox/seed"),
        ({"sandbox": {"luck": 1}}, "/sandbox/luck"),
        ({"seats": [{"kind": "bot", "bot": "easy", "script": []}] * 3}, "/seats/0/script"),
        ({"seats": [{**scripted, "script": [{"type": "leap"}]}] * 3}, "/seats/0/script/0/type"),
    ):
        refused = api.post("/v1/matches", {**PLAN, **more}, test)
        assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (400, pointer), more


def hit(api: Api, fault: str, method: str, path: str, token: str, **more: Any) -> list[Any]:
    """What happens to two tries of the same request."""
    headers = {"Sandbox-Fault": fault, "Idempotency-Key": new_key()}
    return [api.ask(method, path, token, headers=headers, **more) for _ in range(2)]


def test_a_fault_hits_every_other_try(api: Api) -> None:
    test = key_of(api)
    for fault, code in (("429", "rate-limited"), ("drop-response", "temporarily-unavailable")):
        first, second = hit(api, fault, "POST", "/v1/matches", test, json=PLAN)
        assert (first.json["code"], second.status_code) == (code, 201)
        assert ("Idempotency-Replayed" in second.headers) == (fault == "drop-response")
        assert int(first.headers["Retry-After"]) >= 1
    first, second = hit(api, "drop-request", "POST", "/v1/matches", test, json=PLAN)
    assert first.status_code == 503 and "Idempotency-Replayed" not in second.headers
    first, second = hit(api, "duplicate", "POST", "/v1/matches", test, json=PLAN)
    assert first.headers["Idempotency-Replayed"] == "true" and first.json == second.json
    assert len(api.get("/v1/matches", test).json["items"]) == 4
    first, second = hit(api, "429", "GET", "/v1/matches", test)
    assert (first.status_code, second.status_code) == (429, 200)


def test_a_stale_command_was_not_done_and_says_where_the_match_stands(api: Api) -> None:
    table = set_up(api, key_of(api))
    body = {"command": {"type": "cancel"}}
    first, second = hit(api, "stale", "POST", f"{table.path}/commands", table.host, json=body)
    assert (first.status_code, first.json["code"], first.json["current"]["version"]) == (
        412,
        "stale-version",
        3,
    )
    assert second.status_code == 200


def test_a_stale_move_meets_what_it_would_when_its_decision_is_closed(api: Api) -> None:
    test = api.services.keys.create("acme", Wish(mode="test")).key
    made = api.post("/v1/matches", {**PLAN, "seats": [{"kind": "open"}] * 3}, test).json
    path = f"/v1/matches/{made['id']}"
    tokens = [api.post(f"{path}/seats", {}, test).json["token"] for _ in range(3)]
    api.post(f"{path}/commands", {"command": {"type": "start"}}, test)
    move = api.get(f"{path}/legal-moves", tokens[0]).json["moves"][0]["body"]
    for address, body in (("commands", move), ("command-batches", {"commands": [move]})):
        first, second = hit(api, "stale", "POST", f"{path}/{address}", tokens[0], json=body)
        assert (first.status_code, first.json["code"]) == (409, "stale-decision")
        assert first.json["current"]["decision_id"] == move["decision"]
        assert second.status_code == 200


def test_faults_that_cannot_be_are_refused_and_live_credentials_have_none(api: Api) -> None:
    test, live = key_of(api), key_of(api, mode="live")
    for fault, method, path in (
        ("storm", "GET", "/v1/matches"),
        ("stale", "GET", "/v1/matches"),
        ("duplicate", "GET", "/v1/matches"),
        ("slow-stream", "GET", "/v1/matches"),
    ):
        refused = api.ask(method, path, test, headers={"Sandbox-Fault": fault})
        assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (400, "/header/Sandbox-Fault")
        assert api.ask(method, path, live, headers={"Sandbox-Fault": fault}).status_code == 200
    for fault in ("429", "drop-request", "drop-response", "stale"):
        assert api.get("/v1/matches", live, headers={"Sandbox-Fault": fault}).status_code == 200
        assert api.get("/v1/games", headers={"Sandbox-Fault": fault}).status_code == 200


def test_nobody_can_be_a_tenant_by_the_name_of_a_sandbox(api: Api) -> None:
    caller = api.services.matches.authenticate(key_of(api), None)
    assert is_sandbox(caller.tenant)
    with pytest.raises(Exception, match="letters, digits"):
        api.services.keys.create(str(caller.tenant))
