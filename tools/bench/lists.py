"""It's a Wonderful World: how long the list of legal moves gets, and what the longest costs.

Every table moves at random; the positions kept are those in which the list was longest.
"""

import copy
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any, Final

from domain import wonderful_world
from domain.kernel.game import Command
from domain.kernel.seats import Seat
from tools.bench.calibration import calibrate
from tools.bench.figures import LOOPS, Figure, at_most, titled
from tools.bench.moves import percentile
from tools.bench.playing import playout

MATCHES: Final = 1_000
LONGEST: Final = 99  # fewer than 100 entries in the worst position
P99_MS: Final = 5.0
# Tables in turn: numbers of seats and options that make for long lists.
TABLES: Final[Sequence[tuple[int, dict[str, Any]]]] = (
    (1, {}),
    (2, {}),
    (3, {}),
    (3, {"corruption_and_ascension": True, "war_or_peace": True}),
    (5, {"side": "C"}),
    (7, {"war_or_peace": True}),
)


@dataclass(slots=True)
class Worst:
    """The lengths of all lists; the position with the longest one, and the one with most cards on the
    table, each with the seat that was to move."""

    lengths: list[int]
    longest: tuple[Any, Seat]
    fullest: tuple[Any, Seat]


def figures(quick: bool) -> list[Figure]:
    """The length of lists over many random matches; legal moves and view in the worst positions."""
    matches, times = (60, 200) if quick else (MATCHES, 3_000)
    worst = search(matches)
    most = max(worst.lengths)
    count, mean = len(worst.lengths), fmean(worst.lengths)
    note = f"{matches:,} random matches, {count:,} lists, {mean:.1f} on average"
    name = titled(wonderful_world, "longest list of moves")
    return [
        Figure("lists", name, most, "entries", note=note, **at_most(most, LONGEST)),
        *timed("legal moves described, longest list", described, worst.longest, times),
        *timed("view of a seat, fullest table", viewed, worst.fullest, times),
    ]


def search(matches: int) -> Worst:
    """Play at random and keep the worst positions."""
    worst = Worst([], (None, 0), (None, 0))
    longest = fullest = -1

    def watch(state: Any, seat: Seat, moves: Sequence[Command]) -> None:
        nonlocal longest, fullest
        worst.lengths.append(len(moves))
        if len(moves) > longest:
            longest, worst.longest = len(moves), (copy.deepcopy(state), seat)
        cards = sum(len(board.constructions) + len(board.constructed) for board in state.boards)
        if cards > fullest:
            fullest, worst.fullest = cards, (copy.deepcopy(state), seat)

    for seed in range(matches):
        seats, options = TABLES[seed % len(TABLES)]
        playout(seats, seed, random.Random(seed), wonderful_world, options, watch)
    return worst


def described(state: Any, seat: Seat) -> None:
    """What an answer to `legal-moves` is made of."""
    for command in wonderful_world.legal_moves(state, seat):
        wonderful_world.describe(state, seat, command)
    wonderful_world.refused(state, seat)


def viewed(state: Any, seat: Seat) -> None:
    """The view of the seat."""
    wonderful_world.view(state, seat)


def timed(
    name: str, call: Callable[[Any, Seat], None], position: tuple[Any, Seat], times: int
) -> list[Figure]:
    """Median and 99th percentile of the CPU time of a call, over and over."""
    spent: list[float] = []
    for _ in range(times):
        began = time.thread_time_ns()
        call(*position)
        spent.append((time.thread_time_ns() - began) / 1e6)
    loops_a_ms = calibrate() / 1000
    found = []
    for which, ms in (("median", median(spent)), ("p99", percentile(spent, 0.99))):
        label, target = titled(wonderful_world, f"{name}, {which}"), at_most(ms, P99_MS, " ms")
        found.append(Figure("lists", label, ms, "ms", ms * loops_a_ms, LOOPS, **target))
    return found
