"""Stream tickets in Redis: a key each, `wonderlog:ticket:<hash>`, which ends by itself."""

from typing import Final

from redis import RedisError

from events.redis_link import Client, Reply
from events.store import StoreUnavailable

_PREFIX: Final = "wonderlog:ticket:"


class RedisTickets:
    """Texts under names, shared by all processes."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def add(self, name: str, text: str, seconds: int) -> str | None:
        try:
            found: Reply = self._client.set(_PREFIX + name, text, nx=True, get=True, ex=seconds)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return _text(found)

    def swap(self, name: str, text: str, seconds: int) -> str | None:
        try:
            found: Reply = self._client.set(_PREFIX + name, text, xx=True, get=True, ex=seconds)
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return _text(found)


def _text(found: Reply) -> str | None:
    return found.decode() if isinstance(found, bytes) else None
