"""The lines of a bundle: one canonical JSON object each, with exactly the members their place asks for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import NoneType
from typing import Final

import msgspec

from events.canonical import Json, Malformed, canonical, digest

FORMAT: Final = "wonderlog/bundle/1"
TRAILER_FORMAT: Final = "wonderlog/bundle-trailer/1"

Types = tuple[type, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """The members a line must have and may have, with their types."""

    name: str
    members: Mapping[str, Types]
    optional: Mapping[str, Types] = field(default_factory=dict)


HEADER: Final = Shape(
    "the header",
    {
        "format": (str,),
        "match": (str,),
        "game": (str,),
        "ruleset": (str,),
        "ruleset_digest": (str,),
        "seats": (int,),
        "perspective": (str,),
        "over": (bool,),
        "count": (int,),
        "head": (dict,),
        "public_key": (str, NoneType),
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
        "decision": (str, NoneType),
        "actor": (str,),
        "cause": (str,),
        "command": (int,),
        "occurred_at": (str,),
        "data": (dict,),
        "seals": (dict,),
        "prev_hash": (str,),
        "hash": (str,),
    },
    {"public": (dict,), "nonce": (str,), "parts": (dict,)},
)
TRAILER: Final = Shape(
    "the trailer",
    {
        "format": (str,),
        "match": (str,),
        "version": (int,),
        "hash": (str,),
        "header_hash": (str,),
        "head_signature": (str, NoneType),
        "signature": (str, NoneType),
    },
)
HEAD: Final = Shape("a head", {"version": (int,), "hash": (str,)})


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
    """Raises Malformed for a member missing, unknown or of another type."""
    for name, types in shape.members.items():
        if name not in value:
            raise Malformed(f"{shape.name} lacks {name}")
        if type(value[name]) not in types:
            raise Malformed(f"{name} of {shape.name} has another type")
    for name in value.keys() - shape.members.keys():
        if name not in shape.optional:
            raise Malformed(f"{shape.name} has no member {name}")
        if type(value[name]) not in shape.optional[name]:
            raise Malformed(f"{name} of {shape.name} has another type")


def check_header(value: Json) -> None:
    """Raises Malformed for an object that is no header of a bundle."""
    check_shape(value, HEADER)
    check_shape(value["head"], HEAD)
    if value["format"] != FORMAT:
        raise Malformed(f"the format is not {FORMAT}")


def check_trailer(value: Json) -> None:
    """Raises Malformed for an object that is no trailer of a bundle."""
    check_shape(value, TRAILER)
    if value["format"] != TRAILER_FORMAT:
        raise Malformed(f"the format is not {TRAILER_FORMAT}")


def header_hash(header: Json) -> str:
    """The hash by which the trailer names the header."""
    return digest(["wonderlog/bundle-header/1", header])
