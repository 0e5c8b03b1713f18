"""A time limit for code that knows of none: SIGALRM in the main thread, inside the limit RQ has set."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfTime(Exception):
    """The time limit is over."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises OutOfTime inside after `seconds`; the alarm that was set before goes on afterwards.

    Raises ValueError outside the main thread, where signals do not arrive."""

    def over(signum: int, frame: FrameType | None) -> None:
        raise OutOfTime(f"more than {seconds} s")

    before = signal.signal(signal.SIGALRM, over)
    started = time.monotonic()
    left, _ = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(0.001, left - (time.monotonic() - started)))
