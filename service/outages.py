"""Outages: spans in which nobody looked after deadlines, so that their time is given back.

Every deadline loop notes about once a second that it is there. When that was last noted too long ago, nothing
ran meanwhile, or nothing that could have moved a match on: no server, no workers, or no store. Before a
deadline is enforced, the part of such a span that lies before it is credited to the match, as an event.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from service.clock import Clock

# Between two notes of one loop.
EVERY_MS: Final = 1_000
# So many outages are remembered.
MOST: Final = 100


@dataclass(frozen=True, slots=True, order=True)
class Outage:
    """From one moment to another, in milliseconds."""

    since_ms: int
    until_ms: int

    def clipped(self, after_ms: int) -> "Outage":
        """The part after a moment."""
        return Outage(max(self.since_ms, after_ms), self.until_ms)


class Presence(Protocol):
    """Where it is kept that somebody was there. Methods raise StoreUnavailable."""

    def here(self, now_ms: int) -> int | None:
        """Note that somebody is there; when that was noted last, None for never. Atomic, so that only one of
        many sees the end of an outage."""

    def last_here(self) -> int | None:
        """When it was noted last."""

    def note_outage(self, outage: Outage) -> None:
        """Remember an outage; the oldest of too many are forgotten."""

    def outages(self) -> list[Outage]:
        """Those remembered."""


class Outages:
    """Finds outages of at least `least_ms`."""

    def __init__(self, presence: Presence, clock: Clock, least_ms: int) -> None:
        self._presence = presence
        self._clock = clock
        self._least_ms = least_ms
        self._noted = 0

    def note(self) -> None:
        """Note that deadlines are looked after, now; at most once a second. Raises StoreUnavailable."""
        now = self._clock.now_ms()
        if 0 <= now - self._noted < EVERY_MS:
            return
        last = self._presence.here(now)
        if last is not None and now - last >= self._least_ms:
            self._presence.note_outage(Outage(last, now))
        self._noted = now

    def between(self, after_ms: int, deadline_ms: int) -> list[Outage]:
        """The outages that began before a deadline, as far as they lie after a moment, oldest first; one that
        goes on is among them. Raises StoreUnavailable."""
        found, now = self._presence.outages(), self._clock.now_ms()
        last = self._presence.last_here()
        if last is not None and now - last >= self._least_ms:
            found.append(Outage(last, now))
        return _apart(
            outage.clipped(after_ms)
            for outage in sorted(found)
            if outage.since_ms < deadline_ms and outage.until_ms > after_ms
        )


def _apart(outages: Iterable[Outage]) -> list[Outage]:
    """The same spans, overlapping ones as one."""
    apart: list[Outage] = []
    for outage in outages:
        if apart and outage.since_ms <= apart[-1].until_ms:
            apart[-1] = Outage(apart[-1].since_ms, max(apart[-1].until_ms, outage.until_ms))
        else:
            apart.append(outage)
    return apart
