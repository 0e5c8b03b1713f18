"""Jobs that outlive the request that began them: what is kept of one, and where. The states are those of
RQ."""

from dataclasses import dataclass, field
from typing import Any, Final, Protocol

Json = dict[str, Any]

QUEUED: Final = "queued"
STARTED: Final = "started"
FINISHED: Final = "finished"
FAILED: Final = "failed"
# Being undone: on the way to `failed`, and shown as `started`.
UNDOING: Final = "undoing"
ENDED: Final = (FINISHED, FAILED)
# How long a job is kept after it has ended.
KEPT_S: Final = 7 * 24 * 3600


@dataclass(frozen=True, slots=True)
class JobRecord:
    """A job: what it is to do (`plan`), how far it is. `scope`: of the credential, for the log. `tries`:
    how often it was taken up."""

    id: str
    tenant: str
    kind: str
    fingerprint: str
    credential: str
    plan: list[Json]
    made_ms: int
    status: str = QUEUED
    tries: int = 0
    ended_ms: int | None = None
    results: list[str] = field(default_factory=list)
    error: str | None = None


class JobStorage(Protocol):
    """Methods raise StoreUnavailable."""

    def add(self, job: JobRecord, due_ms: int) -> JobRecord:
        """Keep a job, durably, that is looked at when it is due, unless one of its id is known; the one that
        is kept. Raises OutcomeUnknown too."""

    def get(self, id: str) -> JobRecord | None:
        """A job, None for one that is unknown or forgotten."""

    def move(self, job: JobRecord, before: str, due_ms: int | None) -> bool:
        """Write a job whose status was `before` until now; False, and nothing happens, if it was not.
        `due_ms`: when to look at it again, None once it has ended."""

    def due(self, now_ms: int, again_ms: int, most: int) -> list[str]:
        """The jobs that are due, which nobody else is given before `again_ms`."""
