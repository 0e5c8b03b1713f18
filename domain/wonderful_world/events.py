"""What happens at a table of It's a Wonderful World, beside what both Wonderful games know. What is hidden
from whom stands in `view.py`. Lists with an entry a seat are in the order of seats."""

from dataclasses import dataclass

from domain.kernel import registry
from domain.kernel.chance import DeckShuffled
from domain.kernel.seats import Seat
from domain.wonderful.events import (
    CardConstructed,
    CardRecycled,
    CardSlated,
    ConstructionDiscarded,
    CubesPlaced,
    CubesStored,
    KrystalliumPlaced,
    StepValidated,
)


@dataclass(frozen=True, slots=True)
class EmpiresDealt:
    """Every seat has its Empire card, on it the krystallium it starts with."""

    side: str
    empires: list[str]
    krystallium: list[int]


@dataclass(frozen=True, slots=True)
class HandsDealt:
    """A round begins: every seat has its hand, so many cards of it from the Ascension deck."""

    round: int
    hands: list[list[str]]
    ascension: list[int]


@dataclass(frozen=True, slots=True)
class CardDrafted:
    """A seat picked a card in secret."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class PickWithdrawn:
    """A seat took back its pick."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PicksRevealed:
    """The picked cards lie in the draft areas, face up."""

    cards: list[str]


@dataclass(frozen=True, slots=True)
class HandsPassed:
    """Every hand went to the next seat (`to` left or right); these are the hands now, with so many
    Ascension cards."""

    to: str
    hands: list[list[str]]
    ascension: list[int]


@dataclass(frozen=True, slots=True)
class LeftoversDiscarded:
    """The cards left in the hands after seven picks went to the discard pile."""

    hands: list[list[str]]


@dataclass(frozen=True, slots=True)
class PlanningBegan:
    """The drafted cards are planned now."""

    round: int


@dataclass(frozen=True, slots=True)
class CharactersPlaced:
    """Characters lie on a card under construction."""

    seat: Seat
    card: str
    character: str
    count: int


@dataclass(frozen=True, slots=True)
class CubesProduced:
    """A production step begins: every seat has so many cubes of this resource to place."""

    resource: str
    counts: list[int]


@dataclass(frozen=True, slots=True)
class TokensProduced:
    """The sixth production step begins for these seats: every seat received so much."""

    seats: list[Seat]
    krystallium: list[int]
    financiers: list[int]
    generals: list[int]


@dataclass(frozen=True, slots=True)
class SupremacyAwarded:
    """A seat produced most of a resource and received this character; null: it chooses one."""

    seat: Seat
    resource: str
    character: str | None


@dataclass(frozen=True, slots=True)
class CharacterChosen:
    """A seat chose its character."""

    seat: Seat
    character: str


@dataclass(frozen=True, slots=True)
class PilesDealt:
    """Alone: the piles of the game, two a round, face down; the rest of the deck is the draw pile."""

    piles: list[list[str]]


@dataclass(frozen=True, slots=True)
class ScenarioLaidOut:
    """Alone: the cards of the scenario are under construction."""

    seat: Seat
    scenario: str
    cards: list[str]


@dataclass(frozen=True, slots=True)
class PileTaken:
    """Alone: a pile is planned now."""

    round: int
    pile: int
    cards: list[str]


@dataclass(frozen=True, slots=True)
class CardsSwapped:
    """Alone: two cards were discarded, five drawn, of which one is kept."""

    seat: Seat
    cards: list[str]
    drawn: list[str]


@dataclass(frozen=True, slots=True)
class CardKept:
    """Alone: one of the cards drawn is kept, the others are discarded."""

    seat: Seat
    card: str
    discarded: list[str]


@dataclass(frozen=True, slots=True)
class PointsCounted:
    """The points of every seat by category."""

    scores: list[dict[str, int]]


@dataclass(frozen=True, slots=True)
class HiddenDealt:
    """In a sandbox: whatever one viewer could not see was dealt anew, and lies so now."""

    hands: list[list[str]]
    picks: list[str | None]
    deck: list[str]
    ascension: list[str]
    piles: list[list[str]]


EVENTS = registry.events(
    "wonderful_world",
    DeckShuffled,
    EmpiresDealt,
    HandsDealt,
    CardDrafted,
    PickWithdrawn,
    PicksRevealed,
    HandsPassed,
    LeftoversDiscarded,
    PlanningBegan,
    CardSlated,
    CardRecycled,
    CubesProduced,
    TokensProduced,
    SupremacyAwarded,
    CharacterChosen,
    CubesPlaced,
    CubesStored,
    KrystalliumPlaced,
    CharactersPlaced,
    ConstructionDiscarded,
    CardConstructed,
    StepValidated,
    PilesDealt,
    ScenarioLaidOut,
    PileTaken,
    CardsSwapped,
    CardKept,
    PointsCounted,
    HiddenDealt,
)
