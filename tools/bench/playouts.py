"""Random playouts: whole matches through `decide`, `advance`, `evolve` and `legal_moves`."""

import random
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Final

from domain.catalogue import GAMES
from domain.kernel.game import Game
from tools.bench.calibration import measure
from tools.bench.figures import LOOPS, Figure, at_least, titled
from tools.bench.playing import playout, tables

PLAYERS: Final = (2, 3, 5, 7)
# Three players, docs/performance.md. The one public implementation of It's a Wonderful World does 6.
TARGETS: Final = {"seven-wonders": 600, "its-a-wonderful-world": 120}


def figures(quick: bool) -> list[Figure]:
    """Playouts a CPU-second on one core, for each number of players and each mode."""
    return [_figure(game, table, quick) for game in GAMES.values() for table in tables(game, PLAYERS)]


def _figure(game: Game, table: tuple[int, Mapping[str, Any], str], quick: bool) -> Figure:
    seats, options, called = table
    speed = measure(_work(game, seats, options, 5 if quick else 40), 0.3 if quick else 6)
    wanted = TARGETS.get(game.NAME) if seats == 3 else None
    target = {} if wanted is None else at_least(speed.per_second, wanted)
    name = titled(game, f"random matches of {seats}{called}")
    return Figure("playouts", name, speed.per_second, "a CPU-second", speed.loops, LOOPS, **target)


def _work(game: Game, seats: int, options: Mapping[str, Any], matches: int) -> Callable[[], int]:
    dice, seeds = random.Random(seats), count()

    def work() -> int:
        for _ in range(matches):
            playout(seats, next(seeds), dice, game, options)
        return matches

    return work
