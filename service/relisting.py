"""The lists against the logs: what is missing, behind, ahead or too much, found and, if wanted, made good.

Safe while the service runs. A list that lags by a commit is looked at again before it counts as wrong.
"""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from events.store import Archived, EventStore
from service import follow_ups, showing
from service.positions import Position, Positions
from service.read_models import ReadModels, Summary

# So often is a match that moves on meanwhile looked at.
_LOOKS: Final = 3

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Report:
    """`matches` have a log that can be read here, `left_alone` one that cannot; `wrong` of the lists did not
    say what the logs say, `orphans` had no log."""

    matches: int = 0
    left_alone: int = 0
    wrong: int = 0
    orphans: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether the lists say what the logs say."""
        return not self.wrong and not self.orphans


class Relisting:
    """Checks and rebuilds the lists."""

    def __init__(
        self,
        store: EventStore,
        known: Positions,
        lists: ReadModels,
        archived: Callable[[], Iterator[str]],
    ) -> None:
        """`archived` gives the matches whose logs are in the archive."""
        self._store = store
        self._positions = known
        self._lists = lists
        self._archived = archived

    def check(self, repair: bool = False) -> Report:
        """Hold all lists against all logs; with `repair` what is wrong is made anew. Raises the errors of the
        store."""
        report = Report()
        for match in chain(self._lists.all_matches(), self._archived()):
            position = self._load(match)
            if position is None or position.unsupported is not None or position.secrets.get(showing.HIDDEN):
                report.left_alone += 1
                continue
            report.matches += 1
            if not self._stands(match):
                report.wrong += 1
                if repair:
                    self._repair(match)
        for summary in self._lists.all_listed():
            if self._is_orphan(summary):
                report.orphans += 1
                if repair:
                    self._lists.drop(summary)
        return report

    def _load(self, match: str) -> Position | None:
        try:
            return self._positions.load(match)
        except Archived:
            return None

    def _stands(self, match: str) -> bool:
        """Whether the list says of a match what its log says."""
        for _ in range(_LOOKS):
            position = self._load(match)
            if position is None:
                return True
            wanted = follow_ups.summary(position)
            known = self._lists.find(wanted.tenant, match)
            if known is not None and _same(known, wanted):
                return True
        return False

    def _repair(self, match: str) -> None:
        position = self._load(match)
        if position is None:
            return
        wanted = follow_ups.summary(position)
        known = self._lists.find(wanted.tenant, match)
        if known is not None and known.version > wanted.version:
            log.warning("the list is ahead of the log of %s, which has lost events", match)
            self._lists.drop(known)
        self._lists.note(wanted)

    def _is_orphan(self, summary: Summary) -> bool:
        """Whether there is no log, here or in an archive."""
        try:
            return self._store.head(summary.match).version == 0
        except Archived:
            return False


def _same(known: Summary, wanted: Summary) -> bool:
    """Moves that change nothing lists show leave the version behind; that is as it should be."""
    if known == wanted:
        return True
    moved = known.version < wanted.version and not wanted.awaiting and not known.awaiting
    return moved and _still(known) == _still(wanted)


def _still(summary: Summary) -> tuple[object, ...]:
    moving = ("version", "updated_at", "head")
    shown = {name: value for name, value in summary.shown.items() if name not in moving}
    return (summary.tenant, summary.game, summary.status, summary.created_ms, shown)
