"""Whatever runs too long is interrupted, and alarms set before go on."""

import signal
import threading
import time
from typing import Any

import pytest
from rq.timeouts import JobTimeoutException, UnixSignalDeathPenalty

from workers.time_limit import OutOfTime, time_limit


def test_code_that_never_ends_is_interrupted() -> None:
    began = time.monotonic()
    with pytest.raises(OutOfTime), time_limit(0.05):
        while True:
            pass
    assert time.monotonic() - began < 5


def test_code_that_sleeps_is_interrupted() -> None:
    with pytest.raises(OutOfTime), time_limit(0.05):
        time.sleep(30)


def test_code_that_is_quick_is_left_alone() -> None:
    with time_limit(30):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_what_the_code_raises_comes_through() -> None:
    with pytest.raises(ZeroDivisionError), time_limit(30):
        raise ZeroDivisionError
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_the_time_limit_of_the_job_goes_on_around_it() -> None:
    limit: Any = UnixSignalDeathPenalty  # untyped in RQ
    with pytest.raises(JobTimeoutException), limit(4, JobTimeoutException):
        for _ in range(3):
            with pytest.raises(OutOfTime), time_limit(0.05):
                while True:
                    pass
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] < 4
        time.sleep(30)


def test_outside_the_main_thread_there_is_no_limit_to_rely_on() -> None:
    raised: list[Exception] = []

    def limited() -> None:
        try:
            with time_limit(1):
                pass
        except ValueError as error:
            raised.append(error)

    thread = threading.Thread(target=limited)
    thread.start()
    thread.join()
    assert len(raised) == 1
