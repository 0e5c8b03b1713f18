"""Use case: bring a finished match along, as a bundle or in its notation. It is checked like by any verifier,
replayed once for every viewer, decided again by the rules, and then kept: to be seen, never to be played."""

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
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
from service import redeciding, showing
from service.clock import Clock, timestamp
from service.credentials import MATCH_PREFIX, Caller, letters
from service.errors import (
    BundleRefused,
    Forbidden,
    NotFound,
    QuotaExceeded,
    RulesetUnsupported,
    Unauthenticated,
)
from service.games import Catalogue
from service.imports import Import, Imports, Listed, opened, pack
from service.notation import NotNotation, bundling, reading
from service.positions import Position, follow, new

MATCH_ID: Final = re.compile(r"mat_[a-z2-7]{26}")
# More events than the longest match has several times over.
MOST_EVENTS: Final = 5000
_BEHIND: Final = 10
# More than the longest notation has several times over: playing it takes time.
MOST_TEXT: Final = 256 * 1024
_DAY_MS: Final = 86_400_000


class Importing:
    """Takes bundles and notations."""

    def __init__(
        self,
        imports: Imports,
        games: Mapping[str, Game],
        catalogue: Catalogue,
        clock: Clock,
        server_secret: bytes,
        most: int,
        days: int | None,
    ) -> None:
        """`most`: how many imports a tenant may have; `days`: how long they are kept (None: for good)."""
        self._imports = imports
        self._games = library(games)
        self._catalogue = catalogue
        self._clock = clock
        self._secret = server_secret
        self._most = most
        self._days = days

    def take(self, caller: Caller, lines: Iterable[bytes], key: str) -> tuple[Json, bool]:
        """Take a bundle or a notation, line by line; the match as it is shown, and whether it was taken
        before under this key. Only the full bundle of a match that is over can be taken: it holds everything;
        and only a notation with its key. Raises Unauthenticated, Forbidden, BundleRefused (with the first
        wrong line), RulesetUnsupported, QuotaExceeded, KeyReused, OutcomeUnknown, StoreUnavailable."""
        tenant = _tenant(caller)
        raw = list(self._read(iter(lines)))
        fingerprint = hashlib.sha256(b"".join(raw)).hexdigest()
        id = self._id(tenant, key)
        kept = self._imports.get(id)
        replayed = kept is not None
        if kept is None:
            if len(self._imports.of_tenant(tenant)) >= self._most:
                raise QuotaExceeded(f"a tenant has up to {self._most} imported matches; delete one first")
            made = self._played(raw) if _is_notation(raw[0]) else raw
            self._check(made)
            header, now = parse(made[0]), self._clock.now_ms()
            packed = pack(made)
            taken = Import(id, tenant, timestamp(now), fingerprint, packed, header["game"], header["match"])
            self._replay(taken)
            self._redecide(made)
            kept = self._imports.add(taken, None if self._days is None else now + self._days * _DAY_MS)
        if kept.fingerprint != fingerprint:
            raise KeyReused
        records, secrets = opened(kept)
        position = new(id, self._game(records[0].data["game"], records[0].ruleset), secrets)
        follow(position, records)
        return showing.resource(position), replayed

    def all(self, caller: Caller) -> Json:
        """What the tenant has imported, the newest first. Raises Unauthenticated, Forbidden,
        StoreUnavailable."""
        found = self._imports.of_tenant(_tenant(caller))
        found.sort(key=lambda each: (each.imported_at, each.id), reverse=True)
        return {"items": [_shown(each) for each in found]}

    def drop(self, caller: Caller, id: str) -> None:
        """Remove an imported match for good. Raises Unauthenticated, Forbidden, NotFound, OutcomeUnknown,
        StoreUnavailable."""
        tenant = _tenant(caller)
        kept = self._imports.get(id) if MATCH_ID.fullmatch(id) else None
        if kept is None or kept.tenant != tenant:
            raise NotFound("imported match")
        self._imports.drop(tenant, id)

    def _id(self, tenant: str, key: str) -> str:
        made = hmac.digest(self._secret, canonical(["wonderlog/import-id/1", tenant, key]), "sha256")
        return MATCH_PREFIX + letters(made[:16])

    def _read(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        """The lines, the first looked at before the next is read. Raises BundleRefused,
        RulesetUnsupported."""
        first = next(lines, b"")
        if _is_notation(first):
            yield from _short(first, lines)
            return
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

    def _played(self, raw: list[bytes]) -> list[bytes]:
        """The bundle of a match in its notation: every event at the date of the first, signed by nobody.
        Raises BundleRefused, RulesetUnsupported."""
        try:
            text = b"".join(raw).decode()
            head = reading.tags(text)
            if MATCH_ID.fullmatch(str(head.get("Match"))) is None:
                raise BundleRefused(1, "malformed", "that is no id of a match")
            if "Key" not in head or "Nonce" not in head:
                raise BundleRefused(1, "not-whole", "without Key and Nonce nobody can check the draws")
            game = self._game(str(head.get("Game")), str(head.get("Ruleset")))
            played = reading.read(game, text)
        except UnicodeDecodeError as error:
            raise BundleRefused(1, "malformed", "the text is not UTF-8") from error
        except NotNotation as error:
            raise BundleRefused(error.line, "notation", error.reason) from error
        made = list(bundling.bundled(played, self._catalogue.ruleset_digest(game)))
        if bundle.verify(made).line is not None:
            raise BundleRefused(1, "draw", "the draws are not those that the key gives")
        return made

    def _redecide(self, raw: list[bytes]) -> None:
        """Whether the rules make the same of every command. Raises BundleRefused."""
        read = bundle.read(raw)
        game = self._game(read.header["game"], read.header["ruleset"])
        try:
            found = redeciding.redecide(game, read.header["match"], read.envelopes)
        except redeciding.Undecidable as error:
            raise BundleRefused(len(raw) - 1, "unplayable", str(error)) from error
        except Exception as error:  # whatever a forged fork makes the rules stumble over
            raise BundleRefused(len(raw) - 1, "unplayable", "the rules cannot decide this") from error
        if found.difference is not None:
            raise BundleRefused(found.difference.version + 1, "illegal", found.difference.reason)

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


def _tenant(caller: Caller) -> str:
    """Who imports. Raises Unauthenticated, Forbidden."""
    if caller.tenant is None:
        raise Unauthenticated if not caller.credential else Forbidden("only a tenant can import a match")
    return caller.tenant


def _is_notation(first: bytes) -> bool:
    return first.startswith(b"[")


def _short(first: bytes, lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines of a text that is not too long. Raises BundleRefused."""
    size, number = 0, 0
    for number, line in enumerate(chain((first,), lines), 1):
        size += len(line)
        if size > MOST_TEXT:
            raise BundleRefused(number, "too-long", f"a notation of more than {MOST_TEXT} bytes")
        yield line


def _shown(listed: Listed) -> Json:
    until = None if listed.until_ms is None else timestamp(listed.until_ms)
    return {
        "id": listed.id,
        "game": listed.game,
        "match": listed.origin,
        "imported_at": listed.imported_at,
        "removed_at": until,
        "bytes": listed.bytes,
        "links": {"self": f"/v1/matches/{listed.id}"},
    }
