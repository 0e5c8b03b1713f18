"""`wonderlog import`: a bundle brought to a service."""

from pathlib import Path
from uuid import uuid4

import click

from service.cli import bundles
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


# The group looks a command up by its name, which is no name Python lets a function have.
globals()["import"] = import_bundle
