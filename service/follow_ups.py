"""What happens around a commit: a look at the match, bot turns and deadlines asked for, lists brought up.

Nothing here may fail a command that is in the log: what cannot be done is logged, and the sweeper does it.
"""

import logging
from typing import Final

from domain.kernel import match as match_rules
from domain.kernel.table import LOBBY
from events.envelope import Recorded
from events.store import StoreUnavailable
from service import access, showing
from service.finished import Finished
from service.positions import Position
from service.read_models import ReadModels, Summary, list_of, name_of_player
from service.sandbox import WorldClock
from service.scheduling import Scheduler
from service.tenant_feed import TenantFeed
from service.webhooks.notifying import Notifying
from service.work import Work, first_of_each

# Only events of the table change what lists show.
_TABLE: Final = "match."
MOST_SEATS: Final = 7

log = logging.getLogger(__name__)


class FollowUps:
    """Passes work on to the scheduler, table news on to the lists, new versions on to the tenant's feed."""

    def __init__(
        self,
        scheduler: Scheduler,
        lists: ReadModels,
        feed: TenantFeed,
        notifying: Notifying,
        clock: WorldClock,
        finished: Finished,
    ) -> None:
        self._scheduler = scheduler
        self._lists = lists
        self._feed = feed
        self._notifying = notifying
        self._clock = clock
        self._finished = finished

    def before(self, match: str) -> None:
        """See that the sweeper looks at the match soon, whatever happens next. Raises StoreUnavailable."""
        self._scheduler.mark(match)

    def after(
        self, position: Position, records: list[Recorded], before: Work, now: Work, plays_on: bool
    ) -> None:
        """Ask for what is new since the commit; with `plays_on` whoever asked plays the bots' turns
        itself."""
        try:
            if position.secrets.get(showing.HIDDEN):
                if now.over:
                    self._scheduler.forget(position.id)
                return
            ahead = self._clock.ahead_ms(access.world_of(position))
            new = now.since(before).earlier(ahead)
            self._scheduler.watch(new.deadlines, before.ended(now))
            if not plays_on:
                self._scheduler.ask_bots(first_of_each(new.bots))
            # The last version at once: the sweeper will not look at the match any more.
            note = self._feed.note if now.over else self._feed.note_soon
            note(position.secrets[access.TENANT_SECRET], position.id, position.version)
            if any(record.type.startswith(_TABLE) for record in records):
                self._lists.note(summary(position))
            elif _players(position):
                # For whom of them the match waits.
                self._lists.note_soon(summary(position))
            self._notifying.after(position, records, now.over)
            if now.over:
                self._finished.note_new(position.id, position.times.last - ahead)
            # A match that is over is still marked: the sweeper looks at it once more, counts and forgets it.
        except StoreUnavailable as error:
            log.warning("follow-up of %s %d left to the sweeper: %s", position.id, position.version, error)


def _players(position: Position) -> dict[int, str]:
    """The players the tenant has named, by seat: lists say for whom of them a match waits."""
    named = ((seat, position.secrets.get(showing.player_field(seat))) for seat in range(MOST_SEATS))
    return {seat: player for seat, player in named if player}


def summary(position: Position) -> Summary:
    """The match as lists show it: without names, which belong to persons."""
    state, tenant = position.state, position.secrets[access.TENANT_SECRET]
    players = _players(position)
    awaited: list[int] = []
    if players and not state.paused:
        awaited = [seat for seat in match_rules.awaited(position.game, state) if seat in state.persons]
    free = [chair for chair in state.chairs if chair.kind == "open"] if state.status == LOBBY else []
    return Summary(
        match=position.id,
        tenant=list_of(tenant, state.forked_from is not None),
        game=state.game,
        status=state.status,
        created_ms=position.times.created,
        version=position.version,
        shown=showing.resource(position),
        updated_ms=position.times.last,
        awaiting=tuple(
            sorted({name_of_player(tenant, players[seat]) for seat in awaited if seat in players})
        ),
        open_seats=len(free),
        visibility=state.visibility,
    )
