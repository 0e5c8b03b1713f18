"""Matches that are over and still in the store: when the archive is to look at each."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Look:
    """A match, and when the archive is to look at it (milliseconds since 1970)."""

    match: str
    at_ms: int


class Finished(Protocol):
    """Methods raise StoreUnavailable. What is lost here is found again by `wonderlog archive run`."""

    def note(self, match: str, at_ms: int) -> None:
        """Look at a match then, whatever was noted before."""

    def note_new(self, match: str, at_ms: int) -> None:
        """Look at a match then, unless something was noted before."""

    def due(self, now_ms: int, most: int) -> list[Look]:
        """At most so many matches that are to be looked at, longest first."""

    def drop(self, look: Look) -> None:
        """Strike a match, unless it was noted anew."""
