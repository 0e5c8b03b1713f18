"""Sums for statistics in this process."""

import threading
from collections import Counter
from collections.abc import Mapping

from service.statistics.counting import Counts, Name
from service.statistics.totals import RebuildOvertaken


class MemoryTotals:
    """Generations of sums, as `Totals` says."""

    def __init__(self) -> None:
        self._sums: dict[str, dict[tuple[str, str], Counts]] = {"0": {}}
        self._counted: dict[str, set[tuple[str, str]]] = {"0": set()}
        self._current, self._building = "0", ""
        self._made = 0
        self._lock = threading.Lock()

    def has(self, tenant: str, match: str) -> bool:
        with self._lock:
            return all((tenant, match) in self._counted[each] for each in self._written())

    def add(self, tenant: str, game: str, match: str, counts: Mapping[Name, int]) -> None:
        with self._lock:
            for generation in self._written():
                self._add(generation, tenant, game, match, counts)

    def sums(self, tenant: str, game: str) -> Counts:
        with self._lock:
            return Counter(self._sums[self._current].get((tenant, game), {}))

    def tenants(self) -> list[str]:
        with self._lock:
            return sorted({tenant for tenant, _ in self._sums[self._current]})

    def begin(self) -> str:
        with self._lock:
            self._drop(self._building)
            self._made += 1
            self._building = str(self._made)
            self._sums[self._building], self._counted[self._building] = {}, set()
            return self._building

    def add_to(self, generation: str, tenant: str, game: str, match: str, counts: Mapping[Name, int]) -> None:
        with self._lock:
            if generation in self._sums:
                self._add(generation, tenant, game, match, counts)

    def finish(self, generation: str) -> None:
        with self._lock:
            if generation != self._building:
                raise RebuildOvertaken
            self._drop(self._current)
            self._current, self._building = generation, ""

    def _written(self) -> list[str]:
        return [generation for generation in (self._current, self._building) if generation]

    def _add(self, generation: str, tenant: str, game: str, match: str, counts: Mapping[Name, int]) -> None:
        if (tenant, match) not in self._counted[generation]:
            self._counted[generation].add((tenant, match))
            self._sums[generation].setdefault((tenant, game), Counter()).update(counts)

    def _drop(self, generation: str) -> None:
        self._sums.pop(generation, None)
        self._counted.pop(generation, None)
