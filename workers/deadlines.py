"""The deadline loop: what falls due becomes a job; what the jobs are too slow for is enforced here.

RQ's own scheduler is not used: it can pause for minutes after a crash, and deadlines are data in the log
anyway.
"""

import threading
from dataclasses import dataclass, field
from typing import Final

from service.clock import Clock
from service.scheduling import Scheduler
from service.upkeep import Upkeep
from service.work import Deadline
from workers import loops

EVERY_S: Final = 0.1
MOST: Final = 1000
# A deadline that no job has enforced after this long is enforced by the loop itself.
PATIENCE_MS: Final = 500


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
        """Deal with what is due now. Raises the errors of the store."""
        due = self.scheduler.due_deadlines(MOST)
        now = self.clock.now_ms()
        self.asked = {deadline: self.asked.get(deadline, 0) for deadline in due}
        for deadline in due:
            if not self.asked[deadline]:
                self.asked[deadline] = now
                self.scheduler.ask_expiry(deadline)
            elif now - self.asked[deadline] >= PATIENCE_MS:
                self.upkeep.enforce_deadline(deadline.match, deadline.decision)
