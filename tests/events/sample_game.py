"""A game's names as the codec needs them, with an event that has changed its shape twice."""

from dataclasses import dataclass
from typing import Any

from domain.kernel import registry


@dataclass(frozen=True, slots=True)
class Payment:
    left: int = 0
    right: int = 0


@dataclass(frozen=True, slots=True)
class StructureBuilt:
    """Schema 1 had `coins`, schema 2 `payment` without `right`."""

    seat: int
    card: str
    payment: Payment
    free: bool = False


@dataclass(frozen=True, slots=True)
class HandsPassed:
    hands: list[list[str]]
    by_seat: dict[str, list[int]]
    to: int | None = None


def _with_payment(shape: dict[str, Any]) -> dict[str, Any]:
    return {"seat": shape["seat"], "card": shape["card"], "payment": {"left": shape["coins"]}}


def _with_right(shape: dict[str, Any]) -> dict[str, Any]:
    return {**shape, "payment": {**shape["payment"], "right": 0}}


EVENTS = registry.events("sample", StructureBuilt, HandsPassed, schemas={StructureBuilt: 3})
UPCASTS: registry.Upcasts = {
    ("sample.structure_built", 1): _with_payment,
    ("sample.structure_built", 2): _with_right,
}
