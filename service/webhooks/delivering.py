"""The job: attempt the deliveries of one endpoint that are due, one after the other.

One job at a time has an endpoint, by its claim, so that an endpoint that hangs holds up one thread and its
own deliveries only. What a killed worker had in hand is due again when its claim ends.
"""

import logging
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from events.store import Archived
from service.clock import Clock
from service.errors import RulesetUnsupported
from service.positions import Positions
from service.webhooks import notices, signing
from service.webhooks.deliveries import (
    DUE,
    LONGEST_PATIENCE_S,
    Attempt,
    Claim,
    Delivery,
    WebhookStorage,
    pause_ms,
)
from service.webhooks.endpoints import Endpoint, Off
from service.webhooks.notifying import Notifying

# A claim outlives the limit of an attempt by this much.
MARGIN_MS: Final = 5_000
# A job attempts deliveries for this long, then others have their turn.
_BUDGET_MS: Final = 10_000
_AT_ONCE: Final = 20
# After a failure the whole endpoint rests, 5 s and twice as long after each further one, up to 5 minutes.
_REST_MS: Final = 5_000
_LONGEST_REST_MS: Final = 300_000
_THROTTLES: Final = (429, 502, 503, 504)

Change = Callable[[Endpoint], Endpoint]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a request. `retry_after_s`: what the endpoint asked for."""

    status: int | None = None
    error: str | None = None
    retry_after_s: int | None = None


class Sender(Protocol):
    """Sends a request, to allowed addresses only and within its time limit."""

    @property
    def limit_ms(self) -> int:
        """How long a request may take."""

    def post(self, url: str, headers: dict[str, str], body: str) -> Answer:
        """POST a body. Never raises: what fails is in the answer."""


class Delivering:
    """Attempts deliveries."""

    def __init__(
        self,
        storage: WebhookStorage,
        sender: Sender,
        known: Positions,
        notifying: Notifying,
        server_secret: bytes,
        clock: Clock,
    ) -> None:
        self._storage = storage
        self._sender = sender
        self._positions = known
        self._notifying = notifying
        self._secret = server_secret
        self._clock = clock
        self._dice = random.Random()

    @property
    def lease_ms(self) -> int:
        """How long a claim lasts."""
        return self._sender.limit_ms + MARGIN_MS

    def claim(self, most: int) -> list[Claim]:
        """Take endpoints with deliveries that are due. Raises StoreUnavailable."""
        return self._storage.claim(DUE, self._clock.now_ms(), self.lease_ms, most)

    def deliver(self, name: str, until_ms: int) -> int:
        """Attempt what is due at the endpoint of a claim; how many attempts that were. Nothing when the claim
        is not held any more. Raises the errors of the store."""
        tenant, _, id = name.partition(" ")
        began, sent = self._clock.now_ms(), 0
        claim: Claim | None = Claim(name, until_ms)
        while claim is not None:
            now = self._clock.now_ms()
            claim = self._storage.renew(DUE, claim, now + self.lease_ms)
            if claim is None:
                break
            endpoints = [each for each in self._storage.endpoints(tenant) if each.is_on]
            endpoint = next((each for each in endpoints if each.id == id), None)
            if endpoint is None:
                self._storage.settle(DUE, claim, None)
                break
            resting = now < endpoint.resting_until_ms
            due = [] if resting else self._storage.pending(id, now, _AT_ONCE)
            if not due or now - began > _BUDGET_MS:
                self._give_back(claim, endpoint)
                break
            for delivery in due:
                now = self._clock.now_ms()
                claim = self._storage.renew(DUE, claim, now + self.lease_ms)
                if claim is None or now - began > _BUDGET_MS:
                    break
                if delivery.decision is not None and self._is_superseded(delivery):
                    self._storage.save(replace(delivery, status="superseded", next_ms=None))
                    continue
                sent += 1
                twins = [each for each in endpoints if each.url == endpoint.url]
                if not self._attempt(delivery, endpoint, twins):
                    break
        return sent

    def _give_back(self, claim: Claim, endpoint: Endpoint) -> None:
        following = self._storage.next_due(endpoint.id)
        at = None if following is None else max(following, endpoint.resting_until_ms)
        self._storage.settle(DUE, claim, at)

    def _is_superseded(self, delivery: Delivery) -> bool:
        assert delivery.match is not None and delivery.decision is not None
        try:
            position = self._positions.load(delivery.match)
        except Archived:
            return True
        except RulesetUnsupported:
            # It cannot be read here now; better told late than never.
            return False
        return notices.is_superseded(position, delivery.decision)

    def _attempt(self, delivery: Delivery, endpoint: Endpoint, twins: list[Endpoint]) -> bool:
        """Send once and write down what came of it; whether the endpoint may be sent more now."""
        began = self._clock.now_ms()
        headers = signing.headers(self._secret, twins, delivery.notice, began, delivery.body)
        answer = self._sender.post(endpoint.url, headers, delivery.body)
        now = self._clock.now_ms()
        attempt = Attempt(began, max(0, now - began), answer.status, answer.error)
        tries = delivery.tries + 1
        tried = replace(delivery, tries=tries, attempts=delivery.tried(attempt), next_ms=None)
        if attempt.is_success:
            self._storage.save(replace(tried, status="delivered"))
            if endpoint.failures:
                self._change(endpoint, lambda old: replace(old, failures=0, resting_until_ms=0))
            return True
        pause = pause_ms(tries, self._dice)
        if answer.status == 410 or pause is None:
            self._storage.save(replace(tried, status="failed"))
            self._disable(endpoint, now, "gone" if answer.status == 410 else "exhausted")
            return False
        rest = min(_LONGEST_REST_MS, _REST_MS << min(endpoint.failures, 10))
        if answer.status in _THROTTLES and answer.retry_after_s is not None:
            rest = min(answer.retry_after_s, LONGEST_PATIENCE_S) * 1000
            pause = max(pause, rest)
        self._storage.save(replace(tried, next_ms=now + pause))
        self._change(
            endpoint, lambda old: replace(old, failures=old.failures + 1, resting_until_ms=now + rest)
        )
        return False

    def _disable(self, endpoint: Endpoint, now: int, reason: str) -> None:
        changed = self._change(endpoint, lambda old: replace(old, off=old.off or Off(now, reason)))
        if changed is not None and changed.off == Off(now, reason):
            log.warning("webhook %s was switched off: %s", endpoint.id, reason)
            self._notifying.disabled(changed, now, reason)

    def _change(self, endpoint: Endpoint, change: Change) -> Endpoint | None:
        """Change an endpoint, whatever its tenant does at the same moment; None when it is gone."""
        while True:
            found = self._storage.endpoints(endpoint.tenant)
            old = next((each for each in found if each.id == endpoint.id and each.deleted_ms is None), None)
            if old is None:
                return None
            new = change(old)
            if new == old or self._storage.swap(old, new):
                return new
