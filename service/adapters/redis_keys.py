"""Tenant keys in Redis: hashes beside the logs, a field per key, each record as JSON; and the log of what was
done with them, a stream. All in the slot of `wonderlog:tenant-keys`, so that one script writes both. A key
that was shown is kept, and one that was ended stays so, whatever becomes of the server."""

from typing import Final

import msgspec
from redis import RedisError

from events.keys import EVERYTHING, HEADS_CHANNEL, NEW_RIGHTS
from events.redis_link import Client, Command, Reply
from events.store import StoreUnavailable
from service.adapters.durable import Durable
from service.tenant_keys import KeyAction, KeyRecord, oldest_first, with_end

KEYS: Final = "wonderlog:tenant-keys"
ACTIONS: Final = f"{{{KEYS}}}:actions"
USED: Final = f"{{{KEYS}}}:used"
ORIGINS: Final = f"{{{KEYS}}}:origins"

# KEYS[1]  a hash; KEYS[2]  the stream of actions
# ARGV     field, value, action; when to leave a field alone that is set: `always`, `never`, or where the
#          value is `later` than what is there
_WRITE: Final = """
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known and (ARGV[4] == 'always' or ARGV[4] == 'later' and known <= ARGV[2]) then
    redis.call('HSET', KEYS[1], ARGV[1], known)
    return known
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('XADD', KEYS[2], '*', 'action', ARGV[3])
return ARGV[2]
"""

# The end of a key is a field of its own beside its record: `<time> <why>`.
_END: Final = ":end"


class RedisKeys:
    """Records in the hash `wonderlog:tenant-keys`."""

    def __init__(self, client: Client, waits: tuple[Command, ...]) -> None:
        """`waits`: see `Durable`."""
        self._client = client
        self._durable = Durable.on(client, waits)

    def get(self, id: str) -> KeyRecord | None:
        try:
            kept: Reply = self._client.hmget(KEYS, [id, id + _END])
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        found, end = kept
        return None if found is None else _record(found, end)

    def end(self, id: str, at: str, why: str, action: KeyAction) -> None:
        try:
            self._write(KEYS, id + _END, f"{at} {why}".encode(), action, "later")
        finally:
            # Also when it is not on disk in time: whoever holds the key is refused from now on.
            self._announce()

    def add(self, record: KeyRecord, action: KeyAction) -> KeyRecord:
        kept = self._write(KEYS, record.id, msgspec.json.encode(record), action, "always")
        return msgspec.json.decode(kept, type=KeyRecord)

    def all(self) -> list[KeyRecord]:
        kept = self._hash(KEYS)
        return oldest_first(
            [_record(each, kept.get(id + _END)) for id, each in kept.items() if not id.endswith(_END)]
        )

    def actions(self, most: int) -> list[KeyAction]:
        try:
            found: Reply = self._client.xrevrange(ACTIONS, count=most)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return [msgspec.json.decode(fields[b"action"], type=KeyAction) for _, fields in reversed(found)]

    def touch(self, id: str, at: str) -> None:
        try:
            self._client.hset(USED, id, at)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def used(self) -> dict[str, str]:
        return {id: at.decode() for id, at in self._hash(USED).items()}

    def origins(self) -> dict[str, tuple[str, ...]]:
        found = self._hash(ORIGINS)
        return {tenant: msgspec.json.decode(each, type=tuple[str, ...]) for tenant, each in found.items()}

    def put_origins(self, tenant: str, origins: tuple[str, ...], action: KeyAction) -> None:
        self._write(ORIGINS, tenant, msgspec.json.encode(origins), action, "never")

    def _announce(self) -> None:
        try:
            self._client.publish(HEADS_CHANNEL, NEW_RIGHTS.format(EVERYTHING))
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def _hash(self, name: str) -> dict[str, bytes]:
        try:
            found: Reply = self._client.hgetall(name)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return {field.decode(): value for field, value in found.items()}

    def _write(self, name: str, field: str, value: bytes, action: KeyAction, keep: str) -> bytes:
        told = msgspec.json.encode(action)
        kept: bytes = self._durable.run(_WRITE, [name, ACTIONS], [field, value, told, keep])
        return kept


def _record(stored: bytes, end: bytes | None) -> KeyRecord:
    return with_end(msgspec.json.decode(stored, type=KeyRecord), None if end is None else end.decode())
