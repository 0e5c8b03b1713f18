"""What must happen after a commit: bot turns, deadlines, a look at each running match.

Jobs are asked for by name with a unique id, so that asking twice is free and `service` never imports
`workers`. Nothing about a match depends on a job or on a noted deadline surviving: the sweeper derives both
again from the log.
"""

from collections.abc import Iterable
from typing import Final, Protocol

from service.outages import Presence
from service.work import BotTurn, Deadline

PLAY_BOT_TURN: Final = "workers.jobs.play_bot_turn"
ENFORCE_DEADLINE: Final = "workers.jobs.enforce_deadline"
SET_UP_BATCH: Final = "workers.jobs.set_up_batch"
DELIVER_WEBHOOKS: Final = "workers.jobs.deliver_webhooks"
EXAMINE: Final = "workers.jobs.examine"
CHECK_SECRECY: Final = "workers.jobs.check_secrecy"

# A match is looked at this long after a commit began, unless nothing is left to do by then.
LOOK_MS: Final = 2_000
# The job of a killed worker keeps its id for minutes: after this long another id asks again.
WINDOW_MS: Final = 10_000


class Scheduler(Presence, Protocol):
    """Follow-up work, kept somewhere. Methods raise StoreUnavailable; `ask_…` only warn: the sweeper asks
    again."""

    def mark(self, match: str) -> None:
        """A commit is about to happen: look at the match in two seconds, whatever becomes of this process."""

    def look_later(self, match: str, ms: int) -> None:
        """Look at the match in `ms` milliseconds, not before."""

    def to_look_at(self, most: int) -> list[str]:
        """The matches that are due for a look, longest first."""

    def forget(self, match: str) -> None:
        """The match is over."""

    def ask_bots(self, turns: Iterable[BotTurn]) -> None:
        """Let bots play, as jobs."""

    def watch(self, due: Iterable[Deadline], ended: Iterable[Deadline] = ()) -> None:
        """Note deadlines, and strike those that are no more."""

    def due_deadlines(self, most: int) -> list[Deadline]:
        """The deadlines that are over, oldest first, until they are struck."""

    def ask_expiry(self, deadline: Deadline) -> None:
        """Let a deadline be enforced, as a job that goes first."""

    def ask_delivery(self, name: str, until_ms: int) -> None:
        """Let the webhooks of a claimed endpoint be delivered, as a job of the queue for that."""

    def ask_batch(self, id: str) -> None:
        """Let matches that are set up together be set up, as a job."""


def job_id(kind: str, match: str, rest: str, since_ms: int, now_ms: int) -> str:
    """A job id: the same for everybody who asks for the same thing within ten seconds."""
    return f"{kind}-{match}-{rest}-{max(0, now_ms - since_ms) // WINDOW_MS}"


def bot_job_id(turn: BotTurn, now_ms: int) -> str:
    """`bot-<match>-<opened>-<seat>-<n>`."""
    return job_id("bot", turn.match, f"{turn.opened}-{turn.seat}", turn.opened_ms, now_ms)


def deadline_job_id(deadline: Deadline, now_ms: int) -> str:
    """`deadline-<match>-<opened>-<n>`."""
    opened = deadline.decision.partition(".")[0].removeprefix("d")
    return job_id("deadline", deadline.match, opened, deadline.at_ms, now_ms)


def batch_job_id(id: str, now_ms: int) -> str:
    """`batch-<job>-<n>`: the same within a second."""
    return f"batch-{id}-{now_ms // 1000}"


def webhooks_queue(queue: str) -> str:
    """The queue of deliveries, which wait for strangers: those of bots and deadlines must not wait there."""
    return f"{queue}-webhooks"


def audits_queue(queue: str) -> str:
    """The queue of audits, which workers look into when nothing else waits."""
    return f"{queue}-audits"
