"""Who asks: tenant keys and seat tokens, made, hashed, checked, revoked. Secrets are shown once, kept never.

A tenant key is `tk_live_<id>_<secret>`, a seat token `st_<tail of the match id>_<seat>_<secret>`; secrets
have 256 bits. Only SHA-256 hashes are kept: of tenant keys in one place, of seat tokens with the match they
open.
"""

import hashlib
import hmac
import re
import secrets
import threading
import time
from base64 import b32encode
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from events.canonical import canonical
from service.clock import Clock, timestamp
from service.errors import Unauthenticated, invalid
from service.tenant_keys import KeyRecord, KeyStorage

MATCH_PREFIX: Final = "mat_"
TENANT: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_TENANT_KEY: Final = re.compile(r"tk_live_([a-z2-7]{16})_([a-z2-7]{52})")
_SEAT_TOKEN: Final = re.compile(r"st_([a-z2-7]{26})_([0-6])_([a-z2-7]{52})")

# How long a revoked tenant key may still be accepted by a process that has just seen it valid, in seconds.
TRUST_S: Final = 2.0
_MOST_KNOWN: Final = 10_000
_NO_HASH: Final = "0" * 64


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: nobody (all None), a tenant, or a seat of one match.

    `credential` is the public id of the credential, for logs; `proof` is the hash of a seat token, which
    every use case holds against the match it loads, so that a token dies the moment it is replaced."""

    tenant: str | None = None
    match: str | None = None
    seat: int | None = None
    credential: str = ""
    proof: str = field(default="", repr=False)


NOBODY: Final = Caller()


@dataclass(frozen=True, slots=True)
class NewKey:
    """A tenant key, this once in the clear."""

    id: str
    tenant: str
    key: str = field(repr=False)


def letters(raw: bytes) -> str:
    """Bytes as lower-case base32 without padding."""
    return b32encode(raw).decode().rstrip("=").lower()


def hashed(token: str) -> str:
    """What is kept of a key or token: its SHA-256, hex."""
    return hashlib.sha256(token.encode()).hexdigest()


def match_id(server_secret: bytes, tenant: str, key: str) -> str:
    """The id of the match a tenant creates with an idempotency key: a retry finds its own match."""
    made = hmac.digest(server_secret, canonical(["wonderlog/match-id/1", tenant, key]), "sha256")
    return MATCH_PREFIX + letters(made[:16])


def seat_token(server_secret: bytes, match: str, seat: int, key: str) -> str:
    """The token of a seat joined with an idempotency key: a replay can show it again."""
    made = hmac.digest(server_secret, canonical(["wonderlog/seat-token/1", match, seat, key]), "sha256")
    return f"st_{match.removeprefix(MATCH_PREFIX)}_{seat}_{letters(made)}"


def token_field(seat: int) -> str:
    """The secret of a match that holds the hash of a seat's token; empty: nobody's."""
    return f"token:{seat}"


def same_hash(one: str, other: str | None) -> bool:
    """Compare two hashes in constant time; a missing one equals nothing."""
    return hmac.compare_digest(one.encode(), (other or _NO_HASH).encode()) and bool(other)


class SeatTokens:
    """Reads seat tokens; remembers which were valid, so that a busy seat costs no extra look-up."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, token: str) -> Caller:
        """The caller a token claims to be, unproven. Raises Unauthenticated for anything else."""
        found = _SEAT_TOKEN.fullmatch(token)
        if found is None:
            raise Unauthenticated
        tail, seat, _ = found.groups()
        proof = hashed(token)
        return Caller(
            match=MATCH_PREFIX + tail, seat=int(seat), credential=f"st_{seat}_{proof[:12]}", proof=proof
        )

    def is_known(self, caller: Caller) -> bool:
        """Whether this token was valid before; the use case proves it again."""
        with self._lock:
            return caller.proof in self._known

    def remember(self, caller: Caller) -> None:
        """Note a token that has been proven."""
        with self._lock:
            self._known[caller.proof] = None
            self._known.move_to_end(caller.proof)
            if len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)


class TenantKeys:
    """Makes, checks and revokes tenant keys."""

    def __init__(self, storage: KeyStorage, clock: Clock) -> None:
        self._storage = storage
        self._clock = clock
        self._trusted: dict[str, tuple[KeyRecord, float]] = {}

    def create(self, tenant: str) -> NewKey:
        """A new key for a tenant (letters, digits, `_`, `-`). Raises Invalid, StoreUnavailable."""
        _check_tenant(tenant)
        id = letters(secrets.token_bytes(10))
        key = f"tk_live_{id}_{letters(secrets.token_bytes(32))}"
        self._storage.put(KeyRecord(id, tenant, hashed(key), timestamp(self._clock.now_ms())))
        return NewKey(id, tenant, key)

    def revoke(self, id: str) -> bool:
        """End a key; False when there is none. Other processes follow within two seconds."""
        record = self._storage.get(id)
        if record is None:
            return False
        if record.revoked_at is None:
            now = timestamp(self._clock.now_ms())
            self._storage.put(KeyRecord(id, record.tenant, record.hash, record.created_at, now))
        self._trusted.pop(id, None)
        return True

    def all(self) -> list[KeyRecord]:
        """Every key ever made, hashed, oldest first."""
        return self._storage.all()

    def knows(self, key: str) -> bool:
        """Whether the key is valid now. Raises StoreUnavailable."""
        try:
            self.check(key)
        except Unauthenticated:
            return False
        return True

    def check(self, key: str) -> Caller:
        """The tenant a key belongs to. Raises Unauthenticated, alike for every cause; StoreUnavailable."""
        found = _TENANT_KEY.fullmatch(key)
        record = None if found is None else self._record(found[1])
        valid = same_hash(hashed(key), None if record is None else record.hash)
        if record is None or not valid or record.revoked_at is not None:
            raise Unauthenticated
        return Caller(tenant=record.tenant, credential=f"tk_live_{record.id}")

    def _record(self, id: str) -> KeyRecord | None:
        now = time.monotonic()
        record, until = self._trusted.get(id, (None, 0.0))
        if record is None or now > until:
            record = self._storage.get(id)
            if record is not None:
                self._trusted[id] = (record, now + TRUST_S)
        return record


def _check_tenant(tenant: str) -> None:
    if TENANT.fullmatch(tenant) is None:
        raise invalid("/tenant", "pattern", "a tenant has 1 to 64 letters, digits, _ and -")
