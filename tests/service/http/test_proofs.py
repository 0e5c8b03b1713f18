"""Over HTTP: signed heads, published keys, the head a client knows, bundles cut and seen by others."""

import json
from typing import Any

import pytest

from events import bundle, published_keys
from events.signing import is_signed_head
from tests.audit.short_match import tool
from tests.service.http.conftest import Api, Seated, Table
from tests.service.http.contract import document

KEYS = "/.well-known/wonderlog-keys.json"


def ended(table: Table) -> Table:
    """Everybody but seat 0 gives up."""
    for seat in range(1, len(table.seats)):
        answer = table.send(seat, {"command": {"type": "resign"}})
        assert answer.status_code == 200, answer.text
    return table


def head_of(table: Table) -> str:
    """The head as a client names it."""
    proof = table.api.get(f"{table.path}/proof", table.host).json
    return f"{proof['version']}:{proof['hash']}"


def test_a_signed_head_holds_against_the_published_keys(api: Api, seated: Seated) -> None:
    table = seated().start()
    keys = published_keys.read(api.get(KEYS).data)
    for query in ("", "?version=1", "?version=5"):
        proof = api.get(f"{table.path}/proof{query}", table.seats[0]).json
        named = (proof["match"], proof["version"], proof["hash"])
        assert proof["public_key"] in keys
        assert is_signed_head(proof["public_key"], proof["signature"], *named)
        assert proof["revealed"] is None
    assert api.get(f"{table.path}/proof?version=999", table.host).status_code == 404
    assert api.get(f"{table.path}/proof?version=0", table.host).status_code == 400
    revealed = api.get(f"{ended(table).path}/proof").json["revealed"]
    assert set(revealed) == {"match_key", "commit_nonce"}


def test_a_bundle_holds_against_the_published_keys_for_both_verifiers(api: Api, seated: Seated) -> None:
    raw = api.get(f"{ended(seated().start()).path}/export").data
    file = api.get(KEYS).data
    assert bundle.verify(raw.splitlines(keepends=True), published_keys.read(file)).trusted is True
    assert tool.verify(raw, tool.keys_of(file)).signature == "valid"


def test_a_bundle_is_cut_and_seen_as_the_query_says(api: Api, seated: Seated) -> None:
    table = ended(seated().start())
    for query, told in (
        ("?version=6", ("full", False, 6)),
        ("?version=6&perspective=s1", ("s1", False, 6)),
        ("?perspective=public", ("public", True, None)),
    ):
        raw = api.get(f"{table.path}/export{query}").data
        header = json.loads(raw.splitlines()[0])
        assert (header["perspective"], header["over"]) == told[:2]
        assert told[2] in (None, header["count"])
        assert tool.verify(raw).why == ""
    for query, status in (
        ("?version=999", 404),
        ("?version=x", 400),
        ("?perspective=s9", 400),
        ("?seat=1", 400),
    ):
        assert api.get(f"{table.path}/export{query}").status_code == status
    running = seated().start()
    refused = api.get(f"{running.path}/export?perspective=full", running.seats[0])
    assert (refused.status_code, refused.json["code"]) == (403, "forbidden")


# The head a client knows

OPERATIONS = [
    (operation["operationId"], method.upper(), path)
    for path, item in document()["paths"].items()
    for method, operation in item.items()
    if "{match}" in path and method in ("get", "post", "put", "patch", "delete")
]


def ask(table: Table, method: str, path: str, known: str) -> Any:
    """A request of the host's, with a body that is refused where one is needed."""
    filled = path.replace("{match}", table.id).replace("{seat}", "0").replace("{key}", "k" * 20)
    filled = filled.replace("{version}", "1") + ("?from=1" if path.endswith("/diff") else "")
    more = {} if method in ("GET", "DELETE") else {"json": {"command": {"type": "cancel"}}}
    return table.api.ask(method, filled, table.host, headers={"Wonderlog-Known-Head": known}, **more)


@pytest.mark.parametrize(("id", "method", "path"), OPERATIONS, ids=[id for id, _, _ in OPERATIONS])
def test_every_operation_of_a_match_refuses_a_head_the_log_does_not_contain(
    id: str, method: str, path: str, seated: Seated
) -> None:
    table = seated().start()
    version, _, hash = head_of(table).partition(":")
    before = table.api.services.store.head(table.id)
    for forked in (f"{version}:{'f' * 64}", f"{int(version) + 1}:{hash}", f"1:{hash}"):
        answer = ask(table, method, path, forked)
        assert (answer.status_code, answer.json["code"]) == (409, "history-forked")
        assert answer.json["current"]["version"] == int(version)
    assert table.api.services.store.head(table.id) == before, "nothing was written"
    for wrong in ("", "7", f"0:{hash}", f"{version}:{hash.upper()}", f"{version}:{hash} x", "7:" + "é" * 64):
        answer = ask(table, method, path, wrong)
        assert (answer.status_code, answer.json["code"]) == (400, "validation")
        assert answer.json["errors"][0]["pointer"] == "/header/Wonderlog-Known-Head"
    # A head the log contains changes nothing.
    assert "history-forked" not in ask(table, method, path, f"{version}:{hash}").text


def test_a_command_that_names_its_head_is_taken_and_answers_with_the_next(seated: Seated) -> None:
    table = seated().start()
    known = head_of(table)
    for seat in range(3):
        answer = table.send(seat, table.moves(seat)[0], Wonderlog_Known_Head=known)
        assert answer.status_code == 200, answer.text
        known = f"{answer.json['head']['version']}:{answer.json['head']['hash']}"
    assert known == head_of(table)


def test_a_head_says_nothing_to_those_who_may_not_see_the_match(api: Api, seated: Seated) -> None:
    table = seated("private").start()
    right, stranger = head_of(table), api.tenant("stranger")
    for path in ("", "/view", "/events", "/proof"):
        for known in (right, f"3:{'f' * 64}"):
            answer = api.get(table.path + path, stranger, headers={"Wonderlog-Known-Head": known})
            assert (answer.status_code, answer.json["code"]) == (404, "not-found")
