"""Budgets of It's a Wonderful World in calibration loops, some three times what is measured."""

import random

import pytest

from domain import wonderful_world
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


def test_lists_of_moves_stay_short_and_quick_in_the_worst_position() -> None:
    worst = lists.search(30)
    assert len(worst.lengths) > 3_000
    assert max(worst.lengths) <= lists.LONGEST
    loops_a_ms = calibrate() / 1000
    for call, position, most in ((lists.described, worst.longest, 10), (lists.viewed, worst.fullest, 8)):
        median, p99 = lists.timed("worst", call, position, 200)
        assert median.value * loops_a_ms < most
        assert p99.value < lists.P99_MS * 3


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
