"""The reference in a browser is whole, from this service alone."""

import re
import subprocess
from typing import Any

from tests.clients.node import NODE
from tests.service.http.conftest import Api


def get(api: Api, path: str) -> Any:
    return api.app.test_client().get(path)


def test_the_page_needs_nothing_from_elsewhere(api: Api) -> None:
    page = get(api, "/docs")
    assert page.status_code == 200 and page.mimetype == "text/html"
    wanted = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(wanted) == 4
    for address in wanted:
        asset = get(api, address)
        assert address.startswith("/docs/") and asset.status_code == 200 and len(asset.data) > 200
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


def test_nothing_else_is_served_from_there(api: Api) -> None:
    for name in ("..%2f__init__.py", "index.css", "../__init__.py", "%2e%2e/LICENSE", "LICENSE"):
        answer = get(api, f"/docs/{name}")
        assert answer.status_code == 404 and answer.mimetype == "application/problem+json"
