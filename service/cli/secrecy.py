"""`wonderlog audit --secrecy`: did a finished match ever tell somebody what was hidden?"""

import json
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click

from events import bundle, imported
from events.envelope import FULL
from service import secrecy
from service.cli import bundles
from service.cli.client import Api, Json
from service.cli.options import access_of_environment

_MATCH: Final = re.compile(r"mat_[a-z2-7]{26}")
_PAUSE_S: Final = 0.5


class FileOrMatch(click.Path):
    """A file, or the id of a match."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; that of an id is not looked for."""
        return Path(value) if is_match(value) else super().convert(value, param, ctx)


def is_match(name: object) -> bool:
    """Whether this is the id of a match, and no file."""
    return _MATCH.fullmatch(str(name)) is not None and not Path(str(name)).exists()


def check_secrecy(sources: Sequence[Path], data: Path | None, as_json: bool) -> None:
    """Check each match and say what was found; the exit code is 1 if anything leaked. Raises
    click.ClickException."""
    if not sources:
        raise click.UsageError("give FILES or ids of matches")
    found = []
    for source in sources:
        report = _of_service(str(source), data) if is_match(source) else _of_file(source)
        found.append(report)
        if not as_json:
            _say(str(source), report)
    if as_json:
        click.echo(json.dumps(found, indent=2))
    if not all(report["secret"] for report in found):
        sys.exit(1)


def _of_file(path: Path) -> Json:
    lines = bundles.lines(path)
    verified = bundle.verify(lines)
    if not verified.ok:
        raise click.ClickException(f"{path}: line {verified.line}: {verified.kind}: {verified.reason}")
    read = bundle.read(lines)
    if read.header["perspective"] != FULL or not read.header["over"]:
        raise click.ClickException(f"{path}: only the full bundle of a match that is over can be checked")
    records = imported.records(read.envelopes)
    found = [asdict(each) for each in secrecy.check(bundles.game_of(read), records)]
    return secrecy.report(read.header["match"], len(records) - 1, found, len(found))


def _of_service(match: str, data: Path | None) -> Json:
    api: Api = access_of_environment(data).best()
    while (report := api.get(f"/v1/matches/{match}/audit/secrecy"))["status"] != secrecy.DONE:
        time.sleep(_PAUSE_S)
    return report


def _say(name: str, report: Json) -> None:
    for each in report["viewers"]:
        different = each["difference"]
        if different is not None:
            click.echo(
                f"{name}: {each['viewer']}: event {different['version']}: {different['response']} at"
                f" {different['place'] or '/'} differ from the world {different['world']}",
                err=True,
            )
    if report["secret"]:
        dealt = sum(each["dealt_anew"] for each in report["viewers"])
        exchanged = sum(each["exchanged"] for each in report["viewers"])
        click.echo(
            f"{name}: ok. {len(report['viewers'])} viewers at {report['versions']} versions, {dealt} worlds"
            f" dealt anew, {exchanged} with cards exchanged: all look the same."
        )
