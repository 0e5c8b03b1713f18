"""It's a Wonderful World, alone and with 2 to 7 players: binds the names of the Game protocol."""

from collections.abc import Callable
from typing import Any, Final

from domain.kernel.chance import Chance
from domain.kernel.errors import refuse
from domain.kernel.game import Command, Decision, Event
from domain.kernel.seats import Seat
from domain.wonderful.commands import (
    DiscardConstruction,
    PlaceCubes,
    PlaceKrystallium,
    RecycleCard,
    SlateCard,
    StoreCubes,
    Validate,
)
from domain.wonderful.events import (
    CardRecycled,
    CardSlated,
    ConstructionDiscarded,
    CubesPlaced,
    CubesStored,
    KrystalliumPlaced,
    StepValidated,
)
from domain.wonderful_world import building, draft, ending, planning, production, redealing, setup, solo
from domain.wonderful_world.bots import BOTS
from domain.wonderful_world.catalogue import catalogue
from domain.wonderful_world.commands import (
    COMMANDS,
    ChooseCharacter,
    DraftCard,
    KeepCard,
    PlaceCharacters,
    SwapCards,
    WithdrawPick,
)
from domain.wonderful_world.describing import describe, refused
from domain.wonderful_world.ending import outcome
from domain.wonderful_world.events import (
    EVENTS,
    CardDrafted,
    CardKept,
    CardsSwapped,
    CharacterChosen,
    CharactersPlaced,
    PickWithdrawn,
)
from domain.wonderful_world.options import OPTIONS
from domain.wonderful_world.redealing import backs, redeal
from domain.wonderful_world.state import DRAFT, PLANNING, PRODUCTION, REVEALED, SETUP, State
from domain.wonderful_world.upcasts import UPCASTS
from domain.wonderful_world.view import REDACTIONS, view

NAME: Final = "its-a-wonderful-world"
TITLE: Final = "It's a Wonderful World"
RULESET: Final = "its-a-wonderful-world/1.0.0"
SEATS: Final = range(1, 8)
DECISIONS: Final = {
    DRAFT: "pick the first card of the hand",
    PLANNING: "recycle what is drafted to the Empire card, then validate; alone, keep the first card drawn",
    PRODUCTION: "take a financier where one is chosen, store the cubes on the Empire card, then validate",
}

_LEGAL_MOVES: Final[dict[str, Callable[[State, Seat], list[Command]]]] = {
    DRAFT: draft.legal_moves,
    PLANNING: planning.legal_moves,
    PRODUCTION: production.legal_moves,
}
_DECIDE: Final[dict[str, Callable[[State, Seat, Command, Chance], list[Event]]]] = {
    DRAFT: draft.decide,
    PLANNING: planning.decide,
    PRODUCTION: production.decide,
}
_DEFAULTS: Final[dict[str, Callable[[State, Seat], Command]]] = {
    DRAFT: draft.default_move,
    PLANNING: planning.default_move,
    PRODUCTION: production.default_move,
}
_ADVANCE: Final[dict[str, Callable[[State, Chance], list[Event]]]] = {
    SETUP: setup.advance,
    DRAFT: draft.advance,
    REVEALED: draft.advance_revealed,
    PLANNING: planning.advance,
    PRODUCTION: production.advance,
}
_HANDLERS: Final[dict[type, Callable[..., None]]] = {
    **setup.HANDLERS,
    **draft.HANDLERS,
    **solo.HANDLERS,
    **building.HANDLERS,
    **production.HANDLERS,
    **ending.HANDLERS,
    **redealing.HANDLERS,
}
_COMMAND_OF: Final[dict[type, Callable[[Any], Command | None]]] = {
    CardDrafted: lambda e: DraftCard(e.card),
    PickWithdrawn: lambda e: WithdrawPick(),
    CardSlated: lambda e: SlateCard(e.kind),
    CardRecycled: lambda e: RecycleCard(e.kind, e.target),
    CubesPlaced: lambda e: PlaceCubes(e.card, e.resource, e.count),
    CubesStored: lambda e: None if e.forced else StoreCubes(e.resource, e.count),
    KrystalliumPlaced: lambda e: PlaceKrystallium(e.card, e.space, e.count),
    CharactersPlaced: lambda e: PlaceCharacters(e.card, e.character, e.count),
    ConstructionDiscarded: lambda e: DiscardConstruction(e.card),
    CharacterChosen: lambda e: ChooseCharacter(e.character),
    CardsSwapped: lambda e: SwapCards(e.cards),
    CardKept: lambda e: KeepCard(e.card),
    StepValidated: lambda e: None if e.automatic else Validate(),
}


def initial() -> State:
    """The state before anything."""
    return State()


def decide(state: State, seat: Seat, command: Command, chance: Chance) -> list[Event]:
    """The facts this command makes true. Raises IllegalMove."""
    chapter = _DECIDE.get(state.phase)
    if chapter is None or not 0 <= seat < state.seats:
        raise refuse("not-your-turn", "nothing is asked of this seat now")
    events = building.decide_free(state.boards[seat], seat, command)
    return chapter(state, seat, command, chance) if events is None else events


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
    """Every command `decide` accepts from this seat now; a count stands for every number up to it."""
    chapter = _LEGAL_MOVES.get(state.phase)
    return chapter(state, seat) if chapter is not None and 0 <= seat < state.seats else []


def default_move(state: State, seat: Seat) -> Command:
    """The default move of an awaited seat, as `DECISIONS` says it."""
    return _DEFAULTS[state.phase](state, seat)


def decisions(state: State) -> list[Decision]:
    """The one open decision: everybody acts at the same time, and whoever is done may still take a pick back
    or use free actions until the step closes (rules 6.10, 8.5)."""
    if state.phase not in _DECIDE:
        return []
    awaited: list[Seat] = []
    revisable: list[Seat] = []
    drafting = state.phase == DRAFT
    for seat, board in enumerate(state.boards):
        if state.picks[seat] is None if drafting else not board.validated:
            awaited.append(seat)
        elif board.constructions or (drafting and draft.why_not_withdraw(state, seat) is None):
            revisable.append(seat)
    return [Decision(state.phase, state.opened, tuple(awaited), tuple(revisable))] if awaited else []


def command_of(event: Event) -> Command | None:
    """The command whose first event this is, or None."""
    restore = _COMMAND_OF.get(type(event))
    return restore(event) if restore is not None else None


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
