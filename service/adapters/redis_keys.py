"""Tenant keys in Redis: one hash beside the logs, a field per key, each record as JSON."""

from typing import Final

import msgspec
from redis import RedisError

from events.redis_link import Client
from events.store import StoreUnavailable
from service.tenant_keys import KeyRecord, oldest_first

KEYS: Final = "wonderlog:tenant-keys"


class RedisKeys:
    """Records in the hash `wonderlog:tenant-keys`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def get(self, id: str) -> KeyRecord | None:
        try:
            found = self._client.hget(KEYS, id)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return None if found is None else msgspec.json.decode(found, type=KeyRecord)

    def put(self, record: KeyRecord) -> None:
        try:
            self._client.hset(KEYS, record.id, msgspec.json.encode(record))
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def all(self) -> list[KeyRecord]:
        try:
            found = self._client.hgetall(KEYS)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return oldest_first([msgspec.json.decode(record, type=KeyRecord) for record in found.values()])
