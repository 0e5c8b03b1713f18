"""Sealing and chaining: who may open what, and that no change goes unnoticed."""

import copy
import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel import chance
from events import reveal
from events.canonical import Malformed, canonical
from events.chain import Broken, event_hash, nonce, seal, seal_events, served, verify_chain
from events.envelope import ZERO_HASH, Draft, Recorded, as_served, form, header
from tests.events.sample import (
    BACK,
    COMMIT_NONCE,
    MATCH_KEY,
    NOON,
    RULESET,
    SEAL_KEY,
    deal,
    noted,
    open_draft,
    pick,
    whole_match,
)

PERSPECTIVES = ["public", "s0", "s1", "s2", "full"]


def test_a_chain_is_gapless_from_sixty_four_zeros_on() -> None:
    records = whole_match()
    assert [event.version for event in records] == list(range(1, len(records) + 1))
    assert [event.prev_hash for event in records] == [ZERO_HASH, *[event.hash for event in records[:-1]]]
    assert all(event.hash == event_hash(header(event)) for event in records)
    verify_chain(records, "mat_sample", seal_key=SEAL_KEY)


def test_events_of_one_append_name_its_first_event() -> None:
    first = noted("mat_1", 3)
    assert [event.command for event in first] == [1, 1, 1]
    later = seal_events([open_draft({}), open_draft({})], "mat_1", 3, first[-1].hash, NOON, SEAL_KEY)
    assert [event.command for event in later] == [4, 4]
    assert (
        seal_events([open_draft({})], "mat_1", 3, first[-1].hash, NOON, SEAL_KEY, command=2)[0].command == 2
    )


def test_the_header_has_thirteen_fields_and_none_that_is_private() -> None:
    event = whole_match()[-2]
    assert len(header(event)) == 13
    assert not header(event).keys() & {"data", "parts", "meta", "hash"}


def test_an_open_event_has_no_seals_and_a_sealed_one_has_one_for_full_and_each_seat_of_its_table() -> None:
    for draft, seals in ((open_draft({}), []), (pick(1, "clay"), ["full", "s1"]), (deal([["a"]] * 3), None)):
        (event,) = seal_events([draft], "mat_1", 0, ZERO_HASH, NOON, SEAL_KEY)
        assert sorted(event.seals) == (["full", "s0", "s1", "s2"] if seals is None else seals)
    nobody = dataclasses.replace(open_draft({"a": 1}), public={"a": BACK}, parts={})
    assert list(seal_events([nobody], "mat_1", 0, ZERO_HASH, NOON, SEAL_KEY)[0].seals) == ["full"]


@pytest.mark.parametrize("perspective", PERSPECTIVES)
def test_every_viewer_can_check_the_chain_from_what_it_is_served(perspective: str) -> None:
    last = ZERO_HASH
    for envelope in served(whole_match(), perspective, SEAL_KEY):
        hashed = {name: envelope[name] for name in header(whole_match()[0]) if name != "public"}
        hashed["public"] = envelope.get("public", envelope["data"])
        assert event_hash(hashed) == envelope["hash"]
        assert envelope["prev_hash"] == last
        last = envelope["hash"]
        if perspective in envelope["seals"]:
            opened = seal("mat_sample", envelope["version"], perspective, envelope["nonce"], envelope["data"])
            assert opened == envelope["seals"][perspective]
        else:
            assert not envelope.keys() & {"nonce", "public"}


@pytest.mark.parametrize("perspective", PERSPECTIVES[:-1])
def test_nobody_is_served_what_is_hidden_from_them(perspective: str) -> None:
    for envelope in served(whole_match(over=False), perspective, SEAL_KEY):
        assert not envelope.keys() & {"parts", "meta"}
        data = envelope["data"]
        if envelope["type"] == "sample.card_picked":
            assert (data["card"] == BACK) == (perspective != f"s{data['seat']}")
        if envelope["type"] == "sample.deck_shuffled":
            assert set(data["output"]) == {BACK}
        if envelope["type"] == "sample.hands_dealt":
            for seat, hand in enumerate(data["hands"]):
                assert (BACK in hand) == (perspective != f"s{seat}")


def test_a_seal_hides_even_a_form_that_can_be_guessed() -> None:
    (event,) = seal_events([pick(1, "clay")], "mat_1", 0, ZERO_HASH, NOON, SEAL_KEY)
    (other,) = seal_events([pick(1, "clay")], "mat_1", 0, ZERO_HASH, NOON, bytes(32))
    assert event.seals["s1"] != event.seals["full"]
    assert event.seals["s1"] != other.seals["s1"]
    # A viewer's own nonce opens nobody else's seal.
    mine = nonce(SEAL_KEY, "mat_1", 1, "s0").hex()
    assert seal("mat_1", 1, "s1", mine, event.parts["s1"]) != event.seals["s1"]


def test_a_form_is_the_own_one_or_else_the_public_one() -> None:
    (event,) = seal_events([pick(1, "clay")], "mat_1", 0, ZERO_HASH, NOON, SEAL_KEY)
    assert [form(event, viewer)["card"] for viewer in ("public", "s0", "s1", "full")] == [
        BACK,
        BACK,
        "clay",
        "clay",
    ]


def test_an_envelope_of_a_sealed_form_needs_its_nonce() -> None:
    (event,) = seal_events([pick(1, "clay")], "mat_1", 0, ZERO_HASH, NOON, SEAL_KEY)
    with pytest.raises(ValueError):
        as_served(event, "s1")
    assert as_served(event, "s1", "ab")["nonce"] == "ab"
    assert "nonce" not in as_served(event, "s0", "ab")
    with pytest.raises(ValueError):
        as_served(event, "s1", "ab", with_parts=True)
    assert as_served(event, "full", "ab", with_parts=True)["parts"] == {"s1": {"seat": 1, "card": "clay"}}


def test_subkeys_and_commitments_are_those_of_the_domain() -> None:
    for purpose in ("seal", "draw", "bot"):
        assert reveal.subkey(MATCH_KEY, purpose) == chance.subkey(MATCH_KEY, purpose)
    secrets = reveal.Reveal("mat_1", MATCH_KEY, COMMIT_NONCE)
    assert secrets.commitment() == chance.commitment(MATCH_KEY, COMMIT_NONCE)


@given(
    st.binary(min_size=32, max_size=32),
    st.lists(st.none() | st.binary(min_size=1, max_size=64).map(bytes.hex), max_size=7),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=60).map(sorted),
)
def test_draws_are_those_of_the_domain(
    key: bytes, entropy: list[str | None], label: str, cards: list[str]
) -> None:
    made = chance.Chance("mat_1", key, COMMIT_NONCE, tuple(entropy)).shuffled(label, cards)
    assert reveal.Reveal("mat_1", key, COMMIT_NONCE).shuffled(entropy, label, cards) == made


@pytest.mark.parametrize(
    "change",
    [
        {"data": {"x": 0.5}},
        {"data": {"x": 2**53}},
        {"data": {"x": "\ud800"}, "public": {"x": BACK}, "parts": {}},
        {"data": {"\ud800": 1}, "public": {"\ud800": BACK}, "parts": {}},
        {"data": {"ü": ["\ud800"]}, "public": {"ü": BACK}, "parts": {}},
        {"type": "\ud800"},
        {"schema": 2**53},
    ],
    ids=repr,
)
def test_values_that_cannot_enter_a_log_are_refused(change: dict[str, Any]) -> None:
    draft = dataclasses.replace(pick(0, "clay"), **change)
    with pytest.raises(Malformed):
        seal_events([draft], "mat_1", 0, ZERO_HASH, NOON, SEAL_KEY)


def test_an_open_event_that_hides_something_is_refused() -> None:
    for public in ({"a": 2}, {"a": True}, {}):
        with pytest.raises(ValueError):
            drafts = [dataclasses.replace(open_draft({"a": 1}), public=public)]
            seal_events(drafts, "mat_1", 0, ZERO_HASH, NOON, SEAL_KEY)


@pytest.mark.parametrize("seat", ["s7", "full", "public", "0", "S1", "s11"])
def test_only_seats_have_parts(seat: str) -> None:
    with pytest.raises(ValueError):
        draft = dataclasses.replace(pick(0, "clay"), parts={seat: {}})
        seal_events([draft], "mat_1", 0, ZERO_HASH, NOON, SEAL_KEY)


@pytest.mark.parametrize("moment", ["2026-01-05T12:00:00Z", "2026-01-05T12:00:00.000+00:00", "", "noon"])
def test_times_are_in_utc_with_milliseconds(moment: str) -> None:
    with pytest.raises(ValueError):
        seal_events([open_draft({})], "mat_1", 0, ZERO_HASH, moment, SEAL_KEY)


@pytest.mark.parametrize(("after", "prev_hash"), [(1, ZERO_HASH), (0, "1" * 64), (1, "x"), (1, "A" * 64)])
def test_the_hash_before_must_be_one(after: int, prev_hash: str) -> None:
    with pytest.raises(ValueError):
        seal_events([open_draft({})], "mat_1", after, prev_hash, NOON, SEAL_KEY)


def test_a_seal_key_has_thirty_two_bytes() -> None:
    with pytest.raises(ValueError):
        seal_events([open_draft({})], "mat_1", 0, ZERO_HASH, NOON, b"short")


def changed(event: Recorded) -> Iterator[tuple[str, Recorded]]:
    """The event with each of its hashed or sealed fields changed, one at a time."""
    for name in ("match", "type", "ruleset", "actor", "cause", "occurred_at", "prev_hash", "hash"):
        yield name, dataclasses.replace(event, **{name: getattr(event, name)[:-1] + "_"})
    for name in ("version", "schema", "command"):
        yield name, dataclasses.replace(event, **{name: getattr(event, name) + 1})
    yield "decision", dataclasses.replace(event, decision="d1.other")
    for name in ("data", "public", "parts", "seals"):
        value = getattr(event, name)
        yield name, dataclasses.replace(event, **{name: {**value, "s0": {"more": 1}}})
        for key in value:
            smaller = copy.deepcopy(value)
            del smaller[key]
            yield f"{name} without {key}", dataclasses.replace(event, **{name: smaller})


def test_every_change_of_every_event_is_found_where_it_is() -> None:
    records = whole_match()
    for index, event in enumerate(records):
        for what, other in changed(event):
            with pytest.raises(Broken) as broken:
                verify_chain(
                    [*records[:index], other, *records[index + 1 :]], "mat_sample", seal_key=SEAL_KEY
                )
            assert broken.value.version == event.version, what


def test_dropped_swapped_added_and_foreign_events_are_found() -> None:
    records = whole_match()
    foreign = whole_match("mat_other")
    for wrong in (
        records[1:],
        [*records[:4], *records[5:]],
        [*records[:4], records[5], records[4], *records[6:]],
        [*records[:4], records[3], *records[4:]],
        [*records[:4], foreign[4], *records[5:]],
    ):
        with pytest.raises(Broken):
            verify_chain(wrong, "mat_sample")
    verify_chain(records[:7], "mat_sample")
    verify_chain(records[7:], "mat_sample", 7, records[6].hash)


@pytest.mark.parametrize(
    "change",
    [
        {"actor": "seat:7"},
        {"actor": "\udfff"},
        {"cause": "luck"},
        {"schema": 0},
        {"public": {"seat": 0, "card": "other"}},
        {"public": {"seat": False, "card": BACK}},
        {"public": {"seat": 0}},
        {"public": {"seat": 0, "card": BACK, "more": 1}},
        {"parts": {"s0": {"seat": 0, "card": ["clay"]}}},
    ],
    ids=repr,
)
def test_what_no_verifier_accepts_is_not_written(change: dict[str, Any]) -> None:
    draft = dataclasses.replace(pick(0, "clay"), **change)
    with pytest.raises(ValueError):
        seal_events([draft], "mat_1", 0, ZERO_HASH, NOON, SEAL_KEY)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
objects = st.dictionaries(texts, st.none() | st.booleans() | st.integers(-9, 9) | texts | st.lists(texts))


@given(objects, st.randoms(), st.sets(st.sampled_from([f"s{n}" for n in range(7)])), texts)
def test_any_event_verifies_and_serves_each_its_own(
    data: Any, random: Any, seats: set[str], word: str
) -> None:
    public, *hidden = (
        {key: random.choice([value, BACK]) for key, value in data.items()} for _ in range(len(seats) + 1)
    )
    parts = dict(zip(sorted(seats), hidden, strict=True))
    draft = Draft(word, 1, word, word or None, "seat:6", "deadline", data, public, parts)
    events = seal_events([draft, open_draft(data)], "mat_1", 0, ZERO_HASH, NOON, SEAL_KEY)
    verify_chain(events, "mat_1", seal_key=SEAL_KEY)
    for perspective in ("public", *parts, "full"):
        envelope = served(events, perspective, SEAL_KEY)[0]
        assert canonical(envelope["data"]) == canonical(form(events[0], perspective))
        shown = {"public": public, **parts, "full": data}[perspective]
        assert canonical(shown) == canonical(envelope["data"])


def test_a_record_is_from_a_ruleset() -> None:
    assert {event.ruleset for event in whole_match()} == {RULESET}
