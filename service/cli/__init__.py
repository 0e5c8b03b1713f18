"""The `wonderlog` command. It starts job workers as processes, never imports them."""

import sys
from importlib import import_module
from importlib.metadata import version
from typing import Final

import click

from events.store import OutcomeUnknown, StoreUnavailable
from service.errors import Invalid
from service.settings import SettingsError

# Each command and the module of this package it is in, imported when it is asked for: a client command starts
# in a third of the time it takes to load the whole service.
COMMANDS: Final = {
    "demo": "demo",
    "up": "serving",
    "play": "play",
    "watch": "watch",
    "replay": "log",
    "export": "log",
    "import": "importing",
    "imports": "importing",
    "verify": "log",
    "audit": "auditing",
    "notation": "notation",
    "stats": "stats",
    "serve": "serving",
    "work": "serving",
    "keys": "keys",
    "lists": "lists",
    "erase": "erase",
    "archive": "archive",
}


class Commands(click.Group):
    """A group that knows its commands by name before they are imported."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command, None if there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = getattr(import_module(f"{__name__}.{COMMANDS[cmd_name]}"), cmd_name)
        return found


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(version("wonderlog"), prog_name="wonderlog")
def cli() -> None:
    """Wonderlog: an engine for drafting games, run as a service. Every match is a log that anyone can check.

    \b
    See it work:     wonderlog demo
    Run it:          wonderlog up
    Play:            wonderlog play, watch
    Look at a log:   wonderlog export, import, imports, verify, audit, replay, notation
    Operate:         wonderlog serve, work, keys, lists, erase, archive, stats
    """


def main() -> None:
    """Run the command line of this process."""
    try:
        cli()
    except (StoreUnavailable, OutcomeUnknown, SettingsError, Invalid) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(1)
