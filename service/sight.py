"""What a seat learns from its own command: printed things that events name and its view did not."""

from collections.abc import Iterable

from domain.kernel import match as match_rules
from domain.kernel.game import Game
from domain.kernel.match import Fact
from domain.kernel.printed import printed, strings
from domain.kernel.redaction import redact
from domain.kernel.seats import Seat
from domain.kernel.table import Match
from events import codec


def seen(game: Game, match: Match, seat: Seat) -> frozenset[str]:
    """The printed things the seat's view names now."""
    return printed(game).intersection(strings(match_rules.view(game, match, seat)))


def learns(game: Game, before: frozenset[str], seat: Seat, facts: Iterable[Fact]) -> bool:
    """Whether these facts, as the seat sees them, name a printed thing that its view did not name before."""
    table = match_rules.redactions(game)
    shown = (strings(codec.encode(redact(table, fact.event, seat))) for fact in facts)
    return any(not printed(game).intersection(names) <= before for names in shown)
