"""The feed of a tenant: in which order the events of all its matches were noted. It holds no events.

An entry says "match M has reached version V, of which n versions are new here". Versions are counted
through, so each event of a tenant has a place from 1 on. Entries are derived from the logs and noted after
each commit; noting is idempotent, so whatever a crash left out is noted by the sweeper, and places follow
the order of noting. Within a match that is the order of its log.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

_CURSOR: Final = re.compile(r"0|([1-9][0-9]{0,14})\.([0-9a-f]{8})")
START: Final = "0"


@dataclass(frozen=True, slots=True)
class Entry:
    """Versions `last_version - count + 1` to `last_version` of a match; the last of them has place `last`."""

    last: int
    match: str
    last_version: int
    count: int

    @property
    def before(self) -> int:
        """The place before its first one."""
        return self.last - self.count

    def places(self, after: int) -> Iterator["Place"]:
        """The places of the entry beyond `after`, in order."""
        for back in range(min(self.count, self.last - after) - 1, -1, -1):
            yield Place(self.last - back, self.match, self.last_version - back)


class Place(NamedTuple):
    """Where an event stands in the feed."""

    number: int
    match: str
    version: int

    @property
    def cursor(self) -> str:
        """The place as clients name it: its number, and a check that it is still this event's. A server that
        lost the newest places and gave them to other events is found out by the check."""
        return f"{self.number}.{_check(self.match, self.version)}"


class Span(NamedTuple):
    """What is kept: the places after `trimmed`, up to that of the newest entry (None: nothing yet)."""

    trimmed: int
    newest: Entry | None

    @property
    def head(self) -> int:
        """The last place there is."""
        return 0 if self.newest is None else self.newest.last

    @property
    def cursor(self) -> str:
        """The head as clients name it."""
        if self.newest is None:
            return START
        return Place(self.newest.last, self.newest.match, self.newest.last_version).cursor


class TenantFeed(Protocol):
    """Methods raise StoreUnavailable."""

    def note(self, tenant: str, match: str, version: int) -> None:
        """The match has reached this version. A version that is noted already changes nothing."""

    def note_soon(self, tenant: str, match: str, version: int) -> None:
        """The same within milliseconds, unless the process dies before; whoever reads through this object
        sees it at once. Raises nothing: what cannot be noted is logged, and left to the sweeper."""

    def read(self, tenant: str, after: int, most: int) -> list[Entry]:
        """At most `most` entries that reach beyond the place `after`, in order."""

    def span(self, tenant: str) -> Span:
        """Which places there are."""


def topic(tenant: str) -> str:
    """The name under which news of a tenant's feed are announced; no match has it."""
    return f"feed:{tenant}"


def tenant_of(topic: str) -> str:
    """The inverse of `topic`."""
    return topic.removeprefix("feed:")


def number(cursor: str) -> int | None:
    """The place a cursor names, unchecked; None for what is no cursor."""
    found = _CURSOR.fullmatch(cursor)
    return None if found is None else int(found[1] or 0)


def _check(match: str, version: int) -> str:
    return hashlib.sha256(f"{match}:{version}".encode()).hexdigest()[:8]
