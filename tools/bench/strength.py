"""How strong the bot `easy` is, and how long it thinks.

Three seats (two where a game has no more), `easy` against the others; for every deal all seats, so that luck
of the seat cancels; each mode of a game that has modes, its sides and quest boards in turn. A shared first
place counts its share, a match that nobody wins counts as lost. The interval is a bootstrap over deals; a
deal's matches stay together.
"""

import random
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from os import sched_getaffinity
from statistics import fmean, median
from typing import Any, Final

from domain import seven_wonders
from domain.catalogue import GAMES
from domain.kernel.bots import random_policy
from domain.kernel.game import Command, Game, Generator, Policy, View
from tools.bench.calibration import calibrate
from tools.bench.figures import LOOPS, Figure, at_least, at_most, titled
from tools.bench.moves import percentile
from tools.bench.playing import NO_OPTIONS, builds_anything, builds_something, dealt, match, tables

SEATS: Final = 3
MATCHES: Final = 2_000
RESAMPLES: Final = 2_000
# Opponents that every game has, and those of 7 Wonders.
RANDOM: Final = {"random": (random_policy, "two `random`", 97.0)}
ONE_RANDOM: Final = {"random": (random_policy, "`random`", 95.0)}
OPPONENTS: Final[dict[str, tuple[Policy, str, float | None]]] = {
    "random": (random_policy, "two `random`", 97.0),
    "builds-something": (builds_something, "two that build a random structure whenever they can", None),
    "builds-anything": (builds_anything, "two that make any random building move", None),
}


_NUMBERS: Final = {2: "two", 7: "seven"}
# The mean score wanted at tables of `easy` alone.
MEAN_SCORES: Final = {"its-a-wonderful-world": 27.0}


def figures(quick: bool) -> list[Figure]:
    """Of every game: the share of wins against each kind of opponent, the mean score at tables of `easy`
    alone, the time of a decision."""
    found = []
    spawn = get_context("spawn")
    with ProcessPoolExecutor(len(sched_getaffinity(0)), mp_context=spawn) as pool:
        for game, (seats, options, called) in _tables():
            deals = 20 if quick else -(-MATCHES // seats)
            opponents = OPPONENTS if game is seven_wonders else RANDOM if seats == SEATS else ONE_RANDOM
            plays = {"game": game.NAME, "seats": seats, "options": options}
            for name, (_, label, wanted) in opponents.items():
                shares = list(pool.map(partial(wins, name, **plays), range(deals), chunksize=10))
                share = 100 * fmean(shares)
                low, high = interval(shares)
                note = f"{deals * seats:,} matches, 95 % interval {100 * low:.1f} to {100 * high:.1f}"
                target = {} if wanted is None else at_least(share, wanted, " %")
                label = titled(game, f"easy against {label}{called}")
                found.append(Figure("bots", label, share, "% won", note=note, **target))
            means = list(pool.map(partial(mean_score, **plays), range(deals), chunksize=10))
            found.append(_mean_score(game, means, seats, called))
    for game in GAMES.values():
        found += decision_times(4 if quick else 40, game)
    return found


def _tables() -> list[tuple[Game, tuple[int, Mapping[str, Any], str]]]:
    return [(game, table) for game in GAMES.values() for table in tables(game, [SEATS])]


def mean_score(
    seed: int,
    game: str = seven_wonders.NAME,
    seats: int = SEATS,
    options: Mapping[str, Any] = NO_OPTIONS,
) -> float:
    """The mean score of a table of `easy` alone."""
    chosen = dealt(GAMES[game], options, seed)
    scores = match([GAMES[game].BOTS["easy"]] * seats, seed, game=GAMES[game], options=chosen).scores
    return fmean(sum(score.values()) for score in scores)


def _mean_score(game: Game, means: Sequence[float], seats: int, called: str) -> Figure:
    low, high = interval(means)
    wanted = MEAN_SCORES.get(game.NAME)
    target = {} if wanted is None else at_least(fmean(means), wanted)
    note = f"{len(means):,} matches of {seats}, 95 % interval {low:.1f} to {high:.1f}"
    name = titled(game, f"mean score of easy among its kind{called}")
    return Figure("bots", name, fmean(means), "points", note=note, **target)


def wins(
    opponent: str,
    seed: int,
    game: str = seven_wonders.NAME,
    seats: int = SEATS,
    options: Mapping[str, Any] = NO_OPTIONS,
) -> float:
    """The share of wins of `easy` in one deal, over all seats."""
    other = OPPONENTS[opponent][0]
    chosen = dealt(GAMES[game], options, seed)
    won = 0.0
    for place in range(seats):
        policies = [other] * seats
        policies[place] = GAMES[game].BOTS["easy"]
        outcome = match(policies, seed, game=GAMES[game], options=chosen)
        first = outcome.ranking[0] if outcome.winners is None else outcome.winners
        won += (place in first) / max(1, len(first))
    return won / seats


def interval(shares: Sequence[float]) -> tuple[float, float]:
    """The 95 % percentile interval of the mean, by resampling deals."""
    dice = random.Random(0)
    means = sorted(fmean(dice.choices(shares, k=len(shares))) for _ in range(RESAMPLES))
    return means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]


def decision_times(matches: int, game: Game = seven_wonders) -> list[Figure]:
    """CPU milliseconds of a decision of `easy` at a table of seven, or of as many as there may be."""
    seats = max(game.SEATS)
    spent: list[float] = []

    def policy(view: View, moves: Sequence[Command], dice: Generator) -> Command:
        began = time.thread_time_ns()
        command = game.BOTS["easy"](view, moves, dice)
        spent.append((time.thread_time_ns() - began) / 1e6)
        return command

    for seed in range(matches):
        match([policy] * seats, seed, game=game)
    loops_a_ms = calibrate() / 1000
    found = []
    for name, ms in (("median", median(spent)), ("p99", percentile(spent, 0.99))):
        found.append(
            Figure(
                "bots",
                titled(game, f"a decision of easy among {_NUMBERS[seats]}, {name}"),
                ms,
                "ms",
                ms * loops_a_ms,
                LOOPS,
                **at_most(ms, 10, " ms"),
            )
        )
    return found
