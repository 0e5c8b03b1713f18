"""The verifier in TypeScript: the same vectors, on thousands of bundles the same verdicts as in Python."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from events import bundle
from tests.audit import mutations
from tests.audit import test_dishonest_operator as dishonest
from tests.audit.node import TOOL, Steps, b64, run, steps
from tests.audit.short_match import BUNDLES, FULL, SIGNER, forged, fork, joined, records, story, tool, written
from tests.audit.test_stand_alone_vectors import VECTORS
from tests.audit.whole_matches import TABLES, changes, lines_of


@pytest.fixture(scope="module")
def typescript() -> Iterator[Steps]:
    with steps() as process:
        yield process


def vectors(file: str, member: str) -> list[Any]:
    """The entries of one list in a file of vectors."""
    found: list[Any] = json.loads((VECTORS / f"{file}.json").read_text(encoding="utf-8"))[member]
    assert found
    return found


def python(raw: bytes) -> int:
    """The first wrong line as the verifier in Python names it."""
    report = tool.verify(raw)
    return 0 if report.log else int(report.line)


# Vectors


def test_canonical_bytes(typescript: Steps) -> None:
    for case in vectors("canonical", "values"):
        wrapped = b64(b'{"a":' + bytes.fromhex(case["bytes"]) + b"}")
        assert typescript.ask("canonical", wrapped) == case["bytes"]
        assert typescript.ask("digest", wrapped) == case["hash"]
    for text in vectors("canonical", "refused"):
        assert typescript.ask("canonical", b64(f'{{"a":{text}}}'.encode())) is None, text


def test_secrets_nonces_and_seals(typescript: Steps) -> None:
    for case in vectors("secrets", "secrets"):
        for purpose in ("seal", "draw", "bot"):
            assert typescript.ask("subkey", case["match_key"], purpose) == case[f"{purpose}_key"]
        assert typescript.ask("commitment", case["match_key"], case["commit_nonce"]) == case["commitment"]
    for case in vectors("seals", "seals") + vectors("edges", "seals"):
        place = (case["match"], case["version"], case["perspective"])
        assert typescript.ask("nonce", case["seal_key"], *place) == case["nonce"]
        assert typescript.ask("seal", *place, case["nonce"], case["form"]) == case["seal"]


def test_draws(typescript: Steps) -> None:
    def of(case: dict[str, Any]) -> list[Any]:
        return [case["match_key"], case["match"], case["entropy"], case["label"]]

    for case in vectors("draws", "streams"):
        assert typescript.ask("words", len(case["words"]), *of(case)) == case["words"]
    for case in vectors("draws", "numbers"):
        assert typescript.ask("numbers", len(case["numbers"]), case["below"], *of(case)) == case["numbers"]
    for case in vectors("draws", "draws") + vectors("edges", "draws"):
        assert typescript.ask("shuffled", case["input"], *of(case))[: case["count"]] == case["output"]


def test_chain_signatures_and_bundles(typescript: Steps) -> None:
    for case in vectors("chain", "events"):
        for envelope in case["envelopes"].values():
            assert typescript.ask("hash", envelope) == case["hash"]
    for case in vectors("signatures", "heads"):
        head = ["wonderlog/head/1", case["match"], case["version"], case["hash"]]
        assert typescript.ask("signed", case["public_key"], case["signature"], head) is True
        assert (
            typescript.ask("signed", case["public_key"], case["signature"], [*head[:2], 5, head[3]]) is False
        )
    for case in vectors("edges", "refused_heads"):
        head = ["wonderlog/head/1", case["match"], case["version"], case["hash"]]
        assert typescript.ask("signed", case["public_key"], case["signature"], head) is False, case["why"]
    for case in vectors("bundles", "bundles"):
        assert typescript.wrong_line("".join(case["lines"]).encode()) == (case["wrong_line"] or 0)


# Verdicts


@pytest.mark.parametrize("name", BUNDLES)
def test_the_whole_report_on_a_good_bundle_is_that_of_python(name: str, typescript: Steps) -> None:
    assert typescript.ask("verify", b64(BUNDLES[name]), None) == tool.verify(BUNDLES[name]).as_json()


@pytest.mark.parametrize("name", BUNDLES)
def test_the_same_line_is_named_whatever_is_changed(name: str, typescript: Steps) -> None:
    """Here every so many changes; `python -m tests.audit.mutations` tries them all."""
    tried = mutations.compared(typescript, BUNDLES[name], stride=4)
    assert tried.missed == [], tried.missed[:5]
    assert tried.count > 150


def forks() -> Iterator[tuple[bytes, int]]:
    """Logs that fork wrongly, signed in good order, and the line each is refused at."""
    told = fork()
    (kind, created, *_), branches = told[0][0], told[6]
    versions = ((0, 2), (-1, 2), (True, 2), ("8", 2), (7, 9), (9, 11), (99, 14))
    origins: list[tuple[Any, int]] = [({"match": "mat_b", "version": at}, line) for at, line in versions]
    for origin, line in [*origins, ({"version": None}, 2), ({}, 2), ([], 2), ("mat_b", 2), (8, 2)]:
        first = (kind, created | {"forked_from": origin}, None, None)
        yield written(records(commands=[[first], *told[1:]]), "full"), line
    yield written(records(commands=told[:6] + told[7:]), "full"), 10
    yield written(records(commands=[*told[:7], branches, *told[7:]]), "full"), 11
    yield written(records(commands=[*story()[:6], branches, *story()[6:]]), "full"), 10
    # A draw of the fork's own that gives other cards.
    kind, few, hidden, parts = told[-1][0]
    forged = (kind, few | {"output": few["output"][::-1]}, hidden, parts)
    yield written(records(commands=[*told[:-1], [forged, told[-1][1]]]), "full"), 13


def test_a_wrong_fork_is_refused_at_the_same_line_by_all_three(typescript: Steps) -> None:
    for at, (raw, line) in enumerate(forks()):
        found = (python(raw), typescript.wrong_line(raw), bundle.verify(raw.splitlines(keepends=True)).line)
        assert found == (line, line, line), at


PUT_IN = (b" ", b"\n", b"0", b"\xff", b"\xc3\xa9", b'"', b"\\u0061")


def test_the_same_line_is_named_whatever_bytes_are_changed(typescript: Steps) -> None:
    """Bytes flipped, cut out and put in, lines dropped, repeated and moved, by the hundred."""
    dice = random.Random(17)
    for name in ("full", "a seat, running"):
        raw = BUNDLES[name]
        for _ in range(300):
            mutant = bytearray(raw)
            for _ in range(dice.choice((1, 1, 1, 2, 5))):
                at = dice.randrange(len(mutant))
                match dice.randrange(5):
                    case 0:
                        mutant[at] ^= 1 << dice.randrange(8)
                    case 1:
                        del mutant[at : at + dice.choice((1, 1, 40))]
                    case 2:
                        mutant[at:at] = dice.choice(
                            (b" ", b"\n", b"0", b"\xff", b"\xc3\xa9", b'"', b"\\u0061")
                        )
                    case 3:
                        other = dice.randrange(len(mutant))
                        mutant[at:at] = mutant[other : other + dice.choice((1, 20, 300))]
                    case _:
                        lines = bytes(mutant).splitlines(keepends=True)
                        lines.insert(dice.randrange(len(lines)), lines.pop(dice.randrange(len(lines))))
                        mutant = bytearray(b"".join(lines))
            assert typescript.wrong_line(bytes(mutant)) == python(bytes(mutant)), bytes(mutant)


def test_the_same_line_is_named_for_what_a_dishonest_operator_wrote(typescript: Steps) -> None:
    marks = dishonest.test_what_an_operator_may_not_write_is_refused_at_its_line.pytestmark
    edits = [(edit, line) for mark in marks for edit, line, _ in mark.args[1]]
    assert len(edits) > 60
    for edit, line in edits:
        assert typescript.wrong_line(forged(edit)) == line
    marks = dishonest.test_a_signed_header_that_does_not_fit_the_events_is_refused.pytestmark
    for mark in marks:
        for header, line, _ in mark.args[1]:
            assert typescript.wrong_line(forged(lambda events: None, header)) == line


@pytest.mark.parametrize("game", TABLES)
def test_whole_matches_of_every_game_get_the_same_verdicts(game: str, typescript: Steps) -> None:
    lines, dice = lines_of(game), random.Random(3)
    raw = b"".join(lines)
    assert typescript.ask("verify", b64(raw), None) == tool.verify(raw).as_json()
    typescript.ask("base", b64(raw))
    for at in [0, 1, len(lines) - 2, len(lines) - 1, *dice.sample(range(2, len(lines) - 2), 4)]:
        mutant = joined([dice.choice(list(changes(msgspec.json.decode(lines[at]))))])
        wanted = python(b"".join([*lines[:at], mutant, *lines[at + 1 :]]))
        assert typescript.ask("spliced", at, at + 1, b64(mutant)) == wanted
    assert typescript.ask("spliced", 5, 6, "") == 6, "a line was left out"


@pytest.mark.parametrize(
    "line",
    [
        b'{"__proto__":1}',
        b'{"a":{"__proto__":{"b":1}},"constructor":2}',
        b'{"2":1,"10":2,"1":3}',
        b'{"\xc3\xa9":1,"\xf0\x9d\x84\x9e":2,"\xef\xac\x80":3}',
        b'{"\xef\xac\x80":3,"\xf0\x9d\x84\x9e":2}',
        b'{"a":"\\u2028"}',
        b'{"a":"\xe2\x80\xa8\x7f"}',
        b'{"a":"\\u000b\\b"}',
        b'{"a":9007199254740991,"b":-9007199254740991}',
        b'{"a":9007199254740992}',
        b'{"a":1e0}',
        b'{"a":-0}',
        b"{}",
        b'{"a":1,"a":1}',
    ],
)
def test_a_line_is_read_by_both_or_by_neither(line: bytes, typescript: Steps) -> None:
    wrapped = b'{"a":' + line + b"}"
    try:
        wanted = tool.canonical(tool.parsed(wrapped)["a"]).hex()
    except tool.Wrong:
        wanted = None
    assert typescript.ask("canonical", b64(wrapped)) == wanted


# Keys, and the command


def test_keys_are_trusted_alike(typescript: Steps) -> None:
    other = "11" * 32
    for keys in (
        [],
        [(SIGNER.public_key, None)],
        [(other, None)],
        [(other, None), (SIGNER.public_key, "2026-01-05T10:11:12.345Z")],
        [(SIGNER.public_key, "2026-01-05T10:11:12.344Z")],
    ):
        wanted = tool.verify(FULL, dict(keys)).as_json()
        found = typescript.ask("verify", b64(FULL), keys)
        assert (found["ok"], found.get("line")) == (wanted["ok"], wanted.get("line"))


def test_the_tool_imports_nothing_but_what_node_brings_and_opens_no_connection() -> None:
    text = TOOL.read_text(encoding="utf-8")
    imported = set(re.findall(r'from "([^"]+)"', text))
    assert imported == {"node:crypto", "node:fs", "node:url"}
    assert not re.findall(r"\b(require|import\(|eval|fetch|WebSocket|globalThis|process\.binding)\b", text)


def test_the_command(tmp_path: Path) -> None:
    file, keys = tmp_path / "match.jsonl", tmp_path / "keys.json"
    file.write_bytes(FULL)
    code, out, err = run(str(file))
    assert (code, err) == (0, "")
    assert out.startswith("mat_a: 12 events, 9 seals opened, 2 draws repeated, signature valid\n")
    code, out, _ = run("--json", "-", stdin=FULL)
    assert (code, json.loads(out)["ok"]) == (0, True)
    assert run("--key", SIGNER.public_key, str(file))[0] == 0
    assert run("--key", "11" * 32, str(file))[:2] == (
        1, "line 1: the bundle is not signed with a key you named\n"
    )  # fmt: skip
    entry = {"algorithm": "Ed25519", "public_key": SIGNER.public_key, "valid_until": None}
    keys.write_text(json.dumps({"keys": [entry]}))
    assert run("--keys", str(keys), str(file))[0] == 0
    file.write_bytes(forged(lambda events: events[1].update(match="mat_\x1b[2J")))
    assert run(str(file))[:2] == (1, "line 3: an event of another match, mat_\\u001b[2J\n")
    for wrong in ([], ["--no", str(file)], [str(tmp_path / "none")], ["--key", "AB", str(file)], ["--key"]):
        code, out, err = run(*wrong)
        assert (code, out) == (2, "")
        assert err.startswith("usage: ")
