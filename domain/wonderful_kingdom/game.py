"""The game bound to a card set: the names of the Game protocol. One file a phase says what happens in it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain.kernel.chance import Chance
from domain.kernel.errors import refuse
from domain.kernel.game import Command, Decision, Description, Event, Option, Outcome, Policy, Refusal
from domain.kernel.redaction import Redactions
from domain.kernel.registry import EventType, Upcasts
from domain.kernel.seats import Seat, Viewer
from domain.wonderful_kingdom import (
    anytime,
    building,
    collecting,
    defaults,
    describing,
    effects,
    ending,
    fighting,
    offering,
    planning,
    production,
    redealing,
    restoring,
    setup,
)
from domain.wonderful_kingdom.bots import bots
from domain.wonderful_kingdom.cards import CardSet
from domain.wonderful_kingdom.catalogue import catalogue
from domain.wonderful_kingdom.commands import COMMANDS
from domain.wonderful_kingdom.effects import owes
from domain.wonderful_kingdom.events import EVENTS
from domain.wonderful_kingdom.options import options
from domain.wonderful_kingdom.state import (
    ADVISOR,
    BEFORE_COUNT,
    FIGHT,
    LEFTOVERS,
    MENACE,
    MENACE_SET,
    NOBODY,
    OFFER,
    PLANNING,
    PRODUCTION,
    SELECT,
    SETUP,
    STEAL,
    State,
    turn_of,
)
from domain.wonderful_kingdom.upcasts import UPCASTS
from domain.wonderful_kingdom.view import REDACTIONS, view

NAME: Final = "its-a-wonderful-kingdom"
TITLE: Final = "It's a Wonderful Kingdom"
RULES: Final = "its-a-wonderful-kingdom/1.0.0"

_MOVES: Final[Mapping[str, Callable[[CardSet, State, Seat], list[Command]]]] = {
    MENACE_SET: setup.set_moves,
    ADVISOR: setup.advisor_moves,
    MENACE: setup.menace_moves,
    OFFER: offering.offer_moves,
    SELECT: offering.select_moves,
    LEFTOVERS: offering.leftover_moves,
    PLANNING: planning.moves,
    STEAL: production.token_moves,
    BEFORE_COUNT: production.count_moves,
    PRODUCTION: production.moves,
    FIGHT: fighting.moves,
}
_DECIDE: Final[Mapping[str, Callable[[CardSet, State, Seat, Command], list[Event]]]] = {
    MENACE_SET: setup.choose_set,
    ADVISOR: setup.keep_advisor,
    MENACE: setup.choose_menace,
    OFFER: offering.offer,
    SELECT: offering.select,
    LEFTOVERS: offering.salvage,
    PLANNING: planning.decide,
    STEAL: production.put_token,
    BEFORE_COUNT: production.before_count,
    PRODUCTION: production.decide,
    FIGHT: fighting.decide,
}
_ADVANCE: Final[Mapping[str, Callable[[CardSet, State, Chance], list[Event]]]] = {
    SETUP: setup.advance,
    MENACE_SET: setup.set_advance,
    ADVISOR: setup.advisor_advance,
    MENACE: setup.menace_advance,
    LEFTOVERS: offering.leftover_advance,
    PLANNING: planning.advance,
    STEAL: production.menace_advance,
    BEFORE_COUNT: production.count_advance,
    PRODUCTION: production.advance,
    FIGHT: fighting.advance,
}
_BEFORE_THE_DEAL: Final = (SETUP, MENACE_SET, ADVISOR)  # no free actions yet
_HANDLERS: Final[Mapping[type, Callable[..., None]]] = {
    **setup.HANDLERS,
    **offering.HANDLERS,
    **planning.HANDLERS,
    **building.HANDLERS,
    **collecting.HANDLERS,
    **effects.HANDLERS,
    **anytime.HANDLERS,
    **production.HANDLERS,
    **fighting.HANDLERS,
    **ending.HANDLERS,
    **redealing.HANDLERS,
}


def awaited(state: State) -> list[Seat]:
    """The seats the match waits for: those whose turn it is, and all that owe something."""
    match state.phase:
        case "menace_set" | "leftovers" | "steal" | "before_count":
            turn = [] if state.actor == NOBODY else [state.actor]
        case "offer" | "select":
            turn = [turn_of(state)]
        case "advisor" | "menace":
            turn = [seat for seat, pick in enumerate(state.picks) if pick is None]
        case _:
            turn = [seat for seat, board in enumerate(state.boards) if not board.done]
    return sorted({*turn, *(seat for seat, board in enumerate(state.boards) if owes(board))})


@dataclass(frozen=True, slots=True)
class Kingdom:
    """It's a Wonderful Kingdom with a card set; satisfies the Game protocol."""

    cards: CardSet
    RULESET: str
    OPTIONS: tuple[Option, ...]
    BOTS: Mapping[str, Policy]
    NAME: str
    TITLE: str
    SEATS: range
    COMMANDS: Mapping[str, type]
    EVENTS: Mapping[str, EventType]
    UPCASTS: Upcasts
    REDACTIONS: Redactions
    DECISIONS: Mapping[str, str]

    def initial(self) -> State:
        """The state before anything."""
        return State()

    def decide(self, state: State, seat: Seat, command: Command, chance: Chance) -> list[Event]:
        """The facts this command makes true. Raises IllegalMove."""
        chapter = _DECIDE.get(state.phase)
        if chapter is None or not 0 <= seat < state.seats:
            raise refuse("not-your-turn", "nothing is asked of this seat now")
        facts = None
        if state.phase not in _BEFORE_THE_DEAL:
            facts = anytime.decide(self.cards, state, seat, command)
        return chapter(self.cards, state, seat, command) if facts is None else facts

    def advance(self, state: State, chance: Chance) -> list[Event]:
        """The facts that follow by themselves now; [] when a seat is awaited or the game is over."""
        facts = anytime.automatic(self.cards, state)
        if facts:
            return facts
        chapter = _ADVANCE.get(state.phase)
        return [] if chapter is None else chapter(self.cards, state, chance)

    def evolve(self, state: State, event: Event) -> None:
        """Apply one fact, in place; facts of the table other than the start change nothing here."""
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(self.cards, state, event)

    def legal_moves(self, state: State, seat: Seat) -> list[Command]:
        """Every command `decide` accepts from this seat now; a count stands for every number up to it."""
        chapter = _MOVES.get(state.phase)
        if chapter is None or not 0 <= seat < state.seats:
            return []
        found = chapter(self.cards, state, seat)
        return found if state.phase in _BEFORE_THE_DEAL else found + anytime.moves(self.cards, state, seat)

    def default_move(self, state: State, seat: Seat) -> Command:
        """The default move of an awaited seat, as `DECISIONS` says it."""
        return defaults.default_move(self.cards, state, seat)

    def decisions(self, state: State) -> list[Decision]:
        """The one open decision. Free actions answer it too, so a seat that has one may act in it (A29)."""
        if state.phase not in _DECIDE:
            return []
        waiting = awaited(state)
        if not waiting:
            return []
        free = () if state.phase in _BEFORE_THE_DEAL else range(state.seats)
        others = tuple(
            seat for seat in free if seat not in waiting and anytime.may_act_freely(self.cards, state, seat)
        )
        return [Decision(state.phase, state.opened, tuple(waiting), others)]

    def outcome(self, state: State) -> Outcome | None:
        """None while the game runs."""
        return ending.outcome(state)

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """What a seat or the spectator may see, as JSON values."""
        return view(self.cards, state, viewer)

    def redeal(self, state: State, viewer: Viewer, told: Sequence[Event], chance: Chance) -> list[Event]:
        """The fact that puts cards wherever cards lie face down for the viewer."""
        return redealing.redeal(self.cards, self.evolve, state, viewer, told, chance)

    def backs(self) -> dict[str, str]:
        """What can be seen of each card that lies face down."""
        return redealing.backs(self.cards)

    def command_of(self, event: Event) -> Command | None:
        """The command whose first event this is, or None."""
        return restoring.command_of(event)

    def describe(self, state: State, seat: Seat, command: Command) -> Description:
        """A legal move of this seat in words and numbers."""
        return describing.describe(self.cards, state, seat, command)

    def refused(self, state: State, seat: Seat) -> list[Refusal]:
        """What this seat might try now and may not, and why."""
        return describing.refused(self.cards, state, seat)

    def catalogue(self) -> dict[str, Any]:
        """Cards, boards and other printed facts as data for clients."""
        return catalogue(self.cards)


def game(cards: CardSet, others: Sequence[str] = ()) -> Kingdom:
    """The game with these cards; the ruleset and an option of every match pin them. `others`: the pins of the
    card sets that a host may choose instead."""
    return Kingdom(
        cards=cards,
        RULESET=f"{RULES}+{cards.pin}",
        OPTIONS=options(cards, others),
        BOTS=bots(cards),
        NAME=NAME,
        TITLE=TITLE,
        SEATS=range(2, 3),
        COMMANDS=COMMANDS,
        EVENTS=EVENTS,
        UPCASTS=UPCASTS,
        REDACTIONS=REDACTIONS,
        DECISIONS=defaults.DECISIONS,
    )


__all__ = ["NAME", "TITLE", "Kingdom", "game"]
