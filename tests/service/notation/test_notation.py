"""Matches as texts: written, read again, the same events; texts that are wrong are refused where they are."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.table import MatchEnded
from events import bundle, codec
from service import wire
from service.cli.redecide import redecide
from service.notation import NotNotation, NotWritable
from service.notation.bundling import bundled, notation
from service.notation.reading import read
from service.notation.words import split, value, word
from service.notation.writing import written
from tests.domain.stories import TITLES, Story, story

ALL = [title for title in TITLES if title.game != "tiny"]


def envelopes(told: Story) -> list[dict[str, Any]]:
    """What the envelopes of a story would say."""
    names = wire.of(told.game)
    made: list[dict[str, Any]] = []
    for step in told.steps:
        for draft in names.drafts(step.facts, step.by.decision, {}):
            made.append(
                {
                    "match": told.chance.match,
                    "actor": draft.actor,
                    "cause": draft.cause,
                    "decision": draft.decision,
                    "occurred_at": "2026-01-05T10:00:00.000Z",
                    "type": draft.type,
                    "data": draft.data,
                }
            )
    return made


@pytest.fixture(params=ALL, ids=str)
def told(request: pytest.FixtureRequest) -> Story:
    """Every story in turn."""
    return story(request.param)


def test_what_was_written_is_read_again_event_by_event(told: Story) -> None:
    text = written(told.game, envelopes(told), told.events)
    again = [draft for drafts in read(told.game, text).commands for draft in drafts]
    assert [(d.type, d.data, d.actor, d.cause, d.decision) for d in again] == [
        (each["type"], each["data"], each["actor"], each["cause"], each["decision"])
        for each in envelopes(told)
    ]
    assert max(map(len, text.split("\n\n", 1)[1].splitlines())) <= 200
    size = len(json.dumps([codec.encode(event) for event in told.events]))
    assert len(text) < size / 2, "it is compact"


def example(seats: int = 3) -> tuple[Story, str]:
    told = story(next(t for t in ALL if t.game == "seven-wonders" and t.seats == seats))
    return told, written(told.game, envelopes(told), told.events)


def test_the_text_gives_a_bundle_that_verifies_and_is_decided_again() -> None:
    told, text = example()
    lines = list(bundled(read(told.game, text), "0" * 64))
    report = bundle.verify(lines)
    assert report.ok and report.draws_repeated == report.draws > 3, report
    made = bundle.read(lines)
    assert redecide(made).difference is None
    assert notation(told.game, made) == text


def test_draws_that_are_not_written_down_are_made_from_the_key() -> None:
    told, text = example()
    head, _, moves = text.partition("\n\n")
    kept, continued = [], False
    for line in moves.splitlines():
        continued = line.startswith("=") or (continued and line.startswith(" "))
        if not continued:
            kept.append(line)
    again = read(told.game, head + "\n\n" + "\n".join(kept))
    assert sum(map(len, again.commands)) == len(told.events)
    keyless = "\n".join(line for line in head.splitlines() if not line.startswith(("[Key", "[Nonce", "[End")))
    with pytest.raises(NotNotation, match="is not written down"):
        read(told.game, keyless + "\n\n" + "\n".join(kept))


def test_a_match_of_a_real_table_needs_no_key() -> None:
    told, text = example()
    without = "\n".join(line for line in text.splitlines() if not line.startswith(("[Key", "[Nonce", "[End")))
    again = [draft for drafts in read(told.game, without).commands for draft in drafts]
    events = [codec.encode(event) for event in told.events]
    assert [d.data for d in again[1:-1]] == events[1:-1]
    assert again[-1].data["scores"] == events[-1]["scores"]


def line_with(text: str, words: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if words in line)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("[Format ", "[Formal ", "the first tag"),
        ("[Game ", "Game ", "a tag is expected"),
        ("tenant start", "tenant stop", "nobody can do that"),
        ("\n\n-: ", "\n\n", "a colon"),
        ("[Seats [", '[Seats ["open", "open", "open", "open", "open", ', "the rules refuse"),
        ("= seven_wonders/boards ", "= seven_wonders/boards nowhere:A ", "not there to be drawn"),
        ("[End ", '[End "0", "', "a tag is expected"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(old: str, new: str, why: str) -> None:
    told, text = example()
    assert old in text
    with pytest.raises(NotNotation, match=why) as refused:
        read(told.game, text.replace(old, new, 1))
    assert 1 <= refused.value.line <= len(text.splitlines())


def test_another_end_and_a_match_cut_off_are_refused() -> None:
    told, text = example()
    with pytest.raises(NotNotation, match="otherwise"):
        read(told.game, text.replace('[End "', '[End "0', 1))
    with pytest.raises(NotNotation, match="not over"):
        read(told.game, "\n".join(text.splitlines()[:-1]))


def test_a_match_that_runs_cannot_be_written() -> None:
    told, _ = example()
    with pytest.raises(NotWritable, match="over"):
        written(told.game, envelopes(told)[:-1], told.events[:-1])


def test_events_the_rules_would_not_make_cannot_be_written() -> None:
    told, _ = example()
    events = list(told.events)
    ended = events[-1]
    assert isinstance(ended, MatchEnded)
    events[-1] = MatchEnded("forfeit", ended.ranking, ended.scores, ended.match_key, ended.commit_nonce)
    with pytest.raises(NotWritable, match="other events"):
        written(told.game, envelopes(told), events)


@given(st.lists(st.text(max_size=12) | st.integers(0, 99) | st.none() | st.booleans(), max_size=5))
def test_words_are_read_as_they_were_written(values: list[Any]) -> None:
    line = " ".join(map(word, values))
    assert [value(each) for each in split(line)] == values


@given(st.lists(st.text(alphabet='abz_+-; "\\[]{}', max_size=6), max_size=4))
def test_lists_are_read_as_they_were_written(values: list[str]) -> None:
    (text,) = split(f" {word(values)} ")
    assert value(text) == values
