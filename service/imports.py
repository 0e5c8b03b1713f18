"""Matches brought along as bundles: kept as they came, apart from the logs that are played here, for ever
foreign. They are read through the port of the log, so that every use case that reads shows them too."""

import json
import threading
import zlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from domain.kernel.errors import refuse
from events import bundle, imported
from events.envelope import ZERO_HASH, Recorded
from events.store import (
    NO_SECRETS,
    Appended,
    EventStore,
    Head,
    Heads,
    Loaded,
    VersionConflict,
)

# The secret of a match that says it is foreign: where it is from, as JSON. No match played here has it.
FOREIGN: Final = "foreign"
_HELD: Final = 16
_OF_MATCH: Final = "mat_"


@dataclass(frozen=True, slots=True)
class Import:
    """A match that was taken: the id it got here, whose it is, when it came, the fingerprint of what was
    sent, and its bundle, packed. `game` and `origin` (the id it came with) are empty in the oldest ones."""

    id: str
    tenant: str
    imported_at: str
    fingerprint: str
    packed: bytes
    game: str = ""
    origin: str = ""

    @property
    def lines(self) -> list[bytes]:
        """The lines of the bundle, byte by byte as they came."""
        return zlib.decompress(self.packed).splitlines(keepends=True)


def pack(lines: Sequence[bytes]) -> bytes:
    """The lines as they are kept."""
    return zlib.compress(b"".join(lines), 9)


@dataclass(frozen=True, slots=True)
class Listed:
    """An import as the list of its tenant has it. `bytes`: how much is kept of it. `until_ms`: when it is
    removed (None: never)."""

    id: str
    imported_at: str
    game: str
    origin: str
    bytes: int
    until_ms: int | None = None

    @classmethod
    def of(cls, taken: Import, until_ms: int | None) -> "Listed":
        """The entry of an import."""
        return cls(taken.id, taken.imported_at, taken.game, taken.origin, len(taken.packed), until_ms)


class Imports(Protocol):
    """Methods raise StoreUnavailable."""

    def get(self, id: str) -> Import | None:
        """A bundle that was taken."""

    def has(self, id: str) -> bool:
        """Whether there is one under this id."""

    def add(self, taken: Import, until_ms: int | None = None) -> Import:
        """Keep a bundle, for good or until a time, unless there is one under its id; the one that is there
        now. Raises OutcomeUnknown too."""

    def of_tenant(self, tenant: str) -> list[Listed]:
        """What a tenant has, in no order; what has gone with its time may still be among it."""

    def drop(self, tenant: str, id: str) -> None:
        """Remove a bundle of a tenant for good. Raises OutcomeUnknown too."""


@dataclass(frozen=True, slots=True)
class _Opened:
    records: list[Recorded]
    secrets: dict[str, str]


def opened(taken: Import) -> tuple[list[Recorded], dict[str, str]]:
    """The events of a bundle, and what stands for the secrets of its match: whose it is, where it is from,
    and the keys that its last event reveals."""
    raw = taken.lines
    read = bundle.read(raw)
    told = read.envelopes[-1]["data"]
    origin = {"header": read.header, "trailer": read.trailer, "imported_at": taken.imported_at}
    secrets = {
        "tenant": taken.tenant,
        "match_key": told["match_key"],
        "commit_nonce": told["commit_nonce"],
        FOREIGN: json.dumps(origin),
    }
    return imported.records(read.envelopes), secrets


class ImportingStore:
    """A store that also shows the matches that were imported. They can be read and nothing else."""

    def __init__(self, inner: EventStore, imports: Imports) -> None:
        self._inner = inner
        self._imports = imports
        self._held: OrderedDict[str, _Opened] = OrderedDict()
        self._lock = threading.Lock()

    def load(self, match: str, after: int = 0, command_id: str | None = None) -> Loaded:
        loaded = self._inner.load(match, after, command_id)
        if loaded.version or (found := self._open(match)) is None:
            return loaded
        return Loaded(found.records[after:], None, dict(found.secrets), len(found.records))

    def read(self, match: str, after: int, limit: int) -> list[Recorded]:
        records = self._inner.read(match, after, limit)
        if records or (found := self._open(match)) is None:
            return records
        return found.records[after : after + limit]

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
        if expected == 0 and (found := self._open(match)) is not None:
            raise VersionConflict(len(found.records))
        return self._inner.append(match, expected, command_id, fingerprint, events, secrets, durable)

    def secrets(self, match: str) -> dict[str, str]:
        kept = self._inner.secrets(match)
        if kept or (found := self._open(match)) is None:
            return kept
        return dict(found.secrets)

    def put_secrets(self, match: str, secrets: Mapping[str, str]) -> None:
        """As the port says, and IllegalMove for an imported match."""
        self._insist_on_own(match)
        self._inner.put_secrets(match, secrets)

    def drop_secrets(self, match: str, names: Sequence[str]) -> None:
        """As the port says, and IllegalMove for an imported match."""
        self._insist_on_own(match)
        self._inner.drop_secrets(match, names)

    def head(self, match: str) -> Head:
        head = self._inner.head(match)
        if head.version or (found := self._open(match)) is None:
            return head
        return Head(len(found.records), found.records[-1].hash if found.records else ZERO_HASH)

    def exists(self, match: str) -> bool:
        return self._inner.exists(match)

    def subscribe(self) -> Heads:
        return self._inner.subscribe()

    def _insist_on_own(self, match: str) -> None:
        if not self._inner.exists(match) and self._open(match) is not None:
            raise refuse("foreign", "an imported match is there to be seen, and no more", kind="match-over")

    def _open(self, match: str) -> _Opened | None:
        if not match.startswith(_OF_MATCH) or not self._imports.has(match):
            with self._lock:
                self._held.pop(match, None)
            return None
        with self._lock:
            held = self._held.get(match)
            if held is not None:
                self._held.move_to_end(match)
                return held
        taken = self._imports.get(match)
        if taken is None:
            return None
        made = _Opened(*opened(taken))
        with self._lock:
            self._held[match] = made
            while len(self._held) > _HELD:
                self._held.popitem(last=False)
        return made
