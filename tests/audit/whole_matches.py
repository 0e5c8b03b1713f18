"""Whole matches of every game as bundles, and everything that can be changed in a line of one."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import rfc8785

from domain import seven_wonders, wonderful_kingdom, wonderful_world
from domain.kernel.chance import subkey
from domain.kernel.game import Game
from events import bundle
from events.chain import seal_events, served
from events.envelope import ZERO_HASH, Draft, Recorded
from service import wire
from tests import twins
from tests.audit.short_match import OCCURRED_AT, SIGNER

JSON = dict[str, Any]

MATCH = "mat_" + "wholematch" * 2 + "ofgame"
SEED = 11
SECRETS = twins.chance(MATCH, SEED)

# A table of each game: seats and options.
TABLES: dict[str, tuple[Game, int, JSON]] = {
    seven_wonders.NAME: (seven_wonders, 3, {}),
    wonderful_world.NAME: (wonderful_world, 2, {}),
    wonderful_kingdom.NAME: (wonderful_kingdom.GAME, 2, {"mode": "menaces"}),
}


@cache
def log_of(name: str) -> list[Recorded]:
    """A match of the game, played at random, as it is recorded."""
    game, seats, options = TABLES[name]
    told, key = twins.tell(game, seats, SEED, MATCH, **options), SECRETS.match_key
    log: list[Recorded] = []
    for number in sorted({each.command for each in told}):
        mine = [each for each in told if each.command == number]
        drafts = wire.of(game).drafts([each.fact for each in mine], mine[0].decision, {})
        previous = log[-1].hash if log else ZERO_HASH
        log += seal_events(drafts, MATCH, len(log), previous, OCCURRED_AT, subkey(key, "seal"))
    return log


def sealed(name: str, changed: dict[int, JSON]) -> list[bytes]:
    """The lines of a full bundle in which some events (by their place, from 0) have other data, as somebody
    writes it who has all keys: hashed, sealed and signed in good order."""
    game, seats, _ = TABLES[name]
    key, log = subkey(SECRETS.match_key, "seal"), list[Recorded]()
    for at, event in enumerate(log_of(name)):
        data = changed.get(at, event.data)
        known = None if not event.seals else {seat: event.parts[seat] for seat in event.parts}
        if at in changed and known is not None:
            known = dict.fromkeys(known, data)
        public = event.public if event.seals and at not in changed else data
        draft = Draft(
            event.type,
            event.schema,
            event.ruleset,
            event.decision,
            event.actor,
            event.cause,
            data,
            public,
            known,
        )
        previous = log[-1].hash if log else ZERO_HASH
        log += seal_events([draft], MATCH, at, previous, OCCURRED_AT, key, event.command)
    info = bundle.BundleInfo(name, game.RULESET, "ab" * 32, seats, "full", True)
    return list(bundle.write(info, served(log, "full", key, with_parts=True), SIGNER))


def line(value: Any) -> bytes:
    """The canonical line of a value."""
    return rfc8785.dumps(value) + b"\n"


@cache
def lines_of(name: str, perspective: str = "full", over: bool = True) -> list[bytes]:
    """The lines of its bundle; unless `over`, cut before the last event."""
    game, seats, _ = TABLES[name]
    key = subkey(SECRETS.match_key, "seal")
    log = log_of(name) if over else log_of(name)[:-1]
    envelopes = served(log, perspective, key, with_parts=over and perspective == "full")
    info = bundle.BundleInfo(name, game.RULESET, "ab" * 32, seats, perspective, over)
    return list(bundle.write(info, envelopes, SIGNER))


def changes(value: Any) -> Iterator[Any]:
    """The value with one thing changed, for every thing in it: each member dropped, added, of another value
    and of another kind."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield {other: value[other] for other in value if other != name}
            for changed in changes(member):
                yield value | {name: changed}
        yield value | {"more": 1}
        yield []
    elif isinstance(value, list):
        for at, member in enumerate(value):
            yield value[:at] + value[at + 1 :]
            for changed in changes(member):
                yield value[:at] + [changed] + value[at + 1 :]
        for at in range(len(value) - 1):
            if value[at] != value[at + 1]:
                yield [*value[:at], value[at + 1], value[at], *value[at + 2 :]]
        yield [*value, "more"]
        yield {}
    elif isinstance(value, bool):
        yield from (not value, int(value), None)
    elif isinstance(value, int):
        yield from (value + 1, value - 1, str(value), None)
    elif isinstance(value, str):
        flipped = ("1" if value[:1] == "0" else "0") + value[1:]
        yield from (each for each in (value + "0", value[:-1], None, flipped) if each != value)
    else:
        yield from ("", 0, False, {})
