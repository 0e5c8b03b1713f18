"""Bundles: what was exported verifies, and whatever was done to it since is found at its first wrong line."""

import copy
import dataclasses
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from events.bundle import BundleInfo, Report, read, verify, write
from events.canonical import Malformed, canonical
from events.chain import event_hash, seal_events, served
from events.envelope import ZERO_HASH, Draft, Recorded
from events.reveal import Reveal
from events.signing import Signer, is_signed_head
from tests.events.sample import (
    BACK,
    CARDS,
    COMMIT_NONCE,
    MATCH_KEY,
    NOON,
    RULESET,
    SEAL_KEY,
    drafts_of_a_match,
    open_draft,
    whole_match,
)

SIGNER = Signer.from_seed(bytes(range(32)))
MALLORY = Signer.from_seed(bytes(32))
PERSPECTIVES = ["public", "s0", "s1", "s2", "full"]
Data = dict[str, Any]


def info(perspective: str = "full", over: bool = True) -> BundleInfo:
    return BundleInfo("sample-game", RULESET, "d" * 64, 3, perspective, over)


def bundle(
    perspective: str = "full",
    over: bool = True,
    sign: Signer | None = SIGNER,
    records: list[Recorded] | None = None,
) -> list[bytes]:
    """The lines of a bundle of the sample match."""
    events = whole_match(over=over) if records is None else records
    envelopes = served(events, perspective, SEAL_KEY, with_parts=over and perspective == "full")
    return list(write(info(perspective, over), envelopes, sign))


def rebuilt(change: Callable[[list[list[Draft]]], None], perspective: str = "full") -> Report:
    """The verdict on a match whose drafts an operator changed before they were chained and signed."""
    appends = drafts_of_a_match()
    change(appends)
    records: list[Recorded] = []
    for drafts in appends:
        prev_hash = records[-1].hash if records else ZERO_HASH
        records += seal_events(drafts, "mat_sample", len(records), prev_hash, NOON, SEAL_KEY)
    return verify(bundle(perspective, records=records))


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("perspective", PERSPECTIVES)
@pytest.mark.parametrize("sign", [SIGNER, None])
def test_every_perspective_of_a_running_and_of_a_finished_match_verifies(
    perspective: str, over: bool, sign: Signer | None
) -> None:
    report = verify(bundle(perspective, over, sign))
    assert report.ok, report
    assert report.events == len(whole_match(over=over))
    assert report.signed == (sign is not None)
    assert report.trusted is None
    whole = perspective == "full" and over
    assert report.draws == 2
    assert report.draws_repeated == (2 if whole else 0)
    # Two draws sealed for full, a deal for three seats and full, three picks for a seat and full.
    assert report.seals == 2 * 1 + 4 + 3 * 2
    own = {"public": 0, "full": 6}.get(perspective, 2)
    assert report.seals_opened == (12 if whole else own)


def test_a_bundle_reads_back() -> None:
    lines = bundle()
    back = read(lines)
    assert back.header["count"] == len(back.envelopes) == len(lines) - 2
    assert back.header["head"]["hash"] == back.envelopes[-1]["hash"] == back.trailer["hash"]
    head = (back.trailer["match"], back.trailer["version"], back.trailer["hash"])
    assert is_signed_head(SIGNER.public_key, back.trailer["head_signature"], *head)
    for wrong in ([], lines[:2], lines[1:], lines[:-1], [*lines[:-1], lines[-1].rstrip()]):
        with pytest.raises(Malformed):
            read(wrong)


def test_what_is_no_whole_match_is_not_written() -> None:
    envelopes = served(whole_match(), "full", SEAL_KEY, with_parts=True)
    for wrong, over in (([], False), (envelopes[1:], True), (envelopes, False), (envelopes[:-1], True)):
        with pytest.raises(ValueError):
            list(write(info("full", over), wrong))


def test_no_line_of_a_running_bundle_holds_what_its_viewer_may_not_see() -> None:
    text = b"".join(bundle("public", over=False)).decode()
    assert not any(card in text for card in CARDS if card not in json.dumps(whole_match()[-2].data))


# Mutations


def places(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of everything inside a value."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield (*here, step)
        yield from places(inner, (*here, step))


def other(value: Any) -> Any:
    """A value of the same type, and another one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1:] != "0" else "1")
    if isinstance(value, list):
        return [*value, "more"]
    if isinstance(value, dict):
        return {**value, "more": 1}
    return "something"


def mutations(line: bytes) -> Iterator[tuple[str, bytes]]:
    """The line with one thing in it changed, dropped, of another type, or added."""
    value = json.loads(line)
    for path in places(value):
        for what in ("changed", "dropped", "retyped"):
            mutant = copy.deepcopy(value)
            inside = mutant
            for step in path[:-1]:
                inside = inside[step]
            if what == "changed":
                inside[path[-1]] = other(inside[path[-1]])
            elif what == "dropped":
                del inside[path[-1]]
            else:
                inside[path[-1]] = [inside[path[-1]]]
            yield f"{path} {what}", canonical(mutant) + b"\n"
    yield "member added", canonical({**value, "more": 1}) + b"\n"


@pytest.mark.parametrize(
    ("perspective", "over", "sign"),
    [("full", True, SIGNER), ("s0", False, SIGNER), ("public", True, SIGNER), ("s1", True, None)],
)
def test_a_change_of_any_field_of_any_line_is_found_at_its_line(
    perspective: str, over: bool, sign: Signer | None
) -> None:
    lines = bundle(perspective, over, sign)
    tried = 0
    for number, line in enumerate(lines, 1):
        for what, mutant in mutations(line):
            report = verify([*lines[: number - 1], mutant, *lines[number:]])
            tried += 1
            # Without a signature nothing tells whether header or trailer names the wrong hash.
            blamed = {number} if sign or number < len(lines) else {1, number}
            assert report.line in blamed, f"line {number}, {what}: {report}"
            assert report.kind in ("edited", "malformed", "signature"), f"line {number}, {what}: {report}"
    assert tried > 500


def test_a_change_of_any_byte_is_found() -> None:
    whole = b"".join(bundle())
    randomly = random.Random(7)
    for at in randomly.sample(range(len(whole)), 400):
        mutant = bytearray(whole)
        mutant[at] ^= 1 << randomly.randrange(8)
        report = verify(bytes(mutant).splitlines(keepends=True))
        assert not report.ok, at


def test_dropped_events_are_found_where_they_are_missing() -> None:
    for perspective, over in (("full", True), ("s0", False)):
        lines = bundle(perspective, over)
        for number in range(2, len(lines)):
            report = verify([*lines[: number - 1], *lines[number:]])
            assert (report.line, report.kind) == (number, "dropped"), report


def test_swapped_events_are_found_at_the_first_of_them() -> None:
    lines = bundle()
    for one in range(1, len(lines) - 1):
        for two in range(one + 1, len(lines) - 1):
            swapped = list(lines)
            swapped[one], swapped[two] = lines[two], lines[one]
            report = verify(swapped)
            assert (report.line, report.kind) == (one + 1, "swapped"), report


def test_repeated_events_are_found_where_they_are_too_many() -> None:
    lines = bundle()
    for number in range(2, len(lines)):
        report = verify([*lines[:number], lines[number - 1], *lines[number:]])
        assert (report.line, report.kind) == (number + 1, "added"), report


def test_events_of_another_match_are_found() -> None:
    lines, foreign = bundle(), bundle(records=whole_match("mat_other"))
    for number in range(2, len(lines)):
        report = verify([*lines[: number - 1], foreign[number - 1], *lines[number:]])
        assert (report.line, report.kind) == (number, "foreign"), report


def test_an_event_forged_into_the_chain_is_found_at_the_next_line() -> None:
    lines = bundle()
    for number in range(3, len(lines)):
        forged = json.loads(lines[number - 1])
        forged["occurred_at"] = "2026-01-05T13:00:00.000Z"
        hashed = {
            name: value for name, value in forged.items() if name not in ("data", "hash", "nonce", "parts")
        }
        forged["hash"] = event_hash({"public": forged["data"], **hashed})
        report = verify([*lines[: number - 1], canonical(forged) + b"\n", *lines[number:]])
        # The last event has no next one: it is not the head that was signed.
        found = number + 1 if number + 1 < len(lines) else number
        assert (report.line, report.kind) == (found, "foreign"), report


def test_a_truncated_file_is_found_at_its_end() -> None:
    lines = bundle()
    whole = b"".join(lines)
    ends = [len(b"".join(lines[:count])) for count in range(len(lines) + 1)]
    for end in [*range(0, len(whole), 211), *ends[:-1], len(whole) - 1]:
        report = verify(whole[:end].splitlines(keepends=True))
        complete = sum(1 for stop in ends[1:] if stop <= end)
        kind = "malformed" if 0 < end < ends[1] else "truncated"
        assert (report.line, report.kind) == (complete + 1, kind), (end, report)


def test_a_file_with_something_after_its_end_is_refused() -> None:
    lines = bundle()
    for more in (b"\n", lines[-1], lines[-2], b"{}\n", b"x"):
        assert not verify([*lines, more]).ok


def test_lines_that_are_not_canonical_are_refused() -> None:
    lines = bundle()
    for number, line in enumerate(lines):
        loose = json.dumps(json.loads(line)).encode() + b"\n"
        twice = b'{"actor":"rules",' + line[1:]
        for wrong in (loose, line[:-1] + b" \n", line[:-1] + b"\r\n", twice, b"[]\n", b"\n", b"\xff\n"):
            report = verify([*lines[:number], wrong, *lines[number + 1 :]])
            assert report.line == number + 1, report


# Signatures


def test_only_keys_the_reader_trusts_are_trusted() -> None:
    assert verify(bundle(), [SIGNER.public_key]).trusted is True
    for keys in ([], [MALLORY.public_key]):
        report = verify(bundle(), keys)
        assert (report.line, report.kind, report.trusted) == (1, "signature", False)
    assert verify(bundle(sign=None), [SIGNER.public_key]).kind == "signature"


def test_a_match_signed_again_by_another_is_found_by_who_knows_the_key() -> None:
    forged = bundle(sign=MALLORY)
    assert verify(forged).ok
    assert not verify(forged, [SIGNER.public_key]).ok


def test_a_key_put_in_the_place_of_the_right_one_is_found() -> None:
    lines = bundle()
    header = json.loads(lines[0])
    header["public_key"] = MALLORY.public_key
    report = verify([canonical(header) + b"\n", *lines[1:]])
    assert (report.line, report.kind) == (1, "edited")


def test_signatures_have_one_form() -> None:
    lines = bundle()
    trailer = json.loads(lines[-1])
    for name in ("signature", "head_signature"):
        wrong = canonical({**trailer, name: trailer[name].upper()}) + b"\n"
        assert verify([*lines[:-1], wrong]).line == len(lines)


# Operators who cheat: everything is chained and signed as it should be


def draft_at(appends: list[list[Draft]], type: str) -> tuple[list[Draft], int]:
    for drafts in appends:
        for index, draft in enumerate(drafts):
            if draft.type == type:
                return drafts, index
    raise LookupError(type)


def changing(type: str, **data: Any) -> Callable[[list[list[Draft]]], None]:
    """A change of the data of the first event of a type."""

    def change(appends: list[list[Draft]]) -> None:
        drafts, index = draft_at(appends, type)
        draft = drafts[index]
        new = {**draft.data, **data}
        told = {key: value if key in ("label", "count") else BACK for key, value in data.items()}
        public = new if draft.parts is None else {**draft.public, **told}
        drafts[index] = dataclasses.replace(draft, data=new, public=public)

    return change


def line_of(type: str) -> int:
    return next(event.version for event in whole_match() if event.type == type) + 1


@pytest.mark.parametrize(
    ("change", "type", "kind"),
    [
        (changing("sample.deck_shuffled", output=sorted(CARDS)), "sample.deck_shuffled", "draw"),
        (changing("sample.deck_shuffled", input=CARDS[::-1]), "sample.deck_shuffled", "draw"),
        (changing("sample.deck_shuffled", label="sample/other"), "sample.deck_shuffled", "draw"),
        (changing("sample.deck_shuffled", count=20), "sample.deck_shuffled", "draw"),
        (changing("sample.deck_shuffled", count=22), "sample.deck_shuffled", "draw"),
        (changing("sample.deck_shuffled", count=-1), "sample.deck_shuffled", "draw"),
        (changing("sample.deck_shuffled", output=[BACK] * 21), "sample.deck_shuffled", "draw"),
        (changing("sample.deck_shuffled", label=7), "sample.deck_shuffled", "draw"),
        (changing("sample.deck_shuffled", count="21"), "sample.deck_shuffled", "draw"),
        (changing("sample.deck_shuffled", input=[1, 2]), "sample.deck_shuffled", "draw"),
        (changing("sample.deck_shuffled", output=None), "sample.deck_shuffled", "draw"),
        (changing("match.created", commitment="0" * 64), "match.ended", "commitment"),
        (changing("match.ended", commit_nonce="0" * 64), "match.ended", "commitment"),
        (changing("match.ended", match_key="0" * 64), "match.ended", "commitment"),
        (changing("match.ended", match_key="Z" * 64), "match.ended", "commitment"),
        (changing("match.created", game=None), "match.created", "foreign"),
        (changing("match.created", seats=[]), "match.created", "foreign"),
        (changing("match.created", seats=[{}] * 8), "match.created", "foreign"),
        (changing("match.seat_joined", seat=3), "match.seat_joined", "foreign"),
        (changing("match.seat_joined", entropy=7), "match.seat_joined", "foreign"),
        (changing("match.seat_joined", entropy=""), "match.seat_joined", "foreign"),
        (changing("match.seat_joined", entropy="AB"), "match.seat_joined", "foreign"),
        (changing("match.seat_joined", entropy="ab" * 65), "match.seat_joined", "foreign"),
        (changing("match.created", commitment="short"), "match.created", "foreign"),
    ],
)
def test_what_an_operator_made_up_is_found(
    change: Callable[[list[list[Draft]]], None], type: str, kind: str
) -> None:
    report = rebuilt(change)
    assert report.kind == kind, report
    assert report.line == line_of(type), report


def test_an_input_arranged_so_that_the_shuffle_gives_what_is_wished_is_found() -> None:
    arranged = CARDS[::-1]
    reveal = Reveal("mat_sample", MATCH_KEY, COMMIT_NONCE)
    output = reveal.shuffled(["00ff", None, "c0ffee"], "sample/deck", arranged)
    report = rebuilt(changing("sample.deck_shuffled", input=arranged, output=output))
    assert (report.line, report.kind) == (line_of("sample.deck_shuffled"), "draw")
    assert "sorted" in report.reason


def test_entropy_that_was_not_used_is_found() -> None:
    def ignore(appends: list[list[Draft]]) -> None:
        join = next(
            d for d in appends if d[0].type == "match.seat_joined" and d[0].data["entropy"] == "c0ffee"
        )
        join[0] = open_draft({"seat": 2, "entropy": "c0ffef"}, "match.seat_joined", "seat:2", "player")

    report = rebuilt(ignore)
    assert (report.line, report.kind) == (line_of("sample.deck_shuffled"), "draw")


def test_a_label_used_twice_is_found_by_every_viewer() -> None:
    def repeat(appends: list[list[Draft]]) -> None:
        drafts, index = draft_at(appends, "sample.deck_shuffled")
        drafts[index + 1] = drafts[index]

    for perspective in PERSPECTIVES:
        report = rebuilt(repeat, perspective)
        assert (report.line, report.kind) == (line_of("sample.deck_shuffled") + 1, "draw")


@pytest.mark.parametrize("member", ["label", "count"])
def test_a_draw_whose_label_or_count_is_kept_secret_is_found(member: str) -> None:
    def hide(appends: list[list[Draft]]) -> None:
        drafts, index = draft_at(appends, "sample.deck_shuffled")
        public = {**drafts[index].public, member: BACK}
        drafts[index] = dataclasses.replace(drafts[index], public=public)

    report = rebuilt(hide)
    assert (report.line, report.kind) == (line_of("sample.deck_shuffled"), "draw")


def test_a_match_that_starts_twice_is_found() -> None:
    def again(appends: list[list[Draft]]) -> None:
        drafts, index = draft_at(appends, "match.started")
        drafts.insert(index + 1, drafts[index])

    report = rebuilt(again)
    assert (report.line, report.kind) == (line_of("match.started") + 1, "foreign")


def test_a_draw_before_the_start_is_found() -> None:
    def early(appends: list[list[Draft]]) -> None:
        drafts, index = draft_at(appends, "sample.deck_shuffled")
        appends.insert(2, [drafts.pop(index)])

    assert (rebuilt(early).line, rebuilt(early).kind) == (4, "draw")


def test_a_seat_taken_after_the_start_is_found() -> None:
    def late(appends: list[list[Draft]]) -> None:
        appends.insert(
            -1, [open_draft({"seat": 1, "entropy": "00"}, "match.seat_joined", "seat:1", "player")]
        )

    assert rebuilt(late).kind == "foreign"


def test_events_after_the_end_are_found() -> None:
    def more(appends: list[list[Draft]]) -> None:
        appends.append([dataclasses.replace(appends[-1][-1])])

    report = rebuilt(more)
    assert (report.line, report.kind) == (len(whole_match()) + 1, "foreign")


def test_parts_that_are_not_those_sealed_are_found() -> None:
    lines = bundle()
    dealt = line_of("sample.hands_dealt") - 1
    envelope = json.loads(lines[dealt])
    envelope["parts"]["s0"]["hands"][1][0] = "card-00"
    report = verify([*lines[:dealt], canonical(envelope) + b"\n", *lines[dealt + 1 :]])
    assert (report.line, report.kind) == (dealt + 1, "edited")


@pytest.mark.parametrize("seal", ["s3", "s7", "public", "x"])
def test_seals_for_nobody_are_found(seal: str) -> None:
    records = whole_match(over=False)
    event = dataclasses.replace(records[-1], seals={"full": "0" * 64, seal: "0" * 64})
    event = dataclasses.replace(event, hash=event_hash({**_header(event)}))
    report = verify(bundle("s0", False, records=[*records[:-1], event]))
    assert (report.line, report.kind) == (len(records) + 1, "foreign"), report


def test_seals_without_one_of_the_whole_are_found() -> None:
    records = whole_match(over=False)
    event = dataclasses.replace(records[-1], seals={"s1": "0" * 64})
    event = dataclasses.replace(event, hash=event_hash(_header(event)))
    report = verify(bundle("s0", False, records=[*records[:-1], event]))
    assert (report.line, report.kind) == (len(records) + 1, "foreign"), report


def _header(event: Recorded) -> Data:
    names = [
        "match version type schema ruleset decision actor cause command occurred_at public seals prev_hash"
    ]
    return {name: getattr(event, name) for name in names[0].split()}


@pytest.mark.parametrize("command", [0, 1, 99])
def test_an_append_that_begins_nowhere_is_found(command: int) -> None:
    records = whole_match(over=False)
    event = dataclasses.replace(records[-1], command=command)
    event = dataclasses.replace(event, hash=event_hash(_header(event)))
    report = verify(bundle("s0", False, records=[*records[:-1], event]))
    assert (report.line, report.kind) == (len(records) + 1, "foreign"), report


def test_a_key_comes_from_its_file(tmp_path: Any) -> None:
    file = tmp_path / "key"
    file.write_text(bytes(range(32)).hex() + "\n")
    assert Signer.from_file(file).public_key == SIGNER.public_key
    assert "private" not in repr(SIGNER)
    with pytest.raises(ValueError):
        Signer.from_seed(b"short")


def nested(depth: int) -> Data:
    """An object of that depth, itself counting 1."""
    value: Any = {"note": 1}
    for _ in range(depth - 1):
        value = {"in": value}
    whole: Data = value
    return whole


def test_an_event_may_nest_as_deep_as_values_may_and_no_deeper() -> None:
    def deepen(depth: int) -> Callable[[list[list[Draft]]], None]:
        return lambda appends: appends[6].append(open_draft(nested(depth)))

    report = rebuilt(deepen(64))
    assert report.ok, report
    with pytest.raises(Malformed):
        rebuilt(deepen(65))
