"""What a player of 7 Wonders may ask."""

from dataclasses import dataclass
from typing import Annotated

from domain.kernel import registry
from domain.kernel.words import CardId, Coins, OneOf
from domain.seven_wonders.effects import SYMBOLS

Side = Annotated[str, OneOf(("A", "B"))]
Use = Annotated[str, OneOf(("structure", "free", "stage", "discard"))]
Symbol = Annotated[str, OneOf(SYMBOLS)]


@dataclass(frozen=True, slots=True)
class ChooseBoard:
    """Take a board (or a side of your board) that is still free."""

    wonder: CardId
    side: Side


@dataclass(frozen=True, slots=True)
class BuildStructure:
    """Build the structure on a card of your hand, paying these coins to the neighbours for missing
    resources."""

    card: CardId
    pay_left: Coins = 0
    pay_right: Coins = 0


@dataclass(frozen=True, slots=True)
class BuildForFree:
    """Build the structure on a card of your hand by Olympia's power, without any cost, once an Age."""

    card: CardId


@dataclass(frozen=True, slots=True)
class BuildStage:
    """Build the next stage of your wonder, with a card of your hand as its marker."""

    card: CardId
    pay_left: Coins = 0
    pay_right: Coins = 0


@dataclass(frozen=True, slots=True)
class DiscardForCoins:
    """Discard a card of your hand for 3 coins."""

    card: CardId


@dataclass(frozen=True, slots=True)
class PlayFreeCity:
    """Two players: choose a card for the Free City, after your own. `use` is structure, free, stage or
    discard; the payments are the Free City's."""

    use: Use
    card: CardId
    pay_left: Coins = 0
    pay_right: Coins = 0


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take back what you chose, as long as somebody has not chosen yet."""


@dataclass(frozen=True, slots=True)
class LeaveSeventhCard:
    """Babylon: let the seventh card be discarded without coins."""


@dataclass(frozen=True, slots=True)
class TakeFromDiscard:
    """Halicarnassus: build a card of the discard pile without any cost."""

    card: CardId


@dataclass(frozen=True, slots=True)
class TakeNothing:
    """Halicarnassus: build nothing from the discard pile."""


@dataclass(frozen=True, slots=True)
class CopyGuild:
    """Olympia: score this guild of a neighbour as your own; null: none."""

    guild: CardId | None = None


@dataclass(frozen=True, slots=True)
class ChooseSymbols:
    """Choose your wild symbols, all of them together."""

    symbols: list[Symbol]


COMMANDS = registry.commands(
    ChooseBoard,
    BuildStructure,
    BuildForFree,
    BuildStage,
    DiscardForCoins,
    PlayFreeCity,
    Withdraw,
    LeaveSeventhCard,
    TakeFromDiscard,
    TakeNothing,
    CopyGuild,
    ChooseSymbols,
)
