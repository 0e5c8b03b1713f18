"""An endpoint: where a tenant wants its notices, and the secrets that sign them.

No secret is stored. Each is derived from the server secret, the endpoint and a generation; rotation is the
next generation, and until `overlap_until_ms` both sign.
"""

import base64
import hmac
from dataclasses import dataclass, field
from typing import Final, Literal

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.canonical import canonical
from service.credentials import letters

Signing = Literal["hmac-sha256", "ed25519"]
SIGNINGS: Final[tuple[Signing, ...]] = ("hmac-sha256", "ed25519")


@dataclass(frozen=True, slots=True)
class Executed:
    """A request that was executed under an idempotency key, so that it is answered again and not done again:
    `rotate` (`result` is the generation) or `redeliver` (how many)."""

    what: str
    key: str
    fingerprint: str
    result: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class Off:
    """When and why an endpoint was switched off: `asked`, `gone` (it answered 410), `exhausted` (a notice was
    refused to the last)."""

    at_ms: int
    reason: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint at rest. `types`: which notices, None for all. `since_ms`, by the clock of
    its world: notices of older events are not for it. `resting_until_ms`: it asked for patience, or did not
    answer. `fingerprint`: of the request that made it. `live`: whether the key that named its address sees
    matches without their spectator delay."""

    id: str
    tenant: str
    url: str
    fingerprint: str
    created_ms: int
    since_ms: int
    types: list[str] | None = None
    signing: Signing = "hmac-sha256"
    description: str = ""
    generation: int = 1
    overlap_until_ms: int = 0
    executed: list[Executed] = field(default_factory=list)
    off: Off | None = None
    resting_until_ms: int = 0
    failures: int = 0
    deleted_ms: int | None = None
    live: bool = False

    @property
    def is_on(self) -> bool:
        """Whether notices are made for it."""
        return self.off is None and self.deleted_ms is None

    def wants(self, type: str) -> bool:
        """Whether it has subscribed to this type."""
        return self.types is None or type in self.types

    def generations(self, now_ms: int) -> list[int]:
        """The generations that sign now, the newest first."""
        both = self.generation > 1 and now_ms < self.overlap_until_ms
        return [self.generation, self.generation - 1] if both else [self.generation]


def endpoint_id(server_secret: bytes, tenant: str, key: str) -> str:
    """The id of the endpoint a tenant makes with an idempotency key: a retry finds its own."""
    made = hmac.digest(server_secret, canonical(["wonderlog/webhook-id/1", tenant, key]), "sha256")
    return f"whk_{letters(made[:16])}"


def key_bytes(server_secret: bytes, id: str, generation: int) -> bytes:
    """The 32 bytes behind a generation: HMAC secret, or seed of the Ed25519 key."""
    said = ["wonderlog/webhook-secret/1", id, generation]
    return hmac.digest(server_secret, canonical(said), "sha256")


def shared_secret(raw: bytes) -> str:
    """An HMAC secret as it is shown once: `whsec_<base64>`."""
    return f"whsec_{base64.b64encode(raw).decode()}"


def public_key(raw: bytes) -> str:
    """The public key of an Ed25519 seed: `whpk_<base64>`."""
    key = Ed25519PrivateKey.from_private_bytes(raw).public_key().public_bytes_raw()
    return f"whpk_{base64.b64encode(key).decode()}"
