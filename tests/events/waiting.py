"""Waiting for a fact about a server, for as long as a busy machine may take."""

import time
from collections.abc import Callable

import redis

from events.redis_streams import RedisStreams
from events.store import StoreUnavailable
from tests.embedded import Valkey


def wait_until(is_so: Callable[[], bool], seconds: float = 120.0) -> None:
    """Until it holds. Raises AssertionError when it never does."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it never came to be"
        time.sleep(0.02)


def has_replica(primary: Valkey) -> bool:
    """Whether a replica has all that this server has, and gets what comes next."""
    with redis.Redis(port=primary.port) as client:
        shown = client.info("replication")
        return shown["connected_slaves"] > 0 and shown["slave0"]["state"] == "online"


def answers(store: RedisStreams, match: str) -> bool:
    """Whether the store can be asked for a match that it has."""
    try:
        return store.head(match).version > 0
    except StoreUnavailable:
        return False
