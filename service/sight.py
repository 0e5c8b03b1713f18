"""What a seat learns from its own command: printed things that events name and its view did not."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from domain.kernel import match as match_rules
from domain.kernel.game import Game
from domain.kernel.match import Fact
from domain.kernel.redaction import redact
from domain.kernel.seats import Seat
from domain.kernel.table import Match
from events import codec


def strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value, keys apart."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def printed(game: Game) -> frozenset[str]:
    """The ids of everything the game prints: cards, boards."""
    known = _PRINTED.get(id(game))
    if known is None:
        known = _PRINTED[id(game)] = frozenset(_ids(game.catalogue()))
    return known


# By identity: games live as long as the process.
_PRINTED: Final[dict[int, frozenset[str]]] = {}


def _ids(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("id"), str):
            yield value["id"]
        for inner in value.values():
            yield from _ids(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _ids(inner)


def seen(game: Game, match: Match, seat: Seat) -> frozenset[str]:
    """The printed things the seat's view names now."""
    return printed(game).intersection(strings(match_rules.view(game, match, seat)))


def learns(game: Game, before: frozenset[str], seat: Seat, facts: Iterable[Fact]) -> bool:
    """Whether these facts, as the seat sees them, name a printed thing that its view did not name before."""
    table = match_rules.redactions(game)
    shown = (strings(codec.encode(redact(table, fact.event, seat))) for fact in facts)
    return any(not printed(game).intersection(names) <= before for names in shown)
