"""One production step: what a player produces, and who produces most."""

from collections.abc import Sequence

from domain.kernel.seats import Seat
from domain.wonderful.board import Board


def yields(board: Board, resource: int) -> int:
    """How much of a resource (or krystallium, or a character) the Empire produces: icons of the Empire card
    and the constructed cards, never below zero (rules 6.2, 12.2)."""
    count = board.flat[resource]
    for rate in board.rates:
        if rate.resource == resource:
            count += rate.amount * board.types[rate.type]
    return max(0, count)


def supremacy(counts: Sequence[int], places: int = 1) -> list[Seat]:
    """The seats that produced most, in order of seats. Places go from the top; a tied group that does not
    fit in the places left gets nothing and ends the award, and nobody wins with zero (rules 6.4, 12.4)."""
    winners: list[Seat] = []
    for count in sorted(set(counts), reverse=True):
        tied = [seat for seat, other in enumerate(counts) if other == count]
        if count == 0 or len(winners) + len(tied) > places:
            break
        winners += tied
    return sorted(winners)
