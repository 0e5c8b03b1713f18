"""Intervals and tests for counts, in plain arithmetic."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

# Of a normal distribution, 95 % lie within so many standard deviations.
Z_95: Final = 1.959963984540054
# Chi-square is as good as its approximation where each cell expects so many.
LEAST_EXPECTED: Final = 5


def interval(won: float, played: int) -> tuple[float, float]:
    """The 95 % interval of a rate, after Wilson (1927): sensible for few matches and near 0 and 1. Wins that
    are shared may count as halves. Of nothing: (0, 1)."""
    if not played:
        return (0.0, 1.0)
    rate, z2 = won / played, Z_95 * Z_95
    middle = (rate + z2 / (2 * played)) / (1 + z2 / played)
    half = Z_95 * math.sqrt(rate * (1 - rate) / played + z2 / (4 * played * played)) / (1 + z2 / played)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class Uniformity:
    """A chi-square test of whether all places are equally likely; `p` is the chance of a value as large."""

    draws: int
    cells: int
    chi_square: float
    p: float

    @property
    def freedom(self) -> int:
        """Degrees of freedom."""
        return self.cells - 1


def uniformity(counts: Sequence[int]) -> Uniformity | None:
    """The test of counts by place. Neighbouring places are put together until each cell expects five; None
    for too few draws to say anything."""
    draws, places = sum(counts), len(counts)
    cells = min(places, draws // LEAST_EXPECTED)
    if cells < 2:
        return None
    seen, wide = [0] * cells, [0] * cells
    for place, count in enumerate(counts):
        cell = place * cells // places
        seen[cell] += count
        wide[cell] += 1
    expected = [draws * width / places for width in wide]
    value = sum((count - wanted) ** 2 / wanted for count, wanted in zip(seen, expected, strict=True))
    return Uniformity(draws, cells, value, chi_square_tail(value, cells - 1))


def chi_square_tail(value: float, freedom: int) -> float:
    """The chance that chi-square with so many degrees of freedom is at least `value`: the regularized upper
    incomplete gamma function Q(freedom / 2, value / 2), by its series below the mean and its continued
    fraction (Lentz) above it."""
    a, x = freedom / 2, value / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-15:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1.0 - scale * total)
    b, tiny = x + 1 - a, 1e-300
    c, d = 1 / tiny, 1 / b
    fraction = d
    for step in range(1, 10_000):
        part = -step * (step - a)
        b += 2
        d = part * d + b
        d = 1 / (d if abs(d) > tiny else tiny)
        c = b + part / c
        c = c if abs(c) > tiny else tiny
        change = d * c
        fraction *= change
        if abs(change - 1) < 1e-15:
            break
    return min(1.0, scale * fraction)
