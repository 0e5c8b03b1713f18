"""The sandbox of a tenant: what is done with its test keys, in a world of its own, with a clock of its own.

To everything that keeps what belongs to a tenant (matches, lists, the feed, webhooks, origins), the sandbox
of a tenant is another tenant, whose name nobody can have. So neither side can see or touch what is the
other's.

The clock of a sandbox is ahead of the real one by what it was moved, and never goes back. Everything that
depends on time in a match, or in the queue for one, follows the clock of its world, and so do the times of
jobs and notices; what has nothing to do with matches (keys, stream tickets, when a delivery is attempted or a
job taken up again, outages) follows the real one.
"""

from dataclasses import dataclass
from typing import Final, Protocol

from service.clock import Clock

LIVE: Final = "live"
TEST: Final = "test"
# No name of a tenant has this character.
_MARK: Final = "~test"

# How far ahead a clock may be, in milliseconds: a hundred years.
FARTHEST_MS: Final = 100 * 365 * 24 * 3600 * 1000
# How long a move of a clock, or a fault, is remembered under its name, in seconds.
REMEMBERED_S: Final = 24 * 3600
FAULT_S: Final = 600


def world(tenant: str, mode: str) -> str:
    """Where keys of this mode act: in the tenant's own world, or in its sandbox."""
    return tenant + _MARK if mode == TEST else tenant


def owner(world: str) -> str:
    """The tenant a world belongs to."""
    return world.removesuffix(_MARK)


def is_sandbox(world: str | None) -> bool:
    """Whether this is the world of test keys."""
    return world is not None and world.endswith(_MARK)


def mode(world: str | None) -> str:
    """The mode of the credentials of a world."""
    return TEST if is_sandbox(world) else LIVE


@dataclass(frozen=True, slots=True)
class Move:
    """A clock that was moved: who asked (`fingerprint`), how far ahead it was and is, and when that was."""

    fingerprint: str
    before_ms: int
    after_ms: int
    at_ms: int
    replayed: bool = False


class SandboxStorage(Protocol):
    """What is kept of sandboxes. Methods raise StoreUnavailable."""

    def ahead(self, world: str) -> int:
        """How far ahead its clock is, in milliseconds."""

    def move(
        self, world: str, key: str, fingerprint: str, by_ms: int | None, to_ms: int, now_ms: int
    ) -> Move:
        """Move its clock on `by_ms`, or (None) to be `to_ms` ahead, but never back and never beyond
        `FARTHEST_MS`: then nothing changes, and `after_ms` is what was asked for. The same key again gives
        the first answer. One step."""

    def flip(self, name: str) -> bool:
        """True the first time, and every second time after it; forgotten after `FAULT_S`."""


class WorldClock:
    """The clock of every world."""

    def __init__(self, clock: Clock, storage: SandboxStorage) -> None:
        self._clock = clock
        self._storage = storage

    def now_ms(self, world: str | None = None) -> int:
        """Now, there; without a world: really. Raises StoreUnavailable (of a sandbox only)."""
        return self._clock.now_ms() + self.ahead_ms(world)

    def ahead_ms(self, world: str | None) -> int:
        """How far ahead of the real clock. Raises StoreUnavailable (of a sandbox only)."""
        return 0 if world is None or not is_sandbox(world) else self._storage.ahead(world)

    def sleep(self, ms: int) -> None:
        """Let at least `ms` milliseconds pass; nothing for 0 or less."""
        self._clock.sleep(ms)
