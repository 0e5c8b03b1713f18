"""Stores to test: in memory, on a real server, on a one-node cluster."""

import itertools
import os
import uuid
from collections.abc import Iterator

import pytest

from events.archive import Moves
from events.memory import MemoryStore
from events.redis_moves import RedisMoves
from events.redis_streams import RedisStreams
from events.store import EventStore
from tests.embedded import Valkey, redis_url, start_valkey

_NUMBERS = itertools.count(1)


@pytest.fixture(scope="session")
def streams() -> Iterator[RedisStreams]:
    """One server."""
    with redis_url() as url:
        store = RedisStreams(url)
        yield store
        store.close()


@pytest.fixture(scope="session")
def cluster_server() -> Iterator[Valkey]:
    with start_valkey(cluster=True) as server:
        yield server


@pytest.fixture(scope="session")
def cluster_streams(cluster_server: Valkey) -> Iterator[RedisStreams]:
    """A one-node cluster."""
    store = RedisStreams(cluster_server.url)
    yield store
    store.close()


@pytest.fixture(params=["memory", "redis", "cluster"])
def store(request: pytest.FixtureRequest) -> EventStore:
    """Every adapter in turn."""
    if request.param == "memory":
        return MemoryStore()
    name = "streams" if request.param == "redis" else "cluster_streams"
    found: EventStore = request.getfixturevalue(name)
    return found


@pytest.fixture
def moves(store: EventStore) -> Moves:
    """What the archive asks of the store."""
    if isinstance(store, MemoryStore):
        return store
    assert isinstance(store, RedisStreams)
    return RedisMoves(store)


@pytest.fixture
def match() -> str:
    """An id nobody has used, also on a server that is kept between runs."""
    return f"mat_{os.getpid()}_{next(_NUMBERS)}_{uuid.uuid4().hex[:8]}"
