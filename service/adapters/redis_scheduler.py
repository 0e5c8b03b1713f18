"""Follow-up work in Redis: two sorted sets beside the logs, jobs in RQ.

`wonderlog:running` (match -> when to look next) and `wonderlog:deadlines` (`<match> <decision>` -> when it is
due); scores in milliseconds. And `wonderlog:here`, when a deadline loop was there last, with the list
`wonderlog:outages` (`<since> <until>`) of the times when none was.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from redis import RedisError
from rq import Queue

from events.redis_link import Client, Reply
from events.store import StoreUnavailable
from service.adapters.job_queues import Times, beside, enqueue
from service.clock import Clock
from service.outages import MOST, Outage
from service.scheduling import (
    DELIVER_WEBHOOKS,
    ENFORCE_DEADLINE,
    LOOK_MS,
    PLAY_BOT_TURN,
    SET_UP_BATCH,
    batch_job_id,
    bot_job_id,
    deadline_job_id,
    webhooks_queue,
)
from service.work import GRACE_MS, BotTurn, Deadline

RUNNING: Final = "wonderlog:running"
DEADLINES: Final = "wonderlog:deadlines"
HERE: Final = "wonderlog:here"
OUTAGES: Final = "wonderlog:outages"

# A busy match is marked once a second, which leaves its last commit a second at least before the look.
_MARK_AGAIN_MS: Final = 1_000
_MOST_MARKS: Final = 10_000
_TIMES: Final = Times(runs_s=60, queued_s=120, failed_s=3600)

log = logging.getLogger(__name__)


class _Marks:
    """When this process marked a match last, so that a busy match is not marked at each commit."""

    def __init__(self) -> None:
        self._at: OrderedDict[str, int] = OrderedDict()
        self._lock = threading.Lock()

    def due(self, match: str, now_ms: int) -> bool:
        """Whether the match must be marked now; then it counts as marked."""
        with self._lock:
            marked = self._at.get(match)
            if marked is not None and 0 <= now_ms - marked < _MARK_AGAIN_MS:
                return False
            self._at[match] = now_ms
            self._at.move_to_end(match)
            if len(self._at) > _MOST_MARKS:
                self._at.popitem(last=False)
            return True

    def forget(self, match: str) -> None:
        """The next commit marks the match."""
        with self._lock:
            self._at.pop(match, None)


class RedisScheduler:
    """The sets in Redis beside the logs, the jobs in RQ."""

    def __init__(self, client: Client, queue: Queue, clock: Clock) -> None:
        self._client = client
        self._queue = queue
        self._webhooks = beside(queue, webhooks_queue(queue.name))
        self._clock = clock
        self._marks = _Marks()

    def mark(self, match: str) -> None:
        now = self._clock.now_ms()
        if self._marks.due(match, now):
            try:
                self._client.zadd(RUNNING, {match: now + LOOK_MS}, lt=True)
            except RedisError as error:
                self._marks.forget(match)
                raise StoreUnavailable(str(error)) from error

    def look_later(self, match: str, ms: int) -> None:
        self._marks.forget(match)
        try:
            self._client.zadd(RUNNING, {match: self._clock.now_ms() + ms})
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def to_look_at(self, most: int) -> list[str]:
        try:
            found: Reply = self._client.zrangebyscore(RUNNING, "-inf", self._clock.now_ms(), 0, most)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return [match.decode() for match in found]

    def forget(self, match: str) -> None:
        self._marks.forget(match)
        try:
            self._client.zrem(RUNNING, match)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def ask_bots(self, turns: Iterable[BotTurn]) -> None:
        now = self._clock.now_ms()
        for turn in sorted(turns, key=lambda turn: (turn.opened, turn.seat)):
            args: list[str | int] = [turn.match, turn.decision, turn.seat]
            if not self._enqueue(PLAY_BOT_TURN, args, bot_job_id(turn, now), first=False):
                return

    def watch(self, due: Iterable[Deadline], ended: Iterable[Deadline] = ()) -> None:
        noted = {_member(deadline): deadline.at_ms + GRACE_MS for deadline in due}
        struck = [member for member in map(_member, ended) if member not in noted]
        if not noted and not struck:
            return
        try:
            with self._client.pipeline(transaction=False) as pipeline:
                if noted:
                    pipeline.zadd(DEADLINES, noted)
                if struck:
                    pipeline.zrem(DEADLINES, *struck)
                pipeline.execute()
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def due_deadlines(self, most: int) -> list[Deadline]:
        try:
            found: Reply = self._client.zrangebyscore(
                DEADLINES, "-inf", self._clock.now_ms(), 0, most, withscores=True
            )
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        due = []
        for member, score in found:
            match, _, decision = member.decode().partition(" ")
            due.append(Deadline(match, decision, int(score) - GRACE_MS))
        return due

    def here(self, now_ms: int) -> int | None:
        try:
            last: Reply = self._client.set(HERE, now_ms, get=True)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return None if last is None else int(last)

    def last_here(self) -> int | None:
        try:
            last: Reply = self._client.get(HERE)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return None if last is None else int(last)

    def note_outage(self, outage: Outage) -> None:
        try:
            self._client.lpush(OUTAGES, f"{outage.since_ms} {outage.until_ms}")
            self._client.ltrim(OUTAGES, 0, MOST - 1)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def outages(self) -> list[Outage]:
        try:
            found: Reply = self._client.lrange(OUTAGES, 0, MOST - 1)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return [Outage(*map(int, entry.split())) for entry in found]

    def ask_expiry(self, deadline: Deadline) -> None:
        id = deadline_job_id(deadline, self._clock.now_ms())
        self._enqueue(ENFORCE_DEADLINE, [deadline.match, deadline.decision], id, first=True)

    def ask_delivery(self, name: str, until_ms: int) -> None:
        id = f"{name}-{until_ms}"
        self._enqueue(DELIVER_WEBHOOKS, [name, until_ms], id, first=False, queue=self._webhooks)

    def ask_batch(self, id: str) -> None:
        job_id = batch_job_id(id, self._clock.now_ms())
        self._enqueue(SET_UP_BATCH, [id], job_id, first=False)

    def _enqueue(
        self, name: str, args: list[str | int], id: str, first: bool, queue: Queue | None = None
    ) -> bool:
        """Ask for a job; False when the queue cannot be reached, and then the sweeper asks again."""
        try:
            enqueue(queue or self._queue, name, args, id, _TIMES, first=first)
        except RedisError as error:
            log.warning("cannot ask for %s, the sweeper will: %s", id, error)
            return False
        return True


def _member(deadline: Deadline) -> str:
    return f"{deadline.match} {deadline.decision}"
