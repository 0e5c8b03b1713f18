"""A bundle folded again, without any server."""

import sys
from dataclasses import dataclass
from pathlib import Path

import click

from domain.kernel import match as match_rules
from domain.kernel import table
from domain.kernel.game import Event, Game
from domain.kernel.library import UnknownRuleset, pin_of
from domain.kernel.seats import SPECTATOR, Viewer
from events import bundle
from events.canonical import Malformed
from service import card_sets, redeciding
from service.cli.client import Json
from service.settings import KINGDOM_CARDS, SettingsError


@dataclass(slots=True)
class Folded:
    """The match of a bundle at one version, as far as its perspective saw it."""

    game: Game
    state: table.Match
    perspective: str

    def view(self, seat: int | None = None) -> Json:
        """What a seat saw (None: whom the bundle was made for, else a spectator). Raises click.UsageError."""
        return match_rules.view(self.game, self.state, self._viewer(seat))

    def _viewer(self, seat: int | None) -> Viewer:
        own = int(self.perspective[1:]) if self.perspective[0] == "s" else SPECTATOR
        if seat is None or seat == own:
            return own
        if self.perspective != "full":
            raise click.UsageError(
                f"this bundle holds what {self.perspective} saw; a full one shows seat {seat}"
            )
        if seat >= len(self.state.chairs):
            raise click.UsageError(f"there is no seat {seat}")
        return seat


def read(path: Path) -> bundle.Bundle:
    """The bundle in a file, - for standard input; not verified. Raises click.ClickException."""
    return read_lines(path, lines(path))


def read_lines(path: Path, lines: list[bytes]) -> bundle.Bundle:
    """The bundle in the lines of a file; not verified. Raises click.ClickException."""
    try:
        return bundle.read(lines)
    except Malformed as error:
        raise click.ClickException(f"{path}: {error.detail}; see wonderlog verify") from None


def lines(path: Path) -> list[bytes]:
    """The lines of a file, - for standard input, each with its end."""
    if str(path) == "-":
        return list(sys.stdin.buffer)
    with path.open("rb") as file:
        return list(file)


def game_of(read: bundle.Bundle) -> Game:
    """The game of a bundle, with its card set, which WONDERLOG_KINGDOM_CARDS may name. Raises
    click.ClickException for one that is not known here."""
    return game_for(read.header["game"], read.header["ruleset"])


def game_for(name: str, ruleset: str) -> Game:
    """A game under a ruleset. Raises as `game_of` does."""
    try:
        games = card_sets.of_environment()
        return games.game_for(name, ruleset)
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
    except UnknownRuleset:
        if name not in games:
            raise click.ClickException(f"this release knows no game {name!r}") from None
        if not pin_of(ruleset):
            raise click.ClickException(f"this release has no rules {ruleset}") from None
        raise click.ClickException(
            f"no rules or cards here for {ruleset}; name the folder of its card set in {KINGDOM_CARDS}"
        ) from None


def event_of(game: Game, envelope: Json) -> Event:
    """The event of an envelope in its newest shape. Raises click.ClickException."""
    try:
        return redeciding.event_of(game, envelope)
    except redeciding.Undecidable as why:
        raise click.ClickException(f"{why}; see wonderlog verify") from None


def fold(read: bundle.Bundle, version: int | None = None) -> Folded:
    """Fold a bundle up to a version (None: all of it). Raises click.ClickException."""
    game, count = game_of(read), len(read.envelopes)
    if version is not None and version > count:
        raise click.ClickException(f"the bundle ends at version {count}")
    state = match_rules.initial()
    for envelope in read.envelopes[:version]:
        match_rules.evolve(game, state, event_of(game, envelope))
    return Folded(game, state, read.header["perspective"])
