"""Random playouts: whole matches through `decide`, `advance`, `evolve` and `legal_moves`."""

import random
from collections.abc import Callable
from itertools import count
from typing import Final

from tools.bench.calibration import measure
from tools.bench.figures import LOOPS, Figure, at_least
from tools.bench.playing import playout

PLAYERS: Final = (2, 3, 5, 7)
TARGET: Final = 600  # three players, docs/performance.md


def figures(quick: bool) -> list[Figure]:
    """Playouts a CPU-second on one core, for each number of players."""
    found = []
    for seats in PLAYERS:
        speed = measure(_work(seats, 5 if quick else 40), 0.3 if quick else 6)
        target = at_least(speed.per_second, TARGET) if seats == 3 else {}
        found.append(
            Figure(
                "playouts",
                f"random matches of {seats}",
                speed.per_second,
                "a CPU-second",
                speed.loops,
                LOOPS,
                **target,
            )
        )
    return found


def _work(seats: int, matches: int) -> Callable[[], int]:
    dice, seeds = random.Random(seats), count()

    def work() -> int:
        for _ in range(matches):
            playout(seats, next(seeds), dice)
        return matches

    return work
