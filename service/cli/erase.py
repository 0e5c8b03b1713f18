"""`wonderlog erase`: persons erased by the operator, straight at the store."""

from contextlib import suppress
from pathlib import Path

import click
from rich.table import Table

from events.store import Archived
from service.access import TENANT_SECRET
from service.cli import stores, tables
from service.cli.options import data_option
from service.keyring import OPERATOR

_ASK_AGAIN = "Its server is at work on its file already: run `wonderlog erase compact` in a while."


@click.group()
@data_option("the stores of the environment")
@click.pass_context
def erase(context: click.Context, data: Path | None) -> None:
    """Erase persons: their names cannot be read any more, wherever they are kept.

    Names are sealed under a key for each person, kept apart from the matches; erasing destroys the key. No
    log changes. Erasing again does nothing.
    """
    context.obj = data


@erase.command()
@click.argument("tenant")
@click.argument("player_ref")
@click.pass_obj
def player(data: Path | None, tenant: str, player_ref: str) -> None:
    """Erase whom TENANT calls PLAYER_REF, in all matches."""
    persons = stores.services(data).persons
    _say(persons.erase(tenant, player_ref, OPERATOR))


@erase.command()
@click.argument("match")
@click.argument("seat", type=click.IntRange(0, 6))
@click.pass_obj
def seat(data: Path | None, match: str, seat: int) -> None:
    """Erase whoever sits at SEAT of MATCH and was given no player_ref."""
    services = stores.services(data)
    try:
        tenant = services.store.secrets(match).get(TENANT_SECRET)
    except Archived:
        raise click.ClickException(f"{match} was removed for good, and its names with it") from None
    except ValueError:
        tenant = None
    if tenant is None:
        raise click.ClickException(f"there is no match {match}")
    _say(services.persons.erase_seat(match, seat, tenant, OPERATOR))


@erase.command()
@click.pass_obj
def compact(data: Path | None) -> None:
    """Have the server with the keys write its append-only file anew, without what was destroyed."""
    if not stores.services(data).persons.compact():
        raise click.ClickException(_ASK_AGAIN)
    click.echo("The file is being written anew.")


@erase.command()
@click.pass_obj
def seal(data: Path | None) -> None:
    """Seal the names that matches of older releases hold in plain, also those in the archive."""
    services = stores.services(data)
    sealed = 0
    for match in services.every_match():
        # What was removed for good has no names any more.
        with suppress(Archived):
            sealed += services.persons.migrate(services.store, match)
    click.echo(f"Sealed {sealed} names.")


@erase.command()
@click.pass_obj
def log(data: Path | None) -> None:
    """Show what was erased, oldest first, and by whom; not who it was."""
    table = Table("at", "tenant", "by", "outcome", pad_edge=False)
    for done in stores.services(data).persons.erasures():
        table.add_row(done.at, done.tenant, done.by, done.outcome)
    tables.console().print(table)


def _say(done: bool) -> None:
    click.echo("Erased." if done else "There is nobody to erase.")
