"""Matches that leave Redis for the archive and come back."""

from collections.abc import Iterator, Sequence
from typing import Final

from redis import RedisError

from events.archive import Whole
from events.keys import TOMBSTONE, of_match
from events.redis_link import Command, Reply
from events.redis_streams import RedisStreams, value
from events.store import Archived, StoreUnavailable, VersionConflict
from events.stored import FIELDS

_LIBRARY: Final = "move_matches.lua"
_SECRETS: Final = of_match("X").secrets.replace("X", "*")
_NAMES: Final = [name.encode() for name in FIELDS]


class RedisMoves:
    """Beside a log in Redis Streams, on whatever server each match lives."""

    def __init__(self, streams: RedisStreams) -> None:
        self._streams = streams

    def whole(self, match: str) -> Whole | None:
        keys = of_match(match)
        asked: list[Command] = [
            ("MULTI",),
            ("XRANGE", keys.events, "-", "+"),
            ("HGETALL", keys.commands),
            ("HGETALL", keys.secrets),
            ("EXEC",),
        ]
        result = value(self._streams.link.read(keys.events, *asked)[-1])
        entries, commands, secrets = map(value, result)
        known = _texts(secrets)
        if TOMBSTONE in known:
            raise Archived(known[TOMBSTONE])
        if not entries:
            return None
        for id_, fields in entries:
            if fields[::2] != _NAMES:
                raise RuntimeError(f"entry {id_!r} of {match} has other fields than this release knows")
        return Whole(match, [fields[1::2] for _, fields in entries], _texts(commands), known)

    def move(self, whole: Whole, tombstone: str) -> None:
        secrets = [text for pair in whole.secrets.items() for text in pair]
        head: list[str | bytes | int] = [whole.version, whole.hash, len(whole.commands), tombstone]
        self._call("wonderlog_move_v1", whole.match, [*head, *secrets])

    def restore(self, whole: Whole, tombstone: str) -> None:
        counts = [len(FIELDS), whole.version, len(whole.commands), len(whole.secrets)]
        arguments: list[str | bytes | int] = [tombstone, *counts, *FIELDS]
        for entry in whole.entries:
            arguments += entry
        for texts in (whole.commands, whole.secrets):
            for pair in texts.items():
                arguments += pair
        self._call("wonderlog_restore_v1", whole.match, arguments)

    def bury(self, match: str, tombstone: str, other: str) -> None:
        self._call("wonderlog_bury_v1", match, [tombstone, other])

    def away(self) -> Iterator[str]:
        prefix, _, suffix = _SECRETS.partition("*")
        try:
            for key in self._streams.link.client.scan_iter(match=_SECRETS, count=1000):
                match = key.decode().removeprefix(prefix).removesuffix(suffix)
                if self.tombstone(match) is not None:
                    yield match
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def tombstone(self, match: str) -> str | None:
        keys = of_match(match)
        kept = value(self._streams.link.read(keys.events, ("HGET", keys.secrets, TOMBSTONE))[0])
        return None if kept is None else kept.decode()

    def _call(self, function: str, match: str, arguments: Sequence[str | bytes | int]) -> None:
        answer, *numbers = self._streams.call(function, of_match(match), arguments, True, _LIBRARY)
        if answer == b"MISSING":
            raise LookupError(f"nothing of {match} is there to be replaced")
        if answer == b"CONFLICT":
            raise VersionConflict(numbers[0])


def _texts(pairs: list[Reply]) -> dict[str, str]:
    texts = [text.decode() for text in pairs]
    return dict(zip(texts[::2], texts[1::2], strict=True))
