"""`wonderlog replay` in a terminal: step through a bundle, table by table."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import click
from rich.console import Console
from rich.text import Text

from domain.kernel import match as match_rules
from domain.kernel.game import Game
from events.bundle import Bundle
from service import json_patch, replay
from service.cli import bundles, tables

Json = dict[str, Any]

HELP: Final = (
    "Enter or n: next   p: back   N: version N   +N, -N: so many on, back   c: next command   e: end\n"
    "s N: look from seat N (s: as whom the bundle was made for)   l: the log around here   ?: this   q: quit"
)
_MOST_CHANGES: Final = 24
_AROUND: Final = 5


class Walk:
    """Where somebody is in a bundle, and through whose eyes."""

    def __init__(self, read: Bundle, game: Game) -> None:
        self.read = read
        self.game = game
        self.version = len(read.envelopes)
        self.seat: int | None = None
        self._events = replay.events(game, read.envelopes)

    @property
    def last(self) -> int:
        """The last version."""
        return len(self.read.envelopes)

    def view(self, version: int) -> Json:
        """What the one who looks saw at a version. Raises click.UsageError."""
        state = match_rules.initial()
        for event in self._events[:version]:
            match_rules.evolve(self.game, state, event)
        return bundles.Folded(self.game, state, self.read.header["perspective"]).view(self.seat)

    def go(self, version: int) -> None:
        """To a version, or as near as there is."""
        self.version = max(1, min(self.last, version))

    def next_command(self) -> int:
        """The version at which the next command had been carried out."""
        for envelope in self.read.envelopes[self.version :]:
            if envelope["version"] > self.version + 1 and envelope["command"] == envelope["version"]:
                return int(envelope["version"]) - 1
        return self.last


def changes(before: Json, after: Json, names: tables.Names) -> Iterator[Text]:
    """What is different in a view, a line each."""
    found = [each for each in json_patch.patch(before, after) if not each["path"].startswith(_NOISE)]
    for change in found[:_MOST_CHANGES]:
        steps = [step.replace("~1", "/").replace("~0", "~") for step in change["path"].split("/")[1:]]
        line = Text("  " + " > ".join(steps).replace("_", " "), style="dim")
        yield line + (
            Text(" is gone") if change["op"] == "remove" else Text(": ") + names.text(change["value"])
        )
    if len(found) > _MOST_CHANGES:
        yield Text(f"  and {len(found) - _MOST_CHANGES} more", style="dim")


_NOISE: Final = ("/version", "/decisions")


def step(
    read: Bundle,
    game: Game,
    version: int | None,
    seat: int | None,
    console: Console,
    ask: Callable[[str], str | None],
) -> None:
    """Show a version, ask where to go, until there is no answer or `q`. Raises click.UsageError for a seat
    the bundle cannot be seen from at the beginning."""
    walk, names = Walk(read, game), tables.Names(game.catalogue())
    walk.seat = seat
    walk.go(version or 1)
    console.print(HELP)
    _show(walk, names, console)
    while True:
        answer = ask(f"{walk.version} of {walk.last}")
        if answer is None or answer.strip() in ("q", "quit"):
            return
        _obey(walk, answer.strip(), names, console)


def _obey(walk: Walk, answer: str, names: tables.Names, console: Console) -> None:
    verb, _, rest = answer.partition(" ")
    if verb == "?":
        console.print(HELP)
        return
    if verb == "l":
        for envelope in walk.read.envelopes[max(0, walk.version - _AROUND) : walk.version + _AROUND]:
            console.print(Text(">" if envelope["version"] == walk.version else " "), end="")
            tables.print_event(console, envelope, names)
        return
    before = walk.seat
    if answer in ("", "n"):
        walk.go(walk.version + 1)
    elif verb == "p":
        walk.go(walk.version - 1)
    elif verb == "c":
        walk.go(walk.next_command())
    elif verb == "e":
        walk.go(walk.last)
    elif verb == "s" and (rest == "" or rest.isdecimal()):
        walk.seat = int(rest) if rest else None
    elif answer[:1] in "+-" and answer[1:].isdecimal():
        walk.go(walk.version + int(answer))
    elif answer.isdecimal():
        walk.go(int(answer))
    else:
        console.print(f"{answer[:40]!r}?\n{HELP}", markup=False)
        return
    try:
        _show(walk, names, console)
    except click.UsageError as error:
        walk.seat = before
        console.print(str(error), markup=False)


def _show(walk: Walk, names: tables.Names, console: Console) -> None:
    view = walk.view(walk.version)
    console.rule()
    tables.print_event(console, walk.read.envelopes[walk.version - 1], names)
    console.print(tables.view(view, names))
    if walk.version > 1:
        for line in changes(walk.view(walk.version - 1), view, names):
            console.print(line, no_wrap=True, overflow="ellipsis")
