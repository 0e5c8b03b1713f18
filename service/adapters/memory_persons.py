"""Keys of persons in this process."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from service.person_keys import Erasure, PersonKey


@dataclass(slots=True)
class MemoryPersons:
    """Persons by index, salts by person."""

    persons: dict[str, str] = field(default_factory=dict)
    kept: dict[str, str] = field(default_factory=dict, repr=False)
    done: list[Erasure] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def claim(self, index: str, new: PersonKey) -> PersonKey:
        with self._lock:
            id = self.persons.setdefault(index, new.id)
            return PersonKey(id, self.kept.setdefault(id, new.salt))

    def find(self, index: str) -> str | None:
        return self.persons.get(index)

    def salts(self, ids: Sequence[str]) -> list[str | None]:
        return [self.kept.get(id) for id in ids]

    def destroy(self, index: str, erasure: Erasure) -> bool:
        with self._lock:
            id = self.persons.pop(index, None)
            if id is not None:
                self.kept.pop(id, None)
            self.done.append(replace(erasure, outcome="nobody" if id is None else "erased"))
            return id is not None

    def drop(self, indexes: Sequence[str]) -> None:
        with self._lock:
            for index in indexes:
                self.kept.pop(self.persons.pop(index, ""), None)

    def compact(self) -> bool:
        return True

    def erasures(self, most: int) -> list[Erasure]:
        return self.done[-most:]
