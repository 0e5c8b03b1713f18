"""Finished matches without a service: played at random, recorded, as bundles and in stores."""

from domain.kernel.chance import subkey
from domain.kernel.game import Game
from events import bundle
from events.chain import seal_events, served
from events.envelope import ZERO_HASH, Recorded
from events.store import EventStore
from service import access, wire
from tests import twins
from tests.audit.short_match import OCCURRED_AT, SIGNER


def match_id(seed: int) -> str:
    """An id as the service makes them."""
    return "mat_" + "".join("abcdefghijklmnop"[int(digit, 16)] for digit in f"{seed:026x}")


_KNOWN: dict[tuple[str, int, int], list[Recorded]] = {}


def records(game: Game, seats: int, seed: int) -> list[Recorded]:
    """A match of people who move at random, as it is recorded; played once."""
    if (game.RULESET, seats, seed) not in _KNOWN:
        _KNOWN[game.RULESET, seats, seed] = _played(game, seats, seed)
    return list(_KNOWN[game.RULESET, seats, seed])


def _played(game: Game, seats: int, seed: int) -> list[Recorded]:
    match, log = match_id(seed), list[Recorded]()
    key = subkey(twins.chance(match, seed).match_key, "seal")
    told = twins.tell(game, seats, seed, match)
    for number in sorted({each.command for each in told}):
        mine = [each for each in told if each.command == number]
        drafts = wire.of(game).drafts([each.fact for each in mine], mine[0].decision, {})
        log += seal_events(drafts, match, len(log), log[-1].hash if log else ZERO_HASH, OCCURRED_AT, key)
    return log


def lines(game: Game, log: list[Recorded]) -> list[bytes]:
    """The full bundle of a finished match."""
    created, ended = log[0].data, log[-1].data
    info = bundle.BundleInfo(game.NAME, game.RULESET, "ab" * 32, len(created["seats"]), "full", True)
    key = subkey(bytes.fromhex(ended["match_key"]), "seal")
    return list(bundle.write(info, served(log, "full", key, with_parts=True), SIGNER))


def put(store: EventStore, log: list[Recorded], tenant: str = "acme", most: int | None = None) -> str:
    """Write a match into a store as the service would, its first commands only with `most`; its id."""
    ended = log[-1].data
    secrets = {name: ended[name] for name in ("match_key", "commit_nonce")} | {access.TENANT_SECRET: tenant}
    for first in sorted({record.command for record in log})[:most]:
        append = [record for record in log if record.command == first]
        store.append(log[0].match, first - 1, None, "", append, secrets if first == 1 else {})
    return log[0].match
