"""A bundle decided again under the ruleset it was played under."""

import click

from events import bundle
from events.envelope import FULL
from service import redeciding
from service.cli.bundles import game_of
from service.redeciding import Redecided, Undecidable


def redecide(read: bundle.Bundle) -> Redecided:
    """Decide every command of a full bundle again. Raises click.ClickException for another bundle."""
    game = game_of(read)
    if read.header["perspective"] != FULL or not read.header["over"]:
        raise click.ClickException("only the full bundle of a match that is over can be decided again")
    try:
        return redeciding.redecide(game, read.header["match"], read.envelopes)
    except Undecidable as why:
        raise click.ClickException(f"{why}; see wonderlog verify") from None
