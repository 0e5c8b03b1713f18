"""The queue in Redis: who waits in a sorted set, a key for each ticket, the tables in a hash; all of a
tenant in the slot `{queue:<tenant>}`, so that each step is one script. `wonderlog:queues` has the tenants
whose queues are not empty, and maybe some whose queues are."""

from collections.abc import Sequence
from typing import Final

import msgspec
from redis import RedisError

from events.redis_link import Client, Reply
from events.store import StoreUnavailable
from service.queue_tickets import KEPT_MS, WAITING, QueueTable, QueueTicket

TENANTS: Final = "wonderlog:queues"

# KEYS  ticket, waiting;  ARGV  id, JSON, when it came, how long it is kept
_ADD: Final = """
local known = redis.call('GET', KEYS[1])
if known then return known end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[4])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return ARGV[2]
"""
# KEYS  waiting, tables, tickets;  ARGV  table ("": none), its JSON, then of each ticket id, JSON, how long
_SETTLE: Final = """
for i = 3, #KEYS do
    if not redis.call('ZSCORE', KEYS[1], ARGV[3 * i - 6]) then return 0 end
end
for i = 3, #KEYS do
    redis.call('ZREM', KEYS[1], ARGV[3 * i - 6])
    redis.call('SET', KEYS[i], ARGV[3 * i - 5], 'PX', ARGV[3 * i - 4])
end
if ARGV[1] ~= '' then redis.call('HSET', KEYS[2], ARGV[1], ARGV[2]) end
return 1
"""
# KEYS  waiting, tables, tickets;  ARGV  table, then of each ticket id, JSON, how long, when it came ("": it
# waits no more)
_FINISH: Final = """
if redis.call('HDEL', KEYS[2], ARGV[1]) == 0 then return 0 end
for i = 3, #KEYS do
    redis.call('SET', KEYS[i], ARGV[4 * i - 9], 'PX', ARGV[4 * i - 8])
    if ARGV[4 * i - 7] ~= '' then redis.call('ZADD', KEYS[1], ARGV[4 * i - 7], ARGV[4 * i - 10]) end
end
return 1
"""


class RedisQueue:
    """Tickets and tables, shared by all processes."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._add = client.register_script(_ADD)
        self._settle = client.register_script(_SETTLE)
        self._finish = client.register_script(_FINISH)

    def add(self, ticket: QueueTicket) -> QueueTicket:
        keys = [_ticket(ticket.tenant, ticket.id), _waiting(ticket.tenant)]
        told = msgspec.json.encode(ticket)
        try:
            kept: Reply = self._add(keys=keys, args=[ticket.id, told, ticket.made_ms, _life(ticket)])
            # After it, and at a retry too: see `retire`.
            self._client.sadd(TENANTS, ticket.tenant)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return ticket if kept == told else msgspec.json.decode(kept, type=QueueTicket)

    def get(self, tenant: str, id: str) -> QueueTicket | None:
        try:
            kept: Reply = self._client.get(_ticket(tenant, id))
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return None if kept is None else msgspec.json.decode(kept, type=QueueTicket)

    def waiting(self, tenant: str, most: int) -> list[QueueTicket]:
        try:
            ids: Reply = self._client.zrange(_waiting(tenant), 0, most - 1)
            if not ids:
                return []
            kept: Reply = self._client.mget([_ticket(tenant, id.decode()) for id in ids])
            gone = [id for id, text in zip(ids, kept, strict=True) if text is None]
            if gone:
                self._client.zrem(_waiting(tenant), *gone)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        found = [msgspec.json.decode(text, type=QueueTicket) for text in kept if text is not None]
        return sorted(found, key=lambda ticket: ticket.place)

    def settle(self, tickets: Sequence[QueueTicket], table: QueueTable | None = None) -> bool:
        tenant = tickets[0].tenant
        args: list[str | bytes | int] = ["", ""] if table is None else [table.id, msgspec.json.encode(table)]
        for ticket in tickets:
            args += [ticket.id, msgspec.json.encode(ticket), _life(ticket)]
        try:
            done: Reply = self._settle(keys=_keys(tenant, tickets), args=args)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return bool(done)

    def tables(self, tenant: str) -> list[QueueTable]:
        try:
            kept: Reply = self._client.hvals(_tables(tenant))
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return [msgspec.json.decode(text, type=QueueTable) for text in kept]

    def finish(self, table: QueueTable, tickets: Sequence[QueueTicket]) -> bool:
        args: list[str | bytes | int] = [table.id]
        for ticket in tickets:
            again = ticket.made_ms if ticket.status == WAITING else ""
            args += [ticket.id, msgspec.json.encode(ticket), _life(ticket), again]
        try:
            done: Reply = self._finish(keys=_keys(table.tenant, tickets), args=args)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return bool(done)

    def tenants(self) -> list[str]:
        try:
            found: Reply = self._client.smembers(TENANTS)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return sorted(tenant.decode() for tenant in found)

    def retire(self, tenant: str) -> None:
        try:
            if self._is_empty(tenant):
                self._client.srem(TENANTS, tenant)
                # Whoever entered meanwhile may have named the tenant before it was struck off.
                if not self._is_empty(tenant):
                    self._client.sadd(TENANTS, tenant)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def _is_empty(self, tenant: str) -> bool:
        return not self._client.exists(_waiting(tenant), _tables(tenant))


def _life(ticket: QueueTicket) -> int:
    """Milliseconds, counted from its making: longer than it may be of use."""
    return ticket.expires_ms - ticket.made_ms + KEPT_MS


def _keys(tenant: str, tickets: Sequence[QueueTicket]) -> list[str]:
    return [_waiting(tenant), _tables(tenant), *(_ticket(tenant, ticket.id) for ticket in tickets)]


def _waiting(tenant: str) -> str:
    return f"{{queue:{tenant}}}:waiting"


def _tables(tenant: str) -> str:
    return f"{{queue:{tenant}}}:tables"


def _ticket(tenant: str, id: str) -> str:
    return f"{{queue:{tenant}}}:ticket:{id}"
