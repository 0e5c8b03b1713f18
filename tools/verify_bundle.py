#!/usr/bin/env python3
"""Check the bundle of a match, sharing no code with the service that wrote it.

    python verify_bundle.py [--json] [--key HEX] [--keys FILE] FILE        FILE may be - for standard input

Chain, seals, commitment, draws and signed head are recomputed from the file alone, as `tools/README.md`
describes. Standard library only; the signature needs the package `cryptography`, and without it the summary
says that the signature was not checked. Never opens a connection.

Exit code 0: everything holds. 1: the first wrong line and why. 2: wrong usage.
"""

import argparse
import hashlib
import hmac
import json
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LARGEST = 2**53 - 1
DEEPEST = 64
ZEROS = "0" * 64
FACE_DOWN = "face-down"
FULL = "full"
PERSPECTIVE = re.compile(r"public|full|s[0-6]")
HEX_32 = re.compile(r"[0-9a-f]{64}")
HEX_64 = re.compile(r"[0-9a-f]{128}")
ENTROPY = re.compile(r"(?:[0-9a-f]{2}){1,64}")
SEED = re.compile(r"[A-Za-z0-9._-]{1,64}")

# What a member must be: a type, None for null, or the pattern of a whole string.
Kind = type | None | re.Pattern[str]
Members = Mapping[str, tuple[Kind, ...]]
HEADER: Members = {
    "format": (re.compile(r"wonderlog/bundle/1"),),
    "match": (str,),
    "game": (str,),
    "ruleset": (str,),
    "ruleset_digest": (HEX_32,),
    "seats": (int,),
    "perspective": (PERSPECTIVE,),
    "over": (bool,),
    "count": (int,),
    "head": (dict,),
    "public_key": (HEX_32, None),
}
HEAD: Members = {"version": (int,), "hash": (HEX_32,)}
EVENT: Members = {
    "match": (str,),
    "version": (int,),
    "type": (str,),
    "schema": (int,),
    "ruleset": (str,),
    "decision": (str, None),
    "actor": (re.compile(r"seat:[0-6]|tenant|operator|rules"),),
    "cause": (re.compile(r"player|bot|deadline|host|rules"),),
    "command": (int,),
    "occurred_at": (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII),),
    "public": (dict,),
    "seals": (dict,),
    "prev_hash": (HEX_32,),
}
BESIDE: Members = {"data": (dict,), "hash": (HEX_32,), "nonce": (HEX_32,), "parts": (dict,)}
TRAILER: Members = {
    "format": (re.compile(r"wonderlog/bundle-trailer/1"),),
    "match": (str,),
    "version": (int,),
    "hash": (HEX_32,),
    "header_hash": (HEX_32,),
    "head_signature": (HEX_64, None),
    "signature": (HEX_64, None),
}
DRAW = {"label", "count", "input", "output"}

Object = dict[str, Any]


class Wrong(Exception):
    """What is wrong; `line` is set where it is not the line being checked."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(why)
        self.line = line


# Reading


def _members(pairs: list[tuple[str, Any]]) -> Object:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Wrong("a member stands twice in an object")
    return members


def _no_number(text: str) -> None:
    raise Wrong(f"the number {text[:40]} is not a whole number")


def _whole(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > LARGEST:
        raise Wrong("a number is beyond 2^53 - 1")
    return int(text)


def depth(value: object) -> int:
    """How many objects and arrays lie inside each other."""
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0


def parsed(raw: bytes) -> Object:
    """The object on a line. Raises Wrong unless the line is exactly the canonical bytes of an object."""
    try:
        value = json.loads(
            raw.decode(),
            object_pairs_hook=_members,
            parse_float=_no_number,
            parse_constant=_no_number,
            parse_int=_whole,
        )
        if depth(value) > DEEPEST + 2:  # `parts` holds forms two objects down
            raise Wrong(f"the line is nested deeper than {DEEPEST + 2}")
        same = canonical(value) == raw
    except UnicodeDecodeError:
        raise Wrong("the line is not UTF-8") from None
    except RecursionError:
        raise Wrong("the line is nested too deeply") from None
    except ValueError:
        raise Wrong("the line is not JSON") from None
    if not isinstance(value, dict):
        raise Wrong("the line is not an object")
    if not same:
        raise Wrong("the line is not in its canonical form")
    return value


def lines_of(raw: bytes) -> list[Object | Wrong]:
    """Every line, read or refused. Each ends with one line feed, the last one too."""
    *whole, rest = raw.split(b"\n")
    lines: list[Object | Wrong] = []
    for line in whole:
        try:
            lines.append(parsed(line))
        except Wrong as wrong:
            lines.append(wrong)
    if rest:
        lines.append(Wrong("the line is cut short: no line feed at its end"))
    return lines


def _is(value: object, kind: Kind) -> bool:
    if isinstance(kind, re.Pattern):
        return isinstance(value, str) and kind.fullmatch(value) is not None
    return value is None if kind is None else type(value) is kind


def check_members(value: Object, allowed: Members, optional: Collection[str] = ()) -> None:
    """Exactly these members, of these kinds. Raises Wrong."""
    for name in allowed:
        if name not in value and name not in optional:
            raise Wrong(f"the member {name} is missing")
    for name, member in value.items():
        if name not in allowed:
            raise Wrong(f"the member {name!r} does not belong here")
        if not any(_is(member, kind) for kind in allowed[name]):
            raise Wrong(f"the member {name} is not of the kind it must be")


# Canonical bytes (RFC 8785 for strings, whole numbers, true, false, null, arrays, objects)

_ESCAPED = re.compile(r'[\x00-\x1f"\\]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    return _SHORT.get(character) or f"\\u{ord(character):04x}"


def _units(text: str) -> bytes:
    """UTF-16 code units in big-endian order: bytes that compare as the units do."""
    return text.encode("utf-16-be")


def _text(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{_ESCAPED.sub(_escape, value)}"'
    if isinstance(value, int) and abs(value) <= LARGEST:
        return str(value)
    if isinstance(value, list):
        return f"[{','.join(map(_text, value))}]"
    if isinstance(value, dict):
        return (
            "{" + ",".join(f"{_text(name)}:{_text(value[name])}" for name in sorted(value, key=_units)) + "}"
        )
    raise Wrong("a value is of a kind that is not allowed")


def canonical(value: object) -> bytes:
    """The RFC 8785 bytes. Raises Wrong for floats, numbers beyond 2^53 - 1 and lone surrogates."""
    try:
        return _text(value).encode()
    except UnicodeEncodeError:
        raise Wrong("a string holds half of a surrogate pair") from None


def digest(value: object) -> str:
    """SHA-256 of the canonical bytes, lower-case hex."""
    return hashlib.sha256(canonical(value)).hexdigest()


# Secrets


def mac(key: bytes, value: object) -> bytes:
    """HMAC-SHA256 of the canonical bytes."""
    return hmac.digest(key, canonical(value), "sha256")


def subkey(match_key: bytes, purpose: str) -> bytes:
    """HKDF-SHA256 of the match key: no salt, 32 bytes out, info `wonderlog/<purpose>/1`."""
    extracted = hmac.digest(bytes(32), match_key, "sha256")
    return hmac.digest(extracted, f"wonderlog/{purpose}/1".encode("ascii") + b"\x01", "sha256")


def nonce_of(seal_key: bytes, match: str, version: int, perspective: str) -> str:
    """The nonce of a seal, hex."""
    return mac(seal_key, ["wonderlog/nonce/1", match, version, perspective]).hex()


def words(draw_key: bytes, match: str, entropy: list[str | None], label: str) -> Iterator[int]:
    """The stream of 32-bit words behind a draw."""
    block = 0
    while True:
        digest_ = mac(draw_key, ["wonderlog/draw/1", match, entropy, label, block])
        for at in range(0, 32, 4):
            yield int.from_bytes(digest_[at : at + 4], "big")
        block += 1


def number_below(stream: Iterator[int], n: int) -> int:
    """The next number below n; words past the last multiple of n are skipped."""
    limit = 2**32 - 2**32 % n
    word = next(stream)
    while word >= limit:
        word = next(stream)
    return word % n


def shuffled(stream: Iterator[int], cards: list[str]) -> list[str]:
    """Fisher-Yates, from the last index down to 1."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = number_below(stream, last + 1)
        order[last], order[other] = order[other], order[last]
    return order


# Events


def public_of(event: Object) -> Object:
    """The spectator's form: left out of an envelope where it equals the viewer's."""
    form: Object = event["public"] if "public" in event else event["data"]
    return form


def hash_of(event: Object) -> str:
    """The hash of an event, from its 13 hashed members."""
    header = {name: event[name] for name in EVENT if name != "public"}
    return digest(["wonderlog/event/1", {**header, "public": public_of(event)}])


@dataclass(slots=True)
class Log:
    """What is known of a match on the way down its events."""

    match: str
    viewer: str
    over: bool
    count: int
    match_key: bytes | None  # from the last event, and only if it opens the commitment
    version: int = 0
    command: int = 0
    hash: str = ZEROS
    game: str = ""
    ruleset: str = ""
    drawn_for: str = ""  # the match, or the seed of a sandbox match
    entropy: list[str | None] = field(default_factory=list)
    started: bool = False
    labels: set[str] = field(default_factory=set)
    copied: int = 0  # events a fork took over from another match, with the draws among them
    opened: int = 0
    repeated: int = 0
    hidden: int = 0

    def seal_key(self) -> bytes | None:
        return None if self.match_key is None else subkey(self.match_key, "seal")


def check_event(event: Object, log: Log) -> None:
    """Everything that can be checked of one envelope. Raises Wrong."""
    check_members(event, {**EVENT, **BESIDE}, optional=("public", "nonce", "parts"))
    _check_place(event, log)
    if hash_of(event) != event["hash"]:
        raise Wrong("the event does not give this hash")
    if event["prev_hash"] != log.hash:
        raise Wrong("prev_hash is not the hash of the event before")
    log.version, log.command, log.hash = event["version"], event["command"], event["hash"]
    branches = event["type"] == "match.forked"
    if log.version > log.copied and branches != (0 < log.copied == log.version - 1):
        raise Wrong("match.forked follows what a fork took over, and nothing else")
    if log.version <= log.copied and event["type"] == "match.ended":
        raise Wrong("a fork takes over no end of a match")
    note = TABLE.get(event["type"])
    if note is not None:
        note(public_of(event), log)
    _check_envelope(event, log)
    _check_seals(event, log)
    _check_forms(event)
    if event["data"].keys() >= DRAW:
        _check_draw(event, log)


def _check_place(event: Object, log: Log) -> None:
    version, command = event["version"], event["command"]
    if event["match"] != log.match:
        raise Wrong(f"an event of another match, {event['match']}")
    if version != log.version + 1:
        raise Wrong(f"event {version} stands where event {log.version + 1} was due")
    if command != version and (command != log.command or version == 1):
        raise Wrong(f"command {command} is neither this event nor the command of the event before")
    if (event["type"] == "match.created") != (version == 1):
        raise Wrong("match.created is the first event of a match and no other")
    if event["schema"] < 1:
        raise Wrong("a schema number below 1")
    log.ruleset = log.ruleset or event["ruleset"]
    if event["ruleset"] != log.ruleset:
        raise Wrong(f"the ruleset changes from {log.ruleset} to {event['ruleset']}")
    if (event["type"] == "match.ended") != (log.over and version == log.count):
        raise Wrong("match.ended is the last event of a match that is over, and of no other")


def _check_envelope(event: Object, log: Log) -> None:
    """Which of `nonce`, `public` and `parts` are there."""
    sealed = log.viewer in event["seals"]
    if sealed != ("nonce" in event):
        raise Wrong("a nonce without a seal" if not sealed else "the nonce of the own seal is missing")
    if "public" in event and (not sealed or canonical(event["public"]) == canonical(event["data"])):
        raise Wrong("public must be left out here")
    due = log.viewer == FULL and log.over
    if due != ("parts" in event):
        raise Wrong("the parts are missing" if due else "parts do not belong here")
    if due and event["parts"].keys() != event["seals"].keys() - {FULL}:
        raise Wrong("the parts are not those of the sealed seats")


def _check_seals(event: Object, log: Log) -> None:
    """Every seal this bundle can open."""
    seals: dict[str, str] = event["seals"]
    present = {FULL, *(f"s{seat}" for seat in range(len(log.entropy)))}
    for perspective, seal in seals.items():
        if perspective not in present:
            raise Wrong(f"a seal for {perspective!r}, whom this match does not have")
        if not _is(seal, HEX_32):
            raise Wrong(f"the seal of {perspective} is not 64 hex digits")
    if seals and FULL not in seals:
        raise Wrong("the seal of the full form is missing")
    forms = {log.viewer: event["data"]} if log.viewer in seals else {}
    key = log.seal_key()
    if key is not None:
        forms.update(event.get("parts", {}))
    for perspective, form in forms.items():
        if key is not None:
            nonce = nonce_of(key, log.match, log.version, perspective)
            if perspective == log.viewer and nonce != event["nonce"]:
                raise Wrong("the nonce is not the one that the revealed key gives")
        else:
            nonce = event["nonce"]
        sealed = ["wonderlog/seal/1", log.match, log.version, perspective, nonce, form]
        if digest(sealed) != seals[perspective]:
            raise Wrong(f"the seal of {perspective} does not open with this form")
        log.opened += 1


def _hides(form: object, whole: object) -> bool:
    """Whether `form` is `whole` with some of it face down, and nothing else changed."""
    if form == FACE_DOWN:
        return True
    if isinstance(form, dict) and isinstance(whole, dict):
        return form.keys() == whole.keys() and all(_hides(form[name], whole[name]) for name in form)
    if isinstance(form, list) and isinstance(whole, list):
        return len(form) == len(whole) and all(map(_hides, form, whole))
    return type(form) is type(whole) and form == whole


def _check_forms(event: Object) -> None:
    """Forms tell the same event: each is `data`, its hidden places face down."""
    forms = {"public": public_of(event), **event.get("parts", {})}
    for perspective, form in forms.items():
        if not isinstance(form, dict):
            raise Wrong(f"the form of {perspective} is not an object")
        if not _hides(form, event["data"]):
            raise Wrong(f"the form of {perspective} differs from data in more than what lies face down")
    if any(depth(form) > DEEPEST for form in (event["data"], *forms.values())):
        raise Wrong(f"an event nested deeper than {DEEPEST}")


# What the table tells: number and entropy of the seats, commitment, reveal


def _created(told: Object, log: Log) -> None:
    check_members(
        {name: told.get(name) for name in ("game", "seats", "commitment")},
        {"game": (str,), "seats": (list,), "commitment": (HEX_32,)},
    )
    if not 1 <= len(told["seats"]) <= 7:
        raise Wrong("a match has 1 to 7 seats")
    log.game, log.entropy = told["game"], [None] * len(told["seats"])
    log.drawn_for = log.match
    sandbox = told.get("sandbox")
    if sandbox is not None:
        check_members({"sandbox": sandbox}, {"sandbox": (dict,)})
        if sandbox.get("seed") is not None:
            check_members({"seed": sandbox["seed"]}, {"seed": (SEED,)})
            log.drawn_for = f"sandbox:{sandbox['seed']}"
    origin = told.get("forked_from")
    if origin is not None:
        version = origin.get("version") if isinstance(origin, dict) else None
        if type(version) is not int or version < 1:
            raise Wrong("a fork names the version of the other match")
        log.copied = version


def _seat(told: Object, log: Log) -> int:
    seat = told.get("seat")
    if type(seat) is not int or not 0 <= seat < len(log.entropy):
        raise Wrong("no such seat")
    if log.started:
        raise Wrong("the seats change after match.started has closed the entropy")
    return seat


def _joined(told: Object, log: Log) -> None:
    entropy = told.get("entropy", "")
    if entropy is not None and not _is(entropy, ENTROPY):
        raise Wrong("the entropy of a seat is neither null nor 1 to 64 bytes in hex")
    log.entropy[_seat(told, log)] = entropy


def _cleared(told: Object, log: Log) -> None:
    log.entropy[_seat(told, log)] = None


def _started(told: Object, log: Log) -> None:
    if log.started:
        raise Wrong("match.started stands twice")
    log.started = True


def _ended(told: Object, log: Log) -> None:
    if log.match_key is None:
        raise Wrong("match.ended does not reveal the secrets that match.created is committed to")


TABLE: Mapping[str, Callable[[Object, Log], None]] = {
    "match.created": _created,
    "match.seat_joined": _joined,
    "match.bot_seated": _cleared,
    "match.seat_left": _cleared,
    "match.started": _started,
    "match.ended": _ended,
}


def revealed(lines: list[Object | Wrong]) -> bytes | None:
    """The match key, from the event that opens the commitment of the first one. Looked for before anything is
    checked, so that every line can be checked in full when its turn comes."""
    told = [line["data"] for line in lines if isinstance(line, dict) and isinstance(line.get("data"), dict)]
    for data in reversed(told):
        secrets = [data.get("match_key"), data.get("commit_nonce")]
        known = all(_is(secret, HEX_32) for secret in secrets)
        if known and digest(["wonderlog/commit/1", *secrets]) == told[0].get("commitment"):
            return bytes.fromhex(secrets[0])
    return None


# Draws


def _check_draw(event: Object, log: Log) -> None:
    """A draw is told to all by label and number, and gives the same cards when it is made again."""
    data = event["data"]
    label, count, cards, output = data["label"], data["count"], data["input"], data["output"]
    if not isinstance(label, str) or type(count) is not int:
        raise Wrong("a draw has a label and a number of cards")
    for form in (public_of(event), *event.get("parts", {}).values()):
        if (form["label"], form["count"]) != (label, count):
            raise Wrong("label and number of a draw are public")
    if label in log.labels:
        raise Wrong(f"a second draw with the label {label!r}")
    log.labels.add(label)
    if not log.started:
        raise Wrong("a draw before match.started has closed the entropy")
    if log.viewer != FULL:
        log.hidden += 1
        return
    if log.version <= log.copied:
        return
    for pile in (cards, output):
        if not isinstance(pile, list) or not all(type(card) is str and card != FACE_DOWN for card in pile):
            raise Wrong("a draw names its cards, none of them face down")
    if cards != sorted(cards):
        raise Wrong("the input of a draw is not sorted")
    if not 0 <= count <= len(cards):
        raise Wrong("a draw of more cards than there are")
    if log.match_key is None:
        log.hidden += 1
        return
    stream = words(subkey(log.match_key, "draw"), log.drawn_for, log.entropy, label)
    if output != shuffled(stream, cards)[:count]:
        raise Wrong(f"the draw {label!r} gives other cards when it is made again")
    log.repeated += 1


# Header, trailer, signatures


def signed(key: str, signature: str, message: list[Any]) -> bool | None:
    """Whether the Ed25519 signature is good; None where `cryptography` is not installed."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return None
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(signature), canonical(message)
        )
    except (InvalidSignature, ValueError):
        return False
    return True


def head_signed(key: str, trailer: Object) -> bool | None:
    """The signature of the head."""
    message = ["wonderlog/head/1", trailer["match"], trailer["version"], trailer["hash"]]
    return signed(key, trailer["head_signature"], message)


def trailer_signed(key: str, trailer: Object) -> bool | None:
    """The signature of the trailer, and with it of the header."""
    told = [trailer[name] for name in ("match", "version", "hash", "header_hash")]
    return signed(key, trailer["signature"], ["wonderlog/bundle-trailer/1", *told])


# The keys to accept, each with the time it was retired (None: it signs still).
Keys = Mapping[str, str | None]
MOMENT = EVENT["occurred_at"]


def keys_of(raw: bytes) -> Keys:
    """The keys in a file as `/.well-known/wonderlog-keys.json` has them. Raises Wrong."""
    try:
        listed = json.loads(raw)["keys"]
        if not isinstance(listed, list):
            raise TypeError
        keys = {entry["public_key"]: entry["valid_until"] for entry in listed}
        algorithms = {entry["algorithm"] for entry in listed}
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Wrong("not a file of keys") from None
    for key, until in keys.items():
        if not _is(key, HEX_32) or not (until is None or _is(until, MOMENT[0])):
            raise Wrong("a key is 64 lower-case hex digits, valid_until null or a time in UTC")
    if algorithms - {"Ed25519"}:
        raise Wrong("a key of another algorithm than Ed25519")
    return keys


def check_header(header: Object, keys: Keys | None) -> None:
    """The first line by itself. Raises Wrong."""
    check_members(header, HEADER)
    check_members(header["head"], HEAD)
    if not 1 <= header["seats"] <= 7:
        raise Wrong("a match has 1 to 7 seats")
    if header["count"] < 1 or header["head"]["version"] != header["count"]:
        raise Wrong("count is not the version of the head")
    if keys is not None and header["public_key"] not in keys:
        raise Wrong("the bundle is not signed with a key you named")


def blame_header(header: Object, events: list[Object | Wrong], trailer: Object) -> None:
    """Raises Wrong where the header is the odd one out: it differs from what events and trailer agree on,
    or the trailer was signed together with another header."""
    last = events[-1]
    head = {"version": trailer["version"], "hash": trailer["hash"]}
    if isinstance(last, dict) and (len(events), last.get("hash")) == (trailer["version"], trailer["hash"]):
        try:
            check_members(last, {**EVENT, **BESIDE}, optional=("public", "nonce", "parts"))
            good = hash_of(last) == last["hash"] and last["match"] == trailer["match"]
        except Wrong:
            good = False
        told = {"match": trailer["match"], "count": trailer["version"], "head": head}
        for name, value in {**told, "over": last["type"] == "match.ended"}.items() if good else ():
            if header[name] != value:
                raise Wrong(f"{name} is not what events and trailer say")
    if (trailer["match"], head) != (header["match"], header["head"]):
        return
    key = header["public_key"]
    if trailer["header_hash"] == digest(["wonderlog/bundle-header/1", header]):
        return
    if key is None or None in (trailer["signature"], trailer["head_signature"]):
        raise Wrong("the header does not give the header_hash in the trailer")
    if trailer_signed(key, trailer):
        raise Wrong("this is not the header that was signed")
    if not head_signed(key, trailer):
        raise Wrong(
            "the header does not give the header_hash in the trailer, nor fits its key the signatures"
        )


def check_end(header: Object, log: Log, trailer: Object) -> str:
    """Header and trailer against the events between them; what is known of the signature. Raises Wrong."""
    for name, value in {"game": log.game, "seats": len(log.entropy), "ruleset": log.ruleset}.items():
        if header[name] != value:
            raise Wrong(f"{name} is not that of the events", line=1)
    if log.hash != header["head"]["hash"]:
        raise Wrong("this last event is not the head that the header names", line=log.version + 1)
    if (trailer["match"], trailer["version"], trailer["hash"]) != (log.match, log.version, log.hash):
        raise Wrong("the trailer does not name the last event")
    if trailer["header_hash"] != digest(["wonderlog/bundle-header/1", header]):
        raise Wrong("header_hash is not that of the header")
    key = header["public_key"]
    signatures = (trailer["head_signature"], trailer["signature"])
    if key is None:
        if signatures != (None, None):
            raise Wrong("a signature, and no key in the header")
        return "unsigned"
    if None in signatures:
        raise Wrong("a signature is missing")
    for name, good in (("head", head_signed(key, trailer)), ("trailer", trailer_signed(key, trailer))):
        if good is None:
            return "not checked"
        if not good:
            raise Wrong(f"the signature of the {name} is not good")
    return "valid"


# The whole file


@dataclass(slots=True)
class Report:
    """What was found: the first wrong line and why, or what was checked."""

    line: int = 0
    why: str = ""
    header: Object = field(default_factory=dict)
    log: Log | None = None
    signature: str = ""

    def as_json(self) -> Object:
        """The report as an object."""
        if self.log is None:
            return {"ok": False, "line": self.line, "why": self.why}
        return {
            "ok": True,
            "match": self.log.match,
            "perspective": self.log.viewer,
            "over": self.log.over,
            "events": self.log.version,
            "seals_opened": self.log.opened,
            "draws_repeated": self.log.repeated,
            "draws_hidden": self.log.hidden,
            "events_copied": self.log.copied,
            "head": self.header["head"],
            "signature": self.signature,
            "public_key": self.header["public_key"],
        }


def verify(raw: bytes, keys: Keys | Collection[str] | None = None) -> Report:
    """Check the bytes of a bundle; `keys`: the public keys to accept, any for None. A key that was retired
    vouches for no younger event."""
    lines = lines_of(raw)
    report = Report(line=1)
    if keys is not None and not isinstance(keys, Mapping):
        keys = dict.fromkeys(keys)
    try:
        _walk(lines, keys, report)
    except Wrong as wrong:
        return Report(line=wrong.line or report.line, why=str(wrong))
    return report


def _walk(lines: list[Object | Wrong], keys: Keys | None, report: Report) -> None:
    def line(number: int, due: str) -> Object:
        report.line = number
        if number > len(lines):
            raise Wrong(f"the file ends where {due} was due")
        found = lines[number - 1]
        if isinstance(found, Wrong):
            raise found
        return found

    header = line(1, "the header")
    check_header(header, keys)
    events = lines[1:-1]
    trailer = lines[-1]
    if events and isinstance(trailer, dict):
        try:
            check_members(trailer, TRAILER)
        except Wrong:
            pass  # named when its line is reached
        else:
            blame_header(header, events, trailer)
    key = revealed(lines) if header["over"] else None
    log = Log(header["match"], header["perspective"], header["over"], header["count"], key)
    for version in range(1, log.count + 1):
        event = line(version + 1, f"event {version}")
        if "format" in event:
            raise Wrong(f"the events end where event {version} was due")
        check_event(event, log)
    trailer = line(log.count + 2, "the trailer")
    if "format" not in trailer:
        raise Wrong("one event more than the header counts")
    check_members(trailer, TRAILER)
    report.signature = check_end(header, log, trailer)
    if len(lines) > log.count + 2:
        raise Wrong("a line after the trailer", line=log.count + 3)
    until = None if keys is None else keys[header["public_key"]]
    if until is not None and line(log.count + 1, "the last event")["occurred_at"] > until:
        raise Wrong(f"the key was retired at {until}, before the last event", line=1)
    report.header, report.log = header, log


SIGNATURES = {
    "valid": "signature valid",
    "unsigned": "not signed",
    "not checked": "signature not checked: the package cryptography is not installed",
}


def plain(text: str) -> str:
    """Safe to print: what a file brings along may not steer a terminal."""
    return "".join(character if " " <= character <= "~" else ascii(character)[1:-1] for character in text)


def summary(report: Report, named: bool) -> str:
    """The report in one or two lines."""
    log = report.log
    if log is None:
        return f"line {report.line}: {plain(report.why)}"
    done = f"{log.version} events, {log.opened} seals opened, {log.repeated} draws repeated"
    if log.copied:
        done += f" (a fork: the first {log.copied} events and their draws are those of another match)"
    if log.hidden:
        done += f" ({log.hidden} still hidden)"
    text = f"{plain(log.match)}: {done}, {SIGNATURES[report.signature]}"
    if report.signature == "valid" and not named:
        text += f"\nby the key in the file, {report.header['public_key']}: compare it with the published keys"
    return text


def main(arguments: list[str] | None = None) -> int:
    """The command. Gives the exit code."""
    parser = argparse.ArgumentParser(description="Check the bundle of a match.")
    parser.add_argument("file", metavar="FILE", help="the bundle, or - for standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--key",
        action="append",
        default=[],
        metavar="HEX",
        help="public key to accept, instead of any; repeatable",
    )
    parser.add_argument(
        "--keys",
        metavar="FILE",
        help="file of the keys to accept, as the operator publishes it",
    )
    asked = parser.parse_args(arguments)
    if not all(_is(key, HEX_32) for key in asked.key):
        parser.error("a key is 64 lower-case hex digits")
    keys: dict[str, str | None] = {}
    named = bool(asked.key) or asked.keys is not None
    try:
        keys |= keys_of(Path(asked.keys).read_bytes()) if asked.keys is not None else {}
    except OSError as error:
        parser.error(f"cannot read {asked.keys}: {error.strerror}")
    except Wrong as wrong:
        parser.error(f"{asked.keys}: {wrong}")
    keys |= dict.fromkeys(asked.key)
    try:
        raw = sys.stdin.buffer.read() if asked.file == "-" else Path(asked.file).read_bytes()
    except OSError as error:
        parser.error(f"cannot read {asked.file}: {error.strerror}")
    report = verify(raw, keys if named else None)
    if named and report.signature == "not checked":
        parser.error("checking a signature against a key needs the package cryptography")
    print(json.dumps(report.as_json()) if asked.json else summary(report, named))
    return 0 if report.log is not None else 1


if __name__ == "__main__":
    sys.exit(main())
