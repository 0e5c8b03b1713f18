"""The deadline loop: what falls due becomes a job; what the jobs are too slow for is enforced here.

RQ's own scheduler is not used: it can pause for minutes after a crash, and deadlines are data in the log
anyway.
"""

import logging
import threading
from dataclasses import dataclass, field
from typing import Final

from events.store import StoreUnavailable
from service.clock import Clock
from service.errors import outline
from service.scheduling import Scheduler
from service.upkeep import Upkeep
from service.work import Deadline
from workers import loops

EVERY_S: Final = 0.1
MOST: Final = 1000
# A deadline that no job has enforced after this long is enforced by the loop itself.
PATIENCE_MS: Final = 500

log = logging.getLogger(__name__)


@dataclass(slots=True)
class DeadlineLoop:
    """`asked`: when a job was asked for, for the deadlines that are due."""

    scheduler: Scheduler
    upkeep: Upkeep
    clock: Clock
    asked: dict[Deadline, int] = field(default_factory=dict)

    def start(self, stop: threading.Event) -> threading.Thread:
        """Watch deadlines until `stop` is set."""
        return loops.start("deadlines", self.tick, EVERY_S, stop)

    def tick(self) -> None:
        """Deal with what is due now. Raises StoreUnavailable."""
        self.upkeep.note_presence()
        due = self.scheduler.due_deadlines(MOST)
        now = self.clock.now_ms()
        self.asked = {deadline: self.asked.get(deadline, 0) for deadline in due}
        for deadline in due:
            waits_since = self.asked[deadline]
            if not waits_since or now - waits_since >= PATIENCE_MS:
                self.asked[deadline] = now
                if waits_since:
                    self._enforce(deadline)
                else:
                    self.scheduler.ask_expiry(deadline)

    def _enforce(self, deadline: Deadline) -> None:
        try:
            self.upkeep.enforce_deadline(deadline.match, deadline.decision)
        except StoreUnavailable:
            raise
        except Exception as error:
            # One match that cannot be read must not keep the others from expiring.
            log.error("cannot enforce %s of %s: %s", deadline.decision, deadline.match, outline(error))
