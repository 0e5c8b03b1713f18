"""Scripted opponents of sandbox matches: what a seat is to do, move by move.

A script is a list of commands as they are posted, or null for the default move. Its n-th entry is the n-th
move the seat makes; after its end the seat makes the default move. An entry the rules refuse is a failure of
the bot, recorded like any other, and the default move answers instead. Scripts are kept beside the log, like
names: whoever watches the match sees the moves only when they are made.
"""

import json
import logging
from collections.abc import Mapping
from typing import Any, Final

from domain.kernel.game import Command, Game
from domain.kernel.seats import Seat
from events import codec
from events.canonical import Malformed
from service.errors import Fault
from service.positions import Position

LONGEST: Final = 500

log = logging.getLogger(__name__)


def script_field(seat: Seat) -> str:
    """The secret of a match that holds the script of a seat."""
    return f"script:{seat}"


def faults(game: Game, script: object, place: str) -> list[Fault]:
    """What is wrong with a script; `place` is where it stands in the body."""
    if not isinstance(script, list) or len(script) > LONGEST:
        return [Fault(place, "length", f"a list of at most {LONGEST} commands is expected")]
    found = []
    for number, entry in enumerate(script):
        try:
            _command(game, entry)
        except Malformed as error:
            found.append(Fault(f"{place}/{number}{error.pointer}", "invalid", error.detail))
    return found


def next_move(position: Position, seat: Seat) -> Command | None:
    """What the script of the seat says it does now; None if that is no command of the game."""
    script = json.loads(position.secrets.get(script_field(seat), "[]"))
    made = position.times.bot_moves.get(seat, 0)
    try:
        command = _command(position.game, script[made] if made < len(script) else None)
    except Malformed as error:
        log.error("script of seat %d of %s: %s", seat, position.id, error.detail)
        return None
    return position.game.default_move(position.state.play, seat) if command is None else command


def _command(game: Game, entry: object) -> Command | None:
    """The command of an entry; None for the default move. Raises Malformed."""
    if entry is None:
        return None
    if not isinstance(entry, Mapping):
        raise Malformed("a command is expected, or null", "")
    members: dict[str, Any] = dict(entry)
    cls = game.COMMANDS.get(str(members.pop("type", "")))
    if cls is None:
        raise Malformed(f"a command of {game.TITLE} is expected", "/type")
    command: Command = codec.decode(cls, members, closed=True)
    return command
