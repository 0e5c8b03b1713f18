"""The port: a log per match; compare-and-append, command record and secrets are one step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol

from events.envelope import Recorded
from events.keys import MATCH, TOMBSTONE

NO_SECRETS: Final[Mapping[str, str]] = MappingProxyType({})


class Head(NamedTuple):
    """The last event of a match: version 0 and 64 zeros before the first."""

    version: int
    hash: str


@dataclass(frozen=True, slots=True)
class CommandRecord:
    """What a command id has done: the versions it appended, and the fingerprint of its request."""

    fingerprint: str
    first: int
    last: int

    @classmethod
    def read(cls, text: str) -> "CommandRecord":
        """A record as stores keep it: `<first>-<last> <fingerprint>`."""
        versions, _, fingerprint = text.partition(" ")
        first, _, last = versions.partition("-")
        return cls(fingerprint, int(first), int(last))

    @property
    def text(self) -> str:
        """The inverse of `read`."""
        return f"{self.first}-{self.last} {self.fingerprint}"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A match as of one moment: its events after the version asked for, the record of the command id asked
    for, its secrets, and the version of its head. `version` below the version asked for means that the log
    is shorter than the caller remembers: history was lost, and nothing cached may be used."""

    records: list[Recorded]
    command: CommandRecord | None
    secrets: dict[str, str]
    version: int


@dataclass(frozen=True, slots=True)
class Appended:
    """Versions `first` to `last` hold the command's events; `replayed`: they did before this call."""

    first: int
    last: int
    replayed: bool


class VersionConflict(Exception):
    """Somebody else appended first; `actual` is the version of the head. Nothing was written."""

    def __init__(self, actual: int) -> None:
        super().__init__(f"the head is event {actual}")
        self.actual = actual


class HistoryForked(VersionConflict):
    """The head has the expected version but another hash: a failover lost what the caller has seen.
    Nothing was written; whatever the caller has cached of this match must be dropped."""


class KeyReused(Exception):
    """The command id was used for another request. Nothing was written."""


class Archived(Exception):
    """The match was moved away; `tombstone` says where to. Nothing was written."""

    def __init__(self, tombstone: str) -> None:
        super().__init__(tombstone)
        self.tombstone = tombstone


class OutcomeUnknown(Exception):
    """The write may or may not be durable, or may not have happened: the same command id again will tell."""


class StoreUnavailable(Exception):
    """The store cannot be reached or cannot serve now. Nothing was written; try again."""


class Heads(Protocol):
    """A subscription to new heads. A hint may be lost; it is never needed for correctness."""

    def next(self, timeout: float) -> tuple[str, int] | None:
        """The next (match, version), or None after `timeout` seconds. Raises StoreUnavailable."""

    def close(self) -> None:
        """End the subscription."""


class EventStore(Protocol):
    """One log per match. Every method raises StoreUnavailable when the store cannot be reached."""

    def load(self, match: str, after: int = 0, command_id: str | None = None) -> Loaded:
        """Everything a command needs, as of one moment. Raises Archived."""

    def read(self, match: str, after: int, limit: int) -> list[Recorded]:
        """At most `limit` events after a version, in order. Raises Archived."""

    def append(
        self,
        match: str,
        expected: int,
        command_id: str | None,
        fingerprint: str,
        events: Sequence[Recorded],
        secrets: Mapping[str, str] = NO_SECRETS,
        durable: bool = True,
    ) -> Appended:
        """Append events (and write secrets) if the head is the one the events were made for: all or nothing.

        A command id known already is answered from its record. `durable=False` does not wait for the disk.
        Raises VersionConflict, HistoryForked, KeyReused, Archived, OutcomeUnknown; ValueError, before
        anything is sent, for arguments that do not fit together."""

    def secrets(self, match: str) -> dict[str, str]:
        """The secrets of a match; {} for an unknown one. Raises Archived."""

    def put_secrets(self, match: str, secrets: Mapping[str, str]) -> None:
        """Write secrets without an event. Raises LookupError for a match without events, Archived,
        OutcomeUnknown."""

    def drop_secrets(self, match: str, names: Sequence[str]) -> None:
        """Forget secrets. Raises as `put_secrets` does."""

    def head(self, match: str) -> Head:
        """The last event of a match. Raises Archived."""

    def exists(self, match: str) -> bool:
        """Whether the match has events here; not so once it is archived."""

    def subscribe(self) -> Heads:
        """Hear of new heads of every match."""


def check_append(
    match: str,
    expected: int,
    command_id: str | None,
    fingerprint: str,
    events: Sequence[Recorded],
    secrets: Mapping[str, str],
) -> None:
    """Raises ValueError for arguments of `append` that do not fit together."""
    if not MATCH.fullmatch(match):
        raise ValueError(f"{match!r} is no match id")
    if not events:
        raise ValueError("nothing to append")
    if command_id == "" or (command_id is not None and not fingerprint):
        raise ValueError("a command id needs characters and a fingerprint")
    for version, event in enumerate(events, expected + 1):
        if event.match != match or event.version != version:
            raise ValueError(f"event {event.version} of {event.match} is not event {version} of {match}")
        if event.command != expected + 1:
            raise ValueError(f"event {version} names {event.command} as the first of its append")
    for event, follower in zip(events, events[1:], strict=False):
        if follower.prev_hash != event.hash:
            raise ValueError(f"event {follower.version} does not follow the one before it")
    check_secrets(secrets)


def check_secrets(names: Mapping[str, str] | Sequence[str]) -> None:
    """Raises ValueError for a name of a secret that is reserved or empty."""
    if "" in names or TOMBSTONE in names:
        raise ValueError(f"a secret cannot be named {TOMBSTONE!r} or be without a name")
