"""The tenant keys: made, rotated, revoked, listed, checked.

A key is `tk_live_<id>_<secret>` or `tk_test_<id>_<secret>`; only its hash is kept. Whatever is done with a
key is written down together with it.
"""

import hmac
import logging
import re
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from domain.kernel.errors import refuse
from events.canonical import canonical
from events.store import KeyReused, StoreUnavailable
from service import sandbox
from service import scopes as known_scopes
from service.clock import Clock, timestamp
from service.credentials import TENANT, Caller, hashed, letters, same_hash
from service.errors import Forbidden, NotFound, Unauthenticated, invalid
from service.tenant_keys import LIVE_MODE, TEST_MODE, KeyAction, KeyRecord, KeyStorage

Json = dict[str, Any]

OPERATOR: Final = "operator"
LONGEST_OVERLAP_S: Final = 30 * 24 * 3600
LONGEST_LABEL: Final = 80
# How long a revoked tenant key may still be accepted by a process that has just seen it valid, in seconds.
TRUST_S: Final = 2.0
# The use of a key is noted at most this often by each process, in milliseconds.
NOTED_MS: Final = 10 * 60 * 1000
_MOST_TRUSTED: Final = 10_000
_ID: Final = re.compile(r"[a-z2-7]{16}")
_TENANT_KEY: Final = re.compile(r"tk_(live|test)_([a-z2-7]{16})_([a-z2-7]{52})")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class NewKey:
    """A tenant key, in the clear; `replayed`: it was made before, by the same request."""

    id: str
    tenant: str
    key: str = field(repr=False)
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Wish:
    """What a new key is to be: `scopes` None for all; `label` is the tenant's own name for it."""

    scopes: Iterable[str] | None = None
    mode: str = LIVE_MODE
    label: str = ""


class TenantKeys:
    """Makes, checks and ends tenant keys."""

    def __init__(self, storage: KeyStorage, clock: Clock, secret: bytes) -> None:
        """`secret`: keys made with an idempotency key derive from it, so that a replay can show them."""
        self._storage = storage
        self._clock = clock
        self._secret = secret
        self._trusted: dict[str, tuple[KeyRecord, float]] = {}
        self._noted: dict[str, int] = {}

    def create(self, tenant: str, wish: Wish | None = None) -> NewKey:
        """A new key for a tenant (letters, digits, `_`, `-`), made by the operator. Raises Invalid,
        StoreUnavailable."""
        if TENANT.fullmatch(tenant) is None:
            raise invalid("/tenant", "pattern", "a tenant has 1 to 64 letters, digits, _ and -")
        made = (letters(secrets.token_bytes(10)), letters(secrets.token_bytes(32)))
        return self._add(tenant, wish or Wish(), made, OPERATOR, "")

    def create_own(self, caller: Caller, wish: Wish, key: str, fingerprint: str) -> NewKey:
        """A new key of the caller's tenant; the same key again shows it again. Raises Forbidden (a scope, or
        live mode, that the caller lacks), Invalid, KeyReused, StoreUnavailable."""
        tenant = _tenant_of(caller)
        _insist_on_right(caller, frozenset(known_scopes.chosen(wish.scopes)), wish.mode)
        return self._add(tenant, wish, self._derived(tenant, "create", key), caller.credential, fingerprint)

    def rotate(self, caller: Caller, id: str, overlap_s: int, key: str, fingerprint: str) -> NewKey:
        """A new key like an old one of the caller's tenant, which ends after the overlap. The same key again
        shows it again. Raises NotFound, Forbidden, Invalid, IllegalMove (`conflict`: it has ended),
        KeyReused, StoreUnavailable."""
        tenant = _tenant_of(caller)
        old = self._own(caller, id)
        _insist_on_right(caller, _scopes(old), old.mode)
        made = self._derived(tenant, f"rotate {id}", key)
        if self._storage.get(made[0]) is None and self._ended(old):
            raise refuse("ended", "this key has ended; make a new one", kind="conflict")
        return self._rotated(old, overlap_s, made, caller.credential, fingerprint)

    def rotate_for_operator(self, id: str, overlap_s: int) -> NewKey:
        """The same by the operator, for any tenant. Raises NotFound, Invalid, StoreUnavailable."""
        old = self._found(id)
        if old is None or self._ended(old):
            raise NotFound("key")
        made = (letters(secrets.token_bytes(10)), letters(secrets.token_bytes(32)))
        return self._rotated(old, overlap_s, made, OPERATOR, "")

    def revoke_own(self, caller: Caller, id: str) -> None:
        """End a key of the caller's tenant; again does nothing. Raises NotFound, StoreUnavailable."""
        self._end(self._own(caller, id), 0, "revoked", caller.credential)

    def revoke(self, id: str) -> bool:
        """End a key; False when there is none. Other processes follow within two seconds."""
        record = self._found(id)
        if record is not None:
            self._end(record, 0, "revoked", OPERATOR)
        return record is not None

    def all(self) -> list[KeyRecord]:
        """Every key ever made, hashed, oldest first."""
        return self._storage.all()

    def own(self, caller: Caller) -> Json:
        """The keys of the caller's tenant as it is shown them, oldest first: `{"items": […]}`."""
        _tenant_of(caller)
        used = self._storage.used()
        mine = [record for record in self._storage.all() if _may_see(caller, record)]
        return {"items": [shown(record, used.get(record.id)) for record in mine]}

    def own_key(self, caller: Caller, id: str) -> Json:
        """A key of the caller's tenant as it is shown. Raises NotFound."""
        return shown(self._own(caller, id), self._storage.used().get(id))

    def used(self) -> dict[str, str]:
        """When each key was used last, by id, to some minutes."""
        return self._storage.used()

    def actions(self, most: int = 1000) -> list[KeyAction]:
        """What was done with keys, oldest first, at most so many of the last."""
        return self._storage.actions(most)

    def knows(self, key: str) -> bool:
        """Whether the key is valid now. Raises StoreUnavailable."""
        try:
            self.check(key)
        except Unauthenticated:
            return False
        return True

    def check(self, key: str) -> Caller:
        """The tenant a key belongs to. Raises Unauthenticated, which tells nobody but the holder of a key
        that was valid that it has ended; StoreUnavailable."""
        found = _TENANT_KEY.fullmatch(key)
        if found is None:
            raise Unauthenticated("malformed")
        record = self._record(found[2])
        valid = same_hash(hashed(key), None if record is None else record.hash)
        if record is None or not valid:
            raise Unauthenticated
        if self._ended(record):
            raise Unauthenticated("revoked" if record.revoked_at else "expired")
        self._note(record.id)
        return Caller(
            tenant=sandbox.world(record.tenant, record.mode),
            credential=f"tk_{record.mode}_{record.id}",
            scopes=_scopes(record),
            mode=record.mode,
        )

    def confirm(self, caller: Caller) -> None:
        """Make sure that a tenant who was let in before still has a valid key; nothing for other callers.
        Raises Unauthenticated, StoreUnavailable."""
        if caller.tenant is None:
            return
        record = self._record(caller.credential.rpartition("_")[2])
        if record is None or self._ended(record):
            raise Unauthenticated

    def distrust(self) -> None:
        """Look every key up again: one may have been revoked."""
        self._trusted.clear()

    def _add(self, tenant: str, wish: Wish, made: tuple[str, str], by: str, fingerprint: str) -> NewKey:
        if wish.mode not in (LIVE_MODE, TEST_MODE):
            raise invalid("/mode", "invalid", "live or test is expected")
        if len(wish.label) > LONGEST_LABEL:
            raise invalid("/label", "length", f"at most {LONGEST_LABEL} characters are expected")
        chosen = known_scopes.chosen(wish.scopes)
        id, secret = made
        key = f"tk_{wish.mode}_{id}_{secret}"
        now = timestamp(self._clock.now_ms())
        record = KeyRecord(
            id,
            tenant,
            hashed(key),
            now,
            scopes=chosen,
            mode=wish.mode,
            label=wish.label,
            fingerprint=fingerprint,
        )
        return self._added(record, key, KeyAction(now, "create", id, tenant, by, " ".join(chosen)))

    def _added(self, record: KeyRecord, key: str, action: KeyAction) -> NewKey:
        replayed = self._storage.get(record.id) is not None
        kept = self._storage.add(record, action)
        if kept.fingerprint != record.fingerprint or kept.hash != record.hash:
            raise KeyReused
        return NewKey(record.id, record.tenant, key, replayed)

    def _rotated(
        self, old: KeyRecord, overlap_s: int, made: tuple[str, str], by: str, fingerprint: str
    ) -> NewKey:
        if not 0 <= overlap_s <= LONGEST_OVERLAP_S:
            raise invalid("/overlap_s", "range", f"0 to {LONGEST_OVERLAP_S} seconds are expected")
        id, secret = made
        key = f"tk_{old.mode}_{id}_{secret}"
        now = timestamp(self._clock.now_ms())
        record = KeyRecord(
            id,
            old.tenant,
            hashed(key),
            now,
            scopes=old.scopes,
            mode=old.mode,
            label=old.label,
            fingerprint=fingerprint,
            replaces=old.id,
        )
        new = self._added(record, key, KeyAction(now, "rotate", id, old.tenant, by, f"replaces {old.id}"))
        # A retry ends the old key as well, if the first try did not come so far. An overlap that was granted
        # before stays what it was: somebody counts on it.
        if old.expires_at is None:
            self._end(old, overlap_s, "rotated", by)
        return new

    def _end(self, record: KeyRecord, in_s: int, why: str, by: str) -> None:
        now = self._clock.now_ms()
        at = timestamp(now + 1000 * in_s)
        action = "revoke" if why == "revoked" else "end"
        self._storage.end(
            record.id, at, why, KeyAction(timestamp(now), action, record.id, record.tenant, by, at)
        )
        self._trusted.pop(record.id, None)

    def _ended(self, record: KeyRecord) -> bool:
        end = record.revoked_at or record.expires_at
        return end is not None and end <= timestamp(self._clock.now_ms())

    def _own(self, caller: Caller, id: str) -> KeyRecord:
        _tenant_of(caller)
        record = self._found(id)
        if record is None or not _may_see(caller, record):
            raise NotFound("key")
        return record

    def _found(self, id: str) -> KeyRecord | None:
        return self._storage.get(id) if _ID.fullmatch(id) else None

    def _derived(self, tenant: str, purpose: str, key: str) -> tuple[str, str]:
        """Id and secret of a key made with an idempotency key."""
        said = [["wonderlog/tenant-key/1", part, tenant, purpose, key] for part in ("id", "secret")]
        id, secret = (hmac.digest(self._secret, canonical(each), "sha256") for each in said)
        return letters(id[:10]), letters(secret)

    def _record(self, id: str) -> KeyRecord | None:
        now = time.monotonic()
        record, until = self._trusted.get(id, (None, 0.0))
        if record is None or now > until:
            record = self._storage.get(id)
            if record is not None:
                if len(self._trusted) >= _MOST_TRUSTED:
                    self._trusted.clear()
                self._trusted[id] = (record, now + TRUST_S)
        return record

    def _note(self, id: str) -> None:
        """Note the use of a key, now and then. That it cannot be noted must not refuse a valid key."""
        now = self._clock.now_ms()
        if now - self._noted.get(id, 0) < NOTED_MS:
            return
        if len(self._noted) >= _MOST_TRUSTED:
            self._noted.clear()
        self._noted[id] = now
        try:
            self._storage.touch(id, timestamp(now))
        except StoreUnavailable as error:
            log.warning("the use of key %s is not noted: %s", id, error)
            self._noted.pop(id, None)


def shown(record: KeyRecord, used: str | None) -> Json:
    """A key without its secret."""
    return {
        "id": record.id,
        "mode": record.mode,
        "label": record.label,
        "scopes": [scope for scope in known_scopes.SCOPES if scope in _scopes(record)],
        "created_at": record.created_at,
        "last_used_at": used,
        "expires_at": record.expires_at,
        "revoked_at": record.revoked_at,
        "replaces": record.replaces,
    }


def _scopes(record: KeyRecord) -> frozenset[str]:
    """What a key is for; a scope that is given out no more opened nothing."""
    return known_scopes.ALL if record.scopes is None else known_scopes.ALL.intersection(record.scopes)


def _tenant_of(caller: Caller) -> str:
    if caller.tenant is None:
        raise Unauthenticated if caller.role == "" else Forbidden("only a tenant may do this, with its key")
    if known_scopes.ADMIN not in caller.scopes:
        raise known_scopes.missing(known_scopes.ADMIN)
    return sandbox.owner(caller.tenant)


def _may_see(caller: Caller, record: KeyRecord) -> bool:
    """Whether a key is one the caller may deal with: keys of the test mode know those of the test mode."""
    assert caller.tenant is not None, "only tenants have keys"
    mine = record.tenant == sandbox.owner(caller.tenant)
    return mine and (caller.mode == LIVE_MODE or record.mode != LIVE_MODE)


def _insist_on_right(caller: Caller, wanted: frozenset[str], mode: str) -> None:
    """Nobody makes a key that may do more than its own. Raises Forbidden."""
    beyond = sorted(wanted - caller.scopes)
    if beyond:
        raise Forbidden(f"this key lacks {', '.join(beyond)} and cannot hand that on")
    if mode == LIVE_MODE and caller.mode != LIVE_MODE:
        raise Forbidden("a key of the test mode makes keys of the test mode only")
