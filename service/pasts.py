"""Snapshots of the past of matches, so that a view at any version costs a short tail and not the whole log.

Like the cache of heads it keeps bytes, never objects, and a snapshot is used only if the log still holds the
event it ends with.
"""

import pickle
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from domain.kernel.table import Match
from events.envelope import Recorded
from service.times import Times

# So many events lie between two snapshots of a match, or a few more: they end where a command ended.
EVERY: Final = 48


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A match as it was after its event `version`, whose hash is `hash`."""

    version: int
    hash: str
    frozen: bytes

    def thawed(self) -> tuple[str, Match, Times]:
        """The ruleset, the state and the times, the caller's own."""
        ruleset, state, times = pickle.loads(self.frozen)
        return ruleset, state, times


def frozen(ruleset: str, state: Match, times: Times, hash: str) -> Snapshot:
    """A snapshot of a match."""
    return Snapshot(state.version, hash, pickle.dumps((ruleset, state, times), pickle.HIGHEST_PROTOCOL))


class Pasts:
    """The snapshots of the matches looked back at, the least recently used match dropped first. Safe between
    threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[str, dict[int, Snapshot]] = OrderedDict()
        self._lock = threading.Lock()

    def nearest(self, match: str, version: int) -> Snapshot | None:
        """The last snapshot of the match at or before a version."""
        with self._lock:
            kept = self._kept.get(match)
            if kept is None:
                return None
            self._kept.move_to_end(match)
            last = max((each for each in kept if each <= version), default=0)
            return kept.get(last)

    def put(self, match: str, snapshot: Snapshot) -> None:
        """Keep a snapshot, unless there is one close before it or after it."""
        with self._lock:
            kept = self._kept.setdefault(match, {})
            if all(abs(each - snapshot.version) >= EVERY for each in kept):
                kept[snapshot.version] = snapshot
            self._kept.move_to_end(match)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def drop(self, match: str) -> None:
        """Forget a match."""
        with self._lock:
            self._kept.pop(match, None)


def pieces(records: list[Recorded]) -> list[list[Recorded]]:
    """Records cut where a command ends and at least `EVERY` have gone by."""
    found: list[list[Recorded]] = [[]]
    for record in records:
        if len(found[-1]) >= EVERY and record.command == record.version:
            found.append([])
        found[-1].append(record)
    return found
