"""Use cases that only read: the match, its seats, lists, views, legal moves, events, the bundle."""

import time
from dataclasses import dataclass
from typing import Any, Final

from domain.kernel import match as match_rules
from domain.kernel.seats import Viewer
from domain.kernel.table import RUNNING
from events.chain import served
from events.feed import Feed
from events.store import EventStore
from service import access, read_models, seeing, showing
from service.clock import milliseconds
from service.credentials import Caller
from service.errors import CursorExpired, NotFound, Unauthenticated, invalid
from service.persons import Names, Persons
from service.positions import Position, Positions
from service.read_models import Filters, ReadModels, Summary
from service.transact import chance_of, seal_key

Json = dict[str, Any]

LONGEST_PAGE: Final = 200
LONGEST_WAIT_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which matches of a list; None: all. `awaiting_me`: those that wait for this player of the tenant's;
    `updated_after`: a time as the log writes it; `open_seats`: those where somebody could sit down."""

    game: str | None = None
    status: str | None = None
    awaiting_me: str | None = None
    updated_after: str | None = None
    open_seats: bool = False
    visibility: str | None = None


class Watching:
    """Everything a caller may read of matches."""

    def __init__(
        self,
        store: EventStore,
        known: Positions,
        lists: ReadModels,
        feed: Feed,
        cursor_secret: bytes,
        public_spectators: bool,
        persons: Persons,
    ) -> None:
        self._store = store
        self._positions = known
        self._lists = lists
        self._feed = feed
        self._cursor_secret = cursor_secret
        self._public_spectators = public_spectators
        self._persons = persons

    def list_matches(
        self, caller: Caller, wanted: Wanted, limit: int, cursor: str | None, forks: bool = False
    ) -> Json:
        """A page of the tenant's matches (or of its forks), the youngest first; with `updated_after` the one
        that changed longest ago first: `{"items", "next_cursor", "has_more"}`. A projection: `version` is as
        of the last change at the table. Raises Unauthenticated, Invalid."""
        if caller.tenant is None:
            raise Unauthenticated
        most = _limited(limit)
        filters = self._filters(caller.tenant, wanted, forks)
        after = None if cursor is None else read_models.place(self._cursor_secret, filters, cursor)
        page, place = self._lists.page(filters, after, most)
        following = None if place is None else read_models.cursor(self._cursor_secret, filters, place)
        items = [shown for summary in page if (shown := self._listed(caller, summary)) is not None]
        return {"items": items, "next_cursor": following, "has_more": place is not None}

    def _filters(self, tenant: str, wanted: Wanted, forks: bool) -> Filters:
        player = wanted.awaiting_me
        try:
            since = None if wanted.updated_after is None else milliseconds(wanted.updated_after)
        except ValueError:
            raise invalid("/query/updated_after", "invalid", "there is no such time") from None
        return Filters(
            read_models.list_of(tenant, forks),
            wanted.game,
            wanted.status,
            # Of a player nobody knows, or who was erased, there is no match.
            None
            if player is None
            else read_models.name_of_player(tenant, self._persons.find(tenant, player) or ""),
            since,
            wanted.open_seats,
            wanted.visibility,
        )

    def _listed(self, caller: Caller, summary: Summary) -> Json | None:
        """A match in a list; as it was so many events ago for a key that trails behind like spectators do, to
        whom one that cannot be folded here is not shown."""
        late = summary.status == RUNNING and summary.shown["options"].get("spectator_delay")
        position = self._positions.load(summary.match) if late and not access.sees_live(caller) else None
        if position is None:
            return summary.shown
        if position.unsupported is not None:
            return None
        return showing.resource(self._positions.trailing(position))

    def match(self, caller: Caller, match: str) -> Json:
        """The match, without the table. Raises Unauthenticated, NotFound."""
        position, _ = self._seen(caller, match, invited=True)
        return showing.resource(position, self._names(position))

    def seats(self, caller: Caller, match: str) -> Json:
        """Who sits where. Raises Unauthenticated, NotFound."""
        position, _ = self._seen(caller, match, invited=True)
        return {"items": showing.seats(position, self._names(position))}

    def view(self, caller: Caller, match: str, version: int | None) -> Json:
        """The table through the caller's eyes, now or at a version. Raises Unauthenticated, NotFound (also
        for a version that is not there yet)."""
        head, viewer = self._seen(caller, match)
        if version is None or version == head.version:
            return showing.view(head, viewer, self._names(head))
        then = self._positions.at(match, version) if 0 < version < head.version else None
        if then is None:
            raise NotFound("version")
        return showing.view(then, viewer, self._names(head))

    def legal_moves(self, caller: Caller, match: str) -> Json:
        """Everything the service would accept from the caller's seat. Raises Unauthenticated, Forbidden (no
        seat), NotFound."""
        position = self._positions.load(match)
        seat = access.seat_of(caller, position)
        assert position is not None, "a seat was found in it"
        return showing.legal_moves(position, seat)

    def events(self, caller: Caller, match: str, after: int, limit: int, wait_s: float) -> Json:
        """Events after a version as the caller sees them, waiting a while for the first:
        `{"items", "head", "next_after"}`. Raises Unauthenticated, NotFound, Invalid, CursorExpired for a
        version that is not there yet, which the caller can have from nowhere."""
        most = _limited(limit)
        if after < 0:
            raise invalid("/query/after", "minimum", "versions count from 1")
        position, viewer = self._seen(caller, match)
        # Whoever trails behind may know of versions that it is not shown yet.
        delayed = match_rules.spectator_delay(position.state) and not access.sees_live(caller)
        if after > position.version and not delayed:
            raise CursorExpired(str(position.version))
        if wait_s > 0 and position.version <= after and not showing.is_over(position):
            position, viewer = self._waited(caller, match, after, min(wait_s, LONGEST_WAIT_S))
        return self._page(position, viewer, after, most)

    def followed(self, caller: Caller, match: str, after: int, limit: int) -> tuple[Json, bool]:
        """A page of events as `events` gives it without waiting, and whether the match is over. Raises as
        `events` does."""
        position, viewer = self._seen(caller, match)
        return self._page(position, viewer, after, _limited(limit)), showing.is_over(position)

    def _page(self, position: Position, viewer: Viewer, after: int, most: int) -> Json:
        left = max(0, position.version - after)
        records = self._store.read(position.id, after, min(most, left)) if left else []
        items = served(records, access.perspective(viewer), seal_key(chance_of(position).match_key))
        return {
            "items": items,
            "head": position.version,
            "next_after": items[-1]["version"] if items else after,
            "spectator_delay": match_rules.spectator_delay(position.state),
        }

    def _waited(self, caller: Caller, match: str, after: int, wait_s: float) -> tuple[Position, Viewer]:
        """The match once the caller is shown a version above `after`, or after so many seconds. Whoever
        trails behind waits until the head is that far ahead."""
        until = time.monotonic() + wait_s
        head = after
        while True:
            head = self._feed.wait(match, head, max(0.0, until - time.monotonic()))
            # The right may have ended while waiting: look again.
            position, viewer = self._seen(caller, match)
            if position.version > after or showing.is_over(position):
                return position, viewer
            if time.monotonic() >= until or self._feed.closing:
                return position, viewer

    def _names(self, position: Position) -> Names:
        return self._persons.names(position.id, position.secrets)

    def seen(self, caller: Caller, match: str) -> tuple[Position, Viewer]:
        """The newest of the match that the caller may see, and through whose eyes. Raises Unauthenticated,
        NotFound, Forbidden."""
        return self._seen(caller, match)

    def _seen(self, caller: Caller, match: str, invited: bool = False) -> tuple[Position, Viewer]:
        return seeing.newest(self._positions, caller, match, self._public_spectators, invited)


def _limited(limit: int) -> int:
    if not 1 <= limit <= LONGEST_PAGE:
        raise invalid("/query/limit", "range", f"1 to {LONGEST_PAGE} is expected")
    return limit
