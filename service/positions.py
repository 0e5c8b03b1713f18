"""A match as one request sees it, folded from its log; and the cache that makes folding cheap.

The cache keeps bytes, never objects: version, head and the pickled state. Each request folds the tail onto
its own unpickled copy, so nothing is shared, nothing is locked while rules run, and a failed request leaves
nothing behind.
"""

import pickle
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, NoReturn, cast

from domain.kernel import match as table
from domain.kernel import table as table_events
from domain.kernel.game import Decision, Event, Game
from domain.kernel.library import UnknownRuleset, library
from domain.kernel.table import Match
from events import codec
from events.archive import read_tombstone
from events.envelope import ZERO_HASH, Recorded
from events.keys import MATCH
from events.store import Archived, CommandRecord, EventStore, Loaded
from service import times, wire
from service.clock import milliseconds
from service.errors import RulesetUnsupported
from service.pasts import Pasts, frozen, pieces
from service.times import Times

# A tail longer than this is folded once and cached, also by requests that append nothing.
LONG_TAIL: Final = 16
# Matches with a spectator delay of which each process keeps what spectators see.
_MOST_BEHIND: Final = 100
# Matches of which each process keeps snapshots of the past.
_MOST_PASTS: Final = 32


@dataclass(slots=True)
class Position:
    """A match at one version, private to one request. `secrets` and `command` (the record of the command id
    asked for) are as of the load. `unsupported`: the ruleset of a match whose rules or cards are not here;
    its state holds no more than how it was set up, and `game` answers nothing. `gone`: the tombstone of a
    match that was removed for good; only whose it was is left."""

    id: str
    game: Game
    state: Match = field(repr=False)
    hash: str
    times: Times
    secrets: Mapping[str, str] = field(repr=False)
    command: CommandRecord | None = None
    unsupported: str | None = None
    gone: str | None = None

    @property
    def version(self) -> int:
        return self.state.version

    def decisions(self) -> list[Decision]:
        """The open decisions. Raises RulesetUnsupported, Archived."""
        if self.gone is not None:
            raise Archived(self.gone)
        if self.unsupported is not None:
            raise RulesetUnsupported(self.unsupported)
        return table.decisions(self.game, self.state)

    def decision(self, id: str) -> Decision | None:
        """An open decision by its id."""
        return next((decision for decision in self.decisions() if decision.id == id), None)

    def opened_ms(self, decision: Decision) -> int:
        """When an open decision opened."""
        return self.times.at[decision.opened - 1]

    def seat_deadline_ms(self, decision: Decision, seat: int) -> int | None:
        """When the time of an awaited seat for an open decision is over; None without a limit and in a
        pause."""
        return times.deadline_ms(self.times, self.state, decision, seat)

    def deadline_ms(self, decision: Decision) -> int | None:
        """When the first of the seats an open decision waits for is late; None without a limit and in a
        pause. A function of the log alone."""
        ends = [self.seat_deadline_ms(decision, seat) for seat in decision.awaited]
        return min((end for end in ends if end is not None), default=None)

    def late(self, decision: Decision, moment: int) -> list[int]:
        """The seats whose time for an open decision is over at a moment."""
        ends = {seat: self.seat_deadline_ms(decision, seat) for seat in decision.awaited}
        return [seat for seat, end in ends.items() if end is not None and end <= moment]

    @property
    def has_clock(self) -> bool:
        """Whether the match has any limit of time."""
        return times.has_clock(self.state)

    def let_pass(self, moment: int) -> None:
        """Time passes until the next append; to be called before it is folded."""
        times.pass_until(self.times, self.game, self.state, moment)


def new(match: str, game: Game, secrets: Mapping[str, str]) -> Position:
    """A match before its first event."""
    return Position(match, game, table.initial(), ZERO_HASH, Times(), secrets)


class Unplayable:
    """Takes the place of the game of a match whose rules or cards are not here: nothing can be asked of
    it."""

    def __init__(self, ruleset: str) -> None:
        self._ruleset = ruleset

    def __getattr__(self, name: str) -> NoReturn:
        raise RulesetUnsupported(self._ruleset)


def closed(match: str, first: Recorded, version: int, secrets: Mapping[str, str]) -> Position:
    """A match that cannot be folded here: as it was set up, at the version of its head, for those who must
    know whose it is."""
    state = table.initial()
    table.evolve(_unplayable(first.ruleset), state, _table_event(first))
    state.version = version
    position = Position(match, _unplayable(first.ruleset), state, first.hash, Times(), secrets)
    position.unsupported = first.ruleset
    return position


def removed(match: str, tombstone: str) -> Position | None:
    """A match that was removed for good, for the tenant whose it was; None when nobody can tell."""
    stone = read_tombstone(tombstone)
    if stone is None:
        return None
    position = Position(match, _unplayable(""), table.initial(), ZERO_HASH, Times(), {"tenant": stone.tenant})
    position.state.visibility = "private"
    position.unsupported, position.gone = "", tombstone
    return position


def _unplayable(ruleset: str) -> Game:
    return cast(Game, Unplayable(ruleset))


def _table_event(record: Recorded) -> Event:
    return codec.read(table_events.EVENTS, table_events.UPCASTS, record.type, record.schema, record.data)


def follow(position: Position, records: list[Recorded]) -> None:
    """Fold recorded events that follow the position."""
    fold = wire.of(position.game)
    for _, append in groupby(records, key=lambda record: record.command):
        appended = list(append)
        if appended[0].version == appended[0].command:
            position.let_pass(milliseconds(appended[0].occurred_at))
        for record in appended:
            table.evolve(position.game, position.state, fold.decode(record))
        note(position, appended)


def note(position: Position, records: list[Recorded]) -> None:
    """Take head and times from the records of one append, whose events the state holds already."""
    times.note(position.times, position.game, position.state, records)
    position.hash = records[-1].hash


class Cache:
    """The folded matches of this process, the least recently used dropped first. Safe between threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[str, tuple[int, str, bytes]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, match: str) -> tuple[int, str, bytes] | None:
        """Version, head and pickle of a match."""
        with self._lock:
            kept = self._kept.get(match)
            if kept is not None:
                self._kept.move_to_end(match)
            return kept

    def put(self, position: Position) -> None:
        """Keep the position, unless a later one is kept."""
        kept_of = (position.game.RULESET, position.state, position.times)
        frozen = pickle.dumps(kept_of, pickle.HIGHEST_PROTOCOL)
        with self._lock:
            kept = self._kept.get(position.id)
            if kept is None or kept[0] <= position.version:
                self._kept[position.id] = (position.version, position.hash, frozen)
                self._kept.move_to_end(position.id)
                if len(self._kept) > self._most:
                    self._kept.popitem(last=False)

    def drop(self, match: str) -> None:
        """Forget a match."""
        with self._lock:
            self._kept.pop(match, None)


class Positions:
    """Loads matches: what the cache holds, and the tail of the log folded onto it."""

    def __init__(self, store: EventStore, games: Mapping[str, Game], cache: Cache) -> None:
        self._store = store
        self._games = library(games)
        self.cache = cache
        self._behind = Cache(_MOST_BEHIND)
        self._pasts = Pasts(_MOST_PASTS)

    def load(self, match: str, command_id: str | None = None) -> Position | None:
        """The match at its head; None when it has no events; `unsupported` when its rules or cards are not
        here, `gone` when it was removed for good. Raises the errors of the store."""
        if MATCH.fullmatch(match) is None:
            return None
        kept = self.cache.get(match)
        after = 0 if kept is None else kept[0]
        try:
            loaded = self._store.load(match, after, command_id)
            if kept is not None and _contradicts(kept, loaded):
                self.cache.drop(match)
                kept, loaded = None, self._store.load(match, 0, command_id)
        except Archived as away:
            # Who may know of it is told that it is gone, once its right is proven; nobody else anything.
            self.cache.drop(match)
            return removed(match, away.tombstone)
        if loaded.version == 0:
            return None
        position = self._folded(match, kept, loaded)
        if len(loaded.records) > LONG_TAIL and position.unsupported is None:
            self.cache.put(position)
        return position

    def at(self, match: str, version: int) -> Position | None:
        """The match as it was at a version; None when the log is shorter. Raises RulesetUnsupported, and
        the errors of the store."""
        position = self._from_past(match, version)
        if position is None:
            records = self._store.read(match, 0, version)
            if len(records) < version:
                return None
            walked = pieces(records)
            position = self._from_records(match, walked[0], {})
            if position.unsupported is None:
                self._walk(position, walked[1:])
        if position.unsupported is not None:
            raise RulesetUnsupported(position.unsupported)
        return position

    def _from_past(self, match: str, version: int) -> Position | None:
        """The match at a version, from the last snapshot before it; None where there is none, or where the
        log is shorter or has another history."""
        kept = self._pasts.nearest(match, version)
        if kept is None:
            return None
        records = self._store.read(match, kept.version - 1, version - kept.version + 1)
        if len(records) <= version - kept.version or records[0].hash != kept.hash:
            self._pasts.drop(match)
            return None
        ruleset, state, known = kept.thawed()
        game = self._games.game_for(state.game, ruleset)
        position = Position(match, game, state, kept.hash, known, {})
        walked = pieces(records[1:])
        follow(position, walked[0])
        self._walk(position, walked[1:])
        return position

    def _walk(self, position: Position, walked: list[list[Recorded]]) -> None:
        """Fold pieces of the log, leaving a snapshot before each."""
        for piece in walked:
            snapshot = frozen(position.game.RULESET, position.state, position.times, position.hash)
            self._pasts.put(position.id, snapshot)
            follow(position, piece)

    def trailing(self, head: Position) -> Position:
        """The match as spectators see it: the head itself, or what it was so many events ago."""
        shown = table.shown_to_spectators(head.state)
        if shown == head.version:
            return head
        position = self._from_behind(head, shown) or self.at(head.id, shown)
        assert position is not None, "versions up to the head are in the log"
        position.secrets = head.secrets
        self._behind.put(position)
        return position

    def _from_behind(self, head: Position, shown: int) -> Position | None:
        """What spectators were shown before, brought up to a version; None where that cannot be done."""
        kept = self._behind.get(head.id)
        if kept is None or kept[0] > shown:
            return None
        version, hash, frozen = kept
        records = self._store.read(head.id, version - 1, shown - version + 1)
        if not records or records[0].hash != hash:
            return None
        _, state, known = pickle.loads(frozen)
        position = Position(head.id, head.game, state, hash, known, head.secrets)
        follow(position, records[1:])
        return position

    def _folded(self, match: str, kept: tuple[int, str, bytes] | None, loaded: Loaded) -> Position:
        if kept is None:
            position = self._from_records(match, loaded.records, loaded.secrets)
        else:
            ruleset, state, known = pickle.loads(kept[2])
            game = self._games.game_for(state.game, ruleset)
            position = Position(match, game, state, kept[1], known, loaded.secrets)
            follow(position, loaded.records)
        position.command = loaded.command
        return position

    def _from_records(self, match: str, records: list[Recorded], secrets: Mapping[str, str]) -> Position:
        first = records[0]
        try:
            game = self._games.game_for(first.data["game"], first.ruleset)
        except UnknownRuleset:
            return closed(match, first, len(records), secrets)
        position = new(match, game, secrets)
        follow(position, records)
        return position


def _contradicts(kept: tuple[int, str, bytes], loaded: Loaded) -> bool:
    """Whether the log is not the one the cache has seen: shorter, or with another event before the tail."""
    version, hash, _ = kept
    return loaded.version < version or bool(loaded.records and loaded.records[0].prev_hash != hash)
