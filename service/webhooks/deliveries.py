"""A delivery: one notice on its way to one endpoint; when it is tried again; where deliveries are kept."""

import hashlib
import random
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

from service.credentials import letters
from service.webhooks.endpoints import Endpoint
from service.webhooks.notices import Notice

Status = Literal["pending", "delivered", "failed", "superseded"]
STATUSES: Final[tuple[Status, ...]] = ("pending", "delivered", "failed", "superseded")

# Seconds before each attempt, counted from the one before: some 75 hours in all.
SCHEDULE_S: Final = (0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
JITTER: Final = 0.15
# What is asked for with Retry-After is granted up to this, in seconds.
LONGEST_PATIENCE_S: Final = 86_400
_MOST_ATTEMPTS_KEPT: Final = 20


@dataclass(frozen=True, slots=True)
class Attempt:
    """A request that was sent, or was not: `status` of the answer, or `error` (`timeout`, `connection`,
    `tls`, `name`, `blocked-address`)."""

    at_ms: int
    took_ms: int
    status: int | None = None
    error: str | None = None

    @property
    def is_success(self) -> bool:
        """Any 2xx; a redirect is none."""
        return self.status is not None and 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class Delivery:
    """A delivery at rest. `tries` counts the attempts of this round, `attempts` holds the latest of all."""

    id: str
    endpoint: str
    tenant: str
    notice: str
    type: str
    at_ms: int
    body: str
    match: str | None = None
    decision: str | None = None
    status: Status = "pending"
    tries: int = 0
    next_ms: int | None = None
    attempts: list[Attempt] = field(default_factory=list)

    @property
    def place(self) -> str:
        """Where it stands in the list: by age, then by id."""
        return f"{self.at_ms:015d}:{self.id}"

    def tried(self, attempt: Attempt) -> list[Attempt]:
        """The attempts with one more."""
        return [*self.attempts, attempt][-_MOST_ATTEMPTS_KEPT:]


def delivery(notice: Notice, endpoint: Endpoint, now_ms: int) -> Delivery:
    """A notice for an endpoint, due at once."""
    id = letters(hashlib.sha256(f"{endpoint.id} {notice.id}".encode()).digest()[:16])
    return Delivery(
        f"dlv_{id}",
        endpoint.id,
        endpoint.tenant,
        notice.id,
        notice.type,
        notice.at_ms,
        notice.body,
        notice.match,
        notice.decision,
        next_ms=now_ms,
    )


def pause_ms(tries: int, dice: random.Random) -> int | None:
    """How long to wait after so many failed attempts; None when that was the last."""
    if tries >= len(SCHEDULE_S):
        return None
    return round(SCHEDULE_S[tries] * 1000 * dice.uniform(1 - JITTER, 1 + JITTER))


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that is due, taken until `until_ms` by whoever holds this."""

    name: str
    until_ms: int


class WebhookStorage(Protocol):
    """Endpoints by tenant, deliveries by endpoint, and what is due. Methods raise StoreUnavailable.

    Two sets of names with times say what is due: `news` (matches of which something may be to tell) and
    `due` (`<tenant> <endpoint>` with deliveries to attempt). Whoever claims a name takes it out of the set
    and holds it until the claim ends; a claim that ended without being settled is taken over, so that nothing
    is lost with a worker. A name that becomes due while it is claimed waits until the claim is settled."""

    def endpoints(self, tenant: str) -> list[Endpoint]:
        """Every endpoint, also those deleted a short while ago, oldest first."""

    def swap(self, old: Endpoint | None, new: Endpoint) -> bool:
        """Write an endpoint, durably, if it still is `old` (None: not there; `new` itself: a retry, which is
        durable as well). Raises OutcomeUnknown too."""

    def drop(self, endpoint: Endpoint) -> None:
        """Forget an endpoint."""

    def empty(self, endpoint: Endpoint) -> None:
        """Forget the deliveries of an endpoint."""

    def add(self, delivery: Delivery) -> bool:
        """Take a new delivery and make its endpoint due; one that is known is only made due again while it
        is pending. Whether it was new. The oldest beyond `MOST_KEPT` are forgotten."""

    def save(self, delivery: Delivery) -> None:
        """Write a delivery that is known; due at `next_ms` if pending."""

    def delivery(self, endpoint: str, id: str) -> Delivery | None:
        """A delivery, or None."""

    def page(self, endpoint: str, before: str | None, most: int) -> list[Delivery]:
        """At most `most` deliveries older than the place `before`, the youngest first."""

    def pending(self, endpoint: str, now_ms: int, most: int) -> list[Delivery]:
        """Deliveries to attempt now, longest due first."""

    def next_due(self, endpoint: str) -> int | None:
        """When the first pending delivery is due."""

    def bring_forward(self, due: str, name: str, at_ms: int) -> None:
        """Make a name due at a time or earlier. `due`: `news` or `due`."""

    def claim(self, due: str, now_ms: int, lease_ms: int, most: int) -> list[Claim]:
        """Take names that are due."""

    def renew(self, due: str, claim: Claim, until_ms: int) -> Claim | None:
        """Hold on to a claim; None when it is somebody else's by now."""

    def settle(self, due: str, claim: Claim, at_ms: int | None) -> None:
        """Give a claim back: due again at a time, or done (None). Nothing when it is not held any more."""


MOST_KEPT: Final = 1000
NEWS: Final = "news"
DUE: Final = "due"
