"""Stream tickets: what a browser's EventSource, which can set no header, puts into the address instead.

A ticket opens one stream, once, within a minute, with the rights its maker has at that moment and loses when
the maker does. It is made from the maker's idempotency key, so that a retry finds the same one. Only its
hash is kept, and after use a mark that it is spent.
"""

import hmac
import re
from dataclasses import dataclass
from typing import Final, Protocol

import msgspec

from events.canonical import canonical
from events.store import KeyReused
from service import access
from service.credentials import Caller, hashed, letters
from service.errors import Unauthenticated

LIFE_S: Final = 60
# How long a ticket that was used is remembered as spent, so that the same key cannot make it anew.
SPENT_S: Final = 86_400
TICKET: Final = re.compile(r"stk_[a-z2-7]{52}")
_SPENT: Final = ""


class TicketStorage(Protocol):
    """Texts under names, for a time. Methods raise StoreUnavailable."""

    def add(self, name: str, text: str, seconds: int) -> str | None:
        """Keep the text unless there is one; the one there is, None when this one is kept."""

    def swap(self, name: str, text: str, seconds: int) -> str | None:
        """Put another text in the place of the one there is, which is given back; None, and nothing changes,
        when there is none. One step: of several at once, one gets the old text."""


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    """A ticket at rest. `match`: which match it opens; None: the tenant's feed."""

    fingerprint: str
    match: str | None
    caller: Caller


@dataclass(frozen=True, slots=True)
class Tickets:
    """Makes and takes tickets."""

    storage: TicketStorage
    secret: bytes

    def make(self, caller: Caller, match: str | None, key: str, fingerprint: str) -> tuple[str, bool]:
        """A ticket for a stream of the match, or (None) of the tenant's feed, and whether it was made before.
        Raises KeyReused, StoreUnavailable."""
        said = ["wonderlog/stream-ticket/1", access.scope(caller), key]
        ticket = f"stk_{letters(hmac.digest(self.secret, canonical(said), 'sha256'))}"
        kept = _Kept(fingerprint, match, caller)
        before = self.storage.add(hashed(ticket), msgspec.json.encode(kept).decode(), LIFE_S)
        if before and msgspec.json.decode(before, type=_Kept).fingerprint != fingerprint:
            raise KeyReused
        return ticket, before is not None

    def take(self, ticket: str, match: str | None) -> Caller:
        """Use a ticket up; who made it. Raises Unauthenticated, alike for every cause, StoreUnavailable."""
        if TICKET.fullmatch(ticket) is None:
            raise Unauthenticated
        before = self.storage.swap(hashed(ticket), _SPENT, SPENT_S)
        if not before:
            raise Unauthenticated
        kept = msgspec.json.decode(before, type=_Kept)
        if kept.match != match:
            raise Unauthenticated
        return kept.caller
