"""Matches examined by the job workers: a job for each, on a queue that waits behind bots and deadlines."""

import time
from collections.abc import Iterable, Iterator
from typing import Any, Final

from redis import RedisError
from rq import Queue
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from events.store import StoreUnavailable
from service.impact import UNREADABLE, Examined
from service.scheduling import EXAMINE, audits_queue

_RUNS_S: Final = 120
_KEPT_S: Final = 24 * 3600
_LOOK_S: Final = 0.1
_AT_ONCE: Final = 500
_ENDED: Final = (JobStatus.FAILED, JobStatus.STOPPED, JobStatus.CANCELED)


class AuditJobs:
    """Asks for examinations and collects them. Methods raise StoreUnavailable."""

    def __init__(self, queue: Queue) -> None:
        self._queue = Queue(audits_queue(queue.name), connection=queue.connection, serializer=JSONSerializer)

    def ask(self, matches: Iterable[str], ruleset: str | None) -> list[tuple[str, str]]:
        """Put a job in the queue for each match: pairs of match and job id."""
        try:
            return [(match, self._ask(match, ruleset)) for match in matches]
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def _ask(self, match: str, ruleset: str | None) -> str:
        job = self._queue.enqueue_call(
            EXAMINE, [match, ruleset], timeout=_RUNS_S, result_ttl=_KEPT_S, ttl=_KEPT_S, failure_ttl=_KEPT_S
        )
        return str(job.id)

    def collect(self, asked: list[tuple[str, str]]) -> Iterator[Examined]:
        """The results as they come, until all are there. A job that failed or was lost is `unreadable`."""
        waiting = dict((id, match) for match, id in asked)
        while waiting:
            came = 0
            ids = list(waiting)
            for start in range(0, len(ids), _AT_ONCE):
                for id, found in self._look(ids[start : start + _AT_ONCE], waiting):
                    del waiting[id]
                    came += 1
                    yield found
            if waiting and not came:
                time.sleep(_LOOK_S)

    def _look(self, ids: list[str], matches: dict[str, str]) -> list[tuple[str, Examined]]:
        ended = []
        try:
            jobs = Job.fetch_many(ids, connection=self._queue.connection, serializer=JSONSerializer)
            for id, job in zip(ids, jobs, strict=True):
                if job is None:
                    ended.append((id, Examined(matches[id], UNREADABLE, reason="its job was lost")))
                    continue
                status = job.get_status(refresh=False)
                if status == JobStatus.FINISHED:
                    result: Any = job.return_value()
                    ended.append((id, Examined(**result)))
                    job.delete()
                elif status in _ENDED:
                    ended.append(
                        (id, Examined(matches[id], UNREADABLE, reason=f"its job has {status.value}"))
                    )
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return ended
