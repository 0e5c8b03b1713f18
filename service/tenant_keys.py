"""Where tenant keys are kept, hashed."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """A tenant key at rest. `hash` is the SHA-256 of the whole key, hex; times are as in the log."""

    id: str
    tenant: str
    hash: str
    created_at: str
    revoked_at: str | None = None


class KeyStorage(Protocol):
    """The records by id. Every method raises StoreUnavailable when they cannot be reached."""

    def get(self, id: str) -> KeyRecord | None:
        """The record, or None."""

    def put(self, record: KeyRecord) -> None:
        """Write the record, new or changed."""

    def all(self) -> list[KeyRecord]:
        """Every record, oldest first."""


def oldest_first(records: list[KeyRecord]) -> list[KeyRecord]:
    """Records in the order of their creation."""
    return sorted(records, key=lambda record: (record.created_at, record.id))
