"""Keys of persons in Redis: two hashes, index to person and person to salt, and the stream of what was
erased, all in the slot of `wonderlog:persons`; on the server of the matches or on another one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import msgspec
from redis.exceptions import ResponseError

from events.redis_link import Client, LinkLost, RedisLink, Reply
from events.store import OutcomeUnknown, StoreUnavailable
from service.person_keys import Erasure, PersonKey
from service.settings import Durability

PERSONS: Final = "wonderlog:persons"
SALTS: Final = f"{{{PERSONS}}}:salts"
ERASURES: Final = f"{{{PERSONS}}}:erasures"
_MOST_ERASURES: Final = 100_000

# KEYS  persons, salts. ARGV  index, id, salt
_CLAIM: Final = """
local id = redis.call('HGET', KEYS[1], ARGV[1])
if id then
    return {id, redis.call('HGET', KEYS[2], id)}
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
return {ARGV[2], ARGV[3]}
"""
# KEYS  persons, salts, erasures. ARGV  index, what to write down if it was there, and if not; most of these
_DESTROY: Final = """
local id = redis.call('HGET', KEYS[1], ARGV[1])
local said = ARGV[3]
if id then
    redis.call('HDEL', KEYS[1], ARGV[1])
    redis.call('HDEL', KEYS[2], id)
    said = ARGV[2]
end
redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[4], '*', 'erasure', said)
return id and 1 or 0
"""


class RedisPersons:
    """Persons in the hash `wonderlog:persons`, their salts beside it."""

    def __init__(self, client: Client, durability: Durability, wait_seconds: float = 2.0) -> None:
        """`durability` says what a claim and an erasure wait for, as in the log."""
        self._link = RedisLink(client)
        milliseconds = round(wait_seconds * 1000)
        fsync, replica = ("WAITAOF", 1, 0, milliseconds), ("WAIT", 1, milliseconds)
        self._waits = {"memory": (), "fsync": (fsync,), "replicated": (fsync, replica)}[durability]

    def claim(self, index: str, new: PersonKey) -> PersonKey:
        id, salt = self._run(_CLAIM, [PERSONS, SALTS], [index, new.id, new.salt])
        return PersonKey(id.decode(), salt.decode())

    def find(self, index: str) -> str | None:
        found = _value(self._link.read(PERSONS, ("HGET", PERSONS, index))[0])
        return None if found is None else str(found.decode())

    def salts(self, ids: Sequence[str]) -> list[str | None]:
        found = _value(self._link.read(PERSONS, ("HMGET", SALTS, *ids))[0])
        return [None if salt is None else salt.decode() for salt in found]

    def destroy(self, index: str, erasure: Erasure) -> bool:
        said = [msgspec.json.encode(replace(erasure, outcome=outcome)) for outcome in ("erased", "nobody")]
        keys = [PERSONS, SALTS, ERASURES]
        return bool(self._run(_DESTROY, keys, [index, *said, _MOST_ERASURES]))

    def compact(self) -> bool:
        """A server whose append-only file is being rewritten already, or that may not be asked, must be asked
        again later."""
        reply = self._link.write(PERSONS, ("BGREWRITEAOF",))[0]
        return not isinstance(reply, LinkLost | ResponseError)

    def erasures(self, most: int) -> list[Erasure]:
        found = _value(self._link.read(PERSONS, ("XREVRANGE", ERASURES, "+", "-", "COUNT", most))[0])
        return [msgspec.json.decode(fields[1], type=Erasure) for _, fields in reversed(found)]

    def _run(self, script: str, keys: list[str], arguments: list[str | bytes | int]) -> Reply:
        done, *waited = self._link.write(
            PERSONS, ("EVAL", script, len(keys), *keys, *arguments), *self._waits
        )
        if isinstance(done, LinkLost):
            raise OutcomeUnknown(str(done))
        for reply in waited:
            if isinstance(reply, LinkLost | ResponseError):
                raise OutcomeUnknown(str(reply))
            if (reply[0] if isinstance(reply, list) else reply) < 1:
                raise OutcomeUnknown("written, but not durable in time")
        return _value(done)


def _value(reply: Reply) -> Reply:
    """The reply. Raises StoreUnavailable for an error."""
    if isinstance(reply, Exception):
        raise StoreUnavailable(str(reply)) from reply
    return reply
