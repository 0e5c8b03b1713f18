"""Budgets of It's a Wonderful World in calibration loops, some three times what is measured."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from domain import wonderful_world
from domain.kernel.seats import Seat
from tests.performance.lowest import lowest
from tools.bench import lists, log, playing, strength
from tools.bench.calibration import calibrate, settled
from tools.bench.recorded import story

SECONDS = 0.4


@pytest.mark.parametrize(("seats", "most"), [(2, 120), (3, 160), (5, 230), (7, 330)])
def test_a_random_match_stays_within_its_budget(seats: int, most: float) -> None:
    dice, seed = random.Random(seats), iter(range(100_000))

    def work() -> int:
        playing.playout(seats, next(seed), dice, wonderful_world)
        return 1

    assert settled(work, SECONDS).loops < most


def spent(call: Callable[[Any, Seat], None], position: tuple[Any, Seat]) -> tuple[float, float]:
    """Median in calibration loops and 99th percentile in milliseconds of a call."""
    loops_a_ms = calibrate() / 1000
    median, p99 = lists.timed("worst", call, position, 200)
    return median.value * loops_a_ms, p99.value


def test_lists_of_moves_stay_short_and_quick_in_the_worst_position() -> None:
    worst = lists.search(30)
    assert len(worst.lengths) > 3_000
    assert max(worst.lengths) <= lists.LONGEST
    for call, position, most in ((lists.described, worst.longest, 10), (lists.viewed, worst.fullest, 8)):
        loops, p99_ms = lowest(partial(spent, call, position), (most, lists.P99_MS * 3))
        assert loops < most
        assert p99_ms < lists.P99_MS * 3


@pytest.mark.parametrize(("seats", "most"), [(3, 75), (7, 180)])
def test_folding_a_stored_match_stays_within_its_budget(seats: int, most: float) -> None:
    assert settled(log.fold(story(seats, game=wonderful_world)), SECONDS).loops < most


@pytest.mark.parametrize(("seats", "most"), [(3, 2), (7, 4)])
def test_the_view_of_a_seat_stays_within_its_budget(seats: int, most: float) -> None:
    assert settled(log.view(story(seats, game=wonderful_world)), SECONDS).loops < most


def test_easy_beats_two_random_ones_and_scores_among_its_kind() -> None:
    name = wonderful_world.NAME
    assert sum(strength.wins("random", seed, name) for seed in range(5)) > 4.5
    assert sum(strength.mean_score(seed, name) for seed in range(6)) / 6 > 22
