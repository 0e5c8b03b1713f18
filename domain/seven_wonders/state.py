"""The table of 7 Wonders: cities, hands, decks, and what was chosen in secret."""

from dataclasses import dataclass, field
from typing import Any, Final

from domain.kernel.seats import Seat
from domain.seven_wonders.effects import Sources
from domain.seven_wonders.wonders import WONDERS, Board

# Phases of play, each the key of a chapter of the rules.
SETUP: Final = "setup"
BOARDS: Final = "board"  # seats choose their boards in turn
CHOOSING: Final = "choose"  # everybody chooses in secret
ENDING: Final = "turn-end"  # a turn was carried out; powers, leftovers, conflicts, passing
SEVENTH: Final = "seventh-card"  # Babylon plays its seventh card
SEARCHING: Final = "discard-pick"  # Halicarnassus builds from the discard pile
AGE_END: Final = "age-end"  # the conflicts of the Age are resolved
GUILD: Final = "copy-guild"  # Olympia chooses a guild to copy (asked for by an option)
SYMBOLS: Final = "choose-symbols"  # wild symbols are chosen (asked for by an option)
OVER: Final = "over"

FREE_CITY: Final = 2  # the third city of the two-player game; nobody's seat


@dataclass(frozen=True, slots=True)
class Action:
    """What a seat chose to do with a card: `use` is structure, free (Olympia), stage or discard; `left` and
    `right` are the coins paid to the neighbours."""

    use: str
    card: str
    left: int = 0
    right: int = 0


@dataclass(slots=True)
class City:
    """A city. `own`, `sale`, `discounts`, `shields`, `structures` sum up what is built."""

    wonder: str = ""
    side: str = ""
    coins: int = 0
    cards: list[str] = field(default_factory=list)
    structures: set[str] = field(default_factory=set)
    markers: list[str] = field(default_factory=list)  # one a built stage
    own: Sources = 0
    sale: Sources = 0
    discounts: int = 0
    shields: int = 0
    tokens: list[int] = field(default_factory=list)  # +1, +3, +5 and -1
    free_build_age: int = 0  # the Age in which Olympia's free build was last used

    @property
    def board(self) -> Board:
        return WONDERS[self.wonder][self.side]


@dataclass(slots=True)
class State:
    """The state of play. `version` counts the events of the match, `opened` is the version at which the open
    decision opened. Hands and `chosen` are by seat and by city; cities are seats, plus the Free City with
    two."""

    version: int = 0
    opened: int = 0
    phase: str = SETUP
    seats: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    age: int = 0
    turn: int = 0
    cities: list[City] = field(default_factory=list)
    hands: list[list[str]] = field(default_factory=list)
    chosen: list[Action | str | None] = field(default_factory=list)
    changes: list[int] = field(default_factory=list)  # how often each city's choice of this turn was made
    actors: list[Seat] = field(default_factory=list)  # who acts for each city
    discard: list[str] = field(default_factory=list)
    face_up: list[str] = field(default_factory=list)  # what of it was discarded for all to see (U9)
    drawn: list[str] = field(default_factory=list)  # the latest draw
    offered: list[str] = field(default_factory=list)  # boards that may be chosen, as wonder:side
    pile: list[str] = field(default_factory=list)  # the draw pile of the two-player game
    holder: Seat = 0  # the seat with the Free City card
    awaited: list[Seat] = field(default_factory=list)  # in phases that do not wait for `chosen`
    powered: int = -1  # the city whose power is used in the phases seventh-card and discard-pick
    fresh: list[int] = field(default_factory=list)  # cities with a new stage whose power is still to come
    found: list[str] = field(default_factory=list)  # the discard pile while it is searched
    guilds: list[str] = field(default_factory=list)  # what may be copied
    wild: dict[Seat, int] = field(default_factory=dict)  # symbols to choose
    copied: dict[Seat, str | None] = field(default_factory=dict)
    symbols: dict[Seat, list[str]] = field(default_factory=dict)
    scores: list[dict[str, int]] = field(default_factory=list)


def left_city(state: State, city: int) -> City:
    """The left neighbour (rules 1.1)."""
    return state.cities[(city + 1) % len(state.cities)]


def right_city(state: State, city: int) -> City:
    """The right neighbour (rules 1.1)."""
    return state.cities[city - 1]
