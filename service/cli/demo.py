"""`wonderlog demo`: a whole match on a server of its own, watched, replayed, audited."""

import random
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from events import bundle
from service.cli import home as homes
from service.cli import programs, tables
from service.cli.bundles import fold
from service.cli.children import Children, Program, last_lines
from service.cli.client import Api, Json
from service.cli.redecide import redecide
from service.cli.seat import Seat, set_up, sit, start, table_size

_START: Final = 60.0
_PATIENCE: Final = 120.0


@dataclass(slots=True)
class Checks:
    """What the demo promises, as it is found to hold or not."""

    console: Console
    failed: list[str] = field(default_factory=list)

    def that(self, holds: bool, claim: str) -> None:
        """Note whether a claim holds, and say so."""
        self.console.print("[green]ok[/]    " if holds else "[red]FAILED[/]", claim, soft_wrap=True)
        if not holds:
            self.failed.append(claim)


@click.command()
@click.option("--game", default="seven-wonders", show_default=True, help="Name of the game.")
@click.option("--seats", type=click.IntRange(1, 7), help="How many play; else 4, or as many as may.")
@click.option("--mode", help="The mode, of a game that has modes.")
@click.option("--seed", type=int, default=7, show_default=True, help="Of the choices of the client's seat.")
@click.option("--keep", is_flag=True, help="Keep the data directory and the bundle, and say where they are.")
def demo(game: str, seats: int | None, mode: str | None, seed: int, keep: bool) -> None:
    """Play a whole match and check it.

    Starts a server on a fresh data directory, sets up a match over HTTP, plays one seat from the list of
    legal moves like any client, leaves the other seats to bots on job workers; then shows the scores, folds
    the exported log again and compares it with the service, verifies it, and makes sure that a forged copy
    is found out. Exit code 0 only if all of that holds. Everything is removed afterwards, unless --keep.
    """
    console = tables.console()
    folder = Path(tempfile.mkdtemp(prefix="wonderlog-demo-"))
    checks = Checks(console)
    children = Children()
    try:
        ready = _server(children, folder)
        console.rule("a server of its own")
        workers = ", ".join(str(pid) for pid in ready["pids"]["workers"])
        console.print(f"{ready['url']}, job workers {workers}, data in {folder}", soft_wrap=True)
        host = Api(ready["url"], ready["tenant_key"])
        options = {} if mode is None else {"mode": mode}
        _play(console, checks, host, game, seats, options, random.Random(seed), folder / "match.jsonl")
    finally:
        children.close()
        if keep:
            console.print(f"Kept: {folder} (wonderlog up --data {folder / 'data'})", soft_wrap=True)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    if checks.failed:
        raise click.ClickException(f"{len(checks.failed)} checks failed")


def _server(children: Children, folder: Path) -> Json:
    """Start `wonderlog up` and wait until it is ready. Raises click.ClickException."""
    ready_file, log = folder / "ready.json", folder / "up.log"
    command = ("up", "--data", str(folder / "data"), "--port", "0", "--ready-file", str(ready_file))
    up = children.start(
        Program(
            "up", (sys.executable, "-P", "-m", "service.cli", *command), programs.environment({}), folder, log
        )
    )
    deadline = time.monotonic() + _START
    while (ready := homes.read_json(ready_file)) is None:
        if not up.is_alive or time.monotonic() > deadline:
            raise click.ClickException(f"the server did not start:\n{last_lines(log, 40)}")
        time.sleep(0.05)
    return ready


def _play(
    console: Console,
    checks: Checks,
    host: Api,
    game: str,
    wanted: int | None,
    options: Json,
    dice: random.Random,
    file: Path,
) -> None:
    described = host.get(f"/v1/games/{game}")
    seats = table_size(described, wanted, 4)
    names = tables.Names(described)
    bots = [described["bots"][number % len(described["bots"])] for number in range(seats - 1)]
    created = set_up(host, game, bots, options, "public")
    seat = sit(host, created["id"], "Ann")
    start(host, seat.match)
    console.rule(f"{described['title']}: match {seat.match}, seat {seat.number} is ours, {seats - 1} bots")
    began = time.monotonic()
    moves = _moves(console, seat, names, dice)
    took = time.monotonic() - began
    console.rule("the end")
    spectator = Api(host.url)
    over = spectator.get(f"/v1/matches/{seat.match}/view")
    console.print(tables.scores(over["outcome"], over["seats"]))
    console.print(f"{over['version']} events, {moves} moves of ours, {took:.1f} s")
    console.rule("the log")
    checks.that(over["outcome"]["reason"] == "finished", "the match was played to its end")
    file.write_bytes(b"".join(host.lines(f"/v1/matches/{seat.match}/export")))
    _audit(checks, spectator, seat.match, file, over)


def _moves(console: Console, seat: Seat, names: tables.Names, dice: random.Random) -> int:
    """Play the seat to the end of the match; how many moves it made. Raises click.ClickException."""
    made = 0
    deadline = time.monotonic() + _PATIENCE
    for view, events in seat.turns():
        for event in events:
            if not event["type"].endswith(_QUIET):
                tables.print_event(console, event, names)
        if view["status"] == "over":
            return made
        if time.monotonic() > deadline:
            raise click.ClickException(f"the match is not over after {_PATIENCE:.0f} s")
        asked, instead = seat.moves()
        move = _choice(asked or instead, dice)
        if move is not None and seat.send(move["body"]) is not None:
            made += 1
    raise AssertionError("turns end with the match")


# Events that a watcher of the demo need not see.
_QUIET: Final = (
    "chosen",
    "counted",
    "created",
    "dealt",
    "drafted",
    "ended",
    "joined",
    "passed",
    "set",
    "shuffled",
    "started",
    "validated",
)


_TAKING_BACK: Final = (
    "withdraw",
    "withdraw_pick",
    "discard_construction",
    "scrap_development",
    "decline_effect",
)


def _choice(moves: list[Json], dice: random.Random) -> Json | None:
    """A simple client: any move that brings points, else any that brings something, never overpaying and
    taking nothing back unless there is nothing else."""
    fair = [move for move in moves if move["cost"].get("undominated", True)]
    fair = [move for move in fair if move["body"]["command"]["type"] not in _TAKING_BACK] or fair
    for wanted in ("completes", "points", "stage", "produces", "production", "shields", "symbol"):
        if some := [move for move in fair if wanted in move["effects"]]:
            return dice.choice(some)
    return dice.choice(fair) if fair else None


def _audit(checks: Checks, spectator: Api, match: str, file: Path, over: Json) -> None:
    """Fold, verify and forge the exported bundle."""
    lines = file.read_bytes().splitlines(keepends=True)
    read = bundle.read(lines)
    count = len(read.envelopes)
    milestones = sorted({1, count // 4, count // 2, 3 * count // 4, count})
    for version in milestones:
        live = spectator.get(f"/v1/matches/{match}/view", version=version)
        if _table(fold(read, version).view()) != _table(live):
            checks.that(False, f"replayed at version {version}, the log shows what the service showed")
            return
    checks.that(
        True, f"replayed at versions {', '.join(map(str, milestones))}, the log shows what everybody saw"
    )
    report = bundle.verify(lines)
    found = (
        f"{report.events} events, {report.seals_opened} seals opened, {report.draws_repeated} draws repeated"
    )
    checks.that(report.ok, f"verified: {found}" if report.ok else f"line {report.line}: {report.reason}")
    checks.that(
        report.signed and report.draws_repeated == report.draws > 0, "signed, and every shuffle repeated"
    )
    decided = redecide(read)
    why = "" if decided.difference is None else f": {decided.difference.reason}"
    checks.that(not why, f"decided again, {decided.commands} commands give the same events{why}")
    number = count // 2
    forged = [
        *lines[:number],
        lines[number].replace(b'"occurred_at":"2', b'"occurred_at":"1'),
        *lines[number + 1 :],
    ]
    caught = bundle.verify(forged)
    checks.that(caught.line == number + 1, f"a forged copy is found out: line {caught.line}, {caught.reason}")
    shorter = bundle.verify(lines[:number] + lines[number + 1 :])
    checks.that(shorter.line == number + 1, f"so is a missing event: line {shorter.line}, {shorter.reason}")


def _table(view: Json) -> Any:
    """What a view says of the game; names and times are no part of the log's events."""
    return {key: view[key] for key in ("version", "status", "awaited", "state", "outcome")}
