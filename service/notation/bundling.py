"""Between bundles and notation."""

from collections.abc import Iterator

from domain.kernel.chance import subkey
from domain.kernel.game import Game
from events import bundle
from events.chain import seal_events, served
from events.envelope import FULL, ZERO_HASH, Recorded
from service import replay
from service.notation import NotWritable
from service.notation.reading import Played
from service.notation.writing import written


def notation(game: Game, read: bundle.Bundle) -> str:
    """The notation of a bundle. Raises NotWritable, and what reading its events does."""
    if read.header["perspective"] != FULL or not read.header["over"]:
        raise NotWritable("only the full bundle of a match that is over can be written down")
    return written(game, read.envelopes, replay.events(game, read.envelopes))


def bundled(played: Played, digest: str) -> Iterator[bytes]:
    """The lines of an unsigned bundle of a match that was read: every event at the date of the first.
    `digest` names the ruleset."""
    key = subkey(played.chance.match_key, "seal")
    records: list[Recorded] = []
    for drafts in played.commands:
        prev_hash = records[-1].hash if records else ZERO_HASH
        records += seal_events(drafts, played.match, len(records), prev_hash, played.date, key)
    game, seats = played.game, len(records[0].data["seats"])
    info = bundle.BundleInfo(game.NAME, game.RULESET, digest, seats, FULL, True)
    return bundle.write(info, served(records, FULL, key, with_parts=True))
