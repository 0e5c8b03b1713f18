"""The list of a tenant's matches in Redis: the summaries in a hash, a sorted set for each filter.

All keys of a tenant share the slot `{matches:<tenant>}`. The sets hold places (`<created>:<match>`), all with
score 0, so that a page is a range by text and the order is total.
"""

from collections.abc import Iterator
from typing import Final

import msgspec
from redis import RedisError

from events.keys import of_match
from events.redis_link import Client, Reply
from events.store import StoreUnavailable
from service.read_models import Filters, Summary

# KEYS[1]  hash of the tenant's summaries, match -> "<version> <JSON>"
# KEYS[2] to [5]  the sets the match belongs in: the tenant's and the game's, of any status and of its own
# KEYS[6] to [9]  the sets of the other statuses, which it leaves
# ARGV     match, version, JSON, place
# A summary of an older version than the known one changes nothing.
_NOTE: Final = """
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known and tonumber(string.match(known, '^%d+')) > tonumber(ARGV[2]) then
    return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
for i = 2, 5 do
    redis.call('ZADD', KEYS[i], 0, ARGV[4])
end
for i = 6, #KEYS do
    redis.call('ZREM', KEYS[i], ARGV[4])
end
return 1
"""
_STATUSES: Final = ("lobby", "running", "over")
_STREAMS: Final = of_match("X").events.replace("X", "*")


class RedisReadModels:
    """Lists beside the logs."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._note = client.register_script(_NOTE)

    def note(self, summary: Summary) -> None:
        sets = [_set(summary.tenant, game, summary.status) for game in (None, summary.game)]
        others = [
            _set(summary.tenant, game, status)
            for status in _STATUSES
            if status != summary.status
            for game in (None, summary.game)
        ]
        everything = [_set(summary.tenant, game, None) for game in (None, summary.game)]
        try:
            self._note(
                keys=[_summaries(summary.tenant), *everything, *sets, *others],
                args=[
                    summary.match,
                    summary.version,
                    msgspec.json.encode(summary),
                    summary.place,
                ],
            )
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def page(self, filters: Filters, before: str | None, most: int) -> list[Summary]:
        start = "+" if before is None else f"({before}"
        try:
            found: Reply = self._client.zrange(
                _set(filters.tenant, filters.game, filters.status),
                start,
                "-",
                desc=True,
                bylex=True,
                offset=0,
                num=most,
            )
            matches = [each.decode().partition(":")[2] for each in found]
            kept: Reply = self._client.hmget(_summaries(filters.tenant), matches) if matches else []
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return [
            msgspec.json.decode(text.partition(b" ")[2], type=Summary) for text in kept if text is not None
        ]

    def all_matches(self) -> Iterator[str]:
        prefix, _, suffix = _STREAMS.partition("*")
        try:
            for key in self._client.scan_iter(match=_STREAMS, count=1000):
                yield key.decode().removeprefix(prefix).removesuffix(suffix)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error


def _summaries(tenant: str) -> str:
    return f"{{matches:{tenant}}}:summaries"


def _set(tenant: str, game: str | None, status: str | None) -> str:
    return f"{{matches:{tenant}}}:{game or '*'}:{status or '*'}"
