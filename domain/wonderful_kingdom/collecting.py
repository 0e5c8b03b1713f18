"""What becomes of cards taken or kept: forced placements, build, recycle, discard (rules 4.2, 4.4)."""

from collections.abc import Callable, Sequence
from typing import Final

from domain.kernel.errors import refuse
from domain.kernel.game import Event
from domain.kernel.seats import Seat
from domain.wonderful_kingdom.bags import INDEX, SOLDIERS, named
from domain.wonderful_kingdom.building import begin, lay_out
from domain.wonderful_kingdom.cards import (
    ADVISOR,
    CALAMITY,
    DEVELOPMENT,
    MENACE,
    TREASURE,
    CardSet,
    recycling,
)
from domain.wonderful_kingdom.counting import suffers
from domain.wonderful_kingdom.events import (
    AdvisorPlaced,
    CalamityPlaced,
    CardRecycled,
    CollectedDiscarded,
    DevelopmentBegun,
    MenacePlaced,
)
from domain.wonderful_kingdom.rulings import ADVISOR_REVEAL_GIVES_SOLDIER
from domain.wonderful_kingdom.state import Board, Laid, State, discard


def discardable(cards: CardSet, board: Board) -> list[str]:
    """The developments and treasures of the collection area, as often as they lie there."""
    return [laid.card for laid in board.collection if cards.kinds.get(laid.card) in (DEVELOPMENT, TREASURE)]


def build(cards: CardSet, seat: Seat, board: Board, card: str) -> DevelopmentBegun:
    """A development goes under construction. Raises IllegalMove for another card."""
    if cards.kinds.get(card) != DEVELOPMENT:
        raise refuse("not-buildable", "only developments are built", "WK 4.4")
    return begin(cards, seat, board, card)


def recycle(cards: CardSet, seat: Seat, board: Board, card: str, doubled: bool) -> CardRecycled:
    """A card is discarded for its cubes. Raises IllegalMove for a card that gives none."""
    if cards.kinds.get(card) not in (DEVELOPMENT, TREASURE):
        raise refuse("not-recyclable", "only developments and treasures are recycled", "WK 4.4")
    cubes = [count * (2 if doubled else 1) for count in recycling(cards, card)]
    return CardRecycled(seat, card, named(cubes), suffers(cards, board, "recycle_to_duchy_only"), doubled)


def forced(cards: CardSet, seat: Seat, taken: Sequence[str], soldier: bool = True) -> list[Event]:
    """The placements no one decides: calamities, menaces and advisors among these cards (rules 4.2, 7.4)."""
    events: list[Event] = []
    for card in taken:
        kind = cards.kinds.get(card)
        if kind == CALAMITY:
            events.append(CalamityPlaced(seat, card))
        elif kind == MENACE:
            events.append(MenacePlaced(seat, card))
        elif kind == ADVISOR:
            events.append(AdvisorPlaced(seat, card, int(soldier)))
    return events


def revealed(cards: CardSet, seat: Seat, collection: Sequence[Laid]) -> list[Event]:
    """The forced placements after the reveal of a collection area (rules 4.2, 7.5)."""
    return [
        event
        for laid in collection
        for event in forced(cards, seat, [laid.card], ADVISOR_REVEAL_GIVES_SOLDIER)
    ]


# What happened


def leave_collection(board: Board, card: str) -> None:
    """A card that lies face up leaves the collection area."""
    for place, laid in enumerate(board.collection):
        if laid.card == card and not laid.face_down:
            del board.collection[place]
            return


def _leave(board: Board, card: str) -> None:
    if card in board.kept:
        board.kept.remove(card)
    else:
        leave_collection(board, card)


def _begun(cards: CardSet, state: State, event: DevelopmentBegun) -> None:
    board = state.boards[event.seat]
    _leave(board, event.kind)
    lay_out(cards, board, event.kind, event.card)


def _recycled(cards: CardSet, state: State, event: CardRecycled) -> None:
    board = state.boards[event.seat]
    _leave(board, event.card)
    discard(state, event.card)
    board.doubles -= event.doubled
    target = board.bound if event.to_duchy else board.pool
    for name, count in event.cubes.items():
        target[INDEX[name]] += count


def _discarded(cards: CardSet, state: State, event: CollectedDiscarded) -> None:
    board = state.boards[event.seat]
    leave_collection(board, event.card)
    discard(state, event.card)
    board.discards -= 1


def _calamity(cards: CardSet, state: State, event: CalamityPlaced) -> None:
    leave_collection(state.boards[event.seat], event.card)
    state.boards[event.seat].calamities.append(event.card)


def _menace(cards: CardSet, state: State, event: MenacePlaced) -> None:
    leave_collection(state.boards[event.seat], event.card)
    state.boards[event.seat].menaces.append(event.card)


def _advisor(cards: CardSet, state: State, event: AdvisorPlaced) -> None:
    board = state.boards[event.seat]
    leave_collection(board, event.card)
    board.advisors.append(event.card)
    board.pool[SOLDIERS] += event.soldiers


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    DevelopmentBegun: _begun,
    CardRecycled: _recycled,
    CollectedDiscarded: _discarded,
    CalamityPlaced: _calamity,
    MenacePlaced: _menace,
    AdvisorPlaced: _advisor,
}
