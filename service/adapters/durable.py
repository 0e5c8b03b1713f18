"""Writes beside the logs that an answer promises to keep: they wait until they are as durable as a log is.

A server tells a connection about its own writes only. So what finds that it was done before writes the same
again: then the answer to a retry waits as the first one did.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from redis.exceptions import ResponseError

from events.redis_link import Client, Command, LinkLost, RedisLink, Reply
from events.redis_streams import check_durable
from events.store import OutcomeUnknown, StoreUnavailable


@dataclass(frozen=True, slots=True)
class Durable:
    """`waits`: the commands that wait until a write is as durable as it must be, as `events.redis_streams`
    has them."""

    link: RedisLink
    waits: tuple[Command, ...]

    @classmethod
    def on(cls, client: Client, waits: tuple[Command, ...]) -> "Durable":
        """For a client that has no link yet."""
        return cls(RedisLink(client), waits)

    def run(self, script: str, keys: Sequence[str], arguments: Sequence[str | bytes | int]) -> Reply:
        """The answer of a script that writes; its keys share a slot. Raises OutcomeUnknown,
        StoreUnavailable: then nothing was written."""
        return self.write(keys[0], ("EVAL", script, len(keys), *keys, *arguments))

    def write(self, key: str, command: Command) -> Reply:
        """The answer to a command that writes to a key. Raises as `run` does."""
        done, *waited = self.link.write(key, command, *self.waits)
        if isinstance(done, LinkLost):
            raise OutcomeUnknown(str(done))
        if isinstance(done, Exception):
            raise StoreUnavailable(str(done)) from done
        check_durable(waited)
        return done

    def read(self, key: str, command: Command) -> Reply:
        """The answer to a command that only reads a key. Raises StoreUnavailable."""
        (reply,) = self.link.read(key, command)
        if isinstance(reply, ResponseError):
            raise StoreUnavailable(str(reply)) from reply
        return reply
