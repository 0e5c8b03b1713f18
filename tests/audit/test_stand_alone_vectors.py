"""The stand-alone verifier agrees with the vectors, step by step and on whole bundles."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from tests.audit.short_match import tool

VECTORS = Path(__file__).parent / "vectors"


def vectors(file: str, member: str, *more: str) -> pytest.MarkDecorator:
    """Each entry of one list in a file of vectors (and in more files), as a case of a test."""
    cases = []
    for each in (file, *more):
        found = json.loads((VECTORS / f"{each}.json").read_text(encoding="utf-8"))[member]
        assert found
        cases += found
    return pytest.mark.parametrize("case", cases, ids=map(str, range(len(cases))))


def stream(case: dict[str, Any]) -> Any:
    """The words of the draw a vector names."""
    key = tool.subkey(bytes.fromhex(case["match_key"]), "draw")
    return tool.words(key, case["match"], case["entropy"], case["label"])


@vectors("canonical", "values")
def test_the_canonical_bytes_of_a_value(case: dict[str, Any]) -> None:
    assert tool.canonical(case["value"]).hex() == case["bytes"]
    assert tool.digest(case["value"]) == case["hash"]
    assert tool.parsed(b'{"a":' + bytes.fromhex(case["bytes"]) + b"}") == {"a": case["value"]}


@vectors("canonical", "refused")
def test_a_text_that_may_not_enter_a_log(case: str) -> None:
    with pytest.raises(tool.Wrong):
        tool.parsed(f'{{"a":{case}}}'.encode())


@vectors("secrets", "secrets")
def test_the_subkeys_and_the_commitment(case: dict[str, Any]) -> None:
    for purpose in ("seal", "draw", "bot"):
        assert tool.subkey(bytes.fromhex(case["match_key"]), purpose).hex() == case[f"{purpose}_key"]
    secrets = {"match_key": case["match_key"], "commit_nonce": case["commit_nonce"]}
    opened = tool.revealed([{"data": {"commitment": case["commitment"]}}, {"data": secrets}])
    assert opened == bytes.fromhex(case["match_key"])


@vectors("seals", "seals", "edges")
def test_the_nonce_of_a_seal_and_the_seal(case: dict[str, Any]) -> None:
    place = (case["match"], case["version"], case["perspective"])
    assert tool.nonce_of(bytes.fromhex(case["seal_key"]), *place) == case["nonce"]
    assert tool.digest(["wonderlog/seal/1", *place, case["nonce"], case["form"]]) == case["seal"]


@vectors("chain", "events")
def test_every_envelope_of_an_event_gives_its_hash(case: dict[str, Any]) -> None:
    assert case["envelopes"]
    for envelope in case["envelopes"].values():
        assert tool.hash_of(envelope) == envelope["hash"] == case["hash"]


@vectors("draws", "streams")
def test_the_words_of_a_stream(case: dict[str, Any]) -> None:
    assert list(itertools.islice(stream(case), len(case["words"]))) == case["words"]


@vectors("draws", "numbers")
def test_the_numbers_drawn_below_a_bound(case: dict[str, Any]) -> None:
    words = stream(case)
    assert [tool.number_below(words, case["below"]) for _ in case["numbers"]] == case["numbers"]


@vectors("draws", "draws", "edges")
def test_a_draw(case: dict[str, Any]) -> None:
    assert tool.shuffled(stream(case), case["input"])[: case["count"]] == case["output"]


@vectors("signatures", "heads")
def test_the_signature_of_a_head(case: dict[str, Any]) -> None:
    trailer = {"head_signature": case["signature"]} | {
        name: case[name] for name in ("match", "version", "hash")
    }
    assert tool.head_signed(case["public_key"], trailer) is True
    assert tool.head_signed(case["public_key"], trailer | {"version": 5}) is False


@vectors("edges", "refused_heads")
def test_a_head_that_is_not_signed(case: dict[str, Any]) -> None:
    trailer = {"head_signature": case["signature"]} | {
        name: case[name] for name in ("match", "version", "hash")
    }
    assert tool.head_signed(case["public_key"], trailer) is False


@vectors("bundles", "bundles")
def test_a_bundle(case: dict[str, Any]) -> None:
    report = tool.verify("".join(case["lines"]).encode())
    assert (report.line if report.why else None) == case["wrong_line"]
