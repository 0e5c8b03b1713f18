"""Canonical bytes: those of RFC 8785, for the values that may enter a log, and no others."""

from typing import Any

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from events.canonical import DEEPEST, LARGEST, Malformed, canonical, check_values, digest, same

integers = st.integers(-LARGEST, LARGEST)
texts = st.text()
values = st.recursive(
    st.none() | st.booleans() | integers | texts,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(texts, inner, max_size=6),
    max_leaves=40,
)


@given(values)
def test_the_bytes_are_those_of_the_reference(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@given(
    st.recursive(integers | texts, lambda i: st.dictionaries(st.text(st.characters(max_codepoint=127)), i))
)
def test_the_bytes_of_objects_with_ascii_keys_are_those_of_the_reference(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


def test_every_character_is_escaped_as_the_reference_does() -> None:
    points = [point for point in (*range(0x3000), *range(0xE000, 0x10100), 0x10FFFF)]
    for point in points:
        assert canonical(chr(point)) == rfc8785.dumps(chr(point))


def test_keys_are_sorted_by_utf_16_units() -> None:
    assert canonical({"\ufb33": 1, "\U0001f600": 2}) == '{"\U0001f600":2,"\ufb33":1}'.encode()


@given(values)
def test_what_is_canonical_reads_back_as_itself(value: Any) -> None:
    assert msgspec.json.decode(canonical(value)) == value


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        0.5,
        float("nan"),
        LARGEST + 1,
        -LARGEST - 1,
        2**70,
        "\ud800",
        "fine \udfff",
        ["a", 1.5],
        ["a", "\ud800"],
        {"a": {"b": [1.5]}},
        {"\ud800": 1},
        {1: "a"},
        {None: "a"},
        (1, 2),
        b"bytes",
        {1, 2},
        object(),
        nested(DEEPEST + 2),
        nested(500),
        {"ü": 1.5},
        {"ü": "\ud800"},
        {"ü": [2**60]},
    ],
    ids=lambda value: repr(value)[:20],
)
def test_values_that_cannot_enter_a_log_are_refused(value: Any) -> None:
    for ask in (canonical, check_values, digest):
        with pytest.raises(Malformed):
            ask(value)


@pytest.mark.parametrize(
    "value", [LARGEST, -LARGEST, True, None, "", [], {}, nested(DEEPEST), "\U0001f0a1\0"]
)
def test_values_at_the_edge_are_accepted(value: Any) -> None:
    check_values(value)
    check_values({"key": [value]} if value != nested(DEEPEST) else value)


def test_raw_bytes_stand_for_what_they_are_the_canonical_form_of() -> None:
    inner = {"b": [1, "x"], "a": None}
    assert canonical(["purpose", msgspec.Raw(canonical(inner))]) == canonical(["purpose", inner])


def test_true_is_not_the_same_as_one() -> None:
    assert same({"a": [1, "x"]}, {"a": [1, "x"]})
    assert not same({"a": True}, {"a": 1})
    assert not same(["a"], ["b"])
