"""The log in Redis Streams: one stream per match, one atomic function per write, durable before answered."""

import contextlib
import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from redis.exceptions import ResponseError

from events.envelope import ZERO_HASH, Recorded
from events.keys import HEADS_CHANNEL, NEW_RIGHTS, PROBE, TOMBSTONE, MatchKeys, of_match
from events.redis_heads import RedisHeads
from events.redis_link import Client, Command, LinkLost, RedisLink, Reply, connect, exchange
from events.redis_server import check
from events.store import (
    NO_SECRETS,
    Appended,
    Archived,
    CommandRecord,
    Head,
    HistoryForked,
    KeyReused,
    Loaded,
    OutcomeUnknown,
    StoreUnavailable,
    VersionConflict,
    check_append,
    check_secrets,
)
from events.stored import FIELDS, entry, recorded

Durability = Literal["memory", "fsync", "replicated"]

_LIBRARY: Final = "append_events.lua"
_SHARED: Final = "arguments.lua"
_APPEND: Final = "wonderlog_append_v1"
_SECRETS: Final = "wonderlog_secrets_v1"
_VALUES: Final = slice(1, 2 * len(FIELDS), 2)


class RedisStreams:
    """The log on one server, behind Sentinel or on a Cluster. Safe to share between threads."""

    def __init__(
        self, client: Client | str, durability: Durability = "fsync", wait_seconds: float = 2.0
    ) -> None:
        """`durability` says what an answered append means: `memory` (in the server's memory), `fsync` (on its
        disk), `replicated` (and in one replica's memory). `wait_seconds`: how long to wait for that; keep it
        below the time-out of the client's connections."""
        self.link = RedisLink(connect(client) if isinstance(client, str) else client)
        self.durability = durability
        self.waits = waits_of(durability, wait_seconds)

    def load(self, match: str, after: int = 0, command_id: str | None = None) -> Loaded:
        keys = of_match(match)
        asked: list[Command] = [
            ("MULTI",),
            ("XRANGE", keys.events, after + 1, "+"),
            ("XLEN", keys.events),
            ("HGETALL", keys.secrets),
        ]
        if command_id is not None:
            asked.append(("HGET", keys.commands, command_id))
        result = value(self.link.read(keys.events, *asked, ("EXEC",))[-1])
        entries, version, secrets, *command = map(value, result)
        named = _living(secrets)
        record = CommandRecord.read(command[0].decode()) if command and command[0] is not None else None
        return Loaded(_records(match, entries), record, named, version)

    def read(self, match: str, after: int, limit: int) -> list[Recorded]:
        keys = of_match(match)
        entries, tombstone = self.link.read(
            keys.events,
            ("XRANGE", keys.events, after + 1, "+", "COUNT", limit),
            ("HGET", keys.secrets, TOMBSTONE),
        )
        _refuse_archived(value(tombstone))
        return _records(match, value(entries))

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
        check_append(match, expected, command_id, fingerprint, events, secrets)
        last = events[-1]
        arguments: list[str | bytes | int] = [
            expected,
            events[0].prev_hash,
            command_id or "",
            fingerprint,
            HEADS_CHANNEL,
            f"{match} {last.version} {last.hash}",
            len(FIELDS),
            len(events),
            len(secrets),
            *FIELDS,
        ]
        for event in events:
            arguments += entry(event)
        for name, value in secrets.items():
            arguments += [name, value]
        answer, *numbers = self.call(_APPEND, of_match(match), arguments, durable)
        match answer:
            case b"APPENDED" | b"REPLAYED":
                first, final = numbers
                return Appended(first, final, answer == b"REPLAYED")
            case b"CONFLICT":
                raise VersionConflict(numbers[0])
            case b"FORKED":
                raise HistoryForked(numbers[0])
            case b"REUSED":
                raise KeyReused
        raise RuntimeError(f"{_APPEND} answered {answer!r}")

    def secrets(self, match: str) -> dict[str, str]:
        keys = of_match(match)
        return _living(value(self.link.read(keys.events, ("HGETALL", keys.secrets))[0]))

    def put_secrets(self, match: str, secrets: Mapping[str, str]) -> None:
        check_secrets(secrets)
        pairs = [text for pair in secrets.items() for text in pair]
        self._change_secrets(match, [len(secrets), *pairs])

    def drop_secrets(self, match: str, names: Sequence[str]) -> None:
        check_secrets(names)
        self._change_secrets(match, [0, *names])

    def head(self, match: str) -> Head:
        keys = of_match(match)
        entries, tombstone = self.link.read(
            keys.events,
            ("XREVRANGE", keys.events, "+", "-", "COUNT", 1),
            ("HGET", keys.secrets, TOMBSTONE),
        )
        _refuse_archived(value(tombstone))
        latest = _records(match, value(entries))
        return Head(latest[0].version, latest[0].hash) if latest else Head(0, ZERO_HASH)

    def exists(self, match: str) -> bool:
        keys = of_match(match)
        return bool(value(self.link.read(keys.events, ("EXISTS", keys.events))[0]))

    def subscribe(self) -> RedisHeads:
        return RedisHeads(self.link.owner(HEADS_CHANNEL))

    def check_server(self, without_disk: bool = False) -> list[str]:
        """Warnings about the servers' settings. Raises UnfitServer for settings under which events get lost
        (`without_disk` accepts a server without append-only file), StoreUnavailable."""
        return check(self.link, without_disk)

    def probe(self) -> None:
        """Write something small. Raises StoreUnavailable when the server takes no writes now."""
        written = self.link.write(PROBE, ("SET", PROBE, "1", "EX", 60))[0]
        if isinstance(written, LinkLost):
            raise StoreUnavailable(str(written))
        value(written)

    def close(self) -> None:
        """Close the connections."""
        self.link.client.close()

    def _change_secrets(self, match: str, arguments: Sequence[str | int]) -> None:
        (answer,) = self.call(_SECRETS, of_match(match), arguments, True)
        if answer == b"MISSING":
            raise LookupError(f"no events of {match}")
        # A hint, as every announcement: whoever follows the match also looks at regular intervals.
        with contextlib.suppress(StoreUnavailable):
            self.link.write(of_match(match).events, ("PUBLISH", HEADS_CHANNEL, NEW_RIGHTS.format(match)))

    def call(
        self,
        function: str,
        keys: MatchKeys,
        arguments: Sequence[str | bytes | int],
        durable: bool,
        library: str = _LIBRARY,
    ) -> list[Reply]:
        """Call a function of a library (a file of this package) and wait until what it wrote is as durable as
        it must be. Raises Archived, OutcomeUnknown, StoreUnavailable."""
        command: Command = ("FCALL", function, len(keys), *keys, *arguments)
        waits = self.waits if durable else ()
        done, *waited = self.link.write(keys.events, command, *waits)
        if isinstance(done, ResponseError) and "Function not found" in str(done):
            self._load_library(keys, library)
            done, *waited = self.link.write(keys.events, command, *waits)
        if isinstance(done, LinkLost):
            raise OutcomeUnknown(str(done))
        answer: list[Reply] = value(done)
        if answer[0] == b"ARCHIVED":
            raise Archived(answer[1].decode())
        if answer[0] in (b"APPENDED", b"REPLAYED", b"DONE"):
            check_durable(waited)
        return answer

    def _load_library(self, keys: MatchKeys, library: str) -> None:
        """Load the functions into the server that owns the match: it is new, or was emptied."""
        reply = exchange(self.link.owner(keys.events), [("FUNCTION", "LOAD", _source(library))])[0]
        if isinstance(reply, LinkLost):
            raise StoreUnavailable(str(reply))
        # Another process may have been faster.
        if isinstance(reply, ResponseError) and "already exists" not in str(reply):
            raise reply


@functools.cache
def _source(library: str) -> str:
    """The functions of a library, behind those that all libraries share: one cannot call another."""
    name, body = _text(library).split("\n", 1)
    return f"{name}\n{_text(_SHARED)}\n{body}"


def _text(file: str) -> str:
    return Path(__file__).with_name(file).read_text(encoding="utf-8")


def value(reply: Reply) -> Reply:
    """The reply, unless it is an error. Raises it then."""
    if isinstance(reply, Exception):
        raise reply
    return reply


def waits_of(durability: Durability, seconds: float) -> tuple[Command, ...]:
    """The commands that wait, for so long, until what was written on their connection is durable."""
    milliseconds = round(seconds * 1000)
    fsync: Command = ("WAITAOF", 1, 0, milliseconds)
    replica: Command = ("WAIT", 1, milliseconds)
    return {"memory": (), "fsync": (fsync,), "replicated": (fsync, replica)}[durability]


def check_durable(waited: Sequence[Reply]) -> None:
    """Raises OutcomeUnknown unless every wait was answered in time. WAITAOF answers [here, replicas], WAIT a
    number of replicas."""
    for reply in waited:
        if isinstance(reply, LinkLost | ResponseError):
            raise OutcomeUnknown(str(reply))
        if (reply[0] if isinstance(reply, list) else reply) < 1:
            raise OutcomeUnknown("written, but not durable in time")


def _records(match: str, entries: list[Reply]) -> list[Recorded]:
    return [recorded(match, int(id_.partition(b"-")[0]), values[_VALUES]) for id_, values in entries]


def _living(pairs: list[bytes]) -> dict[str, str]:
    """The secrets of a match that is not archived. Raises Archived."""
    texts = [text.decode() for text in pairs]
    secrets = dict(zip(texts[::2], texts[1::2], strict=True))
    _refuse_archived(secrets.get(TOMBSTONE))
    return secrets


def _refuse_archived(tombstone: bytes | str | None) -> None:
    if tombstone is not None:
        raise Archived(tombstone.decode() if isinstance(tombstone, bytes) else tombstone)
