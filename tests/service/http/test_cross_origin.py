"""Pages of other origins: an allow-list for each tenant, preflights, what a page may read and send."""

from typing import Any

import pytest

from events.store import StoreUnavailable
from service.http.cross_origin import ALLOWED, EXPOSED
from tests.service.http.conftest import Api, Seated

PAGE = "https://play.example"
OTHER = "https://other.example"
OPEN = "Access-Control-Allow-Origin"


def list_origins(api: Api, key: str, *origins: str) -> Any:
    return api.ask(
        "PUT", "/v1/origins", key, json={"origins": list(origins)}, headers={"Idempotency-Key": "k" * 20}
    )


def preflight(api: Api, path: str, origin: str, method: str = "POST") -> Any:
    asked = {"Origin": origin, "Access-Control-Request-Method": method}
    return api.app.test_client().open(path, method="OPTIONS", headers=asked)


def test_a_preflight_is_answered_for_the_origins_of_any_tenant(api: Api, seated: Seated) -> None:
    table = seated()
    list_origins(api, table.host, PAGE)
    list_origins(api, api.tenant("other"), OTHER)
    for origin in (PAGE, OTHER):
        answer = preflight(api, f"{table.path}/commands", origin)
        assert answer.status_code < 300 and not answer.data
        assert answer.headers[OPEN] == origin
        assert "POST" in answer.headers["Access-Control-Allow-Methods"]
        assert set(ALLOWED) <= set(answer.headers["Access-Control-Allow-Headers"].split(", "))
        assert answer.headers["Access-Control-Max-Age"] == "7200"
        assert "Access-Control-Allow-Credentials" not in answer.headers
    assert OPEN not in preflight(api, f"{table.path}/commands", "https://evil.example").headers
    assert OPEN not in preflight(api, f"{table.path}/commands", "null").headers


def test_an_answer_is_opened_to_the_pages_of_its_own_tenant_only(api: Api, seated: Seated) -> None:
    table = seated("private")
    stranger = api.tenant("other")
    list_origins(api, table.host, PAGE)
    list_origins(api, stranger, OTHER)
    watcher = api.post(f"{table.path}/spectators", {}, table.host).json["token"]
    for token in (table.host, table.seats[0], watcher):
        for origin, opened in ((PAGE, PAGE), (OTHER, None), ("https://evil.example", None)):
            answer = api.get(f"{table.path}/view", token, headers={"Origin": origin})
            assert answer.status_code == 200
            assert answer.headers.get(OPEN) == opened
            assert ("Access-Control-Expose-Headers" in answer.headers) == (opened is not None)
            (vary,) = answer.headers.getlist("Vary")
            assert "Origin" in vary.split(", ")
    seen = api.get(f"{table.path}/view", table.seats[0], headers={"Origin": PAGE})
    assert set(EXPOSED) <= set(seen.headers["Access-Control-Expose-Headers"].split(", "))


def test_what_belongs_to_nobody_is_opened_to_every_listed_page_errors_too(api: Api, seated: Seated) -> None:
    table = seated()
    list_origins(api, table.host, PAGE)
    for path, token, status in (
        ("/v1/games", None, 200),
        (f"{table.path}/view", None, 200),
        (f"{table.path}/view", "st_garbage", 401),
        ("/v1/nothing", None, 404),
    ):
        answer = api.get(path, token, headers={"Origin": PAGE})
        assert (answer.status_code, answer.headers.get(OPEN)) == (status, PAGE)
        assert OPEN not in api.get(path, token, headers={"Origin": "https://evil.example"}).headers


def test_nothing_is_opened_before_anybody_lists_an_origin_and_after_the_list_is_emptied(
    api: Api, seated: Seated
) -> None:
    table = seated()
    asked = {"Origin": PAGE}
    assert OPEN not in api.get(table.path, table.host, headers=asked).headers
    list_origins(api, table.host, PAGE)
    assert OPEN in api.get(table.path, table.host, headers=asked).headers
    assert list_origins(api, table.host).json == {"origins": []}
    assert OPEN not in api.get(table.path, table.host, headers=asked).headers
    assert OPEN not in preflight(api, table.path, PAGE).headers


@pytest.mark.parametrize(
    "origin",
    [
        "*",
        "null",
        "play.example",
        "https://play.example/",
        "https://a b",
        "ftp://a",
        "https://*.a",
        "HTTPS://A",
    ],
)
def test_what_is_no_origin_is_refused(origin: str, api: Api) -> None:
    answer = list_origins(api, api.tenant("acme"), origin)
    assert (answer.status_code, answer.json["code"]) == (400, "validation")
    assert answer.json["errors"][0]["pointer"] == "/origins/0"


def test_a_list_that_cannot_be_read_opens_nothing_and_breaks_nothing(
    api: Api, seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seated()

    def gone() -> Any:
        raise StoreUnavailable("no connection")

    monkeypatch.setattr(api.services.adapters.keys, "origins", gone)
    answer = api.get(table.path, table.host, headers={"Origin": PAGE})
    assert answer.status_code == 200
    assert OPEN not in answer.headers


# What every page may send and read without being allowed to (the Fetch standard).
SAFE = {"cache-control", "content-language", "content-length", "content-type", "expires", "last-modified"}


def test_pages_may_send_and_read_every_header_the_document_names(api: Api) -> None:
    document = api.get("/v1/openapi.json").json
    sent, read = set(), set()
    for path in document["paths"].values():
        shared = path.get("parameters", [])
        for operation in (each for each in path.values() if isinstance(each, dict)):
            for parameter in [*shared, *operation.get("parameters", [])]:
                name = parameter.get("$ref", "").rpartition("/")[2]
                known = document["components"]["parameters"][name] if name else parameter
                if known["in"] == "header":
                    sent.add(known["name"].lower())
            for answer in operation["responses"].values():
                name = answer.get("$ref", "").rpartition("/")[2]
                read |= {
                    each.lower()
                    for each in (_response(document, name) if name else answer).get("headers", {})
                }
    assert len(sent) > 4 and len(read) > 8
    assert sent - SAFE <= {name.lower() for name in ALLOWED}
    # Nothing a client goes by: what is for browsers and proxies themselves.
    assert read - SAFE - {"content-security-policy", "x-accel-buffering"} <= {
        name.lower() for name in EXPOSED
    }


def _response(document: Any, name: str) -> Any:
    return document["components"]["responses"][name]


def test_what_has_no_body_has_no_type(api: Api, seated: Seated) -> None:
    table = seated()
    list_origins(api, table.host, PAGE)
    assert "Content-Type" not in preflight(api, f"{table.path}/commands", PAGE).headers
    gone = api.ask("DELETE", f"{table.path}/seats/2", table.host)
    assert gone.status_code == 204 and "Content-Type" not in gone.headers
