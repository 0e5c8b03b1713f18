"""Time travel: what changed between two versions, one event by its version, a match that branches off."""

from typing import Any

from domain.kernel.seats import Viewer
from events.chain import served
from events.store import EventStore
from service import access, json_patch, seeing, showing
from service.credentials import Caller
from service.errors import NotFound
from service.positions import Position, Positions
from service.transact import chance_of, seal_key

Json = dict[str, Any]


class Travelling:
    """Everything a caller may ask of the past of a match."""

    def __init__(self, store: EventStore, known: Positions, public_spectators: bool) -> None:
        self._store = store
        self._positions = known
        self._public_spectators = public_spectators

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

    def _view(self, head: Position, viewer: int, version: int) -> Json:
        if version == head.version:
            return showing.view(head, viewer, head.secrets)
        then = self._positions.at(head.id, version) if 0 < version < head.version else None
        if then is None:
            raise NotFound("version")
        return showing.view(then, viewer, head.secrets)

    def _seen(self, caller: Caller, match: str) -> tuple[Position, Viewer]:
        return seeing.newest(self._positions, caller, match, self._public_spectators)
