"""Webhooks in this process: for tests and examples."""

import threading
from dataclasses import dataclass, field

from service.webhooks.deliveries import MOST_KEPT, Claim, Delivery
from service.webhooks.endpoints import Endpoint


@dataclass(slots=True)
class MemoryWebhooks:
    """Endpoints, deliveries and what is due, in plain dictionaries."""

    known: dict[tuple[str, str], Endpoint] = field(default_factory=dict)
    deliveries: dict[str, dict[str, Delivery]] = field(default_factory=dict)
    at: dict[tuple[str, str], int] = field(default_factory=dict)
    claims: dict[tuple[str, str], int] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def endpoints(self, tenant: str) -> list[Endpoint]:
        with self._lock:
            found = [each for each in self.known.values() if each.tenant == tenant]
        return sorted(found, key=lambda each: (each.created_ms, each.id))

    def swap(self, old: Endpoint | None, new: Endpoint) -> bool:
        with self._lock:
            if self.known.get((new.tenant, new.id)) != old:
                return False
            self.known[new.tenant, new.id] = new
            return True

    def drop(self, endpoint: Endpoint) -> None:
        with self._lock:
            self.known.pop((endpoint.tenant, endpoint.id), None)

    def empty(self, endpoint: Endpoint) -> None:
        with self._lock:
            self.deliveries.pop(endpoint.id, None)

    def add(self, delivery: Delivery) -> bool:
        with self._lock:
            kept = self.deliveries.setdefault(delivery.endpoint, {})
            new = delivery.id not in kept
            if new:
                kept[delivery.id] = delivery
                for id in sorted(kept, key=lambda id: kept[id].place)[:-MOST_KEPT]:
                    del kept[id]
            self.bring_forward("due", f"{delivery.tenant} {delivery.endpoint}", delivery.next_ms or 0)
            return new

    def save(self, delivery: Delivery) -> None:
        with self._lock:
            if delivery.id in self.deliveries.get(delivery.endpoint, {}):
                self.deliveries[delivery.endpoint][delivery.id] = delivery

    def delivery(self, endpoint: str, id: str) -> Delivery | None:
        with self._lock:
            return self.deliveries.get(endpoint, {}).get(id)

    def page(self, endpoint: str, before: str | None, most: int) -> list[Delivery]:
        with self._lock:
            found = list(self.deliveries.get(endpoint, {}).values())
        younger = sorted(found, key=lambda each: each.place, reverse=True)
        return [each for each in younger if before is None or each.place < before][:most]

    def pending(self, endpoint: str, now_ms: int, most: int) -> list[Delivery]:
        due = [(at, each) for at, each in self._waiting(endpoint) if at <= now_ms]
        return [each for _, each in sorted(due, key=lambda pair: pair[0])][:most]

    def next_due(self, endpoint: str) -> int | None:
        return min((at for at, _ in self._waiting(endpoint)), default=None)

    def bring_forward(self, due: str, name: str, at_ms: int) -> None:
        with self._lock:
            self.at[due, name] = min(at_ms, self.at.get((due, name), at_ms))

    def claim(self, due: str, now_ms: int, lease_ms: int, most: int) -> list[Claim]:
        with self._lock:
            ended = [key for key, until in self.claims.items() if key[0] == due and until <= now_ms]
            waiting = sorted(
                (at, key)
                for key, at in self.at.items()
                if key[0] == due and at <= now_ms and key not in self.claims
            )
            taken = [*ended, *(key for _, key in waiting)][:most]
            for key in taken:
                self.at.pop(key, None)
                self.claims[key] = now_ms + lease_ms
            return [Claim(name, now_ms + lease_ms) for _, name in taken]

    def renew(self, due: str, claim: Claim, until_ms: int) -> Claim | None:
        with self._lock:
            if self.claims.get((due, claim.name)) != claim.until_ms:
                return None
            self.claims[due, claim.name] = until_ms
            return Claim(claim.name, until_ms)

    def settle(self, due: str, claim: Claim, at_ms: int | None) -> None:
        with self._lock:
            if self.claims.get((due, claim.name)) != claim.until_ms:
                return
            del self.claims[due, claim.name]
            if at_ms is not None:
                self.bring_forward(due, claim.name, at_ms)

    def _waiting(self, endpoint: str) -> list[tuple[int, Delivery]]:
        with self._lock:
            found = list(self.deliveries.get(endpoint, {}).values())
        return [
            (each.next_ms, each) for each in found if each.status == "pending" and each.next_ms is not None
        ]
