"""One command: load, fold, decide, seal, append; and decide again when somebody else was first.

The same path for players, hosts, bots and deadlines. Two round trips to the store when nobody interferes.
"""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Final, Protocol

from domain.kernel import match as match_rules
from domain.kernel.agreements import AUTO, CreditOutage
from domain.kernel.chance import Chance, DeckShuffled, drawn_for, subkey
from domain.kernel.errors import IllegalMove, refuse
from domain.kernel.game import Command, Game
from domain.kernel.match import By, Fact
from domain.kernel.seats import SPECTATOR, Seat
from domain.kernel.table import ExpireDeadline
from events.chain import seal_events
from events.envelope import Draft, Recorded
from events.store import (
    CommandRecord,
    EventStore,
    HistoryForked,
    KeyReused,
    StoreUnavailable,
    VersionConflict,
)
from service import access, positions, sandbox, sight, wire, work
from service.clock import timestamp
from service.errors import Current, NotFound, Refused, StaleVersion
from service.outages import Outage, Outages
from service.positions import Position, Positions
from service.sandbox import WorldClock
from service.work import GRACE_MS, Work

# How long a command is decided again while others append first, in seconds.
BUDGET_S: Final = 2.0
_PAUSE_S: Final = 0.002
_LONGEST_PAUSE_S: Final = 0.05

Secrets = Mapping[str, str]


def _nothing(position: Position, facts: list[Fact]) -> Secrets:
    return {}


Step = tuple[By, Command]


def _no_more(position: Position) -> Sequence[Step]:
    return ()


def _anybody(position: Position) -> None:
    """No rights are needed: the service itself asks."""


@dataclass(frozen=True, slots=True)
class Origin:
    """For the command that creates a match: its game and its secrets."""

    game: Game
    secrets: Secrets = field(repr=False)


@dataclass(frozen=True, slots=True)
class Order:
    """A command with all that surrounds it.

    `command` gives it for the game the match turns out to be of (and may refuse to). `arrived_ms`: when it
    came in; that decides whether it is in time. `key`: the command id, or None when nobody will retry.
    `if_match`: the only version at which it is meant. `allow` raises when the caller has not the right;
    asked anew at each try. `secrets` gives what is written together with the events. `plays_on`: whoever
    asks plays the turns of bots that follow itself. `rest`: the further commands of a batch, decided one
    after the other, all of them or none; one after which the rules run on must be the last."""

    match: str
    by: By
    command: Callable[[Position], Command]
    arrived_ms: int
    key: str | None = None
    fingerprint: str = ""
    if_match: int | None = None
    allow: Callable[[Position], None] = _anybody
    secrets: Callable[[Position, list[Fact]], Secrets] = _nothing
    origin: Origin | None = None
    credential: str = ""
    plays_on: bool = False
    rest: Callable[[Position], Sequence[Step]] = _no_more

    @property
    def is_batch(self) -> bool:
        """Whether it came as a batch, be it of one command."""
        return self.rest is not _no_more


@dataclass(frozen=True, slots=True)
class Done:
    """A command in the log: its events, whether they were there before, and the match after them (at the head
    of the log when `replayed`)."""

    records: list[Recorded]
    replayed: bool
    position: Position


class FollowUps(Protocol):
    """What happens around a commit."""

    def before(self, match: str) -> None:
        """A commit is about to happen; see that somebody looks after it. Raises StoreUnavailable."""

    def after(
        self, position: Position, records: list[Recorded], before: Work, now: Work, plays_on: bool
    ) -> None:
        """A commit has happened; with `plays_on`, no bots are asked for. Raises nothing that the sweeper
        would make good."""


class Transactor:
    """Brings commands into the log."""

    def __init__(
        self, store: EventStore, known: Positions, follow_ups: FollowUps, clock: WorldClock, outages: Outages
    ) -> None:
        self._store = store
        self._positions = known
        self._follow_ups = follow_ups
        self._clock = clock
        self._outages = outages

    def run(self, order: Order) -> Done:
        """Bring a command into the log.

        Raises NotFound, what `order.allow` raises, Refused, StaleVersion, and of the store KeyReused,
        Archived, OutcomeUnknown, StoreUnavailable (also when others were first for two seconds)."""
        give_up = time.monotonic() + BUDGET_S
        tries = 0
        while True:
            position = self._load(order)
            order.allow(position)
            try:
                if position.command is not None:
                    done = self._replay(order, position)
                else:
                    if order.if_match is not None and position.version != order.if_match:
                        raise StaleVersion(current(position, order.by.seat))
                    before = work.of(position)
                    if self._expire_first(order, position, before):
                        continue
                    done = self._commit(order, position, before)
            except VersionConflict as conflict:
                if isinstance(conflict, HistoryForked) or conflict.actual < position.version:
                    self._positions.cache.drop(order.match)
                done = None
            if done is not None:
                return done
            if time.monotonic() > give_up:
                raise StoreUnavailable("too many commands for this match at once")
            tries += 1
            time.sleep(random.uniform(0, min(_LONGEST_PAUSE_S, _PAUSE_S * tries)))

    def expire(self, match: str, decision: str) -> Done:
        """Let the deadline of a decision expire; time of an outage before it is given back first. Raises
        Refused (`stale-decision`; `conflict` with the code `not-due` before the recorded deadline), NotFound,
        and the errors of the store."""
        position = self._positions.load(match)
        now = self._clock.now_ms(None if position is None else access.world_of(position))

        def late(position: Position) -> list[Seat]:
            open_ = position.decision(decision)
            return [] if open_ is None else position.late(open_, now)

        def allow(position: Position) -> None:
            is_open, policy = position.decision(decision) is not None, work.policy(position)
            if is_open and (policy != AUTO or not late(position)):
                not_due = refuse("not-due", "the time for this decision is not over", kind="conflict")
                raise _refused(not_due, position, None)

        self._credit(position, decision, now)
        by = By(None, "deadline", decision)
        return self.run(
            Order(match, by, lambda position: ExpireDeadline(decision, late(position)), now, allow=allow)
        )

    def _credit(self, position: Position | None, decision: str, now: int) -> None:
        """Give the match the time back in which nobody looked after its deadlines. Raises the errors of the
        store."""
        while position is not None and (outage := self._uncredited(position, decision)) is not None:
            credit = CreditOutage(outage.since_ms, outage.until_ms)
            by = By(None, "deadline", decision)
            order = Order(position.id, by, partial(_given, credit), now, if_match=position.version)
            try:
                position = self.run(order).position
            except StaleVersion:
                position = self._positions.load(position.id)

    def _uncredited(self, position: Position, decision: str) -> Outage | None:
        """The first outage whose time the match has not got back and that made a decision late. Outages
        happen in real time: the clock of a sandbox knows none."""
        open_ = position.decision(decision)
        at = None if open_ is None else position.deadline_ms(open_)
        if open_ is None or at is None or work.policy(position) != AUTO or at > self._clock.now_ms():
            return None
        if sandbox.is_sandbox(access.world_of(position)):
            return None
        after = max(position.opened_ms(open_), position.times.credited)
        return next(iter(self._outages.between(after, at)), None)

    def _load(self, order: Order) -> Position:
        position = self._positions.load(order.match, order.key)
        if position is not None:
            return position
        if order.origin is None:
            raise NotFound("match")
        return positions.new(order.match, order.origin.game, order.origin.secrets)

    def _replay(self, order: Order, position: Position) -> Done:
        """The first answer again: the command is in the log already. Raises KeyReused, and the errors of the
        store."""
        record = position.command
        assert record is not None and order.key is not None
        if record.fingerprint != order.fingerprint:
            raise KeyReused
        return Done(self.confirm(order.match, order.key, record), True, position)

    def confirm(self, match: str, key: str, record: CommandRecord) -> list[Recorded]:
        """The events of a command that is in the log. It is appended again, which writes nothing but waits
        until it is as durable as a first answer promises. Raises the errors of the store."""
        records = self._store.read(match, record.first - 1, record.last - record.first + 1)
        self._store.append(match, record.first - 1, key, record.fingerprint, records)
        return records

    def _expire_first(self, order: Order, position: Position, before: Work) -> bool:
        """If the command came after the deadline of an open decision whose expiry is not in the log yet,
        bring the expiry into the log first. Commands that came in time get a moment to be there before
        it."""
        if order.by.cause == "deadline":
            return False
        for deadline in sorted(before.deadlines, key=lambda each: each.at_ms):
            if order.arrived_ms >= deadline.at_ms:
                now = self._clock.now_ms(access.world_of(position))
                self._clock.sleep(deadline.at_ms + GRACE_MS - now)
                try:
                    self.expire(order.match, deadline.decision)
                except Refused as refused:
                    # Somebody else was faster.
                    if refused.kind not in ("stale-decision", "conflict", "match-over"):
                        raise
                return True
        return False

    def _commit(self, order: Order, position: Position, before: Work) -> Done:
        """Decide and append; `before`: what the match waited for. Raises VersionConflict when somebody else
        was first, Refused, and the errors of the store."""
        after, prev_hash = position.version, position.hash
        chance = chance_of(position)
        steps = [(order.by, order.command(position)), *order.rest(position)]
        names, meta = wire.of(position.game), _meta(order)
        facts: list[Fact] = []
        drafts: list[Draft] = []
        moment = max(order.arrived_ms, position.times.last)
        position.let_pass(moment)
        for number, (by, command) in enumerate(steps):
            goes_on = number + 1 < len(steps)
            seat = SPECTATOR if by.seat is None else by.seat
            seen = sight.seen(position.game, position.state, seat) if goes_on else frozenset[str]()
            try:
                told = match_rules.handle(position.game, position.state, by, command, chance)
            except IllegalMove as illegal:
                pointer = f"/commands/{number}" if order.is_batch else ""
                raise self._refusal(illegal, order, pointer) from illegal
            facts += told
            drafts += names.drafts(told, by.decision, {} if number else meta)
            if goes_on and (_shows_more(told, by, position) or sight.learns(position.game, seen, seat, told)):
                raise self._refusal(_BEYOND, order, f"/commands/{number + 1}")
        records = seal_events(
            drafts,
            order.match,
            after,
            prev_hash,
            timestamp(moment),
            seal_key(chance.match_key),
        )
        secrets = dict(order.secrets(position, facts))
        if order.origin is not None:
            secrets |= order.origin.secrets
        self._follow_ups.before(order.match)
        appended = self._store.append(order.match, after, order.key, order.fingerprint, records, secrets)
        if appended.replayed:
            # The same key came twice at the same moment; the other request was first.
            return self.run(order)
        positions.note(position, records)
        position.secrets = {**position.secrets, **secrets}
        self._positions.cache.put(position)
        self._follow_ups.after(position, records, before, work.of(position), order.plays_on)
        return Done(records, False, position)

    def _refusal(self, illegal: IllegalMove, order: Order, pointer: str = "") -> Refused:
        """The refusal with where the match stands; the state decided on may be half changed, so look
        again."""
        position = self._positions.load(order.match)
        if position is None:
            return Refused(illegal.reason, illegal.kind, Current(0, None, (), 0), pointer)
        return _refused(illegal, position, order.by.seat, pointer)


def _given(command: Command, position: Position) -> Command:
    return command


_BEYOND: Final = refuse(
    "batch-goes-beyond",
    "the rules ran on after the command before: see first what happened",
    "",
    "stale-decision",
)


def _shows_more(told: list[Fact], by: By, after: Position) -> bool:
    """Whether more happened than what the seat itself did. What follows in a batch must not be decided
    then: its refusal would undo all, and tell what the seat could see only once it had committed itself."""
    if any(isinstance(fact.event, DeckShuffled) for fact in told):
        return True
    # What the rules do by themselves while the decision stays open, such as storing cubes, tells nothing new.
    still_open = by.decision is not None and after.decision(by.decision) is not None
    return not still_open and any(fact.actor != by.actor for fact in told)


def _refused(illegal: IllegalMove, position: Position, seat: Seat | None, pointer: str = "") -> Refused:
    return Refused(illegal.reason, illegal.kind, current(position, seat), pointer)


def current(position: Position, seat: Seat | None) -> Current:
    """Where the match stands, for a refused caller."""
    open_ = position.decisions()
    ids = tuple(decision.id for decision in open_)
    own = [decision.id for decision in open_ if seat in decision.awaited or seat in decision.revisable]
    return Current(position.version, next(iter([*own, *ids]), None), ids, position.version)


def chance_of(position: Position) -> Chance:
    """The secrets of the match as the domain takes them."""
    key, commit_nonce = position.secrets["match_key"], position.secrets["commit_nonce"]
    match = drawn_for(position.id, position.state.seed)
    return Chance(match, bytes.fromhex(key), bytes.fromhex(commit_nonce))


@lru_cache(maxsize=4096)
def seal_key(match_key: bytes) -> bytes:
    """The key behind the seals of a match."""
    return subkey(match_key, "seal")


def _meta(order: Order) -> wire.Json:
    meta: wire.Json = {}
    if order.key is not None:
        meta["key"] = order.key
    if order.credential:
        meta["credential"] = order.credential
    return meta
