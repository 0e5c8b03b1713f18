"""The event as it is recorded, as it is hashed, and as each perspective is served it.

A perspective is "public" (a spectator), "s0" to "s6" (a seat) or "full" (everything, after the end).
An event is open (everybody sees all of it, nothing is sealed) or sealed for some perspectives.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from events.canonical import Json, same

PUBLIC: Final = "public"
FULL: Final = "full"
SEAT: Final = re.compile(r"s[0-6]")
PERSPECTIVE: Final = re.compile(r"public|s[0-6]|full")
ACTOR: Final = re.compile(r"seat:[0-6]|tenant|operator|rules")
CAUSE: Final = re.compile(r"player|bot|deadline|host|rules")
MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
HASH: Final = re.compile(r"[0-9a-f]{64}")
ZERO_HASH: Final = "0" * 64


@dataclass(frozen=True, slots=True)
class Draft:
    """What the service gives before the event has its place in the log.

    `data` is the full form, `public` the spectator's. `parts` holds the forms of the seats that have one of
    their own ("s0" to "s6"); None says that the event is open, a dict (perhaps empty) that it is sealed: for
    these seats and for "full". `meta` is for the operator: never hashed, never served.
    """

    type: str
    schema: int
    ruleset: str
    decision: str | None
    actor: str
    cause: str
    data: Json
    public: Json
    parts: Mapping[str, Json] | None
    meta: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event in its place: chained to the one before, its forms sealed, stored once, never computed again.

    `command` is the version of the first event of the same append. `occurred_at` is RFC 3339 UTC with
    milliseconds. `parts` holds the seats' own forms only (the form of "full" is `data`).
    """

    match: str
    version: int
    type: str
    schema: int
    ruleset: str
    decision: str | None
    actor: str
    cause: str
    command: int
    occurred_at: str
    data: Json
    public: Json
    parts: dict[str, Json]
    seals: dict[str, str]
    prev_hash: str
    hash: str
    meta: Json


def header(recorded: Recorded) -> Json:
    """The 13 fields that are hashed and served to every viewer, absent values as null or {}."""
    return {
        "match": recorded.match,
        "version": recorded.version,
        "type": recorded.type,
        "schema": recorded.schema,
        "ruleset": recorded.ruleset,
        "decision": recorded.decision,
        "actor": recorded.actor,
        "cause": recorded.cause,
        "command": recorded.command,
        "occurred_at": recorded.occurred_at,
        "public": recorded.public,
        "seals": recorded.seals,
        "prev_hash": recorded.prev_hash,
    }


def form(recorded: Recorded, perspective: str) -> Json:
    """The event's data as the perspective sees it: its own form if it has one, else the spectator's."""
    if perspective == FULL:
        return recorded.data
    return recorded.parts.get(perspective, recorded.public)


def as_served(
    recorded: Recorded, perspective: str, nonce: str | None = None, *, with_parts: bool = False
) -> Json:
    """The envelope on the wire.

    `public` is left out when it equals the viewer's data. `nonce` (64 hex digits) opens the perspective's
    seal; it is shown only where there is such a seal, and then it is required: raises ValueError without it.
    `with_parts` adds every seat's form: for the full perspective of a match that is over. Never holds `meta`.
    """
    data = form(recorded, perspective)
    envelope = header(recorded)
    if same(recorded.public, data):
        del envelope["public"]
    envelope["data"] = data
    if perspective in recorded.seals:
        if nonce is None:
            raise ValueError(f"event {recorded.version} is sealed for {perspective}: its nonce is required")
        envelope["nonce"] = nonce
    if with_parts:
        if perspective != FULL:
            raise ValueError("the forms of all seats are for the full perspective only")
        envelope["parts"] = recorded.parts
    envelope["hash"] = recorded.hash
    return envelope
