"""`wonderlog lists`: the lists of matches, held against the logs or made from them again."""

import sys
from pathlib import Path

import click

from service.cli import stores
from service.cli.options import data_option
from service.relisting import Report


@click.group()
@data_option()
@click.pass_context
def lists(context: click.Context, data: Path | None) -> None:
    """Check the lists of matches, or make them from the logs again, while the service runs.

    Lists are a projection: everything in them follows from the logs.
    """
    context.obj = data


@lists.command()
@click.pass_obj
def rebuild(data: Path | None) -> None:
    """Make the lists again from all logs, then check them."""
    services = stores.services(data)
    services.upkeep.rebuild()
    found = services.relisting.check(repair=True)
    click.echo(f"{found.matches} matches; put right: {found.wrong}, struck off: {found.orphans}")
    _verdict(services.relisting.check())


@lists.command()
@click.pass_obj
def check(data: Path | None) -> None:
    """Hold the lists against all logs and change nothing. Status 1 if they differ."""
    _verdict(stores.services(data).relisting.check())


def _verdict(found: Report) -> None:
    left = f"; {found.left_alone} cannot be read here" if found.left_alone else ""
    if found.is_clean:
        click.echo(f"{found.matches} matches: the lists say what the logs say{left}")
        return
    click.echo(f"{found.matches} matches: wrong: {found.wrong}, without a log: {found.orphans}{left}")
    sys.exit(1)
