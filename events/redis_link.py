"""Talking to Redis: one server, Sentinel or Cluster behind one call that sends commands on one connection.

The store needs a pipeline whose commands share a connection (WAITAOF waits for the writes of its own), on a
Cluster that of the slot's owner; redis-py's cluster pipeline promises neither.
"""

# redis-py leaves parts of its interface without types.
# mypy: allow-untyped-calls

import time
from collections.abc import Callable, Sequence
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from hiredis import pack_command
from redis import Redis, RedisCluster
from redis.backoff import ExponentialWithJitterBackoff
from redis.cluster import ClusterNode
from redis.connection import ConnectionPool
from redis.exceptions import (
    AskError,
    BusyLoadingError,
    ClusterDownError,
    MovedError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import TimeoutError as TimedOut
from redis.retry import Retry
from redis.sentinel import Sentinel

from events.store import StoreUnavailable

Client = Redis | RedisCluster
Command = tuple[str | bytes | int, ...]
# A value as RESP2 gives it, or the exception that stands in its place.
Reply = Any

# Errors after which nothing was done and the same call may succeed later, by class or first word.
_PASSING: Final = (ReadOnlyError, ClusterDownError, OutOfMemoryError, TryAgainError, MovedError, AskError)
_PASSING_WORDS: Final = ("LOADING", "MISCONF", "NOREPLICAS", "BUSY", "MASTERDOWN")

# hiredis declares a tuple of one. redis-py's own packing looks at each argument first.
_packed: Final[Callable[[Command], bytes]] = pack_command  # type: ignore[assignment]

_REDIRECTS: Final = 5
_PAUSE: Final = 0.05


class LinkLost(Exception):
    """The connection broke or timed out after commands were sent: what they did is unknown."""


def connect(url: str, timeout: float = 5.0) -> Client:
    """A client for `redis://`, `rediss://` or `unix://` (one server), `redis+sentinel://host:port,…/service[/db]`
    or `redis+cluster://host:port,…` (`rediss+…` with TLS), each with optional `user:password@`.

    `timeout` bounds, in seconds, connecting, sending and each reply. Only a Cluster is contacted at once:
    raises StoreUnavailable; ValueError for a URL that is none of these.
    """
    parts = urlsplit(url)
    settings: dict[str, Any] = {
        "socket_timeout": timeout,
        "socket_connect_timeout": min(timeout, 2.0),
        "socket_keepalive": True,
        "protocol": 2,
    }
    retry = Retry(ExponentialWithJitterBackoff(base=0.01, cap=0.1), 2)
    try:
        match parts.scheme:
            case "redis" | "rediss":
                return Redis.from_url(url, retry=retry, **settings)
            case "unix":
                del settings["socket_keepalive"]
                return Redis.from_url(url, retry=retry, **settings)
            case "redis+sentinel" | "rediss+sentinel":
                return _sentinel(parts, {**settings, "retry": retry})
            case "redis+cluster" | "rediss+cluster":
                nodes = [ClusterNode(host, port) for host, port in _hosts(parts, 6379)]
                return RedisCluster(startup_nodes=nodes, **settings, **_login(parts))
    except (RedisError, RedisClusterException) as error:
        raise StoreUnavailable(str(error)) from error
    raise ValueError(f"{parts.scheme!r} is no scheme of a Redis URL")


def _sentinel(parts: SplitResult, settings: dict[str, Any]) -> Redis:
    service, _, db = parts.path.strip("/").partition("/")
    if not service:
        raise ValueError("a Sentinel URL ends with the name of the service")
    query = dict(parse_qsl(parts.query))
    own = {**settings, "password": query.get("sentinel_password"), "username": query.get("sentinel_username")}
    sentinel = Sentinel(_hosts(parts, 26379), sentinel_kwargs=own)
    master: Redis = sentinel.master_for(service, db=int(db or 0), **settings, **_login(parts))
    return master


def _hosts(parts: SplitResult, port: int) -> list[tuple[str, int]]:
    """The `host:port` list of a URL; IPv6 addresses in brackets."""
    hosts = []
    for address in parts.netloc.rpartition("@")[2].split(","):
        split = urlsplit(f"//{address}")
        if not split.hostname:
            raise ValueError("a Redis URL names at least one host, and none that is empty")
        hosts.append((split.hostname, split.port or port))
    return hosts


def _login(parts: SplitResult) -> dict[str, Any]:
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    login: dict[str, Any] = {"ssl": True} if parts.scheme.startswith("rediss") else {}
    if user:
        login["username"] = unquote(user)
    if password:
        login["password"] = unquote(password)
    return login


class RedisLink:
    """Sends the commands of one match over one connection to the server that owns its slot."""

    def __init__(self, client: Client, patience: float = 2.0) -> None:
        """`patience`: for how many seconds a Cluster that is moving slots is asked again."""
        self.client = client
        self._patience = patience
        self._outdated = False

    def read(self, key: str, *commands: Command) -> list[Reply]:
        """The replies to commands that only read; a broken connection is tried once more.

        `key` names the slot. Errors the server answers stand among the replies. Raises StoreUnavailable."""
        for _ in range(2):
            replies = self._talk(key, commands, deciding=len(commands))
            lost = next((reply for reply in replies if isinstance(reply, LinkLost)), None)
            if lost is None:
                return replies
        raise StoreUnavailable(str(lost))

    def write(self, key: str, command: Command, *waits: Command) -> list[Reply]:
        """The replies to a command that writes and to the commands that wait for it to be durable.

        Sent once, unless the server says that nothing was done; LinkLost stands in the place of each reply
        that did not come. Raises StoreUnavailable: then nothing was written."""
        return self._talk(key, (command, *waits), deciding=1)

    def pools(self) -> list[ConnectionPool]:
        """The connections to every server that takes writes."""
        if not isinstance(self.client, RedisCluster):
            return [self.client.connection_pool]
        return [self._node_pool(node) for node in self.client.get_primaries()]

    def owner(self, key: str) -> ConnectionPool:
        """The connections to the server that owns the slot of the key. Raises StoreUnavailable."""
        if not isinstance(self.client, RedisCluster):
            return self.client.connection_pool
        try:
            if self._outdated:
                self.client.nodes_manager.initialize()
                self._outdated = False
            return self._node_pool(self.client.get_node_from_key(key))
        except (RedisError, RedisClusterException) as error:
            self._outdated = True
            raise StoreUnavailable(str(error)) from error

    def _talk(self, key: str, commands: Sequence[Command], deciding: int) -> list[Reply]:
        """`deciding`: how many of the replies can say that nothing was done and all must be sent again."""
        deadline = time.monotonic() + self._patience
        pool, asking, attempts = self.owner(key), False, 0
        while True:
            try:
                replies = exchange(pool, [("ASKING",), *commands] if asking else commands)
            except StoreUnavailable:
                self._outdated = True
                raise
            replies = replies[1:] if asking else replies
            refused = next((reply for reply in replies[:deciding] if is_passing(reply)), None)
            if refused is None:
                self._outdated |= any(isinstance(reply, LinkLost) for reply in replies)
                return replies
            if not isinstance(self.client, RedisCluster) or time.monotonic() > deadline:
                self._outdated = True
                raise StoreUnavailable(str(refused))
            attempts += 1
            if attempts > _REDIRECTS:
                time.sleep(_PAUSE)
            pool, asking = self._redirected(self.client, key, refused, commands)

    def _redirected(
        self, client: RedisCluster, key: str, refused: Reply, commands: Sequence[Command]
    ) -> tuple[ConnectionPool, bool]:
        """Where to ask instead, and whether to say ASKING there. Waits a little where only time can help."""
        if isinstance(refused, MovedError):
            client.nodes_manager.move_slot(refused)
        elif isinstance(refused, AskError) and (len(commands) == 1 or commands[0][0] == "FCALL"):
            node = client.get_node(host=refused.host, port=refused.port)
            if node is not None:
                return self._node_pool(node), True
            self._outdated = True
        else:
            # A slot or a role on the move. ASK cannot be followed by several commands that name keys: some of
            # the keys may have moved and some not, and the new owner would show those as empty.
            time.sleep(_PAUSE)
        return self.owner(key), False

    def _node_pool(self, node: ClusterNode) -> ConnectionPool:
        assert isinstance(self.client, RedisCluster)
        return self.client.get_redis_connection(node).connection_pool


def exchange(pool: ConnectionPool, commands: Sequence[Command]) -> list[Reply]:
    """Send the commands at once over one connection and read their replies (errors and LinkLost among them).

    Raises StoreUnavailable when no connection could be made: then nothing was sent."""
    try:
        connection = pool.get_connection()
    except RedisError as error:
        raise StoreUnavailable(str(error)) from error
    replies: list[Reply] = []
    try:
        connection.send_packed_command([b"".join(map(_packed, commands))])
        for _ in commands:
            replies.append(_reply(connection))
    except (NoConnection, TimedOut) as error:
        connection.disconnect()
        lost = error if isinstance(error, BusyLoadingError) else LinkLost(str(error))
        replies += [lost] * (len(commands) - len(replies))
    except BaseException:
        connection.disconnect()
        raise
    finally:
        pool.release(connection)
    return replies


def _reply(connection: Any) -> Reply:
    try:
        return connection.read_response()
    except ResponseError as error:
        return error


def is_passing(reply: Reply) -> bool:
    """Whether a reply says that nothing was done and that the same may succeed later or elsewhere."""
    if isinstance(reply, (*_PASSING, BusyLoadingError)):
        return True
    return isinstance(reply, ResponseError) and str(reply).startswith(_PASSING_WORDS)
