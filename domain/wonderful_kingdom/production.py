"""Production: menaces act, then four steps of counting, supremacy, placing (rules 5, effects 3)."""

from collections.abc import Callable
from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.errors import Reason, refuse
from domain.kernel.game import Command, Event
from domain.kernel.seats import Seat
from domain.wonderful.commands import Validate
from domain.wonderful.events import StepValidated
from domain.wonderful_kingdom import fighting
from domain.wonderful_kingdom.anytime import activations, usable
from domain.wonderful_kingdom.bags import INDEX, SOLDIERS, STEPS
from domain.wonderful_kingdom.cards import BEFORE_COUNT as WINDOW
from domain.wonderful_kingdom.cards import CardSet, Effect
from domain.wonderful_kingdom.commands import PlaceStolenToken
from domain.wonderful_kingdom.counting import icons, supremacy
from domain.wonderful_kingdom.effects import owes, why_busy
from domain.wonderful_kingdom.events import (
    CubesProduced,
    RatsSpawned,
    SeatAsked,
    SupremacyWon,
    TokenStolen,
)
from domain.wonderful_kingdom.paying import refused_if
from domain.wonderful_kingdom.state import (
    BEFORE_COUNT,
    NOBODY,
    PRODUCTION,
    STEAL,
    State,
    holder_of,
    other,
    seats_from_start,
)

VALIDATE: Final = Validate()


# Menaces at the start of production


def targets(state: State, menace: str, effect: Effect) -> list[str]:
    """The holder's developments a thief's token may go on."""
    board = state.boards[holder_of(state, menace)]
    if menace in board.stolen:
        return []
    zone = board.constructed if effect.zone == "constructed" else board.constructions
    return [name for name in zone if name not in board.stolen.values()]


def _acting(cards: CardSet, state: State) -> tuple[str, Effect]:
    menace, place = state.queue[0]
    return menace, cards.menaces[menace].effects[place]


def menace_advance(cards: CardSet, state: State, chance: Chance) -> list[Event]:
    """The next menace acts; a token with several places to go is put by whom the menace says (the holder may
    scrap such places even then, A29). Then the first step begins."""
    if any(owes(board) for board in state.boards):
        return []
    if not state.queue:
        return begin_step(cards, state, 0)
    menace, effect = _acting(cards, state)
    holder = holder_of(state, menace)
    if effect.op == "spawn_rat":
        return [RatsSpawned(holder, menace, state.rats[: effect.count])]
    chooser = holder if effect.chooser == "owner" else other(holder)
    choice = targets(state, menace, effect)
    if len(choice) > 1:
        return [SeatAsked(chooser, STEAL)] if state.actor == NOBODY else []
    return [TokenStolen(chooser, holder, menace, choice[0] if choice else None, automatic=True)]


def token_moves(cards: CardSet, state: State, seat: Seat) -> list[Command]:
    """Where the seat that is asked may put the token."""
    if seat != state.actor or owes(state.boards[seat]):
        return []
    return [PlaceStolenToken(name) for name in targets(state, *_acting(cards, state))]


def put_token(cards: CardSet, state: State, seat: Seat, command: Command) -> list[Event]:
    """Put a thief's token on a development. Raises IllegalMove."""
    if not isinstance(command, PlaceStolenToken):
        raise refuse("not-now", "a stolen token is placed now", "WK effects 2")
    if seat != state.actor:
        raise refuse("not-your-turn", "the other player places the token", "WK effects 2")
    refused_if(why_busy(state.boards[seat], "WK effects 2"))
    menace, effect = _acting(cards, state)
    if command.card not in targets(state, menace, effect):
        raise refuse("no-target", "the token cannot go on this development", "WK effects 2")
    return [TokenStolen(seat, holder_of(state, menace), menace, command.card)]


def default_token(cards: CardSet, state: State, seat: Seat) -> Command:
    """The first development the token may go on."""
    return token_moves(cards, state, seat)[0]


# Steps


def begin_step(cards: CardSet, state: State, step: int) -> list[Event]:
    """Ask those who may act before the count, start player first; then count, award supremacy and hand out
    the cubes. After the last step the fight, or the end of the round (rules 5.1-5.4)."""
    if step == len(STEPS):
        return fighting.begin(cards, state)
    for seat in seats_from_start(state):
        if seat not in state.asked and usable(cards, state, seat, WINDOW):
            return [SeatAsked(seat, BEFORE_COUNT, STEPS[step])]
    counts = [icons(cards, board, step) for board in state.boards]
    events: list[Event] = [CubesProduced(STEPS[step], counts)]
    winner = supremacy(cards, state, step, counts)
    if winner != NOBODY:
        events.append(SupremacyWon(winner, STEPS[step], state.boards[winner].training > 0))
    return events


def count_moves(cards: CardSet, state: State, seat: Seat) -> list[Command]:
    """The advisors of the seat that is asked, and to be done."""
    if seat != state.actor:
        return []
    found = activations(cards, state, seat)
    return found if owes(state.boards[seat]) else [*found, VALIDATE]


def before_count(cards: CardSet, state: State, seat: Seat, command: Command) -> list[Event]:
    """Be done before the count. Raises IllegalMove."""
    if not isinstance(command, Validate):
        raise refuse("not-now", "advisors act before the count now", "WK effects 3")
    if seat != state.actor:
        raise refuse("not-your-turn", "the other player is asked now", "WK effects 3")
    refused_if(why_busy(state.boards[seat], "WK effects 3"))
    return [StepValidated(seat)]


def count_advance(cards: CardSet, state: State, chance: Chance) -> list[Event]:
    """A seat with nothing left to activate is done; then the step goes on."""
    if state.actor != NOBODY:
        idle = not usable(cards, state, state.actor, WINDOW) and not owes(state.boards[state.actor])
        return [StepValidated(state.actor, True)] if idle else []
    if any(owes(board) for board in state.boards):
        return []
    return begin_step(cards, state, state.step + 1)


def why_not_done(state: State, seat: Seat) -> Reason | None:
    """Why the step is not over for this seat, or None (rules 5.5)."""
    if state.boards[seat].done:
        return Reason("already-validated", "you have validated this step", "WK 5.5")
    return why_busy(state.boards[seat], "WK 5.5")


def moves(cards: CardSet, state: State, seat: Seat) -> list[Command]:
    """Activate advisors, be done."""
    found = activations(cards, state, seat)
    return [*found, VALIDATE] if why_not_done(state, seat) is None else found


def decide(cards: CardSet, state: State, seat: Seat, command: Command) -> list[Event]:
    """Be done with the step. Raises IllegalMove."""
    if not isinstance(command, Validate):
        raise refuse("not-now", "this cannot be done during production", "WK 5")
    refused_if(why_not_done(state, seat))
    return [StepValidated(seat)]


def advance(cards: CardSet, state: State, chance: Chance) -> list[Event]:
    """When both are done and nothing is owed, the next step."""
    if not all(board.done for board in state.boards) or any(owes(board) for board in state.boards):
        return []
    return begin_step(cards, state, state.step + 1)


# What happened


def _spawned(cards: CardSet, state: State, event: RatsSpawned) -> None:
    del state.queue[0]
    del state.rats[: len(event.cards)]
    state.boards[event.seat].menaces += event.cards


def _stolen(cards: CardSet, state: State, event: TokenStolen) -> None:
    del state.queue[0]
    state.actor, state.asked = NOBODY, []
    if event.card is not None:
        state.boards[event.holder].stolen[event.menace] = event.card


def _produced(cards: CardSet, state: State, event: CubesProduced) -> None:
    step = INDEX[event.resource]
    state.phase, state.step, state.opened = PRODUCTION, step, state.version
    state.counts, state.asked = list(event.counts), []
    for board, count in zip(state.boards, event.counts, strict=True):
        board.pool[step] += count
        board.boost, board.done = 0, False


def _supremacy(cards: CardSet, state: State, event: SupremacyWon) -> None:
    board = state.boards[event.seat]
    board.training += -1 if event.trained else 1
    board.pool[SOLDIERS] += event.trained


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    RatsSpawned: _spawned,
    TokenStolen: _stolen,
    CubesProduced: _produced,
    SupremacyWon: _supremacy,
}
