"""Sealing and chaining: the bytes of docs/audit.md, made when events are appended and checked ever after."""

import hashlib
import hmac
from collections.abc import Callable, Iterable, Sequence

from msgspec import Raw

from events.canonical import Json, Malformed, canonical, digest, is_plain, unchecked
from events.envelope import (
    ACTOR,
    CAUSE,
    FULL,
    HASH,
    MOMENT,
    SEAT,
    ZERO_HASH,
    Draft,
    Recorded,
    as_served,
    header,
)
from events.forms import is_hidden_form


class Broken(Exception):
    """A log that is not what it claims to be. `version` is the first event found wrong."""

    def __init__(self, version: int, reason: str) -> None:
        super().__init__(f"event {version}: {reason}")
        self.version = version
        self.reason = reason


def nonce(seal_key: bytes, match: str, version: int, perspective: str) -> bytes:
    """The 32 bytes that blind the seal of one perspective of one event."""
    return hmac.digest(seal_key, unchecked(["wonderlog/nonce/1", match, version, perspective]), "sha256")


def seal(match: str, version: int, perspective: str, nonce_hex: str, part: Json) -> str:
    """The commitment to one perspective's form of an event, 64 hex digits."""
    form = part if isinstance(part, Raw) else Raw(canonical(part))
    return digest(["wonderlog/seal/1", match, version, perspective, nonce_hex, form])


def event_hash(header: Json) -> str:
    """The hash of an event: of its 13 header fields, 64 hex digits."""
    # A form may nest as deep as values may, wherever it is hashed: its own depth counts, not the array's.
    public = header.get("public")
    if isinstance(public, dict):
        header = {**header, "public": Raw(canonical(public))}
    return digest(["wonderlog/event/1", header])


def seal_events(
    drafts: Iterable[Draft],
    match: str,
    after_version: int,
    prev_hash: str,
    occurred_at: str,
    seal_key: bytes,
    command: int | None = None,
) -> list[Recorded]:
    """The drafts as the events that follow version `after_version` whose hash is `prev_hash`.

    `command` is the version of the first event of the append; by default that of the first draft.
    Raises Malformed for values that may not enter a log, ValueError for whatever else no verifier accepts.
    """
    if not HASH.fullmatch(prev_hash) or (after_version == 0) != (prev_hash == ZERO_HASH):
        raise ValueError(f"{prev_hash!r} cannot be the hash of event {after_version}")
    if not MOMENT.fullmatch(occurred_at):
        raise ValueError(f"{occurred_at!r} is no time in UTC with milliseconds")
    if len(seal_key) != 32:
        raise ValueError("a seal key has 32 bytes")
    first = after_version + 1
    recorded: list[Recorded] = []
    for version, draft in enumerate(drafts, first):
        event = _chained(draft, match, version, command or first, occurred_at, seal_key, prev_hash)
        prev_hash = event.hash
        recorded.append(event)
    return recorded


def _chained(
    draft: Draft, match: str, version: int, command: int, occurred_at: str, seal_key: bytes, prev_hash: str
) -> Recorded:
    parts = dict(draft.parts or {})
    if not all(map(SEAT.fullmatch, parts)):
        raise ValueError(f"{sorted(parts)} are not all seats")
    if not ACTOR.fullmatch(draft.actor) or not CAUSE.fullmatch(draft.cause) or draft.schema < 1:
        raise ValueError(f"{draft.actor!r}, {draft.cause!r}, {draft.schema} are no actor, cause and schema")
    # Lone surrogates in these are refused below, where they are encoded.
    is_plain([match, draft.type, draft.schema, draft.ruleset, draft.decision])
    # What is plain in all of the data is plain in every form of it: the check is made once.
    encode = unchecked if is_plain(draft.data) else canonical
    if not all(is_hidden_form(form, draft.data) for form in (draft.public, *parts.values())):
        raise ValueError(f"{draft.type} tells its viewers of different events")
    public = Raw(encode(draft.public))
    if draft.parts is None:
        # An open event has one form: what `data` holds beyond `public` would be in no hash.
        if draft.data is not draft.public and encode(draft.data) != bytes(public):
            raise ValueError(f"{draft.type} is open and yet hides something from the public")
        seals: dict[str, str] = {}
    else:
        seals = _seals({**parts, FULL: draft.data}, match, version, seal_key, encode)
    fields: Json = {
        "match": match,
        "version": version,
        "type": draft.type,
        "schema": draft.schema,
        "ruleset": draft.ruleset,
        "decision": draft.decision,
        "actor": draft.actor,
        "cause": draft.cause,
        "command": command,
        "occurred_at": occurred_at,
        "seals": seals,
        "prev_hash": prev_hash,
    }
    # Nothing in `fields` needs the check of values: they were made or checked above.
    hashed = hashlib.sha256(unchecked(["wonderlog/event/1", {**fields, "public": public}])).hexdigest()
    return Recorded(
        **fields, data=draft.data, public=draft.public, parts=parts, hash=hashed, meta=dict(draft.meta)
    )


def _seals(
    forms: dict[str, Json],
    match: str,
    version: int,
    seal_key: bytes,
    encode: Callable[[Json], bytes] = canonical,
) -> dict[str, str]:
    seals = {}
    for perspective in sorted(forms):
        blind = nonce(seal_key, match, version, perspective).hex()
        form = Raw(encode(forms[perspective]))
        sealed = unchecked(["wonderlog/seal/1", match, version, perspective, blind, form])
        seals[perspective] = hashlib.sha256(sealed).hexdigest()
    return seals


def served(
    records: Iterable[Recorded], perspective: str, seal_key: bytes, *, with_parts: bool = False
) -> list[Json]:
    """The envelopes as the perspective is served them, each with the nonce of its own seal."""
    return [
        as_served(
            event,
            perspective,
            nonce(seal_key, event.match, event.version, perspective).hex()
            if perspective in event.seals
            else None,
            with_parts=with_parts,
        )
        for event in records
    ]


def verify_chain(
    records: Sequence[Recorded],
    match: str,
    after_version: int = 0,
    prev_hash: str = ZERO_HASH,
    seal_key: bytes | None = None,
) -> None:
    """Check that the records are the gapless, unchanged continuation of the log of `match` after a version.

    With the seal key, every seal is opened as well. Raises Broken at the first record that is wrong.
    """
    for version, event in enumerate(records, after_version + 1):
        if event.match != match:
            raise Broken(version, f"belongs to {event.match}")
        if event.version != version:
            raise Broken(version, f"event {event.version} stands in its place")
        if event.prev_hash != prev_hash:
            raise Broken(version, "does not follow the event before it")
        try:
            if event_hash(header(event)) != event.hash:
                raise Broken(version, "was changed: its hash is another")
            if seal_key is not None:
                _open_all(event, seal_key)
        except Malformed as error:
            raise Broken(version, error.detail) from error
        prev_hash = event.hash


def _open_all(event: Recorded, seal_key: bytes) -> None:
    expected = _seals({**event.parts, FULL: event.data}, event.match, event.version, seal_key)
    if not event.seals:
        expected = {}
        if event.parts or canonical(event.data) != canonical(event.public):
            raise Broken(event.version, "is open and yet hides something from the public")
    for perspective in sorted(event.seals.keys() | expected.keys()):
        if event.seals.get(perspective) != expected.get(perspective):
            raise Broken(event.version, f"the form of {perspective} is not the one sealed")
