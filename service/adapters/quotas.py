"""Buckets in Redis, one key each that ends with its window, and in this process."""

import threading
import time
from dataclasses import dataclass, field
from typing import Final

from redis import RedisError

from events.redis_link import Client, Reply
from events.store import StoreUnavailable
from service.quotas import Grant

# KEYS[1]  the bucket;  ARGV  quota, window in milliseconds, how many are wanted
_TAKE: Final = """
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local taken = math.max(0, math.min(tonumber(ARGV[3]), tonumber(ARGV[1]) - used))
if taken > 0 then redis.call('INCRBY', KEYS[1], taken) end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    left = tonumber(ARGV[2])
end
return {taken, tonumber(ARGV[1]) - used - taken, left}
"""
_MOST_BUCKETS: Final = 100_000


class RedisQuotas:
    """Buckets under `wonderlog:quota:<name>`."""

    def __init__(self, client: Client) -> None:
        self._take = client.register_script(_TAKE)

    def take(self, bucket: str, quota: int, window_ms: int, wanted: int) -> Grant:
        try:
            found: Reply = self._take(keys=[f"wonderlog:quota:{bucket}"], args=[quota, window_ms, wanted])
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return Grant(*map(int, found))


@dataclass(slots=True)
class MemoryQuotas:
    """Buckets in this process."""

    used: dict[str, tuple[int, float]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, bucket: str, quota: int, window_ms: int, wanted: int) -> Grant:
        now = time.monotonic()
        with self._lock:
            used, until = self.used.get(bucket, (0, 0.0))
            if now >= until:
                used, until = 0, now + window_ms / 1000
                if len(self.used) >= _MOST_BUCKETS:
                    self.used = {name: each for name, each in self.used.items() if each[1] > now}
            taken = max(0, min(wanted, quota - used))
            self.used[bucket] = (used + taken, until)
        return Grant(taken, quota - used - taken, round((until - now) * 1000))
