"""Who asks: the caller, and the tokens of a match, made, hashed, read. Secrets are shown once, kept never.

A seat token is `st_<tail of the match id>_<seat>_<secret>`; an invite `it_…` and a spectator token `vt_…`
have an id instead of the seat. Secrets have 256 bits. Only SHA-256 hashes are kept, with the match they open.
"""

import hashlib
import hmac
import re
import threading
from base64 import b32encode
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from events.canonical import canonical
from service.errors import Unauthenticated

MATCH_PREFIX: Final = "mat_"
TENANT: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_SEAT_TOKEN: Final = re.compile(r"st_([a-z2-7]{26})_([0-6])_([a-z2-7]{52})")
_PASS: Final = re.compile(r"(it|vt)_([a-z2-7]{26})_([a-z2-7]{16})_([a-z2-7]{52})")

INVITE: Final = "invite"
SPECTATOR: Final = "spectator"
_PREFIXES: Final = {INVITE: "it", SPECTATOR: "vt"}
_ROLES: Final = {prefix: role for role, prefix in _PREFIXES.items()}
# How the tokens of a match begin.
PREFIXES: Final = ("st_", "it_", "vt_")

_MOST_KNOWN: Final = 10_000
_NO_HASH: Final = "0" * 64


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: nobody (all empty), a tenant with the scopes of its key, a seat of one match, or who holds an
    invite or a spectator token of one match (`pass_id`, and in `role` which).

    `credential` is the public id of the credential, for logs; `proof` is the hash of a token, which every
    use case holds against the match it loads, so that a token dies the moment it is replaced. `host` is the
    tenant of the match a token opens; `mode` is `live`, or `test` for what a test key does. `holder` is who
    holds the seat, whichever token that person has by now."""

    tenant: str | None = None
    match: str | None = None
    seat: int | None = None
    credential: str = ""
    proof: str = field(default="", repr=False)
    pass_id: str = ""
    role: str = ""
    scopes: frozenset[str] = frozenset()
    host: str | None = None
    mode: str = "live"
    holder: str = ""

    @property
    def world(self) -> str | None:
        """In whose world it acts: see `service.sandbox`; None for nobody."""
        return self.tenant or self.host

    @property
    def scheme(self) -> str:
        """The kind of credential, as the API names it; empty for nobody."""
        if self.tenant is not None:
            return "TenantKey"
        if self.seat is not None:
            return "SeatToken"
        return {INVITE: "InviteToken", SPECTATOR: "SpectatorToken"}.get(self.role, "")


NOBODY: Final = Caller()


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
    """The token of a seat that the service itself fills, under a key nobody else can use: a replay can show
    it again. So were, before, those of seats that callers join."""
    made = hmac.digest(server_secret, canonical(["wonderlog/seat-token/1", match, seat, key]), "sha256")
    return f"st_{match.removeprefix(MATCH_PREFIX)}_{seat}_{letters(made)}"


def renewed_token(server_secret: bytes, match: str, seat: int, scope: str, key: str) -> str:
    """A token of a seat, from the idempotency key of whoever asked for it: each has keys of its own, and the
    same key of another one makes another token."""
    said = ["wonderlog/seat-token/2", match, seat, scope, key]
    made = hmac.digest(server_secret, canonical(said), "sha256")
    return f"st_{match.removeprefix(MATCH_PREFIX)}_{seat}_{letters(made)}"


def pass_token(server_secret: bytes, role: str, match: str, scope: str, key: str) -> tuple[str, str]:
    """Id and token of an invite or of a spectator, from the idempotency key of whoever issues it."""
    said = [["wonderlog/pass/1", part, role, match, scope, key] for part in ("id", "secret")]
    id, secret = (letters(hmac.digest(server_secret, canonical(each), "sha256")) for each in said)
    return id[:16], f"{_PREFIXES[role]}_{match.removeprefix(MATCH_PREFIX)}_{id[:16]}_{secret}"


def token_field(seat: int) -> str:
    """The secret of a match that holds the hash of a seat's token; empty: nobody's."""
    return f"token:{seat}"


def former_token_field(seat: int) -> str:
    """The secret of a match that holds the hash of the token before: whoever replaced it may ask again for
    the answer, and for nothing else."""
    return f"token-before:{seat}"


def holder_field(seat: int) -> str:
    """The secret of a match that says who holds a seat, as `holder` gives it; empty: its token is the first
    of that person."""
    return f"holder:{seat}"


def former_holder_field(seat: int) -> str:
    """The same of who holds the token before: another person, if the seat was handed over."""
    return f"holder-before:{seat}"


def nobody(seat: int) -> dict[str, str]:
    """The secrets of a seat that nobody holds."""
    fields = (token_field, former_token_field, holder_field, former_holder_field)
    return {field(seat): "" for field in fields}


def seat_credential(seat: int, token_hash: str) -> str:
    """The public id of a seat token."""
    return f"st_{seat}_{token_hash[:12]}"


def holder(secrets: Mapping[str, str], seat: int, token_hash: str) -> str:
    """Who holds a seat with this token, the one of now or the one before: the public id of the first token
    that person had. It stays as long as that person keeps the seat."""
    is_former = same_hash(token_hash, secrets.get(former_token_field(seat)))
    field = former_holder_field(seat) if is_former else holder_field(seat)
    return secrets.get(field) or seat_credential(seat, token_hash)


def same_hash(one: str, other: str | None) -> bool:
    """Compare two hashes in constant time; a missing one equals nothing."""
    return hmac.compare_digest(one.encode(), (other or _NO_HASH).encode()) and bool(other)


class MatchTokens:
    """Reads the tokens of matches; remembers which were valid, so that a busy seat costs no extra look-up."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[str, str]] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, token: str) -> Caller:
        """The caller a token claims to be, unproven. Raises Unauthenticated for anything else."""
        proof = hashed(token)
        if (found := _SEAT_TOKEN.fullmatch(token)) is not None:
            tail, seat, _ = found.groups()
            return Caller(
                match=MATCH_PREFIX + tail,
                seat=int(seat),
                credential=seat_credential(int(seat), proof),
                proof=proof,
            )
        if (found := _PASS.fullmatch(token)) is not None:
            prefix, tail, id, _ = found.groups()
            return Caller(
                match=MATCH_PREFIX + tail,
                credential=f"{prefix}_{id}",
                proof=proof,
                pass_id=id,
                role=_ROLES[prefix],
            )
        raise Unauthenticated("malformed")

    def known(self, caller: Caller) -> tuple[str, str] | None:
        """The tenant of the match and who holds the token, if it was valid before; the use case proves it
        again. Neither ever changes for a token."""
        with self._lock:
            return self._known.get(caller.proof)

    def remember(self, caller: Caller, host: str, holder: str) -> None:
        """Note a token that has been proven, the tenant of its match and who holds it."""
        with self._lock:
            self._known[caller.proof] = host, holder
            self._known.move_to_end(caller.proof)
            if len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)
