"""Every answer names its contract, and an operation on its way out says so in document and headers."""

from dataclasses import replace
from datetime import UTC, datetime

from flask import Flask

from service.http import document, versioning
from service.http.examples import Examples
from service.http.health import OPERATIONS
from service.http.operations import blueprint
from service.http.versioning import Deprecation
from tests.service.http.conftest import Api

GOING = Deprecation(
    since=datetime(2026, 1, 5, tzinfo=UTC),
    sunset=datetime(2027, 2, 1, 12, tzinfo=UTC),
    about="https://example.com/changes",
    successor="/v2/healthz",
)


def test_every_answer_names_the_contract(api: Api) -> None:
    for path in ("/healthz/live", "/v1/games", "/v1/nothing", "/v1/matches/x/view"):
        assert api.get(path).headers["Api-Version"] == versioning.CONTRACT
    assert api.get("/v1/openapi.json").json["info"]["x-api-version"] == versioning.CONTRACT


def test_a_deprecated_operation_says_so_in_every_answer(api: Api) -> None:
    row = replace(OPERATIONS[0], path="/old", id="getOld", deprecation=GOING)
    app: Flask = api.app
    app.register_blueprint(blueprint("old", "", [row], lambda row: document.row(row, Examples())))
    answer = app.test_client().get("/old")
    assert answer.status_code == 200
    assert answer.headers["Deprecation"] == "@1767571200"
    assert answer.headers["Sunset"] == "Mon, 01 Feb 2027 12:00:00 GMT"
    assert answer.headers["Link"] == (
        '<https://example.com/changes>; rel="deprecation"; type="text/html", '
        '</v2/healthz>; rel="successor-version"'
    )
    refused = app.test_client().get("/old?x=1")
    assert refused.status_code == 400 and refused.headers["Sunset"] == answer.headers["Sunset"]
    assert "Deprecation" not in api.get("/healthz/live").headers


def test_the_document_marks_a_deprecated_operation() -> None:
    said, _ = document.row(replace(OPERATIONS[0], deprecation=GOING), Examples())
    assert said["deprecated"] is True
    assert {"Deprecation", "Sunset", "Link"} <= said["responses"]["200"]["headers"].keys()
    assert "deprecated" not in document.row(OPERATIONS[0], Examples())[0]
