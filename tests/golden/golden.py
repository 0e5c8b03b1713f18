"""The form of a recorded match: a header line, then an event a line, with a line of views at milestones.

An event line holds the stored form (`type`, `schema`, `data`) and whose doing it was. A views line holds the
spectator's view at that version in full, and of each seat's view what differs from it.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from domain.kernel import match as matches
from domain.kernel.chance import Chance
from domain.kernel.game import Game
from domain.kernel.seats import SPECTATOR
from domain.kernel.table import Match, MatchEnded
from domain.seven_wonders.events import (
    DiscardPileSearched,
    GuildChoiceOffered,
    HandsDealt,
    SeventhCardKept,
    SymbolChoiceOffered,
)

Json = dict[str, Any]

FORMAT: Final = "wonderlog/golden/1"
FOLDER: Final = Path(__file__).parent
# Views are recorded after these events.
MILESTONES: Final = (
    HandsDealt,
    SeventhCardKept,
    DiscardPileSearched,
    GuildChoiceOffered,
    SymbolChoiceOffered,
    MatchEnded,
)


def files() -> list[Path]:
    """Every recorded match."""
    return sorted(FOLDER.glob("*/*.jsonl"))


def lines(path: Path) -> list[Json]:
    """The lines of a recorded match."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def chance(header: Json) -> Chance:
    """The secrets of a recorded match."""
    key, nonce = (bytes.fromhex(header[name]) for name in ("match_key", "commit_nonce"))
    return Chance(header["match"], key, nonce)


def views(game: Game, match: Match) -> Json:
    """The views line of this moment."""
    base = matches.view(game, match, SPECTATOR)
    seats = {
        str(seat): difference(matches.view(game, match, seat), base) for seat in range(len(match.chairs))
    }
    return {"version": match.version, "spectator": base, "seats": seats}


def difference(view: Any, base: Any) -> Any:
    """What of `view` differs from `base`: members by name, items by index, all else whole."""
    if isinstance(view, dict) and isinstance(base, dict):
        gone = {name: None for name in base if name not in view}
        return gone | {
            name: difference(value, base.get(name))
            for name, value in view.items()
            if name not in base or value != base[name]
        }
    if isinstance(view, list) and isinstance(base, list) and len(view) == len(base):
        pairs = enumerate(zip(view, base, strict=True))
        return {str(index): difference(new, old) for index, (new, old) in pairs if new != old}
    return view


def commands(recorded: list[Json]) -> Iterator[list[Json]]:
    """The event lines command by command."""
    group: list[Json] = []
    for line in recorded:
        if group and line["command"] != group[0]["command"]:
            yield group
            group = []
        group.append(line)
    yield group
