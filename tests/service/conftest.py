"""Services to test: all in memory, or on a real server."""

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest
from redis import Redis

from service import bootstrap, bot_turns, settings, transact
from service.batching import Batching
from service.bootstrap import Services
from tests.embedded import redis_url
from tests.service import tiny_game
from tests.service.table import PATIENT_MS, SECRET, Hands, in_memory

FIRST_DATABASE = 8


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """Nobody gives up, or leaves the rest to a job, because the machine is slow: tests do no jobs unasked."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transact, "BUDGET_S", PATIENT_MS / 1000)
        patch.setattr(bot_turns, "SLICE_S", PATIENT_MS / 1000)
        patch.setattr(Batching.begin, "__defaults__", (PATIENT_MS / 1000,))
        yield


@pytest.fixture
def clock() -> Hands:
    """A clock that stands still."""
    return Hands()


@pytest.fixture
def services(clock: Hands) -> Iterator[Services]:
    """Services in memory, with the tiny game."""
    made = in_memory(clock)
    yield made
    made.close()


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    """A database of our own on a real server, also when several test processes share it."""
    process = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    with redis_url() as url:
        yield f"{url.rstrip('/')}/{FIRST_DATABASE + process}"


@pytest.fixture
def on_redis(server_url: str) -> Iterator[Services]:
    """Services on a real server that was emptied, with the tiny game and the clock of this machine."""
    with Redis.from_url(server_url) as client:
        client.flushdb()
    known = replace(
        settings.for_memory(SECRET),
        streams_url=server_url,
        queues_url=server_url,
        store_timeout_ms=PATIENT_MS,
    )
    made = bootstrap.services(known, {tiny_game.NAME: tiny_game})
    yield made
    made.close()


@pytest.fixture(params=["memory", "redis"])
def either(request: pytest.FixtureRequest) -> Services:
    """Each in turn."""
    found: Services = request.getfixturevalue("services" if request.param == "memory" else "on_redis")
    return found
