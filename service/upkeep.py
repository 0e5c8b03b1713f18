"""What the workers do besides playing: enforce deadlines, look at running matches, rebuild the lists.

Everything is derived from the log, so it may be done twice, late, or by several workers at once.
"""

import logging
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from domain.kernel import table
from domain.kernel.match import RULES, By
from events.store import Archived, EventStore
from service import access, follow_ups, showing, work
from service.errors import NotFound, Refused, RulesetUnsupported, outline
from service.finished import Finished
from service.outages import Outages
from service.positions import Position, Positions
from service.read_models import ReadModels
from service.sandbox import WorldClock
from service.scheduling import Scheduler
from service.statistics.statistics import Statistics
from service.tenant_feed import TenantFeed
from service.transact import Order, Transactor
from service.webhooks.notifying import Notifying
from service.work import BotTurn, Deadline

# Between two looks at a match that waits for a bot, and at any other.
BUSY_MS: Final = 5_000
RUNNING_MS: Final = 55_000
# A bot gets this long to answer before the sweeper asks again: jobs under way are not asked for twice.
_PATIENCE_MS: Final = 1_000
_MOST_REMEMBERED: Final = 100_000
_HOUR_MS: Final = 3_600_000

log = logging.getLogger(__name__)


class Upkeep:
    """The reconciler."""

    def __init__(
        self,
        store: EventStore,
        known: Positions,
        transactor: Transactor,
        scheduler: Scheduler,
        lists: ReadModels,
        feed: TenantFeed,
        clock: WorldClock,
        notifying: Notifying,
        outages: Outages,
        finished: Finished,
        fork_idle_hours: int,
        statistics: Statistics,
    ) -> None:
        """`fork_idle_hours`: a fork in which nothing has happened for so long is cancelled."""
        self._store = store
        self._positions = known
        self._transactor = transactor
        self._scheduler = scheduler
        self._lists = lists
        self._feed = feed
        self._clock = clock
        self._notifying = notifying
        self._outages = outages
        self._finished = finished
        self._idle_ms = fork_idle_hours * _HOUR_MS
        # Version at which a match waits for people only, and when to look at it all the same.
        self._quiet: dict[str, tuple[int, int | None]] = {}
        self._statistics = statistics

    def note_presence(self) -> None:
        """Deadlines are looked after now. Raises StoreUnavailable."""
        self._outages.note()

    def enforce_deadline(self, match: str, decision: str) -> bool:
        """Let a deadline expire if the log says so; whether it did. Harmless when it is too early, too late
        or done already. Raises the errors of the store."""
        deadline = Deadline(match, decision, 0)
        try:
            self._transactor.expire(match, decision)
        except Refused as refused:
            if refused.reason.code == "not-due":
                # It was prolonged, or the clocks stand still: note it for when it is due, if it will be.
                self._scheduler.watch((), [deadline])
                self.look_at(match)
            else:
                self._scheduler.watch((), [deadline])
            return False
        except (NotFound, Archived, RulesetUnsupported):
            # A process that has the rules will find the deadline again when it looks at the match.
            self._scheduler.watch((), [deadline])
            return False
        return True

    def sweep(self, most: int = 100) -> int:
        """Look at the running matches that are due for a look; how many were. Raises StoreUnavailable."""
        matches = self._scheduler.to_look_at(most)
        for match in matches:
            # The next look is fixed before this one, so that a commit from now on can bring it forward.
            self._scheduler.look_later(match, RUNNING_MS)
            try:
                self.look_at(match)
            except Exception as error:
                # One match that cannot be read must not keep the others from being looked at.
                log.error("cannot look at %s: %s", match, outline(error))
        return len(matches)

    def look_at(self, match: str) -> None:
        """Derive from the log what the match waits for, and ask for it. Raises the errors of the store."""
        quiet = self._quiet.get(match)
        try:
            if (
                quiet is not None
                and not self._is_due(quiet[1])
                and self._store.head(match).version == quiet[0]
            ):
                return
            position = self._positions.load(match)
        except Archived:
            position = None
        if position is None or position.gone is not None:
            # Marked, but never begun; or archived, and removed for good.
            self._scheduler.forget(match)
            return
        if position.secrets.get(showing.HIDDEN):
            # Whoever sets it up with others will show it, or has called it off.
            if showing.is_over(position):
                self._scheduler.forget(match)
            return
        self._feed.note(position.secrets[access.TENANT_SECRET], match, position.version)
        if position.unsupported is not None:
            log.warning("%s is left alone: no rules or cards here for %s", match, position.unsupported)
            self._remember(match, position.version)
            return
        self._lists.note(follow_ups.summary(position))
        self._notifying.catch_up(position)
        ahead = self._clock.ahead_ms(access.world_of(position))
        now = work.of(position).earlier(ahead)
        if now.over:
            self._finished.note_new(match, position.times.last - ahead)
            self._statistics.note(position)
            # Only now: what was not done above is done at the next look.
            self._scheduler.forget(match)
            return
        self._scheduler.watch(now.deadlines)
        self._scheduler.ask_bots(self._overdue(now.bots))
        if now.bots:
            self._scheduler.look_later(match, BUSY_MS)
        if not now.bots and not now.deadlines:
            idle = None if position.state.forked_from is None else self._idle_from(position)
            if self._is_due(idle):
                self._cancel(position)
            else:
                self._remember(match, position.version, idle)

    def rebuild(self, matches: Iterable[str] | None = None) -> int:
        """Make the lists, and what is watched, again from the logs (by default from all of them); how many
        matches there are. Raises the errors of the store."""
        count = 0
        for match in self._lists.all_matches() if matches is None else matches:
            self._scheduler.look_later(match, RUNNING_MS)
            self._quiet.pop(match, None)
            self.look_at(match)
            count += 1
        return count

    def _overdue(self, turns: Iterable[BotTurn]) -> list[BotTurn]:
        late = self._clock.now_ms() - _PATIENCE_MS
        return [turn for turn in turns if turn.opened_ms <= late]

    def _idle_from(self, position: Position) -> int:
        """When to cancel a fork, by the real clock."""
        return position.times.at[-1] + self._idle_ms - self._clock.ahead_ms(access.world_of(position))

    def _is_due(self, moment: int | None) -> bool:
        return moment is not None and moment <= self._clock.now_ms()

    def _cancel(self, fork: Position) -> None:
        """End a fork that everybody has left, unless somebody moves in it meanwhile. Raises the errors of
        the store."""

        def allow(position: Position) -> None:
            if not self._is_due(self._idle_from(position)):
                raise NotFound("idle fork")

        now, by = self._clock.now_ms(access.world_of(fork)), By(None, RULES)
        with suppress(NotFound, Refused):
            self._transactor.run(Order(fork.id, by, lambda position: table.Cancel(), now, allow=allow))

    def _remember(self, match: str, version: int, due: int | None = None) -> None:
        """A match at this version waits for people only: until its head moves there is nothing to do."""
        if len(self._quiet) >= _MOST_REMEMBERED:
            self._quiet.clear()
        self._quiet[match] = (version, due)
