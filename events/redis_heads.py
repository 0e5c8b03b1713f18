"""New heads as Redis announces them: one subscribed connection, whatever the number of listeners."""

# redis-py leaves parts of its interface without types.
# mypy: allow-untyped-calls

from redis.connection import ConnectionPool
from redis.exceptions import RedisError

from events.keys import HEADS_CHANNEL
from events.store import StoreUnavailable


class RedisHeads:
    """A subscription. Used by one thread."""

    def __init__(self, pool: ConnectionPool) -> None:
        """Subscribe. Raises StoreUnavailable."""
        self._pool = pool
        try:
            self._connection = pool.get_connection()
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        try:
            self._connection.send_command("SUBSCRIBE", HEADS_CHANNEL)
            self._connection.read_response()
        except RedisError as error:
            self.close()
            raise StoreUnavailable(str(error)) from error

    def next(self, timeout: float) -> tuple[str, int] | None:
        """The next (match, version), or None after `timeout` seconds. Raises StoreUnavailable."""
        try:
            if not self._connection.can_read(timeout):
                return None
            kind, _, message = self._connection.read_response()
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        match, version, _ = message.decode().split(" ")
        return match, int(version)

    def close(self) -> None:
        """End the subscription and give the connection back, closed."""
        self._connection.disconnect()
        self._pool.release(self._connection)
