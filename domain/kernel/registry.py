"""Names on the wire: which class a command or an event has, and in which shape (schema) it is written."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Shape = dict[str, Any]
Upcast = Callable[[Shape], Shape]
# (wire name, schema number read) -> the function that gives the shape of the next schema number.
Upcasts = Mapping[tuple[str, int], Upcast]


@dataclass(frozen=True, slots=True)
class EventType:
    """An event class under its wire name; `schema` is the number of its newest shape."""

    name: str
    cls: type
    schema: int = 1


def snake(name: str) -> str:
    """`BuildStructure` as `build_structure`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def commands(*classes: type) -> dict[str, type]:
    """Command classes by wire name (`build_structure`)."""
    return {snake(cls.__name__): cls for cls in classes}


def events(prefix: str, *classes: type, schemas: Mapping[type, int] | None = None) -> dict[str, EventType]:
    """Event classes by wire name: `seven_wonders.hands_passed`, and `match.created` for `MatchCreated`.

    The schema number is 1 unless `schemas` says more."""
    numbers = schemas or {}
    names = [f"{prefix}.{snake(cls.__name__).removeprefix(prefix + '_')}" for cls in classes]
    return {name: EventType(name, cls, numbers.get(cls, 1)) for name, cls in zip(names, classes, strict=True)}


def upcast(upcasts: Upcasts, name: str, schema: int, newest: int, shape: Shape) -> Shape:
    """The newest shape of stored data, chained v1 -> v2 -> v3. Raises KeyError when a step is missing."""
    while schema < newest:
        shape = upcasts[name, schema](shape)
        schema += 1
    return shape
