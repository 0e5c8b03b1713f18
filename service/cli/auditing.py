"""`wonderlog audit`: finished matches decided again, under their own rules or under others."""

import json
import multiprocessing
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import cast

import click
from rich.console import Console
from rich.progress import Progress

from domain.kernel.game import Game
from domain.kernel.library import Library
from domain.kernel.variant import NAMES
from events import bundle
from events.canonical import Malformed
from events.envelope import FULL
from service import card_sets, impact
from service.cli import bundles, stores
from service.cli.client import Json
from service.cli.options import data_option
from service.cli.secrecy import FileOrMatch, check_secrecy, is_match
from service.impact import DIFFERS, SKIPPED, UNREADABLE, Examined
from service.settings import SettingsError


@click.command()
@click.argument(
    "files",
    nargs=-1,
    metavar="FILES...",
    type=FileOrMatch(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
)
@click.option(
    "--secrecy",
    is_flag=True,
    help="Instead, check that nobody was told what was hidden; FILES may be ids of matches of a service.",
)
@click.option(
    "--ruleset",
    metavar="NEW",
    help="Decide under this ruleset, <game>/<version> or MODULE:NAME of a draft, instead of its own.",
)
@click.option("--stored", is_flag=True, help="Instead of FILES, every finished match of the service.")
@data_option(only_with="--stored")
@click.option(
    "--processes", type=click.IntRange(1), help="How many decide at once.  [default: one for each processor]"
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def audit(
    files: tuple[Path, ...],
    ruleset: str | None,
    stored: bool,
    data: Path | None,
    processes: int | None,
    as_json: bool,
    secrecy: bool,
) -> None:
    """Decide the finished matches in the bundles FILES (- for stdin) again, and compare.

    Each is verified first. Then every command is put to the rules of the match once more, with the secrets
    the last event reveals, and what they make of it is compared with what is recorded: that moves were legal,
    that the right cards were in every deck, that points were counted right.

    With --ruleset the rules NEW decide instead, and the report says what they would have changed: the first
    difference of each match, grouped by rule. With --stored the job workers of the service do it, with its
    own matches. The exit code is 1 if anything differs or cannot be read.
    """
    if secrecy:
        if ruleset is not None or stored:
            raise click.UsageError("--secrecy goes with FILES alone")
        check_secrecy(files, data, as_json)
        return
    if strange := next((file for file in files if is_match(file)), None):
        raise click.UsageError(f"{strange} is no file; ids of matches are for --secrecy")
    if stored == bool(files):
        raise click.UsageError("give either FILES or --stored")
    if stored:
        examined = _stored(ruleset, data)
    elif len(files) == 1:
        examined = [examine_file(files[0], ruleset)]
    else:
        examined = _in_parallel(files, ruleset, processes or os.cpu_count() or 1)
    if as_json:
        click.echo(json.dumps(impact.report(ruleset, examined), indent=2))
    elif len(files) == 1:
        _say_one(files[0], ruleset, examined[0])
    else:
        _say(impact.report(ruleset, examined))
    if any(one.status in (DIFFERS, UNREADABLE) for one in examined):
        sys.exit(1)


def examine_file(path: Path, ruleset: str | None) -> Examined:
    """Verify a bundle and decide it again, under a ruleset or its own. Raises click.ClickException where the
    ruleset is not to be had at all."""
    name = str(path)
    lines = bundles.lines(path)
    verified = bundle.verify(lines)
    if not verified.ok:
        return Examined(name, UNREADABLE, reason=f"line {verified.line}: {verified.kind}: {verified.reason}")
    try:
        read = bundle.read(lines)
    except Malformed as error:
        return Examined(name, UNREADABLE, reason=str(error.detail))
    if read.header["perspective"] != FULL or not read.header["over"]:
        why = "only the full bundle of a match that is over can be decided again"
        return Examined(name, UNREADABLE, reason=why)
    if ruleset is None:
        game: Game | str = bundles.game_of(read)
    else:
        game = impact.rules_for(
            _library(ruleset), read.header["game"], read.header["ruleset"], _name(ruleset)
        )
    if isinstance(game, str):
        return Examined(name, SKIPPED, reason=game)
    return impact.examine(game, name, read.header["match"], read.envelopes)


@lru_cache
def _library(ruleset: str) -> Library:
    """The live rulesets, with a draft that MODULE:NAME names as the first. Raises click.ClickException where
    the ruleset is neither."""
    try:
        live = card_sets.of_environment()
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
    drafted = _draft(ruleset)
    every = [game for name in live for game in live.all_of(name)]
    if drafted is not None:
        return Library([drafted, *every])
    if all(ruleset not in (game.RULESET, game.RULESET.partition("+")[0]) for game in every):
        known = ", ".join(game.RULESET for game in every)
        raise click.ClickException(f"there is no ruleset {ruleset} here; there are {known}")
    return live


def _name(ruleset: str) -> str:
    drafted = _draft(ruleset)
    return ruleset if drafted is None else drafted.RULESET


@lru_cache
def _draft(ruleset: str) -> Game | None:
    """The game that MODULE:NAME names, looked for from the present folder; None for the name of a ruleset.
    Raises click.ClickException."""
    module, colon, name = ruleset.partition(":")
    if not colon:
        return None
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise click.ClickException(f"{ruleset}: {error}") from None
    missing = sorted(each for each in NAMES if not hasattr(found, each))
    if missing:
        raise click.ClickException(f"{ruleset} is no game: it lacks {', '.join(missing)}")
    return cast(Game, found)


@contextmanager
def _progress(total: int) -> Iterator[partial[None]]:
    """A bar on stderr, for whoever looks."""
    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("decided again", total=total)
        yield partial(bar.advance, task)


def _in_parallel(files: Sequence[Path], ruleset: str | None, processes: int) -> list[Examined]:
    if any(str(file) == "-" for file in files):
        raise click.UsageError("standard input holds one bundle: give - alone")
    if ruleset is not None:
        _library(ruleset)  # what is wrong with it is said once
    most = min(processes, len(files))
    if most == 1:
        return [examine_file(file, ruleset) for file in files]
    # Fresh processes: nothing of this one is copied in the middle of anything.
    context = multiprocessing.get_context("spawn")
    found_in: dict[Path, Examined] = {}
    with ProcessPoolExecutor(most, mp_context=context) as pool, _progress(len(files)) as step:
        asked = {pool.submit(examine_file, file, ruleset): file for file in files}
        for done in as_completed(asked):
            found_in[asked[done]] = done.result()
            step()
    return [found_in[file] for file in files]


def _stored(ruleset: str | None, data: Path | None) -> list[Examined]:
    if ruleset is not None and ":" in ruleset:
        raise click.UsageError("the workers know the rulesets of their release only, no draft")
    made = stores.services(data)
    jobs = made.audits
    if jobs is None:
        raise click.ClickException("there are no workers: the store is in memory")
    if ruleset is not None:
        _library(ruleset)
    matches = list(made.every_match())
    with _progress(len(matches)) as step:
        found = []
        for one in jobs.examined(matches, ruleset):
            found.append(one)
            step()
    return sorted(found, key=lambda one: one.match)


def _say_one(file: Path, ruleset: str | None, one: Examined) -> None:
    if one.status in (UNREADABLE, SKIPPED):
        raise click.ClickException(f"{file}: {one.reason}")
    if one.status == DIFFERS:
        where = f"line {one.version + 1}: event {one.version}: " if one.version else ""
        raise click.ClickException(f"{file}: {where}{one.reason}")
    under = "its own rules" if ruleset is None else _name(ruleset)
    click.echo(f"{file}: ok. {one.commands} commands decided again under {under}, every event as recorded.")


def _say(report: Json) -> None:
    under = report["ruleset"] or "their own rules"
    click.echo(
        f"{report['matches']} matches, {report['commands']} commands decided again under {under}: "
        f"{report['same']} as recorded, {report['different']} not."
    )
    for rule in report["rules"]:
        click.echo(f"\n{rule['kind']} {rule['subject']}: {rule['matches']}")
        for first in rule["first"]:
            click.echo(f"  {first['match']}: event {first['version']}: {first['reason']}")
        if rule["matches"] > len(rule["first"]):
            click.echo(f"  and {rule['matches'] - len(rule['first'])} more")
    for status in (SKIPPED, UNREADABLE):
        _say_left_out(status, report[status])


def _say_left_out(status: str, matches: Iterable[Json]) -> None:
    listed = [f"  {each['match']}: {each['reason']}" for each in matches]
    if listed:
        click.echo("\n".join([f"\n{status}: {len(listed)}", *listed]))
