"""Use cases of a tenant's sandbox: read its clock, and move it on."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from events.store import KeyReused
from service import read_models, sandbox
from service.clock import milliseconds, timestamp
from service.credentials import Caller
from service.errors import Forbidden, Unauthenticated, invalid
from service.read_models import Filters, ReadModels
from service.sandbox import FARTHEST_MS, SandboxStorage, WorldClock

Json = dict[str, Any]

_PAGE: Final = 200


class SandboxClock:
    """The clock of the caller's sandbox."""

    def __init__(
        self,
        storage: SandboxStorage,
        clock: WorldClock,
        lists: ReadModels,
        look_at: Callable[[str], None],
    ) -> None:
        """`look_at` derives from the log of a match what is due when."""
        self._storage = storage
        self._clock = clock
        self._lists = lists
        self._look_at = look_at

    def show(self, caller: Caller) -> Json:
        """What time it is there, and how far that is ahead: `{"now", "ahead_ms"}`. Raises Unauthenticated,
        Forbidden, StoreUnavailable."""
        ahead = self._clock.ahead_ms(_world_of(caller))
        return _shown(self._clock.now_ms(), ahead)

    def now_ms(self, caller: Caller) -> int:
        """What time it is in the world of the caller. Raises StoreUnavailable."""
        return self._clock.now_ms(caller.world)

    def flip(self, name: str) -> bool:
        """See `SandboxStorage.flip`."""
        return self._storage.flip(name)

    def move(self, caller: Caller, body: Mapping[str, Any], key: str, fingerprint: str) -> tuple[Json, bool]:
        """Move the clock on by `advance_ms`, or so that it shows `set`. What time it was there then, and
        whether this key had moved it before. Deadlines that are over now are enforced by the workers within
        about a second. Raises Unauthenticated, Forbidden, Invalid (back, or too far), KeyReused,
        StoreUnavailable."""
        world, now = _world_of(caller), self._clock.now_ms()
        by: int | None = body.get("advance_ms")
        to = 0 if by is not None else milliseconds(body["set"]) - now
        moved = self._storage.move(world, key, fingerprint, by, to, now)
        if moved.fingerprint != fingerprint:
            raise KeyReused
        member = "/set" if by is None else "/advance_ms"
        if moved.after_ms < moved.before_ms:
            raise invalid(member, "back", "the clock is later than that, and never goes back")
        if moved.after_ms > FARTHEST_MS:
            raise invalid(member, "far", "the clock may be a hundred years ahead at most")
        for match in self._running(world):
            self._look_at(match)
        return _shown(moved.at_ms, moved.after_ms), moved.replayed

    def _running(self, world: str) -> Iterator[str]:
        """The matches whose deadlines have come nearer; forks have none."""
        filters = Filters(read_models.list_of(world, False), status="running")
        page, place = self._lists.page(filters, None, _PAGE)
        yield from (summary.match for summary in page)
        while place is not None:
            page, place = self._lists.page(filters, place, _PAGE)
            yield from (summary.match for summary in page)


def _shown(now_ms: int, ahead_ms: int) -> Json:
    return {"now": timestamp(now_ms + ahead_ms), "ahead_ms": ahead_ms}


def _world_of(caller: Caller) -> str:
    if caller.tenant is None:
        raise Unauthenticated if not caller.scheme else Forbidden("only a tenant may do this, with its key")
    if not sandbox.is_sandbox(caller.tenant):
        raise Forbidden("only a sandbox has a clock to move: use a key of the test mode, tk_test_…")
    return caller.tenant
