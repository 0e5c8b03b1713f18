"""Bundles are imported over HTTP: whole ones, checked, to be seen at any version and never to be played."""

import dataclasses
import json
import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from events import bundle
from events.signing import is_signed_head
from service.http import face as faces
from service.http.face import face_of
from service.notation.bundling import notation
from tests.audit.short_match import SIGNER, tool
from tests.audit.whole_matches import JSON, MATCH, TABLES, changes, line, lines_of, log_of, sealed
from tests.service.http.conftest import Api
from tests.service.http.contract import document
from tests.service.http.test_access import BODIES, QUERIES

NDJSON = "application/x-ndjson"


def send(api: Api, token: str | None, raw: bytes, **headers: str | None) -> Any:
    named: dict[str, str | None] = {name.replace("_", "-"): value for name, value in headers.items()}
    return api.ask("POST", "/v1/imports", token, data=raw, content_type=NDJSON, headers=named)


def taken(api: Api, token: str, game: str) -> JSON:
    answer = send(api, token, b"".join(lines_of(game)))
    assert answer.status_code == 201, answer.text
    assert answer.headers["Location"] == f"/v1/matches/{answer.json['id']}"
    shown: JSON = answer.json
    return shown


def refused(api: Api, token: str, lines: list[bytes], number: int, kind: str | None = None) -> None:
    answer = send(api, token, b"".join(lines))
    assert (answer.status_code, answer.json["code"]) == (422, "bundle-refused"), answer.text
    (fault,) = answer.json["errors"]
    assert fault["pointer"] == f"/lines/{number}"
    assert kind in (None, fault["code"]), fault


@pytest.mark.parametrize("game", TABLES)
def test_a_match_of_each_game_is_imported_and_seen_at_any_version(game: str, api: Api) -> None:
    host = api.tenant("acme")
    match = taken(api, host, game)
    assert (match["status"], match["game"]) == ("over", game)
    foreign = match["foreign"]
    assert (foreign["match"], foreign["public_key"]) == (MATCH, SIGNER.public_key)
    path, last = match["links"]["self"], len(log_of(game))
    assert match["version"] == last
    again = api.get(path, host).json
    assert again == match
    for version in (1, 5, last // 2, last):
        view = api.get(f"{path}/view?version={version}", host).json
        assert (view["version"], view["match"]) == (version, match["id"])
    outcome = api.get(f"{path}/view", host).json["outcome"]
    assert outcome["ranking"] == log_of(game)[-1].data["ranking"]
    events = api.get(f"{path}/events?after={last - 3}", host).json["items"]
    assert [event["hash"] for event in events] == [event.hash for event in log_of(game)[-3:]]
    assert {event["match"] for event in events} == {MATCH}, "events stay what they were"


def test_an_imported_match_is_exported_as_it_came(api: Api) -> None:
    host, lines = api.tenant("acme"), lines_of("seven-wonders")
    path = taken(api, host, "seven-wonders")["links"]["self"]
    assert api.get(f"{path}/export", host).data == b"".join(lines)
    for query in ("?version=20", "?perspective=s1", "?perspective=public"):
        raw = api.get(f"{path}/export{query}", host).data
        report = tool.verify(raw)
        assert (report.why, report.signature) == ("", "unsigned"), "this service has not seen it played"


def test_its_head_is_proven_by_the_signature_of_its_origin(api: Api) -> None:
    host = api.tenant("acme")
    path = taken(api, host, "seven-wonders")["links"]["self"]
    proof = api.get(f"{path}/proof", host).json
    named = (proof["match"], proof["version"], proof["hash"])
    assert is_signed_head(SIGNER.public_key, proof["signature"], *named)
    assert api.get(f"{path}/proof?version=3", host).json["signature"] is None
    known = {"Wonderlog-Known-Head": f"{proof['version']}:{proof['hash']}"}
    assert api.get(f"{path}/view", host, headers=known).status_code == 200
    known = {"Wonderlog-Known-Head": f"{proof['version']}:{'0' * 64}"}
    assert api.get(f"{path}/view", host, headers=known).status_code == 409


def test_it_can_never_be_played_and_is_in_no_list(api: Api) -> None:
    host = api.tenant("acme")
    path = taken(api, host, "seven-wonders")["links"]["self"]
    for command in ({"type": "start"}, {"type": "cancel"}):
        answer = api.post(f"{path}/commands", {"command": command}, host)
        assert (answer.status_code, answer.json["code"]) == (409, "match-over")
    assert api.post(f"{path}/seats", {"name": "Ann"}, host).status_code == 409
    assert api.ask("DELETE", f"{path}/seats/0", host).status_code == 409
    assert api.get("/v1/matches", host).json["items"] == []
    assert list(api.services.adapters.lists.all_matches()) == []


OPERATIONS = [
    (operation["operationId"], method.upper(), path)
    for path, item in document()["paths"].items()
    for method, operation in item.items()
    if "{match}" in path and method in ("get", "post", "put", "patch", "delete")
]


def test_every_operation_of_a_match_answers_for_an_imported_one_as_the_document_says(api: Api) -> None:
    """Reads are answered; whatever would change it is refused, and changes nothing."""
    host = api.tenant("acme")
    match = taken(api, host, "seven-wonders")
    before = api.services.store.load(match["id"])
    for id, method, path in OPERATIONS:
        named = dict.fromkeys(("invite", "spectator", "webhook", "id"), "a" * 16)
        filled = path.format(match=match["id"], seat=0, key="k" * 20, version=3, **named)
        filled += QUERIES.get(id, "")
        body = {} if method in ("GET", "DELETE") else {"json": BODIES.get(id, {})}
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        answer = api.ask(method, filled, host, headers=headers, **body)
        assert answer.status_code < 500, (id, answer.text)
        if method == "GET" and id not in ("listLegalMoves", "getInvite", "getSpectator"):
            assert answer.status_code == 200, (id, answer.text)
    assert api.services.store.load(match["id"]) == before


def test_a_private_match_stays_with_the_tenant_that_imported_it(api: Api) -> None:
    host, stranger = api.tenant("acme"), api.tenant("stranger")
    created = log_of("seven-wonders")[0].data
    assert created["visibility"] == "public"
    private = sealed("seven-wonders", {0: created | {"visibility": "private"}})
    path = send(api, host, b"".join(private)).json["links"]["self"]
    assert api.get(f"{path}/view", host).status_code == 200
    for token in (None, stranger):
        for more in ("", "/view", "/events", "/export", "/proof"):
            assert api.get(path + more, token).status_code == 404


def test_the_same_key_gives_the_same_match_and_another_bundle_under_it_is_refused(api: Api) -> None:
    host, raw = api.tenant("acme"), b"".join(lines_of("seven-wonders"))
    first = send(api, host, raw, Idempotency_Key="k" * 20)
    second = send(api, host, raw, Idempotency_Key="k" * 20)
    assert second.json == first.json
    assert second.headers["Idempotency-Replayed"] == "true"
    other = b"".join(lines_of("its-a-wonderful-kingdom"))
    answer = send(api, host, other, Idempotency_Key="k" * 20)
    assert (answer.status_code, answer.json["code"]) == (422, "idempotency-key-reused")
    assert send(api, host, raw).json["id"] != first.json["id"]
    assert send(api, api.tenant("other"), raw, Idempotency_Key="k" * 20).json["id"] != first.json["id"]
    assert send(api, host, raw, Idempotency_Key=None).json["code"] == "idempotency-key-required"


def test_a_bundle_that_is_not_in_order_is_refused_at_its_first_wrong_line(api: Api) -> None:
    host, lines = api.tenant("acme"), lines_of("seven-wonders")
    last, other = len(lines), lines_of("its-a-wonderful-kingdom")
    edited = json.loads(lines[30])
    edited["data"] = edited["data"] | {"more": 1}
    for wrong, number, kind in (
        (lines[:-1], last, "truncated"),
        (lines[:40], 41, "truncated"),
        ([*lines[:40], lines[40][:-20]], 41, "truncated"),
        (lines[:1], 2, "truncated"),
        ([], 1, "malformed"),
        ([*lines[:30], line(edited), *lines[31:]], 31, "edited"),
        ([*lines[:30], *lines[31:]], 31, "dropped"),
        ([*lines[:30], lines[31], lines[30], *lines[32:]], 31, "swapped"),
        ([*lines[:31], *lines[30:]], 32, "added"),
        ([*lines, lines[-1]], last + 1, "added"),
        ([*lines[:30], other[30], *lines[31:]], 31, None),  # spliced
        ([other[0], *lines[1:]], 1, "edited"),
        ([b"\n", *lines], 1, "malformed"),
    ):
        refused(api, host, wrong, number, kind)
    refused(api, host, lines_of("seven-wonders", "s1", over=False), 1, "not-whole")
    refused(api, host, lines_of("seven-wonders", "public"), 1, "not-whole")
    refused(api, host, lines_of("seven-wonders", "full", over=False), 1, "not-whole")


def test_every_change_of_a_line_is_refused(api: Api) -> None:
    host, lines = api.tenant("acme"), lines_of("seven-wonders")
    for at in (0, 1, 25, len(lines) - 1):
        for changed in list(changes(json.loads(lines[at])))[::29]:
            answer = send(api, host, b"".join([*lines[:at], line(changed), *lines[at + 1 :]]))
            assert answer.status_code in (409, 422), changed


def test_a_log_that_verifies_but_tells_of_what_no_rules_allow_is_refused(api: Api) -> None:
    """Written and signed by whoever forged it: every hash and seal is right."""
    host, log = api.tenant("acme"), log_of("seven-wonders")
    at = next(place for place, event in enumerate(log) if event.type == "seven_wonders.structure_built")
    forged = sealed("seven-wonders", {at: log[at].data | {"card": "no-such-card"}})
    assert bundle.verify(forged).ok, "the chain has nothing to say against it"
    answer = send(api, host, b"".join(forged))
    assert (answer.status_code, answer.json["code"]) == (422, "bundle-refused"), answer.text
    assert answer.json["errors"][0]["code"] == "unplayable"


def test_a_match_of_rules_that_are_not_here_is_refused(api: Api) -> None:
    header = json.loads(lines_of("seven-wonders")[0])
    unknown = [line(header | {"game": "chess", "ruleset": "chess/1.0.0"}), *lines_of("seven-wonders")[1:]]
    answer = send(api, api.tenant("acme"), b"".join(unknown))
    assert (answer.status_code, answer.json["code"]) == (409, "ruleset-unsupported")


def test_a_body_has_a_limit_of_its_own_and_a_media_type(api: Api) -> None:
    host, raw = api.tenant("acme"), b"".join(lines_of("seven-wonders"))
    face = face_of(api.app)
    assert face.settings.largest_body < len(raw) < face.settings.largest_upload
    small = dataclasses.replace(face.settings, largest_upload=len(raw) - 1)
    faces.install(api.app, dataclasses.replace(face, settings=small))
    answer = send(api, host, raw)
    assert (answer.status_code, answer.json["code"]) == (413, "payload-too-large")
    exact = dataclasses.replace(face.settings, largest_upload=len(raw))
    faces.install(api.app, dataclasses.replace(face, settings=exact))
    assert send(api, host, raw).status_code == 201
    for media, packed in (("application/json", None), ("text/html", None), (NDJSON, "gzip")):
        headers = {"Content-Encoding": packed}
        answer = api.ask("POST", "/v1/imports", host, data=raw, content_type=media, headers=headers)
        assert (answer.status_code, answer.json["code"]) == (415, "unsupported-media-type")


def notation_of(game: str) -> str:
    return notation(TABLES[game][0], bundle.read(lines_of(game)))


@pytest.mark.parametrize("game", TABLES)
def test_a_notation_is_imported_as_the_match_it_tells(game: str, api: Api) -> None:
    host = api.tenant("acme")
    text = notation_of(game)
    match = api.ask("POST", "/v1/imports", host, data=text.encode(), content_type="text/plain")
    assert match.status_code == 201, match.text
    assert (match.json["foreign"]["match"], match.json["foreign"]["public_key"]) == (MATCH, None)
    path, last = match.json["links"]["self"], len(log_of(game))
    assert api.get(f"{path}/view", host).json["outcome"]["ranking"] == log_of(game)[-1].data["ranking"]
    assert tool.verify(api.get(f"{path}/export", host).data).why == ""
    assert match.json["version"] == last


@pytest.mark.parametrize(
    ("edit", "number", "kind"),
    [
        (lambda text: text.replace("[Key ", "[Other ", 1), 1, "not-whole"),
        (lambda text: text.replace(MATCH, "mat_short"), 1, "malformed"),
        (lambda text: text.replace("[Game", "[Play", 1), None, None),
        (lambda text: text + "d1.choose: 0 B no_such_card\n", None, "notation"),
        (lambda text: text.replace("wonderlog/notation/1", "wonderlog/notation/9"), 1, "notation"),
        (lambda text: "[\n" + text, 1, "notation"),
        (lambda text: text + "#" * 300_000, None, "too-long"),
        (lambda text: re.sub(r'(End "|Key ")..', r"\g<1>00", text), None, None),
    ],
)
def test_a_notation_that_tells_no_match_is_refused(
    edit: Callable[[str], str], number: int | None, kind: str | None, api: Api
) -> None:
    text = edit(notation_of("seven-wonders"))
    answer = api.ask("POST", "/v1/imports", api.tenant("acme"), data=text.encode(), content_type="text/plain")
    if answer.status_code == 409:
        assert answer.json["code"] == "ruleset-unsupported" and kind is None
        return
    assert (answer.status_code, answer.json["code"]) == (422, "bundle-refused"), answer.text
    (fault,) = answer.json["errors"]
    assert kind in (None, fault["code"]), fault
    assert number is None or fault["pointer"] == f"/lines/{number}"


@pytest.mark.parametrize("game", TABLES)
def test_a_log_of_moves_that_can_be_shown_but_are_not_legal_is_refused(game: str, api: Api) -> None:
    """The verifier finds nothing, everything can be shown; the rules would not have had it so."""
    log = log_of(game)
    at, data = next(
        (place, event.data | {name: event.data[name] + 1})
        for place, event in enumerate(log[40:], 40)
        for name in ("coins", "krystallium", "count")
        if isinstance(event.data.get(name), int) and event.type != "match.ended" and "label" not in event.data
    )
    forged = sealed(game, {at: data})
    assert bundle.verify(forged).ok
    answer = send(api, api.tenant("acme"), b"".join(forged))
    assert (answer.status_code, answer.json["code"]) == (422, "bundle-refused"), answer.text
    (fault,) = answer.json["errors"]
    assert fault["code"] in ("illegal", "unplayable"), fault
    assert fault["code"] == "unplayable" or fault["pointer"] == f"/lines/{at + 2}", fault


def test_imports_are_listed_and_deleted_by_their_tenant_alone(api: Api) -> None:
    host, stranger = api.tenant("acme"), api.tenant("stranger")
    first, second = taken(api, host, "seven-wonders"), taken(api, host, "its-a-wonderful-kingdom")
    listed = api.get("/v1/imports", host).json["items"]
    assert {each["id"] for each in listed} == {first["id"], second["id"]}
    assert {each["match"] for each in listed} == {MATCH}
    assert all(each["removed_at"] is None and each["bytes"] > 1000 for each in listed)
    assert api.get("/v1/imports", stranger).json["items"] == []
    path, of_first = f"/v1/imports/{first['id']}", f"/v1/matches/{first['id']}"
    assert api.ask("DELETE", path, stranger).status_code == 404
    assert api.get(f"{of_first}/view", host).status_code == 200
    assert api.ask("DELETE", path, host).status_code == 204
    for more in ("", "/view", "/view?version=9", "/events", "/export", "/proof"):
        assert api.get(of_first + more, host).status_code == 404, more
    assert [each["id"] for each in api.get("/v1/imports", host).json["items"]] == [second["id"]]
    assert api.ask("DELETE", path, host).json["code"] == "not-found"
    played = api.post("/v1/matches", {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3}, host).json
    assert api.ask("DELETE", f"/v1/imports/{played['id']}", host).status_code == 404, "that was not imported"


def test_a_tenant_has_so_many_at_once(api: Api) -> None:
    host = api.tenant("acme")
    api.services.matches._importing._most = 1
    first = taken(api, host, "seven-wonders")
    refused = send(api, host, b"".join(lines_of("its-a-wonderful-kingdom")))
    assert (refused.status_code, refused.json["code"]) == (409, "quota-exceeded")
    assert api.ask("DELETE", f"/v1/imports/{first['id']}", host).status_code == 204
    taken(api, host, "its-a-wonderful-kingdom")
