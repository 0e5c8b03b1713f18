"""Stream tickets in this process."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class MemoryTickets:
    """Texts under names, with the time in seconds at which each ends."""

    now: Callable[[], float] = time.monotonic
    _kept: dict[str, tuple[str, float]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, name: str, text: str, seconds: int) -> str | None:
        with self._lock:
            before = self._get(name)
            if before is None:
                self._put(name, text, seconds)
            return before

    def swap(self, name: str, text: str, seconds: int) -> str | None:
        with self._lock:
            before = self._get(name)
            if before is not None:
                self._put(name, text, seconds)
            return before

    def _get(self, name: str) -> str | None:
        text, until = self._kept.get(name, ("", 0.0))
        return text if self.now() < until else None

    def _put(self, name: str, text: str, seconds: int) -> None:
        self._kept[name] = (text, self.now() + seconds)
