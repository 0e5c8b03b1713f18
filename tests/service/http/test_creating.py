"""What is made has an address that can be read, and what needs no body takes none."""

from typing import Any

import pytest

from service.keyring import Wish
from tests.service.http.conftest import Api, Seated
from tests.service.http.contract import document
from tests.service.http.running import new_key
from tests.service.http.test_access import BODIES, hook, lobby_of

# Operations that answer with a Location, and what they are asked with beyond `BODIES`.
MADE = [
    (method.upper(), path, operation["operationId"])
    for path, item in document()["paths"].items()
    for method, operation in item.items()
    if method == "post" and "Location" in operation["responses"].get("201", {}).get("headers", {})
]


def test_every_address_of_what_was_made_can_be_read(api: Api, seated: Seated) -> None:
    table = seated(open_seats=1)
    key = api.services.keys.create("acme", Wish()).id
    read = set()
    for method, path, id in MADE:
        if id in ("createImport", "createFork", "createRematch"):
            continue  # they answer with the address of a match
        named = {"match": table.id, "id": key, **hook(api, table.host), **lobby_of(api, table.host)}
        answer = api.ask(method, path.format(**named), table.host, json=BODIES.get(id, {}))
        assert answer.status_code in (201, 202), (id, answer.text)
        found = api.get(answer.headers["Location"], table.host)
        assert found.status_code == 200, (id, found.text)
        read.add(id)
    assert {"createInvite", "createSpectator", "createKey", "createMatch", "createWebhook"} <= read


def test_a_pass_is_read_without_its_token(api: Api, seated: Seated) -> None:
    table = seated(open_seats=1)
    for kind in ("invites", "spectators"):
        made = api.post(f"{table.path}/{kind}", {"label": "x"}, table.host)
        shown = api.get(made.headers["Location"], table.host).json
        assert shown == {name: value for name, value in made.json.items() if name != "token"}
        assert api.get(f"{table.path}/{kind}/{'a' * 16}", table.host).status_code == 404
        other = "spectators" if kind == "invites" else "invites"
        assert api.get(f"{table.path}/{other}/{shown['id']}", table.host).status_code == 404


def test_where_nothing_is_required_there_may_be_no_body_and_it_is_the_empty_one(
    api: Api, seated: Seated
) -> None:
    table, key = seated(open_seats=1), {"Idempotency-Key": new_key()}
    bare = api.ask("POST", f"{table.path}/invites", table.host, headers=key)
    again = api.post(f"{table.path}/invites", {}, table.host, headers=key)
    assert (bare.status_code, again.json) == (201, bare.json)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert api.ask("POST", f"{table.path}/rematch", table.host).json["code"] == "conflict"
    assert api.ask("POST", f"{table.path}/seats/0/token", table.seats[0]).status_code == 200


@pytest.mark.parametrize("path", ["/v1/matches", "{match}/commands", "/v1/queue-tickets"])
def test_where_something_is_required_no_body_is_refused(path: str, api: Api, seated: Seated) -> None:
    table = seated()
    answer: Any = api.ask("POST", path.format(match=table.path), table.host)
    assert (answer.status_code, answer.json["code"]) == (415, "unsupported-media-type")


def test_the_document_says_where_a_body_may_be_left_out() -> None:
    said = {
        operation["operationId"]: operation["requestBody"]["required"]
        for item in document()["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict) and "requestBody" in operation
    }
    assert not said["createRematch"] and not said["createInvite"] and not said["rotateKey"]
    assert said["createMatch"] and said["sendCommand"] and said["createImport"] and said["setOrigins"]
