"""Between the dataclasses of a domain and the JSON objects of the log and the wire, by msgspec.

The domain comes as arguments: a registry (wire name -> name, class, newest schema number) and upcasts
((name, schema number read) -> function to the next shape). Upcasts run when folding only; what is served and
hashed is what was stored.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, TypeVar

import msgspec

from events.canonical import Json, Malformed, check_values
from events.envelope import Recorded

T = TypeVar("T")

Upcasts = Mapping[tuple[str, int], Callable[[Json], Json]]

_encode: Final = msgspec.json.encode
_decode: Final = msgspec.json.decode
_PLACE: Final = re.compile(r"(?s)(.*) - at (?:`key` in )?`\$(.*?)(?:\[\.\.\.\].*)?`")


class Kind(Protocol):
    """A class under its wire name; `schema` is the number of its newest shape."""

    @property
    def name(self) -> str: ...
    @property
    def cls(self) -> type: ...
    @property
    def schema(self) -> int: ...


Registry = Mapping[str, Kind]


class UnknownEvent(Exception):
    """A stored event this release cannot read: a type it does not know, a newer shape, a missing upcast."""


def encode(event: object) -> Json:
    """The JSON object of a dataclass, as it will be read back. Values are checked when it is sealed; raises
    Malformed for lone surrogates."""
    try:
        value: Json = _decode(_encode(event))
    except UnicodeEncodeError as error:
        raise Malformed("a string holds a lone surrogate") from error
    return value


def decode(cls: type[T], data: object, *, closed: bool = False) -> T:
    """The dataclass of a JSON object, strictly: no text for a number, nothing missing.

    Members the class does not have are ignored, as a log read by an older release asks for; `closed` refuses
    them, as a request asks for. Raises Malformed with the pointer of the first culprit.
    """
    check_values(data)
    try:
        value = msgspec.convert(data, cls, str_keys=True)
    except msgspec.ValidationError as error:
        raise _malformed(str(error)) from error
    if closed:
        _refuse_unknown(data, _decode(_encode(value)), "")
    return value


def read(registry: Registry, upcasts: Upcasts, name: str, schema: int, data: Json) -> Any:
    """The event of stored data, in its newest shape. Raises UnknownEvent, Malformed."""
    kind = registry.get(name)
    if kind is None:
        raise UnknownEvent(f"{name} is no event of this release")
    if schema > kind.schema:
        raise UnknownEvent(f"{name} has schema {schema}; this release knows {kind.schema}")
    for number in range(schema, kind.schema):
        upcast = upcasts.get((name, number))
        if upcast is None:
            raise UnknownEvent(f"no upcast of {name} from schema {number}")
        data = upcast(data)
    try:
        return msgspec.convert(data, kind.cls, str_keys=True)
    except msgspec.ValidationError as error:
        raise _malformed(str(error)) from error


def events_of(registry: Registry, upcasts: Upcasts, records: list[Recorded]) -> list[Any]:
    """The events of stored records, in full and in their newest shape. Raises UnknownEvent, Malformed."""
    return [read(registry, upcasts, event.type, event.schema, event.data) for event in records]


def _malformed(message: str) -> Malformed:
    """msgspec's message, its place (`$.payment[0].left`) as a JSON pointer, up to the first key it leaves out
    (`[...]`)."""
    found = _PLACE.fullmatch(message)
    if found is None:
        return Malformed(message)
    detail, place = found.groups()
    return Malformed(detail, re.sub(r"\.|\[(\d+)\]", lambda step: f"/{step[1] or ''}", place))


def _refuse_unknown(given: Any, known: Any, here: str) -> None:
    if isinstance(given, dict) and isinstance(known, dict):
        for key, value in given.items():
            if key not in known:
                raise Malformed(f"unknown member {key!r}", f"{here}/{_step(key)}")
            _refuse_unknown(value, known[key], f"{here}/{_step(key)}")
    elif isinstance(given, list) and isinstance(known, list):
        for index, (value, read_) in enumerate(zip(given, known, strict=True)):
            _refuse_unknown(value, read_, f"{here}/{index}")


def _step(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
