"""The reference in a browser is whole, from this service alone."""

import re
import subprocess
from pathlib import Path
from typing import Any

from tests.clients.node import NODE
from tests.service.http.conftest import Api

ROOT = Path(__file__).parents[3]


def get(api: Api, path: str) -> Any:
    return api.app.test_client().get(path)


def test_the_page_needs_nothing_from_elsewhere(api: Api) -> None:
    page = get(api, "/docs")
    assert page.status_code == 200 and page.mimetype == "text/html"
    wanted = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert {"/v1/openapi.json", "/docs/clients.md", "/docs/notation.md"} < set(wanted)
    for address in wanted:
        asset = get(api, address)
        assert (
            address.startswith(("/docs/", "/v1/openapi.json"))
            and asset.status_code == 200
            and len(asset.data) > 200
        )
    assert "https:" not in page.text and "<script>" not in page.text and " style=" not in page.text
    assert "script-src 'self';" in page.headers["Content-Security-Policy"]
    assert "connect-src 'self';" in page.headers["Content-Security-Policy"]


def test_it_reads_the_document_of_this_service(api: Api) -> None:
    (address,) = re.findall(r'fetch\("([^"]+)"\)', get(api, "/docs/start.js").text)
    assert get(api, address).json["openapi"] == "3.1.0"


def test_its_script_is_one_and_knows_the_parameter_that_it_fills_in(api: Api) -> None:
    script = get(api, "/docs/start.js").text
    said = subprocess.run(
        [str(NODE), "--check", "-"], input=script, capture_output=True, text=True, timeout=60
    )
    assert said.returncode == 0, said.stderr
    assert "spec.components.parameters.IdempotencyKey.required = false" in script
    (parameter,) = (
        each
        for name, each in get(api, "/v1/openapi.json").json["components"]["parameters"].items()
        if name == "IdempotencyKey"
    )
    assert parameter["name"] == "Idempotency-Key" and parameter["required"] is True


def test_whoever_looks_elsewhere_is_led_there(api: Api) -> None:
    for path, to in (
        ("/", "/docs"),
        ("/docs/", "/docs"),
        ("/v1", "/docs"),
        ("/openapi.json", "/v1/openapi.json"),
    ):
        answer = get(api, path)
        assert (answer.status_code, answer.headers["Location"]) == (308, to)
    assert '</v1/openapi.json>; rel="service-desc"' in get(api, "/docs").headers["Link"]


def test_every_page_the_document_refers_to_is_served(api: Api) -> None:
    named = set(re.findall(r"[`/](docs/[a-z-]+\.md)", get(api, "/v1/openapi.json").text))
    assert {"docs/clients.md", "docs/notation.md", "docs/rules-seven-wonders.md"} <= named
    for name in named:
        page = get(api, f"/{name}")
        assert (page.status_code, page.mimetype) == (200, "text/plain")
        assert page.data == (ROOT / name).read_bytes()


def test_the_document_names_the_address_it_was_asked_under(api: Api) -> None:
    said = api.app.test_client().get("/v1/openapi.json", base_url="http://games.test:8200")
    assert said.json["servers"][0]["variables"]["base"]["default"] == "http://games.test:8200"
    assert "127.0.0.1:8080" not in said.text
    assert "http://games.test:8200/problems/not-found" in said.text


def test_nothing_else_is_served_from_there(api: Api) -> None:
    for name in ("..%2f__init__.py", "index.css", "../__init__.py", "%2e%2e/LICENSE", "LICENSE"):
        answer = get(api, f"/docs/{name}")
        assert answer.status_code == 404 and answer.mimetype == "application/problem+json"
