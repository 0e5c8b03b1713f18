"""Use case: bring a finished match along as a bundle. It is checked like by any verifier, replayed once for
every viewer, and then kept: to be seen, never to be played."""

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from domain.kernel import match as match_rules
from domain.kernel.game import Game
from domain.kernel.library import UnknownRuleset, library
from domain.kernel.seats import SPECTATOR
from events import bundle
from events.bundle_lines import check_header, parse
from events.canonical import Json, Malformed, canonical
from events.envelope import FULL
from events.store import KeyReused
from service import showing
from service.clock import Clock, timestamp
from service.credentials import MATCH_PREFIX, Caller, letters
from service.errors import BundleRefused, Forbidden, RulesetUnsupported, Unauthenticated
from service.imports import Import, Imports, opened, pack
from service.positions import Position, follow, new

MATCH_ID: Final = re.compile(r"mat_[a-z2-7]{26}")
# More events than the longest match has several times over.
MOST_EVENTS: Final = 5000
_BEHIND: Final = 10


class Importing:
    """Takes bundles."""

    def __init__(
        self, imports: Imports, games: Mapping[str, Game], clock: Clock, server_secret: bytes
    ) -> None:
        self._imports = imports
        self._games = library(games)
        self._clock = clock
        self._secret = server_secret

    def take(self, caller: Caller, lines: Iterable[bytes], key: str) -> tuple[Json, bool]:
        """Take a bundle, line by line; the match as it is shown, and whether it was taken before under this
        key. Only the full bundle of a match that is over can be taken: it holds everything. Raises
        Unauthenticated, Forbidden, BundleRefused (with the first wrong line), RulesetUnsupported, KeyReused,
        StoreUnavailable."""
        if caller.tenant is None:
            raise Unauthenticated if not caller.credential else Forbidden("only a tenant can import a match")
        raw = list(self._read(iter(lines)))
        fingerprint = hashlib.sha256(b"".join(raw)).hexdigest()
        id = self._id(caller.tenant, key)
        kept = self._imports.get(id)
        replayed = kept is not None
        if kept is None:
            now = timestamp(self._clock.now_ms())
            taken = Import(id, caller.tenant, now, fingerprint, pack(raw))
            self._check(raw)
            self._replay(taken)
            kept = self._imports.add(taken)
        if kept.fingerprint != fingerprint:
            raise KeyReused
        records, secrets = opened(kept)
        position = new(id, self._game(records[0].data["game"], records[0].ruleset), secrets)
        follow(position, records)
        return showing.resource(position), replayed

    def _id(self, tenant: str, key: str) -> str:
        made = hmac.digest(self._secret, canonical(["wonderlog/import-id/1", tenant, key]), "sha256")
        return MATCH_PREFIX + letters(made[:16])

    def _read(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        """The lines, the first looked at before the next is read. Raises BundleRefused,
        RulesetUnsupported."""
        first = next(lines, b"")
        try:
            header = parse(first)
            check_header(header)
        except Malformed as error:
            raise BundleRefused(1, "malformed", error.detail) from error
        if header["perspective"] != FULL or not header["over"]:
            raise BundleRefused(
                1, "not-whole", "only the full bundle of a match that is over can be imported"
            )
        if MATCH_ID.fullmatch(header["match"]) is None:
            raise BundleRefused(1, "malformed", "that is no id of a match")
        if header["count"] > MOST_EVENTS:
            raise BundleRefused(1, "too-long", f"a match of more than {MOST_EVENTS} events")
        self._game(header["game"], header["ruleset"])
        yield first
        # What stands behind the trailer is wrong, so a little of it is enough to say so.
        yield from islice(lines, header["count"] + _BEHIND)

    def _game(self, name: str, ruleset: str) -> Game:
        try:
            return self._games.game_for(name, ruleset)
        except UnknownRuleset as unknown:
            raise RulesetUnsupported(ruleset) from unknown

    def _check(self, raw: list[bytes]) -> None:
        report = bundle.verify(raw)
        if report.line is not None:
            raise BundleRefused(report.line, str(report.kind), report.reason)

    def _replay(self, taken: Import) -> None:
        """Look at every version through everybody's eyes. A log that verifies may still tell of what no rules
        allow: what cannot be shown must be refused now, not fail later. Raises BundleRefused."""
        records, secrets = opened(taken)
        position = new(taken.id, self._game(records[0].data["game"], records[0].ruleset), secrets)
        for record in records:
            try:
                follow(position, [record])
                self._look(position)
            except Exception as error:  # whatever a forged log makes the rules stumble over
                raise BundleRefused(record.version + 1, "unplayable", "the rules cannot show this") from error
        if not showing.is_over(position):
            raise BundleRefused(len(records) + 1, "unplayable", "the match is not over")

    def _look(self, position: Position) -> None:
        seats = len(position.state.chairs)
        for viewer in (SPECTATOR, *range(seats)):
            shown: Any = match_rules.view(position.game, position.state, viewer)
            canonical(shown)
        showing.resource(position)
