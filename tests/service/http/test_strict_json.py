"""Bodies are JSON without the corners in which two readers disagree."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.http import strict_json
from service.http.strict_json import MalformedJson

REFUSED = {
    "not UTF-8": b'{"a":"\xff"}',
    "latin-1": '{"a":"\xe9"}'.encode("latin-1"),
    "UTF-16": '{"a":1}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"a":1}',
    "nothing at all": b"",
    "only blanks": b"  \n",
    "half an object": b'{"a":',
    "a comment": b'{"a":1} // one',
    "single quotes": b"{'a':1}",
    "a trailing comma": b'{"a":1,}',
    "two values": b'{"a":1}{"b":2}',
    "a raw control character": b'{"a":"\x01"}',
    "an array on top": b"[]",
    "a string on top": b'"a"',
    "a number on top": b"7",
    "null on top": b"null",
    "NaN": b'{"a":NaN}',
    "an infinity": b'{"a":-Infinity}',
    "a number that overflows": b'{"a":1e400}',
    "an integer beyond 2^53": b'{"a":9007199254740992}',
    "a very long integer": b'{"a":' + b"9" * 60_000 + b"}",
    "a leading zero": b'{"a":01}',
    "a member twice": b'{"a":1,"a":1}',
    "a member twice, deep": b'{"a":[{"b":1,"b":2}]}',
    "a member twice, differently spelled": b'{"a":1,"\\u0061":2}',
    "a lone surrogate": b'{"a":"\\ud800"}',
    "a lone surrogate as a name": b'{"\\udfff":1}',
    "surrogates in the wrong order": b'{"a":"\\udc00\\ud800"}',
    "deep arrays": b'{"a":' + b"[" * 16 + b"]" * 16 + b"}",
    "deep objects": b'{"a":' * 17 + b"1" + b"}" * 17,
    "very deep arrays": b'{"a":' + b"[" * 32_000 + b"]" * 32_000 + b"}",
}


@pytest.mark.parametrize("raw", REFUSED.values(), ids=REFUSED.keys())
def test_a_body_with_this_in_it_is_malformed(raw: bytes) -> None:
    with pytest.raises(MalformedJson):
        strict_json.decode(raw)


def test_the_reason_never_quotes_the_body() -> None:
    for broken in (
        b'{"st_secret":1,"st_secret":2}',
        b'{"a":"st_secret',
        b'{"a":st_secret}',
        b'["st_secret"]',
    ):
        with pytest.raises(MalformedJson) as refused:
            strict_json.decode(broken)
        assert "st_secret" not in str(refused.value)


def test_fifteen_levels_below_the_top_are_read() -> None:
    raw = b'{"a":' + b"[" * 15 + b"]" * 15 + b"}"
    assert strict_json.decode(raw) == json.loads(raw)


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert strict_json.decode(b'{"a":"\\ud83d\\ude00"}') == {"a": "\U0001f600"}


words = st.text('az"\\\x00\n é€\U0001f600', max_size=4)
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(words, plain, max_size=4)


@given(objects)
def test_what_other_readers_read_alike_is_read_the_same(value: dict[str, object]) -> None:
    raw = json.dumps(value).encode()
    assert strict_json.decode(raw) == json.loads(raw)


@given(objects)
def test_equal_bodies_have_one_canonical_spelling(value: dict[str, object]) -> None:
    turned = dict(reversed(list(value.items())))
    assert strict_json.canonical(value) == strict_json.canonical(turned)
    assert json.loads(strict_json.canonical(value)) == value


def test_a_body_is_nested_so_deep_and_no_deeper() -> None:
    def nested(levels: int) -> bytes:
        return b'{"a":' * levels + b"1" + b"}" * levels

    assert strict_json.decode(nested(strict_json.DEEPEST - 1))
    with pytest.raises(strict_json.MalformedJson):
        strict_json.decode(nested(strict_json.DEEPEST + 1))
