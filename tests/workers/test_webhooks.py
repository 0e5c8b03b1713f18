"""Webhooks through real workers: a queue of their own, a worker killed in the middle of a delivery."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from service.bootstrap import Services
from service.credentials import Caller
from service.keyring import Wish
from tests.service.table import set_up
from tests.service.webhooks.consumer import Consumer, consumer
from tests.workers.conftest import WorkerProcess

GAME = "seven-wonders"


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[Consumer]:
    """A consumer to which workers may deliver; a delivery has two seconds."""
    monkeypatch.setenv("WONDERLOG_WEBHOOKS_ALLOW_LOOPBACK", "1")
    monkeypatch.setenv("WONDERLOG_WEBHOOK_TIMEOUT_MS", "2000")
    with consumer() as made:
        yield made


def hooked(services: Services, listener: Consumer, type: str, mode: str = "live") -> tuple[Caller, str, str]:
    """A tenant, its webhook for one type, the secret. These services allow public addresses only, so that
    of the consumer is put in afterwards; the workers of these tests may go there."""
    tenant = services.matches.authenticate(services.keys.create("acme", Wish(mode=mode)).key, None)
    body = {"url": "https://hooks.example/", "types": [type]}
    made, _ = services.matches.webhooks.create(tenant, body, f"{type:-<20}".replace(".", "-"), "f")
    storage = services.adapters.webhooks
    (endpoint,) = [each for each in storage.endpoints(str(tenant.tenant)) if each.id == made["id"]]
    assert storage.swap(endpoint, replace(endpoint, url=listener.url))
    return tenant, made["id"], made["secret"]


@contextmanager
def held(listener: Consumer) -> Iterator[None]:
    """The consumer lets requests wait."""
    listener.hold.clear()
    yield
    listener.hold.set()


def statuses(services: Services, tenant: Caller, hook: str) -> list[str]:
    items = services.matches.webhooks.deliveries(tenant, hook)["items"]
    return [each["status"] for each in items]


def test_a_delivery_survives_the_worker_that_was_killed_in_the_middle_of_it(
    services: Services, listener: Consumer, start_worker: Callable[[], WorkerProcess]
) -> None:
    tenant, hook, secret = hooked(services, listener, "match.created")
    first = start_worker()
    with held(listener):
        set_up(services, 3, host=tenant, game=GAME)
        listener.wait_for(1)
        first.kill()
    start_worker()
    again, once_more = listener.wait_for(2)[:2]
    assert again.id == once_more.id
    assert once_more.verify(secret)["type"] == "match.created"
    until = time.monotonic() + 90
    while statuses(services, tenant, hook) != ["delivered"]:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_webhook_of_a_sandbox_is_delivered(
    services: Services, listener: Consumer, start_worker: Callable[[], WorkerProcess]
) -> None:
    tenant, _, secret = hooked(services, listener, "match.created", mode="test")
    start_worker()
    set_up(services, 3, host=tenant, game=GAME)
    assert listener.wait_for(1)[0].verify(secret)["type"] == "match.created"


def test_an_endpoint_that_hangs_holds_up_neither_bots_nor_other_endpoints(
    services: Services, listener: Consumer, start_worker: Callable[[], WorkerProcess]
) -> None:
    with consumer() as quick:
        tenant, _, _ = hooked(services, listener, "match.created")
        _, _, secret = hooked(services, quick, "match.ended")
        start_worker()
        with held(listener):
            table = set_up(services, 3, bots=dict.fromkeys(range(3), "random"), host=tenant, game=GAME)
            listener.wait_for(1)
            table.start()
            (ended,) = quick.wait_for(1)
            assert ended.json["type"] == "match.ended"
            assert ended.verify(secret)["data"]["match"] == table.match
