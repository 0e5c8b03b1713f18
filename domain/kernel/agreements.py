"""What a table agrees on besides the game: pauses, more time, claims, moves taken back.

The commands and the events. What they need is in `pausing` and `undo`; when anything happened, and who is
late, the service knows: the domain has no clock.
"""

from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from domain.kernel.game import Event, Option
from domain.kernel.seats import Seat, Seats
from domain.kernel.words import Range

DAY_MS: Final = 24 * 3600 * 1000

# What happens when the time of a seat is over.
AUTO: Final = "auto"
CLAIMABLE: Final = "claimable"
NONE: Final = "none"

# What may be taken back.
OFF: Final = "off"
OWN_TURN: Final = "own-turn"
CONSENT: Final = "consent"

# What seats may agree on.
PAUSE: Final = "pause"
RESUME: Final = "resume"
UNDO: Final = "undo"

# Who stopped the clocks.
HOST: Final = "host"
SEATS: Final = "seats"

LEAST_ADDED_MS: Final = 1_000
MOST_ADDED_MS: Final = 7 * DAY_MS

CLOCK_OPTIONS: Final = (
    Option(
        "decision_limit_days",
        None,
        None,
        "Time to answer a decision, in days, for play by correspondence; null: as long as you like. Of"
        " several limits the first that is reached counts.",
        minimum=1,
        maximum=30,
    ),
    Option(
        "daily_anchor_minute",
        None,
        None,
        "With `decision_limit_days`: a deadline falls on this minute of the day (UTC), the first one after"
        " the days are over; null: at any time of the day.",
        minimum=0,
        maximum=24 * 60 - 1,
    ),
    Option(
        "bank_ms",
        None,
        None,
        "Time each person has for all decisions together, in milliseconds; null: no such limit. Of several"
        " limits the first that is reached counts.",
        minimum=1_000,
        maximum=31 * DAY_MS,
    ),
    Option(
        "increment_ms",
        0,
        None,
        "What each new decision adds to the bank of a person it waits for, in milliseconds.",
        minimum=0,
        maximum=7 * DAY_MS,
    ),
    Option(
        "expiry",
        AUTO,
        (AUTO, CLAIMABLE, NONE),
        "When time is over: `auto`: `on_expiry` is done; `claimable`: it is done when another seat, or the"
        " host, claims it; `none`: nothing is done.",
    ),
)
# The options that set a limit, null for none.
CLOCKS: Final = ("decision_limit_ms", "decision_limit_days", "bank_ms")
UNDO_OPTION: Final = Option(
    UNDO,
    OFF,
    (OFF, OWN_TURN, CONSENT),
    "Whether a seat may take back what it did last, as long as nobody else has acted and nothing was shown"
    " or drawn: `own-turn`: at once, while the decision is open; `consent`: also when that has closed it, but"
    " either way as a proposal, which every other person has to agree to.",
)


# Commands


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the clocks and the game: the host at once, a seat when every other person agrees."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on after a pause: the host at once, a seat when every other person agrees."""


@dataclass(frozen=True, slots=True)
class Agree:
    """Agree to the open proposal; `proposal` is its id, the version of the event that made it."""

    proposal: int


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline the open proposal, or take back your own; `proposal` is its id."""

    proposal: int


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back what you did last: at once where the option `undo` is `own-turn`, as a proposal to the others
    where it is `consent`. `to`: the version to go back to, before one of your last commands; null:
    before the last one."""

    to: int | None = None


@dataclass(frozen=True, slots=True)
class AddTime:
    """Give time (1000 to 604800000 ms) to seats: the host to any person, a seat to others. `seats` null: to
    all of them."""

    ms: Annotated[int, Range(LEAST_ADDED_MS, MOST_ADDED_MS)]
    seats: Seats | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """Have done what `on_expiry` says for seats whose time for a decision is over, where `expiry` is
    `claimable`. `seats` null: for all that are late."""

    decision: str
    seats: Seats | None = None


@dataclass(frozen=True, slots=True)
class Expire:
    """End the time of seats for a decision at once (host). `seats` null: of all it waits for."""

    decision: str
    seats: Seats | None = None


@dataclass(frozen=True, slots=True)
class CreditOutage:
    """Nobody could play from one moment to another, in milliseconds since 1970 (asked by the service, never
    by a seat)."""

    since_ms: int
    until_ms: int


# Events


@dataclass(frozen=True, slots=True)
class ProposalMade:
    """A seat wants a `pause`, to `resume`, or to `undo` down to the version `to`. It holds when every other
    person at the table agrees."""

    kind: str
    seat: Seat
    to: int | None = None


@dataclass(frozen=True, slots=True)
class ProposalAgreed:
    """A seat agrees to the proposal."""

    seat: Seat
    proposal: int


@dataclass(frozen=True, slots=True)
class ProposalDeclined:
    """A seat does not agree, or takes its own proposal back: the proposal is no more."""

    seat: Seat
    proposal: int


@dataclass(frozen=True, slots=True)
class MatchPaused:
    """The clocks stand still and nobody moves; `by` is `host` or `seats`."""

    by: str


@dataclass(frozen=True, slots=True)
class MatchResumed:
    """The match goes on; `by` is `host`, `seats`, or `rules` when nobody is left who could agree to it."""

    by: str


@dataclass(frozen=True, slots=True)
class TimeAdded:
    """These seats got more time."""

    seats: list[Seat]
    ms: int


@dataclass(frozen=True, slots=True)
class ExpiryClaimed:
    """A seat or the host claimed that these seats are late."""

    decision: str
    seats: list[Seat]


@dataclass(frozen=True, slots=True)
class ExpiryOrdered:
    """The host ended the time of these seats."""

    decision: str
    seats: list[Seat]


@dataclass(frozen=True, slots=True)
class OutageCredited:
    """The service was away from one moment to another, in milliseconds since 1970: clocks that ran meanwhile
    get that time back."""

    since_ms: int
    until_ms: int


@dataclass(frozen=True, slots=True)
class MatchUndone:
    """A seat took back what it did: the game is as it was at the version `to`. The log keeps everything.
    `reopened`: the decisions that are open again."""

    seat: Seat
    to: int
    reopened: list[str]


COMMANDS: Final = (Pause, Resume, Agree, Decline, Undo, AddTime, Claim, Expire, CreditOutage)
EVENTS: Final = (
    ProposalMade,
    ProposalAgreed,
    ProposalDeclined,
    MatchPaused,
    MatchResumed,
    TimeAdded,
    ExpiryClaimed,
    ExpiryOrdered,
    OutageCredited,
    MatchUndone,
)


@dataclass(slots=True)
class Proposal:
    """The open proposal; `id` is the version of the event that made it."""

    id: int
    kind: str
    seat: Seat
    to: int | None = None
    agreed: list[Seat] = field(default_factory=list)


@dataclass(slots=True)
class Past:
    """The game before the last events, and these, with their versions. Nothing before `barrier` can be
    reached. `undone`: how often each seat took back, and at which version it did so last."""

    base: Any
    events: list[tuple[int, Event]] = field(default_factory=list)
    barrier: int = 0
    undone: dict[Seat, tuple[int, int]] = field(default_factory=dict)
