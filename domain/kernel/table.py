"""The table around a game: its state, what may be asked of it, what happened at it."""

from dataclasses import dataclass, field
from typing import Any, Final

from domain.kernel import agreements, registry
from domain.kernel.agreements import Past, Proposal
from domain.kernel.game import Option
from domain.kernel.redaction import OPEN, Redactions
from domain.kernel.seats import Seat

LOBBY: Final = "lobby"
RUNNING: Final = "running"
OVER: Final = "over"

OPTIONS: Final = (
    Option(
        "decision_limit_ms",
        None,
        None,
        "Time to answer a decision, in milliseconds; null: as long as you like. Of several limits the first"
        " that is reached counts.",
        minimum=200,
        maximum=31 * 24 * 3600 * 1000,
    ),
    Option(
        "on_expiry",
        "default-move",
        ("default-move", "bot-takes-over", "forfeit"),
        "What happens to a seat that lets a decision expire.",
    ),
    Option(
        "takeover_bot",
        "easy",
        ("random", "easy"),
        "The bot that plays on for an absent seat when `on_expiry` is `bot-takes-over`.",
    ),
    Option(
        "spectator_delay",
        0,
        None,
        "How many events spectators trail behind the head while the match runs; seats never do.",
        maximum=1000,
    ),
    *agreements.CLOCK_OPTIONS,
    agreements.UNDO_OPTION,
)


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """A seat as the host wants it: `open` for a person, or `bot` with the bot's name."""

    kind: str = "open"
    bot: str | None = None


# The bot of a sandbox match that plays what it was told to.
SCRIPT: Final = "script"


@dataclass(frozen=True, slots=True)
class Sandbox:
    """Marks a match for ever as one that was played to try things out. `seed`: its draws follow from it, the
    same in every match with this seed, and are no secret to anybody who is shown it."""

    seed: str | None = None


# Commands


@dataclass(frozen=True, slots=True)
class CreateMatch:
    """Set up a table (host). `options` holds the options of the table and of the game, defaults filled in."""

    options: dict[str, Any]
    seats: list[SeatPlan]
    visibility: str = "public"
    sandbox: Sandbox | None = None


@dataclass(frozen=True, slots=True)
class ChangeMatch:
    """Change a match that has not started (host): all its options, as in CreateMatch, and who may watch."""

    options: dict[str, Any]
    visibility: str


@dataclass(frozen=True, slots=True)
class JoinSeat:
    """Sit down, at `seat` or at the first open one; `entropy`: 1 to 64 bytes of your own, hex."""

    seat: Seat | None = None
    entropy: str | None = None


@dataclass(frozen=True, slots=True)
class SeatBot:
    """Put a bot on an open seat (host), at `seat` or at the first open one."""

    bot: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    """Get up again, before the match starts; the host may also clear any seat, which `seat` names then."""

    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """Start the match (host); every seat must be taken."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """Call the match off before it starts, a fork at any time (host)."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up: the seat ranks below all that did not, the default move answers its decisions."""


@dataclass(frozen=True, slots=True)
class ReclaimSeat:
    """Take your seat back from the bot that took it over."""


@dataclass(frozen=True, slots=True)
class ChangeToken:
    """Replace the token of a seat, or with `revoked` let it have none (the seat itself, or the host)."""

    seat: Seat
    revoked: bool = False


@dataclass(frozen=True, slots=True)
class HandOverSeat:
    """Give a running seat to another person, or to a bot (the seat itself, or the host). `to` is `person` or
    `bot`."""

    seat: Seat
    to: str
    bot: str | None = None


@dataclass(frozen=True, slots=True)
class ExpireDeadline:
    """The time for a decision is over (asked by the deadline loop, never by a seat); `seats` null: for all it
    waits for."""

    decision: str
    seats: list[Seat] | None = None


@dataclass(frozen=True, slots=True)
class ReportBotFailure:
    """A bot failed at a decision and `instead` (a weaker bot, or `default-move`) answers for it. `why`: as in
    BotFailed."""

    decision: str
    seat: Seat
    bot: str
    instead: str
    why: str = ""


# Events


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a match branched off: another match and a version of it."""

    match: str
    version: int


@dataclass(frozen=True, slots=True)
class MatchCreated:
    """A table was set up; `commitment` binds the secrets behind every draw. `forked_from`: the events up to
    that version are those of another match, and `match.forked` follows them. `sandbox`: nothing that is
    played here counts."""

    game: str
    options: dict[str, Any]
    seats: list[SeatPlan]
    visibility: str
    commitment: str
    forked_from: Origin | None = None
    sandbox: Sandbox | None = None


@dataclass(frozen=True, slots=True)
class MatchChanged:
    """The host changed its mind before the start: these are the options and the visibility from now on."""

    options: dict[str, Any]
    visibility: str


@dataclass(frozen=True, slots=True)
class SeatJoined:
    """A person sat down and brought entropy (hex) or none."""

    seat: Seat
    entropy: str | None


@dataclass(frozen=True, slots=True)
class BotSeated:
    """A bot sat down."""

    seat: Seat
    bot: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat is open again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """Play begins; no entropy is taken any more. The first event the game sees."""

    seats: int
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SeatResigned:
    """A seat gave up; `reason` is `resigned` or `deadline`."""

    seat: Seat
    reason: str


@dataclass(frozen=True, slots=True)
class DeadlineExpired:
    """The time for a decision ran out for these seats; `policy` is what was done for them."""

    decision: str
    seats: list[Seat]
    policy: str


@dataclass(frozen=True, slots=True)
class SeatTakenOver:
    """A bot plays on for an absent seat."""

    seat: Seat
    bot: str


@dataclass(frozen=True, slots=True)
class SeatReclaimed:
    """The person is back and plays again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatTokenChanged:
    """The token of a seat is another one from now on, or none."""

    seat: Seat
    revoked: bool


@dataclass(frozen=True, slots=True)
class SeatHandedOver:
    """Somebody else plays the seat from now on: another person, or a bot."""

    seat: Seat
    to: str
    bot: str | None


@dataclass(frozen=True, slots=True)
class BotFailed:
    """A bot crashed, stalled or answered illegally; `instead` answers this decision for it. `why`: `refused`
    (the rules refuse the move it made, or its script has) or `no-move` (it made none); empty in old logs."""

    decision: str
    seat: Seat
    bot: str
    instead: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class MatchForked:
    """A fork branched off here: these sit at it now, and nobody is hurried. `seen_by`: what comes before
    is what this seat (or, -1, the spectator) was told, and all it could not know is dealt anew; null: it is
    exact."""

    match: str
    version: int
    seats: list[SeatPlan]
    seen_by: int | None


@dataclass(frozen=True, slots=True)
class SeatScore:
    """The points of a seat and what they are made of."""

    seat: Seat
    total: int
    categories: dict[str, int]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The last event of every match. `ranking`: groups of seats from first to last. `winners` is null where
    the first group has won. The secrets behind the draws are revealed, so that anybody can repeat them."""

    reason: str
    ranking: list[list[Seat]]
    scores: list[SeatScore]
    match_key: str
    commit_nonce: str
    winners: list[Seat] | None = None


COMMANDS = registry.commands(
    CreateMatch,
    JoinSeat,
    SeatBot,
    LeaveSeat,
    Start,
    Cancel,
    Resign,
    ReclaimSeat,
    ChangeToken,
    HandOverSeat,
    ExpireDeadline,
    ReportBotFailure,
    *agreements.COMMANDS,
    ChangeMatch,
)
EVENTS = registry.events(
    "match",
    MatchCreated,
    SeatJoined,
    BotSeated,
    SeatLeft,
    MatchStarted,
    SeatResigned,
    DeadlineExpired,
    SeatTakenOver,
    SeatReclaimed,
    SeatTokenChanged,
    SeatHandedOver,
    BotFailed,
    MatchForked,
    MatchEnded,
    *agreements.EVENTS,
    MatchChanged,
)
UPCASTS: registry.Upcasts = {}
REDACTIONS: Redactions = {kind.cls: OPEN for kind in EVENTS.values()}


@dataclass(slots=True)
class Chair:
    """A seat at the table: who plays it. A seat a bot took over keeps its person, who may reclaim it;
    `reclaimed` is the version of the last time, 0 for never."""

    kind: str  # open | human | bot
    bot: str | None = None
    entropy: str | None = None
    taken_over: bool = False
    resigned: bool = False
    reclaimed: int = 0

    @property
    def played_by_bot(self) -> bool:
        return (self.kind == "bot" or self.taken_over) and not self.resigned


@dataclass(slots=True)
class Match:
    """The state of a match: the table, and the state of the game in `play` from the start on. `started` is
    the version of its start, 0 before. `paused`: by whom, empty while it goes on. `past` is kept where
    something may be taken back."""

    version: int = 0
    started: int = 0
    status: str = LOBBY
    game: str = ""
    visibility: str = "public"
    options: dict[str, Any] = field(default_factory=dict)
    chairs: list[Chair] = field(default_factory=list)
    play: Any = None
    ended: MatchEnded | None = None
    resignations: list[Seat] = field(default_factory=list)
    paused: str = ""
    proposal: Proposal | None = None
    proposed: dict[Seat, int] = field(default_factory=dict)
    added: int = 0
    past: Past | None = None
    forked_from: Origin | None = None
    sandbox: Sandbox | None = None

    @property
    def seed(self) -> str | None:
        """What the draws follow from, in a sandbox match that has a seed."""
        return None if self.sandbox is None else self.sandbox.seed

    @property
    def persons(self) -> list[Seat]:
        """The seats of the people at the table: no bot plays for them, and they have not given up."""
        return [
            seat
            for seat, chair in enumerate(self.chairs)
            if chair.kind == "human" and not chair.resigned and not chair.taken_over
        ]
