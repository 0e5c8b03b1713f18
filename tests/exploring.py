"""How many examples a test looks at that wants another number than the others."""

from hypothesis import settings


def examples(number: int) -> int:
    """So many in the suite, where the others look at 100, and as many times more where those look at more."""
    return max(1, number * settings().max_examples // 100)
