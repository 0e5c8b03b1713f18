"""7 Wonders, 1st edition, 2 to 7 players: binds the names of the Game protocol."""

from collections.abc import Callable
from typing import Any, Final

from domain.kernel.bots import random_policy
from domain.kernel.chance import Chance
from domain.kernel.errors import refuse
from domain.kernel.game import Command, Decision, Event
from domain.kernel.seats import Seat
from domain.seven_wonders import building, choosing, conflicts, ending, powers, redealing, setup
from domain.seven_wonders import catalogue as _catalogue
from domain.seven_wonders.bots import easy_policy
from domain.seven_wonders.commands import (
    COMMANDS,
    ChooseBoard,
    ChooseSymbols,
    CopyGuild,
    LeaveSeventhCard,
    TakeFromDiscard,
    TakeNothing,
)
from domain.seven_wonders.describing import describe, refused
from domain.seven_wonders.ending import outcome
from domain.seven_wonders.events import (
    EVENTS,
    ActionChosen,
    ActionWithdrawn,
    BoardChosen,
    GuildCopied,
    NothingTaken,
    SeventhCardLeft,
    StructureBuilt,
    SymbolsChosen,
)
from domain.seven_wonders.options import OPTIONS
from domain.seven_wonders.redealing import backs, redeal
from domain.seven_wonders.state import (
    AGE_END,
    BOARDS,
    CHOOSING,
    ENDING,
    GUILD,
    SEARCHING,
    SETUP,
    SEVENTH,
    SYMBOLS,
    State,
)
from domain.seven_wonders.upcasts import UPCASTS
from domain.seven_wonders.view import REDACTIONS, view

NAME: Final = "seven-wonders"
TITLE: Final = "7 Wonders"
RULESET: Final = "seven-wonders/1.0.0"
SEATS: Final = range(2, 8)
BOTS: Final = {"random": random_policy, "easy": easy_policy}
DECISIONS: Final = {
    BOARDS: "the first board offered",
    CHOOSING: "discard the first card of the hand for coins; for the Free City the first thing it may do",
    SEVENTH: "discard the seventh card for coins; for the Free City the first thing it may do",
    SEARCHING: "build nothing, or the first card that can be built where one must",
    GUILD: "copy the guild that scores most",
    SYMBOLS: "the symbols that score most",
}

_LEGAL_MOVES: Final[dict[str, Callable[[State, Seat], list[Command]]]] = {
    BOARDS: setup.legal_moves,
    CHOOSING: choosing.legal_moves,
    SEVENTH: powers.seventh_legal_moves,
    SEARCHING: powers.search_legal_moves,
    GUILD: ending.guild_legal_moves,
    SYMBOLS: ending.symbol_legal_moves,
}
_DECIDE: Final[dict[str, Callable[[State, Seat, Command, Chance], list[Event]]]] = {
    BOARDS: setup.decide,
    CHOOSING: choosing.decide,
    SEVENTH: powers.seventh_decide,
    SEARCHING: powers.search_decide,
    GUILD: ending.guild_decide,
    SYMBOLS: ending.symbol_decide,
}
_DEFAULTS: Final[dict[str, Callable[[State, Seat], Command]]] = {
    BOARDS: setup.default_move,
    CHOOSING: choosing.default_move,
    SEVENTH: choosing.default_move,
    SEARCHING: powers.search_default_move,
    GUILD: ending.guild_default_move,
    SYMBOLS: ending.symbol_default_move,
}
_ADVANCE: Final[dict[str, Callable[[State, Chance], list[Event]]]] = {
    SETUP: setup.advance,
    BOARDS: setup.advance,
    CHOOSING: choosing.advance,
    SEVENTH: choosing.advance,
    ENDING: powers.advance,
    AGE_END: powers.advance_age,
    GUILD: powers.advance_age,
    SYMBOLS: powers.advance_age,
}
_HANDLERS: Final[dict[type, Callable[..., None]]] = {
    **setup.HANDLERS,
    **choosing.HANDLERS,
    **building.HANDLERS,
    **powers.HANDLERS,
    **conflicts.HANDLERS,
    **ending.HANDLERS,
    **redealing.HANDLERS,
}
_COMMAND_OF: Final[dict[type, Callable[[Any], Command | None]]] = {
    BoardChosen: lambda e: ChooseBoard(e.wonder, e.side),
    ActionChosen: choosing.command_of,
    ActionWithdrawn: choosing.command_of,
    SeventhCardLeft: lambda e: LeaveSeventhCard(),
    StructureBuilt: lambda e: TakeFromDiscard(e.card) if e.by == "discard-pile" else None,
    NothingTaken: lambda e: TakeNothing(),
    GuildCopied: lambda e: CopyGuild(e.guild),
    SymbolsChosen: lambda e: ChooseSymbols(e.symbols),
}


def initial() -> State:
    """The state before anything."""
    return State()


def decide(state: State, seat: Seat, command: Command, chance: Chance) -> list[Event]:
    """The facts this command makes true. Raises IllegalMove."""
    chapter = _DECIDE.get(state.phase)
    if chapter is None or not _may_act(state, seat):
        raise refuse("not-your-turn", "nothing is asked of this seat now")
    return chapter(state, seat, command, chance)


def _may_act(state: State, seat: Seat) -> bool:
    return 0 <= seat < state.seats if state.phase == CHOOSING else seat in state.awaited


def advance(state: State, chance: Chance) -> list[Event]:
    """The facts that follow by themselves now; [] when a seat is awaited or the game is over."""
    chapter = _ADVANCE.get(state.phase)
    return chapter(state, chance) if chapter is not None else []


def evolve(state: State, event: Event) -> None:
    """Apply one fact, in place; facts of the table other than the start change nothing here."""
    handler = _HANDLERS.get(type(event))
    if handler is not None:
        handler(state, event)


def legal_moves(state: State, seat: Seat) -> list[Command]:
    """Every command `decide` accepts from this seat now."""
    chapter = _LEGAL_MOVES.get(state.phase)
    return chapter(state, seat) if chapter is not None and _may_act(state, seat) else []


def default_move(state: State, seat: Seat) -> Command:
    """The default move of an awaited seat, as `DECISIONS` says it."""
    return _DEFAULTS[state.phase](state, seat)


def decisions(state: State) -> list[Decision]:
    """The one open decision, if any."""
    if state.phase == CHOOSING:
        awaited = choosing.awaited(state)
        return [Decision(CHOOSING, state.opened, awaited, choosing.revisable(state))] if awaited else []
    if state.awaited:
        return [Decision(state.phase, state.opened, tuple(state.awaited))]
    return []


def command_of(event: Event) -> Command | None:
    """The command whose first event this is, or None."""
    restore = _COMMAND_OF.get(type(event))
    return restore(event) if restore is not None else None


catalogue = _catalogue.catalogue

__all__ = [
    "BOTS",
    "COMMANDS",
    "DECISIONS",
    "EVENTS",
    "NAME",
    "OPTIONS",
    "REDACTIONS",
    "RULESET",
    "SEATS",
    "TITLE",
    "UPCASTS",
    "advance",
    "backs",
    "catalogue",
    "command_of",
    "decide",
    "decisions",
    "default_move",
    "describe",
    "evolve",
    "initial",
    "legal_moves",
    "outcome",
    "redeal",
    "refused",
    "view",
]
