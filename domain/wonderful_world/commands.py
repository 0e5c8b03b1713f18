"""What a player of It's a Wonderful World may ask, beside what both Wonderful games know."""

from dataclasses import dataclass

from domain.kernel import registry
from domain.wonderful.commands import (
    DiscardConstruction,
    PlaceCubes,
    PlaceKrystallium,
    RecycleCard,
    SlateCard,
    StoreCubes,
    Validate,
)


@dataclass(frozen=True, slots=True)
class DraftCard:
    """Pick a card of your hand, in secret."""

    card: str


@dataclass(frozen=True, slots=True)
class WithdrawPick:
    """Take back your pick, as long as somebody has not picked yet."""


@dataclass(frozen=True, slots=True)
class PlaceCharacters:
    """Put financiers or generals on a card under construction; at any time."""

    card: str
    character: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class ChooseCharacter:
    """You produced most science: take a financier or a general."""

    character: str


@dataclass(frozen=True, slots=True)
class SwapCards:
    """Alone: discard two drafted cards, named in the order of their ids, without their cubes, for five of
    which you keep one."""

    cards: list[str]


@dataclass(frozen=True, slots=True)
class KeepCard:
    """Alone: keep one of the five cards drawn; the others are discarded."""

    card: str


COMMANDS = registry.commands(
    DraftCard,
    WithdrawPick,
    SlateCard,
    RecycleCard,
    PlaceCubes,
    StoreCubes,
    PlaceKrystallium,
    PlaceCharacters,
    DiscardConstruction,
    ChooseCharacter,
    SwapCards,
    KeepCard,
    Validate,
)
