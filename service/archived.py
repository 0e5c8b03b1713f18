"""The log with its archive behind it: matches that were moved away are read as if they were still there.

What is written beside the log of such a match (a token revoked, a name) brings it back into the store first.
A match that was removed for good is `Archived`, and so is one whose tombstone this release cannot read.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from events import archive
from events.archive import Damaged, Moves, Whole
from events.envelope import Recorded
from events.store import (
    NO_SECRETS,
    Appended,
    Archived,
    CommandRecord,
    EventStore,
    Head,
    Heads,
    KeyReused,
    Loaded,
    StoreUnavailable,
    VersionConflict,
)
from service.finished import Finished

# How the name of a file begins that is not written to its end.
DRAFT: Final = ".draft-"
_HELD: Final = 16
# A match may move while it is read: look that often.
_TRIES: Final = 4

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kept:
    """A file as a storage lists it: its name, size in bytes, and when it was written, in milliseconds since
    1970."""

    name: str
    size: int
    written_ms: int


class ArchiveStorage(Protocol):
    """Files by name (`/` between folders). A method that returns has done it for good: no loss of power
    undoes it. Methods raise StoreUnavailable."""

    def put(self, name: str, content: bytes) -> None:
        """Write a file, all of it or nothing."""

    def get(self, name: str) -> bytes | None:
        """The content of a file; None when there is none."""

    def delete(self, name: str) -> None:
        """Remove a file; no file, nothing done."""

    def list(self, folder: str = "") -> Iterator[Kept]:
        """The files of a folder, by default of all, in no order; also drafts of writers that were killed."""


@dataclass(frozen=True, slots=True)
class _Opened:
    whole: Whole
    records: list[Recorded]


class ArchivedStore:
    """A store that also shows what was moved into the archive."""

    def __init__(
        self, inner: EventStore, moves: Moves, storage: ArchiveStorage | None, finished: Finished
    ) -> None:
        self._inner = inner
        self._moves = moves
        self._storage = storage
        self._finished = finished
        self._held: OrderedDict[str, _Opened] = OrderedDict()
        self._lock = threading.Lock()

    def load(self, match: str, after: int = 0, command_id: str | None = None) -> Loaded:
        def archived(found: _Opened) -> Loaded:
            command = None if command_id is None else _command(found, command_id)
            return Loaded(found.records[after:], command, dict(found.whole.secrets), found.whole.version)

        return self._ask(match, lambda: self._inner.load(match, after, command_id), archived)

    def read(self, match: str, after: int, limit: int) -> list[Recorded]:
        return self._ask(
            match,
            lambda: self._inner.read(match, after, limit),
            lambda found: found.records[after : after + limit],
        )

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
        """As the port says. A match in the archive is over: a command it knows is answered from its record,
        and no other can be appended."""

        def archived(found: _Opened) -> Appended:
            known = None if command_id is None else _command(found, command_id)
            if known is None:
                raise VersionConflict(found.whole.version)
            if known.fingerprint != fingerprint:
                raise KeyReused
            return Appended(known.first, known.last, True)

        return self._ask(
            match,
            lambda: self._inner.append(match, expected, command_id, fingerprint, events, secrets, durable),
            archived,
        )

    def secrets(self, match: str) -> dict[str, str]:
        return self._ask(match, lambda: self._inner.secrets(match), lambda found: dict(found.whole.secrets))

    def put_secrets(self, match: str, secrets: Mapping[str, str]) -> None:
        self._write(match, lambda: self._inner.put_secrets(match, secrets))

    def drop_secrets(self, match: str, names: Sequence[str]) -> None:
        self._write(match, lambda: self._inner.drop_secrets(match, names))

    def head(self, match: str) -> Head:
        try:
            return self._inner.head(match)
        except Archived as away:
            stone = archive.read_tombstone(away.tombstone)
            if stone is None or not stone.file:
                raise
            return Head(stone.version, stone.hash)

    def exists(self, match: str) -> bool:
        if self._inner.exists(match):
            return True
        text = self._moves.tombstone(match)
        stone = None if text is None else archive.read_tombstone(text)
        return stone is not None and bool(stone.file)

    def subscribe(self) -> Heads:
        return self._inner.subscribe()

    def bring_back(self, match: str, look_at_ms: int) -> bool:
        """Bring a match back from the archive, to be looked at by it again at that time; False when it is not
        there. The file stays until `Archiving.prune` finds that it is nobody's. Raises Archived,
        OutcomeUnknown, StoreUnavailable."""
        for _ in range(_TRIES):
            text = self._moves.tombstone(match)
            if text is None:
                return False
            found = self._open(match, text)
            if found is None:
                continue
            # First: a match that is back and not noted would stay for good.
            self._finished.note(match, look_at_ms)
            try:
                self._moves.restore(found.whole, text)
            except (Archived, LookupError):
                # It was brought back meanwhile, and perhaps moved away again.
                continue
            # Once more: who looked in between found it away, and struck it.
            self._finished.note(match, look_at_ms)
            return True
        raise StoreUnavailable(f"the archive lacks {match}")

    def _write(self, match: str, write: Callable[[], None]) -> None:
        for _ in range(_TRIES):
            try:
                return write()
            except Archived:
                # At once due again: it is looked at after what is written now.
                self.bring_back(match, 0)
        raise StoreUnavailable(f"{match} moves to and fro")

    def _ask(self, match: str, ask: Callable[[], T], archived: Callable[[_Opened], T]) -> T:
        for _ in range(_TRIES):
            try:
                return ask()
            except Archived as away:
                found = self._open(match, away.tombstone)
            if found is not None:
                return archived(found)
        raise StoreUnavailable(f"the archive lacks {match}")

    def _open(self, match: str, tombstone: str) -> _Opened | None:
        """The match of a tombstone; None when its file is not there (any more). Raises Archived when there is
        to be none, StoreUnavailable."""
        stone = archive.read_tombstone(tombstone)
        if stone is None or not stone.file:
            raise Archived(tombstone)
        with self._lock:
            held = self._held.get(stone.file)
            if held is not None:
                self._held.move_to_end(stone.file)
                return held
        if self._storage is None:
            raise StoreUnavailable(f"{match} is in an archive, and none is set up here")
        packed = self._storage.get(stone.file)
        if packed is None:
            return None
        try:
            if archive.digest(packed) != stone.sha256:
                raise Damaged("its digest is another")
            whole = archive.unpack(packed)
            made = _Opened(whole, whole.records())
        except (Damaged, ValueError) as error:
            log.error("%s in the archive is damaged: %s", stone.file, error)
            raise StoreUnavailable(f"{match} cannot be read from the archive") from error
        with self._lock:
            self._held[stone.file] = made
            while len(self._held) > _HELD:
                self._held.popitem(last=False)
        return made


def _command(found: _Opened, id: str) -> CommandRecord | None:
    text = found.whole.commands.get(id)
    return None if text is None else CommandRecord.read(text)
