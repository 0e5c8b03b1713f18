"""Legal moves with every legal payment, for the seven cards of a hand in a late seven-player position."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean, median
from typing import Final

from domain import seven_wonders
from domain.kernel.seats import Seat
from domain.seven_wonders import trading
from domain.seven_wonders.cards import CARDS
from domain.seven_wonders.state import CHOOSING, State
from tools.bench.calibration import Speed, calibrate, measure
from tools.bench.figures import LOOPS, Figure, at_most
from tools.bench.playing import builds_anything, match

SEATS: Final = 7
MEDIAN_MS: Final = 2.0
P99_MS: Final = 10.0
Query = tuple[int, int, int, int, int]  # cost, own sources, left and right sales, discounts


@dataclass(frozen=True, slots=True)
class Timed:
    """CPU milliseconds of a call over many positions, and calibration loops a millisecond meanwhile."""

    median: float
    p99: float
    loops_a_ms: float

    def figures(self, name: str, note: str) -> list[Figure]:
        """Median and 99th percentile as figures."""
        found = []
        for which, ms, most in (("median", self.median, MEDIAN_MS), ("p99", self.p99, P99_MS)):
            ratio, target = ms * self.loops_a_ms, at_most(ms, most, " ms")
            found.append(Figure("moves", f"{name}, {which}", ms, "ms", ratio, LOOPS, **target, note=note))
            note = ""
        return found


def figures(quick: bool) -> list[Figure]:
    """Legal moves alone and described; the cheapest payment alone."""
    moves: list[int] = []
    queries: list[Query] = []

    def legal(state: State, seat: Seat) -> None:
        seven_wonders.legal_moves(state, seat)

    def described(state: State, seat: Seat) -> None:
        for command in seven_wonders.legal_moves(state, seat):
            seven_wonders.describe(state, seat, command)

    def noted(state: State, seat: Seat) -> None:
        moves.append(len(seven_wonders.legal_moves(state, seat)))
        queries.extend(hard_queries(state, seat))

    matches = range(8 if quick else 100)
    timed(matches, noted)
    alone, whole = timed(matches, legal), timed(matches, described)
    note = f"{len(moves)} positions of {fmean(moves):.0f} moves on average, {max(moves)} at most"
    found = alone.figures("legal moves", note) + whole.figures("legal moves described", "")
    for name, speed in (("asked before", _cheapest(queries, quick)), ("first time", _cheapest_cold(queries))):
        microseconds = 1e6 / speed.per_second
        found.append(Figure("moves", f"cheapest payment, {name}", microseconds, "µs", speed.loops, LOOPS))
    return found


def timed(matches: range, call: Callable[[State, Seat], None]) -> Timed:
    """The CPU time of a call at the beginning of Age III, once for every seat of these matches. Caches hold
    what earlier turns and matches have left in them."""
    spent: list[float] = []

    def watch(state: State, seat: Seat) -> None:
        if (state.phase, state.age, state.turn) == (CHOOSING, 3, 1):
            began = time.thread_time_ns()
            call(state, seat)
            spent.append((time.thread_time_ns() - began) / 1e6)

    loops_a_ms = calibrate() / 1000
    for seed in matches:
        match([builds_anything] * SEATS, seed, watch)
    loops_a_ms = (loops_a_ms + calibrate() / 1000) / 2
    return Timed(median(spent), percentile(spent, 0.99), loops_a_ms)


def percentile(values: list[float], share: float) -> float:
    """The value below which this share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def hard_queries(state: State, seat: Seat) -> list[Query]:
    """What the trading rules are asked about the hand, where own production leaves something to buy."""
    count = len(state.cities)
    own, left, right = state.cities[seat], state.cities[(seat + 1) % count], state.cities[seat - 1]
    costs = [CARDS[name].cost for name in state.hands[seat]]
    return [
        (cost, own.own, left.sale, right.sale, own.discounts)
        for cost in costs
        if trading.missing(cost, own.own, 0, 0)
    ]


def _cheapest(queries: list[Query], quick: bool) -> Speed:
    def work() -> int:
        for query in queries:
            trading.cheapest(*query)
        return len(queries)

    return measure(work, 0.1 if quick else 1.0)


def _cheapest_cold(queries: list[Query]) -> Speed:
    """The average of the first answers, from caches that hold nothing."""
    for cached in (trading.box, trading.lacking, trading._from_left, trading._from_right, trading._totals):
        cached.cache_clear()
    trading._priced.cache_clear()
    loops = calibrate()
    began = time.process_time()
    for query in queries:
        trading.cheapest(*query)
    each = (time.process_time() - began) / len(queries)
    return Speed(1 / each, each * loops)
