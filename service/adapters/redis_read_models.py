"""The list of a tenant's matches in Redis: the summaries in a hash, a sorted set for each filter.

All keys of a tenant share the slot `{matches:<tenant>}`. The sets hold places (`<created>:<match>`), most of
them all with score 0, so that a page is a range by text and the order is total. `…:updated` has the time of
the last change as score. `…:awaiting` holds `<player>:<place>`, the hash `…:awaited` what of a match is in
there.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from redis import RedisError

from events.keys import of_match
from events.redis_link import Client, Reply
from events.store import StoreUnavailable
from service.adapters.gathering import Gathering, at_once
from service.adapters.packed_summaries import outline, packed, unpacked
from service.read_models import LOBBY, MOST_LOOKED_AT, Filters, Outline, Summary

# KEYS  of each summary: the hash of the tenant's summaries, match -> "<version> <packed>"; the hash
#       awaited; the set awaiting; the sets a match may stand in
# ARGV  how many keys a summary has; then of each: match, version, packed, place, the players it waits for;
#       and of each of the sets its score there ("": it does not stand there)
# A summary of an older version than the known one changes nothing.
_NOTE: Final = """
local width = tonumber(ARGV[1])
local function note(key, arg)
    local known = redis.call('HGET', KEYS[key + 1], ARGV[arg + 1])
    if known and tonumber(string.match(known, '^%d+')) > tonumber(ARGV[arg + 2]) then
        return
    end
    local place, players = ARGV[arg + 4], ARGV[arg + 5]
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
    for set = 1, width - 3 do
        local score = ARGV[arg + 5 + set]
        if score == '' then
            redis.call('ZREM', KEYS[key + 3 + set], place)
        else
            redis.call('ZADD', KEYS[key + 3 + set], score, place)
        end
    end
end
for i = 0, #KEYS / width - 1 do
    note(width * i, 1 + (width + 2) * i)
end
return 1
"""
# The keys of one summary. ARGV  match, place, players it waits for, version: strikes that version off.
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
_VISIBILITIES: Final = ("public", "private")
_STREAMS: Final = of_match("X").events.replace("X", "*")
# At once from an index whose matches are looked at one by one.
_CHUNK: Final = 250


class RedisReadModels:
    """Lists beside the logs."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._note = client.register_script(_NOTE)
        self._drop = client.register_script(_DROP)
        self._gathering = Gathering[str, Summary](self._note_gathered, _newer)

    def note(self, summary: Summary) -> None:
        self.note_all([summary])

    def note_soon(self, summary: Summary) -> None:
        self._gathering.note(summary.match, summary)

    def close(self) -> None:
        """Write what was noted."""
        self._gathering.close()

    def note_all(self, summaries: Sequence[Summary]) -> None:
        if not summaries:
            return
        keys, args = _noted(summaries)
        try:
            self._note(keys=keys, args=args)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def _note_gathered(self, notes: Mapping[str, Summary]) -> None:
        """Note summaries of any tenants. Raises StoreUnavailable."""
        noted = [([each], *_noted([each])) for each in notes.values()]
        scripts = [(self._note, keys, args) for _, keys, args in noted]
        for (summaries, _, _), done in zip(noted, at_once(self._client, scripts), strict=True):
            if not done:
                self.note_all(summaries)

    def page(self, filters: Filters, place: str | None, most: int) -> tuple[list[Summary], str | None]:
        self._gathering.settle()
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
        elif filters.open_seats and filters.status in (None, LOBBY):
            name = _open(filters.tenant, filters.game, filters.visibility)
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
        self._gathering.settle()
        try:
            text: Reply = self._client.hget(_summaries(list), match)
            if text is None:
                return None
            found = _summary(text)
            sets = _sets(found)
            with self._client.pipeline(transaction=False) as pipeline:
                pipeline.hget(_base(list, "awaited"), match)
                for name in sets:
                    pipeline.zscore(name, found.place)
                for player in found.awaiting:
                    pipeline.zscore(_base(list, "awaiting"), f"{player}:{found.place}")
                players, *scores = pipeline.execute()
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        stands = scores == [*sets.values(), *(0 for _ in found.awaiting)]
        awaits = (players or b"").decode() == " ".join(found.awaiting)
        return found if stands and awaits else None

    def drop(self, summary: Summary) -> None:
        players = " ".join(summary.awaiting)
        try:
            keys = [*_keys(summary.tenant), *_sets(summary)]
            self._drop(keys=keys, args=[summary.match, summary.place, players, summary.version])
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


def _newer(one: Summary, other: Summary) -> Summary:
    return other if other.version >= one.version else one


def _noted(summaries: Sequence[Summary]) -> tuple[list[str], list[str | bytes | int]]:
    """Keys and arguments of `_NOTE`."""
    keys: list[str] = []
    args: list[str | bytes | int] = []
    for summary in summaries:
        sets = _sets(summary)
        keys += [*_keys(summary.tenant), *sets]
        args += [summary.match, summary.version, packed(summary)]
        args += [summary.place, " ".join(summary.awaiting)]
        args += ["" if score is None else score for score in sets.values()]
    return keys, [len(keys) // len(summaries), *args]


def _keys(tenant: str) -> list[str]:
    return [_summaries(tenant), _base(tenant, "awaited"), _base(tenant, "awaiting")]


def _sets(summary: Summary) -> dict[str, int | None]:
    """The sets a match may stand in, with its score; None: it does not. As many for every match."""
    tenant, free = summary.tenant, summary.open_seats > 0
    found: dict[str, int | None] = {_updated(tenant, None): summary.updated_ms}
    for status in _STATUSES:
        found[_updated(tenant, status)] = summary.updated_ms if status == summary.status else None
    for game in (None, summary.game):
        found[_set(tenant, game, None)] = 0
        for status in _STATUSES:
            found[_set(tenant, game, status)] = 0 if status == summary.status else None
        found[_open(tenant, game, None)] = 0 if free else None
        for visibility in _VISIBILITIES:
            is_here = free and visibility == summary.visibility
            found[_open(tenant, game, visibility)] = 0 if is_here else None
    return found


def _summary(kept: bytes) -> Summary:
    return unpacked(kept.partition(b" ")[2])


def _outline(kept: bytes) -> Outline:
    return outline(kept.partition(b" ")[2])


def _updated(tenant: str, status: str | None) -> str:
    return _base(tenant, "updated" if status is None else f"updated:{status}")


def _base(tenant: str, name: str) -> str:
    return f"{{matches:{tenant}}}:{name}"


def _summaries(tenant: str) -> str:
    return _base(tenant, "summaries")


def _open(tenant: str, game: str | None, visibility: str | None) -> str:
    return _set(tenant, game, "open" if visibility is None else f"open:{visibility}")


def _set(tenant: str, game: str | None, status: str | None) -> str:
    return _base(tenant, f"{game or '*'}:{status or '*'}")
