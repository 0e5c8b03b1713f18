"""Finished matches move into the archive, come back, and are removed when their time is over.

A match is never in neither place: its file is written for good, read back and verified before the store
replaces the match by a tombstone, in one step and only if nothing changed since it was copied. Each move has
a file name of its own, so that a file without a tombstone that names it is nobody's and may be removed.
Everything may be done twice, by several processes at once, and be cut off at any point.
"""

import logging
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from events import archive
from events.archive import Damaged, Moves, Tombstone, Whole
from events.store import Archived, StoreUnavailable, VersionConflict
from service import access
from service.archived import DRAFT, ArchivedStore, ArchiveStorage, Kept
from service.clock import milliseconds
from service.errors import outline
from service.finished import Finished, Look
from service.read_models import ReadModels, list_of
from service.retention import Retention, Retentions
from service.sandbox import LIVE, TEST, WorldClock, owner, world
from service.webhooks.notifying import Notifying

ENDED: Final = "match.ended"
# A look at a match is one process's for this long; a move that took longer than half of it is given up.
LEASE_MS: Final = 600_000
# A match is looked at again: after this long at most, as retentions change; where something is to happen to
# it first; where it could not be moved.
AGAIN_MS: Final = 6 * 3_600_000
SOON_MS: Final = 5_000
FAILED_MS: Final = 600_000
# A file that is nobody's is left alone for so long: it may be that of a move under way.
GRACE_MS: Final = 24 * 3_600_000

log = logging.getLogger(__name__)


class Outcome(StrEnum):
    """What came of a look at a match."""

    ARCHIVED = "archived"
    RUNNING = "running"
    WAITING = "waiting"
    AWAY = "away"
    CHANGED = "changed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Listed:
    """A file of the archive, as its name tells of it. `ended_ms`: when the match ended."""

    file: str
    tenant: str
    match: str
    ended_ms: int
    version: int
    size: int
    written_ms: int


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a match in the archive; an empty reason: nothing."""

    match: str
    reason: str = ""


class Archiving:
    """What the workers and the operator do with the archive. Methods raise StoreUnavailable."""

    def __init__(
        self,
        store: ArchivedStore,
        moves: Moves,
        storage: ArchiveStorage | None,
        finished: Finished,
        retentions: Retentions,
        lists: ReadModels,
        notifying: Notifying,
        clock: WorldClock,
        after_s: int,
        forget_seats: Callable[[str], None],
    ) -> None:
        """`after_s`: the usual time in the store. `forget_seats` destroys the keys of names that are a
        match's alone (`Persons.forget_seats`)."""
        self._store = store
        self._moves = moves
        self._kept = storage
        self._finished = finished
        self.retentions = retentions
        self._lists = lists
        self._notifying = notifying
        self._clock = clock
        self._forget_seats = forget_seats
        self.usual = Retention(after_s)

    @property
    def is_set_up(self) -> bool:
        """Whether there is an archive."""
        return self._kept is not None

    @property
    def _storage(self) -> ArchiveStorage:
        if self._kept is None:
            raise StoreUnavailable("no archive is set up: WONDERLOG_ARCHIVE_URL")
        return self._kept

    def tick(self, most: int) -> int:
        """Look at the matches that are due for a look; how many there were."""
        due = self._finished.due(self._clock.now_ms(), most) if self.is_set_up else []
        for look in due:
            claimed = Look(look.match, self._clock.now_ms() + LEASE_MS)
            self._finished.note(claimed.match, claimed.at_ms)
            try:
                self._look_at(claimed)
            except StoreUnavailable:
                raise
            except Exception as error:
                # One match that cannot be moved must not keep the others from it.
                log.error("cannot archive %s: %s", look.match, outline(error))
                self._finished.note(look.match, self._clock.now_ms() + FAILED_MS)
        return len(due)

    def _look_at(self, claimed: Look) -> None:
        outcome, again_ms = self._archive(claimed.match, now=False)
        if again_ms is None:
            self._finished.drop(claimed)
        else:
            self._finished.note(claimed.match, again_ms)

    def in_store(self) -> Iterator[str]:
        """Every match that is in the store, whether it was noted or not."""
        return self._lists.all_matches()

    def archive(self, match: str, now: bool = False) -> Outcome:
        """Move a match into the archive if it is over and its time has come (`now`: does not matter). Raises
        Damaged, OutcomeUnknown."""
        outcome, _ = self._archive(match, now)
        return outcome

    def _archive(self, match: str, now: bool) -> tuple[Outcome, int | None]:
        """What came of it, and when to look at the match again, None for never."""
        storage, began = self._storage, time.monotonic()
        try:
            whole = self._moves.whole(match)
        except Archived:
            return Outcome.AWAY, None
        if whole is None:
            return Outcome.UNKNOWN, None
        last = whole.records()[-1]
        if last.type != ENDED:
            return Outcome.RUNNING, None
        ended, tenant = milliseconds(last.occurred_at), whole.secrets[access.TENANT_SECRET]
        early_ms = 0 if now else self._early_ms(tenant, ended)
        if early_ms > 0:
            return Outcome.WAITING, self._clock.now_ms() + early_ms
        soon = self._clock.now_ms() + SOON_MS
        if self._notifying.is_behind(tenant, whole.secrets, whole.version):
            self._notifying.notify(match)
            return Outcome.CHANGED, soon
        file = f"{tenant}/{match}.{ended}.{whole.version}.{secrets.token_hex(8)}.gz"
        packed = archive.pack(whole)
        storage.put(file, packed)
        _verify(whole, packed, storage.get(file))
        if time.monotonic() - began > LEASE_MS / 2000:
            # By now the file could be taken for one that is nobody's.
            return Outcome.CHANGED, soon
        stone = Tombstone(tenant, file, archive.digest(packed), whole.version, whole.hash)
        try:
            self._moves.move(whole, archive.engrave(stone))
        except (VersionConflict, LookupError):
            return Outcome.CHANGED, soon
        except Archived:
            return Outcome.AWAY, None
        return Outcome.ARCHIVED, None

    def _early_ms(self, tenant: str, ended_ms: int) -> int:
        """How long it is too early to move a match that ended then, by the clock of its world, as retentions
        are now: `AGAIN_MS` at most; 0 and less for not at all."""
        after_s = self.retentions.all().get(owner(tenant), self.usual).after_s
        if after_s is None:
            return AGAIN_MS
        return min(AGAIN_MS, ended_ms + 1000 * after_s - self._clock.now_ms(tenant))

    def restore(self, match: str, for_s: int) -> bool:
        """Bring a match back into the store, for so many seconds; False when it is not in the archive. Raises
        Archived when it was removed for good, OutcomeUnknown."""
        return self._store.bring_back(match, self._clock.now_ms() + 1000 * for_s)

    def _files(self, tenant: str = "") -> Iterator[Listed]:
        """The files of matches, also those that are nobody's any more."""
        return filter(None, map(_listed, self._storage.list(tenant)))

    def present(self, tenant: str = "") -> Iterator[Listed]:
        """The matches that are in the archive."""
        for listed in self._files(tenant):
            stone = self._stone(listed.match)
            if stone is not None and stone.file == listed.file:
                yield listed

    def verify(self, tenant: str = "") -> Iterator[Finding]:
        """Check the file of every match that is in the archive: that it is there, its digest, its chain and
        every seal."""
        for match in self._moves.away():
            stone = self._stone(match)
            if stone is not None and stone.file and tenant in ("", stone.tenant):
                yield Finding(match, self._fault(stone))

    def _fault(self, stone: Tombstone) -> str:
        packed = self._storage.get(stone.file)
        if packed is None:
            return "its file is not there"
        if archive.digest(packed) != stone.sha256:
            return "its digest is another"
        try:
            archive.check(archive.unpack(packed))
        except Damaged as error:
            return str(error)
        return ""

    def expire(self) -> int:
        """Remove the matches whose time in the archive is over, for good, by the clock of their world; how
        many."""
        count = 0
        for name, retention in self.retentions.all().items():
            if retention.keep_s is None or not self.is_set_up:
                continue
            for tenant in (world(name, LIVE), world(name, TEST)):
                until = self._clock.now_ms(tenant) - 1000 * retention.keep_s
                for listed in list(self._files(tenant)):
                    count += listed.ended_ms <= until and self.remove(listed)
        return count

    def remove(self, listed: Listed) -> bool:
        """Remove a match that is in the archive, for good; False when the file is not the match's."""
        text = self._moves.tombstone(listed.match)
        stone = None if text is None else archive.read_tombstone(text)
        if text is None or stone is None or stone.file not in ("", listed.file):
            return False
        if stone.file:
            try:
                self._moves.bury(listed.match, text, archive.engrave(Tombstone(stone.tenant)))
            except (Archived, LookupError):
                return False
        for forks in (False, True):
            summary = self._lists.find(list_of(listed.tenant, forks), listed.match)
            if summary is not None:
                self._lists.drop(summary)
        self._forget_seats(listed.match)
        # Last: as long as it is there, a removal that was cut off is done again.
        self._storage.delete(listed.file)
        return True

    def prune(self) -> int:
        """Remove the files that are nobody's: of moves that were cut off, of matches that were brought back;
        how many. Young ones are left alone."""
        count = 0
        for kept in list(self._storage.list()):
            if kept.written_ms + GRACE_MS > self._clock.now_ms() or not self._is_litter(kept):
                continue
            self._storage.delete(kept.name)
            count += 1
        return count

    def _is_litter(self, kept: Kept) -> bool:
        if kept.name.rpartition("/")[2].startswith(DRAFT):
            return True
        listed = _listed(kept)
        if listed is None:
            return False
        text = self._moves.tombstone(listed.match)
        if text is None:
            # Without the match in the store, as after a loss there, the file may be all that is left of it.
            return self._store.head(listed.match).version > 0
        stone = archive.read_tombstone(text)
        return stone is not None and stone.file != listed.file

    def _stone(self, match: str) -> Tombstone | None:
        text = self._moves.tombstone(match)
        return None if text is None else archive.read_tombstone(text)


def _verify(whole: Whole, packed: bytes, read: bytes | None) -> None:
    """What was read back is what was written, unpacks to the match, and verifies. Raises Damaged."""
    if read != packed:
        raise Damaged(f"{whole.match} was not read back as it was written")
    again = archive.unpack(read)
    if again != whole:
        raise Damaged(f"{whole.match} does not survive being packed")
    archive.check(again)


def _listed(kept: Kept) -> Listed | None:
    """What the name of a file tells; None for one that is not of this archive."""
    tenant, _, name = kept.name.partition("/")
    match name.split("."):
        case [match_id, ended, version, _, "gz"] if ended.isdigit() and version.isdigit():
            return Listed(kept.name, tenant, match_id, int(ended), int(version), kept.size, kept.written_ms)
    return None
