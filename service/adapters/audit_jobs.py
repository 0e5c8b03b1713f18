"""Matches examined by the job workers: a job for each, on a queue that waits behind bots and deadlines."""

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from redis import RedisError
from rq import Queue
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from events.store import StoreUnavailable
from service.adapters.job_queues import beside
from service.impact import UNREADABLE, Examined
from service.scheduling import EXAMINE, audits_queue

_RUNS_S: Final = 120
_KEPT_S: Final = 24 * 3600
_LOOK_S: Final = 0.1
AT_ONCE: Final = 500
_ENDED: Final = (JobStatus.FAILED, JobStatus.STOPPED, JobStatus.CANCELED)


class AuditJobs:
    """Asks for examinations and collects what they find. Methods raise StoreUnavailable."""

    def __init__(self, queue: Queue) -> None:
        self._queue = beside(queue, audits_queue(queue.name))

    def examined(self, matches: Iterable[str], ruleset: str | None) -> Iterator[Examined]:
        """Have each match examined; the results as they come. So many jobs are in the queue at once, however
        many matches there are. A job that failed or was lost is `unreadable`."""
        waiting: dict[str, str] = {}
        todo = iter(matches)
        while True:
            for match in islice(todo, AT_ONCE - len(waiting)):
                waiting[self._ask(match, ruleset)] = match
            if not waiting:
                return
            ended = self._look(list(waiting), waiting)
            for id, found in ended:
                del waiting[id]
                yield found
            if not ended:
                time.sleep(_LOOK_S)

    def _ask(self, match: str, ruleset: str | None) -> str:
        try:
            job = self._queue.enqueue_call(
                EXAMINE,
                [match, ruleset],
                timeout=_RUNS_S,
                result_ttl=_KEPT_S,
                ttl=_KEPT_S,
                failure_ttl=_KEPT_S,
            )
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return str(job.id)

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
