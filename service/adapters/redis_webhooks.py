"""Webhooks in Redis, beside the logs.

`{hooks:<tenant>}:endpoints`      hash, endpoint -> JSON
`{hook:<endpoint>}:deliveries`    hash, delivery -> JSON
`{hook:<endpoint>}:log`           sorted set of places (`<time>:<delivery>`), all with score 0
`{hook:<endpoint>}:pending`       sorted set, delivery -> when to attempt it, milliseconds
`{wonderlog:hooks:<set>}:at`      sorted set, name -> when it is due; `<set>` is `news` or `due`
`{wonderlog:hooks:<set>}:claims`  sorted set, name -> until when somebody holds it
"""

from typing import Any, Final

import msgspec

from events.redis_link import Client, Command, Reply
from service.adapters.durable import Durable
from service.adapters.reaching import reached
from service.webhooks.deliveries import MOST_KEPT, Claim, Delivery
from service.webhooks.endpoints import Endpoint

# The deliveries of an endpoint that gets none any more are forgotten after this long, in seconds.
_KEPT_S: Final = 30 * 24 * 3600
# How far a claim looks past names that are held already.
_DEPTH: Final = 1000

# KEYS[1]  hash of the endpoints;  ARGV  id, the JSON it must be now ("": none), the new JSON
_SWAP: Final = """
local known = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if known ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
"""
# KEYS     deliveries, log, pending;  ARGV  id, JSON, place, due, most kept, seconds kept
# 1: new, 0: known. A known one that waits is due again at once.
_ADD: Final = """
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then
    redis.call('ZADD', KEYS[3], 'XX', 'LT', ARGV[4], ARGV[1])
    return 0
end
redis.call('ZADD', KEYS[2], 0, ARGV[3])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[1])
local over = redis.call('ZCARD', KEYS[2]) - tonumber(ARGV[5])
if over > 0 then
    for _, place in ipairs(redis.call('ZRANGE', KEYS[2], 0, over - 1)) do
        local id = string.match(place, ':(.*)$')
        redis.call('HDEL', KEYS[1], id)
        redis.call('ZREM', KEYS[3], id)
        redis.call('ZREM', KEYS[2], place)
    end
end
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ARGV[6]) end
return 1
"""
# KEYS     deliveries, pending;  ARGV  id, JSON, when it is due ("": not any more). A forgotten one stays so.
_SAVE: Final = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if ARGV[3] == '' then
    redis.call('ZREM', KEYS[2], ARGV[1])
else
    redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
end
return 1
"""
# KEYS     at, claims;  ARGV  now, until, most, depth
# Claims that ended come first, then what is due and not held.
_CLAIM: Final = """
local taken = {}
local function take(names, held)
    for _, name in ipairs(names) do
        if #taken >= tonumber(ARGV[3]) then return end
        if held or not redis.call('ZSCORE', KEYS[2], name) then
            redis.call('ZREM', KEYS[1], name)
            redis.call('ZADD', KEYS[2], ARGV[2], name)
            taken[#taken + 1] = name
        end
    end
end
take(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, ARGV[4]), true)
take(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[4]), false)
return taken
"""
# KEYS     at, claims;  ARGV  name, until when it is held, the new end of the claim ("": none), due ("": not)
_HELD: Final = """
local held = redis.call('ZSCORE', KEYS[2], ARGV[1])
if not held or tonumber(held) ~= tonumber(ARGV[2]) then return 0 end
if ARGV[3] == '' then
    redis.call('ZREM', KEYS[2], ARGV[1])
else
    redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
end
if ARGV[4] ~= '' then redis.call('ZADD', KEYS[1], 'LT', ARGV[4], ARGV[1]) end
return 1
"""


class RedisWebhooks:
    """Endpoints, deliveries and what is due."""

    def __init__(self, client: Client, waits: tuple[Command, ...]) -> None:
        """`waits`: see `Durable`; for endpoints, whose secrets are shown once."""
        self._client = client
        self._durable = Durable.on(client, waits)
        self._add = client.register_script(_ADD)
        self._save = client.register_script(_SAVE)
        self._claim = client.register_script(_CLAIM)
        self._held = client.register_script(_HELD)

    @reached
    def endpoints(self, tenant: str) -> list[Endpoint]:
        found: Reply = self._client.hgetall(_endpoints(tenant))
        made = [msgspec.json.decode(value, type=Endpoint) for value in found.values()]
        return sorted(made, key=lambda each: (each.created_ms, each.id))

    @reached
    def swap(self, old: Endpoint | None, new: Endpoint) -> bool:
        before = b"" if old is None else msgspec.json.encode(old)
        done = self._durable.run(_SWAP, [_endpoints(new.tenant)], [new.id, before, msgspec.json.encode(new)])
        return bool(done)

    @reached
    def drop(self, endpoint: Endpoint) -> None:
        self._client.hdel(_endpoints(endpoint.tenant), endpoint.id)

    @reached
    def empty(self, endpoint: Endpoint) -> None:
        self._client.delete(*_keys(endpoint.id))

    @reached
    def add(self, delivery: Delivery) -> bool:
        args: list[Any] = [delivery.id, msgspec.json.encode(delivery), delivery.place, delivery.next_ms or 0]
        new: Reply = self._add(keys=_keys(delivery.endpoint), args=[*args, MOST_KEPT, _KEPT_S])
        self.bring_forward("due", f"{delivery.tenant} {delivery.endpoint}", delivery.next_ms or 0)
        return bool(new)

    @reached
    def save(self, delivery: Delivery) -> None:
        deliveries, _, pending = _keys(delivery.endpoint)
        due = delivery.next_ms if delivery.status == "pending" else None
        self._save(
            keys=[deliveries, pending],
            args=[delivery.id, msgspec.json.encode(delivery), "" if due is None else due],
        )

    @reached
    def delivery(self, endpoint: str, id: str) -> Delivery | None:
        found: Reply = self._client.hget(_keys(endpoint)[0], id)
        return None if found is None else msgspec.json.decode(found, type=Delivery)

    @reached
    def page(self, endpoint: str, before: str | None, most: int) -> list[Delivery]:
        start = "+" if before is None else f"({before}"
        places: Reply = self._client.zrange(
            _keys(endpoint)[1], start, "-", desc=True, bylex=True, offset=0, num=most
        )
        return self._all(endpoint, [place.decode().partition(":")[2] for place in places])

    @reached
    def pending(self, endpoint: str, now_ms: int, most: int) -> list[Delivery]:
        ids: Reply = self._client.zrangebyscore(_keys(endpoint)[2], "-inf", now_ms, 0, most)
        return self._all(endpoint, [id.decode() for id in ids])

    @reached
    def next_due(self, endpoint: str) -> int | None:
        first: Reply = self._client.zrange(_keys(endpoint)[2], 0, 0, withscores=True)
        return int(first[0][1]) if first else None

    @reached
    def bring_forward(self, due: str, name: str, at_ms: int) -> None:
        self._client.zadd(_set(due)[0], {name: at_ms}, lt=True)

    @reached
    def claim(self, due: str, now_ms: int, lease_ms: int, most: int) -> list[Claim]:
        until = now_ms + lease_ms
        names: Reply = self._claim(keys=_set(due), args=[now_ms, until, most, _DEPTH])
        return [Claim(name.decode(), until) for name in names]

    @reached
    def renew(self, due: str, claim: Claim, until_ms: int) -> Claim | None:
        held: Reply = self._held(keys=_set(due), args=[claim.name, claim.until_ms, until_ms, ""])
        return Claim(claim.name, until_ms) if held else None

    @reached
    def settle(self, due: str, claim: Claim, at_ms: int | None) -> None:
        self._held(keys=_set(due), args=[claim.name, claim.until_ms, "", "" if at_ms is None else at_ms])

    def _all(self, endpoint: str, ids: list[str]) -> list[Delivery]:
        if not ids:
            return []
        found: Reply = self._client.hmget(_keys(endpoint)[0], ids)
        return [msgspec.json.decode(value, type=Delivery) for value in found if value is not None]


def _endpoints(tenant: str) -> str:
    return f"{{hooks:{tenant}}}:endpoints"


def _keys(endpoint: str) -> list[str]:
    return [f"{{hook:{endpoint}}}:{name}" for name in ("deliveries", "log", "pending")]


def _set(due: str) -> list[str]:
    return [f"{{wonderlog:hooks:{due}}}:{name}" for name in ("at", "claims")]
