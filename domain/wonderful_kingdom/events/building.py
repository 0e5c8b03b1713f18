"""What lies on developments and duchies, and what is done at any time (rules 5.6 to 5.11, 6.6, 7.6, 8.3)."""

from dataclasses import dataclass

from domain.kernel.seats import Seat


@dataclass(frozen=True, slots=True)
class CubesStored:
    """Cubes lie on the duchy and formed so much `krystallium`; `duchy` are the cubes that lie there now."""

    seat: Seat
    resource: str
    count: int
    krystallium: int
    duchy: dict[str, int]
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class SoldiersPlaced:
    """Soldiers lie on a development under construction."""

    seat: Seat
    card: str
    count: int


@dataclass(frozen=True, slots=True)
class DevelopmentScrapped:
    """A development under construction was discarded with all that lay on it; these cubes go on the duchy."""

    seat: Seat
    card: str
    kind: str
    cubes: dict[str, int]


@dataclass(frozen=True, slots=True)
class DevelopmentCompleted:
    """A development is complete; `bonus` was received."""

    seat: Seat
    card: str
    kind: str
    bonus: dict[str, int]


@dataclass(frozen=True, slots=True)
class CubesExchanged:
    """Five cubes of the duchy became a krystallium."""

    seat: Seat
    cubes: list[str]


@dataclass(frozen=True, slots=True)
class QuestCompleted:
    """A seat paid a quest."""

    seat: Seat
    quest: str
    paid: dict[str, int]
    substitutes: list[str]


@dataclass(frozen=True, slots=True)
class AdvisorActivated:
    """A seat paid an advisor."""

    seat: Seat
    advisor: str
    paid: dict[str, int]
    substitutes: list[str]


@dataclass(frozen=True, slots=True)
class MenaceDefeated:
    """A seat paid a menace, which went back to the box; a stolen token of it returned."""

    seat: Seat
    card: str
    paid: dict[str, int]
    substitutes: list[str]
