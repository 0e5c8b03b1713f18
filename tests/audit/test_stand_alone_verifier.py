"""The stand-alone verifier accepts what the service writes and names the line of whatever was changed."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain import seven_wonders
from domain.kernel import match as matches
from domain.kernel.chance import Chance, subkey
from domain.kernel.redaction import forms
from events import bundle, chain, codec
from events.envelope import Draft
from events.signing import Signer
from tests import twins
from tests.audit.short_match import (
    BUNDLES,
    EVERY_BUNDLE,
    FULL,
    OCCURRED_AT,
    RULESET,
    SIGNER,
    TOOL,
    forged,
    fork,
    joined,
    objects,
    records,
    tool,
    written,
    wrong_line,
)

# What holds


def test_a_full_bundle_is_accepted_with_all_seals_opened_and_all_draws_made_again() -> None:
    report = tool.verify(FULL)
    assert (report.why, report.log.version) == ("", 12)
    assert report.as_json() == {
        "ok": True,
        "match": "mat_a",
        "perspective": "full",
        "over": True,
        "events": 12,
        "seals_opened": 1 + 3 + 2 + 2 + 1,
        "draws_repeated": 2,
        "draws_hidden": 0,
        "events_copied": 0,
        "head": {"version": 12, "hash": records()[-1].hash},
        "signature": "valid",
        "public_key": SIGNER.public_key,
    }


@pytest.mark.parametrize(
    ("name", "opened", "hidden"),
    [
        ("a seat, after the end", 2, 2),
        ("a seat, running", 2, 2),
        ("spectator, running", 0, 2),
        ("full, running", 5, 2),
    ],
)
def test_a_viewer_opens_its_own_seals_and_no_others(name: str, opened: int, hidden: int) -> None:
    report = tool.verify(BUNDLES[name])
    assert (report.why, report.log.opened, report.log.repeated, report.log.hidden) == ("", opened, 0, hidden)


@pytest.mark.parametrize("seats", [2, 3, 7])
@pytest.mark.parametrize("perspective", ["full", "public", "s1"])
def test_a_whole_match_of_7_wonders_is_accepted(seats: int, perspective: str) -> None:
    told, key = twins.tell(seven_wonders, seats, seats), twins.chance("mat_twin", seats).match_key
    kinds = {kind.cls: kind for kind in matches.events(seven_wonders).values()}
    commands: dict[int, list[Draft]] = {}
    for fact in told:
        event = fact.fact.event
        public, parts, sealed = forms(matches.redactions(seven_wonders), event)
        commands.setdefault(fact.command, []).append(
            Draft(
                kinds[type(event)].name, 1, RULESET, fact.decision, fact.fact.actor, fact.fact.cause,
                codec.encode(event), codec.encode(public),
                {f"s{seat}": codec.encode(part) for seat, part in parts.items()} if sealed else None,
            )
        )  # fmt: skip
    log: list[Any] = []
    for drafts in commands.values():
        previous = log[-1].hash if log else "0" * 64
        log += chain.seal_events(drafts, "mat_twin", len(log), previous, OCCURRED_AT, subkey(key, "seal"))
    envelopes = chain.served(log, perspective, subkey(key, "seal"), with_parts=perspective == "full")
    info = bundle.BundleInfo("seven-wonders", RULESET, "ab" * 32, seats, perspective, True)
    report = tool.verify(b"".join(bundle.write(info, envelopes, SIGNER)))
    assert report.why == ""
    own = {"full": sum(len(event.seals) for event in log), "public": 0}
    assert report.log.opened == own.get(perspective, sum(perspective in event.seals for event in log))
    draws = sum("input" in event.data for event in log)
    assert draws >= 3 and (report.log.repeated + report.log.hidden) == draws
    assert report.log.repeated == (draws if perspective == "full" else 0)


# What was changed afterwards


def changes(value: Any) -> Iterator[Any]:
    """The value with one thing changed, for every thing in it."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield {other: value[other] for other in value if other != name}
            for changed in changes(member):
                yield value | {name: changed}
        yield value | {"more": 1}
        yield []
    elif isinstance(value, list):
        for at, member in enumerate(value):
            yield value[:at] + value[at + 1 :]
            for changed in changes(member):
                yield value[:at] + [changed] + value[at + 1 :]
        yield [*value, "more"]
    elif isinstance(value, bool):
        yield from (not value, int(value), None)
    elif isinstance(value, int):
        yield from (value + 1, value - 1, str(value), None)
    elif isinstance(value, str):
        yield from (value + "0", value[:-1], None, ("1" if value[:1] == "0" else "0") + value[1:])
    else:
        yield from ("", 0, False, {})


@pytest.mark.parametrize("name", ["full", "full, unsigned", "a seat, after the end", "a seat, running"])
def test_every_member_of_every_line_that_is_changed_dropped_or_added_is_named_by_its_line(name: str) -> None:
    raw = BUNDLES[name]
    lines = objects(raw)
    kept = raw.splitlines(keepends=True)
    unsigned = lines[0]["public_key"] is None
    tried = 0
    for at, line in enumerate(lines):
        for changed in changes(line):
            if changed != line or repr(changed) != repr(line):
                tried += 1
                named = wrong_line(b"".join([*kept[:at], joined([changed]), *kept[at + 1 :]]))
                # Without a signature, header and header_hash differ and neither is known to be the right one.
                either = line["format"] if unsigned and "header_hash" in line else ""
                assert named == at + 1 or (either and named == 1), changed
    assert tried > 800


@EVERY_BUNDLE
def test_a_dropped_swapped_repeated_or_foreign_line_is_named(raw: bytes) -> None:
    lines = objects(raw)
    other = Chance("mat_b", bytes(32), bytes(32), ("00ff", None))
    log = (records(other, fork()) if len(lines) > 14 else records(other))[: len(lines) - 2]
    perspective = lines[0]["perspective"]
    foreign = objects(written(log, perspective, subkey(other.match_key, "seal"), SIGNER))
    for at in range(len(lines)):
        assert wrong_line(joined(lines[:at] + lines[at + 1 :])) == at + 1
        assert wrong_line(joined([*lines[: at + 1], *lines[at:]])) == at + 2
        assert wrong_line(joined([*lines[:at], foreign[at], *lines[at + 1 :]])) == at + 1
        if at + 1 < len(lines):
            assert wrong_line(joined([*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]])) == at + 1
    assert wrong_line(joined([*lines, *foreign])) == len(lines) + 1


def test_a_file_cut_short_anywhere_is_named_by_the_line_it_ends_in() -> None:
    ends = set(range(0, len(FULL), 7)) | {at for at, byte in enumerate(FULL) if byte == ord("\n")}
    for end in ends | {at + 1 for at in ends if at + 1 < len(FULL)}:
        assert wrong_line(FULL[:end]) == FULL[:end].count(b"\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"version":3', b'"version":3.0', "not a whole number"),
        (b'"version":3', b'"version":3e0', "not a whole number"),
        (b'"version":3', b'"version":NaN', "not a whole number"),
        (b'"version":3', b'"version":03', "not JSON"),
        (b'"version":3', b'"version":-0', "canonical"),
        (b'"version":3', b'"version":9007199254740992', "2^53 - 1"),
        (b'"version":3', b'"version":' + b"9" * 5000, "2^53 - 1"),
        (b'"version":3', b'"version": 3', "canonical"),
        (b'"version":3', b'"version":3,"version":3', "twice"),
        (b'"version":3', b'"version":' + b"[" * 100_000, "deep"),
        (b'"match.seat_left"', b'"match.seat\\u005fleft"', "canonical"),
        (b'"match.seat_left"', b'"\\ud800"', "surrogate"),
        (b'"match.seat_left"', b'"\xff"', "UTF-8"),
        (b'"match.seat_left"', b'"\xed\xa0\x80"', "UTF-8"),
        (b'"match.seat_left"', b'"\x01"', "not JSON"),
    ],
)
def test_a_line_that_two_readers_could_read_differently_is_refused(old: bytes, new: bytes, why: str) -> None:
    lines = FULL.splitlines(keepends=True)
    assert old in lines[3]
    lines[3] = lines[3].replace(old, new)
    assert wrong_line(b"".join(lines), why) == 4


def test_the_data_of_an_event_is_nested_64_deep_and_no_deeper() -> None:
    def nested(levels: int) -> bytes:
        inner: Any = "x"
        for _ in range(levels - 1):
            inner = [inner]
        return forged(lambda events: events[0]["data"].update(options=inner))

    assert tool.verify(nested(64)).why == ""
    for levels in (65, 66, 67, 68, 200, 300, 330):
        assert wrong_line(nested(levels), "nested deep") == 2
    line = b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
    assert wrong_line(line, "nested") == 1


@pytest.mark.parametrize("line", [b"[]", b"null", b"7", b'"header"', b"true"])
def test_a_line_that_holds_no_object_is_refused(line: bytes) -> None:
    assert wrong_line(line + b"\n", "not an object") == 1


@pytest.mark.parametrize("value", [1.0, 2**53, -(2**53), (1,), b"a", "\ud800", {"\udc00": 1}])
def test_values_that_may_not_enter_a_log_have_no_canonical_bytes(value: object) -> None:
    with pytest.raises(tool.Wrong):
        tool.canonical([value])


@pytest.mark.parametrize("more", [b" ", b"\r", b"\n"])
def test_white_space_around_a_line_is_refused(more: bytes) -> None:
    lines = FULL.splitlines(keepends=True)
    assert wrong_line(b"".join([*lines[:3], lines[3][:-1] + more + b"\n", *lines[4:]])) in (4, 5)
    assert wrong_line(b"\xef\xbb\xbf" + FULL) == 1


# The command


def run(*arguments: str, stdin: bytes = b"", without_packages: bool = False) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the tool in a process of its own."""
    flags = ["-I", "-S"] if without_packages else ["-I"]
    done = subprocess.run(
        [sys.executable, *flags, str(TOOL), *arguments],
        input=stdin,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.ndjson"
    path.write_bytes(FULL)
    return path


def test_the_tool_imports_nothing_but_the_standard_library_and_cryptography() -> None:
    imported = set()
    for node in ast.walk(ast.parse(TOOL.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add(node.module or "")
    roots = {name.split(".")[0] for name in imported}
    assert roots - sys.stdlib_module_names == {"cryptography"}
    assert not roots & {
        "socket",
        "ssl",
        "http",
        "urllib",
        "ftplib",
        "smtplib",
        "asyncio",
        "importlib",
        "subprocess",
    }
    assert not {"__import__", "exec", "eval"} & set(
        TOOL.read_text(encoding="utf-8").replace("(", " ").split()
    )


def test_a_good_bundle_gives_exit_code_0_and_a_summary(file: Path) -> None:
    code, out, err = run(str(file))
    assert (code, err) == (0, "")
    assert out.startswith("mat_a: 12 events, 9 seals opened, 2 draws repeated, signature valid\n")
    assert SIGNER.public_key in out


def test_without_cryptography_the_summary_says_that_the_signature_was_not_checked(file: Path) -> None:
    code, out, err = run(str(file), without_packages=True)
    assert (code, err) == (0, "")
    assert "2 draws repeated, signature not checked" in out
    code, out, err = run(str(file), "--json", without_packages=True)
    assert (code, json.loads(out)["signature"]) == (0, "not checked")


def test_the_bundle_is_read_from_standard_input_too() -> None:
    code, out, _ = run("-", "--json", stdin=FULL)
    assert (code, json.loads(out)["ok"]) == (0, True)


def test_a_wrong_bundle_gives_exit_code_1_and_the_line(file: Path) -> None:
    file.write_bytes(FULL.replace(b'"Altar"', b'"Forum"', 1))
    code, out, err = run(str(file))
    assert (code, err) == (1, "")
    assert out.startswith("line 8: ")
    code, out, _ = run(str(file), "--json")
    report = json.loads(out)
    assert (code, report["ok"], report["line"]) == (1, False, 8)


def test_a_file_cannot_steer_the_terminal_it_is_reported_on(file: Path) -> None:
    file.write_bytes(forged(lambda events: events[1].update(match="mat_\x1b[2J\u202eé")))
    code, out, _ = run(str(file))
    assert (code, out) == (1, "line 3: an event of another match, mat_\\x1b[2J\\u202e\\xe9\n")


def test_an_empty_file_is_wrong_in_line_1() -> None:
    code, out, _ = run("-")
    assert (code, out) == (1, "line 1: the file ends where the header was due\n")


def test_wrong_usage_gives_exit_code_2(file: Path, tmp_path: Path) -> None:
    for arguments in (
        [],
        [str(tmp_path / "none")],
        [str(tmp_path)],
        [str(file), "--key", "AB"],
        [str(file), "--no"],
    ):
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert "usage:" in err


def test_only_the_keys_named_are_accepted(file: Path) -> None:
    other = Signer.from_seed(bytes(32)).public_key
    assert run(str(file), "--key", other, "--key", SIGNER.public_key)[:2] == (
        0,
        "mat_a: 12 events, 9 seals opened, 2 draws repeated, signature valid\n",
    )
    code, out, _ = run(str(file), "--key", other)
    assert (code, out.startswith("line 1: ")) == (1, True)
    code, _, err = run(str(file), "--key", SIGNER.public_key, without_packages=True)
    assert (code, "cryptography" in err) == (2, True)
    file.write_bytes(BUNDLES["full, unsigned"])
    assert run(str(file), "--key", SIGNER.public_key)[0] == 1
    assert run(str(file))[1].endswith("not signed\n")


def test_a_bundle_signed_again_by_somebody_else_is_refused_only_against_the_published_key() -> None:
    forged = written(records(), "full", signer=Signer.from_seed(bytes(32)))
    assert tool.verify(forged).why == ""
    assert tool.verify(forged, [SIGNER.public_key]).line == 1


@pytest.mark.parametrize("member", ["head_signature", "signature"])
def test_both_signatures_are_checked(member: str) -> None:
    *lines, trailer = objects(FULL)
    trailer[member] = objects(written(records()[:-1], "full"))[-1][member]
    assert wrong_line(joined([*lines, trailer]), "signature of the") == 14
    trailer[member] = None
    assert wrong_line(joined([*lines, trailer]), "missing") == 14


def test_the_reason_says_what_is_missing_or_too_much() -> None:
    header, *events, trailer = objects(FULL)
    assert wrong_line(joined([header, *events[:-1], trailer]), "end where event 12 was due") == 13
    assert wrong_line(joined([header, *events]), "file ends where the trailer was due") == 14
    assert wrong_line(joined([header, *events[:4]]), "file ends where event 5 was due") == 6
    assert wrong_line(joined([header, *events, events[-1], trailer]), "one event more") == 14
    assert wrong_line(joined([header, *events, trailer, trailer]), "after the trailer") == 15
    trailer["header_hash"] = "0" * 64
    assert wrong_line(joined([header, *events, trailer]), "header_hash is not that") == 14
