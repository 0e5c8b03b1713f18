"""The production phase, the fight, the end (rules 5, 6.6, 9)."""

from dataclasses import dataclass

from domain.kernel.seats import Seat


@dataclass(frozen=True, slots=True)
class SeatAsked:
    """This seat may act now, alone: in the phase `leftovers`, `steal` or `before_count`."""

    seat: Seat
    phase: str
    resource: str | None = None


@dataclass(frozen=True, slots=True)
class ProductionBegan:
    """Planning is over; the effects of these menaces happen now, in this order, one entry each."""

    menaces: list[str]
    effects: list[int]


@dataclass(frozen=True, slots=True)
class RatsSpawned:
    """A menace brought rats from the pile."""

    seat: Seat
    menace: str
    cards: list[str]


@dataclass(frozen=True, slots=True)
class TokenStolen:
    """A thief's stolen token lies on a development of `holder`, where `seat` put it; null: nowhere it
    could."""

    seat: Seat
    holder: Seat
    menace: str
    card: str | None
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class CubesProduced:
    """A production step: every seat has so many cubes of this resource to place."""

    resource: str
    counts: list[int]


@dataclass(frozen=True, slots=True)
class SupremacyWon:
    """A seat counted most: a soldier went to its pool, or (`trained` false) into its training ground."""

    seat: Seat
    resource: str
    trained: bool


@dataclass(frozen=True, slots=True)
class FightBegan:
    """Production is over; these seats may pay for menaces."""

    seats: list[Seat]


@dataclass(frozen=True, slots=True)
class PointsCounted:
    """The points of every seat by category, and the seats that lose for want of the major quest."""

    scores: list[dict[str, int]]
    failed: list[Seat]
