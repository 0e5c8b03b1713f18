"""What happens at a table of 7 Wonders. `seat` is who acted, `city` whose city it concerns (a seat's own, or
the Free City). What is hidden from whom stands in `view.py`."""

from dataclasses import dataclass

from domain.kernel import registry
from domain.kernel.chance import DeckShuffled
from domain.kernel.seats import Seat
from domain.seven_wonders.state import Action


@dataclass(frozen=True, slots=True)
class TableSet:
    """The cities around the table, each with its first coins."""

    cities: int
    coins: int


@dataclass(frozen=True, slots=True)
class BoardsOffered:
    """The boards that may be chosen, as `wonder:side`."""

    boards: list[str]


@dataclass(frozen=True, slots=True)
class BoardDealt:
    """A city got its wonder; `side` is null where the seat will choose it."""

    city: int
    wonder: str
    side: str | None


@dataclass(frozen=True, slots=True)
class BoardChoiceOpened:
    """A seat is asked for its board."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class BoardChosen:
    """A seat chose its board."""

    seat: Seat
    wonder: str
    side: str


@dataclass(frozen=True, slots=True)
class HandsDealt:
    """An Age begins: every seat has its hand; with two players the rest is the draw pile."""

    age: int
    hands: list[list[str]]
    pile: list[str]


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """Two players: the seat with the Free City card drew the top card of the pile."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class ActionChosen:
    """A seat chose in secret (or replaced) what to do."""

    seat: Seat
    city: int
    action: Action | str


@dataclass(frozen=True, slots=True)
class ActionWithdrawn:
    """A seat took back its choice."""

    seat: Seat
    city: int


@dataclass(frozen=True, slots=True)
class StructureBuilt:
    """A structure stands in a city. `by`: paid, chain, olympia or discard-pile. Coins paid to the bank and
    the neighbours, and `coins` from the bank for its effect."""

    seat: Seat
    city: int
    card: str
    by: str
    bank: int = 0
    left: int = 0
    right: int = 0
    coins: int = 0


@dataclass(frozen=True, slots=True)
class StageBuilt:
    """The next stage of a wonder stands, `card` its marker (`face_up` where the table plays so)."""

    seat: Seat
    city: int
    stage: int
    card: str
    face_up: bool
    left: int = 0
    right: int = 0
    coins: int = 0


@dataclass(frozen=True, slots=True)
class CardDiscarded:
    """A card went to the discard pile for coins."""

    seat: Seat
    city: int
    card: str
    face_up: bool
    coins: int


@dataclass(frozen=True, slots=True)
class LeftoversDiscarded:
    """Cards left at the end of an Age went to the discard pile without coins: by seat, and the draw
    pile's."""

    hands: list[list[str]]
    pile: list[str]


@dataclass(frozen=True, slots=True)
class SeventhCardKept:
    """Babylon may play its seventh card: `seat` decides. `card` is what the Free City plays with, else
    null."""

    seat: Seat
    city: int
    card: str | None = None


@dataclass(frozen=True, slots=True)
class SeventhCardLeft:
    """Babylon lets the seventh card go to the discard pile."""

    seat: Seat
    city: int
    card: str


@dataclass(frozen=True, slots=True)
class DiscardPileSearched:
    """Halicarnassus looks through the discard pile. `asked` is false where nothing in it can be built."""

    seat: Seat
    city: int
    cards: list[str]
    asked: bool


@dataclass(frozen=True, slots=True)
class NothingTaken:
    """Halicarnassus builds nothing from the discard pile."""

    seat: Seat
    city: int


@dataclass(frozen=True, slots=True)
class HandsPassed:
    """Every hand went to the next seat; these are the hands now."""

    hands: list[list[str]]


@dataclass(frozen=True, slots=True)
class ConflictsResolved:
    """The conflicts of an Age: for each city the tokens against its left and its right neighbour, 0 for
    none."""

    age: int
    tokens: list[list[int]]


@dataclass(frozen=True, slots=True)
class GuildChoiceOffered:
    """Olympia may copy one of these guilds."""

    seat: Seat
    guilds: list[str]


@dataclass(frozen=True, slots=True)
class GuildCopied:
    """Olympia copies a guild, or none."""

    seat: Seat
    guild: str | None


@dataclass(frozen=True, slots=True)
class SymbolChoiceOffered:
    """These seats choose that many wild symbols."""

    seats: list[Seat]
    counts: list[int]


@dataclass(frozen=True, slots=True)
class SymbolsChosen:
    """A seat chose its wild symbols."""

    seat: Seat
    symbols: list[str]


@dataclass(frozen=True, slots=True)
class PointsCounted:
    """The points of every seat by category, and the guild each seat copied (or null)."""

    scores: list[dict[str, int]]
    copied: list[str | None]


@dataclass(frozen=True, slots=True)
class HiddenDealt:
    """In a sandbox: whatever one viewer could not see was dealt anew, and lies so now. `chosen` and `markers`
    are by city; `found` are the discards that `searched_by` looks through, the pile is shown to
    `pile_seen_by` (-1: nobody); `boards` is the draw of the boards while they are chosen."""

    actors: list[Seat]
    hands: list[list[str]]
    chosen: list[Action | str | None]
    markers: list[list[str]]
    open_markers: bool
    discard: list[str]
    searched_by: Seat
    found: list[str]
    pile: list[str]
    pile_seen_by: Seat
    boards: list[str]


EVENTS = registry.events(
    "seven_wonders",
    DeckShuffled,
    TableSet,
    BoardsOffered,
    BoardDealt,
    BoardChoiceOpened,
    BoardChosen,
    HandsDealt,
    CardDrawn,
    ActionChosen,
    ActionWithdrawn,
    StructureBuilt,
    StageBuilt,
    CardDiscarded,
    LeftoversDiscarded,
    SeventhCardKept,
    SeventhCardLeft,
    DiscardPileSearched,
    NothingTaken,
    HandsPassed,
    ConflictsResolved,
    GuildChoiceOffered,
    GuildCopied,
    SymbolChoiceOffered,
    SymbolsChosen,
    PointsCounted,
    HiddenDealt,
)
