"""The queue loop: who waits for a table is taken to one. Safe in every worker at once."""

import threading
from typing import Final

from service.queueing import Queueing
from workers import loops

EVERY_S: Final = 0.25


def start(queueing: Queueing, stop: threading.Event) -> threading.Thread:
    """Take players to tables until `stop` is set."""
    return loops.start("queue", queueing.tick, EVERY_S, stop)
