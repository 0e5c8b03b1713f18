"""Queues of RQ and jobs on them. A job is asked for by name and has an id of ours, so that asking twice is
free."""

import logging
import re
from dataclasses import dataclass
from typing import Final

from rq import Queue
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

# RQ takes letters, digits, dashes and underscores; the name of a sandbox has another character.
_OTHERS: Final = re.compile("[^A-Za-z0-9_-]")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds: a job runs, waits in the queue, keeps its id after it failed."""

    runs_s: int
    queued_s: int
    failed_s: int


def beside(queue: Queue, name: str) -> Queue:
    """Another queue on the same server."""
    return Queue(name, connection=queue.connection, serializer=JSONSerializer)


def enqueue(
    queue: Queue, name: str, args: list[str | int], id: str, times: Times, *, first: bool = False
) -> None:
    """Ask for a job, before the others if it is to be `first`; nothing where there is one of this id. Raises
    RedisError."""
    job_id = _OTHERS.sub("-", id)
    try:
        queue.enqueue_call(
            name,
            args,
            timeout=times.runs_s,
            result_ttl=0,
            ttl=times.queued_s,
            failure_ttl=times.failed_s,
            description=job_id,
            job_id=job_id,
            at_front=first,
            unique=True,
        )
    except DuplicateJobError:
        log.debug("asked for already: %s", job_id)
