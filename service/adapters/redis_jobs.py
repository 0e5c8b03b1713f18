"""Jobs in Redis, beside the logs: a hash of records, the set of those to be looked at with the times. Both
in the slot `{wonderlog:jobs}`. A record that has ended moves to a key of its own, which ends by itself."""

from typing import Final

import msgspec
from redis import RedisError

from events.redis_link import Client, Command, Reply
from events.store import StoreUnavailable
from service.adapters.durable import Durable
from service.job_records import KEPT_S, JobRecord

_RECORDS: Final = "{wonderlog:jobs}:records"
_DUE: Final = "{wonderlog:jobs}:due"
_ENDED: Final = "{wonderlog:jobs}:ended:"

# KEYS  records, due, ended;  ARGV  id, JSON, when
_ADD: Final = """
local known = redis.call('GET', KEYS[3])
if known then return known end
known = redis.call('HGET', KEYS[1], ARGV[1])
if known then
    redis.call('HSET', KEYS[1], ARGV[1], known)
    return known
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return ARGV[2]
"""
# KEYS  records, due, ended;  ARGV  id, JSON, the status before, when ("": it has ended), how long it is kept
_MOVE: Final = """
local known = redis.call('HGET', KEYS[1], ARGV[1])
if not known or cjson.decode(known).status ~= ARGV[3] then return 0 end
if ARGV[4] == '' then
    redis.call('HDEL', KEYS[1], ARGV[1])
    redis.call('ZREM', KEYS[2], ARGV[1])
    redis.call('SET', KEYS[3], ARGV[2], 'EX', ARGV[5])
else
    redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
    redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
end
return 1
"""
# KEYS  due;  ARGV  now, when again, how many
_TAKE: Final = """
local taken = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, id in ipairs(taken) do redis.call('ZADD', KEYS[1], ARGV[2], id) end
return taken
"""


class RedisJobs:
    """Records, shared by all processes."""

    def __init__(self, client: Client, waits: tuple[Command, ...]) -> None:
        """`waits`: see `Durable`; for jobs that are promised."""
        self._client = client
        self._durable = Durable.on(client, waits)
        self._move = client.register_script(_MOVE)
        self._take = client.register_script(_TAKE)

    def add(self, job: JobRecord, due_ms: int) -> JobRecord:
        told = msgspec.json.encode(job)
        kept: bytes = self._durable.run(_ADD, _keys(job.id), [job.id, told, due_ms])
        return job if kept == told else msgspec.json.decode(kept, type=JobRecord)

    def get(self, id: str) -> JobRecord | None:
        try:
            kept: Reply = self._client.hget(_RECORDS, id) or self._client.get(_ENDED + id)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return None if kept is None else msgspec.json.decode(kept, type=JobRecord)

    def move(self, job: JobRecord, before: str, due_ms: int | None) -> bool:
        args = [job.id, msgspec.json.encode(job), before, "" if due_ms is None else due_ms, KEPT_S]
        try:
            done: Reply = self._move(keys=_keys(job.id), args=args)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return bool(done)

    def due(self, now_ms: int, again_ms: int, most: int) -> list[str]:
        try:
            found: Reply = self._take(keys=[_DUE], args=[now_ms, again_ms, most])
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return [id.decode() for id in found]


def _keys(id: str) -> list[str]:
    return [_RECORDS, _DUE, _ENDED + id]
