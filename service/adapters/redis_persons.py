"""Keys of persons in Redis: two hashes, index to person and person to salt, and the stream of what was
erased, all in the slot of `wonderlog:persons`; on the server of the matches or on another one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import msgspec
from redis.exceptions import ResponseError

from events.redis_link import Client, LinkLost
from events.redis_streams import waits_of
from service.adapters.durable import Durable
from service.person_keys import Erasure, PersonKey
from service.settings import Durability

PERSONS: Final = "wonderlog:persons"
SALTS: Final = f"{{{PERSONS}}}:salts"
ERASURES: Final = f"{{{PERSONS}}}:erasures"
_MOST_ERASURES: Final = 100_000

# KEYS  persons, salts. ARGV  index, id, salt
_CLAIM: Final = """
local id, salt = redis.call('HGET', KEYS[1], ARGV[1]), ARGV[3]
if id then
    salt = redis.call('HGET', KEYS[2], id)
else
    id = ARGV[2]
end
redis.call('HSET', KEYS[1], ARGV[1], id)
redis.call('HSET', KEYS[2], id, salt)
return {id, salt}
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
# KEYS  persons, salts. ARGV  indexes
_DROP: Final = """
local ids = redis.call('HMGET', KEYS[1], unpack(ARGV))
redis.call('HDEL', KEYS[1], unpack(ARGV))
for _, id in ipairs(ids) do
    if id then redis.call('HDEL', KEYS[2], id) end
end
return 1
"""


class RedisPersons:
    """Persons in the hash `wonderlog:persons`, their salts beside it."""

    def __init__(self, client: Client, durability: Durability, wait_seconds: float = 2.0) -> None:
        """`durability` says what a claim and an erasure wait for, as in the log."""
        self._durable = Durable.on(client, waits_of(durability, wait_seconds))

    def claim(self, index: str, new: PersonKey) -> PersonKey:
        id, salt = self._durable.run(_CLAIM, [PERSONS, SALTS], [index, new.id, new.salt])
        return PersonKey(id.decode(), salt.decode())

    def find(self, index: str) -> str | None:
        found = self._durable.read(PERSONS, ("HGET", PERSONS, index))
        return None if found is None else str(found.decode())

    def salts(self, ids: Sequence[str]) -> list[str | None]:
        found = self._durable.read(PERSONS, ("HMGET", SALTS, *ids))
        return [None if salt is None else salt.decode() for salt in found]

    def destroy(self, index: str, erasure: Erasure) -> bool:
        said = [msgspec.json.encode(replace(erasure, outcome=outcome)) for outcome in ("erased", "nobody")]
        keys = [PERSONS, SALTS, ERASURES]
        return bool(self._durable.run(_DESTROY, keys, [index, *said, _MOST_ERASURES]))

    def drop(self, indexes: Sequence[str]) -> None:
        self._durable.run(_DROP, [PERSONS, SALTS], [*indexes])

    def compact(self) -> bool:
        """A server whose append-only file is being rewritten already, or that may not be asked, must be asked
        again later."""
        reply = self._durable.link.write(PERSONS, ("BGREWRITEAOF",))[0]
        return not isinstance(reply, LinkLost | ResponseError)

    def erasures(self, most: int) -> list[Erasure]:
        found = self._durable.read(PERSONS, ("XREVRANGE", ERASURES, "+", "-", "COUNT", most))
        return [msgspec.json.decode(fields[1], type=Erasure) for _, fields in reversed(found)]
