"""Where tenant keys are kept, hashed; the log of what was done with them; when each was used last."""

from dataclasses import dataclass, replace
from typing import Final, Protocol

LIVE_MODE: Final = "live"
TEST_MODE: Final = "test"


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """A tenant key at rest. `hash` is the SHA-256 of the whole key, hex; times are as in the log. `scopes` is
    None for a key from before there were scopes, which has all. `mode` is `live` or `test`. `revoked_at` and
    `expires_at` are the end of a key that was revoked, or rotated with some overlap. `fingerprint`: of the
    request that made it, so that a retry finds it; `replaces`: the key it was rotated from."""

    id: str
    tenant: str
    hash: str
    created_at: str
    revoked_at: str | None = None
    scopes: tuple[str, ...] | None = None
    mode: str = LIVE_MODE
    label: str = ""
    expires_at: str | None = None
    fingerprint: str = ""
    replaces: str | None = None


@dataclass(frozen=True, slots=True)
class KeyAction:
    """What was done with a key: `create`, `rotate`, `end`, `revoke` or `origins` (of a tenant: `id` is
    empty); by whom: the public id of a tenant key, or `operator`."""

    at: str
    action: str
    id: str
    tenant: str
    by: str
    detail: str = ""


def with_end(record: KeyRecord, end: str | None) -> KeyRecord:
    """The record with its end as it is stored, `<time> <why>`; None: none."""
    if end is None:
        return record
    at, _, why = end.partition(" ")
    return replace(record, revoked_at=at) if why == "revoked" else replace(record, expires_at=at)


class KeyStorage(Protocol):
    """The records by id, and what stands beside them. Every method raises StoreUnavailable when they cannot
    be reached; `add`, `end` and `put_origins` raise OutcomeUnknown as well."""

    def get(self, id: str) -> KeyRecord | None:
        """The record, or None."""

    def add(self, record: KeyRecord, action: KeyAction) -> KeyRecord:
        """Write a new record and what was done, in one step, unless there is one of this id: then nothing is
        written. The record that is there now."""

    def end(self, id: str, at: str, why: str, action: KeyAction) -> None:
        """Set the end of a key, `revoked` or `rotated`, and write down who did, in one step. A key that ends
        earlier already is left alone."""

    def all(self) -> list[KeyRecord]:
        """Every record, oldest first."""

    def actions(self, most: int) -> list[KeyAction]:
        """What was done last, oldest first."""

    def touch(self, id: str, at: str) -> None:
        """Note when a key was used."""

    def used(self) -> dict[str, str]:
        """When each key was used last, by id; coarse."""

    def origins(self) -> dict[str, tuple[str, ...]]:
        """The origins whose pages may call for a tenant, by tenant."""

    def put_origins(self, tenant: str, origins: tuple[str, ...], action: KeyAction) -> None:
        """Set the origins of a tenant and write down who did, in one step."""


def oldest_first(records: list[KeyRecord]) -> list[KeyRecord]:
    """Records in the order of their creation."""
    return sorted(records, key=lambda record: (record.created_at, record.id))
