"""A match as one file, with everything the store keeps of it; and the tombstone that takes its place.

The file is JSON lines, packed by gzip: a header, the values of each stream entry in the order of `FIELDS` as
strings (they are UTF-8, so not a byte changes), a last line with command records and secrets.
"""

import gzip
import hashlib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import msgspec

from events.chain import Broken, verify_chain
from events.envelope import Recorded
from events.reveal import subkey
from events.stored import HASH_FIELD, recorded

FORMAT: Final = "wonderlog/archive/1"
_LEVEL: Final = 6


class Damaged(Exception):
    """A file that is not what it should be, or a log in it that is not."""


@dataclass(frozen=True, slots=True)
class Whole:
    """Everything the store keeps of a match: the values of each entry, command id -> record as text, secrets
    by name."""

    match: str
    entries: Sequence[Sequence[bytes]]
    commands: Mapping[str, str]
    secrets: Mapping[str, str] = field(repr=False)

    @property
    def version(self) -> int:
        """The version of the head."""
        return len(self.entries)

    @property
    def hash(self) -> str:
        """The hash of the head."""
        return self.entries[-1][HASH_FIELD].decode()

    def records(self) -> list[Recorded]:
        """The events. Raises ValueError (msgspec's) for entries that no store made."""
        return [recorded(self.match, version, list(each)) for version, each in enumerate(self.entries, 1)]


class Tombstone(msgspec.Struct, frozen=True, tag="archived", tag_field="is", omit_defaults=True):
    """What stands in the slot of a match that was moved away: whose it was, the name and the SHA-256 of its
    file, its head. Without `file` the match is gone for good."""

    tenant: str
    file: str = ""
    sha256: str = ""
    version: int = 0
    hash: str = ""


class Moves(Protocol):
    """What only the archive asks of a store. Every method raises StoreUnavailable; those that write,
    OutcomeUnknown."""

    def whole(self, match: str) -> Whole | None:
        """Everything that is kept of a match, as of one moment; None for an unknown one. Raises Archived."""

    def move(self, whole: Whole, tombstone: str) -> None:
        """Replace a match by its tombstone, in one step, if it is still exactly this one. Raises
        VersionConflict, Archived, LookupError."""

    def restore(self, whole: Whole, tombstone: str) -> None:
        """Replace a tombstone by the match, in one step, if it is still exactly this tombstone. Raises
        Archived (with the one that is there), LookupError when there is none."""

    def bury(self, match: str, tombstone: str, other: str) -> None:
        """Replace a tombstone by another one. Raises as `restore` does."""

    def away(self) -> Iterator[str]:
        """Every match that was moved away."""

    def tombstone(self, match: str) -> str | None:
        """What stands in the place of a match that was moved away."""


class _Header(msgspec.Struct, frozen=True):
    format: str
    match: str
    version: int
    hash: str


class _Rest(msgspec.Struct, frozen=True):
    commands: dict[str, str]
    secrets: dict[str, str]


_encode: Final = msgspec.json.encode
_values: Final = msgspec.json.Decoder(list[str])
_tombstone: Final = msgspec.json.Decoder(Tombstone)


def pack(whole: Whole) -> bytes:
    """The file of a match."""
    lines = [
        _encode(_Header(FORMAT, whole.match, whole.version, whole.hash)),
        *(_encode([value.decode() for value in entry]) for entry in whole.entries),
        _encode(_Rest(dict(whole.commands), dict(whole.secrets))),
    ]
    return gzip.compress(b"\n".join(lines) + b"\n", _LEVEL, mtime=0)


def unpack(packed: bytes) -> Whole:
    """The match of a file. Raises Damaged."""
    try:
        first, *entries, last = gzip.decompress(packed).splitlines()
        header = msgspec.json.decode(first, type=_Header)
        rest = msgspec.json.decode(last, type=_Rest)
        read = [[value.encode() for value in _values.decode(line)] for line in entries]
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise Damaged("this is no file of the archive") from error
    if header.format != FORMAT or header.version != len(read) or not read:
        raise Damaged("the file is not whole")
    return Whole(header.match, read, rest.commands, rest.secrets)


def check(whole: Whole) -> None:
    """Read every event, follow the chain and open every seal. Raises Damaged."""
    try:
        seal_key = subkey(bytes.fromhex(whole.secrets["match_key"]), "seal")
        verify_chain(whole.records(), whole.match, seal_key=seal_key)
    except (Broken, ValueError, KeyError) as error:
        raise Damaged(f"{whole.match} does not verify: {error}") from error


def digest(packed: bytes) -> str:
    """The SHA-256 of a file, hex."""
    return hashlib.sha256(packed).hexdigest()


def engrave(tombstone: Tombstone) -> str:
    """A tombstone as text."""
    return _encode(tombstone).decode()


def read_tombstone(text: str) -> Tombstone | None:
    """The tombstone of a text; None for one that this release did not make."""
    try:
        return _tombstone.decode(text)
    except msgspec.DecodeError:
        return None
