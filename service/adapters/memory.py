"""Everything the service keeps, in this process: for tests and examples."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from events.keys import EVERYTHING
from events.memory import MemoryStore
from service.clock import Clock
from service.outages import MOST, Outage
from service.read_models import Filters, Summary
from service.scheduling import (
    DELIVER_WEBHOOKS,
    ENFORCE_DEADLINE,
    LOOK_MS,
    PLAY_BOT_TURN,
    SET_UP_BATCH,
    batch_job_id,
    bot_job_id,
    deadline_job_id,
)
from service.tenant_keys import KeyAction, KeyRecord, oldest_first, with_end
from service.work import GRACE_MS, BotTurn, Deadline


class MemoryKeys:
    """Records in this process."""

    def __init__(self, store: MemoryStore | None = None) -> None:
        """`store` tells those who follow its matches when a record changes."""
        self._records: dict[str, KeyRecord] = {}
        self._ends: dict[str, str] = {}
        self._actions: list[KeyAction] = []
        self._used: dict[str, str] = {}
        self._origins: dict[str, tuple[str, ...]] = {}
        self._lock = threading.Lock()
        self._store = store

    def get(self, id: str) -> KeyRecord | None:
        record = self._records.get(id)
        return None if record is None else with_end(record, self._ends.get(id))

    def end(self, id: str, at: str, why: str, action: KeyAction) -> None:
        with self._lock:
            end = f"{at} {why}"
            if end < self._ends.get(id, "~"):
                self._ends[id] = end
                self._actions.append(action)
        if self._store is not None:
            self._store.announce(EVERYTHING, 0)

    def add(self, record: KeyRecord, action: KeyAction) -> KeyRecord:
        with self._lock:
            known = self._records.get(record.id)
            if known is None:
                known = self._records[record.id] = record
                self._actions.append(action)
            return known

    def all(self) -> list[KeyRecord]:
        with self._lock:
            return oldest_first([with_end(each, self._ends.get(id)) for id, each in self._records.items()])

    def actions(self, most: int) -> list[KeyAction]:
        with self._lock:
            return self._actions[-most:]

    def touch(self, id: str, at: str) -> None:
        with self._lock:
            self._used[id] = at

    def used(self) -> dict[str, str]:
        with self._lock:
            return dict(self._used)

    def origins(self) -> dict[str, tuple[str, ...]]:
        with self._lock:
            return dict(self._origins)

    def put_origins(self, tenant: str, origins: tuple[str, ...], action: KeyAction) -> None:
        with self._lock:
            self._origins[tenant] = origins
            self._actions.append(action)


@dataclass(frozen=True, slots=True)
class Job:
    """A job as a worker gets it: the name of a function and its arguments."""

    id: str
    name: str
    args: tuple[str | int, ...]


@dataclass(slots=True)
class MemoryScheduler:
    """Follow-up work in plain dictionaries; whoever owns it takes the jobs and runs them."""

    clock: Clock
    running: dict[str, int] = field(default_factory=dict)
    deadlines: dict[tuple[str, str], int] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)
    present: int | None = None
    known_outages: list[Outage] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def mark(self, match: str) -> None:
        with self._lock:
            at = self.clock.now_ms() + LOOK_MS
            self.running[match] = min(at, self.running.get(match, at))

    def look_later(self, match: str, ms: int) -> None:
        with self._lock:
            self.running[match] = self.clock.now_ms() + ms

    def to_look_at(self, most: int) -> list[str]:
        with self._lock:
            now = self.clock.now_ms()
            due = sorted((at, match) for match, at in self.running.items() if at <= now)
        return [match for _, match in due[:most]]

    def forget(self, match: str) -> None:
        with self._lock:
            self.running.pop(match, None)

    def ask_bots(self, turns: Iterable[BotTurn]) -> None:
        now = self.clock.now_ms()
        for turn in sorted(turns, key=lambda turn: (turn.opened, turn.seat)):
            self._ask(Job(bot_job_id(turn, now), PLAY_BOT_TURN, (turn.match, turn.decision, turn.seat)))

    def watch(self, due: Iterable[Deadline], ended: Iterable[Deadline] = ()) -> None:
        with self._lock:
            for deadline in ended:
                self.deadlines.pop((deadline.match, deadline.decision), None)
            for deadline in due:
                self.deadlines[deadline.match, deadline.decision] = deadline.at_ms

    def due_deadlines(self, most: int) -> list[Deadline]:
        with self._lock:
            now = self.clock.now_ms()
            due = [Deadline(*key, at) for key, at in self.deadlines.items() if at + GRACE_MS <= now]
        return sorted(due, key=lambda deadline: deadline.at_ms)[:most]

    def here(self, now_ms: int) -> int | None:
        with self._lock:
            last, self.present = self.present, now_ms
            return last

    def last_here(self) -> int | None:
        with self._lock:
            return self.present

    def note_outage(self, outage: Outage) -> None:
        with self._lock:
            self.known_outages = [*self.known_outages, outage][-MOST:]

    def outages(self) -> list[Outage]:
        with self._lock:
            return list(self.known_outages)

    def ask_expiry(self, deadline: Deadline) -> None:
        id = deadline_job_id(deadline, self.clock.now_ms())
        self._ask(Job(id, ENFORCE_DEADLINE, (deadline.match, deadline.decision)))

    def ask_delivery(self, name: str, until_ms: int) -> None:
        self._ask(Job(f"{name}-{until_ms}", DELIVER_WEBHOOKS, (name, until_ms)))

    def ask_batch(self, id: str) -> None:
        self._ask(Job(batch_job_id(id, self.clock.now_ms()), SET_UP_BATCH, (id,)))

    def take_job(self) -> Job | None:
        """The oldest job, which is a worker's from now on; None when there is none."""
        with self._lock:
            id = next(iter(self.jobs), None)
            return None if id is None else self.jobs.pop(id)

    def _ask(self, job: Job) -> None:
        with self._lock:
            self.jobs.setdefault(job.id, job)


@dataclass(slots=True)
class MemoryReadModels:
    """Lists in plain dictionaries."""

    summaries: dict[str, Summary] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, summary: Summary) -> None:
        self.note_all([summary])

    def note_soon(self, summary: Summary) -> None:
        self.note(summary)

    def note_all(self, summaries: Sequence[Summary]) -> None:
        with self._lock:
            for summary in summaries:
                known = self.summaries.get(summary.match)
                if known is None or known.version <= summary.version:
                    self.summaries[summary.match] = summary

    def page(self, filters: Filters, place: str | None, most: int) -> tuple[list[Summary], str | None]:
        forwards = filters.updated_after_ms is not None
        with self._lock:
            mine = [each for each in self.summaries.values() if each.tenant == filters.tenant]
        mine.sort(key=filters.place_of, reverse=not forwards)
        found = [each for each in mine if filters.take(each)]
        if place is not None:
            found = [each for each in found if (filters.place_of(each) > place) == forwards]
            found = [each for each in found if filters.place_of(each) != place]
        page = found[:most]
        return page, filters.place_of(page[-1]) if len(found) > most else None

    def find(self, list: str, match: str) -> Summary | None:
        known = self.summaries.get(match)
        return known if known is not None and known.tenant == list else None

    def drop(self, summary: Summary) -> None:
        with self._lock:
            self.summaries.pop(summary.match, None)

    def all_listed(self) -> Iterator[Summary]:
        yield from list(self.summaries.values())

    def all_matches(self) -> Iterator[str]:
        yield from list(self.summaries)
