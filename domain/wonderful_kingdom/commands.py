"""What a player of It's a Wonderful Kingdom may ask, beside what both Wonderful games know.

Cards of the hand and the collection area are named by their kind, a development from building on by a name of
its own (`dev_mint_tower-1`), a card in an offering area by its position from 0. Lists are in alphabetical
order, but for cards laid face down, which lie as they are named. `substitutes` names each resource cube of a
cost that is paid with krystallium instead.
"""

from dataclasses import dataclass, field

from domain.kernel import registry
from domain.wonderful.commands import PlaceCubes, PlaceKrystallium, StoreCubes, Validate


@dataclass(frozen=True, slots=True)
class ChooseMenaceSet:
    """Take a set of menaces for the match."""

    set: str


@dataclass(frozen=True, slots=True)
class KeepAdvisor:
    """Keep one of the two advisors you drew, in secret until both players have chosen."""

    advisor: str


@dataclass(frozen=True, slots=True)
class ChooseMenace:
    """Take a menace of your set into your hand, in secret."""

    card: str


@dataclass(frozen=True, slots=True)
class OfferCards:
    """Lay two cards of your hand into the areas; each face-down card takes a trap token."""

    left: list[str] = field(default_factory=list)
    right: list[str] = field(default_factory=list)
    left_face_down: list[str] = field(default_factory=list)
    right_face_down: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SelectArea:
    """Take all cards of an area; `extra` (with an advisor only): positions of face-up cards of the other."""

    area: str
    extra: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PeekCard:
    """Look secretly at a face-down card in an area."""

    area: str
    position: int


@dataclass(frozen=True, slots=True)
class SalvageCard:
    """Take a face-up card that is left over after the last selection."""

    area: str
    position: int


@dataclass(frozen=True, slots=True)
class ActivateAdvisor:
    """Pay an advisor for its effect, once a round."""

    advisor: str
    substitutes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class BuildDevelopment:
    """Put a development of the collection area, or the card you kept, under construction."""

    card: str


@dataclass(frozen=True, slots=True)
class RecycleCollected:
    """Discard a development or treasure of the collection area, or the card you kept, for its cubes."""

    card: str


@dataclass(frozen=True, slots=True)
class DiscardCollected:
    """Discard a card of the collection area for nothing, as a menace demands."""

    card: str


@dataclass(frozen=True, slots=True)
class PlaceSoldiers:
    """Put soldiers on a development under construction; at any time."""

    card: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class ScrapDevelopment:
    """Give up a development under construction with all that lies on it, for its recycling bonus on your
    duchy; at any time."""

    card: str


@dataclass(frozen=True, slots=True)
class ExchangeCubes:
    """Return five cubes of your duchy for a krystallium; in quest mode, at any time."""

    cubes: list[str]


@dataclass(frozen=True, slots=True)
class CompleteQuest:
    """Pay a quest and receive its reward; at any time."""

    quest: str
    substitutes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class DefeatMenace:
    """Pay a menace you have under construction and put it back in the box."""

    card: str
    substitutes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ChooseCube:
    """Take a cube of a colour the effect lets you choose."""

    resource: str


@dataclass(frozen=True, slots=True)
class TransmuteCubes:
    """Return cubes of your duchy for krystallium, as the effect allows."""

    cubes: list[str]


@dataclass(frozen=True, slots=True)
class KeepDrawn:
    """Keep a card of those you drew; the others are discarded."""

    card: str


@dataclass(frozen=True, slots=True)
class PlaceStolenToken:
    """Choose the development a thief's token goes on."""

    card: str


@dataclass(frozen=True, slots=True)
class DeclineEffect:
    """Leave the rest of an effect unused."""

    effect: str


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
