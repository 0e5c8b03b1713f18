"""Entity tags, If-Match and Idempotency-Key."""

import pytest

from service.credentials import Caller
from service.http.conditions import (
    NO_VERSION,
    entity_tag,
    fingerprint,
    idempotency_key,
    not_modified,
    viewer,
    wanted_version,
)
from service.http.problems import Problem

MATCH = "mat_" + "a" * 26
OTHER = "mat_" + "b" * 26


def test_the_short_form_names_a_version() -> None:
    assert wanted_version('"v42"', MATCH, "s2") == 42


def test_the_tag_of_a_view_names_its_version_whatever_the_build() -> None:
    assert wanted_version(entity_tag(MATCH, 42, "s2", "1.2.3"), MATCH, "s2") == 42
    assert wanted_version(entity_tag(MATCH, 42, "s2", "9"), MATCH, "s2") == 42


def test_without_the_header_any_version_will_do() -> None:
    assert wanted_version(None, MATCH, "s2") is None


@pytest.mark.parametrize(
    "header",
    [
        entity_tag(OTHER, 42, "s2", "1"),
        entity_tag(MATCH, 42, "s1", "1"),
        entity_tag(MATCH, 42, "spectator", "1"),
        f"W/{entity_tag(MATCH, 42, 's2', '1')}",
        'W/"v42"',
        '"something-else"',
        '"v0"',
        '"v042"',
        '"v9999999999"',
    ],
)
def test_a_tag_of_something_else_never_matches(header: str) -> None:
    assert wanted_version(header, MATCH, "s2") == NO_VERSION


@pytest.mark.parametrize("header", ["*", " * ", "v42", '"v41", "v42"', "", '"v42', "42"])
def test_a_header_that_is_no_single_tag_is_refused(header: str) -> None:
    with pytest.raises(Problem) as refused:
        wanted_version(header, MATCH, "s2")
    assert refused.value.code == "validation"
    assert [error.pointer for error in refused.value.errors] == ["/header/If-Match"]


def test_a_seat_of_another_match_is_a_spectator_here() -> None:
    caller = Caller(match=OTHER, seat=3)
    assert viewer(caller, OTHER) == "s3"
    assert viewer(caller, MATCH) == "spectator"


@pytest.mark.parametrize(
    ("header", "known"),
    [
        ('"t"', True),
        ('W/"t"', True),
        ('"a", "t"', True),
        ("*", True),
        ('"a"', False),
        (None, False),
        ("t", False),
    ],
)
def test_if_none_match_compares_weakly(header: str | None, known: bool) -> None:
    assert not_modified(header, '"t"') is known


@pytest.mark.parametrize("header", ["k" * 16, "k" * 64, f'"{"k" * 16}"', f" {'k' * 20} "])
def test_a_key_is_read_bare_or_quoted(header: str) -> None:
    assert idempotency_key(header) == header.strip().strip('"')


@pytest.mark.parametrize(
    "header", [None, "", "k" * 15, "k" * 65, "k" * 15 + "é", "k" * 16 + "/x", '"' + "k" * 16]
)
def test_anything_else_is_no_key(header: str | None) -> None:
    with pytest.raises(Problem) as refused:
        idempotency_key(header)
    assert refused.value.code == "idempotency-key-required"


def test_the_fingerprint_is_of_the_meaning_not_the_spelling() -> None:
    assert fingerprint({"a": 1, "b": 2}, None) == fingerprint({"b": 2, "a": 1}, None)
    assert fingerprint({"a": 1}, None) != fingerprint({"a": "1"}, None)
    assert fingerprint({"a": 1}, None) != fingerprint({"a": True}, None)
    assert fingerprint({"a": 1}, '"v1"') != fingerprint({"a": 1}, None)
    assert fingerprint({"a": 1}, '"v1"') == fingerprint({"a": 1}, ' "v1" ')
