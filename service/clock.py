"""The clock, as an argument: milliseconds since 1970 in UTC, and how the log writes them."""

import time
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


class Clock(Protocol):
    """What the service needs of time; tests bring their own."""

    def now_ms(self) -> int:
        """Milliseconds since 1970-01-01T00:00:00Z."""

    def sleep(self, ms: int) -> None:
        """Let at least `ms` milliseconds pass; nothing for 0 or less."""


class SystemClock:
    """The clock of this machine."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def sleep(self, ms: int) -> None:
        if ms > 0:
            time.sleep(ms / 1000)


def timestamp(ms: int) -> str:
    """RFC 3339 in UTC with milliseconds: `2026-01-05T10:11:12.345Z`."""
    moment = _EPOCH + _MILLISECOND * ms
    return f"{moment.strftime('%Y-%m-%dT%H:%M:%S')}.{ms % 1000:03d}Z"


def milliseconds(text: str) -> int:
    """The inverse of `timestamp`. Raises ValueError."""
    return (datetime.fromisoformat(text) - _EPOCH) // _MILLISECOND
