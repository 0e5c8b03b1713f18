"""Webhooks over HTTP: made once for each key, shown without secrets, refused with pointers."""

from typing import Any

import pytest

from service.webhooks.subscriptions import MOST_ENDPOINTS
from tests.service.http.conftest import Api
from tests.service.http.running import new_key

HOOK = {"url": "https://example.com/hook"}


def test_the_secret_is_shown_once_and_again_for_the_same_key_only(api: Api) -> None:
    host = api.tenant("acme")
    headers = {"Idempotency-Key": new_key()}
    made = api.post("/v1/webhooks", HOOK, host, headers=headers)
    again = api.post("/v1/webhooks", HOOK, host, headers=headers)
    assert made.status_code == again.status_code == 201
    assert made.json == again.json
    assert again.headers["Idempotency-Replayed"] == "true"
    secret = made.json["secret"]
    assert secret.startswith("whsec_")
    path = made.headers["Location"]
    for address in (path, "/v1/webhooks", f"{path}/deliveries"):
        assert secret not in api.get(address, host).text
    other = api.post("/v1/webhooks", {"url": "https://example.org/"}, host, headers=headers)
    assert (other.status_code, other.json["code"]) == (422, "idempotency-key-reused")
    assert len(api.get("/v1/webhooks", host).json["items"]) == 1


def test_a_deleted_webhook_is_gone_and_its_key_still_answers(api: Api) -> None:
    host = api.tenant("acme")
    headers = {"Idempotency-Key": new_key()}
    made = api.post("/v1/webhooks", HOOK, host, headers=headers)
    path = made.headers["Location"]
    assert api.ask("DELETE", path, host).status_code == 204
    for method, address in (("GET", path), ("DELETE", path), ("GET", f"{path}/deliveries")):
        assert api.ask(method, address, host).status_code == 404
    assert api.get("/v1/webhooks", host).json["items"] == []
    assert api.post("/v1/webhooks", HOOK, host, headers=headers).json == made.json
    assert api.get("/v1/webhooks", host).json["items"] == []


def test_a_rotation_is_done_once_for_each_key(api: Api) -> None:
    host = api.tenant("acme")
    made = api.post("/v1/webhooks", HOOK, host)
    path, headers = f"{made.headers['Location']}/secret", {"Idempotency-Key": new_key()}
    first = api.post(path, {}, host, headers=headers)
    assert first.json["secret"] != made.json["secret"]
    second = api.post(path, {}, host)
    assert second.json["secret"] not in (first.json["secret"], made.json["secret"])
    again = api.post(path, {}, host, headers=headers)
    assert again.json["secret"] == first.json["secret"]
    assert again.headers["Idempotency-Replayed"] == "true"
    other = api.post(path, {"overlap_ms": 5}, host, headers=headers)
    assert other.json["code"] == "idempotency-key-reused"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/url"),
        ({"url": 5}, "/url"),
        ({"url": "http://example.com/"}, "/url"),
        ({"url": "https://127.0.0.1/"}, "/url"),
        ({"url": "https://[::1]/"}, "/url"),
        ({**HOOK, "types": ["match.exploded"]}, "/types/0"),
        ({**HOOK, "types": []}, "/types"),
        ({**HOOK, "signing": "none"}, "/signing"),
        ({**HOOK, "description": "a\nb"}, "/description"),
        ({**HOOK, "secret": "whsec_x"}, "/secret"),
        ({**HOOK, "tenant": "other"}, "/tenant"),
    ],
)
def test_a_webhook_that_makes_no_sense_is_refused(body: Any, pointer: str, api: Api) -> None:
    answer = api.post("/v1/webhooks", body, api.tenant("acme"))
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (400, pointer)


def test_an_empty_change_and_one_to_a_blocked_address_are_refused(api: Api) -> None:
    host = api.tenant("acme")
    path = api.post("/v1/webhooks", HOOK, host).headers["Location"]
    for body in ({}, {"url": "https://10.0.0.1/"}, {"enabled": "no"}, {"enabled": None}):
        assert api.ask("PATCH", path, host, json=body).status_code == 400
    changed = api.ask("PATCH", path, host, json={"types": ["match.ended"], "description": "x"})
    assert (changed.json["types"], changed.json["description"]) == (["match.ended"], "x")
    assert api.ask("PATCH", path, host, json={"types": None}).json["types"] is None


def test_pages_of_deliveries_follow_each_other_and_belong_to_one_webhook(api: Api) -> None:
    host = api.tenant("acme")
    one, two = (api.post("/v1/webhooks", HOOK, host).headers["Location"] for _ in range(2))
    made = {api.post(f"{one}/test", {}, host).json["id"] for _ in range(5)}
    found: list[str] = []
    page = api.get(f"{one}/deliveries?limit=2", host)
    foreign = api.get(f"{two}/deliveries?cursor={page.json['next_cursor']}", host)
    assert (foreign.status_code, foreign.json["errors"][0]["pointer"]) == (400, "/query/cursor")
    while True:
        found += [each["id"] for each in page.json["items"]]
        if not page.json["has_more"]:
            break
        page = api.get(page.headers["Link"].partition(">")[0].removeprefix("<"), host)
    assert len(found) == 5 and set(found) == made


def test_a_tenant_has_so_many_webhooks_and_no_more(api: Api) -> None:
    host = api.tenant("acme")
    paths = [api.post("/v1/webhooks", HOOK, host).headers["Location"] for _ in range(MOST_ENDPOINTS)]
    refused = api.post("/v1/webhooks", HOOK, host)
    assert (refused.status_code, refused.json["code"]) == (409, "quota-exceeded")
    assert api.ask("DELETE", paths[0], host).status_code == 204
    assert api.post("/v1/webhooks", HOOK, host).status_code == 201
    assert api.post("/v1/webhooks", HOOK, api.tenant("other")).status_code == 201


@pytest.mark.parametrize("what", ["test", "redeliver"])
def test_a_webhook_that_is_off_is_sent_nothing(what: str, api: Api) -> None:
    host = api.tenant("acme")
    path = api.post("/v1/webhooks", HOOK, host).headers["Location"]
    api.ask("PATCH", path, host, json={"enabled": False})
    body = {} if what == "test" else {"since": "2026-01-05T10:11:12.345Z"}
    refused = api.post(f"{path}/{what}", body, host)
    assert (refused.status_code, refused.json["code"]) == (409, "webhook-off")
    shown = api.get(path, host).json
    assert (shown["enabled"], shown["disabled"]["reason"]) == (False, "asked")
