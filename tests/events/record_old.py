"""Write a sample of every event that has none yet: `python -m tests.events.record_old`.

Run it when an event class or a new schema of one is added. A sample, once written, is what stored logs hold:
it is never written again, and nothing here can.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from domain.catalogue import GAMES
from domain.kernel import match as matches
from domain.kernel import table
from domain.kernel.agreements import ExpiryClaimed, ExpiryOrdered, OutageCredited, TimeAdded
from domain.kernel.game import Event, Game
from domain.kernel.redaction import redact
from domain.kernel.seats import SPECTATOR
from domain.kernel.table import MatchChanged, MatchForked, SeatHandedOver, SeatPlan, SeatTokenChanged
from events import codec
from tests.domain.stories import Story, Title, fold, story
from tests.given_when_then import secrets

OLD: Final = Path(__file__).parent / "old"
# Of several events of a class the one that says most is taken, but for those that are longer than this.
_LONGEST: Final = 4_000
_STORIES: Final = 40

# What no story brings about: it takes the service, or a table that was set up for it.
AT_THE_TABLE: Final[tuple[Event, ...]] = (
    MatchForked("mat_4sq3nkpwvx2ah5jtz7c6drfyqm", 42, [SeatPlan(), SeatPlan("bot", "easy")], 1),
    SeatHandedOver(1, "bot", "random"),
    SeatTokenChanged(2, True),
    ExpiryClaimed("d12.choose", [0, 2]),
    ExpiryOrdered("d12.choose", [1]),
    OutageCredited(1_767_225_600_000, 1_767_225_660_000),
    TimeAdded([0, 1], 60_000),
    MatchChanged({"decision_limit_ms": 60_000, "sides": "A"}, "private"),
)


def folder_of(kind: str) -> str:
    """The folder of an event by its wire name: that of the package, `match` for the table."""
    return kind.partition(".")[0]


def path_of(kind: str, schema: int) -> Path:
    """The file of a sample."""
    return OLD / folder_of(kind) / f"{kind.partition('.')[2]}.{schema}.json"


def current() -> dict[str, int]:
    """Every event of the table and of every game, with the number of its newest shape."""
    kinds = {**table.EVENTS}
    for game in GAMES.values():
        kinds |= game.EVENTS
    return {name: kind.schema for name, kind in kinds.items()}


def told(game: Game) -> Iterator[Event]:
    """Events of stories of a game, and what a fork deals anew in the middle of them."""
    for seed in range(_STORIES):
        title = Title(game.NAME, game.SEATS[seed % len(game.SEATS)], 1 + seed)
        made = story(title)
        yield from made.events
        yield from _dealt_anew(game, made)


def _dealt_anew(game: Game, made: Story) -> Iterator[Event]:
    half = made.events[: len(made.events) // 2]
    seen = [redact(matches.redactions(game), event, SPECTATOR) for event in half]
    if any(type(event).__name__ == "MatchUndone" for event in seen):
        return
    state = fold(game, seen)
    if state.play is not None:
        yield from game.redeal(state.play, SPECTATOR, seen, secrets())


def type_of(event: Event) -> str:
    """The wire name of an event of the table."""
    return next(name for name, kind in table.EVENTS.items() if kind.cls is type(event))


def samples(missing: set[str]) -> dict[str, Any]:
    """The data of a sample for each missing event that could be found."""
    found: dict[str, Any] = {}
    for game, events in [
        (next(iter(GAMES.values())), iter(AT_THE_TABLE)),
        *((game, told(game)) for game in GAMES.values()),
    ]:
        if not missing & matches.events(game).keys() - {type_of(event) for event in AT_THE_TABLE}:
            events = iter(AT_THE_TABLE)
        names = {kind.cls: name for name, kind in matches.events(game).items()}
        for event in events:
            name = names[type(event)]
            if name not in missing:
                continue
            data = codec.encode(event)
            size = len(json.dumps(data))
            if name not in found or len(json.dumps(found[name])) < size <= _LONGEST:
                found[name] = data
    return found


def main() -> int:
    """Write what is missing; 1 where an event could not be found."""
    schemas = current()
    missing = {name for name, schema in schemas.items() if not path_of(name, schema).exists()}
    found = samples(missing) if missing else {}
    for name in sorted(found):
        path = path_of(name, schemas[name])
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:  # never over another one
            file.write(json.dumps({"type": name, "schema": schemas[name], "data": found[name]}) + "\n")
        print(path.relative_to(OLD))
    for name in sorted(missing - found.keys()):
        print(f"no story holds {name}; write {path_of(name, schemas[name]).relative_to(OLD)} by hand")
    return int(bool(missing - found.keys()))


if __name__ == "__main__":
    sys.exit(main())
