"""Planning: slate or recycle every drafted card (rules 5)."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.errors import Reason, refuse
from domain.kernel.game import Command, Event
from domain.kernel.seats import Seat
from domain.wonderful.board import Board
from domain.wonderful.commands import RecycleCard, SlateCard, Validate
from domain.wonderful.construction import next_name, why_not_fill
from domain.wonderful.cubes import NAMES, stored
from domain.wonderful.events import CardRecycled, CardSlated, StepValidated
from domain.wonderful_world import production, solo
from domain.wonderful_world.building import CACHED, completing, free_moves, refused_if
from domain.wonderful_world.decks import CARDS
from domain.wonderful_world.options import AUTO_VALIDATE
from domain.wonderful_world.state import State

slate_card = lru_cache(CACHED)(SlateCard)
recycle_card = lru_cache(CACHED)(RecycleCard)
VALIDATE: Final = Validate()


def why_not_validate(state: State, seat: Seat) -> Reason | None:
    """Why planning is not over for this seat, or None."""
    board = state.boards[seat]
    if board.validated:
        return Reason("already-validated", "you have validated this step", "WW 5.5")
    if state.offered:
        return Reason("choice-open", "keep one of the cards drawn first", "WW 11.3")
    if board.area:
        return Reason("cards-left", "every drafted card is slated or recycled first", "WW 5.5")
    return None


def legal_moves(state: State, seat: Seat) -> list[Command]:
    """Slate, recycle to a card that takes the cube or to the Empire card, validate; and the free actions."""
    board = state.boards[seat]
    if state.offered:
        return solo.keeps(state) + free_moves(board)
    moves: list[Command] = []
    for card in dict.fromkeys(board.area):
        cube = CARDS[card].recycling
        moves.append(slate_card(card))
        moves.append(recycle_card(card, None))
        for name, construction in board.constructions.items():
            if construction.empty[cube]:
                moves.append(recycle_card(card, name))
    if state.seats == 1:
        moves += solo.swaps(state)
    if not board.area and not board.validated:
        moves.append(VALIDATE)
    return moves + free_moves(board)


def decide(state: State, seat: Seat, command: Command, chance: Chance) -> list[Event]:
    """Slate, recycle, validate; alone also swap and keep. Raises IllegalMove."""
    if isinstance(command, Validate):
        refused_if(why_not_validate(state, seat))
        return [StepValidated(seat)]
    events = solo.decide(state, seat, command)
    if events is not None:
        return events
    if not isinstance(command, SlateCard | RecycleCard):
        raise refuse("not-now", "this cannot be done while planning", "WW 5")
    board = state.boards[seat]
    if state.offered:
        raise refuse("choice-open", "keep one of the cards drawn first", "WW 11.3")
    if command.card not in board.area:
        raise refuse("not-drafted", "this card is not in your draft area", "WW 5.1")
    if isinstance(command, SlateCard):
        return [CardSlated(seat, command.card, next_name(board, command.card))]
    return _recycle(board, seat, command)


def _recycle(board: Board, seat: Seat, command: RecycleCard) -> list[Event]:
    """One cube, on a card under construction or on the Empire card (rules 5.2-5.4)."""
    cube = CARDS[command.card].recycling
    if command.target is None:
        formed = stored(board.loose, 1)[1]
        return [CardRecycled(seat, command.card, NAMES[cube], None, formed)]
    refused_if(why_not_fill(board, command.target, cube, cube, 1, "WW 5.2"))
    placing = CardRecycled(seat, command.card, NAMES[cube], command.target)
    return completing(seat, command.target, board.constructions[command.target], placing, 1)


def default_move(state: State, seat: Seat) -> Command:
    """Recycle what is left to the Empire card, card by card, then validate."""
    board = state.boards[seat]
    if state.offered:
        return solo.keeps(state)[0]
    return RecycleCard(board.area[0]) if board.area else VALIDATE


def advance(state: State, chance: Chance) -> list[Event]:
    """When everybody has validated, the second pile of the game alone, or production."""
    if state.options[AUTO_VALIDATE]:
        idle = [
            StepValidated(seat, True)
            for seat, board in enumerate(state.boards)
            if not (board.validated or board.area or board.constructions or state.offered)
        ]
        if idle:
            return list(idle)
    if not all(board.validated for board in state.boards):
        return []
    if state.seats == 1 and solo.second_pile_waits(state):
        return [solo.take_pile(state, state.round)]
    return production.begin_step(state, 0)


HANDLERS: Final[dict[type, Callable[..., None]]] = {}
