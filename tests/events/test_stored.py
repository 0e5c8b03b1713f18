"""Stream entries: every event comes back byte for byte, and no form is stored twice."""

import dataclasses
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from events.canonical import canonical
from events.chain import seal_events
from events.envelope import ZERO_HASH, Recorded, header
from events.stored import FIELDS, entry, recorded
from tests.events.sample import NOON, SEAL_KEY, deal, noted, whole_match

scalars = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "face-down", "a/b", "~", "clay"])
)
keys = st.sampled_from(["a", "", "0", "a/b", "~1", "é"])
forms = st.dictionaries(
    keys,
    st.recursive(
        scalars, lambda i: st.lists(i, max_size=3) | st.dictionaries(keys, i, max_size=3), max_leaves=8
    ),
    max_size=4,
)


def stored(event: Recorded) -> dict[str, Any]:
    """The values of the entry by name."""
    texts = zip(FIELDS, entry(event), strict=True)
    return {name: msgspec.json.decode(text) if text[:1] == b"{" else text for name, text in texts}


def event_of(data: Any, public: Any, parts: Any) -> Recorded:
    """An event of these forms, which need not fit each other: storing asks no questions."""
    (event,) = noted("mat_1")
    return dataclasses.replace(event, data=data, public=public, parts=parts, meta={"k": [1]})


def assert_comes_back(event: Recorded) -> None:
    back = recorded(event.match, event.version, entry(event))
    assert back == event
    # `==` takes True for 1; the bytes do not.
    for one, other in ((back, event),):
        assert canonical(header(one)) == canonical(header(other))
        assert canonical(one.data) == canonical(other.data)
        assert canonical(one.parts) == canonical(other.parts)


@given(forms, forms, st.dictionaries(st.sampled_from(["s0", "s1", "s6"]), forms), st.randoms())
def test_every_event_comes_back(data: Any, public: Any, parts: dict[str, Any], random: Any) -> None:
    def mixed(one: Any, other: Any) -> Any:
        """Some of one form and some of the other, where they have the same shape."""
        if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
            return {key: mixed(one[key], other[key]) for key in one}
        if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            return [mixed(a, b) for a, b in zip(one, other, strict=True)]
        return random.choice([one, other])

    hidden = {key: mixed(data[key], "face-down") for key in data}
    for spectators in (public, hidden, data):
        shown = {**parts, "s2": mixed(data, spectators), "s3": spectators, "s4": data}
        assert_comes_back(event_of(data, spectators, shown))


def test_events_of_a_match_come_back() -> None:
    for event in whole_match():
        assert_comes_back(event)


def test_one_and_true_are_told_apart() -> None:
    for data, public, part in ((1, True, True), (1, True, 1), (2, True, 1), (True, 2, 1), (1, 1, True)):
        assert_comes_back(event_of({"a": data}, {"a": public}, {"s0": {"a": part}}))


def test_a_part_is_stored_as_the_places_at_which_it_shows_the_data() -> None:
    (event,) = seal_events([deal([["a", "b"], ["c", "d"]])], "mat_1", 0, ZERO_HASH, NOON, SEAL_KEY)
    assert stored(event)["parts"] == {"s0": ["/hands/0"], "s1": ["/hands/1"]}
    assert_comes_back(event)


def test_a_part_that_shows_something_else_is_stored_whole() -> None:
    event = event_of({"a": 1}, {"a": 2}, {"s0": {"a": 3}})
    assert stored(event)["parts"] == {"s0": {"a": 3}}
    assert_comes_back(event)


def test_an_open_event_stores_its_data_once() -> None:
    event = whole_match()[0]
    values = stored(event)
    assert (values["public"], values["parts"], values["seals"]) == (b"", b"", b"")
    assert values["meta"] == {"command_id": "c-1"}
    assert stored(dataclasses.replace(event, meta={}))["meta"] == b""
