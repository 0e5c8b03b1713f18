"""Budgets for what is measured once in a while: the lowest of a few measurements is what it costs."""

from collections.abc import Callable, Sequence


def lowest(measure: Callable[[], Sequence[float]], most: Sequence[float], tries: int = 5) -> list[float]:
    """The lowest of each figure over a few measurements, the first that brings all of them below `most` being
    the last. A neighbour's burst and a collection of garbage pass; what has become dear stays dear."""
    best = list(measure())
    for _ in range(tries - 1):
        if all(figure < limit for figure, limit in zip(best, most, strict=True)):
            break
        best = [min(pair) for pair in zip(best, measure(), strict=True)]
    return best
