"""Where imported bundles are kept: in Redis, a key each and a hash per tenant that lists them; in memory."""

import threading
import time
from typing import Final

import msgspec

from events.redis_link import Command, RedisLink, Reply
from service.adapters.durable import Durable
from service.imports import Import, Listed

_KEY: Final = "{import:%s}"
_LIST: Final = "wonderlog:imports:%s"


class RedisImports:
    """A key for each bundle, written once. The list is written before it and after it is dropped, so it may
    name what is not there; never the other way round."""

    def __init__(self, link: RedisLink, waits: tuple[Command, ...] = ()) -> None:
        """`waits`: the commands that wait until a write is as durable as it must be."""
        self._durable = Durable(link, waits)

    def get(self, id: str) -> Import | None:
        kept = self._read(_KEY % id, "GET")
        return None if kept is None else msgspec.msgpack.decode(kept, type=Import)

    def has(self, id: str) -> bool:
        return bool(self._read(_KEY % id, "EXISTS"))

    def add(self, taken: Import, until_ms: int | None = None) -> Import:
        entry = msgspec.msgpack.encode(Listed.of(taken, until_ms))
        self._write(("HSET", _LIST % taken.tenant, taken.id, entry))
        command: Command = ("SET", _KEY % taken.id, msgspec.msgpack.encode(taken), "NX", "GET")
        if until_ms is not None:
            command = (*command, "PXAT", until_ms)
        kept = self._write(command)
        return taken if kept is None else msgspec.msgpack.decode(kept, type=Import)

    def of_tenant(self, tenant: str) -> list[Listed]:
        entries: list[bytes] = self._read(_LIST % tenant, "HVALS")
        found = [msgspec.msgpack.decode(entry, type=Listed) for entry in entries]
        now = round(time.time() * 1000)
        for gone in [each for each in found if each.until_ms is not None and each.until_ms < now]:
            self._write(("HDEL", _LIST % tenant, gone.id))
            found.remove(gone)
        return found

    def drop(self, tenant: str, id: str) -> None:
        self._write(("DEL", _KEY % id))
        self._write(("HDEL", _LIST % tenant, id))

    def _read(self, key: str, word: str) -> Reply:
        return self._durable.read(key, (word, key))

    def _write(self, command: Command) -> Reply:
        return self._durable.write(str(command[1]), command)


class MemoryImports:
    """In this process."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Import, int | None]] = {}
        self._lock = threading.Lock()

    def get(self, id: str) -> Import | None:
        self._expire()
        kept = self._kept.get(id)
        return None if kept is None else kept[0]

    def has(self, id: str) -> bool:
        return self.get(id) is not None

    def add(self, taken: Import, until_ms: int | None = None) -> Import:
        self._expire()
        with self._lock:
            return self._kept.setdefault(taken.id, (taken, until_ms))[0]

    def of_tenant(self, tenant: str) -> list[Listed]:
        self._expire()
        return [Listed.of(each, until) for each, until in self._kept.values() if each.tenant == tenant]

    def drop(self, tenant: str, id: str) -> None:
        with self._lock:
            self._kept.pop(id, None)

    def _expire(self) -> None:
        now = time.time() * 1000
        with self._lock:
            for id in [id for id, (_, until) in self._kept.items() if until is not None and until < now]:
                del self._kept[id]
