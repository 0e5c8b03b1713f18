"""An operator with all keys who writes a wrong log from the start is refused by the stand-alone verifier.

Every bundle here is sealed, chained and signed in good order: only what it says is wrong.
"""

from collections.abc import Callable
from typing import Any

import pytest

from events.signing import Signer
from tests.audit.short_match import CHANCE, FULL, JSON, forged, hash_of, joined, objects, wrong_line

Edit = Callable[[list[JSON]], object]
SECOND_KEY = "11" * 32


def test_the_forging_of_this_test_gives_the_bytes_of_the_service_when_nothing_is_edited() -> None:
    assert forged(lambda events: None) == FULL


def put(version: int, **members: Any) -> Edit:
    """Change members of an event."""
    return lambda events: events[version - 1].update(members)


def tell(version: int, **data: Any) -> Edit:
    """Change the data of an event, and its public form and parts alike."""

    def edit(events: list[JSON]) -> None:
        event = events[version - 1]
        for form in (event["data"], event.get("public", {}), *event["parts"].values()):
            form.update(data)

    return edit


def hide(version: int, form: str, **members: Any) -> Edit:
    """Change one form of an event only: `data`, `public` or a seat's part."""

    def edit(events: list[JSON]) -> None:
        event = events[version - 1]
        (event[form] if form in event else event["parts"][form]).update(members)

    return edit


def say(version: int, **data: Any) -> Edit:
    """Change the data of an event, and hide nothing of it."""

    def edit(events: list[JSON]) -> None:
        events[version - 1]["data"].update(data)
        events[version - 1].pop("public")

    return edit


def seal(version: int, *perspectives: str) -> Edit:
    """Seal an event for other perspectives."""
    return lambda events: events[version - 1].update(seals=dict.fromkeys(perspectives, ""))


def spectate(version: int, perspective: str) -> Edit:
    """Give an event a form and a seal for somebody who is not there."""

    def edit(events: list[JSON]) -> None:
        event = events[version - 1]
        event["parts"][perspective] = event["public"]
        event["seals"][perspective] = ""

    return edit


def drop(version: int, member: str) -> Edit:
    """Leave a member out."""
    return lambda events: events[version - 1].pop(member)


def move(version: int, to: int) -> Edit:
    """Put an event in another place; every event becomes a command of its own."""

    def edit(events: list[JSON]) -> None:
        events.insert(to - 1, events.pop(version - 1))
        for number, event in enumerate(events, 1):
            event["command"] = number

    return edit


def repeat(version: int, at: int) -> Edit:
    """Tell an event again, before another."""

    def edit(events: list[JSON]) -> list[JSON]:
        copy = {
            name: dict(value) if isinstance(value, dict) else value
            for name, value in events[version - 1].items()
        }
        told = [*events[: at - 1], copy, *events[at - 1 :]]
        for number, event in enumerate(told, 1):
            event["command"] = number
        return told

    return edit


DECK, FEW = CHANCE.shuffled("game/deck", sorted(["Forge", "Altar", "Loom", "Ätelier", "𝄞", "ﬀ"])), 11
BACKS = ["face-down"] * 6


@pytest.mark.parametrize(
    ("edit", "line", "why"),
    [
        # draws
        (hide(7, "data", output=[*DECK[1:], DECK[0]]), 8, "gives other cards"),
        (hide(7, "data", input=DECK), 8, "not sorted"),
        (hide(7, "data", input=["Forge", "Altar", "Loom", "Ätelier", "ﬀ", "𝄞"]), 8, "not sorted"),
        (hide(7, "data", input=["Altar", "Forge", "Loom", "Ätelier", "𝄞", "ﬀ"]), 8, "not sorted"),
        (say(7, input=BACKS, output=BACKS), 8, "face down"),
        (say(7, input="Forge"), 8, "names its cards"),
        (hide(7, "data", label="game/other"), 8, "differs"),
        (hide(7, "public", label="face-down"), 8, "public"),
        (hide(7, "public", count=5), 8, "differs"),
        (hide(7, "public", count="face-down"), 8, "public"),
        (tell(7, label=7), 8, "label"),
        (tell(7, count=True), 8, "number of cards"),
        (tell(7, count=7), 8, "more cards"),
        (tell(7, count=-1), 8, "more cards"),
        (tell(7, count=5), 8, "gives other cards"),
        (tell(FEW, label="game/deck"), 12, "second draw"),
        (tell(FEW, label="game/fex"), 12, "gives other cards"),
        (move(7, 6), 7, "before match.started"),
        # entropy and commitment
        (tell(4, entropy="00fe"), 8, "gives other cards"),
        (tell(4, entropy=None), 8, "gives other cards"),
        (tell(2, entropy=""), 3, "entropy"),
        (tell(2, entropy="AA"), 3, "entropy"),
        (tell(2, entropy="aa\n"), 3, "entropy"),
        (tell(2, entropy="aaa"), 3, "entropy"),
        (tell(2, entropy="aa" * 65), 3, "entropy"),
        (tell(2, entropy=17), 3, "entropy"),
        (tell(2, seat=2), 3, "no such seat"),
        (tell(2, seat=-1), 3, "no such seat"),
        (tell(2, seat=True), 3, "no such seat"),
        (lambda events: events[1]["data"].pop("entropy") and None, 3, "entropy"),
        (repeat(2, 8), 9, "closed the entropy"),
        (repeat(3, 8), 9, "closed the entropy"),
        (repeat(5, 8), 9, "closed the entropy"),
        (repeat(6, 8), 9, "match.started stands twice"),
        (tell(1, commitment="00" * 32), 13, "does not reveal"),
        (tell(1, commitment="00"), 2, "commitment"),
        (tell(12, match_key="00" * 32), 13, "does not reveal"),
        (tell(12, commit_nonce="00" * 32), 13, "does not reveal"),
        (tell(12, match_key=None), 13, "does not reveal"),
        (tell(1, seats=[]), 2, "seats"),
        (tell(1, seats=[{}] * 8), 2, "seats"),
        (tell(1, game=None), 2, "game"),
        # first and last
        (repeat(1, 3), 4, "match.created"),
        (put(1, type="match.made"), 2, "match.created"),
        (put(12, type="match.stopped"), 1, "over"),
        (repeat(12, 11), 12, "match.ended"),
        (move(12, 11), 1, "over"),
        # seals and forms
        (seal(9, "full"), 10, "parts"),
        (seal(9, "s0"), 10, "nonce"),
        (seal(10, "s1", "s2", "full"), 11, "parts"),
        (seal(8, "s0", "s1", "s7", "full"), 9, "parts"),
        (seal(7), 8, "nonce"),
        (put(9, forced={"nonce": SECOND_KEY}), 10, "nonce"),
        (hide(9, "s0", card="Altar"), 10, "differs"),
        (hide(9, "public", card="Altar"), 10, "differs"),
        (hide(9, "public", more=1), 10, "differs"),
        (hide(9, "s0", seat="0"), 10, "differs"),
        (hide(9, "s0", seat=False), 10, "differs"),
        (hide(8, "s0", hands=[["Forge", "Loom"], []]), 9, "differs"),
        (hide(8, "s0", hands={}), 9, "differs"),
        (lambda events: events[8]["parts"].update(s0=["Loom"]), 10, "not an object"),
        (lambda events: events[9]["parts"].update(s2={"seat": 1, "card": "Altar"}), 11, "parts"),
        (lambda events: events[9].update(public=dict(events[9]["data"])), 11, "public"),
        (lambda events: events[1].update(public={"seat": 1, "entropy": "face-down"}), 3, ""),
        (drop(2, "parts"), 3, "parts are missing"),
        (spectate(8, "s2"), 9, "whom this match does not have"),
        (spectate(8, "public"), 9, "whom this match does not have"),
        # header fields
        (put(3, forced={"version": 4}), 4, "event 4 stands where event 3 was due"),
        (put(3, forced={"version": 2}), 4, "event 2 stands where event 3 was due"),
        (put(3, forced={"prev_hash": SECOND_KEY}), 4, "prev_hash"),
        (put(1, forced={"prev_hash": SECOND_KEY}), 2, "prev_hash"),
        (put(3, match="mat_b"), 4, "another match"),
        (put(3, ruleset="seven-wonders/1.0.1"), 4, "ruleset"),
        (put(3, command=1), 4, "command"),
        (put(3, command=4), 4, "command"),
        (put(1, command=0), 2, "command"),
        (put(8, command=7), 9, "command"),
        (put(3, schema=0), 4, "schema"),
        (put(3, schema=True), 4, "schema"),
        (put(3, actor="seat:7"), 4, "actor"),
        (put(3, actor="seat:1\n"), 4, "actor"),
        (put(3, cause="luck"), 4, "cause"),
        (put(3, decision=3), 4, "decision"),
        (put(3, occurred_at="2026-01-05T10:11:12Z"), 4, "occurred_at"),
        (put(3, occurred_at="2026-01-05T10:11:12.345+00:00"), 4, "occurred_at"),
        (put(3, note="none"), 4, "does not belong"),
    ],
)
def test_what_an_operator_may_not_write_is_refused_at_its_line(edit: Edit, line: int, why: str) -> None:
    assert wrong_line(forged(edit), why) == line


@pytest.mark.parametrize(
    ("seals", "why"),
    [
        ({"s0": ""}, "full form is missing"),
        ({"s0": "", "full": "ab"}, "64 hex digits"),
        ({"s0": "", "full": "AB" * 32}, "64 hex digits"),
        ({"s0": "", "full": None}, "64 hex digits"),
        ({"s0": "", "full": "ab" * 32, "s2": "ab" * 32}, "whom this match does not have"),
    ],
)
def test_seals_that_a_seat_cannot_open_yet_are_at_least_seals_of_this_match(seals: JSON, why: str) -> None:
    assert wrong_line(forged(put(9, seals=seals), of="a seat, running"), why) == 10


@pytest.mark.parametrize(
    ("header", "line", "why"),
    [
        ({"game": "seven-blunders"}, 1, "game is not that"),
        ({"seats": 3}, 1, "seats is not that"),
        ({"seats": 0}, 1, "1 to 7 seats"),
        ({"seats": 8}, 1, "1 to 7 seats"),
        ({"ruleset": "seven-wonders/1.0.1"}, 1, "ruleset is not that"),
        ({"match": "mat_b"}, 1, "match is not what"),
        ({"over": False}, 1, "over is not what"),
        ({"count": 0, "head": {"version": 0, "hash": "0" * 64}}, 1, "not the version of the head"),
        ({"count": 11}, 1, "not the version of the head"),
        ({"head": {"version": 12, "hash": "0" * 64}}, 1, "head is not what"),
        ({"format": "wonderlog/bundle/2"}, 1, "format"),
        ({"perspective": "s7"}, 1, "perspective"),
        ({"perspective": "s0"}, 2, "parts do not belong here"),
        ({"public_key": SECOND_KEY}, 14, "signature"),
        ({"public_key": None}, 14, "no key"),
    ],
)
def test_a_signed_header_that_does_not_fit_the_events_is_refused(header: JSON, line: int, why: str) -> None:
    assert wrong_line(forged(lambda events: None, header), why) == line


# Somebody without the operator's key


@pytest.mark.parametrize("version", range(1, 13))
def test_an_edited_event_with_its_hash_made_new_is_betrayed_by_the_next_line(version: int) -> None:
    lines = objects(FULL)
    lines[version]["decision"] = "d1.none"
    lines[version]["hash"] = hash_of(lines[version])
    if version < 12:
        assert wrong_line(joined(lines), "prev_hash") == version + 2
    else:
        assert wrong_line(joined(lines), "not the head that the header names") == version + 1


def test_a_chain_made_new_from_an_edited_event_on_does_not_end_in_the_signed_head() -> None:
    *events, _ = objects(forged(put(3, decision="d1.none")))
    header, *_, trailer = objects(FULL)
    assert wrong_line(joined([header, *events[1:], trailer]), "not the head that the header names") == 13
    assert wrong_line(joined([*events, trailer]), "does not name the last event") == 14


def test_a_whole_forgery_under_the_key_of_the_operator_lacks_its_signature() -> None:
    forgery = forged(put(3, decision="d1.none"), signer=Signer.from_seed(bytes(32)))
    assert wrong_line(forgery, "signature of the head is not good") == 14
