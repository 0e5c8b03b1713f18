"""The feed of a tenant, in this process."""

import threading
from dataclasses import dataclass, field

from events.memory import MemoryStore
from service.tenant_feed import Entry, Span, topic


@dataclass(slots=True)
class MemoryFeed:
    """Entries in plain lists; news are announced by the store."""

    store: MemoryStore
    most: int = 1_000_000
    _entries: dict[str, list[Entry]] = field(default_factory=dict)
    _noted: dict[tuple[str, str], int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, tenant: str, match: str, version: int) -> None:
        with self._lock:
            known = self._noted.get((tenant, match), 0)
            if version <= known:
                return
            self._noted[tenant, match] = version
            entries = self._entries.setdefault(tenant, [])
            last = (entries[-1].last if entries else 0) + version - known
            entries.append(Entry(last, match, version, version - known))
            del entries[: -self.most]
        self.store.announce(topic(tenant), last)

    def note_soon(self, tenant: str, match: str, version: int) -> None:
        self.note(tenant, match, version)

    def read(self, tenant: str, after: int, most: int) -> list[Entry]:
        with self._lock:
            return [entry for entry in self._entries.get(tenant, []) if entry.last > after][:most]

    def span(self, tenant: str) -> Span:
        with self._lock:
            entries = self._entries.get(tenant)
            return Span(entries[0].before, entries[-1]) if entries else Span(0, None)
