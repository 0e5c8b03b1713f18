"""What a player of It's a Wonderful Kingdom may ask, beside what both Wonderful games know.

Cards of the hand and the collection area are named by their kind, a development from building on by a name of
its own (`dev_mint_tower-1`), a card in an offering area by its position from 0. Lists are in alphabetical
order, but for cards laid face down, which lie as they are named. `substitutes` names each resource cube of a
cost that is paid with krystallium instead.
"""

from dataclasses import dataclass, field
from typing import Annotated

from domain.kernel import registry
from domain.kernel.words import CardId, Count, OneOf, Range
from domain.wonderful.commands import PlaceCubes, PlaceKrystallium, StoreCubes, Validate
from domain.wonderful_kingdom.bags import STEPS

Area = Annotated[str, OneOf(("left", "right"))]
Colour = Annotated[str, OneOf(STEPS)]
Position = Annotated[int, Range(0, 100)]


@dataclass(frozen=True, slots=True)
class ChooseMenaceSet:
    """Take a set of menaces for the match."""

    set: CardId


@dataclass(frozen=True, slots=True)
class KeepAdvisor:
    """Keep one of the two advisors you drew, in secret until both players have chosen."""

    advisor: CardId


@dataclass(frozen=True, slots=True)
class ChooseMenace:
    """Take a menace of your set into your hand, in secret."""

    card: CardId


@dataclass(frozen=True, slots=True)
class OfferCards:
    """Lay two cards of your hand into the areas; each face-down card takes a trap token."""

    left: list[CardId] = field(default_factory=list)
    right: list[CardId] = field(default_factory=list)
    left_face_down: list[CardId] = field(default_factory=list)
    right_face_down: list[CardId] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SelectArea:
    """Take all cards of an area; `extra` (with an advisor only): positions of face-up cards of the other."""

    area: Area
    extra: list[Position] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PeekCard:
    """Look secretly at a face-down card in an area."""

    area: Area
    position: Position


@dataclass(frozen=True, slots=True)
class SalvageCard:
    """Take a face-up card that is left over after the last selection."""

    area: Area
    position: Position


@dataclass(frozen=True, slots=True)
class ActivateAdvisor:
    """Pay an advisor for its effect, once a round."""

    advisor: CardId
    substitutes: list[Colour] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class BuildDevelopment:
    """Put a development of the collection area, or the card you kept, under construction."""

    card: CardId


@dataclass(frozen=True, slots=True)
class RecycleCollected:
    """Discard a development or treasure of the collection area, or the card you kept, for its cubes."""

    card: CardId


@dataclass(frozen=True, slots=True)
class DiscardCollected:
    """Discard a card of the collection area for nothing, as a menace demands."""

    card: CardId


@dataclass(frozen=True, slots=True)
class PlaceSoldiers:
    """Put soldiers on a development under construction; at any time."""

    card: CardId
    count: Count = 1


@dataclass(frozen=True, slots=True)
class ScrapDevelopment:
    """Give up a development under construction with all that lies on it, for its recycling bonus on your
    duchy; at any time."""

    card: CardId


@dataclass(frozen=True, slots=True)
class ExchangeCubes:
    """Return five cubes of your duchy for a krystallium; in quest mode, at any time."""

    cubes: list[Colour]


@dataclass(frozen=True, slots=True)
class CompleteQuest:
    """Pay a quest and receive its reward; at any time."""

    quest: CardId
    substitutes: list[Colour] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class DefeatMenace:
    """Pay a menace you have under construction and put it back in the box."""

    card: CardId
    substitutes: list[Colour] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ChooseCube:
    """Take a cube of a colour the effect lets you choose."""

    resource: Colour


@dataclass(frozen=True, slots=True)
class TransmuteCubes:
    """Return cubes of your duchy for krystallium, as the effect allows."""

    cubes: list[Colour]


@dataclass(frozen=True, slots=True)
class KeepDrawn:
    """Keep a card of those you drew; the others are discarded."""

    card: CardId


@dataclass(frozen=True, slots=True)
class PlaceStolenToken:
    """Choose the development a thief's token goes on."""

    card: CardId


@dataclass(frozen=True, slots=True)
class DeclineEffect:
    """Leave the rest of an effect unused."""

    effect: CardId


COMMANDS = registry.commands(
    ChooseMenaceSet,
    KeepAdvisor,
    ChooseMenace,
    OfferCards,
    SelectArea,
    PeekCard,
    SalvageCard,
    ActivateAdvisor,
    BuildDevelopment,
    RecycleCollected,
    DiscardCollected,
    PlaceCubes,
    StoreCubes,
    PlaceKrystallium,
    PlaceSoldiers,
    ScrapDevelopment,
    ExchangeCubes,
    CompleteQuest,
    DefeatMenace,
    ChooseCube,
    TransmuteCubes,
    KeepDrawn,
    PlaceStolenToken,
    DeclineEffect,
    Validate,
)
