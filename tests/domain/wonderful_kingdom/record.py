"""Records scripted matches: `python -m tests.domain.wonderful_kingdom.record` writes `golden/` anew.

A line a command: the seat, the command, the events that followed; the first line holds the options and the
events of the start. What is recorded is read, not trusted: record again only when the rules are meant to
change, and read the difference.
"""

import json
from pathlib import Path
from typing import Any, Final

from domain.kernel.registry import snake
from domain.wonderful_kingdom import GAME
from events import codec
from tests.domain.wonderful_kingdom.matches import Pick, Turn, anything, builder, turns

GOLDEN: Final = Path(__file__).with_name("golden")
_WAR: Final = "quest_the_northmarch_war"
SCRIPTS: Final[dict[str, tuple[dict[str, Any], int, Pick]]] = {
    "menaces-1": ({"mode": "menaces", "side": "A"}, 0, builder),
    "menaces-2": ({"mode": "menaces", "side": "A"}, 7, builder),
    "menaces-3": ({"mode": "menaces", "side": "B"}, 3, builder),
    "advisors-1": ({"mode": "advisors", "side": "B"}, 12, builder),
    "advisors-2": ({"mode": "advisors", "side": "A"}, 1, anything),
    "advisors-3": ({"mode": "advisors", "side": "B"}, 4, builder),
    "quests-1": ({"mode": "quests", "side": "B", "quest_board": _WAR}, 0, builder),
    "quests-2": ({"mode": "quests", "side": "A", "quest_board": _WAR}, 3, builder),
}
NAMES: Final = {kind.cls: name for name, kind in GAME.EVENTS.items()}


def written(turn: Turn) -> dict[str, Any]:
    """A turn as a line of a golden file."""
    events = [
        {"type": NAMES[type(event)], "data": codec.encode(event)}
        for event in turn.events
        if type(event) in NAMES
    ]
    command = turn.command
    if command is None:
        return {"events": events}
    fields = {"type": snake(type(command).__name__), **codec.encode(command)}
    return {"seat": turn.seat, "command": fields, "events": events}


def record() -> None:
    """Write every golden file."""
    GOLDEN.mkdir(exist_ok=True)
    for name, (options, seed, pick) in SCRIPTS.items():
        lines = [{"options": options, "seed": seed}, *(written(turn) for turn in turns(options, seed, pick))]
        text = "".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines)
        (GOLDEN / f"{name}.jsonl").write_text(text, "utf-8")


if __name__ == "__main__":
    record()
