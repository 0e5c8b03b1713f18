"""The archiver: moves matches that have been over for long enough into the archive, and removes those whose
time there is over.

Safe in every worker at once: a look at a match is claimed by fixing the next one, and all of it may be done
twice.
"""

import threading
import time
from typing import Final

from service.archiving import Archiving
from workers import loops

EVERY_S: Final = 5.0
MOST: Final = 20
EXPIRE_EVERY_S: Final = 3600.0


class Archiver:
    """The loop of one worker."""

    def __init__(self, archiving: Archiving) -> None:
        self._archiving = archiving
        self._expire_at = time.monotonic() + EXPIRE_EVERY_S

    def start(self, stop: threading.Event) -> threading.Thread:
        """Archive until `stop` is set."""
        return loops.start("archiver", lambda: self.tick(stop), EVERY_S, stop)

    def tick(self, stop: threading.Event) -> None:
        """Look at everything that is due, and once an hour at what is to be removed. Raises
        StoreUnavailable."""
        if not self._archiving.is_set_up:
            return
        while self._archiving.tick(MOST) == MOST and not stop.is_set():
            pass
        if time.monotonic() >= self._expire_at:
            self._expire_at = time.monotonic() + EXPIRE_EVERY_S
            self._archiving.expire()
            self._archiving.prune()
