"""`wonderlog keys`: tenant keys made, listed, rotated, revoked, straight at the store."""

from pathlib import Path

import click
from rich.table import Table

from service import scopes
from service.cli import stores, tables
from service.cli.options import data_option
from service.errors import Invalid, NotFound
from service.keyring import OPERATOR, Wish
from service.tenant_keys import LIVE_MODE, TEST_MODE


@click.group()
@data_option()
@click.pass_context
def keys(context: click.Context, data: Path | None) -> None:
    """Make, list, rotate and revoke tenant keys.

    A tenant is whoever builds on the service: it creates matches and hands out seats. Keys are kept hashed,
    so a lost one cannot be shown again: rotate it, or make another and revoke it.
    """
    context.obj = data


@keys.command()
@click.argument("tenant")
@click.option(
    "--scope",
    "wanted",
    multiple=True,
    type=click.Choice(list(scopes.SCOPES)),
    help="What the key is for; may be given several times.  [default: everything]",
)
@click.option("--test", is_flag=True, help="A key of the test mode, which begins with tk_test_.")
@click.option("--label", default="", help="A name for it in lists.")
@click.pass_obj
def create(data: Path | None, tenant: str, wanted: tuple[str, ...], test: bool, label: str) -> None:
    """Make a key for TENANT (letters, digits, _ and -) and print it, this once."""
    wish = Wish(wanted or None, TEST_MODE if test else LIVE_MODE, label)
    made = stores.services(data).keys.create(tenant, wish)
    click.echo(made.key)
    click.echo(f"Key {made.id} of {made.tenant}. It is not shown again.", err=True)


@keys.command("list")
@click.pass_obj
def list_keys(data: Path | None) -> None:
    """List all keys, oldest first, without their secrets."""
    ring = stores.services(data).keys
    table = Table("id", "tenant", "mode", "scopes", "created", "last used", "ends", "label", pad_edge=False)
    used = ring.used()
    for record in ring.all():
        named = "all" if record.scopes is None or scopes.ALL.issubset(record.scopes) else None
        table.add_row(
            record.id,
            record.tenant,
            record.mode,
            named or " ".join(record.scopes or ()),
            record.created_at,
            used.get(record.id, "-"),
            record.revoked_at or record.expires_at or "-",
            record.label or "-",
        )
    tables.console().print(table)


@keys.command()
@click.argument("id")
@click.option("--overlap", default=0, show_default=True, help="Seconds for which the old key stays good.")
@click.pass_obj
def rotate(data: Path | None, id: str, overlap: int) -> None:
    """Replace the key ID by a new one like it and print that, this once."""
    try:
        made = stores.services(data).keys.rotate_for_operator(id, overlap)
    except NotFound:
        raise click.ClickException(f"there is no key {id} that is good") from None
    click.echo(made.key)
    click.echo(f"Key {made.id} of {made.tenant}. It is not shown again.", err=True)


@keys.command()
@click.argument("id")
@click.pass_obj
def revoke(data: Path | None, id: str) -> None:
    """Revoke the key ID; it is refused everywhere within two seconds."""
    if not stores.services(data).keys.revoke(id):
        raise click.ClickException(f"there is no key {id}")
    click.echo(f"Revoked {id}.")


@keys.command()
@click.argument("tenant")
@click.argument("origins", nargs=-1)
@click.pass_obj
def origins(data: Path | None, tenant: str, origins: tuple[str, ...]) -> None:
    """Let pages of these ORIGINS, and no others, call for TENANT from a browser."""
    try:
        stores.services(data).origins.set_for(tenant, origins, OPERATOR)
    except Invalid as wrong:
        raise click.ClickException(str(wrong)) from None
    click.echo(f"{tenant}: {' '.join(origins) or 'none'}")


@keys.command()
@click.pass_obj
def log(data: Path | None) -> None:
    """Show what was done with keys and origins, oldest first, and by whom."""
    table = Table("at", "action", "key", "tenant", "by", "detail", pad_edge=False)
    for done in stores.services(data).keys.actions():
        table.add_row(done.at, done.action, done.id or "-", done.tenant, done.by, done.detail)
    tables.console().print(table)
