"""Tickets of players who wait for a table, tables that are being set up from them; and where both are
kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

Json = dict[str, Any]

WAITING: Final = "waiting"
SEATING: Final = "seating"
MATCHED: Final = "matched"
WITHDRAWN: Final = "withdrawn"
EXPIRED: Final = "expired"
FAILED: Final = "failed"
STATUSES: Final = (WAITING, SEATING, MATCHED, WITHDRAWN, EXPIRED, FAILED)
# How long a ticket is kept after it has expired.
KEPT_MS: Final = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class QueueTicket:
    """A wish: a game with options (all of them, in `pool` with the game), for `least` to `most` seats; from
    `start_ms` on at a smaller table, or with `bot` on the seats that are left; times are those of its world.
    `match` and `seat` are there once it is matched. `person` is the id of who waits, `name` sealed under that
    person's key."""

    id: str
    tenant: str
    fingerprint: str
    pool: str
    game: str
    options: Json
    visibility: str
    least: int
    most: int
    made_ms: int
    start_ms: int
    expires_ms: int
    bot: str | None = None
    name: str | None = None
    entropy: str | None = None
    person: str | None = None
    status: str = WAITING
    match: str | None = None
    seat: int | None = None

    @property
    def place(self) -> tuple[int, str]:
        """Where it stands in the queue: who came first is first."""
        return (self.made_ms, self.id)


@dataclass(frozen=True, slots=True)
class QueueTable:
    """Tickets that are taken to a match: a ticket a seat, None for a bot."""

    id: str
    tenant: str
    game: str
    options: Json
    visibility: str
    seats: list[str | None]
    bot: str | None = None

    @property
    def tickets(self) -> list[str]:
        """Those who sit there."""
        return [ticket for ticket in self.seats if ticket is not None]


class QueueStorage(Protocol):
    """Methods raise StoreUnavailable. Each is one step: a ticket that waits is taken once."""

    def add(self, ticket: QueueTicket) -> QueueTicket:
        """Keep a ticket, unless one of its id is known; the one that is kept."""

    def get(self, tenant: str, id: str) -> QueueTicket | None:
        """A ticket, None for one that is unknown or forgotten."""

    def waiting(self, tenant: str, most: int) -> list[QueueTicket]:
        """Who waits, the oldest first."""

    def settle(self, tickets: Sequence[QueueTicket], table: QueueTable | None = None) -> bool:
        """Write tickets that wait no more, and their table. Only if all of them wait still: else nothing
        happens, and the answer is False."""

    def tables(self, tenant: str) -> list[QueueTable]:
        """The tables that are not finished."""

    def finish(self, table: QueueTable, tickets: Sequence[QueueTicket]) -> bool:
        """Write what became of the tickets of a table, which is done; those that wait are in the queue again.
        False, and nothing happens, when it was finished before."""

    def tenants(self) -> list[str]:
        """Those with a queue; also some whose queue is empty."""

    def retire(self, tenant: str) -> None:
        """Name a tenant no more whose queue is empty, until somebody enters it."""
