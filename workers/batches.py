"""The loop that takes up jobs which the process that began them has not finished."""

import threading
from typing import Final

from service.batching import Batching
from service.scheduling import Scheduler
from workers import loops

EVERY_S: Final = 1.0


def start(batching: Batching, scheduler: Scheduler, stop: threading.Event) -> threading.Thread:
    """Have what is due taken up, as jobs, until `stop` is set."""

    def tick() -> None:
        for id in batching.due():
            scheduler.ask_batch(id)

    return loops.start("batches", tick, EVERY_S, stop)
