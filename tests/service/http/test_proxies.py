"""Behind proxies: whose word counts for address, scheme and host; credentials in the clear; traces."""

import dataclasses
from collections.abc import Callable
from ipaddress import ip_network
from typing import Any

import pytest

from domain.catalogue import GAMES
from service.http import tracing
from service.http.app import create_app
from service.http.face import HttpSettings
from service.http.proxies import behind
from tests.service.http.conftest import Api, Seated

NETWORKS = [ip_network("10.0.0.0/8"), ip_network("::1")]
SPOOFED = {"HTTP_X_FORWARDED_PROTO": "https", "HTTP_X_FORWARDED_HOST": "evil.example"}


def seen(peer: str, **headers: str) -> dict[str, Any]:
    """What the application is told of a request."""
    told: dict[str, Any] = {}

    def app(environ: dict[str, Any], start_response: Callable[..., None]) -> list[bytes]:
        told.update(environ)
        return []

    environ = {"REMOTE_ADDR": peer, "wsgi.url_scheme": "http", "HTTP_HOST": "inside:8080", **headers}
    assert behind(app, NETWORKS)(environ, lambda *_: None) == []
    return told


def test_nobody_elses_word_counts_and_nothing_of_it_is_left() -> None:
    for peer in ("192.0.2.1", "11.0.0.1", "::2", "", "unix:"):
        told = seen(peer, HTTP_X_FORWARDED_FOR="203.0.113.9", HTTP_FORWARDED="for=1", **SPOOFED)
        assert (told["REMOTE_ADDR"], told["wsgi.url_scheme"], told["HTTP_HOST"]) == (
            peer,
            "http",
            "inside:8080",
        )
        assert not [name for name in told if "FORWARDED" in name]


def test_a_known_proxy_says_who_asks_over_what_and_for_whom() -> None:
    for peer in ("10.1.2.3", "::1"):
        told = seen(
            peer,
            HTTP_X_FORWARDED_FOR="203.0.113.9",
            HTTP_X_FORWARDED_PROTO="https",
            HTTP_X_FORWARDED_HOST="play.example",
        )
        assert told["REMOTE_ADDR"] == "203.0.113.9"
        assert (told["wsgi.url_scheme"], told["HTTP_HOST"]) == ("https", "play.example")


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("6.6.6.6, 203.0.113.9", "203.0.113.9"),
        ("6.6.6.6, 203.0.113.9, 10.0.0.7", "203.0.113.9"),
        ("10.0.0.5, 10.0.0.7", "10.0.0.5"),
        ("6.6.6.6, nonsense, 10.0.0.7", "10.0.0.7"),
        ("nonsense", "10.1.2.3"),
        ("", "10.1.2.3"),
    ],
)
def test_the_nearest_that_is_no_proxy_is_who_asks(forwarded: str, client: str) -> None:
    assert seen("10.1.2.3", HTTP_X_FORWARDED_FOR=forwarded)["REMOTE_ADDR"] == client


def test_nonsense_of_a_known_proxy_changes_nothing() -> None:
    told = seen("10.1.2.3", HTTP_X_FORWARDED_PROTO="gopher", HTTP_X_FORWARDED_HOST="a b/<script>")
    assert (told["wsgi.url_scheme"], told["HTTP_HOST"]) == ("http", "inside:8080")


def strict(api: Api) -> Api:
    """The same service behind a proxy on this machine, which must say https."""
    trusted = (ip_network("127.0.0.1"),)
    known = HttpSettings(trusted_proxies=trusted, require_tls=True)
    return dataclasses.replace(api, app=create_app(api.services.matches, known, GAMES))


def test_a_credential_in_the_clear_is_refused_where_the_operator_wants_so(api: Api, seated: Seated) -> None:
    table = seated()
    guarded = strict(api)
    for token in (table.host, table.seats[0], "st_garbage"):
        for headers in ({}, {"X-Forwarded-Proto": "http"}):
            answer = guarded.get(f"{table.path}/view", token, headers=headers)
            assert (answer.status_code, answer.json["code"]) == (403, "insecure-transport")
            assert "Location" not in answer.headers
    over_tls = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "play.example"}
    answer = guarded.get(f"{table.path}/view", table.host, headers=over_tls)
    assert answer.status_code == 200
    wrong = guarded.get("/v1/nothing", headers=over_tls)
    assert wrong.json["type"] == "https://play.example/problems/not-found"
    assert guarded.get("/healthz/live").status_code == 200, "without a credential there is nothing to lose"
    assert api.get(f"{table.path}/view", table.host).status_code == 200


PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def test_a_trace_goes_on_under_a_span_of_our_own(api: Api) -> None:
    answer = api.get("/healthz/live", headers={"traceparent": PARENT})
    version, trace, span, flags = answer.headers["traceparent"].split("-")
    assert (version, trace, flags) == ("00", "4bf92f3577b34da6a3ce929d0e0e4736", "01")
    assert len(span) == 16 and span != "00f067aa0ba902b7"


@pytest.mark.parametrize(
    "parent",
    [
        None,
        "",
        "nonsense",
        PARENT.upper(),
        PARENT + "-more",
        "ff" + PARENT[2:],
        PARENT.replace("4bf92f3577b34da6a3ce929d0e0e4736", "0" * 32),
        PARENT.replace("00f067aa0ba902b7", "0" * 16),
    ],
)
def test_what_names_no_trace_begins_one(parent: str | None) -> None:
    made = tracing.span(parent)
    assert len(made.trace) == 32 and len(made.id) == 16 and made.flags == "00"
    assert made.trace != "4bf92f3577b34da6a3ce929d0e0e4736"


def test_a_later_version_may_say_more() -> None:
    assert tracing.span("01" + PARENT[2:] + "-more").trace == "4bf92f3577b34da6a3ce929d0e0e4736"
