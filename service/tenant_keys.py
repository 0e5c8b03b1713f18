"""Where tenant keys are kept, hashed: one Redis hash beside the logs, or memory."""

import threading
from dataclasses import dataclass
from typing import Final, Protocol

import msgspec
import redis

from events.store import StoreUnavailable

KEYS: Final = "wonderlog:tenant-keys"


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """A tenant key at rest. `hash` is the SHA-256 of the whole key, hex; times are as in the log."""

    id: str
    tenant: str
    hash: str
    created_at: str
    revoked_at: str | None = None


class KeyStorage(Protocol):
    """The records by id. Every method raises StoreUnavailable when they cannot be reached."""

    def get(self, id: str) -> KeyRecord | None:
        """The record, or None."""

    def put(self, record: KeyRecord) -> None:
        """Write the record, new or changed."""

    def all(self) -> list[KeyRecord]:
        """Every record, oldest first."""


class MemoryKeys:
    """Records in this process."""

    def __init__(self) -> None:
        self._records: dict[str, KeyRecord] = {}
        self._lock = threading.Lock()

    def get(self, id: str) -> KeyRecord | None:
        return self._records.get(id)

    def put(self, record: KeyRecord) -> None:
        with self._lock:
            self._records[record.id] = record

    def all(self) -> list[KeyRecord]:
        with self._lock:
            return _oldest_first(list(self._records.values()))


class RedisKeys:
    """Records in the hash `wonderlog:tenant-keys`, field by field, each as JSON."""

    def __init__(self, client: "redis.Redis") -> None:
        self._client = client

    def get(self, id: str) -> KeyRecord | None:
        try:
            found = self._client.hget(KEYS, id)
        except redis.RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return None if found is None else msgspec.json.decode(found, type=KeyRecord)

    def put(self, record: KeyRecord) -> None:
        try:
            self._client.hset(KEYS, record.id, msgspec.json.encode(record))
        except redis.RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def all(self) -> list[KeyRecord]:
        try:
            found = self._client.hgetall(KEYS)
        except redis.RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return _oldest_first([msgspec.json.decode(record, type=KeyRecord) for record in found.values()])


def _oldest_first(records: list[KeyRecord]) -> list[KeyRecord]:
    return sorted(records, key=lambda record: (record.created_at, record.id))
