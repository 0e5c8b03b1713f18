"""The public keys of an operator, as `/.well-known/wonderlog-keys.json` has them and a verifier
that was given the file reads them: the one that signs now, and those that signed before."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from events.canonical import Json, Malformed, digest
from events.envelope import HASH, MOMENT

FORMAT: Final = "wonderlog/keys/1"
ALGORITHM: Final = "Ed25519"


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A public key, 64 hex digits. `valid_until`: when it was retired, UTC with milliseconds; None: it signs
    now. It vouches for no event that is younger than that."""

    public_key: str
    valid_until: str | None = None

    @property
    def id(self) -> str:
        """A short name: the beginning of a hash of the key."""
        return digest(["wonderlog/key/1", self.public_key])[:16]


def listed(keys: Iterable[PublicKey]) -> Json:
    """The keys as they are published, the one that signs now first."""
    return {
        "format": FORMAT,
        "keys": [
            {
                "id": key.id,
                "algorithm": ALGORITHM,
                "public_key": key.public_key,
                "current": key.valid_until is None,
                "valid_until": key.valid_until,
            }
            for key in keys
        ],
    }


def read(raw: bytes) -> dict[str, str | None]:
    """The keys of a file, each with the time it was retired (None: it signs still). Members that are not
    known are left aside: the file may grow. Raises Malformed."""
    try:
        value = msgspec.json.decode(raw)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"no JSON: {error}") from error
    if (
        not isinstance(value, dict)
        or value.get("format") != FORMAT
        or not isinstance(value.get("keys"), list)
    ):
        raise Malformed(f"not a file of keys ({FORMAT})")
    return dict(map(_entry, value["keys"]))


def _entry(entry: Any) -> tuple[str, str | None]:
    if not isinstance(entry, Mapping) or entry.get("algorithm") != ALGORITHM:
        raise Malformed(f"a key is an object with the algorithm {ALGORITHM}")
    key, until = entry.get("public_key"), entry.get("valid_until")
    if not isinstance(key, str) or HASH.fullmatch(key) is None:
        raise Malformed("a public key has 64 lower-case hex digits")
    if until is not None and not (isinstance(until, str) and MOMENT.fullmatch(until)):
        raise Malformed("valid_until is null, or a time in UTC with milliseconds")
    return key, until
