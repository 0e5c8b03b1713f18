"""How much a caller has asked for in a minute, counted across processes."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Grant:
    """What was taken from a bucket: how many, how many are left, and when it is full again."""

    taken: int
    left: int
    reset_ms: int


class Quotas(Protocol):
    """Buckets that are full again every so often."""

    def take(self, bucket: str, quota: int, window_ms: int, wanted: int) -> Grant:
        """Take up to `wanted` from a bucket of `quota`; a window begins with the first. Raises
        StoreUnavailable."""
