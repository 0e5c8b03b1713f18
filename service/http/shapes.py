"""JSON Schema (the part used here) from dataclass fields, and the check of a value against it.

The same schema is printed in `openapi.yaml` and checked on the way in, so the two cannot differ.
"""

import dataclasses
import functools
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, Union

from domain.kernel import words
from service.errors import Fault, spelled

Shape = dict[str, Any]

LONGEST_TEXT: Final = 200
LONGEST_LIST: Final = 200
LARGEST_INTEGER: Final = 2**53 - 1


def members(cls: type, *, closed: bool) -> tuple[dict[str, Shape], list[str]]:
    """The schemas of the fields of a dataclass, and the names of those that have no default."""
    hints = typing.get_type_hints(cls, include_extras=True)
    properties: dict[str, Shape] = {}
    required: list[str] = []
    for field in dataclasses.fields(cls):
        shape = of(hints[field.name], closed=closed)
        if field.default is not dataclasses.MISSING:
            shape = {**shape, "default": field.default}
        elif field.default_factory is dataclasses.MISSING:
            required.append(field.name)
        properties[field.name] = shape
    return properties, required


def of(hint: Any, *, closed: bool) -> Shape:
    """The schema of a type. `closed`: no members beyond the known ones (requests). Raises TypeError for a
    type that has no place on the wire."""
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    origin = typing.get_origin(hint)
    if origin is Annotated:
        plain, *said = typing.get_args(hint)
        return functools.reduce(_narrowed, said, of(plain, closed=closed))
    if origin in (Union, types.UnionType):
        return _either([of(option, closed=closed) for option in typing.get_args(hint)])
    if origin is Literal:
        return {"type": "string", "enum": list(typing.get_args(hint))}
    if origin is list:
        item = of(typing.get_args(hint)[0], closed=closed)
        return {"type": "array", "items": item, "maxItems": LONGEST_LIST}
    if origin is dict:
        return {"type": "object", "additionalProperties": of(typing.get_args(hint)[1], closed=closed)}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        properties, required = members(hint, closed=closed)
        return object_of(properties, required, closed=closed)
    raise TypeError(f"{hint!r} has no JSON Schema here")


def _narrowed(shape: Shape, said: object) -> Shape:
    """The schema of a type with what `domain.kernel.words` says about it."""
    match said:
        case words.Form(pattern, example, longest):
            return {**shape, "pattern": pattern, "maxLength": longest, "examples": [example]}
        case words.OneOf(names):
            return {"type": "string", "enum": list(names)}
        case words.AtMost(most):
            return {**shape, "maxItems": most}
        case words.Range(least, most):
            return {**shape, "format": "int32", "minimum": least, "maximum": most}
    return shape


def object_of(properties: Mapping[str, Shape], required: list[str], *, closed: bool) -> Shape:
    """An object with these members."""
    shape: Shape = {"type": "object", "properties": dict(properties)}
    if required:
        shape["required"] = required
    if closed:
        shape["additionalProperties"] = False
    return shape


def _either(options: list[Shape]) -> Shape:
    null = {"type": "null"}
    real = [option for option in options if option != null]
    if len(real) == 1 and isinstance(real[0].get("type"), str) and len(options) == 2:
        return {**real[0], "type": [real[0]["type"], "null"]}
    return {"anyOf": options}


_PLAIN: Final[Mapping[Any, Shape]] = {
    str: {"type": "string", "maxLength": LONGEST_TEXT},
    bool: {"type": "boolean"},
    int: {"type": "integer", "format": "int64", "minimum": -LARGEST_INTEGER, "maximum": LARGEST_INTEGER},
    types.NoneType: {"type": "null"},
    Any: {},
}


# Checking


def faults(shape: Shape, value: Any, pointer: str) -> Iterator[Fault]:
    """What is wrong with a decoded JSON value; nothing when it fits."""
    if "anyOf" in shape:
        if all(any(faults(option, value, pointer)) for option in shape["anyOf"]):
            yield Fault(pointer, "type", "fits none of the forms allowed here")
        return
    if "type" in shape:
        wanted = shape["type"] if isinstance(shape["type"], list) else [shape["type"]]
        if not any(_IS[name](value) for name in wanted):
            yield Fault(pointer, "type", f"must be {' or '.join(_SPOKEN[name] for name in wanted)}")
            return
    if "enum" in shape and value not in shape["enum"]:
        yield Fault(pointer, "enum", f"must be one of: {', '.join(map(spelled, shape['enum']))}")
    if isinstance(value, str):
        yield from _text(shape, value, pointer)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from _number(shape, value, pointer)
    elif isinstance(value, list):
        yield from _list(shape, value, pointer)
    elif isinstance(value, dict):
        yield from _object(shape, value, pointer)


def _text(shape: Shape, value: str, pointer: str) -> Iterator[Fault]:
    if len(value) > shape.get("maxLength", LARGEST_INTEGER):
        yield Fault(pointer, "length", f"must not be longer than {shape['maxLength']}")
    elif "pattern" in shape and not _compiled(shape["pattern"]).fullmatch(value):
        yield Fault(pointer, "pattern", f"must match {shape['pattern']}")


def _number(shape: Shape, value: int, pointer: str) -> Iterator[Fault]:
    if not shape.get("minimum", value) <= value <= shape.get("maximum", value):
        low, high = shape.get("minimum", "any"), shape.get("maximum", "any")
        yield Fault(pointer, "range", f"must be from {low} to {high}")


def _list(shape: Shape, value: list[Any], pointer: str) -> Iterator[Fault]:
    if len(value) > shape.get("maxItems", LARGEST_INTEGER):
        yield Fault(pointer, "length", f"must not hold more than {shape['maxItems']}")
        return
    if len(value) < shape.get("minItems", 0):
        yield Fault(pointer, "length", f"must hold at least {shape['minItems']}")
    for index, item in enumerate(value):
        yield from faults(shape.get("items", {}), item, f"{pointer}/{index}")


def _object(shape: Shape, value: dict[str, Any], pointer: str) -> Iterator[Fault]:
    properties = shape.get("properties", {})
    for name in shape.get("required", ()):
        if name not in value:
            yield Fault(f"{pointer}/{name}", "required", "is missing")
    for name, item in value.items():
        place = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
        if name in properties:
            yield from faults(properties[name], item, place)
            continue
        beyond = shape.get("additionalProperties", True)
        if beyond is False:
            yield Fault(place, "unknown", "there is no such member")
        elif isinstance(beyond, dict):
            yield from faults(beyond, item, place)


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_IS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}
_SPOKEN: Final = {
    "string": "a string",
    "integer": "an integer",
    "boolean": "true or false",
    "array": "an array",
    "object": "an object",
    "null": "null",
}
