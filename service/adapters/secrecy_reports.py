"""Reports on secrecy: a hash for each match, which ends by itself, jobs on the queue of audits."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from redis import RedisError
from rq import Queue

from domain.kernel.seats import Viewer
from events.redis_link import Client, Reply
from events.store import StoreUnavailable
from service.adapters.job_queues import Times, beside, enqueue
from service.scheduling import CHECK_SECRECY, audits_queue

Json = dict[str, Any]

_PREFIX: Final = "wonderlog:secrecy:"
# Seconds: a report is kept.
_KEPT_S: Final = 24 * 3600
_TIMES: Final = Times(runs_s=300, queued_s=3600, failed_s=60)
# KEYS  the report. ARGV  viewer, what was found, how long the report is kept. One step, so that none stays.
_PUT: Final = """
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return redis.call('EXPIRE', KEYS[1], ARGV[3])
"""


class RedisReports:
    """Reports beside the logs, under `wonderlog:secrecy:<match>`."""

    def __init__(self, client: Client, queue: Queue) -> None:
        self._client = client
        self._put = client.register_script(_PUT)
        self._queue = beside(queue, audits_queue(queue.name))

    def get(self, match: str) -> dict[str, Json]:
        try:
            found: Reply = self._client.hgetall(_PREFIX + match)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return {viewer.decode(): msgspec.json.decode(text) for viewer, text in found.items()}

    def put(self, match: str, viewer: str, found: Json) -> None:
        try:
            self._put(keys=[_PREFIX + match], args=[viewer, msgspec.json.encode(found), _KEPT_S])
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def ask(self, match: str, viewers: Sequence[Viewer]) -> bool:
        try:
            for viewer in viewers:
                enqueue(self._queue, CHECK_SECRECY, [match, viewer], f"secrecy-{match}-{viewer + 1}", _TIMES)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return True


@dataclass(slots=True)
class MemoryReports:
    """Reports in this process, which has no workers."""

    kept: dict[str, dict[str, Json]] = field(default_factory=dict)

    def get(self, match: str) -> dict[str, Json]:
        return dict(self.kept.get(match, {}))

    def put(self, match: str, viewer: str, found: Json) -> None:
        self.kept.setdefault(match, {})[viewer] = found

    def ask(self, match: str, viewers: Sequence[Viewer]) -> bool:
        return False
