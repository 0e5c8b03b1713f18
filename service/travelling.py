"""Time travel: what changed between two versions, one event by its version, a match that branches off."""

from collections.abc import Callable, Iterator
from typing import Any

from domain.kernel.seats import Viewer
from events import bundle
from events.chain import served
from events.store import EventStore
from service import access, json_patch, replay, seeing, showing
from service.credentials import Caller
from service.errors import NotFound, invalid
from service.notation import NotWritable, bundling
from service.persons import NAMELESS
from service.positions import Position, Positions
from service.transact import chance_of, seal_key

Json = dict[str, Any]

# The lines of the bundle of a match: for a caller, up to a version, in a perspective.
Export = Callable[[Caller, str, int | None, str | None], Iterator[bytes]]


class Travelling:
    """Everything a caller may ask of the past of a match."""

    def __init__(self, store: EventStore, known: Positions, public_spectators: bool, export: Export) -> None:
        self._store = store
        self._positions = known
        self._public_spectators = public_spectators
        self._export = export

    def diff(self, caller: Caller, match: str, before: int, after: int | None) -> Json:
        """How the caller's view of one version becomes that of another (None: the newest), as a JSON Patch:
        `{"match", "from", "to", "settled", "patch"}`. `settled`: neither view can ever be another one, which
        holds from the start on. Raises Unauthenticated, NotFound (also for a version that is not there
        yet)."""
        head, viewer = self._seen(caller, match)
        old = self._view(head, viewer, before)
        new = self._view(head, viewer, head.version if after is None else after)
        return {
            "match": match,
            "from": old["version"],
            "to": new["version"],
            "settled": "lobby" not in (old["status"], new["status"]),
            "patch": json_patch.patch(old, new),
        }

    def event(self, caller: Caller, match: str, version: int) -> Json:
        """One event as the caller sees it. Raises Unauthenticated, NotFound."""
        head, viewer = self._seen(caller, match)
        records = self._store.read(match, version - 1, 1) if 0 < version <= head.version else []
        if not records:
            raise NotFound("event")
        (envelope,) = served(records, access.perspective(viewer), seal_key(chance_of(head).match_key))
        return envelope

    def page(self, caller: Caller, match: str, version: int | None, perspective: str | None) -> str:
        """The bundle as one HTML file. Raises what the export of the bundle does."""
        read = bundle.read(self._export(caller, match, version, perspective))
        return replay.page(self._seen(caller, match)[0].game, read)

    def notation(self, caller: Caller, match: str, version: int | None, perspective: str | None) -> str:
        """The match in its notation. Raises what the export of the bundle does, and Invalid for a match that
        cannot be written down so: one that runs, was cut off, or is a fork."""
        read = bundle.read(self._export(caller, match, version, perspective))
        try:
            return bundling.notation(self._seen(caller, match)[0].game, read)
        except NotWritable as error:
            raise invalid("/query/format", "not-writable", str(error)) from None

    def _view(self, head: Position, viewer: int, version: int) -> Json:
        """A view without names: they are the same at every version, so no difference of two views has one."""
        if version == head.version:
            return showing.view(head, viewer, NAMELESS)
        then = self._positions.at(head.id, version) if 0 < version < head.version else None
        if then is None:
            raise NotFound("version")
        return showing.view(then, viewer, NAMELESS)

    def _seen(self, caller: Caller, match: str) -> tuple[Position, Viewer]:
        return seeing.newest(self._positions, caller, match, self._public_spectators)
