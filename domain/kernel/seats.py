"""Seats are numbered clockwise from 0; a viewer is a seat or the spectator."""

from collections.abc import Sequence
from typing import Annotated, Final

from domain.kernel.words import AtMost

MOST_SEATS: Final = 7  # of any game
Seat = int
Viewer = int
# Seats that a command names.
Seats = Annotated[list[Seat], AtMost(MOST_SEATS)]

SPECTATOR: Final[Viewer] = -1


def left_of(seat: Seat, count: int) -> Seat:
    """The left neighbour: the next seat clockwise."""
    return (seat + 1) % count


def right_of(seat: Seat, count: int) -> Seat:
    """The right neighbour: the next seat counter-clockwise."""
    return (seat - 1) % count


def ranked(seats: Sequence[Seat], key: Sequence[tuple[int, ...]]) -> list[list[Seat]]:
    """Groups of seats from first to last by descending key; equal keys share a rank."""
    order = sorted(seats, key=lambda seat: key[seat], reverse=True)
    groups: list[list[Seat]] = []
    for seat in order:
        if groups and key[groups[-1][0]] == key[seat]:
            groups[-1].append(seat)
        else:
            groups.append([seat])
    return [sorted(group) for group in groups]
