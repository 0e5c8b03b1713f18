"""The choice phase: offers, traps, what is taken and what is left over (rules 3)."""

from dataclasses import dataclass

from domain.kernel.seats import Seat


@dataclass(frozen=True, slots=True)
class CardsOffered:
    """A seat laid cards into the areas, the last ones face down."""

    seat: Seat
    left: list[str]
    right: list[str]
    left_face_down: list[str]
    right_face_down: list[str]


@dataclass(frozen=True, slots=True)
class CardPeeked:
    """A seat looked at a face-down card."""

    seat: Seat
    area: str
    position: int
    card: str


@dataclass(frozen=True, slots=True)
class AreaSelected:
    """A seat took all cards of an area, and these of the other."""

    seat: Seat
    area: str
    extra: list[int]


@dataclass(frozen=True, slots=True)
class CardSalvaged:
    """A seat took a card that was left over."""

    seat: Seat
    area: str
    position: int
    card: str


@dataclass(frozen=True, slots=True)
class LeftoversDiscarded:
    """What was left in the areas is gone: discarded face up, put in the box, or discarded face down."""

    discarded: list[str]
    boxed: list[str]
    face_down: int
