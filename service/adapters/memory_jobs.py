"""Jobs in this process."""

import threading
from dataclasses import dataclass, field

from service.job_records import JobRecord


@dataclass(slots=True)
class MemoryJobs:
    """Records and times in plain dictionaries."""

    records: dict[str, JobRecord] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, job: JobRecord, due_ms: int) -> JobRecord:
        with self._lock:
            if job.id not in self.records:
                self.records[job.id], self.times[job.id] = job, due_ms
            return self.records[job.id]

    def get(self, id: str) -> JobRecord | None:
        return self.records.get(id)

    def move(self, job: JobRecord, before: str, due_ms: int | None) -> bool:
        with self._lock:
            known = self.records.get(job.id)
            if known is None or known.status != before:
                return False
            self.records[job.id] = job
            if due_ms is None:
                self.times.pop(job.id, None)
            else:
                self.times[job.id] = due_ms
            return True

    def due(self, now_ms: int, again_ms: int, most: int) -> list[str]:
        with self._lock:
            found = sorted((at, id) for id, at in self.times.items() if at <= now_ms)[:most]
            self.times.update({id: again_ms for _, id in found})
            return [id for _, id in found]
