"""Use case: the report on the secrecy of a finished match. It takes seconds of computing, so job workers make
it, a job for each viewer, and it is kept for a day; without workers it is made at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, Protocol

from domain.kernel.errors import refuse
from domain.kernel.game import Game
from domain.kernel.library import UnknownRuleset, library
from domain.kernel.seats import Viewer
from events.store import EventStore
from service import access, secrecy, showing
from service.credentials import Caller
from service.errors import Refused
from service.positions import Position
from service.transact import current

Json = dict[str, Any]

_ALL: Final = 1_000_000

# The newest of a match that a caller may see, and through whose eyes; raises when there is none.
Seen = Callable[[Caller, str], tuple[Position, Viewer]]


class SecrecyReports(Protocol):
    """What was found for each viewer of a match, for some time. Methods raise StoreUnavailable."""

    def get(self, match: str) -> dict[str, Json]:
        """What is there: by viewer, as `secrecy.Checked` has them."""

    def put(self, match: str, viewer: str, found: Json) -> None:
        """Keep what was found for a viewer."""

    def ask(self, match: str, viewers: Sequence[Viewer]) -> bool:
        """Have job workers look for these viewers; False where there are no workers."""


class Secrecy:
    """Reports on secrecy."""

    def __init__(
        self, store: EventStore, seen: Seen, catalogue: Mapping[str, Game], reports: SecrecyReports
    ) -> None:
        self._store = store
        self._seen = seen
        self._games = library(catalogue)
        self._reports = reports

    def report(self, caller: Caller, match: str) -> tuple[Json, bool]:
        """What is known by now of the secrecy of a match that is over, and whether that is all:
        `{"match", "status", "versions", "secret", "viewers"}`. Raises Unauthenticated, NotFound, Forbidden,
        Refused (`conflict`: not over), and the errors of the store."""
        position, _ = self._seen(caller, match)
        if not showing.is_over(position):
            why = refuse("not-over", "secrecy is checked once the match is over", kind="conflict")
            raise Refused(why.reason, why.kind, current(position, caller.seat))
        wanted = {access.perspective(each): each for each in secrecy.viewers(len(position.state.chairs))}
        found = self._reports.get(match)
        missing = [viewer for name, viewer in wanted.items() if name not in found]
        if missing and not self._reports.ask(match, missing):
            for viewer in missing:
                self.check(match, viewer)
            found = self._reports.get(match)
        known = [found[name] for name in wanted if name in found]
        report = secrecy.report(match, position.version - 1, known, len(wanted))
        return report, report["status"] == secrecy.DONE

    def check(self, match: str, viewer: Viewer) -> None:
        """Look for one viewer of a match and keep what was found; nothing for a match that cannot be folded
        here. Raises the errors of the store."""
        records = self._store.read(match, 0, _ALL)
        if not records:
            return
        try:
            game = self._games.game_for(records[0].data["game"], records[0].ruleset)
        except UnknownRuleset:
            return
        found = secrecy.check_viewer(game, records, viewer)
        self._reports.put(match, found.viewer, asdict(found))
