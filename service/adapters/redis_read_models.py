"""The list of a tenant's matches in Redis: the summaries in a hash, a sorted set for each filter.

All keys of a tenant share the slot `{matches:<tenant>}`. The sets hold places (`<created>:<match>`), most of
them all with score 0, so that a page is a range by text and the order is total. `…:updated` has the time of
the last change as score. `…:awaiting` holds `<player>:<place>`, the hash `…:awaited` what of a match is in
there.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from redis import RedisError

from events.keys import of_match
from events.redis_link import Client, Reply
from events.store import StoreUnavailable
from service.read_models import MOST_LOOKED_AT, Filters, Outline, Summary

# 17 KEYS and 7 ARGV for each summary.
# KEYS 1 to 3   hash of the tenant's summaries, match -> "<version> <JSON>"; hash awaited; set awaiting
# KEYS 4        the set by the time of the last change
# KEYS 5 to 8   the sets the match belongs in: the tenant's and the game's, of any status and of its own
# KEYS 9 to 12  the sets of the other statuses, which it leaves
# KEYS 13 to 15 the sets by the time of the last change of its own status, and of the others
# KEYS 16, 17   the sets of the tenant and of the game of what has open seats
# ARGV          match, version, JSON, place, time of the last change, the players it waits for, open seats
# A summary of an older version than the known one changes nothing.
_NOTE: Final = """
local function note(key, arg)
    local known = redis.call('HGET', KEYS[key + 1], ARGV[arg + 1])
    if known and tonumber(string.match(known, '^%d+')) > tonumber(ARGV[arg + 2]) then
        return
    end
    local place, players = ARGV[arg + 4], ARGV[arg + 6]
    redis.call('HSET', KEYS[key + 1], ARGV[arg + 1], ARGV[arg + 2] .. ' ' .. ARGV[arg + 3])
    local before = redis.call('HGET', KEYS[key + 2], ARGV[arg + 1]) or ''
    if before ~= players then
        for player in string.gmatch(before, '%S+') do
            redis.call('ZREM', KEYS[key + 3], player .. ':' .. place)
        end
        redis.call('HSET', KEYS[key + 2], ARGV[arg + 1], players)
    end
    for player in string.gmatch(players, '%S+') do
        redis.call('ZADD', KEYS[key + 3], 0, player .. ':' .. place)
    end
    redis.call('ZADD', KEYS[key + 4], ARGV[arg + 5], place)
    for i = key + 5, key + 8 do
        redis.call('ZADD', KEYS[i], 0, place)
    end
    for i = key + 9, key + 12 do
        redis.call('ZREM', KEYS[i], place)
    end
    redis.call('ZADD', KEYS[key + 13], ARGV[arg + 5], place)
    redis.call('ZREM', KEYS[key + 14], place)
    redis.call('ZREM', KEYS[key + 15], place)
    for i = key + 16, key + 17 do
        if ARGV[arg + 7] == '0' then
            redis.call('ZREM', KEYS[i], place)
        else
            redis.call('ZADD', KEYS[i], 0, place)
        end
    end
end
for i = 0, #KEYS / 17 - 1 do
    note(17 * i, 7 * i)
end
return 1
"""
# The same keys. ARGV  match, place, players it waits for, version: strikes that version off.
_DROP: Final = """
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known and string.match(known, '^%d+') ~= ARGV[4] then
    return 0
end
redis.call('HDEL', KEYS[1], ARGV[1])
for player in string.gmatch(redis.call('HGET', KEYS[2], ARGV[1]) or ARGV[3], '%S+') do
    redis.call('ZREM', KEYS[3], player .. ':' .. ARGV[2])
end
redis.call('HDEL', KEYS[2], ARGV[1])
for i = 4, #KEYS do
    redis.call('ZREM', KEYS[i], ARGV[2])
end
return 1
"""
_STATUSES: Final = ("lobby", "running", "over")
_STREAMS: Final = of_match("X").events.replace("X", "*")
# At once from an index whose matches are looked at one by one.
_CHUNK: Final = 250


class RedisReadModels:
    """Lists beside the logs."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._note = client.register_script(_NOTE)
        self._drop = client.register_script(_DROP)

    def note(self, summary: Summary) -> None:
        self.note_all([summary])

    def note_all(self, summaries: Sequence[Summary]) -> None:
        keys: list[str] = []
        args: list[str | bytes | int] = []
        for summary in summaries:
            keys += _keys(summary)
            args += [summary.match, summary.version, msgspec.json.encode(summary)]
            args += [summary.place, summary.updated_ms, " ".join(summary.awaiting), summary.open_seats]
        try:
            self._note(keys=keys, args=args)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def page(self, filters: Filters, place: str | None, most: int) -> tuple[list[Summary], str | None]:
        found: list[tuple[str, Summary]] = []
        looked_at, chunk = 0, most + 1 if filters.are_indexed else max(_CHUNK, most + 1)
        try:
            while looked_at < MOST_LOOKED_AT:
                places = self._places(filters, place, chunk)
                found += self._taken(filters, places)
                looked_at += len(places)
                if len(found) > most:
                    return [summary for _, summary in found[:most]], found[most - 1][0]
                if len(places) < chunk:
                    return [summary for _, summary in found], None
                place = places[-1]
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return [summary for _, summary in found], place

    def _places(self, filters: Filters, place: str | None, most: int) -> list[str]:
        """The next places in the order of the filters, from the narrowest index there is."""
        if filters.updated_after_ms is not None:
            return self._changed(filters, filters.updated_after_ms, place, most)
        prefix, name = "", _set(filters.tenant, filters.game, filters.status)
        if filters.awaiting is not None:
            prefix, name = f"{filters.awaiting}:", _base(filters.tenant, "awaiting")
        elif filters.open_seats and filters.status is None:
            name = _set(filters.tenant, filters.game, "open")
        youngest = f"({prefix}{place}" if place is not None else f"({prefix}~"
        oldest = f"[{prefix}" if prefix else "-"
        got: Reply = self._client.zrange(name, youngest, oldest, desc=True, bylex=True, offset=0, num=most)
        return [each.decode().removeprefix(prefix) for each in got]

    def _changed(self, filters: Filters, after_ms: int, place: str | None, most: int) -> list[str]:
        """Places by the time of the last change: `<changed>:<created>:<match>`."""
        name, offset = _updated(filters.tenant, filters.status), 0
        start = f"({after_ms}" if place is None else str(int(place.partition(":")[0]))
        found: list[str] = []
        while len(found) < most:
            got: Reply = self._client.zrange(
                name, start, "+inf", byscore=True, withscores=True, offset=offset, num=most
            )
            offset += len(got)
            places = [f"{int(score):015d}:{member.decode()}" for member, score in got]
            found += [each for each in places if place is None or each > place]
            if len(got) < most:
                break
        return found[:most]

    def _taken(self, filters: Filters, places: list[str]) -> list[tuple[str, Summary]]:
        """The summaries that stand at places and are what is asked for."""
        if not places:
            return []
        matches = [place.rpartition(":")[2] for place in places]
        kept: Reply = self._client.hmget(_summaries(filters.tenant), matches)
        there = [(place, text) for place, text in zip(places, kept, strict=True) if text is not None]
        taken = [(place, text) for place, text in there if filters.take(_outline(text))]
        return [(place, _summary(text)) for place, text in taken]

    def find(self, list: str, match: str) -> Summary | None:
        try:
            text: Reply = self._client.hget(_summaries(list), match)
            if text is None:
                return None
            found = _summary(text)
            keys = _keys(found)
            scores = [None] * 3 + [self._client.zscore(key, found.place) for key in keys[3:]]
            players: Reply = self._client.hget(keys[1], match)
            there = [self._client.zscore(keys[2], f"{player}:{found.place}") for player in found.awaiting]
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        stands = {scores[3], scores[12]} == {found.updated_ms} and None not in scores[4:8]
        absent = [*scores[8:12], *scores[13:15], *([] if found.open_seats else scores[15:])]
        stands = stands and set(absent) <= {None} and not (found.open_seats and None in scores[15:])
        awaits = (players or b"").decode() == " ".join(found.awaiting) and None not in there
        return found if stands and awaits else None

    def drop(self, summary: Summary) -> None:
        players = " ".join(summary.awaiting)
        try:
            self._drop(keys=_keys(summary), args=[summary.match, summary.place, players, summary.version])
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def all_listed(self) -> Iterator[Summary]:
        try:
            for key in self._client.scan_iter(match=_summaries("*"), count=1000):
                for _, text in self._client.hscan_iter(key, count=1000):
                    yield _summary(text)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def all_matches(self) -> Iterator[str]:
        prefix, _, suffix = _STREAMS.partition("*")
        try:
            for key in self._client.scan_iter(match=_STREAMS, count=1000):
                yield key.decode().removeprefix(prefix).removesuffix(suffix)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error


def _keys(summary: Summary) -> list[str]:
    games = (None, summary.game)
    own = [_set(summary.tenant, game, status) for status in (summary.status, None) for game in games]
    others = [
        _set(summary.tenant, game, status)
        for status in _STATUSES
        if status != summary.status
        for game in games
    ]
    bases = [_base(summary.tenant, name) for name in ("awaited", "awaiting", "updated")]
    by_change = [summary.status, *(status for status in _STATUSES if status != summary.status)]
    changed = [_updated(summary.tenant, status) for status in by_change]
    free = [_set(summary.tenant, game, "open") for game in games]
    return [_summaries(summary.tenant), *bases, *own, *others, *changed, *free]


def _summary(text: bytes) -> Summary:
    return msgspec.json.decode(text.partition(b" ")[2], type=Summary)


def _outline(text: bytes) -> Outline:
    return msgspec.json.decode(text.partition(b" ")[2], type=Outline)


def _updated(tenant: str, status: str | None) -> str:
    return _base(tenant, "updated" if status is None else f"updated:{status}")


def _base(tenant: str, name: str) -> str:
    return f"{{matches:{tenant}}}:{name}"


def _summaries(tenant: str) -> str:
    return _base(tenant, "summaries")


def _set(tenant: str, game: str | None, status: str | None) -> str:
    return _base(tenant, f"{game or '*'}:{status or '*'}")
