"""The feed of a tenant in Redis: a stream of entries, and a hash of what is noted of each match.

Both keys share the slot `{feed:<tenant>}`. The id of an entry is the place of its last event.
"""

from collections.abc import Mapping
from typing import Final

from redis import RedisError

from events.keys import HEADS_CHANNEL
from events.redis_link import Client, Reply
from events.store import StoreUnavailable
from service.adapters.gathering import Gathering, at_once
from service.tenant_feed import Entry, Span, topic

# KEYS[1]  stream of entries
# KEYS[2]  hash: match -> version noted; `*` -> place of the last event
# ARGV     match, version, channel, topic, entries to keep at least
# A version that is noted already changes nothing.
_NOTE: Final = """
local known = tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or 0)
local count = tonumber(ARGV[2]) - known
if count <= 0 then
    return 0
end
local place = redis.call('HINCRBY', KEYS[2], '*', count)
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[5], string.format('%.0f-0', place),
    'm', ARGV[1], 'v', ARGV[2], 'n', count)
redis.pcall('PUBLISH', ARGV[3], string.format('%s %.0f -', ARGV[4], place))
return count
"""


class RedisFeed:
    """Entries beside the logs."""

    def __init__(self, client: Client, most: int) -> None:
        """`most`: how many entries are kept of a tenant, at least."""
        self._client = client
        self._most = most
        self._note = client.register_script(_NOTE)
        # Tenant and match -> the version reached.
        self._gathering = Gathering[tuple[str, str], int](self._note_all, max)

    def note(self, tenant: str, match: str, version: int) -> None:
        try:
            self._note(keys=_keys(tenant), args=self._arguments(tenant, match, version))
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def note_soon(self, tenant: str, match: str, version: int) -> None:
        self._gathering.note((tenant, match), version)

    def close(self) -> None:
        """Write what was noted."""
        self._gathering.close()

    def read(self, tenant: str, after: int, most: int) -> list[Entry]:
        self._gathering.settle()
        entries, _ = _keys(tenant)
        try:
            found: Reply = self._client.xrange(entries, f"({after}-0", "+", count=most)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return [_entry(id, fields) for id, fields in found]

    def span(self, tenant: str) -> Span:
        self._gathering.settle()
        entries, _ = _keys(tenant)
        try:
            oldest: Reply = self._client.xrange(entries, "-", "+", count=1)
            newest: Reply = self._client.xrevrange(entries, "+", "-", count=1)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        if not oldest or not newest:
            return Span(0, None)
        return Span(_entry(*oldest[0]).before, _entry(*newest[0]))

    def _arguments(self, tenant: str, match: str, version: int) -> list[str | int]:
        return [match, version, HEADS_CHANNEL, topic(tenant), self._most]

    def _note_all(self, notes: Mapping[tuple[str, str], int]) -> None:
        """Note versions. Raises StoreUnavailable."""
        noted = [(tenant, match, version) for (tenant, match), version in notes.items()]
        calls = [(self._note, _keys(each[0]), self._arguments(*each)) for each in noted]
        for each, done in zip(noted, at_once(self._client, calls), strict=True):
            if not done:
                self.note(*each)


def _keys(tenant: str) -> tuple[str, str]:
    return f"{{feed:{tenant}}}:entries", f"{{feed:{tenant}}}:noted"


def _entry(id: bytes, fields: dict[bytes, bytes]) -> Entry:
    return Entry(int(id.partition(b"-")[0]), fields[b"m"].decode(), int(fields[b"v"]), int(fields[b"n"]))
