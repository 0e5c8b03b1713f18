"""Which finished matches the archive is to look at, and the retention of tenants: in Redis, in memory.

`wonderlog:finished` (match -> when to look) and `wonderlog:retention` (tenant -> JSON).
"""

import threading
from typing import Final

import msgspec
from redis import RedisError

from events.redis_link import Client, Reply
from events.store import StoreUnavailable
from service.finished import Look
from service.retention import Retention

FINISHED: Final = "wonderlog:finished"
RETENTION: Final = "wonderlog:retention"

_DROP: Final = """
if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or -1) == tonumber(ARGV[2]) then
    return redis.call('ZREM', KEYS[1], ARGV[1])
end
return 0
"""


class RedisFinished:
    """A sorted set beside the logs."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._drop = client.register_script(_DROP)

    def note(self, match: str, at_ms: int) -> None:
        self._add(match, at_ms)

    def note_new(self, match: str, at_ms: int) -> None:
        self._add(match, at_ms, nx=True)

    def _add(self, match: str, at_ms: int, nx: bool = False) -> None:
        try:
            self._client.zadd(FINISHED, {match: at_ms}, nx=nx)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def due(self, now_ms: int, most: int) -> list[Look]:
        try:
            found: Reply = self._client.zrangebyscore(FINISHED, "-inf", now_ms, 0, most, withscores=True)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return [Look(match.decode(), int(at)) for match, at in found]

    def drop(self, look: Look) -> None:
        try:
            self._drop(keys=[FINISHED], args=[look.match, look.at_ms])
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error


class MemoryFinished:
    """In this process."""

    def __init__(self) -> None:
        self.at: dict[str, int] = {}
        self._lock = threading.Lock()

    def note(self, match: str, at_ms: int) -> None:
        with self._lock:
            self.at[match] = at_ms

    def note_new(self, match: str, at_ms: int) -> None:
        with self._lock:
            self.at.setdefault(match, at_ms)

    def due(self, now_ms: int, most: int) -> list[Look]:
        with self._lock:
            found = sorted((at, match) for match, at in self.at.items() if at <= now_ms)
        return [Look(match, at) for at, match in found[:most]]

    def drop(self, look: Look) -> None:
        with self._lock:
            if self.at.get(look.match) == look.at_ms:
                del self.at[look.match]


class RedisRetentions:
    """A hash beside the logs."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def all(self) -> dict[str, Retention]:
        try:
            kept: Reply = self._client.hgetall(RETENTION)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return {tenant.decode(): msgspec.json.decode(text, type=Retention) for tenant, text in kept.items()}

    def set(self, tenant: str, retention: Retention | None) -> None:
        try:
            if retention is None:
                self._client.hdel(RETENTION, tenant)
            else:
                self._client.hset(RETENTION, tenant, msgspec.json.encode(retention))
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error


class MemoryRetentions:
    """In this process."""

    def __init__(self) -> None:
        self._kept: dict[str, Retention] = {}

    def all(self) -> dict[str, Retention]:
        return dict(self._kept)

    def set(self, tenant: str, retention: Retention | None) -> None:
        if retention is None:
            self._kept.pop(tenant, None)
        else:
            self._kept[tenant] = retention
