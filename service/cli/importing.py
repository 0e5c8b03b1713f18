"""`wonderlog import`: a bundle brought to a service; `wonderlog imports`: what was brought there."""

from pathlib import Path
from uuid import uuid4

import click
from rich.table import Table

from service.cli import bundles, tables
from service.cli.options import Access, access_options


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@access_options
def import_bundle(access: Access, file: Path) -> None:
    """Bring the finished match in FILE (- for stdin) to the service, to be seen there.

    FILE is a bundle, or a notation with its key. The service checks it as `wonderlog verify` and `wonderlog
    audit` do and refuses it with the first wrong line. It is marked as foreign for ever and cannot be
    played. Prints the id it got.
    """
    raw = b"".join(bundles.lines(file))
    media = "text/plain" if raw.startswith(b"[") else "application/x-ndjson"
    match = access.host().upload("/v1/imports", raw, media, uuid4().hex)
    click.echo(match["id"])
    origin = match["foreign"]["match"]
    click.echo(f"{match['game']}, from {origin}; see it: wonderlog replay {match['id']}", err=True)


@click.group()
def imports() -> None:
    """List the imported matches of a tenant, or remove some."""


@imports.command("list")
@access_options
def list_imports(access: Access) -> None:
    """List what the tenant has imported, the newest first."""
    table = Table("match", "game", "from", "imported", "removed", "bytes", pad_edge=False)
    for each in access.host().get("/v1/imports")["items"]:
        until = each["removed_at"] or "never"
        shown = (each["id"], each["game"], each["match"], each["imported_at"], until, str(each["bytes"]))
        table.add_row(*shown)
    tables.console().print(table)


@imports.command()
@click.argument("matches", nargs=-1, required=True)
@access_options
def delete(access: Access, matches: tuple[str, ...]) -> None:
    """Remove imported MATCHES for good, for everybody who could see them."""
    host = access.host()
    for match in matches:
        host.delete(f"/v1/imports/{match}")
        click.echo(f"{match}: removed")


# The group looks a command up by its name, which is no name Python lets a function have.
globals()["import"] = import_bundle
