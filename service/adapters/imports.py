"""Where imported bundles are kept: in Redis, a key each; in memory for tests."""

import threading
from typing import Final

import msgspec
from redis import RedisError

from events.redis_link import Client, Reply
from events.store import StoreUnavailable
from service.imports import Import

_KEY: Final = "{import:%s}"


class RedisImports:
    """A key for each bundle; written once, never changed."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def get(self, id: str) -> Import | None:
        try:
            kept: Reply = self._client.get(_KEY % id)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return None if kept is None else msgspec.msgpack.decode(kept, type=Import)

    def add(self, taken: Import) -> Import:
        try:
            kept: Reply = self._client.set(_KEY % taken.id, msgspec.msgpack.encode(taken), nx=True, get=True)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return taken if kept is None else msgspec.msgpack.decode(kept, type=Import)


class MemoryImports:
    """In this process."""

    def __init__(self) -> None:
        self._kept: dict[str, Import] = {}
        self._lock = threading.Lock()

    def get(self, id: str) -> Import | None:
        return self._kept.get(id)

    def add(self, taken: Import) -> Import:
        with self._lock:
            return self._kept.setdefault(taken.id, taken)
