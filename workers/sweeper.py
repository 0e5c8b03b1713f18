"""The sweeper: looks at running matches that are due for a look, and asks again for what is left undone.

Safe in every worker at once: a look is claimed by fixing the next one, and whatever is asked for twice is
done once.
"""

import threading
from typing import Final

from service.upkeep import Upkeep
from workers import loops

EVERY_S: Final = 1.0
MOST: Final = 100


def start(upkeep: Upkeep, stop: threading.Event) -> threading.Thread:
    """Sweep until `stop` is set."""
    return loops.start("sweeper", lambda: sweep(upkeep, stop), EVERY_S, stop)


def sweep(upkeep: Upkeep, stop: threading.Event) -> None:
    """Look at everything that is due. Raises StoreUnavailable."""
    while upkeep.sweep(MOST) == MOST and not stop.is_set():
        pass
