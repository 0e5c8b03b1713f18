"""Whatever is sent, the answer is documented and no failure of ours."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.catalogue import GAMES
from service import bootstrap
from service import settings as service_settings
from service.http.app import create_app
from service.http.face import HttpSettings
from tests.exploring import examples
from tests.service.http.conftest import SECRET, Api
from tests.service.http.contract import document
from tests.service.http.running import new_key

OPERATIONS = [
    (method.upper(), path)
    for path, item in document()["paths"].items()
    for method in item
    if method in ("get", "post", "patch", "delete")
]
words = st.text("az09_-{}:/\\\"'%é\x00\n €\U0001f600", max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
MEMBERS = [
    "game",
    "options",
    "seats",
    "visibility",
    "kind",
    "bot",
    "seat",
    "name",
    "entropy",
    "decision",
    "url",
    "types",
    "since",
]
GOOD: list[dict[str, Any]] = [
    {
        "game": "seven-wonders",
        "seats": [{"kind": "open"}, {"kind": "bot", "bot": "random"}, {"kind": "open"}],
    },
    {"name": "Ann", "seat": 1, "entropy": "ab"},
    {"kind": "bot", "bot": "easy"},
    {"command": {"type": "resign"}},
    {"url": "https://example.com/", "types": ["match.ended"]},
    {"since": "2026-01-05T10:11:12.345Z", "until": "2026-01-05T10:11:12.345Z", "statuses": ["failed"]},
    {"decision": "d9.choose", "command": {"type": "build_structure", "card": "altar", "pay_left": 2}},
]


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """A body near a good one, or far from it."""
    body = dict(draw(st.sampled_from(GOOD)))
    for name in draw(st.lists(st.sampled_from(MEMBERS), max_size=2)):
        body[name] = draw(values)
    if draw(st.booleans()) and isinstance(body.get("command"), dict):
        name = draw(st.sampled_from(["type", "card", "pay_left", "seat", "extra"]))
        body["command"] = {**body["command"], name: draw(values)}
    raw = json.dumps(body).encode()
    if draw(st.integers(0, 4)) == 0:
        at = draw(st.integers(0, len(raw)))
        raw = raw[:at] + draw(st.binary(max_size=4)) + raw[at + draw(st.integers(0, 3)) :]
    return raw


@pytest.fixture(scope="module")
def table() -> Iterator[tuple[Api, str, list[str]]]:
    """A running match to fuzz: the service, the path, the tokens."""
    services = bootstrap.services(service_settings.for_memory(SECRET))
    api = Api(create_app(services.matches, HttpSettings(limits=None), GAMES), services)
    host = api.tenant("acme")
    plan = {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3}
    path = api.post("/v1/matches", plan, host).headers["Location"]
    seats = [api.post(f"{path}/seats", {}, host).json["token"] for _ in range(3)]
    api.post(f"{path}/commands", {"command": {"type": "start"}}, host)
    yield api, path, [host, *seats]
    services.close()


@settings(
    max_examples=examples(300),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_no_request_makes_the_service_fail(table: tuple[Api, str, list[str]], data: st.DataObject) -> None:
    api, path, tokens = table
    method, template = data.draw(st.sampled_from(OPERATIONS))
    address = template.replace("/v1/matches/{match}", path)
    for name in ("match", "seat", "game", "key", "code", "webhook", "delivery"):
        if "{" + name + "}" in address:
            part = data.draw(st.sampled_from(["0", "2", "seven-wonders", "k" * 20, "internal"]) | words)
            address = address.replace("{" + name + "}", part.replace("/", "").replace("?", "") or "x")
    query = data.draw(
        st.dictionaries(
            st.sampled_from(["version", "after", "limit", "cursor", "status", "game", "x"]),
            st.sampled_from(["", "1", "5", "-1", "999", "٣", "lobby", "1e3"]) | words,
            max_size=2,
        )
    )
    headers = {"Idempotency-Key": data.draw(st.sampled_from([new_key(), "k" * 20, "short", ""]))}
    if data.draw(st.booleans()):
        headers["If-Match"] = data.draw(
            st.sampled_from(['"v1"', "*", '"', 'W/"v1"', '"m:x:v1:s0:b0:en"', ""])
        )
    more: dict[str, Any] = {"query_string": query, "headers": headers}
    if method in ("POST", "PATCH"):
        more |= {"data": data.draw(bodies()), "content_type": "application/json"}
    token = data.draw(st.sampled_from([None, *tokens, "st_x"]))
    answer = api.ask(method, address, token, **more)
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.mimetype == "application/problem+json"
