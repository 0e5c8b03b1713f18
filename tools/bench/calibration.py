"""The calibration loop: a fixed piece of interpreter work, so that figures of different machines compare."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_ROUNDS: Final = 200
_LOOPS: Final = 200  # calibration loops in a row, some 10 ms
_TURN_S: Final = 0.05  # CPU time of work in a row: long enough for the processor's caches to be warm


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast something is on one core: operations a CPU-second, and the cost of one operation in
    calibration loops of the same minute."""

    per_second: float
    loops: float


def loop() -> int:
    """One calibration loop: calls, tuples, dictionaries, lists and whole numbers, as the rules use them."""
    seen: dict[tuple[int, int], int] = {}
    order: list[tuple[int, int]] = []
    for number in range(_ROUNDS):
        key = (number & 7, number * 7 & 15)
        seen[key] = _step(seen.get(key, 0), key)
        order.append(key)
    order.sort()
    return sum(seen.values()) + len(order)


def _step(known: int, key: tuple[int, int]) -> int:
    return (known + key[0] * key[1]) & 0xFFFF


def calibrate(seconds: float = 0.2) -> float:
    """Calibration loops a CPU-second, now."""
    done, spent = 0, 0.0
    while spent < seconds:
        spent += _cpu_of_loops()
        done += _LOOPS
    return done / spent


def measure(work: Callable[[], int], seconds: float) -> Speed:
    """The speed of `work`, which does some operations and says how many, over `seconds` of CPU time.

    Work and calibration take turns, so that both see the same neighbours on the machine. The first piece of
    work is not counted: it fills the caches."""
    work()
    done, spent, loops, loops_spent = 0, 0.0, 0, 0.0
    while spent < seconds:
        loops_spent += _cpu_of_loops()
        loops += _LOOPS
        began = now = time.process_time()
        while now - began < _TURN_S:
            done += work()
            now = time.process_time()
        spent += now - began
    return Speed(done / spent, (spent / done) / (loops_spent / loops))


def settled(work: Callable[[], int], seconds: float, tries: int = 4) -> Speed:
    """The best of a few measurements in a row: caches fill, and a neighbour's burst passes."""
    return min((measure(work, seconds) for _ in range(tries)), key=lambda speed: speed.loops)


def _cpu_of_loops() -> float:
    began = time.process_time()
    for _ in range(_LOOPS):
        loop()
    return time.process_time() - began
