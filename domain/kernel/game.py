"""The Game protocol: the names a package under `domain/` must bind to be a game. A module satisfies it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from domain.kernel.chance import Chance
from domain.kernel.errors import Reason
from domain.kernel.redaction import Redactions
from domain.kernel.registry import EventType, Upcasts
from domain.kernel.seats import Seat, Viewer

Command = Any
Event = Any
View = dict[str, Any]


class State(Protocol):
    """What the kernel needs of a game's state: the number of events of the match folded so far. The kernel
    counts; `evolve` may read it to note at which version a decision opened."""

    version: int


@dataclass(frozen=True, slots=True)
class Option:
    """One choice made when a match is created. `choices` lists every value (None: an integer from `minimum`
    to `maximum`, or null when `default` is None). `certain` is False where the rules texts leave room.
    `decided`: the values that numbers of seats leave no choice about, whatever is asked for."""

    name: str
    default: Any
    choices: tuple[Any, ...] | None
    detail: str
    certain: bool = True
    minimum: int = 0
    maximum: int = 0
    decided: tuple[tuple[range, Any], ...] = ()

    def at(self, seats: int, wanted: Any) -> Any:
        """The value it has at a table of so many seats."""
        return next((value for numbers, value in self.decided if seats in numbers), wanted)


@dataclass(frozen=True, slots=True)
class Decision:
    """Something the match waits for. `opened` is the version of the event that opened it, `awaited` the
    seats that have not answered; a seat in `revisable` may still replace or withdraw its answer."""

    kind: str
    opened: int
    awaited: tuple[Seat, ...]
    revisable: tuple[Seat, ...] = ()

    @property
    def id(self) -> str:
        """The name a command answers to, such as `d42.choose`."""
        return f"d{self.opened}.{self.kind}"


@dataclass(frozen=True, slots=True)
class Description:
    """A legal move for people and clients: a label, what it costs, what it brings. `parameters` gives the
    range of a field for an entry that stands for several commands (`{"count": (1, 3)}`)."""

    label: str
    cost: dict[str, Any] = field(default_factory=dict)
    effects: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something a player might try now and may not, and why."""

    label: str
    reason: Reason
    missing: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended by its own rules: groups of seats from first to last, and each seat's points by
    category (their sum is its total). `winners` is None where the first group has won; [] says that nobody
    has."""

    ranking: list[list[Seat]]
    scores: list[dict[str, int]]
    winners: list[Seat] | None = None


class Generator(Protocol):
    """A bot's own dice."""

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""


# A bot: what its seat sees, what it may do, its own dice -> what it does. It has nothing to peek into.
Policy = Callable[[View, Sequence[Command], Generator], Command]


class Game(Protocol):
    """A game: constants and pure functions. Deciding never changes the state it is given."""

    @property
    def NAME(self) -> str: ...  # in URLs: "seven-wonders"
    @property
    def TITLE(self) -> str: ...
    @property
    def RULESET(self) -> str: ...  # "seven-wonders/1.0.0"
    @property
    def SEATS(self) -> range: ...  # how many may sit at a match
    @property
    def OPTIONS(self) -> tuple[Option, ...]: ...
    @property
    def COMMANDS(self) -> Mapping[str, type]: ...
    @property
    def EVENTS(self) -> Mapping[str, EventType]: ...
    @property
    def UPCASTS(self) -> Upcasts: ...
    @property
    def REDACTIONS(self) -> Redactions: ...
    @property
    def BOTS(self) -> Mapping[str, Policy]: ...
    @property
    def DECISIONS(self) -> Mapping[str, str]: ...  # kind of decision -> its default move, in words

    def initial(self) -> Any:
        """The state before anything."""

    def decide(self, state: Any, seat: Seat, command: Command, chance: Chance) -> list[Event]:
        """The facts this command makes true. Raises IllegalMove."""

    def advance(self, state: Any, chance: Chance) -> list[Event]:
        """The facts that follow by themselves now; [] when a seat is awaited or the game is over."""

    def evolve(self, state: Any, event: Event) -> None:
        """Apply one fact, in place. Total: no rule, no choice, no chance; bears face-down cards."""

    def legal_moves(self, state: Any, seat: Seat) -> list[Command]:
        """Every command `decide` accepts from this seat now, awaited or not; an entry that stands for a range
        has the maximum filled in (see `Description.parameters`)."""

    def default_move(self, state: Any, seat: Seat) -> Command:
        """The simplest harmless legal move of an awaited seat, for deadlines and for seats that resigned.
        Depends on nothing but what this seat may see."""

    def decisions(self, state: Any) -> list[Decision]:
        """The open decisions."""

    def outcome(self, state: Any) -> Outcome | None:
        """None while the game runs."""

    def view(self, state: Any, viewer: Viewer) -> View:
        """What a seat or the spectator may see, as JSON values."""

    def redeal(self, state: Any, viewer: Viewer, told: Sequence[Event], chance: Chance) -> list[Event]:
        """The facts that put cards where cards lie face down in `state`, which is folded from `told`, the
        events as the viewer was told them: dealt at random among all that fits what the viewer knows. The
        viewer's view stays as it is."""

    def backs(self) -> Mapping[str, str]:
        """Of every card that can lie face down, by its id, a name of what can be seen of it then: cards with
        the same name may lie in each other's place."""

    def command_of(self, event: Event) -> Command | None:
        """The command whose first event this is, or None: re-deciding a log needs no other record."""

    def describe(self, state: Any, seat: Seat, command: Command) -> Description:
        """A legal move of this seat in words and numbers."""

    def refused(self, state: Any, seat: Seat) -> list[Refusal]:
        """What this seat might try now and may not, and why."""

    def catalogue(self) -> dict[str, Any]:
        """Cards, boards and other printed facts as data for clients."""
