"""Services in memory that may deliver to this machine, a clock moved by hand, a consumer."""

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from service import bootstrap, settings
from service.adapters.memory import MemoryScheduler
from service.bootstrap import Services
from service.credentials import Caller
from tests.service import tiny_game
from tests.service.table import SECRET, Hands, run_jobs, tenant
from tests.service.webhooks.consumer import Consumer, consumer

Json = dict[str, Any]


@dataclass(slots=True)
class Post:
    """A tenant with its webhooks, and the workers' part of delivering them."""

    services: Services
    clock: Hands
    tenant: Caller
    _keys: "itertools.count[int]"

    def key(self) -> str:
        """An idempotency key nobody has used."""
        return f"hook-key-{next(self._keys):012d}"

    def hook(self, url: str, **more: Any) -> Json:
        """A new webhook."""
        made, _ = self.services.matches.webhooks.create(self.tenant, {"url": url, **more}, self.key(), "f")
        return made

    def one(self, id: str) -> Json:
        """A webhook as it is now."""
        return self.services.matches.webhooks.one(self.tenant, id)

    def deliveries(self, id: str) -> list[Json]:
        """Its deliveries, the oldest first."""
        page = self.services.matches.webhooks.deliveries(self.tenant, id, 200)
        items: list[Json] = page["items"]
        return items[::-1]

    def work(self, ms: int = 0) -> int:
        """Let time pass, then do what the webhook loop and its threads would; how many jobs there were."""
        self.clock.move(ms)
        scheduler = self.services.scheduler
        assert isinstance(scheduler, MemoryScheduler)
        self.services.notifying.tell_news(100)
        for claim in self.services.delivering.claim(100):
            scheduler.ask_delivery(claim.name, claim.until_ms)
        return run_jobs(self.services)


@pytest.fixture
def clock() -> Hands:
    """It begins at the time of this machine, which signatures are held against."""
    return Hands(int(time.time() * 1000))


@pytest.fixture
def post(clock: Hands) -> Iterator[Post]:
    known = replace(settings.for_memory(SECRET), webhooks_allow_loopback=True, webhook_timeout_ms=30_000)
    services = bootstrap.services(known, {tiny_game.NAME: tiny_game}, clock)
    yield Post(services, clock, tenant(services), itertools.count())
    services.close()


@pytest.fixture
def listener() -> Iterator[Consumer]:
    with consumer() as made:
        yield made
