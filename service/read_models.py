"""The list of a tenant's matches: a projection, a moment behind the logs, rebuilt from them by one call."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol

from events.canonical import canonical
from service.errors import invalid

Json = dict[str, Any]

_MAC: Final = 16


@dataclass(frozen=True, slots=True)
class Summary:
    """A match as lists show it, and the version of the log this was read from. `tenant` is the list it is
    in, as `list_of` names it."""

    match: str
    tenant: str
    game: str
    status: str
    created_ms: int
    version: int
    shown: Json

    @property
    def place(self) -> str:
        """Where it stands in lists: by age, then by id; a total order that never changes."""
        return f"{self.created_ms:015d}:{self.match}"


def list_of(tenant: str, forks: bool) -> str:
    """The name of one of a tenant's two lists: forks are kept apart from matches. No tenant's name has a
    slash."""
    return f"{tenant}/forks" if forks else tenant


@dataclass(frozen=True, slots=True)
class Filters:
    """Which of the matches in a list; None: all."""

    tenant: str
    game: str | None = None
    status: str | None = None


class ReadModels(Protocol):
    """Methods raise StoreUnavailable."""

    def note(self, summary: Summary) -> None:
        """Take a summary, unless a later version of it is known."""

    def page(self, filters: Filters, before: str | None, most: int) -> list[Summary]:
        """At most `most` matches older than the place `before`, the youngest first."""

    def all_matches(self) -> Iterator[str]:
        """The id of every match that has a log."""


def cursor(secret: bytes, filters: Filters, place: str) -> str:
    """An opaque cursor, good for these filters only."""
    text = place.encode()
    return urlsafe_b64encode(_mac(secret, filters, text) + text).decode().rstrip("=")


def place(secret: bytes, filters: Filters, cursor: str) -> str:
    """The place a cursor stands for. Raises Invalid for one that was not given out for these filters."""
    try:
        raw = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    except ValueError:
        raw = b""
    mac, text = raw[:_MAC], raw[_MAC:]
    if not hmac.compare_digest(mac, _mac(secret, filters, text)):
        raise invalid("/query/cursor", "cursor", "this cursor was not given out for these filters")
    return text.decode()


def _mac(secret: bytes, filters: Filters, text: bytes) -> bytes:
    said = ["wonderlog/cursor/1", filters.tenant, filters.game, filters.status, text.hex()]
    return hmac.digest(secret, canonical(said), "sha256")[:_MAC]
