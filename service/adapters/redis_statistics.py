"""Sums for statistics in Redis: a hash for each tenant, game and generation, and a set of what is in it.

`{statistics:<tenant>}:<generation>:<game>` holds the sums, `{statistics:<tenant>}:<generation>` the matches
that are in them, both in one slot, so that adding is one step. `wonderlog:statistics` says which generation
is shown and which one a rebuild makes; `wonderlog:statistics:<generation>` names the tenants and games.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from events.redis_link import Client, Reply
from service.adapters.reaching import reached
from service.statistics.counting import Counts, Name
from service.statistics.totals import RebuildOvertaken, read, written

_POINTERS: Final = "wonderlog:statistics"
_CURRENT: Final = "current"
_BUILDING: Final = "building"
_LAST: Final = "last"
_FIRST_GENERATION: Final = "0"

# KEYS: the matches, the sums. ARGV: the match, then name and number of each count.
_ADD: Final = """
if redis.call('SADD', KEYS[1], ARGV[1]) == 0 then
    return 0
end
for i = 2, #ARGV, 2 do
    redis.call('HINCRBY', KEYS[2], ARGV[i], ARGV[i + 1])
end
return 1
"""

# KEYS: the pointers. ARGV: the generation that is ready. Gives the one shown before, '' for the first; nil
# when another one is being built.
_SWITCH: Final = """
if redis.call('HGET', KEYS[1], 'building') ~= ARGV[1] then
    return false
end
local before = redis.call('HGET', KEYS[1], 'current')
redis.call('HSET', KEYS[1], 'current', ARGV[1])
redis.call('HDEL', KEYS[1], 'building')
return before or ''
"""


class RedisTotals:
    """Generations of sums, as `Totals` says."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._add_once = client.register_script(_ADD)
        self._switch = client.register_script(_SWITCH)

    @reached
    def has(self, tenant: str, match: str) -> bool:
        return all(bool(self._client.sismember(_matches(tenant, each), match)) for each in self._written())

    @reached
    def add(self, tenant: str, game: str, match: str, counts: Mapping[Name, int]) -> None:
        done: set[str] = set()
        # A generation that came in meanwhile gets it too: each takes a match once.
        while missing := [each for each in self._written() if each not in done]:
            for generation in missing:
                self._add(generation, tenant, game, match, counts)
                done.add(generation)

    @reached
    def sums(self, tenant: str, game: str) -> Counts:
        found: Reply = self._client.hgetall(_sums(tenant, self._pointer(_CURRENT), game))
        return Counter({read(name.decode()): int(number) for name, number in found.items()})

    @reached
    def tenants(self) -> list[str]:
        return sorted({tenant for tenant, _ in self._known(self._pointer(_CURRENT))})

    @reached
    def begin(self) -> str:
        before = self._pointer(_BUILDING)
        number: Reply = self._client.hincrby(_POINTERS, _LAST, 1)
        generation = str(number)
        self._client.hset(_POINTERS, _BUILDING, generation)
        if before:
            self._drop(before)
        return generation

    @reached
    def add_to(self, generation: str, tenant: str, game: str, match: str, counts: Mapping[Name, int]) -> None:
        self._add(generation, tenant, game, match, counts)

    @reached
    def finish(self, generation: str) -> None:
        before: Reply = self._switch(keys=[_POINTERS], args=[generation])
        if before is None:
            raise RebuildOvertaken
        self._drop(before.decode() or _FIRST_GENERATION)

    def _add(self, generation: str, tenant: str, game: str, match: str, counts: Mapping[Name, int]) -> None:
        self._client.sadd(_known(generation), f"{tenant} {game}")
        arguments: list[str | int] = [match]
        for name, number in counts.items():
            arguments += [written(name), number]
        self._add_once(keys=[_matches(tenant, generation), _sums(tenant, generation, game)], args=arguments)

    def _pointer(self, name: str) -> str:
        found: Reply = self._client.hget(_POINTERS, name)
        return found.decode() if found else _FIRST_GENERATION if name == _CURRENT else ""

    def _written(self) -> list[str]:
        return [each for each in (self._pointer(_CURRENT), self._pointer(_BUILDING)) if each]

    def _known(self, generation: str) -> list[tuple[str, str]]:
        """Tenants and games of which a generation has sums."""
        found: Reply = self._client.smembers(_known(generation))
        pairs = (member.decode().partition(" ") for member in found)
        return [(tenant, game) for tenant, _, game in pairs]

    def _drop(self, generation: str) -> None:
        for tenant, game in self._known(generation):
            self._client.delete(_matches(tenant, generation), _sums(tenant, generation, game))
        self._client.delete(_known(generation))


def _matches(tenant: str, generation: str) -> str:
    return f"{{statistics:{tenant}}}:{generation}"


def _sums(tenant: str, generation: str, game: str) -> str:
    return f"{{statistics:{tenant}}}:{generation}:{game}"


def _known(generation: str) -> str:
    return f"wonderlog:statistics:{generation}"
