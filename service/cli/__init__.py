"""The `wonderlog` command. It starts job workers as processes, never imports them."""

import sys
from importlib.metadata import version

import click

from events.store import StoreUnavailable
from service.cli.demo import demo
from service.cli.keys import keys
from service.cli.log import export, replay, verify
from service.cli.play import play
from service.cli.serving import serve, up, work
from service.cli.watch import watch
from service.errors import Invalid
from service.settings import SettingsError


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(version("wonderlog"), prog_name="wonderlog")
def cli() -> None:
    """Wonderlog: an engine for drafting games, run as a service. Every match is a log that anyone can check.

    \b
    See it work:     wonderlog demo
    Run it:          wonderlog up
    Play:            wonderlog play, watch
    Look at a log:   wonderlog export, verify, replay
    Operate:         wonderlog serve, work, keys
    """


for command in (demo, up, play, watch, replay, export, verify, serve, work, keys):
    cli.add_command(command)


def main() -> None:
    """Run the command line of this process."""
    try:
        cli()
    except (StoreUnavailable, SettingsError, Invalid) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(1)
