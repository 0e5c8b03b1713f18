"""`wonderlog notation`: a finished match as a text for people, and a bundle from such a text."""

from pathlib import Path

import click

from events import bundle
from events.canonical import Malformed
from events.codec import UnknownEvent
from service import card_sets
from service.cli import bundles
from service.games import Catalogue
from service.notation import NotNotation, NotWritable, bundling, reading


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to this file; else to stdout.",
)
def notation(file: Path, output: Path | None) -> None:
    """Write the finished match in the bundle FILE (- for stdin) down in its notation, or the other way.

    The notation holds what was decided and what was drawn, in words. A FILE that is a notation is played
    again by the rules, which must come to the same end, and written as a bundle without a signature, every
    event at the same moment: for `wonderlog replay`, `audit` and `verify`.
    """
    lines = bundles.lines(file)
    made = _bundle(file, lines) if _is_notation(lines) else text_of(bundles.read_lines(file, lines)).encode()
    if output is None:
        click.echo(made, nl=False)
        return
    try:
        output.write_bytes(made)
    except OSError as error:
        raise click.ClickException(f"cannot write {output}: {error.strerror}") from None
    click.echo(f"{output}: {len(made)} bytes", err=True)


def text_of(read: bundle.Bundle) -> str:
    """The notation of a bundle. Raises click.ClickException."""
    try:
        return bundling.notation(bundles.game_of(read), read)
    except NotWritable as error:
        raise click.ClickException(str(error)) from None
    except (Malformed, UnknownEvent) as error:
        raise click.ClickException(f"the bundle cannot be read ({error}); see wonderlog verify") from None


def _is_notation(lines: list[bytes]) -> bool:
    return bool(lines) and lines[0].lstrip().startswith(b"[")


def _bundle(file: Path, lines: list[bytes]) -> bytes:
    try:
        text = b"".join(lines).decode()
        head = reading.tags(text)
        game = bundles.game_for(str(head.get("Game")), str(head.get("Ruleset")))
        played = reading.read(game, text)
    except UnicodeDecodeError:
        raise click.ClickException(f"{file}: the text is not UTF-8") from None
    except NotNotation as error:
        raise click.ClickException(f"{file}: {error}") from None
    digest = Catalogue(card_sets.of_environment()).ruleset_digest(game)
    return b"".join(bundling.bundled(played, digest))
