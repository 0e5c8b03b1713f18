"""From the log to deliveries. After a commit a match is named as news; a loop in the workers tells of it.

How far a match has been told of stands beside its log, under `CURSOR`, and moves only after the deliveries
are stored. So a crash at any moment loses nothing: the sweeper's look at the match, which is fixed before
each commit, derives from there again, and the notices have the ids they had.
"""

import logging
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from events.envelope import Recorded
from events.store import Archived, EventStore, StoreUnavailable
from service.access import TENANT_SECRET
from service.errors import outline
from service.positions import Position, Positions
from service.sandbox import WorldClock
from service.webhooks import notices
from service.webhooks.deliveries import NEWS, Delivery, WebhookStorage, delivery
from service.webhooks.endpoints import Endpoint
from service.webhooks.notices import Notice

# The secret of a match that holds the version up to which its tenant was told.
CURSOR: Final = "notified"
# How long a process may not know of a new endpoint, in seconds: less than from a commit to the look after it.
_TRUST_S: Final = 0.5
# How long a loop has to derive what it claimed.
LEASE_MS: Final = 10_000
# A match that cannot be read now, as when its ruleset is not there, is tried again after this long.
UNREADABLE_MS: Final = 60_000
_MOST_KNOWN: Final = 10_000

log = logging.getLogger(__name__)


class Notifying:
    """Makes deliveries."""

    def __init__(
        self, storage: WebhookStorage, store: EventStore, known: Positions, clock: WorldClock
    ) -> None:
        self._storage = storage
        self._store = store
        self._positions = known
        self._clock = clock
        self._listening: dict[str, tuple[bool, float]] = {}
        self._lock = threading.Lock()

    def after(self, position: Position, records: Sequence[Recorded], over: bool) -> None:
        """Name a match as news after a commit. Nothing, and no round trip, for tenants without webhooks.
        Raises StoreUnavailable."""
        tenant = position.secrets[TENANT_SECRET]
        if self._is_listening(tenant, fresh=over) and notices.is_news(position, records):
            self._storage.bring_forward(NEWS, position.id, self._clock.now_ms())

    def tell_news(self, most: int) -> int:
        """Derive the notices of matches that are news; how many matches. Raises StoreUnavailable."""
        claims = self._storage.claim(NEWS, self._clock.now_ms(), LEASE_MS, most)
        for claim in claims:
            again: int | None = None
            try:
                self.notify(claim.name)
            except StoreUnavailable:
                raise
            except Exception as error:
                # One match that cannot be read must not keep the others from being told of.
                log.error("cannot tell of %s: %s", claim.name, outline(error))
                again = self._clock.now_ms() + UNREADABLE_MS
            self._storage.settle(NEWS, claim, again)
        return len(claims)

    def look_again(self, tenant: str) -> None:
        """The endpoints of a tenant have changed. Other processes notice within half a second."""
        with self._lock:
            self._listening.pop(tenant, None)

    def catch_up(self, position: Position) -> None:
        """What the sweeper does with a match it looks at. Raises the errors of the store."""
        if self._is_listening(position.secrets[TENANT_SECRET]):
            self._notify(position)

    def is_behind(self, tenant: str, secrets: Mapping[str, str], version: int) -> bool:
        """Whether the tenant has webhooks that were not told of everything up to a version of a match with
        these secrets. Raises StoreUnavailable."""
        return int(secrets.get(CURSOR, "0")) < version and bool(self._live(tenant))

    def notify(self, match: str) -> None:
        """Make the deliveries of everything a match's tenant was not told of yet. Raises StoreUnavailable."""
        try:
            position = self._positions.load(match)
        except Archived:
            return
        if position is not None and position.unsupported is None:
            self._notify(position)

    def disabled(self, endpoint: Endpoint, at_ms: int, reason: str) -> None:
        """Tell the other endpoints of a tenant that one was switched off, by the real clock `at_ms`. Raises
        StoreUnavailable."""
        data = {"webhook": endpoint.id, "reason": reason}
        there_ms = at_ms + self._clock.ahead_ms(endpoint.tenant)
        notice = notices.make(notices.DISABLED, there_ms, data, endpoint.id, at_ms)
        live = [each for each in self._live(endpoint.tenant) if each.id != endpoint.id]
        self._add([notice], live)

    def _notify(self, position: Position) -> None:
        told = int(position.secrets.get(CURSOR, "0"))
        live = self._live(position.secrets[TENANT_SECRET])
        if not live or told >= position.version:
            return
        records = self._store.read(position.id, told, position.version - told)
        self._add(notices.derive(position, records), live)
        try:
            self._store.put_secrets(position.id, {CURSOR: str(position.version)})
        except (Archived, LookupError):
            log.debug("%s was archived meanwhile", position.id)

    def _add(self, told: Iterable[Notice], live: Sequence[Endpoint]) -> None:
        for notice in told:
            for endpoint in _takers(notice, live):
                made: Delivery = delivery(notice, endpoint, self._clock.now_ms())
                self._storage.add(made)

    def _live(self, tenant: str) -> list[Endpoint]:
        return [each for each in self._storage.endpoints(tenant) if each.is_on]

    def _is_listening(self, tenant: str, fresh: bool = False) -> bool:
        now = time.monotonic()
        with self._lock:
            known, until = self._listening.get(tenant, (False, 0.0))
        if not fresh and now < until:
            return known
        known = bool(self._live(tenant))
        with self._lock:
            if len(self._listening) >= _MOST_KNOWN:
                self._listening.clear()
            self._listening[tenant] = (known, now + _TRUST_S)
        return known


def _takers(notice: Notice, live: Iterable[Endpoint]) -> list[Endpoint]:
    """The endpoints a notice goes to: one for each URL, however often that has subscribed."""
    chosen: dict[str, Endpoint] = {}
    for endpoint in live:
        if notice.ahead and not endpoint.live:
            continue
        if endpoint.wants(notice.type) and notice.at_ms >= endpoint.since_ms:
            chosen.setdefault(endpoint.url, endpoint)
    return list(chosen.values())
