"""Persons: what they are called, sealed under a key of their own, so that destroying the key erases them.

A match holds ciphertext only, in its secrets and never in its log: `sealed-name:<seat>`, which is
`1.<person>.<nonce and AES-256-GCM ciphertext, base64url>`. The key of a person derives from the server secret
and a random salt. The salts are kept elsewhere (`PersonKeys`) and looked up with every answer that shows
names, so that an erased name is gone in every process at once. What a tenant calls a person is kept nowhere:
a MAC of it leads to the person's random id, until that too is destroyed.
"""

import hmac
import re
import secrets as secret_source
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Mapping
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from domain.kernel.seats import Seat
from events.canonical import canonical
from events.store import EventStore
from service.clock import Clock, timestamp
from service.credentials import letters
from service.person_keys import Erasure, PersonKey, PersonKeys

Names = Mapping[Seat, str]
NAMELESS: Final[Names] = {}
OPERATOR: Final = "operator"
ERASED: Final = "erased"
NOBODY: Final = "nobody"

_SEALED: Final = re.compile(r"1\.(per_[a-z2-7]{26})\.([A-Za-z0-9_-]+)")
_SEATS: Final = range(7)
_NONCE: Final = 12
# Lengths of names are hidden as well, to so many bytes.
_BLOCK: Final = 64


def sealed_field(seat: Seat) -> str:
    """The secret of a match that holds what a player wants to be called, sealed."""
    return f"sealed-name:{seat}"


def plain_field(seat: Seat) -> str:
    """The secret in which matches from before held it in plain: read, and never written again."""
    return f"name:{seat}"


def nameless(seat: Seat, secrets: Mapping[str, str]) -> dict[str, str]:
    """What to write into the secrets of a match when a seat has no name any more."""
    return {field: "" for field in (sealed_field(seat), plain_field(seat)) if secrets.get(field)}


class Persons:
    """Seals and opens names, and erases persons."""

    def __init__(self, keys: PersonKeys, clock: Clock, secret: bytes) -> None:
        self._keys = keys
        self._clock = clock
        self._secret = secret

    def id_of(self, tenant: str, player_ref: str) -> str:
        """The id of whom a tenant calls so, who is noted if not known yet. Raises StoreUnavailable,
        OutcomeUnknown."""
        return self._claim(self._index(tenant, player_ref)).id

    def find(self, tenant: str, player_ref: str) -> str | None:
        """The id of whom a tenant calls so, None for nobody known. Raises StoreUnavailable."""
        return self._keys.find(self._index(tenant, player_ref))

    def sealed(
        self, match: str, seat: Seat, name: str, person: str | None, secrets: Mapping[str, str]
    ) -> dict[str, str]:
        """What to write into the secrets of a match (which are `secrets` now) when its seat has this name, or
        none (empty): under the key of the person, or where there is none under one of the seat's own. Raises
        StoreUnavailable, OutcomeUnknown."""
        gone = nameless(seat, secrets)
        if not name:
            return gone
        (salt,) = self._keys.salts([person]) if person is not None else (None,)
        key = self._claim(self._index_of_seat(match, seat)) if person is None or salt is None else None
        used = key or PersonKey(person or "", salt or "")
        return gone | {sealed_field(seat): self._seal(match, seat, name, used)}

    def names(self, match: str, secrets: Mapping[str, str]) -> dict[Seat, str]:
        """The names of the seats, as of now: without those of persons who were erased. Raises
        StoreUnavailable."""
        found = {seat: name for seat in _SEATS if (name := secrets.get(plain_field(seat)))}
        sealed = {seat: parts for seat in _SEATS if (parts := _parts(secrets.get(sealed_field(seat))))}
        if not sealed:
            return found
        salts = self._keys.salts([person for person, _ in sealed.values()])
        for (seat, (person, box)), salt in zip(sealed.items(), salts, strict=True):
            name = None if salt is None else self._opened(match, seat, box, PersonKey(person, salt))
            if name is not None:
                found[seat] = name
        return found

    def erase(self, tenant: str, player_ref: str, by: str) -> bool:
        """Erase whom a tenant calls so, in all its matches, whatever backup of these is restored. False when
        there is nobody. Raises StoreUnavailable, OutcomeUnknown."""
        return self._erase(self._index(tenant, player_ref), tenant, by)

    def erase_seat(self, match: str, seat: Seat, tenant: str, by: str) -> bool:
        """Erase whoever sat at a seat without being called anything by the tenant. False when there is
        nobody. Raises StoreUnavailable, OutcomeUnknown."""
        return self._erase(self._index_of_seat(match, seat), tenant, by)

    def forget_seats(self, match: str) -> None:
        """Destroy the keys of the names at seats of a match that is gone for good, but not those of persons
        whom the tenant calls something. Raises StoreUnavailable, OutcomeUnknown."""
        self._keys.drop([self._index_of_seat(match, seat) for seat in _SEATS])

    def compact(self) -> bool:
        """See `PersonKeys.compact`."""
        return self._keys.compact()

    def erasures(self, most: int = 1000) -> list[Erasure]:
        """What was erased last, oldest first. Raises StoreUnavailable."""
        return self._keys.erasures(most)

    def migrate(self, store: EventStore, match: str) -> int:
        """Seal the names that a match still holds in plain; how many. Raises the errors of the store."""
        secrets = store.secrets(match)
        plain = {seat: name for seat in _SEATS if (name := secrets.get(plain_field(seat)))}
        for seat, name in plain.items():
            store.put_secrets(match, self.sealed(match, seat, name, None, secrets))
            store.drop_secrets(match, [plain_field(seat)])
        return len(plain)

    def _erase(self, index: str, tenant: str, by: str) -> bool:
        done = self._keys.destroy(index, Erasure(timestamp(self._clock.now_ms()), tenant, by))
        # Also when it was done before: what was asked for then may not have come about.
        self._keys.compact()
        return done

    def _claim(self, index: str) -> PersonKey:
        new = PersonKey(f"per_{letters(secret_source.token_bytes(16))}", secret_source.token_hex(32))
        return self._keys.claim(index, new)

    def _index(self, tenant: str, player_ref: str) -> str:
        return self._mac(["wonderlog/person/1", "player", tenant, player_ref]).hex()

    def _index_of_seat(self, match: str, seat: Seat) -> str:
        return self._mac(["wonderlog/person/1", "seat", match, seat]).hex()

    def _mac(self, said: list[str | int]) -> bytes:
        return hmac.digest(self._secret, canonical(said), "sha256")

    def _cipher(self, key: PersonKey) -> AESGCM:
        return AESGCM(self._mac(["wonderlog/person-key/1", key.id, key.salt]))

    def _seal(self, match: str, seat: Seat, name: str, key: PersonKey) -> str:
        text = name.encode()
        padded = text + b"\0" * (-len(text) % _BLOCK)
        nonce = secret_source.token_bytes(_NONCE)
        box = nonce + self._cipher(key).encrypt(nonce, padded, _bound(match, seat))
        return f"1.{key.id}.{urlsafe_b64encode(box).decode().rstrip('=')}"

    def _opened(self, match: str, seat: Seat, box: bytes, key: PersonKey) -> str | None:
        """The name; None for one that was sealed elsewhere, or under another server secret."""
        try:
            padded = self._cipher(key).decrypt(box[:_NONCE], box[_NONCE:], _bound(match, seat))
        except (InvalidTag, ValueError):
            return None
        return padded.rstrip(b"\0").decode()


def _bound(match: str, seat: Seat) -> bytes:
    return canonical(["wonderlog/name/1", match, seat])


def _parts(sealed: str | None) -> tuple[str, bytes] | None:
    """Person and ciphertext of a sealed name."""
    found = _SEALED.fullmatch(sealed or "")
    if found is None:
        return None
    try:
        return found[1], urlsafe_b64decode(found[2] + "=" * (-len(found[2]) % 4))
    except NotBase64:
        return None
