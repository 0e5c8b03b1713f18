"""What runs beside the jobs in every worker process: a thread per loop, ended by an event."""

import logging
import threading
from collections.abc import Callable
from typing import Final

from events.store import StoreUnavailable
from service.errors import outline

# After a failure a loop waits this long, in seconds.
PAUSE_S: Final = 1.0

log = logging.getLogger(__name__)


def start(name: str, tick: Callable[[], None], every_s: float, stop: threading.Event) -> threading.Thread:
    """Call `tick` at once and then every so often, in a thread of its own, until `stop` is set."""
    thread = threading.Thread(
        target=_run, args=(name, tick, every_s, stop), name=f"wonderlog-{name}", daemon=True
    )
    thread.start()
    return thread


def _run(name: str, tick: Callable[[], None], every_s: float, stop: threading.Event) -> None:
    while not stop.is_set():
        pause = every_s
        try:
            tick()
        except StoreUnavailable as error:
            log.warning("%s: %s", name, error)
            pause = PAUSE_S
        except Exception as error:
            # A loop that ended would be missed by nobody until matches stand still.
            log.error("%s: %s", name, outline(error))
            pause = PAUSE_S
        stop.wait(pause)
