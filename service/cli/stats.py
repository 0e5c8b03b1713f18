"""`wonderlog stats`: what finished matches say about seats, bots, boards, cards and shuffles."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click
from rich.table import Table

from service.cli import stores
from service.cli import tables as shown
from service.cli.options import data_option
from service.errors import NotFound
from service.statistics import tables
from service.statistics.totals import RebuildOvertaken

Json = dict[str, Any]

# Of a table, so many rows are shown in the terminal; the files have all.
_MOST: Final = 25
_HEADS: Final = {
    "results": "Results by seat and player",
    "boards": "Boards",
    "cards": "Cards, by how often the seat that built them won",
    "picks": "Cards, by when they were taken from a hand",
    "shuffles": "Shuffles: was every place equally likely?",
}


@click.group(invoke_without_command=True)
@data_option()
@click.option("--game", help="One game only.  [default: all of which there are any]")
@click.option("--ruleset", help="This ruleset.  [default: the one with the most matches]")
@click.option("--seats", type=click.IntRange(1, 7), help="Matches with so many seats only.")
@click.option("--tenant", help="Matches of this tenant only.")
@click.option(
    "--csv",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write every table of every game into this folder, a CSV file each.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the tables as JSON.")
@click.pass_context
def stats(
    context: click.Context,
    data: Path | None,
    game: str | None,
    ruleset: str | None,
    seats: int | None,
    tenant: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Show statistics of the finished public matches of a service.

    Win rates come with 95 % intervals, and with what chance alone would give. Forks, imports, private matches
    and matches that are not over never count. The workers count each match soon after it has ended;
    `wonderlog stats rebuild` counts all of them again.
    """
    context.obj = data
    if context.invoked_subcommand is not None:
        return
    statistics = stores.services(data).statistics
    try:
        games = statistics.games() if game is None else [game]
        reports = [statistics.of_all(each, tenant, ruleset, seats) for each in games]
    except NotFound:
        raise click.ClickException(f"there is no game {game}") from None
    if game is None:
        reports = [report for report in reports if report["matches"]]
    if folder is not None:
        _write(reports, folder)
    elif as_json:
        click.echo(json.dumps(reports, indent=2))
    elif not reports:
        click.echo("No finished public match was counted yet.")
    else:
        for report in reports:
            _show(report)


@stats.command()
@click.pass_obj
def rebuild(data: Path | None) -> None:
    """Count every match again from its log, and show that from then on."""
    made = stores.services(data)
    try:
        seen, counted = made.statistics.rebuild(made.every_match())
    except RebuildOvertaken as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{seen} matches looked at, {counted} counted.")


def _write(reports: Sequence[Json], folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for report in reports:
            for name in tables.TABLES:
                if not report[name]:
                    continue
                path = folder / f"{report['game']}-{name}.csv"
                with path.open("w", newline="", encoding="utf-8") as file:
                    csv.writer(file).writerows(tables.csv_rows(report[name]))
                click.echo(str(path))
    except OSError as error:
        raise click.ClickException(f"cannot write {folder}: {error.strerror}") from None


def _show(report: Json) -> None:
    console = shown.console()
    draws = report["draws"]
    console.print(
        f"[bold]{report['game']}[/bold], {report['ruleset']}: {report['matches']} matches,"
        f" {draws['as_drawn']} draws made again"
        + (f", [red]{draws['otherwise']} recorded otherwise[/red]" if draws["otherwise"] else "")
    )
    for name in tables.TABLES:
        rows = report[name]
        if not rows:
            continue
        ranked = sorted(rows, key=lambda row: row["rate"], reverse=True) if name == "cards" else rows
        ranked = sorted(rows, key=lambda row: row["mean"]) if name == "picks" else ranked
        table = Table(*rows[0], title=_HEADS[name], title_justify="left", pad_edge=False)
        for row in ranked[:_MOST]:
            table.add_row(*(_cell(value) for value in row.values()))
        console.print(table)
        if len(rows) > _MOST:
            console.print(f"and {len(rows) - _MOST} more: see --csv")


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return f"{value:.3f}" if isinstance(value, float) else str(value)
