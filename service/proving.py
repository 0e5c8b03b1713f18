"""Use cases for people who check: the signed head with the commitment, known heads, the bundle of a match."""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from domain.kernel.seats import Viewer
from events import bundle, published_keys
from events.bundle_lines import line
from events.chain import served
from events.envelope import FULL, PERSPECTIVE, SEAT
from events.published_keys import PublicKey
from events.signing import Signer
from events.store import EventStore
from service import access, showing
from service.credentials import Caller
from service.errors import Forbidden, HistoryForked, NotFound, Unauthenticated, invalid
from service.games import Catalogue
from service.imports import FOREIGN
from service.positions import Position
from service.transact import chance_of, current, seal_key

Json = dict[str, Any]

# The newest of a match that a caller may see, and through whose eyes; raises when there is none.
Seen = Callable[[Caller, str], tuple[Position, Viewer]]

log: Final = logging.getLogger(__name__)


class Proving:
    """What makes the log checkable from outside."""

    def __init__(
        self,
        store: EventStore,
        seen: Seen,
        catalogue: Catalogue,
        signer: Signer,
        old_keys: Sequence[PublicKey],
    ) -> None:
        self._store = store
        self._seen = seen
        self._catalogue = catalogue
        self._signer = signer
        self._keys = published_keys.listed([PublicKey(signer.public_key), *old_keys])

    def keys(self) -> Json:
        """The public keys of this service, the one that signs now first."""
        return self._keys

    def proof(self, caller: Caller, match: str, version: int | None) -> Json:
        """The head of the match, now or at a version, signed; the commitment to its secrets, and once it is
        over the secrets. Raises Unauthenticated, NotFound (also for a version that is not there yet)."""
        position, _ = self._seen(caller, match)
        version, hash = self._hash_at(position, position.version if version is None else version)
        first = self._store.read(match, 0, 1)[0]
        signature, public_key = self._signed(position, first.match, version, hash)
        over = showing.is_over(position)
        revealed = ("match_key", "commit_nonce") if over else ()
        return {
            "match": first.match,
            "version": version,
            "hash": hash,
            "commitment": first.data["commitment"],
            "signature": signature,
            "public_key": public_key,
            "key_id": None if public_key is None else PublicKey(public_key).id,
            "over": over,
            "revealed": {name: position.secrets[name] for name in revealed} if over else None,
        }

    def check_head(self, caller: Caller, match: str, version: int, hash: str) -> None:
        """Raises HistoryForked when the log of the match does not contain this head. A caller that may not
        see the match is told nothing here: what it asks for refuses it."""
        try:
            position, _ = self._seen(caller, match)
        except (Unauthenticated, NotFound, Forbidden):
            return
        if (version, hash) == (position.version, position.hash):
            return
        # Who trails behind the match may have been told of its true head, by a command of its own.
        if any(record.hash == hash for record in self._store.read(match, version - 1, 1)):
            return
        log.warning(
            "%s: a client knows another event %s; the log ends at %s", match, version, position.version
        )
        raise HistoryForked(current(position, caller.seat))

    def export(
        self, caller: Caller, match: str, version: int | None = None, perspective: str | None = None
    ) -> Iterator[bytes]:
        """The lines of the match's bundle, whole or cut after a version: in the caller's perspective while it
        runs; once it is over in any, by default in full. Raises Unauthenticated, NotFound (also for a version
        that is not there yet), Forbidden, Invalid, before the first line."""
        position, viewer = self._seen(caller, match)
        shown = _perspective(position, access.perspective(viewer), perspective)
        last = position.version if version is None else version
        if last > position.version:
            raise NotFound("version")
        records = self._store.read(match, 0, last)
        # A bundle that is cut off is that of a match still running.
        over = showing.is_over(position) and last == position.version
        key = seal_key(chance_of(position).match_key)
        envelopes = served(records, shown, key, with_parts=over and shown == FULL)
        if FOREIGN in position.secrets:
            return _foreign(position, envelopes, shown, over)
        info = bundle.BundleInfo(
            game=position.game.NAME,
            ruleset=position.game.RULESET,
            ruleset_digest=self._catalogue.ruleset_digest(position.game),
            seats=len(position.state.chairs),
            perspective=shown,
            over=over,
        )
        return bundle.write(info, envelopes, self._signer)

    def _signed(
        self, position: Position, match: str, version: int, hash: str
    ) -> tuple[str | None, str | None]:
        """Signature and key of a head; of an imported match those of its origin: this service has not seen
        it played."""
        if FOREIGN not in position.secrets:
            return self._signer.sign_head(match, version, hash), self._signer.public_key
        origin = json.loads(position.secrets[FOREIGN])
        is_head = version == position.version
        return origin["trailer"]["head_signature"] if is_head else None, origin["header"]["public_key"]

    def _hash_at(self, position: Position, version: int) -> tuple[int, str]:
        """The head of the match at a version. Raises NotFound."""
        if version == position.version:
            return version, position.hash
        if not 0 < version < position.version:
            raise NotFound("version")
        return version, self._store.read(position.id, version - 1, 1)[0].hash


def _foreign(position: Position, envelopes: list[Json], perspective: str, over: bool) -> Iterator[bytes]:
    """The lines of an imported bundle: whole as it came, in any other shape signed by nobody."""
    origin = json.loads(position.secrets[FOREIGN])
    header = origin["header"]
    if over and perspective == FULL:
        return map(line, [header, *envelopes, origin["trailer"]])
    told = {name: header[name] for name in ("game", "ruleset", "ruleset_digest", "seats")}
    return bundle.write(bundle.BundleInfo(**told, perspective=perspective, over=over), envelopes)


def _perspective(position: Position, own: str, wanted: str | None) -> str:
    """The perspective to export in. Raises Forbidden, Invalid."""
    over = showing.is_over(position)
    if wanted is None:
        return FULL if over else own
    if PERSPECTIVE.fullmatch(wanted) is None:
        raise invalid("/query/perspective", "invalid", "public, full, or s0 to s6 is expected")
    if wanted != own and not over:
        raise Forbidden("until the match is over you may export your own perspective only")
    if SEAT.fullmatch(wanted) and int(wanted[1:]) >= len(position.state.chairs):
        raise invalid("/query/perspective", "range", f"the match has {len(position.state.chairs)} seats")
    return wanted
