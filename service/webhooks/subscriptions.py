"""Use cases of a tenant: its endpoints made, changed, rotated, deleted; deliveries listed and repeated."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from events.store import KeyReused, StoreUnavailable
from service import access, read_models
from service.clock import milliseconds, timestamp
from service.credentials import Caller
from service.errors import Forbidden, NotFound, QuotaExceeded, Unauthenticated, WebhookOff, invalid
from service.sandbox import WorldClock
from service.webhooks import notices
from service.webhooks.addresses import check_url
from service.webhooks.deliveries import DUE, MOST_KEPT, Attempt, Delivery, WebhookStorage, delivery
from service.webhooks.endpoints import (
    Endpoint,
    Executed,
    Off,
    endpoint_id,
    key_bytes,
    public_key,
    shared_secret,
)

Json = dict[str, Any]
Change = Callable[[Endpoint], Endpoint]

MOST_ENDPOINTS: Final = 20
# Those that were deleted in the last days count here.
MOST_REMEMBERED: Final = 100
OVERLAP_MS: Final = 24 * 3600 * 1000
# Idempotency keys are remembered this long, also those of endpoints that are gone.
REMEMBERED_MS: Final = 48 * 3600 * 1000
_MOST_EXECUTED: Final = 100
_TRIES: Final = 20


class Webhooks:
    """The endpoints of tenants."""

    def __init__(
        self,
        storage: WebhookStorage,
        server_secret: bytes,
        clock: WorldClock,
        allow_loopback: bool,
        changed: Callable[[str], None],
    ) -> None:
        """`changed` is told of tenants whose endpoints have changed."""
        self._storage = storage
        self._secret = server_secret
        self._clock = clock
        self._allow_loopback = allow_loopback
        self._changed = changed

    def create(
        self, caller: Caller, body: Mapping[str, Any], key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """An endpoint with its secret, and whether it was there before. Raises Unauthenticated, Forbidden,
        Invalid, QuotaExceeded, KeyReused, StoreUnavailable."""
        tenant = tenant_of(caller)
        check_url(body["url"], self._allow_loopback)
        now = self._clock.now_ms()
        id = endpoint_id(self._secret, tenant, key)
        known = self._storage.endpoints(tenant)
        for old in known:
            if old.id == id:
                return self._made_before(old, fingerprint), True
        forgotten = [old for old in known if (old.deleted_ms or now) < now - REMEMBERED_MS]
        for old in forgotten:
            self._storage.drop(old)
        if sum(each.deleted_ms is None for each in known) >= MOST_ENDPOINTS:
            raise QuotaExceeded(f"a tenant has up to {MOST_ENDPOINTS} webhooks")
        if len(known) - len(forgotten) >= MOST_REMEMBERED:
            raise QuotaExceeded(f"a tenant makes up to {MOST_REMEMBERED} webhooks in two days")
        made = Endpoint(
            id,
            tenant,
            body["url"],
            fingerprint,
            now,
            self._clock.now_ms(tenant),
            body.get("types"),
            body.get("signing", "hmac-sha256"),
            body.get("description", ""),
            live=access.sees_live(caller),
        )
        if not self._storage.swap(None, made):
            # The same key came twice at the same moment.
            return self._made_before(self._any(tenant, id), fingerprint), True
        self._changed(tenant)
        return self._with_secret(made, 1), False

    def all(self, caller: Caller) -> Json:
        """Every endpoint, oldest first. Raises Unauthenticated, Forbidden, StoreUnavailable."""
        found = self._storage.endpoints(tenant_of(caller))
        return {"items": [self.shown(each) for each in found if each.deleted_ms is None]}

    def one(self, caller: Caller, id: str) -> Json:
        """An endpoint. Raises NotFound, and as `all`."""
        return self.shown(self._endpoint(tenant_of(caller), id))

    def change(self, caller: Caller, id: str, body: Mapping[str, Any]) -> Json:
        """The endpoint with members changed; `enabled` switches it off and on. Whoever names its address is
        the one whose rights it has: see `Endpoint.live`. Raises Invalid, and as `one`."""
        tenant = tenant_of(caller)
        if "url" in body:
            check_url(body["url"], self._allow_loopback)
        now, here = self._clock.now_ms(), self._clock.now_ms(tenant)

        def changed(old: Endpoint) -> Endpoint:
            new = replace(
                old, **{name: body[name] for name in ("url", "types", "description") if name in body}
            )
            if new.url != old.url:
                new = replace(new, live=access.sees_live(caller))
            if body.get("enabled") is False and old.off is None:
                new = replace(new, off=Off(now, "asked"))
            if body.get("enabled") is True and old.off is not None:
                new = replace(new, off=None, since_ms=here, resting_until_ms=0, failures=0)
            return new

        new = self._swap(tenant, id, changed)
        if new.is_on:
            self._storage.bring_forward(DUE, f"{tenant} {id}", now)
        return self.shown(new)

    def rotate(
        self, caller: Caller, id: str, body: Mapping[str, Any], key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """The endpoint with a new secret; the one before signs as well for `overlap_ms`. Whether this key has
        done it before. Raises KeyReused, QuotaExceeded, and as `one`."""
        tenant = tenant_of(caller)
        now = self._clock.now_ms()
        until = now + body.get("overlap_ms", OVERLAP_MS)

        def rotated(old: Endpoint) -> Endpoint:
            if _executed(old, "rotate", key, fingerprint) is not None:
                return old
            new = replace(old, generation=old.generation + 1, overlap_until_ms=until)
            return _remembering(new, Executed("rotate", key, fingerprint, new.generation, now))

        before = _executed(self._endpoint(tenant, id), "rotate", key, fingerprint)
        new = self._swap(tenant, id, rotated)
        done = _executed(new, "rotate", key, fingerprint)
        assert done is not None, "it was remembered just now"
        return self._with_secret(new, done.result), before is not None

    def delete(self, caller: Caller, id: str) -> None:
        """Forget an endpoint and its deliveries. Raises as `one`."""
        now = self._clock.now_ms()
        gone = self._swap(tenant_of(caller), id, lambda old: replace(old, deleted_ms=now))
        self._storage.empty(gone)

    def deliveries(self, caller: Caller, id: str, limit: int = 50, cursor: str | None = None) -> Json:
        """A page of deliveries, the newest first. Raises Invalid for a cursor of another list, and as
        `one`."""
        endpoint = self._endpoint(tenant_of(caller), id)
        filters = read_models.Filters(endpoint.tenant, endpoint.id)
        before = None if cursor is None else read_models.place(self._secret, filters, cursor)
        found = self._storage.page(endpoint.id, before, limit + 1)
        more = len(found) > limit
        return {
            "items": [shown(each) for each in found[:limit]],
            "next_cursor": read_models.cursor(self._secret, filters, found[limit - 1].place)
            if more
            else None,
            "has_more": more,
        }

    def delivery(self, caller: Caller, id: str, delivery: str) -> Json:
        """One delivery. Raises as `one`."""
        endpoint = self._endpoint(tenant_of(caller), id)
        found = self._storage.delivery(endpoint.id, delivery)
        if found is None:
            raise NotFound("delivery")
        return shown(found)

    def test(self, caller: Caller, id: str, key: str) -> tuple[Json, bool]:
        """A `webhook.ping` on its way, and whether it was there before. Raises WebhookOff, and as `one`."""
        endpoint = self._endpoint(tenant_of(caller), id)
        notice = notices.make(notices.PING, self._clock.now_ms(endpoint.tenant), {"webhook": id}, id, key)
        ping = delivery(notice, endpoint, self._clock.now_ms())
        known = self._storage.delivery(id, ping.id)
        if known is not None:
            return shown(known), True
        if not endpoint.is_on:
            raise WebhookOff
        self._storage.add(ping)
        return shown(ping), False

    def redeliver(
        self, caller: Caller, id: str, body: Mapping[str, Any], key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """Send deliveries of a range of time again, by default those that failed: how many, and whether this
        key has done it before. Raises Invalid, KeyReused, QuotaExceeded, WebhookOff, and as `one`."""
        endpoint = self._endpoint(tenant_of(caller), id)
        before = _executed(endpoint, "redeliver", key, fingerprint)
        if before is not None:
            return {"redelivered": before.result}, True
        if not endpoint.is_on:
            raise WebhookOff
        since = _moment(body["since"], "/since")
        until = _moment(body["until"], "/until") if "until" in body else None
        wanted = body.get("statuses", ["failed"])
        now, count = self._clock.now_ms(), 0
        _remembering(endpoint, Executed("redeliver", key, fingerprint, 0, now))
        for each in self._storage.page(endpoint.id, None, MOST_KEPT):
            if since <= each.at_ms and (until is None or each.at_ms <= until) and each.status in wanted:
                self._storage.save(replace(each, status="pending", tries=0, next_ms=now))
                count += 1
        done = Executed("redeliver", key, fingerprint, count, now)
        self._swap(
            endpoint.tenant, id, lambda old: replace(_remembering(old, done), resting_until_ms=0, failures=0)
        )
        self._storage.bring_forward(DUE, f"{endpoint.tenant} {id}", now)
        return {"redelivered": count}, False

    def shown(self, endpoint: Endpoint) -> Json:
        """The endpoint as its tenant sees it, without its secret."""
        off = endpoint.off
        made: Json = {
            "id": endpoint.id,
            "url": endpoint.url,
            "types": endpoint.types,
            "signing": endpoint.signing,
            "description": endpoint.description,
            "enabled": off is None,
            "disabled": None if off is None else {"at": timestamp(off.at_ms), "reason": off.reason},
            "created_at": timestamp(endpoint.created_ms),
        }
        if endpoint.signing == "ed25519":
            made["public_keys"] = [
                public_key(key_bytes(self._secret, endpoint.id, generation))
                for generation in endpoint.generations(self._clock.now_ms())
            ]
        return made

    def _with_secret(self, endpoint: Endpoint, generation: int) -> Json:
        made = self.shown(endpoint)
        if endpoint.signing == "hmac-sha256":
            made["secret"] = shared_secret(key_bytes(self._secret, endpoint.id, generation))
        return made

    def _made_before(self, old: Endpoint, fingerprint: str) -> Json:
        if old.fingerprint != fingerprint:
            raise KeyReused
        self._storage.swap(old, old)
        return self._with_secret(old, 1)

    def _any(self, tenant: str, id: str) -> Endpoint:
        found = next((each for each in self._storage.endpoints(tenant) if each.id == id), None)
        if found is None:
            raise NotFound("webhook")
        return found

    def _endpoint(self, tenant: str, id: str) -> Endpoint:
        found = self._any(tenant, id)
        if found.deleted_ms is not None:
            raise NotFound("webhook")
        return found

    def _swap(self, tenant: str, id: str, change: Change) -> Endpoint:
        for _ in range(_TRIES):
            old = self._endpoint(tenant, id)
            new = change(old)
            if self._storage.swap(old, new):
                self._changed(tenant)
                return new
        raise StoreUnavailable("too many changes of this webhook at once")


def shown(delivery: Delivery) -> Json:
    """A delivery as its tenant sees it; never what the endpoint answered but the status."""
    made: Json = {
        "id": delivery.id,
        "webhook_id": delivery.notice,
        "type": delivery.type,
        "status": delivery.status,
        "occurred_at": timestamp(delivery.at_ms),
        "next_attempt_at": None if delivery.next_ms is None else timestamp(delivery.next_ms),
        "attempts": [_attempt(each) for each in delivery.attempts],
        "body": delivery.body,
    }
    if delivery.match is not None:
        made["match"] = delivery.match
    return made


def _attempt(attempt: Attempt) -> Json:
    return {
        "at": timestamp(attempt.at_ms),
        "took_ms": attempt.took_ms,
        "status": attempt.status,
        "error": attempt.error,
    }


def tenant_of(caller: Caller) -> str:
    """The tenant who asks. Raises Unauthenticated, Forbidden."""
    if caller.tenant is None:
        raise Unauthenticated if caller.seat is None else Forbidden("only a tenant may do this, with its key")
    return caller.tenant


def _executed(endpoint: Endpoint, what: str, key: str, fingerprint: str) -> Executed | None:
    """What was executed under this key. Raises KeyReused for another request."""
    for each in endpoint.executed:
        if each.what == what and each.key == key:
            if each.fingerprint != fingerprint:
                raise KeyReused
            return each
    return None


def _remembering(endpoint: Endpoint, done: Executed) -> Endpoint:
    """The endpoint with one more executed request. Raises QuotaExceeded."""
    kept = [each for each in endpoint.executed if each.at_ms > done.at_ms - REMEMBERED_MS]
    if len(kept) >= _MOST_EXECUTED:
        raise QuotaExceeded(f"this is done up to {_MOST_EXECUTED} times in two days")
    return replace(endpoint, executed=[*kept, done])


def _moment(text: str, pointer: str) -> int:
    try:
        return milliseconds(text)
    except (ValueError, TypeError):
        raise invalid(pointer, "invalid", "a time such as 2026-01-05T10:11:12.345Z is expected") from None
