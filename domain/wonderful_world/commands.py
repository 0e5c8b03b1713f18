"""What a player of It's a Wonderful World may ask, beside what both Wonderful games know."""

from dataclasses import dataclass
from typing import Annotated

from domain.kernel import registry
from domain.kernel.words import CardId, Count, OneOf
from domain.wonderful.commands import (
    DiscardConstruction,
    PlaceCubes,
    PlaceKrystallium,
    RecycleCard,
    SlateCard,
    StoreCubes,
    Validate,
)
from domain.wonderful.cubes import FINANCIER, NAMES

Character = Annotated[str, OneOf(NAMES[FINANCIER:])]


@dataclass(frozen=True, slots=True)
class DraftCard:
    """Pick a card of your hand, in secret."""

    card: CardId


@dataclass(frozen=True, slots=True)
class WithdrawPick:
    """Take back your pick, as long as somebody has not picked yet."""


@dataclass(frozen=True, slots=True)
class PlaceCharacters:
    """Put financiers or generals on a card under construction; at any time."""

    card: CardId
    character: Character
    count: Count = 1


@dataclass(frozen=True, slots=True)
class ChooseCharacter:
    """You produced most science: take a financier or a general."""

    character: Character


@dataclass(frozen=True, slots=True)
class SwapCards:
    """Alone: discard two drafted cards, named in the order of their ids, without their cubes, for five of
    which you keep one."""

    cards: list[CardId]


@dataclass(frozen=True, slots=True)
class KeepCard:
    """Alone: keep one of the five cards drawn; the others are discarded."""

    card: CardId


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
