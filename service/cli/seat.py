"""Playing one seat over HTTP: wait until it is awaited, look, move. For `play` and `demo`."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from service.cli.client import Api, Json, Problem

# Refusals after which a client looks again: somebody else was quicker, or the time was over.
HEALED_BY_LOOKING: Final = frozenset({"stale-decision", "not-your-decision", "match-over", "stale-version"})


@dataclass(slots=True)
class Seat:
    """A seat of a match, with its token. `version` is the newest event seen."""

    match: str
    number: int
    token: str = field(repr=False)
    api: Api = field(repr=False)
    version: int = 0
    _known: list[Json] = field(default_factory=list, repr=False)

    def path(self, what: str) -> str:
        """A resource of the match."""
        return f"/v1/matches/{self.match}/{what}"

    def view(self) -> Json:
        """What this seat sees now."""
        return self.api.get(self.path("view"))

    def moves(self) -> tuple[list[Json], list[Json]]:
        """What this seat may do now, and what it might do instead of what it did.

        A decision may ask a seat for more than one answer (two players also choose for the Free City): what
        was not possible before its last answer is what is asked now, the rest would only replace that. Where
        an answer used up a move, as in a step of many small ones, everything is asked now."""
        moves: list[Json] = self.api.get(self.path("legal-moves"))["moves"]
        known, self._known = self._known, [move["body"] for move in moves]
        if not known or any(body not in self._known for body in known):
            return moves, []
        return [move for move in moves if move["body"] not in known], [
            move for move in moves if move["body"] in known
        ]

    def offers(self) -> list[Json]:
        """What this seat may do at the table around the game, each with the `body` to send."""
        offered: list[Json] = self.api.get(self.path("legal-moves"))["table"]
        return offered

    def send(self, body: Json) -> Json | None:
        """Send a command; None when it came too late and the seat must look again. Raises Problem."""
        try:
            return self.api.post(self.path("commands"), body)
        except Problem as problem:
            if problem.code in HEALED_BY_LOOKING:
                return None
            raise

    def news(self, wait_s: int = 20) -> list[Json]:
        """Events not seen yet, waiting for some; [] when the time is up."""
        page = self.api.get(self.path("events"), after=self.version, limit=200, wait=wait_s)
        self.version = page["next_after"]
        items: list[Json] = page["items"]
        return items

    def turns(self) -> Iterator[tuple[Json, list[Json]]]:
        """The views in which this seat is awaited, or somebody must say that play goes on, each with the
        events since the last one; at last that of the end."""
        since: list[Json] = []
        while True:
            view = self.view()
            # Every event up to the view is read, so that a wait below begins where the view ended.
            while self.version < view["version"]:
                since += self.news(0)
            if view["status"] == "over" or self.number in view["awaited"] or _may_go_on(view, self.number):
                yield view, since
                since = []
                if view["status"] == "over":
                    return
            elif self.version == view["version"]:
                since += self.news()
            # Else something happened between view and events, perhaps the last for a while: look again.


def _may_go_on(view: Json, seat: int) -> bool:
    """Whether the match is paused, and this seat has not said yet that it may go on."""
    proposal = view.get("proposal")
    return bool(view.get("paused")) and (proposal is None or seat not in proposal["agreed"])


def sit(host: Api, match: str, name: str) -> Seat:
    """Join the first open seat of a match. Raises Problem."""
    joined = host.post(f"/v1/matches/{match}/seats", {"name": name, "entropy": uuid.uuid4().hex})
    return Seat(match, joined["seat"], joined["token"], Api(host.url, joined["token"]))


def set_up(host: Api, game: str, bots: list[str], options: dict[str, Any], visibility: str) -> Json:
    """Create a match with one open seat and bots in the others. Raises Problem."""
    seats = [{"kind": "open"}, *({"kind": "bot", "bot": bot} for bot in bots)]
    return host.post(
        "/v1/matches", {"game": game, "seats": seats, "options": options, "visibility": visibility}
    )


def table_size(described: Json, wanted: int | None, usual: int) -> int:
    """How many sit at the table: what was wanted, else what is usual, as far as the game allows."""
    if wanted is not None:
        return wanted
    least, most = described["seats"]["min"], described["seats"]["max"]
    return int(min(max(usual, least), most))


def start(host: Api, match: str) -> None:
    """Start a match whose seats are all taken. Raises Problem."""
    host.post(f"/v1/matches/{match}/commands", {"command": {"type": "start"}})
