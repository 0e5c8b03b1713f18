"""A short match with an event of every kind the bundle format knows, and its bundles."""

import hashlib
import hmac
import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import rfc8785

from domain.kernel.chance import Chance, subkey
from events import bundle, chain
from events.envelope import Draft
from events.signing import Signer

TOOL = Path(__file__).parents[2] / "tools" / "verify_bundle.py"
RULESET = "seven-wonders/1.0.0"
SIGNER = Signer.from_seed(bytes(range(32)))
CHANCE = Chance("mat_a", bytes(range(32)), bytes(range(32, 64)), ("00ff", None))
SEAL_KEY = subkey(CHANCE.match_key, "seal")
OCCURRED_AT = "2026-01-05T10:11:12.345Z"
JSON = dict[str, Any]


def loaded() -> ModuleType:
    """The tool as a module; it is no part of any package."""
    spec = importlib.util.spec_from_file_location("verify_bundle", TOOL)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["verify_bundle"] = module
    spec.loader.exec_module(module)
    return module


tool = loaded()


# A short match with one event of every kind the format knows


def drawn(label: str, cards: list[str], count: int) -> tuple[JSON, JSON]:
    """A draw, in full and as the public sees it."""
    output = CHANCE.shuffled(label, sorted(cards))[:count]
    full = {"label": label, "count": count, "input": sorted(cards), "output": output}
    return full, full | {"input": ["face-down"] * len(cards), "output": ["face-down"] * count}


def story(chance: Chance = CHANCE) -> list[list[tuple[str, JSON, JSON | None, dict[str, JSON] | None]]]:
    """The commands of the match: the type of each event, its data, its public form and parts if hidden."""
    deck, hidden_deck = drawn("game/deck", ["Forge", "Altar", "Loom", "Ätelier", "𝄞", "ﬀ"], 6)
    few, hidden_few = drawn("game/few", ["b", "a", "c", "c"], 2)
    hands: JSON = {"hands": [["Forge", "Loom"], ["Altar"]], "age": 1}
    mine = {"s0": [hands["hands"][0], ["face-down"]], "s1": [["face-down", "face-down"], ["Altar"]]}
    loom, hidden_loom = {"seat": 0, "card": "Loom"}, {"seat": 0, "card": "face-down"}
    created = {"game": "seven-wonders", "seats": [{}, {}], "commitment": chance.commitment(), "options": {}}
    keys = {"match_key": chance.match_key.hex(), "commit_nonce": chance.commit_nonce.hex()}
    return [
        [("match.created", created, None, None)],
        [("match.seat_joined", {"seat": 1, "entropy": "aa"}, None, None)],
        [("match.seat_left", {"seat": 1}, None, None)],
        [("match.seat_joined", {"seat": 0, "entropy": "00ff"}, None, None)],
        [("match.bot_seated", {"seat": 1, "bot": "easy"}, None, None)],
        [
            ("match.started", {"seats": 2}, None, None),
            ("game.deck_shuffled", deck, hidden_deck, {}),
            (
                "game.hands_dealt",
                hands,
                hands | {"hands": [["face-down", "face-down"], ["face-down"]]},
                {seat: hands | {"hands": seen} for seat, seen in mine.items()},
            ),
        ],
        [("game.chosen", loom, hidden_loom, {"s0": loom})],
        [("game.shown", {"seat": 1, "card": "Altar"}, None, {"s1": {"seat": 1, "card": "Altar"}})],
        [
            ("game.deck_shuffled", few, hidden_few, {}),
            ("match.ended", {"reason": "finished", "ranking": [[0], [1]], **keys}, None, None),
        ],
    ]  # fmt: skip


def fork() -> list[list[tuple[str, JSON, JSON | None, dict[str, JSON] | None]]]:
    """The commands of a fork: what it took over from a match whose draw gave other cards, and its own."""
    told = story()
    kind, created, *_ = told[0][0]
    told[0] = [(kind, created | {"forked_from": {"match": "mat_b", "version": 8}}, None, None)]
    kind, deck, hidden, parts = told[5][1]
    told[5][1] = (kind, deck | {"output": sorted(deck["output"])}, hidden, parts)
    branches = {"match": "mat_b", "version": 8, "seats": [{}, {}], "viewer": None}
    return [*told[:6], [("match.forked", branches, None, None)], *told[6:]]


def records(chance: Chance = CHANCE, commands: Any = None) -> list[Any]:
    """The match as it is recorded."""
    log: list[Any] = []
    for command in commands or story(chance):
        drafts = [
            Draft(kind, 1, RULESET, None, "rules", "rules", data, data if public is None else public, parts)
            for kind, data, public, parts in command
        ]
        previous = log[-1].hash if log else "0" * 64
        key = subkey(chance.match_key, "seal")
        log += chain.seal_events(drafts, chance.match, len(log), previous, OCCURRED_AT, key)
    return log


def written(
    log: list[Any], perspective: str, seal_key: bytes = SEAL_KEY, signer: Signer | None = SIGNER
) -> bytes:
    """The bundle of a log, written by the service."""
    over = log[-1].type == "match.ended"
    envelopes = chain.served(log, perspective, seal_key, with_parts=over and perspective == "full")
    info = bundle.BundleInfo("seven-wonders", RULESET, "ab" * 32, 2, perspective, over)
    return b"".join(bundle.write(info, envelopes, signer))


BUNDLES = {
    "full": written(records(), "full"),
    "full, unsigned": written(records(), "full", signer=None),
    "a seat, after the end": written(records(), "s0"),
    "a seat, running": written(records()[:-1], "s0"),
    "spectator, running": written(records()[:-1], "public"),
    "full, running": written(records()[:-1], "full"),
    "a fork": written(records(commands=fork()), "full"),
    "a fork, a seat, running": written(records(commands=fork())[:-1], "s0"),
    "a fork, cut": written(records(commands=fork())[:7], "public"),
}
FULL = BUNDLES["full"]
EVERY_BUNDLE = pytest.mark.parametrize("raw", BUNDLES.values(), ids=BUNDLES.keys())


def objects(raw: bytes) -> list[JSON]:
    return [json.loads(line) for line in raw.splitlines()]


def joined(values: list[JSON]) -> bytes:
    return b"".join(rfc8785.dumps(value) + b"\n" for value in values)


def wrong_line(raw: bytes, why: str = "") -> int:
    """The line the tool names; the reason must hold `why`."""
    report = tool.verify(raw)
    assert report.log is None, "accepted"
    assert why in report.why
    return int(report.line)


def forged(
    edit: Callable[[list[JSON]], object],
    header: JSON | None = None,
    of: str = "full",
    signer: Signer = SIGNER,
) -> bytes:
    """One of BUNDLES, the log edited by its operator before anybody saw it: `edit` changes the
    events, or replaces them by those it returns; then they are sealed, chained and signed, by code of this
    test. The member `forced` of an event holds what is to stand there in spite of that."""
    first, *events, _ = objects(BUNDLES[of])
    viewer = first["perspective"]
    changed = edit(events)
    events = changed if isinstance(changed, list) else events
    previous = "0" * 64
    for version, event in enumerate(events, 1):
        forced = event.pop("forced", {})
        event |= {"version": version, "prev_hash": previous} | forced
        nonce = event.pop("nonce", None) if "nonce" in forced else None
        at = event["match"], event["version"]
        forms = event.get("parts", {}) | {viewer: event["data"]}
        nonces = {p: nonce or _nonce(*at, p) for p in event["seals"] if p in forms}
        for p, nonce in nonces.items():
            event["seals"][p] = _hash(["wonderlog/seal/1", *at, p, nonce, forms[p]])
        if viewer in nonces:
            event["nonce"] = nonces[viewer]
        event["hash"] = previous = hash_of(event)
    last = events[-1]
    head = (last["match"], last["version"], last["hash"])
    first |= {"count": last["version"], "head": {"version": last["version"], "hash": last["hash"]}}
    first |= header or {}
    header_hash = _hash(["wonderlog/bundle-header/1", first])
    trailer = {
        "format": "wonderlog/bundle-trailer/1",
        **dict(zip(("match", "version", "hash"), head, strict=True)),
        "header_hash": header_hash,
        "head_signature": signer.sign("wonderlog/head/1", *head),
        "signature": signer.sign("wonderlog/bundle-trailer/1", *head, header_hash),
    }
    return joined([first, *events, trailer])


def hash_of(event: JSON) -> str:
    """The hash of an envelope, by code of this test."""
    beside = ("data", "nonce", "parts", "hash")
    hashed = {name: member for name, member in event.items() if name not in beside}
    return _hash(["wonderlog/event/1", {"public": event["data"]} | hashed])


def _hash(value: list[Any]) -> str:
    return hashlib.sha256(rfc8785.dumps(value)).hexdigest()


def _nonce(match: str, version: int, perspective: str) -> str:
    message = rfc8785.dumps(["wonderlog/nonce/1", match, version, perspective])
    return hmac.digest(SEAL_KEY, message, "sha256").hex()
