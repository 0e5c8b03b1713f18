"""The use cases: count a match that has ended, count all again, show the tables."""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from domain.kernel.game import Game
from events.store import Archived, EventStore
from service import access
from service.credentials import Caller
from service.errors import NotFound
from service.positions import Position, Positions
from service.statistics import tables
from service.statistics.counting import Counts, counts, counts_for_statistics
from service.statistics.totals import Totals

Json = dict[str, Any]

log = logging.getLogger(__name__)


class Statistics:
    """Projections of the logs of finished matches."""

    def __init__(
        self, store: EventStore, known: Positions, totals: Totals, games: Mapping[str, Game]
    ) -> None:
        self._store = store
        self._positions = known
        self._totals = totals
        self._games = games

    def note(self, position: Position) -> bool:
        """Count a match, if it counts and was not counted yet; whether it was counted now. Raises the errors
        of the store."""
        if not _is_counted(position):
            return False
        tenant = position.secrets[access.TENANT_SECRET]
        if self._totals.has(tenant, position.id):
            return False
        self._totals.add(tenant, position.state.game, position.id, self._counts(position))
        return True

    def rebuild(self, matches: Iterable[str]) -> tuple[int, int]:
        """Count all again from the logs and show that: how many matches were looked at, and how many count.
        Raises RebuildOvertaken, the errors of the store."""
        generation = self._totals.begin()
        seen = counted = 0
        for match in matches:
            seen += 1
            try:
                position = self._positions.load(match)
            except Archived:
                continue
            if position is None or not _is_counted(position):
                continue
            tenant, game = position.secrets[access.TENANT_SECRET], position.state.game
            self._totals.add_to(generation, tenant, game, match, self._counts(position))
            counted += 1
        self._totals.finish(generation)
        return seen, counted

    def games(self) -> list[str]:
        """The games there can be statistics of."""
        return list(self._games)

    def of_tenant(
        self, caller: Caller, game: str, ruleset: str | None = None, seats: int | None = None
    ) -> Json:
        """The tables of a game from the caller's own matches. Raises NotFound, StoreUnavailable."""
        assert caller.tenant is not None, "the face asks for a tenant key"
        return self._tables([caller.tenant], game, ruleset, seats)

    def of_all(
        self,
        game: str,
        tenant: str | None = None,
        ruleset: str | None = None,
        seats: int | None = None,
    ) -> Json:
        """The tables of a game from the matches of every tenant, or of one: for the operator. Raises
        NotFound, StoreUnavailable."""
        return self._tables(self._totals.tenants() if tenant is None else [tenant], game, ruleset, seats)

    def _tables(self, tenants: Iterable[str], game: str, ruleset: str | None, seats: int | None) -> Json:
        if game not in self._games:
            raise NotFound("game")
        sums: Counts = Counter()
        for tenant in tenants:
            sums.update(self._totals.sums(tenant, game))
        return tables.report(game, sums, ruleset, seats)

    def _counts(self, position: Position) -> Counts:
        return counts(position, self._store.load(position.id).records)


def _is_counted(position: Position) -> bool:
    """Whether the match could be folded (its rules are here, and its log was not removed for good) and
    counts."""
    return position.unsupported is None and position.gone is None and counts_for_statistics(position)
