"""The published keys: read alike by both verifiers, and a retired one vouches for nothing younger."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from events import bundle, published_keys
from events.canonical import Malformed
from events.published_keys import PublicKey
from tests.audit.short_match import FULL, OCCURRED_AT, SIGNER, tool
from tests.audit.test_stand_alone_verifier import run

OTHER = "11" * 32
LATER, EARLIER = "2026-01-05T10:11:12.346Z", "2026-01-05T10:11:12.344Z"
LINES = FULL.splitlines(keepends=True)


def file(*keys: PublicKey) -> bytes:
    """The file as it is published."""
    return msgspec.json.encode(published_keys.listed(keys))


def test_a_file_is_read_as_it_was_written() -> None:
    raw = file(PublicKey(SIGNER.public_key), PublicKey(OTHER, LATER))
    wanted = {SIGNER.public_key: None, OTHER: LATER}
    assert published_keys.read(raw) == tool.keys_of(raw) == wanted


def test_the_file_of_the_documentation_names_its_key_rightly() -> None:
    text = (Path(__file__).parents[2] / "docs" / "audit.md").read_text(encoding="utf-8")
    block = re.findall(r"```json\n(.*?)\n```", text.partition("## 8. ")[2].partition("## 9. ")[0], re.DOTALL)
    (entry,) = json.loads(block[0])["keys"]
    assert json.loads(block[0]) == published_keys.listed([PublicKey(entry["public_key"])])


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (None, 0),
        ({SIGNER.public_key: None}, 0),
        ({OTHER: None, SIGNER.public_key: None}, 0),
        ({SIGNER.public_key: LATER}, 0),
        ({SIGNER.public_key: OCCURRED_AT}, 0),
        ({SIGNER.public_key: EARLIER}, 1),
        ({OTHER: None}, 1),
        ({}, 1),
        ([], 1),
        ([SIGNER.public_key], 0),
    ],
)
def test_both_verifiers_trust_the_same_keys(keys: Any, line: int) -> None:
    report = bundle.verify(LINES, keys)
    assert (report.line or 0, report.kind) == (line, "signature" if line else None)
    assert report.trusted is (None if keys is None else line == 0)
    assert (tool.verify(FULL, keys).line if tool.verify(FULL, keys).why else 0) == line


def wrong(**changed: Any) -> bytes:
    """A file whose key is not as it must be."""
    entry = published_keys.listed([PublicKey(OTHER)])["keys"][0]
    return json.dumps({"format": published_keys.FORMAT, "keys": [entry | changed]}).encode()


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[]",
        b"{}",
        b'{"format":"wonderlog/keys/1","keys":{}}',
        b'{"format":"wonderlog/keys/1","keys":[7]}',
        b"[" * 100_000,
        b"\xff",
        wrong(public_key="AA" * 32),
        wrong(public_key=None),
        wrong(algorithm="RSA"),
        wrong(valid_until="tomorrow"),
        wrong(valid_until=7),
    ],
)
def test_what_is_no_file_of_keys_is_refused_by_both(raw: bytes) -> None:
    with pytest.raises(Malformed):
        published_keys.read(raw)
    with pytest.raises(tool.Wrong):
        tool.keys_of(raw)


def test_the_tool_takes_the_file_as_it_is_published(tmp_path: Path) -> None:
    match, keys = tmp_path / "match.jsonl", tmp_path / "keys.json"
    match.write_bytes(FULL)
    for published, code in (
        (file(PublicKey(SIGNER.public_key)), 0),
        (file(PublicKey(OTHER), PublicKey(SIGNER.public_key, LATER)), 0),
        (file(PublicKey(OTHER), PublicKey(SIGNER.public_key, EARLIER)), 1),
        (file(), 1),
        (b"{}", 2),
    ):
        keys.write_bytes(published)
        done = run("--keys", str(keys), str(match))
        assert done[0] == code, done
    assert run("--keys", str(tmp_path / "none"), str(match))[0] == 2
