"""Between dataclasses and JSON: strict, exact, and kind to logs written by other releases."""

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.chance import DeckShuffled
from events.canonical import LARGEST, Malformed
from events.codec import UnknownEvent, decode, encode, events_of, read
from events.envelope import Recorded
from tests.events.sample import noted
from tests.events.sample_game import EVENTS, UPCASTS, HandsPassed, Payment, StructureBuilt

numbers = st.integers(-LARGEST, LARGEST)
texts = st.text(st.characters(exclude_categories=["Cs"]))
built = st.builds(StructureBuilt, numbers, texts, st.builds(Payment, numbers, numbers), st.booleans())
passed = st.builds(
    HandsPassed,
    st.lists(st.lists(texts, max_size=3), max_size=3),
    st.dictionaries(texts, st.lists(numbers, max_size=3), max_size=3),
    st.none() | numbers,
)


@given(built | passed)
def test_what_is_encoded_decodes_to_the_same(event: Any) -> None:
    data = encode(event)
    assert decode(type(event), data) == decode(type(event), data, closed=True) == event
    assert data.keys() == {field.name for field in dataclasses.fields(event)}


def test_a_draw_of_the_domain_has_its_members() -> None:
    data = encode(DeckShuffled("a/deck", 1, ["x", "y"], ["y"]))
    assert data == {"label": "a/deck", "count": 1, "input": ["x", "y"], "output": ["y"]}


@dataclasses.dataclass(frozen=True, slots=True)
class Odd:
    pair: tuple[int, ...]
    by_number: dict[int, str]


def test_tuples_and_number_keys_become_what_json_has() -> None:
    data = encode(Odd((1, 2), {3: "x"}))
    assert data == {"pair": [1, 2], "by_number": {"3": "x"}}
    assert decode(Odd, data) == Odd((1, 2), {3: "x"})


def test_lone_surrogates_are_not_encoded() -> None:
    with pytest.raises(Malformed):
        encode(StructureBuilt(1, "\ud800", Payment()))


FINE = {"seat": 1, "card": "clay-pool", "payment": {"left": 0, "right": 2}, "free": True}


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ({}, ""),
        ([], ""),
        ("text", ""),
        (None, ""),
        ({**FINE, "seat": "1"}, "/seat"),
        ({**FINE, "seat": True}, "/seat"),
        ({**FINE, "seat": None}, "/seat"),
        ({**FINE, "card": 7}, "/card"),
        ({**FINE, "free": 1}, "/free"),
        ({**FINE, "payment": {"left": []}}, "/payment/left"),
        ({**FINE, "payment": []}, "/payment"),
        ({**FINE, "seat": 1.0}, ""),
        ({**FINE, "seat": 2**53}, ""),
        ({**FINE, "card": "\ud800"}, ""),
    ],
)
def test_another_shape_is_refused_with_its_place(data: Any, pointer: str) -> None:
    with pytest.raises(Malformed) as refused:
        decode(StructureBuilt, data)
    assert refused.value.pointer == pointer
    assert refused.value.detail


def test_places_inside_lists_are_named() -> None:
    with pytest.raises(Malformed) as refused:
        decode(HandsPassed, {"hands": [[], ["a", 3]], "by_seat": {}})
    assert refused.value.pointer == "/hands/1/1"
    with pytest.raises(Malformed) as refused:
        decode(HandsPassed, {"hands": [], "by_seat": {"0": ["x"]}})
    assert refused.value.pointer == "/by_seat"


@pytest.mark.parametrize(
    ("more", "pointer"), [({"tip": 1}, "/tip"), ({"payment": {"left": 1, "a/b": 2}}, "/payment/a~1b")]
)
def test_unknown_members_are_ignored_in_a_log_and_refused_in_a_request(more: Any, pointer: str) -> None:
    assert decode(StructureBuilt, {**FINE, **more}).seat == 1
    with pytest.raises(Malformed) as refused:
        decode(StructureBuilt, {**FINE, **more}, closed=True)
    assert refused.value.pointer == pointer


def test_old_shapes_are_read_through_every_upcast() -> None:
    newest = StructureBuilt(2, "clay-pool", Payment(1, 0))
    one = {"seat": 2, "card": "clay-pool", "coins": 1}
    two = {"seat": 2, "card": "clay-pool", "payment": {"left": 1}}
    for schema, data in ((1, one), (2, two), (3, encode(newest))):
        kept = dict(data)
        assert read(EVENTS, UPCASTS, "sample.structure_built", schema, data) == newest
        assert data == kept


@pytest.mark.parametrize(
    ("name", "schema", "upcasts"),
    [
        ("sample.never_heard_of", 1, UPCASTS),
        ("sample.structure_built", 4, UPCASTS),
        ("sample.structure_built", 1, {}),
    ],
)
def test_what_this_release_cannot_read_is_said(name: str, schema: int, upcasts: Any) -> None:
    with pytest.raises(UnknownEvent):
        read(EVENTS, upcasts, name, schema, FINE)


def test_a_stored_event_of_the_wrong_shape_is_malformed() -> None:
    with pytest.raises(Malformed):
        read(EVENTS, UPCASTS, "sample.hands_passed", 1, {"hands": 3})


def test_records_are_read_in_order() -> None:
    def record(version: int, name: str, schema: int, data: dict[str, Any]) -> Recorded:
        return dataclasses.replace(
            noted("mat_1")[0], version=version, type=f"sample.{name}", schema=schema, data=data
        )

    records = [
        record(1, "structure_built", 1, {"seat": 0, "card": "a", "coins": 3}),
        record(2, "hands_passed", 1, {"hands": [["a"]], "by_seat": {}}),
    ]
    assert events_of(EVENTS, UPCASTS, records) == [
        StructureBuilt(0, "a", Payment(3)),
        HandsPassed([["a"]], {}),
    ]
