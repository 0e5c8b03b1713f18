"""The published vectors hold for this code, and where the domain computes the same, for that too."""

import hashlib
import hmac
import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from domain.kernel import chance
from events.bundle import verify
from events.canonical import Malformed, canonical, digest
from events.chain import event_hash, nonce, seal, seal_events, served
from events.envelope import ZERO_HASH, Draft
from events.reveal import Reveal, below, subkey
from events.signing import Signer, is_signed_head

VECTORS = Path(__file__).parent / "vectors"
Data = dict[str, Any]


def vectors(name: str, kind: str) -> list[Any]:
    found: list[Any] = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))[kind]
    assert found
    return found


@pytest.mark.parametrize("vector", vectors("canonical", "values"), ids=lambda v: repr(v["value"])[:20])
def test_canonical_bytes(vector: Data) -> None:
    assert canonical(vector["value"]).hex() == vector["bytes"]
    assert digest(vector["value"]) == vector["hash"]


@pytest.mark.parametrize("text", vectors("canonical", "refused"), ids=lambda text: text[:20])
def test_refused_values(text: str) -> None:
    with pytest.raises(Malformed):
        canonical(json.loads(text))


@pytest.mark.parametrize("vector", vectors("secrets", "secrets"), ids=lambda v: v["match_key"][:8])
def test_secrets(vector: Data) -> None:
    key, blind = bytes.fromhex(vector["match_key"]), bytes.fromhex(vector["commit_nonce"])
    for purpose in ("seal", "draw", "bot"):
        assert subkey(key, purpose).hex() == chance.subkey(key, purpose).hex() == vector[f"{purpose}_key"]
    revealed = Reveal.from_hex("mat_1", vector["match_key"], vector["commit_nonce"])
    assert revealed.commitment() == chance.commitment(key, blind) == vector["commitment"]
    assert revealed.seal_key().hex() == vector["seal_key"]


@pytest.mark.parametrize(
    "vector",
    vectors("seals", "seals") + vectors("edges", "seals"),
    ids=lambda v: f"{v['match']}-{v['perspective']}",
)
def test_nonces_and_seals(vector: Data) -> None:
    match, version, perspective = vector["match"], vector["version"], vector["perspective"]
    blind = nonce(bytes.fromhex(vector["seal_key"]), match, version, perspective).hex()
    assert blind == vector["nonce"]
    assert seal(match, version, perspective, blind, vector["form"]) == vector["seal"]


def of_draw(vector: Data) -> Reveal:
    return Reveal(vector["match"], bytes.fromhex(vector["match_key"]), bytes(32))


@pytest.mark.parametrize("vector", vectors("draws", "streams"))
def test_streams_of_words(vector: Data) -> None:
    words = of_draw(vector).words(vector["entropy"], vector["label"])
    assert list(itertools.islice(words, len(vector["words"]))) == vector["words"]


@pytest.mark.parametrize("vector", vectors("draws", "numbers"), ids=lambda v: f"below {v['below']}")
def test_numbers_below_a_bound(vector: Data) -> None:
    words = of_draw(vector).words(vector["entropy"], vector["label"])
    assert [below(vector["below"], words) for _ in vector["numbers"]] == vector["numbers"]


def test_some_words_are_skipped_in_the_vectors() -> None:
    for vector in vectors("draws", "numbers"):
        if vector["below"] == 3 * 2**30:
            words = list(itertools.islice(of_draw(vector).words(vector["entropy"], vector["label"]), 24))
            assert [word % vector["below"] for word in words] != vector["numbers"]


@pytest.mark.parametrize(
    "vector", vectors("draws", "draws") + vectors("edges", "draws"), ids=lambda v: v["label"]
)
def test_draws(vector: Data) -> None:
    entropy, label, cards = vector["entropy"], vector["label"], vector["input"]
    assert of_draw(vector).shuffled(entropy, label, cards)[: vector["count"]] == vector["output"]
    domain = chance.Chance(vector["match"], bytes.fromhex(vector["match_key"]), bytes(32), tuple(entropy))
    assert chance.draw(domain, label, cards, vector["count"]).output == vector["output"]


def test_a_chain_and_its_envelopes() -> None:
    whole = json.loads((VECTORS / "chain.json").read_text(encoding="utf-8"))
    seal_key = bytes.fromhex(whole["seal_key"])
    assert subkey(bytes.fromhex(whole["match_key"]), "seal") == seal_key
    prev_hash = ZERO_HASH
    for version, vector in enumerate(whole["events"], 1):
        header = vector["header"]
        assert canonical(header).hex() == vector["header_bytes"]
        assert event_hash(header) == vector["hash"]
        names = ("type", "schema", "ruleset", "decision", "actor", "cause")
        draft = Draft(**{name: header[name] for name in names}, **vector["draft"])
        records = seal_events(
            [draft], "mat_1", version - 1, prev_hash, header["occurred_at"], seal_key, header["command"]
        )
        assert records[0].hash == vector["hash"]
        for perspective, envelope in vector["envelopes"].items():
            assert canonical(served(records, perspective, seal_key)[0]) == canonical(envelope)
        prev_hash = records[0].hash


@pytest.mark.parametrize("vector", vectors("signatures", "heads"), ids=lambda v: v["match"])
def test_signed_heads(vector: Data) -> None:
    signer = Signer.from_seed(bytes.fromhex(vector["private_key"]))
    head = (vector["match"], vector["version"], vector["hash"])
    assert canonical(["wonderlog/head/1", *head]).hex() == vector["message"]
    assert signer.public_key == vector["public_key"]
    assert signer.sign_head(*head) == vector["signature"]
    assert is_signed_head(vector["public_key"], vector["signature"], *head)
    assert not is_signed_head(vector["public_key"], vector["signature"], head[0], head[1] + 1, head[2])


@pytest.mark.parametrize("vector", vectors("edges", "refused_heads"), ids=lambda v: v["why"])
def test_heads_that_are_not_signed(vector: Data) -> None:
    head = (vector["match"], vector["version"], vector["hash"])
    assert not is_signed_head(vector["public_key"], vector["signature"], *head)


@pytest.mark.parametrize("vector", vectors("bundles", "bundles"), ids=lambda v: v["name"])
def test_bundles(vector: Data) -> None:
    report = verify([line.encode() for line in vector["lines"]])
    assert (report.line, report.kind) == (vector["wrong_line"], vector["kind"]), report


# The worked example of docs/audit.md


def blocks(language: str) -> list[str]:
    """The blocks of section 10 in a language, in order."""
    text = (Path(__file__).parents[2] / "docs" / "audit.md").read_text(encoding="utf-8")
    section = text.partition("## 10. ")[2]
    return re.findall(rf"```{language}\n(.*?)\n```", section, re.DOTALL)


def test_the_numbers_of_the_worked_example() -> None:
    secrets, drawn, sealed, envelopes, signed = map(json.loads, blocks("json"))
    of_commitment, of_block, of_nonce, of_seal, of_hash, of_head = blocks("text")
    key, blind = bytes(range(32)), bytes(range(32, 64))
    revealed = Reveal("mat_example", key, blind)
    assert secrets == {
        "match_key": key.hex(),
        "commit_nonce": blind.hex(),
        "commitment": revealed.commitment(),
        "seal_key": subkey(key, "seal").hex(),
        "draw_key": subkey(key, "draw").hex(),
    }
    assert hashlib.sha256(of_commitment.encode()).hexdigest() == secrets["commitment"]

    block = hmac.digest(bytes.fromhex(secrets["draw_key"]), of_block.encode(), "sha256")
    words = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 16, 4)]
    assert words == drawn["words"]
    assert [word % n for word, n in zip(words, (5, 4, 3, 2), strict=True)] == drawn["remainders"]
    assert revealed.shuffled(drawn["entropy"], drawn["label"], drawn["input"]) == drawn["output"]

    whole = sealed["forms"]["full"]
    draft = Draft(
        "example.card_picked",
        1,
        "example/1.0.0",
        "d40.pick",
        "seat:2",
        "player",
        whole,
        envelopes["public"]["data"],
        {"s2": whole},
    )
    seal_key = bytes.fromhex(secrets["seal_key"])
    records = seal_events([draft], "mat_example", 41, "7" * 64, "2026-01-05T10:11:12.345Z", seal_key)
    assert sealed["seals"] == records[0].seals
    assert sealed["nonces"] == {p: nonce(seal_key, "mat_example", 42, p).hex() for p in ("full", "s2")}
    assert hmac.digest(seal_key, of_nonce.encode(), "sha256").hex() == sealed["nonces"]["s2"]
    assert hashlib.sha256(of_seal.encode()).hexdigest() == sealed["seals"]["s2"]
    assert hashlib.sha256(of_hash.encode()).hexdigest() == records[0].hash
    for perspective, envelope in envelopes.items():
        assert served(records, perspective, seal_key) == [envelope]

    signer = Signer.from_seed(bytes(range(64, 96)))
    head = ("mat_example", 42, records[0].hash)
    assert of_head.encode() == canonical(["wonderlog/head/1", *head])
    assert signed == {"public_key": signer.public_key, "signature": signer.sign_head(*head)}


def test_the_swaps_of_the_worked_example() -> None:
    drawn = json.loads(blocks("json")[1])
    text = (Path(__file__).parents[2] / "docs" / "audit.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) \| (\d) \| (.*) \|$", text.partition("## 10. ")[2], re.MULTILINE)
    order = list(drawn["input"])
    for row, last, other in zip(rows, (4, 3, 2, 1), drawn["remainders"], strict=True):
        order[last], order[other] = order[other], order[last]
        assert row == (str(last), str(other), ", ".join(order))
    assert order == drawn["output"]
