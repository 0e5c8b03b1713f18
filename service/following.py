"""Logs that are followed: a match through a viewer's eyes, or the feed of a tenant. Cursors are text here.

A page is read anew each time with the rights of that moment; whoever follows learns from the `Feed` under
which `topic` there may be more.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Protocol

from events.envelope import PUBLIC, as_served
from events.feed import Feed
from events.store import Archived, EventStore
from service import access, scopes, tenant_feed
from service.credentials import Caller
from service.errors import CursorExpired, Forbidden, Unauthenticated
from service.keyring import TenantKeys
from service.tenant_feed import START, Entry, Place, TenantFeed
from service.watching import LONGEST_WAIT_S, Watching

Json = dict[str, Any]

LAST_VERSION: Final = 999_999_999


@dataclass(frozen=True, slots=True)
class Found:
    """Events (each with its cursor) after a cursor, the cursor to ask after next, the head; `over`: the log
    has ended, and there is nothing after `head`."""

    items: list[tuple[str, Json]]
    next_after: str
    head: str
    over: bool = False


class Log(Protocol):
    """A log somebody follows. `topic`: under which name news are announced. `caller`: with whose rights."""

    @property
    def topic(self) -> str: ...

    @property
    def caller(self) -> Caller: ...

    def shown(self, cursor: str) -> int | str:
        """A cursor as JSON."""

    def page(self, after: str, limit: int) -> Found:
        """At most `limit` events after a cursor. Raises CursorExpired, Unauthenticated, NotFound, Forbidden,
        and the errors of the store (Archived among them)."""


@dataclass(frozen=True, slots=True)
class MatchLog:
    """A match. The cursor is the version."""

    caller: Caller
    match: str
    watching: Watching
    keys: TenantKeys

    @property
    def topic(self) -> str:
        return self.match

    def shown(self, cursor: str) -> int | str:
        return int(cursor)

    def page(self, after: str, limit: int) -> Found:
        self.keys.confirm(self.caller)
        known = version(after)
        page, over = self.watching.followed(self.caller, self.match, known or 0, limit)
        head = str(page["head"])
        if known is None or known > page["head"]:
            raise CursorExpired(head)
        items = [(str(item["version"]), item) for item in page["items"]]
        return Found(items, str(page["next_after"]), head, over)


@dataclass(frozen=True, slots=True)
class TenantLog:
    """The events of all matches of a tenant, as a spectator sees them, each with its `cursor`."""

    caller: Caller
    store: EventStore
    feed: TenantFeed
    keys: TenantKeys

    @property
    def topic(self) -> str:
        return tenant_feed.topic(self._tenant)

    def shown(self, cursor: str) -> int | str:
        return cursor

    def page(self, after: str, limit: int) -> Found:
        self.keys.confirm(self.caller)
        span = self.feed.span(self._tenant)
        known = tenant_feed.number(after)
        if known is None or known > span.head or 0 < known <= span.trimmed:
            raise CursorExpired(span.cursor)
        # The entry that holds the cursor's own event is read as well: it tells whether it is still that
        # event.
        entries = self.feed.read(self._tenant, max(known - 1, 0), limit + 1)
        if known and _first_place(entries, known - 1).cursor != after:
            raise CursorExpired(span.cursor)
        places = list(islice(_places(entries, known), limit))
        items = [item for run in _runs(places) for item in self._served(run)]
        following = places[-1].cursor if places else after
        # The head was read before the entries, which may have grown since.
        head = following if places and places[-1].number > span.head else span.cursor
        return Found(items, following, head)

    def _served(self, run: list[Place]) -> Iterator[tuple[str, Json]]:
        """The events at consecutive places of one match; none of a match that is archived."""
        try:
            records = self.store.read(run[0].match, run[0].version - 1, len(run))
        except Archived:
            return
        for place, record in zip(run, records, strict=False):
            yield place.cursor, {**as_served(record, PUBLIC), "cursor": place.cursor}

    @property
    def _tenant(self) -> str:
        assert self.caller.tenant is not None, "only tenants follow their feed"
        return self.caller.tenant


class Following:
    """What can be followed."""

    def __init__(
        self, store: EventStore, keys: TenantKeys, watching: Watching, tenants: TenantFeed, feed: Feed
    ) -> None:
        self._store = store
        self._keys = keys
        self._watching = watching
        self._tenants = tenants
        self.feed = feed

    def match(self, caller: Caller, match: str) -> MatchLog:
        """The log of a match."""
        return MatchLog(caller, match, self._watching, self._keys)

    def tenant(self, caller: Caller) -> TenantLog:
        """The feed of the caller's matches. Raises Unauthenticated, Forbidden: only tenants have one, with
        keys that may see matches live."""
        if caller.tenant is None:
            raise Forbidden("only a tenant has a feed") if caller.match else Unauthenticated
        # The feed does not trail behind: whoever reads it sees every match live.
        access.insist_on(caller, scopes.LIVE)
        return TenantLog(caller, self._store, self._tenants, self._keys)

    def tenant_page(self, caller: Caller, after: str, limit: int, wait_s: float) -> Json:
        """A page of the tenant's feed, waiting a while for the first event: `{"items", "head",
        "next_after"}`. Raises as `TenantLog.page` does."""
        log = self.tenant(caller)
        found = log.page(after, limit)
        if wait_s > 0 and found.next_after == after:
            known = tenant_feed.number(after) or 0
            self.feed.wait(log.topic, known, min(wait_s, LONGEST_WAIT_S))
            found = log.page(after, limit)
        items = [item for _, item in found.items]
        return {"items": items, "head": found.head, "next_after": found.next_after}


def version(cursor: str) -> int | None:
    """The version a cursor of a match names; None for what is no version."""
    plain = cursor.isascii() and cursor.isdigit() and len(cursor) <= len(str(LAST_VERSION))
    return int(cursor) if plain else None


def _places(entries: Iterable[Entry], after: int) -> Iterator[Place]:
    for entry in entries:
        if entry.last > after:
            yield from entry.places(max(after, entry.before))


def _first_place(entries: list[Entry], after: int) -> Place:
    """The first place beyond `after`; one that is nobody's where there is none."""
    return next(_places(entries, after), Place(0, "", 0))


def _runs(places: Iterable[Place]) -> Iterator[list[Place]]:
    """Consecutive versions of one match together."""
    run: list[Place] = []
    for place in places:
        if run and (place.match, place.version) != (run[-1].match, run[-1].version + 1):
            yield run
            run = []
        run.append(place)
    if run:
        yield run


__all__ = ["START", "CursorExpired", "Following", "Found", "Log", "MatchLog", "TenantLog"]
