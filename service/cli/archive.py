"""`wonderlog archive`: finished matches moved, brought back, listed, checked; how long they stay."""

from pathlib import Path

import click
from rich.table import Table

from events.archive import Damaged
from events.store import Archived
from service.archiving import Archiving, Outcome
from service.cli import stores, tables
from service.cli.options import data_option
from service.clock import timestamp
from service.credentials import TENANT
from service.retention import Retention

_DAY_S = 86_400


@click.group()
@data_option()
@click.pass_context
def archive(context: click.Context, data: Path | None) -> None:
    """Move finished matches into the archive, bring them back, list and check them.

    Workers do the moving by themselves. A match in the archive is read through the same addresses, and not a
    byte of it is another.
    """
    context.obj = data


@archive.command()
@click.argument("matches", nargs=-1)
@click.option("--prune", is_flag=True, help="Also remove files that are no match's and older than a day.")
@click.pass_obj
def run(data: Path | None, matches: tuple[str, ...], prune: bool) -> None:
    """Move every match whose time has come, or MATCHES that are over, at once.

    Also removes the matches whose time in the archive is over.
    """
    archiving = _archiving(data)
    counts: dict[Outcome, int] = {}
    failed = 0
    for match in matches or archiving.in_store():
        try:
            outcome = archiving.archive(match, now=bool(matches))
        except Damaged as error:
            click.echo(f"{match}: {error}", err=True)
            failed += 1
            continue
        counts[outcome] = counts.get(outcome, 0) + 1
        if matches:
            click.echo(f"{match}: {outcome}")
    removed = archiving.expire()
    said = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())) or "no match"
    click.echo(f"{said}; {removed} removed for good" + (f"; {failed} failed" if failed else ""))
    if prune:
        click.echo(f"{archiving.prune()} files removed that were nobody's")
    if failed:
        raise click.exceptions.Exit(1)


@archive.command()
@click.argument("matches", nargs=-1, required=True)
@click.option("--days", default=7, show_default=True, help="Days after which a worker moves them again.")
@click.pass_obj
def restore(data: Path | None, matches: tuple[str, ...], days: int) -> None:
    """Bring MATCHES back into the store."""
    archiving = _archiving(data)
    for match in matches:
        try:
            there = archiving.restore(match, days * _DAY_S)
        except Archived:
            raise click.ClickException(f"{match} was removed for good") from None
        click.echo(f"{match}: {'restored' if there else 'not in the archive'}")


@archive.command("list")
@click.option("--tenant", default="", help="Only the matches of this tenant.")
@click.pass_obj
def list_matches(data: Path | None, tenant: str) -> None:
    """List the matches in the archive, by the time of their end."""
    table = Table("match", "tenant", "ended", "events", "bytes", pad_edge=False)
    for listed in sorted(_archiving(data).present(tenant), key=lambda each: (each.ended_ms, each.match)):
        ended = timestamp(listed.ended_ms)
        table.add_row(listed.match, listed.tenant, ended, str(listed.version), str(listed.size))
    tables.console().print(table)


@archive.command()
@click.option("--tenant", default="", help="Only the matches of this tenant.")
@click.pass_obj
def verify(data: Path | None, tenant: str) -> None:
    """Check every match in the archive: digest, chain and seals, and that no file is missing."""
    archiving = _archiving(data)
    count, wrong = 0, 0
    for finding in archiving.verify(tenant):
        count += 1
        if finding.reason:
            wrong += 1
            click.echo(f"{finding.match}: {finding.reason}", err=True)
    click.echo(f"{count} matches, {wrong} wrong")
    if wrong:
        raise click.exceptions.Exit(1)


@archive.command()
@click.argument("tenant", required=False)
@click.option("--after", type=click.IntRange(0), help="Seconds after its end at which a match moves.")
@click.option("--never", is_flag=True, help="Matches of the tenant stay in the store.")
@click.option(
    "--keep-days", type=click.IntRange(1), help="Days after its end at which a match is removed for good."
)
@click.option("--usual", is_flag=True, help="As everybody's again.")
@click.pass_obj
def retention(
    data: Path | None, tenant: str | None, after: int | None, never: bool, keep_days: int | None, usual: bool
) -> None:
    """Show how long matches stay where, or set it for TENANT.

    What is not said is as usual: a match moves after WONDERLOG_ARCHIVE_AFTER_S and is kept for ever. Workers
    go by a change within six hours, `wonderlog archive run` at once. The sandbox of TENANT follows.
    """
    archiving = _archiving(data)
    if tenant is not None:
        if not TENANT.fullmatch(tenant):
            raise click.UsageError(f"{tenant!r} is no tenant")
        if usual + never + (after is not None) > 1 or (usual and keep_days is not None):
            raise click.UsageError("--usual, --never and --after exclude each other")
        if never and keep_days is not None:
            raise click.UsageError("matches are removed from the archive only: --never keeps them out of it")
        if usual:
            archiving.retentions.set(tenant, None)
        elif never or after is not None or keep_days is not None:
            keep_s = None if keep_days is None else keep_days * _DAY_S
            moves = None if never else archiving.usual.after_s if after is None else after
            archiving.retentions.set(tenant, Retention(moves, keep_s))
    table = Table("tenant", "moves after", "removed after", pad_edge=False)
    known = archiving.retentions.all()
    names = ["", *sorted(known)] if tenant is None else [tenant]
    for name in names:
        found = known.get(name, archiving.usual)
        table.add_row(name or "usual", _seconds(found.after_s), _seconds(found.keep_s))
    tables.console().print(table)


def _seconds(value: int | None) -> str:
    return "never" if value is None else f"{value} s"


def _archiving(data: Path | None) -> Archiving:
    found = stores.services(data).archiving
    if not found.is_set_up:
        raise click.ClickException("no archive is set up: WONDERLOG_ARCHIVE_URL")
    return found
