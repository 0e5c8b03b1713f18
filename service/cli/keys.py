"""`wonderlog keys`: tenant keys made, listed, revoked, straight at the store."""

import os
from pathlib import Path

import click
from rich.table import Table

from service import bootstrap, settings
from service.cli import home as homes
from service.cli import tables
from service.keyring import TenantKeys


@click.group()
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    envvar="WONDERLOG_DATA",
    show_envvar=True,
    help="Data directory of a running `wonderlog up`; else the store of WONDERLOG_STREAMS_URL.",
)
@click.pass_context
def keys(context: click.Context, data: Path | None) -> None:
    """Make, list and revoke tenant keys.

    A tenant is whoever builds on the service: it creates matches and hands out seats. Keys are kept hashed,
    so a lost one cannot be shown again: make another and revoke it.
    """
    context.obj = data


@keys.command()
@click.argument("tenant")
@click.pass_obj
def create(data: Path | None, tenant: str) -> None:
    """Make a key for TENANT (letters, digits, _ and -) and print it, this once."""
    made = _keys(data).create(tenant)
    click.echo(made.key)
    click.echo(f"Key {made.id} of {made.tenant}. It is not shown again.", err=True)


@keys.command("list")
@click.pass_obj
def list_keys(data: Path | None) -> None:
    """List all keys, oldest first, without their secrets."""
    table = Table("id", "tenant", "created", "revoked", pad_edge=False)
    for record in _keys(data).all():
        table.add_row(record.id, record.tenant, record.created_at, record.revoked_at or "-")
    tables.console().print(table)


@keys.command()
@click.argument("id")
@click.pass_obj
def revoke(data: Path | None, id: str) -> None:
    """Revoke the key ID; it is refused everywhere within two seconds."""
    if not _keys(data).revoke(id):
        raise click.ClickException(f"there is no key {id}")
    click.echo(f"Revoked {id}.")


def _keys(data: Path | None) -> TenantKeys:
    environment = dict(os.environ)
    if data is not None:
        ready = homes.read_ready(data)
        environment["WONDERLOG_STREAMS_URL"] = ready["redis_url"]
        environment["WONDERLOG_SERVER_SECRET"] = homes.load_secrets(data).server_secret
    made = bootstrap.services(settings.from_environment(environment))
    context = click.get_current_context()
    context.call_on_close(made.close)
    return made.keys
