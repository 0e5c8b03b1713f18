"""The fight: menaces are paid for after production; the end of a round (rules 6.6, 2.1)."""

from collections.abc import Callable
from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.errors import Reason, refuse
from domain.kernel.game import Command, Event
from domain.kernel.seats import Seat
from domain.wonderful.commands import Validate
from domain.wonderful.events import StepValidated
from domain.wonderful_kingdom import ending, setup
from domain.wonderful_kingdom.anytime import may_act_freely
from domain.wonderful_kingdom.cards import CardSet
from domain.wonderful_kingdom.commands import DefeatMenace
from domain.wonderful_kingdom.effects import owes, why_busy
from domain.wonderful_kingdom.events import FightBegan, MenaceDefeated
from domain.wonderful_kingdom.paying import paid, payments, refused_if, take_payment, why_not_pay
from domain.wonderful_kingdom.rulings import ROUNDS
from domain.wonderful_kingdom.state import FIGHT, NOBODY, State

VALIDATE: Final = Validate()


def begin(cards: CardSet, state: State) -> list[Event]:
    """The fight, if somebody can pay for a menace, or has free actions that might bring what it takes; else
    the round ends."""
    able = [
        seat
        for seat, board in enumerate(state.boards)
        if any(payments(cards, board, cards.menaces[menace].cost) for menace in board.menaces)
        or (board.menaces and may_act_freely(cards, state, seat))
    ]
    return [FightBegan(able)] if able else end_round(cards, state)


def end_round(cards: CardSet, state: State) -> list[Event]:
    """The next round, or after the last one the points (rules 2.1, 9.1)."""
    return [ending.count_points(cards, state)] if state.round == ROUNDS else setup.begin_round(state)


def why_not_defeat(
    cards: CardSet, state: State, seat: Seat, menace: str, substitutes: list[str]
) -> Reason | None:
    """Why this menace cannot be paid so, or None."""
    board = state.boards[seat]
    if menace not in board.menaces:
        return Reason("not-your-menace", "this menace is not under construction here", "WK 6.6")
    if board.done:
        return Reason("already-validated", "you have validated this step", "WK 6.6")
    return why_not_pay(cards, board, cards.menaces[menace].cost, substitutes, "WK 6.6")


def moves(cards: CardSet, state: State, seat: Seat) -> list[Command]:
    """Every menace this seat can pay for, in every way; to be done."""
    board = state.boards[seat]
    if board.done:
        return []
    found: list[Command] = [
        DefeatMenace(menace, way)
        for menace in board.menaces
        for way in payments(cards, board, cards.menaces[menace].cost)
    ]
    return found if owes(board) else [*found, VALIDATE]


def decide(cards: CardSet, state: State, seat: Seat, command: Command) -> list[Event]:
    """Pay for a menace, or be done. Raises IllegalMove."""
    match command:
        case DefeatMenace(menace, substitutes):
            refused_if(why_not_defeat(cards, state, seat, menace, substitutes))
            payment = paid(cards.menaces[menace].cost, substitutes)
            return [MenaceDefeated(seat, menace, payment, substitutes)]
        case Validate():
            refused_if(why_not_done(state, seat))
            return [StepValidated(seat)]
    raise refuse("not-now", "this cannot be done in the fight", "WK 6.6")


def why_not_done(state: State, seat: Seat) -> Reason | None:
    """Why the fight is not over for this seat, or None."""
    if state.boards[seat].done:
        return Reason("already-validated", "you have validated this step", "WK 6.6")
    return why_busy(state.boards[seat], "WK 6.6")


def advance(cards: CardSet, state: State, chance: Chance) -> list[Event]:
    """When both are done, the round ends."""
    if not all(board.done for board in state.boards) or any(owes(board) for board in state.boards):
        return []
    return end_round(cards, state)


def _began(cards: CardSet, state: State, event: FightBegan) -> None:
    state.phase, state.opened, state.actor = FIGHT, state.version, NOBODY
    for seat, board in enumerate(state.boards):
        board.done = seat not in event.seats


def _defeated(cards: CardSet, state: State, event: MenaceDefeated) -> None:
    board = state.boards[event.seat]
    take_payment(board, event.paid)
    board.menaces.remove(event.card)
    board.stolen.pop(event.card, None)
    state.box.append(event.card)


HANDLERS: Final[dict[type, Callable[..., None]]] = {FightBegan: _began, MenaceDefeated: _defeated}
