"""The lines of a bundle: one canonical JSON object each, with exactly the members their place asks for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from events.canonical import Json, Malformed, canonical, digest
from events.envelope import ACTOR, CAUSE, HASH, MOMENT, PERSPECTIVE

FORMAT: Final = "wonderlog/bundle/1"
TRAILER_FORMAT: Final = "wonderlog/bundle-trailer/1"

SIGNATURE: Final = re.compile(r"[0-9a-f]{128}")

# What a member may be: of a type exactly, a string of a pattern, or null.
Kinds = tuple[type | re.Pattern[str] | None, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """The members a line must have and may have."""

    name: str
    members: Mapping[str, Kinds]
    optional: Mapping[str, Kinds] = field(default_factory=dict)


HEADER: Final = Shape(
    "the header",
    {
        "format": (str,),
        "match": (str,),
        "game": (str,),
        "ruleset": (str,),
        "ruleset_digest": (HASH,),
        "seats": (int,),
        "perspective": (PERSPECTIVE,),
        "over": (bool,),
        "count": (int,),
        "head": (dict,),
        "public_key": (HASH, None),
    },
)
ENVELOPE: Final = Shape(
    "an event",
    {
        "match": (str,),
        "version": (int,),
        "type": (str,),
        "schema": (int,),
        "ruleset": (str,),
        "decision": (str, None),
        "actor": (ACTOR,),
        "cause": (CAUSE,),
        "command": (int,),
        "occurred_at": (MOMENT,),
        "data": (dict,),
        "seals": (dict,),
        "prev_hash": (HASH,),
        "hash": (HASH,),
    },
    {"public": (dict,), "nonce": (HASH,), "parts": (dict,)},
)
TRAILER: Final = Shape(
    "the trailer",
    {
        "format": (str,),
        "match": (str,),
        "version": (int,),
        "hash": (HASH,),
        "header_hash": (HASH,),
        "head_signature": (SIGNATURE, None),
        "signature": (SIGNATURE, None),
    },
)
HEAD: Final = Shape("a head", {"version": (int,), "hash": (HASH,)})


def line(value: Json) -> bytes:
    """The line of an object. Raises Malformed for values that may not enter a log."""
    return canonical(value) + b"\n"


def parse(raw: bytes) -> Json:
    """The object on a line. Raises Malformed unless it is the canonical form of one, and a line feed."""
    if not raw.endswith(b"\n"):
        raise Malformed("the line has no end")
    try:
        value = msgspec.json.decode(raw)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"no JSON: {error}") from error
    if not isinstance(value, dict):
        raise Malformed("no JSON object")
    if line(value) != raw:
        raise Malformed("not in canonical form")
    return value


def check_shape(value: Json, shape: Shape) -> None:
    """Raises Malformed for a member missing, unknown or of another kind."""
    for name in shape.members:
        if name not in value:
            raise Malformed(f"{shape.name} lacks {name}")
    for name, member in value.items():
        kinds = shape.members.get(name) or shape.optional.get(name)
        if kinds is None:
            raise Malformed(f"{shape.name} has no member {name}")
        if not any(is_kind(member, kind) for kind in kinds):
            raise Malformed(f"{name} of {shape.name} is not what it must be")


def is_kind(value: Any, kind: type | re.Pattern[str] | None) -> bool:
    """Whether a value is of a type exactly, a string of a pattern, or null."""
    if isinstance(kind, re.Pattern):
        return isinstance(value, str) and kind.fullmatch(value) is not None
    return value is None if kind is None else type(value) is kind


def check_header(value: Json) -> None:
    """Raises Malformed for an object that is no header of a bundle."""
    check_shape(value, HEADER)
    check_shape(value["head"], HEAD)
    if value["format"] != FORMAT:
        raise Malformed(f"the format is not {FORMAT}")
    if not 1 <= value["seats"] <= 7:
        raise Malformed("a match has 1 to 7 seats")
    if not 1 <= value["count"] == value["head"]["version"]:
        raise Malformed("the count is not the version of the head")


def check_trailer(value: Json) -> None:
    """Raises Malformed for an object that is no trailer of a bundle."""
    check_shape(value, TRAILER)
    if value["format"] != TRAILER_FORMAT:
        raise Malformed(f"the format is not {TRAILER_FORMAT}")


def header_hash(header: Json) -> str:
    """The hash by which the trailer names the header."""
    return digest(["wonderlog/bundle-header/1", header])
