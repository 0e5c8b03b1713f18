"""The list of a tenant's matches: a projection, a moment behind the logs, rebuilt from them by one call."""

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from events.canonical import canonical
from service.errors import invalid

Json = dict[str, Any]

_MAC: Final = 16
# The only status in which seats are open.
LOBBY: Final = "lobby"


@dataclass(frozen=True, slots=True)
class Summary:
    """A match as lists show it, and the version of the log this was read from. `tenant` is the list it is
    in, as `list_of` names it. `awaiting`: the players it waits for, as `name_of_player` has them."""

    match: str
    tenant: str
    game: str
    status: str
    created_ms: int
    version: int
    shown: Json
    updated_ms: int = 0
    awaiting: tuple[str, ...] = ()
    open_seats: int = 0
    visibility: str = "public"

    @property
    def place(self) -> str:
        """Where it stands in lists: by age, then by id; a total order that never changes."""
        return f"{self.created_ms:015d}:{self.match}"


@dataclass(frozen=True, slots=True)
class Outline:
    """What filters look at in a summary."""

    game: str
    status: str
    updated_ms: int = 0
    awaiting: tuple[str, ...] = ()
    open_seats: int = 0
    visibility: str = "public"


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
    awaiting: str | None = None
    updated_after_ms: int | None = None
    open_seats: bool = False
    visibility: str | None = None

    def take(self, summary: Summary | Outline) -> bool:
        """Whether a match of the list is one of these."""
        return (
            self.game in (None, summary.game)
            and self.status in (None, summary.status)
            and (self.awaiting is None or self.awaiting in summary.awaiting)
            and (self.updated_after_ms is None or summary.updated_ms > self.updated_after_ms)
            and (not self.open_seats or summary.open_seats > 0)
            and self.visibility in (None, summary.visibility)
        )

    @property
    def are_indexed(self) -> bool:
        """Whether an index holds these and no others."""
        others = {self.game, self.visibility} | {False if self.open_seats else None}
        in_lobby = self.status in (None, LOBBY)
        if self.updated_after_ms is not None:
            return others == {None} and self.awaiting is None
        if self.awaiting is not None:
            return others == {None} and self.status is None
        return in_lobby if self.open_seats else self.visibility is None

    def place_of(self, summary: Summary) -> str:
        """Where a match stands in the order these have: by age; with `updated_after_ms` by the time of the
        last change."""
        if self.updated_after_ms is None:
            return summary.place
        return f"{summary.updated_ms:015d}:{summary.place}"


# A page may have fewer matches than it could, with more to come, rather than look at more than these.
MOST_LOOKED_AT: Final = 500


class ReadModels(Protocol):
    """Methods raise StoreUnavailable."""

    def note(self, summary: Summary) -> None:
        """Take a summary, unless a later version of it is known."""

    def note_soon(self, summary: Summary) -> None:
        """The same within milliseconds, unless the process dies before; whoever reads through this object
        sees it at once. Raises nothing: what cannot be noted is logged, and left to the sweeper."""

    def note_all(self, summaries: Sequence[Summary]) -> None:
        """The same for several of one tenant, in one step."""

    def page(self, filters: Filters, place: str | None, most: int) -> tuple[list[Summary], str | None]:
        """At most `most` matches after a place, and the place the next page comes after, None at the end.
        The youngest first; with `updated_after_ms` the one that changed longest ago, so that what changes
        meanwhile comes again at the end."""

    def find(self, list: str, match: str) -> Summary | None:
        """What is known of a match in a list, if all its indices say the same."""

    def drop(self, summary: Summary) -> None:
        """Strike a match off its list."""

    def all_listed(self) -> Iterator[Summary]:
        """Every summary of every list."""

    def all_matches(self) -> Iterator[str]:
        """The id of every match that has a log."""


def name_of_player(tenant: str, person: str) -> str:
    """A person, by the id, as lists know it."""
    return hashlib.sha256(canonical(["wonderlog/player/1", tenant, person])).hexdigest()[:32]


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
    said: list[str | int | None] = [
        "wonderlog/cursor/1",
        filters.tenant,
        filters.game,
        filters.status,
        text.hex(),
    ]
    more = [filters.awaiting, filters.updated_after_ms, filters.open_seats, filters.visibility]
    if more != [None, None, False, None]:
        said = ["wonderlog/cursor/2", *said[1:], *more]
    return hmac.digest(secret, canonical(said), "sha256")[:_MAC]
