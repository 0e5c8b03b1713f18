"""The default move of an awaited seat, for deadlines and for seats that resigned: simple and harmless."""

from collections.abc import Callable, Mapping
from typing import Final

from domain.kernel.game import Command
from domain.kernel.seats import Seat
from domain.wonderful.commands import StoreCubes, Validate
from domain.wonderful_kingdom import effects, offering, production, setup
from domain.wonderful_kingdom.bags import COLOURS, NAMES
from domain.wonderful_kingdom.building import to_place
from domain.wonderful_kingdom.cards import CardSet
from domain.wonderful_kingdom.commands import DeclineEffect, RecycleCollected
from domain.wonderful_kingdom.state import (
    ADVISOR,
    BEFORE_COUNT,
    FIGHT,
    LEFTOVERS,
    MENACE,
    MENACE_SET,
    OFFER,
    PLANNING,
    PRODUCTION,
    SELECT,
    STEAL,
    State,
)

_OWED: Final = " What an effect owes is answered by the first choice, or declined; cubes go on the duchy."
DECISIONS: Final[Mapping[str, str]] = {
    MENACE_SET: "take the first set that is left",
    ADVISOR: "keep the first of the two advisors",
    MENACE: "take the first menace that is left",
    OFFER: "offer the first two cards of the hand, face up, one in either area." + _OWED,
    SELECT: "take the area with more cards, the left of equals." + _OWED,
    LEFTOVERS: "take nothing." + _OWED,
    PLANNING: "recycle every card, put the cubes on the duchy, then validate." + _OWED,
    STEAL: "put the token on the first development it may go on." + _OWED,
    BEFORE_COUNT: "activate nobody." + _OWED,
    PRODUCTION: "put the cubes on the duchy, then validate." + _OWED,
    FIGHT: "pay for nothing." + _OWED,
}


def _plan(cards: CardSet, state: State, seat: Seat) -> Command:
    collection = state.boards[seat].collection
    return RecycleCollected(collection[0].card) if collection else Validate()


def _validate(cards: CardSet, state: State, seat: Seat) -> Command:
    return Validate()


_DEFAULTS: Final[Mapping[str, Callable[[CardSet, State, Seat], Command]]] = {
    MENACE_SET: lambda cards, state, seat: setup.set_moves(cards, state, seat)[0],
    ADVISOR: lambda cards, state, seat: setup.advisor_moves(cards, state, seat)[0],
    MENACE: lambda cards, state, seat: setup.menace_moves(cards, state, seat)[0],
    OFFER: offering.default_offer,
    SELECT: offering.default_selection,
    LEFTOVERS: _validate,
    PLANNING: _plan,
    STEAL: production.default_token,
    BEFORE_COUNT: _validate,
    PRODUCTION: _validate,
    FIGHT: _validate,
}


def default_move(cards: CardSet, state: State, seat: Seat) -> Command:
    """What the seat owes first, then the default of the phase."""
    board = state.boards[seat]
    if board.transmutes and not (board.drawn or board.kept or board.choices):
        return DeclineEffect("transmute")
    owed = effects.moves(cards, state, seat)
    if owed:
        return owed[-1] if board.kept and not board.drawn else owed[0]  # recycle what was kept
    if to_place(board):
        colour = next(each for each in COLOURS if board.pool[each] + board.bound[each])
        return StoreCubes(NAMES[colour], board.pool[colour] + board.bound[colour])
    return _DEFAULTS[state.phase](cards, state, seat)
