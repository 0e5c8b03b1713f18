"""Before the choice of a round: duchies, menace sets, advisors, hands (rules 1, 3.1, 6.2, 6.3, 7.1)."""

from dataclasses import dataclass

from domain.kernel.seats import Seat


@dataclass(frozen=True, slots=True)
class DuchiesDealt:
    """Every seat has its duchy and what lies on it at the start; this seat starts the first round."""

    side: str
    duchies: list[str]
    krystallium: list[int]
    soldiers: list[int]
    start: Seat


@dataclass(frozen=True, slots=True)
class MenaceSetsOffered:
    """This seat takes a set of menaces now."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class MenaceSetChosen:
    """A seat took a set of menaces."""

    seat: Seat
    set: str


@dataclass(frozen=True, slots=True)
class AdvisorsDrawn:
    """Every seat drew advisors, of which it keeps one."""

    hands: list[list[str]]


@dataclass(frozen=True, slots=True)
class AdvisorKept:
    """A seat chose, in secret, the advisor it keeps."""

    seat: Seat
    advisor: str


@dataclass(frozen=True, slots=True)
class AdvisorsRevealed:
    """The advisors kept lie in the advisor areas; the others are back in the box, unseen."""

    advisors: list[str]


@dataclass(frozen=True, slots=True)
class HandsDealt:
    """A round begins: the hands, and a card face up in either area; `incomplete` where a menace of their
    choice is to complete the hands."""

    round: int
    start: Seat
    hands: list[list[str]]
    seeds: list[str]
    incomplete: bool = False


@dataclass(frozen=True, slots=True)
class MenaceChosen:
    """A seat took a menace of its set into its hand, in secret."""

    seat: Seat
    card: str
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class OffersBegan:
    """The hands are complete; this seat offers first."""

    seat: Seat
