"""The log in memory, under the same contract as Redis Streams: for tests, examples and simulations."""

import queue
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from events.archive import Whole
from events.envelope import ZERO_HASH, Recorded
from events.keys import TOMBSTONE, of_match
from events.store import (
    NO_SECRETS,
    Appended,
    Archived,
    CommandRecord,
    Head,
    HistoryForked,
    KeyReused,
    Loaded,
    VersionConflict,
    check_append,
    check_secrets,
)
from events.stored import HASH_FIELD, entry, recorded


@dataclass(slots=True)
class _Match:
    entries: list[list[bytes]] = field(default_factory=list)
    commands: dict[str, CommandRecord] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict)


class MemoryStore:
    """Keeps the very entries a stream would hold: what it gives back is what Redis would give back."""

    def __init__(self) -> None:
        self._matches: dict[str, _Match] = {}
        self._lock = threading.Lock()
        self._listeners: list[MemoryHeads] = []

    def load(self, match: str, after: int = 0, command_id: str | None = None) -> Loaded:
        with self._lock:
            kept = self._living(match)
            command = None if command_id is None else kept.commands.get(command_id)
            entries, secrets, version = kept.entries[after:], dict(kept.secrets), len(kept.entries)
        return Loaded(_records(match, after, entries), command, secrets, version)

    def read(self, match: str, after: int, limit: int) -> list[Recorded]:
        with self._lock:
            entries = self._living(match).entries[after : after + limit]
        return _records(match, after, entries)

    def append(
        self,
        match: str,
        expected: int,
        command_id: str | None,
        fingerprint: str,
        events: Sequence[Recorded],
        secrets: Mapping[str, str] = NO_SECRETS,
        durable: bool = True,
    ) -> Appended:
        check_append(match, expected, command_id, fingerprint, events, secrets)
        entries = [entry(event) for event in events]
        last = expected + len(events)
        with self._lock:
            kept = self._living(match)
            known = None if command_id is None else kept.commands.get(command_id)
            if known is not None:
                if known.fingerprint != fingerprint:
                    raise KeyReused
                return Appended(known.first, known.last, True)
            head = _head(kept)
            if head.version != expected:
                raise VersionConflict(head.version)
            if head.hash != events[0].prev_hash:
                raise HistoryForked(head.version)
            self._matches[match] = kept
            kept.entries += entries
            kept.secrets.update(secrets)
            if command_id is not None:
                kept.commands[command_id] = CommandRecord(fingerprint, expected + 1, last)
            self._announce(match, last)
        return Appended(expected + 1, last, False)

    def secrets(self, match: str) -> dict[str, str]:
        with self._lock:
            return dict(self._living(match).secrets)

    def put_secrets(self, match: str, secrets: Mapping[str, str]) -> None:
        check_secrets(secrets)
        with self._lock:
            self._with_events(match).secrets.update(secrets)
            self._announce(match, 0)

    def drop_secrets(self, match: str, names: Sequence[str]) -> None:
        check_secrets(names)
        with self._lock:
            kept = self._with_events(match).secrets
            for name in names:
                kept.pop(name, None)
            self._announce(match, 0)

    def head(self, match: str) -> Head:
        with self._lock:
            return _head(self._living(match))

    def exists(self, match: str) -> bool:
        of_match(match)
        with self._lock:
            return bool(self._matches.get(match, _Match()).entries)

    def whole(self, match: str) -> Whole | None:
        """See `events.archive.Moves`, as for the five methods below."""
        with self._lock:
            kept = self._living(match)
            commands = {id: record.text for id, record in kept.commands.items()}
            found = Whole(match, list(kept.entries), commands, dict(kept.secrets))
        return found if found.entries else None

    def move(self, whole: Whole, tombstone: str) -> None:
        with self._lock:
            kept = self._with_events(whole.match)
            same = (_head(kept), len(kept.commands)) == ((whole.version, whole.hash), len(whole.commands))
            if not same or kept.secrets != whole.secrets:
                raise VersionConflict(len(kept.entries))
            self._matches[whole.match] = _Match(secrets={TOMBSTONE: tombstone})

    def restore(self, whole: Whole, tombstone: str) -> None:
        commands = {id: CommandRecord.read(text) for id, text in whole.commands.items()}
        with self._lock:
            self._insist_on(whole.match, tombstone)
            entries = [list(entry) for entry in whole.entries]
            self._matches[whole.match] = _Match(entries, commands, dict(whole.secrets))

    def bury(self, match: str, tombstone: str, other: str) -> None:
        with self._lock:
            self._insist_on(match, tombstone)
            self._matches[match] = _Match(secrets={TOMBSTONE: other})

    def away(self) -> Iterator[str]:
        yield from [match for match, kept in list(self._matches.items()) if TOMBSTONE in kept.secrets]

    def tombstone(self, match: str) -> str | None:
        of_match(match)
        with self._lock:
            return self._matches.get(match, _Match()).secrets.get(TOMBSTONE)

    def _insist_on(self, match: str, tombstone: str) -> None:
        there = self._matches.get(match, _Match()).secrets.get(TOMBSTONE)
        if there is None:
            raise LookupError(f"nothing of {match} is there to be replaced")
        if there != tombstone:
            raise Archived(there)

    def subscribe(self) -> "MemoryHeads":
        heads = MemoryHeads(self)
        with self._lock:
            self._listeners.append(heads)
        return heads

    def unsubscribe(self, heads: "MemoryHeads") -> None:
        """End a subscription; ending it twice does nothing."""
        with self._lock:
            if heads in self._listeners:
                self._listeners.remove(heads)

    def announce(self, topic: str, version: int) -> None:
        """Tell all who are subscribed, as `PUBLISH` does in Redis."""
        with self._lock:
            self._announce(topic, version)

    def _announce(self, topic: str, version: int) -> None:
        for listener in self._listeners:
            listener.hints.put((topic, version))

    def _living(self, match: str) -> _Match:
        of_match(match)
        kept = self._matches.get(match, _Match())
        if TOMBSTONE in kept.secrets:
            raise Archived(kept.secrets[TOMBSTONE])
        return kept

    def _with_events(self, match: str) -> _Match:
        kept = self._living(match)
        if not kept.entries:
            raise LookupError(f"no events of {match}")
        return kept


class MemoryHeads:
    """A subscription to a MemoryStore."""

    def __init__(self, store: MemoryStore) -> None:
        self.hints: queue.SimpleQueue[tuple[str, int]] = queue.SimpleQueue()
        self._store = store

    def next(self, timeout: float) -> tuple[str, int] | None:
        try:
            return self.hints.get(timeout=timeout)
        except queue.Empty:
            return None

    def close(self) -> None:
        self._store.unsubscribe(self)


def _head(kept: _Match) -> Head:
    version = len(kept.entries)
    return Head(version, kept.entries[-1][HASH_FIELD].decode() if version else ZERO_HASH)


def _records(match: str, after: int, entries: list[list[bytes]]) -> list[Recorded]:
    return [recorded(match, version, values) for version, values in enumerate(entries, after + 1)]
