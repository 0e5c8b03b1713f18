"""Planning: reveal, forced placements, build or recycle every card (rules 4)."""

from collections.abc import Callable
from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.errors import Reason, refuse
from domain.kernel.game import Command, Event
from domain.kernel.seats import Seat
from domain.wonderful.commands import Validate
from domain.wonderful.events import StepValidated
from domain.wonderful_kingdom.anytime import activations
from domain.wonderful_kingdom.cards import DEVELOPMENT, PLANNING_REVEAL, PRODUCTION_START, TREASURE, CardSet
from domain.wonderful_kingdom.collecting import build, recycle, revealed
from domain.wonderful_kingdom.commands import BuildDevelopment, RecycleCollected
from domain.wonderful_kingdom.effects import owes, why_busy
from domain.wonderful_kingdom.events import CollectionsRevealed, EffectGranted, ProductionBegan
from domain.wonderful_kingdom.paying import refused_if
from domain.wonderful_kingdom.state import NOBODY, PLANNING, STEAL, Laid, State, seats_from_start

VALIDATE: Final = Validate()


def reveal(cards: CardSet, state: State) -> list[Event]:
    """After the reveal: forced placements, then what menaces that were there before demand (rules 4.2, 4.3,
    A22)."""
    events: list[Event] = []
    for seat, board in enumerate(state.boards):
        events += revealed(cards, seat, board.collection)
    for seat in seats_from_start(state):
        board = state.boards[seat]
        wanted = sum(
            effect.count
            for menace in board.menaces
            for effect in cards.menaces[menace].effects
            if effect.trigger == PLANNING_REVEAL
        )
        there = sum(cards.kinds[laid.card] in (DEVELOPMENT, TREASURE) for laid in board.collection)
        if wanted and there:
            events.append(EffectGranted(seat, "discard_collected", min(wanted, there)))
    return events


def why_not_done(state: State, seat: Seat) -> Reason | None:
    """Why planning is not over for this seat, or None (rules 4.6)."""
    board = state.boards[seat]
    if board.done:
        return Reason("already-validated", "you have validated this step", "WK 4.6")
    if board.collection and not owes(board):
        return Reason("cards-left", "every collected card is built or recycled first", "WK 4.6")
    return why_busy(board, "WK 4.6")


def moves(cards: CardSet, state: State, seat: Seat) -> list[Command]:
    """Build or recycle the cards collected, activate advisors, be done."""
    board = state.boards[seat]
    found = activations(cards, state, seat)
    if owes(board) or board.done:
        return found
    for card in dict.fromkeys(laid.card for laid in board.collection):
        kind = cards.kinds[card]
        if kind == DEVELOPMENT:
            found.append(BuildDevelopment(card))
        if kind in (DEVELOPMENT, TREASURE):
            found.append(RecycleCollected(card))
    return found if board.collection else [*found, VALIDATE]


def decide(cards: CardSet, state: State, seat: Seat, command: Command) -> list[Event]:
    """Build, recycle, be done. Raises IllegalMove."""
    board = state.boards[seat]
    if isinstance(command, Validate):
        refused_if(why_not_done(state, seat))
        return [StepValidated(seat)]
    if not isinstance(command, BuildDevelopment | RecycleCollected):
        raise refuse("not-now", "this cannot be done while planning", "WK 4.4")
    refused_if(why_busy(board, "WK 4.4"))
    if all(laid.card != command.card for laid in board.collection):
        raise refuse("not-collected", "this card is not in your collection area", "WK 4.4")
    if isinstance(command, BuildDevelopment):
        return [build(cards, seat, board, command.card)]
    return [recycle(cards, seat, board, command.card, board.doubles > 0)]


def advance(cards: CardSet, state: State, chance: Chance) -> list[Event]:
    """When both are done and nothing is owed, the menaces act, start player's first, in order of arrival."""
    if not all(board.done for board in state.boards) or any(owes(board) for board in state.boards):
        return []
    acting = [
        (menace, place)
        for seat in seats_from_start(state)
        for menace in state.boards[seat].menaces
        for place, effect in enumerate(cards.menaces[menace].effects)
        if effect.trigger == PRODUCTION_START
    ]
    return [ProductionBegan([menace for menace, _ in acting], [place for _, place in acting])]


def _revealed(cards: CardSet, state: State, event: CollectionsRevealed) -> None:
    state.phase, state.opened, state.actor = PLANNING, state.version, NOBODY
    for board, collection in zip(state.boards, event.collections, strict=True):
        board.collection = [Laid(card) for card in collection]
        board.done = False


def _validated(cards: CardSet, state: State, event: StepValidated) -> None:
    state.boards[event.seat].done = True
    state.actor = NOBODY


def _production_began(cards: CardSet, state: State, event: ProductionBegan) -> None:
    state.phase, state.opened, state.actor = STEAL, state.version, NOBODY
    state.queue = [[menace, place] for menace, place in zip(event.menaces, event.effects, strict=True)]
    state.asked = []
    for board in state.boards:
        board.doubles = 0


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    CollectionsRevealed: _revealed,
    StepValidated: _validated,
    ProductionBegan: _production_began,
}
