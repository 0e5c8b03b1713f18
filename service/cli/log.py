"""`wonderlog export`, `verify`, `replay`: the log of a match in a file, checked, folded again."""

import json
import sys
from contextlib import suppress
from pathlib import Path

import click

from events import bundle, published_keys
from events.canonical import Malformed
from events.codec import UnknownEvent
from service import replay as replays
from service.cli import bundles, stepping, tables
from service.cli.options import Access, access_options


@click.command()
@click.argument("match")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to this file; else to stdout.",
)
@click.option("--notation", is_flag=True, help="Write the notation of a match that is over instead.")
@click.option("--html", is_flag=True, help="Write the replay as one HTML file instead.")
@access_options
def export(access: Access, match: str, output: Path | None, notation: bool, html: bool) -> None:
    """Write the bundle of MATCH: a header, an event a line, a signed trailer.

    Once a match is over its bundle holds everything, secrets included, so that anybody can check it with
    `wonderlog verify`. Before, it holds what your credential lets you see.
    """
    if notation and html:
        raise click.UsageError("--notation or --html, not both")
    form = "?format=notation" if notation else "?format=html" if html else ""
    lines = access.best().lines(f"/v1/matches/{match}/export{form}")
    if output is None:
        for line in lines:
            click.echo(line, nl=False)
        return
    draft = output.with_name(f".{output.name}.part")
    try:
        with draft.open("wb") as file:
            file.writelines(lines)
        draft.replace(output)
    except OSError as error:
        raise click.ClickException(f"cannot write {output}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    click.echo(f"{output}: {output.stat().st_size} bytes", err=True)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option(
    "--trust",
    "trusted",
    multiple=True,
    metavar="HEX",
    help="Public key of the service, known from elsewhere; a bundle signed by another is refused.",
)
@click.option(
    "--keys",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File of the keys to trust, as /.well-known/wonderlog-keys.json gives it.",
)
def verify(file: Path, trusted: tuple[str, ...], keys: Path | None) -> None:
    """Check the bundle FILE (- for stdin) and name its first wrong line.

    Recomputes the chain of hashes, opens every seal it can, makes every draw again from the revealed secrets,
    checks the signature. Nothing is asked of any server. The exit code is 1 if anything was edited, dropped,
    swapped, added or cut off.
    """
    lines = bundles.lines(file)
    report = bundle.verify(lines, _trusted(trusted, keys))
    if not report.ok:
        raise click.ClickException(f"{file}: line {report.line}: {report.kind}: {report.reason}")
    signed = "signed by a trusted key" if report.trusted else "signed" if report.signed else "not signed"
    origin = bundle.read(lines).envelopes[0]["data"].get("forked_from")
    if origin is not None:
        signed += (
            f"; a fork of {origin['match']}, whose {origin['version']} events it begins with, draws included"
        )
    click.echo(
        f"{file}: ok. {report.events} events, {report.seals_opened} of {report.seals} seals opened, "
        f"{report.draws_repeated} of {report.draws} draws repeated, {signed}."
    )


def _trusted(named: tuple[str, ...], file: Path | None) -> bundle.Trusted | None:
    """The keys named and those in the file; None where nothing was said. Raises click.ClickException."""
    if file is None:
        return dict.fromkeys(named) if named else None
    try:
        return published_keys.read(file.read_bytes()) | dict.fromkeys(named)
    except Malformed as error:
        raise click.ClickException(f"{file}: {error.detail}") from None


@click.command()
@click.argument("source", metavar="FILE|MATCH")
@click.option("--at", "version", type=click.IntRange(1), help="Version to stop at; else the newest.")
@click.option(
    "--as", "seat", type=click.IntRange(0, 6), help="Seat to look from; FILE must hold what it saw."
)
@click.option("--json", "as_json", is_flag=True, help="Print the view as JSON.")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="OUT",
    help="Write the replay of FILE as one HTML file, which opens from disk and needs no network.",
)
@click.option("--step", is_flag=True, help="Step through FILE; so it is in a terminal without --at.")
@access_options
def replay(
    access: Access,
    source: str,
    version: int | None,
    seat: int | None,
    as_json: bool,
    html: Path | None,
    step: bool,
) -> None:
    """Show a match as it stood at a version, or step through it.

    FILE is a bundle, folded here without any server; MATCH is an id, asked of the service.
    """
    if (html or step) and not Path(source).is_file():
        raise click.UsageError("--html and --step are for a FILE: see wonderlog export")
    in_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if html is not None:
        _write_page(bundles.read(Path(source)), html)
        return
    if step or (in_terminal and Path(source).is_file() and version is None and not as_json):
        read = bundles.read(Path(source))
        stepping.step(read, bundles.game_of(read), version, seat, tables.console(), _answer)
        return
    if Path(source).is_file():
        folded = bundles.fold(bundles.read(Path(source)), version)
        view, names = folded.view(seat), tables.Names(folded.game.catalogue())
    else:
        if seat is not None:
            raise click.UsageError("--as is for a FILE; for a MATCH give the token of the seat")
        api = access.best()
        query = {} if version is None else {"version": version}
        view = api.get(f"/v1/matches/{source}/view", **query)
        names = tables.names_of(api, source)
    if as_json:
        click.echo(json.dumps(view, indent=2))
    else:
        tables.console().print(tables.view(view, names))


def _answer(prompt: str) -> str | None:
    """What somebody types; None at the end of the input."""
    try:
        return str(click.prompt(prompt, default="", show_default=False, prompt_suffix="> "))
    except click.Abort:
        return None


def _write_page(read: bundle.Bundle, out: Path) -> None:
    try:
        page = replays.page(bundles.game_of(read), read)
        out.write_text(page, encoding="utf-8")
    except (Malformed, UnknownEvent) as error:
        raise click.ClickException(f"the bundle cannot be read ({error}); see wonderlog verify") from None
    except OSError as error:
        raise click.ClickException(f"cannot write {out}: {error.strerror}") from None
    click.echo(f"{out}: {out.stat().st_size} bytes", err=True)
