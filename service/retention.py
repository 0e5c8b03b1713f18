"""How long a tenant's finished matches stay in the store, and how long in the archive."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Retention:
    """Seconds after the end of a match: `after_s` until it moves into the archive (None: never), `keep_s`
    until it is removed for good (None: never)."""

    after_s: int | None
    keep_s: int | None = None


class Retentions(Protocol):
    """What the operator has set for tenants; the others have the retention of the settings. Methods raise
    StoreUnavailable."""

    def all(self) -> dict[str, Retention]:
        """Every tenant for which one is set."""

    def set(self, tenant: str, retention: Retention | None) -> None:
        """Set the retention of a tenant; None: that of the settings again."""
