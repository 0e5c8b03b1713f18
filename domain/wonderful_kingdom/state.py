"""The table of It's a Wonderful Kingdom: areas, duchies, what is under construction, what is owed."""

from dataclasses import dataclass, field
from typing import Any, Final

from domain.kernel.redaction import FACE_DOWN
from domain.kernel.seats import Seat
from domain.wonderful_kingdom.bags import COLOURS, NAMES
from domain.wonderful_kingdom.cards import TYPES

# Phases of play, also the kinds of decisions but for `setup`, `dealt` and `over`, in which nothing is asked.
SETUP: Final = "setup"
DEALT: Final = "dealt"
MENACE_SET: Final = "menace_set"
ADVISOR: Final = "advisor"
MENACE: Final = "menace"
OFFER: Final = "offer"
SELECT: Final = "select"
LEFTOVERS: Final = "leftovers"
PLANNING: Final = "planning"
STEAL: Final = "steal"
BEFORE_COUNT: Final = "before_count"
PRODUCTION: Final = "production"
FIGHT: Final = "fight"
OVER: Final = "over"

LEFT: Final = "left"
RIGHT: Final = "right"
AREAS: Final = (LEFT, RIGHT)
NOBODY: Final[Seat] = -1


def _nothing() -> list[int]:
    return [0] * len(NAMES)


def _no_cubes() -> list[int]:
    return [0] * len(COLOURS)


@dataclass(slots=True)
class Laid:
    """A card in an offering area or a collection area. A card laid face down by a seat is known to those
    in `seen`; to all others it is `FACE_DOWN`, also in a state folded from what they are told."""

    card: str
    face_down: bool = False
    by: Seat = NOBODY
    seen: list[Seat] = field(default_factory=list)

    def shown_to(self, viewer: Seat) -> str:
        """The card, or its back."""
        return FACE_DOWN if self.face_down and viewer not in self.seen else self.card


@dataclass(slots=True)
class Construction:
    """A development under construction. `empty` counts its free slots by kind, `left` all of them; `placed`
    counts what lies on it (a krystallium on a colour's slot counts as krystallium)."""

    kind: str
    empty: list[int]
    left: int
    placed: list[int] = field(default_factory=_nothing)


@dataclass(slots=True)
class Board:
    """What lies before a player. A development has a name of its own from building on, `dev_mint_tower-1`.

    `pool`: the cubes to place now (the colours), the krystallium and soldiers kept. `bound`: cubes that must
    go on the duchy. `loose`: the cubes that lie there. What follows `traps` lasts for the round or for the
    effect that gave it and is zero or empty otherwise.
    """

    duchy: str = ""
    pool: list[int] = field(default_factory=_nothing)
    bound: list[int] = field(default_factory=_no_cubes)
    loose: list[int] = field(default_factory=_no_cubes)
    icons: list[int] = field(default_factory=_nothing)  # of the duchy
    training: int = 0
    collection: list[Laid] = field(default_factory=list)
    constructions: dict[str, Construction] = field(default_factory=dict)
    constructed: dict[str, str] = field(default_factory=dict)  # name -> kind, in order of completion
    types: list[int] = field(default_factory=lambda: [0] * len(TYPES))
    begun: dict[str, int] = field(default_factory=dict)  # how many of a kind were ever built
    calamities: list[str] = field(default_factory=list)
    menaces: list[str] = field(default_factory=list)  # in order of arrival
    stolen: dict[str, str] = field(default_factory=dict)  # thief -> the development under its token
    menace_set: str = ""
    menaces_dealt: int = 0
    unplayed: list[str] = field(default_factory=list)  # of the own set; the owner alone knows which
    advisors: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)  # advisors activated this round
    quests: list[str] = field(default_factory=list)
    done: bool = False  # with this step
    traps: int = 0  # tokens used this round
    extra_traps: int = 0
    peeks: int = 0
    extra_cards: int = 0
    salvages: int = 0
    doubles: int = 0
    boost: int = 0
    wins_ties: bool = False
    drawn: list[str] = field(default_factory=list)  # looked at; `keep` of them stay
    keep: int = 0
    kept: list[str] = field(default_factory=list)  # kept out of planning, to build or recycle at once
    choices: list[list[str]] = field(default_factory=list)  # cubes to name, each of these colours
    transmutes: list[list[int]] = field(default_factory=list)  # cubes returned, krystallium gained
    discards: int = 0  # cards of the collection area to discard


@dataclass(slots=True)
class State:
    """The state of play. `version` counts the events of the match, `opened` is the version at which the open
    decision opened. `actor` is the one seat asked in phases that ask one at a time, `asked` those that were;
    `queue` the effects of menaces still to happen at the start of production."""

    version: int = 0
    opened: int = 0
    phase: str = SETUP
    seats: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    round: int = 0
    start: Seat = NOBODY
    turn: int = 0
    step: int = -1
    actor: Seat = NOBODY
    asked: list[Seat] = field(default_factory=list)
    boards: list[Board] = field(default_factory=list)
    hands: list[list[str]] = field(default_factory=list)
    areas: dict[str, list[Laid]] = field(default_factory=lambda: {LEFT: [], RIGHT: []})
    deck: list[str] = field(default_factory=list)
    calamities: list[str] = field(default_factory=list)  # not dealt yet
    rats: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)  # face up, sorted
    buried: list[Laid] = field(default_factory=list)  # face-down leftovers, never turned
    box: list[str] = field(default_factory=list)  # seen leaving the game
    drawn_advisors: list[list[str]] = field(default_factory=list)
    picks: list[str | None] = field(default_factory=list)  # advisors and menaces chosen in secret
    counts: list[int] = field(default_factory=list)  # icons of this step by seat
    queue: list[list[Any]] = field(default_factory=list)
    scores: list[dict[str, int]] = field(default_factory=list)
    failed: list[Seat] = field(default_factory=list)  # without the major quest at the end


def other(seat: Seat) -> Seat:
    """The opponent."""
    return 1 - seat


def seats_from_start(state: State) -> tuple[Seat, Seat]:
    """The start player of the round, then the other."""
    return state.start, other(state.start)


def turn_of(state: State) -> Seat:
    """Who offers or selects now: start player offers, the other selects and offers, the start player
    selects, and so on (rules 3.3)."""
    return other(state.start) if state.turn % 4 in (1, 2) else state.start


def discard(state: State, card: str) -> None:
    """A card lies face up on the discard pile, through which everybody may look."""
    state.discard.append(card)
    state.discard.sort()


def holder_of(state: State, menace: str) -> Seat:
    """Who has this menace under construction."""
    return next(seat for seat, board in enumerate(state.boards) if menace in board.menaces)
