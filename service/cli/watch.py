"""`wonderlog watch`: follow a match as it happens."""

import json

import click

from domain.kernel.table import MatchEnded
from service import wire
from service.cli import tables
from service.cli.options import Access, access_options

_OVER = wire.table_name(MatchEnded)


@click.command()
@click.argument("match")
@click.option(
    "--after", default=0, show_default=True, help="Begin after this version.", type=click.IntRange(0)
)
@click.option("--json", "as_json", is_flag=True, help="Print each event as a JSON line, as it is served.")
@access_options
def watch(access: Access, match: str, after: int, as_json: bool) -> None:
    """Follow MATCH, an event a line, until it is over.

    Without a credential you see a public match as a spectator; with a seat token (--token) what that seat
    sees. Ctrl-C ends it; --after goes on from where you were.
    """
    console = tables.console()
    api = access.best()
    names = tables.names_of(api, match)
    while True:
        page = api.get(f"/v1/matches/{match}/events", after=after, limit=200, wait=25)
        for event in page["items"]:
            if as_json:
                click.echo(json.dumps(event, separators=(",", ":")))
            else:
                tables.print_event(console, event, names)
            if event["type"] == _OVER:
                if not as_json:
                    view = api.get(f"/v1/matches/{match}/view")
                    console.print(tables.scores(view["outcome"], view["seats"]))
                return
        after = page["next_after"]
