"""Clocks and faults of sandboxes: in Redis, and in this process.

`{sandbox:<world>}:ahead`, how far ahead a clock is; `{sandbox:<world>}:move:<key>`, what a request has moved;
`wonderlog:fault:<name>`, a fault that has happened.
"""

import threading
import time
from dataclasses import dataclass, field, replace
from typing import Final

from redis import RedisError

from events.redis_link import Client, Reply
from events.store import StoreUnavailable
from service.sandbox import FARTHEST_MS, FAULT_S, REMEMBERED_S, Move

# KEYS[1]  how far ahead;  KEYS[2]  the move of this request
# ARGV     "by" or "to", milliseconds, fingerprint, now, farthest, seconds to remember
_MOVE: Final = """
local known = redis.call('GET', KEYS[2])
if known then return {1, known} end
local before = tonumber(redis.call('GET', KEYS[1]) or '0')
local after = tonumber(ARGV[2])
if ARGV[1] == 'by' then after = before + after end
local move = string.format('%.0f %.0f %s %s', before, after, ARGV[4], ARGV[3])
if after >= before and after <= tonumber(ARGV[5]) then
    redis.call('SET', KEYS[1], string.format('%.0f', after))
    redis.call('SET', KEYS[2], move, 'EX', ARGV[6])
end
return {0, move}
"""
_FAULT: Final = "wonderlog:fault:"


class RedisSandbox:
    """Shared by all processes."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._move = client.register_script(_MOVE)

    def ahead(self, world: str) -> int:
        try:
            found: Reply = self._client.get(_ahead(world))
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return int(found or 0)

    def move(
        self, world: str, key: str, fingerprint: str, by_ms: int | None, to_ms: int, now_ms: int
    ) -> Move:
        change: tuple[str, int] = ("to", to_ms) if by_ms is None else ("by", by_ms)
        try:
            found: Reply = self._move(
                keys=[_ahead(world), f"{{sandbox:{world}}}:move:{key}"],
                args=[*change, fingerprint, now_ms, FARTHEST_MS, REMEMBERED_S],
            )
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        replayed, move = found
        before, after, at, asked = move.decode().split(" ", 3)
        return Move(asked, int(before), int(after), int(at), bool(replayed))

    def flip(self, name: str) -> bool:
        try:
            if self._client.set(_FAULT + name, "", nx=True, ex=FAULT_S):
                return True
            self._client.delete(_FAULT + name)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return False


def _ahead(world: str) -> str:
    return f"{{sandbox:{world}}}:ahead"


@dataclass(slots=True)
class MemorySandbox:
    """In this process."""

    clocks: dict[str, int] = field(default_factory=dict)
    moves: dict[tuple[str, str], Move] = field(default_factory=dict)
    faults: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ahead(self, world: str) -> int:
        with self._lock:
            return self.clocks.get(world, 0)

    def move(
        self, world: str, key: str, fingerprint: str, by_ms: int | None, to_ms: int, now_ms: int
    ) -> Move:
        with self._lock:
            known = self.moves.get((world, key))
            if known is not None:
                return replace(known, replayed=True)
            before = self.clocks.get(world, 0)
            made = Move(fingerprint, before, to_ms if by_ms is None else before + by_ms, now_ms)
            if before <= made.after_ms <= FARTHEST_MS:
                self.clocks[world] = made.after_ms
                self.moves[world, key] = made
            return made

    def flip(self, name: str) -> bool:
        now = time.monotonic()
        with self._lock:
            self.faults = {each: until for each, until in self.faults.items() if until > now}
            if name in self.faults:
                del self.faults[name]
                return False
            self.faults[name] = now + FAULT_S
            return True
