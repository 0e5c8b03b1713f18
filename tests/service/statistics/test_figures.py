"""Intervals and tests against values from printed tables."""

import math
import random

import pytest

from service.statistics.figures import chi_square_tail, interval, uniformity


@pytest.mark.parametrize(
    ("won", "played", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962)],
)
def test_the_interval_is_that_of_wilson(won: int, played: int, low: float, high: float) -> None:
    assert interval(won, played) == pytest.approx((low, high), abs=1e-4)


def test_without_a_match_every_rate_is_possible() -> None:
    assert interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("value", "freedom", "tail"),
    [
        (2.7055, 1, 0.10),
        (3.8415, 1, 0.05),
        (6.6349, 1, 0.01),
        (18.3070, 10, 0.05),
        (3.9403, 10, 0.95),
        (43.7730, 30, 0.05),
        (124.3421, 100, 0.05),
        (77.9295, 100, 0.95),
    ],
)
def test_the_tail_of_chi_square_is_that_of_the_tables(value: float, freedom: int, tail: float) -> None:
    assert chi_square_tail(value, freedom) == pytest.approx(tail, abs=2e-5)


def test_the_tail_with_two_degrees_is_an_exponential_function() -> None:
    for value in (0.0, 0.3, 1.9, 2.1, 8.0, 60.0):
        assert chi_square_tail(value, 2) == pytest.approx(math.exp(-value / 2), rel=1e-12)


def test_the_tail_falls_from_one_to_nothing() -> None:
    tails = [chi_square_tail(value / 4, 7) for value in range(200)]
    assert tails[0] == 1.0 and tails[-1] < 1e-6
    assert all(before > after for before, after in zip(tails, tails[1:], strict=False))


def test_even_counts_are_uniform_and_crooked_ones_are_not() -> None:
    even = uniformity([100] * 6)
    assert even is not None and (even.chi_square, even.p, even.freedom) == (0.0, 1.0, 5)
    crooked = uniformity([150, 100, 100, 100, 100, 50])
    assert crooked is not None and crooked.chi_square == 50.0 and crooked.p < 1e-8


def test_places_are_put_together_until_each_group_expects_five() -> None:
    test = uniformity([1] * 21)
    assert test is not None and (test.draws, test.cells) == (21, 4)
    assert uniformity([1] * 9) is None and uniformity([0, 0]) is None and uniformity([]) is None
    dice = random.Random(4)
    counts = [0] * 40
    for _ in range(150):
        counts[dice.randrange(40)] += 1
    grouped = uniformity(counts)
    assert grouped is not None and grouped.cells == 30 and 0.001 < grouped.p < 0.999
