"""What both storages of webhooks promise: nothing claimed is lost, nothing is written over unseen."""

from dataclasses import replace

import pytest

from service.bootstrap import Services
from service.webhooks import notices
from service.webhooks.deliveries import DUE, MOST_KEPT, Delivery, WebhookStorage, delivery
from service.webhooks.endpoints import Endpoint, Off


@pytest.fixture
def storage(either: Services) -> WebhookStorage:
    return either.adapters.webhooks


HOOK = Endpoint("whk_a", "acme", "https://example.com/", "f", 1, 1, types=["match.ended"])
NAME = "acme whk_a"


def made(number: int, at_ms: int = 1000) -> Delivery:
    """A delivery with an age."""
    return delivery(notices.make(notices.PING, at_ms, {}, number), HOOK, at_ms)


def test_an_endpoint_is_written_only_over_what_was_seen(storage: WebhookStorage) -> None:
    off = replace(HOOK, off=Off(5, "gone"))
    assert not storage.swap(HOOK, off)
    assert storage.swap(None, HOOK)
    assert not storage.swap(None, HOOK)
    assert storage.swap(HOOK, off)
    assert not storage.swap(HOOK, replace(HOOK, url="https://example.org/"))
    assert storage.endpoints("acme") == [off]
    assert storage.endpoints("other") == []
    storage.drop(off)
    assert storage.endpoints("acme") == []


def test_a_claim_is_one_persons_until_it_ends(storage: WebhookStorage) -> None:
    storage.bring_forward(DUE, NAME, 100)
    assert storage.claim(DUE, 99, 50, 10) == []
    (claim,) = storage.claim(DUE, 100, 50, 10)
    assert claim.name == NAME
    assert storage.claim(DUE, 149, 50, 10) == []
    (taken_over,) = storage.claim(DUE, 150, 50, 10)
    assert storage.renew(DUE, claim, 999) is None
    storage.settle(DUE, claim, None)
    renewed = storage.renew(DUE, taken_over, 400)
    assert renewed is not None
    assert storage.claim(DUE, 399, 50, 10) == []
    storage.settle(DUE, renewed, None)
    assert storage.claim(DUE, 10_000, 50, 10) == []


def test_what_becomes_due_while_it_is_claimed_waits_for_the_claim(storage: WebhookStorage) -> None:
    storage.bring_forward(DUE, NAME, 100)
    (claim,) = storage.claim(DUE, 100, 1000, 10)
    storage.bring_forward(DUE, NAME, 110)
    assert storage.claim(DUE, 500, 1000, 10) == []
    storage.settle(DUE, claim, None)
    assert [each.name for each in storage.claim(DUE, 500, 1000, 10)] == [NAME]


def test_a_claim_takes_no_more_than_it_is_asked_to_and_the_oldest_first(storage: WebhookStorage) -> None:
    for number in range(5):
        storage.bring_forward(DUE, f"t {number}", 100 - number)
    assert [each.name for each in storage.claim(DUE, 200, 50, 2)] == ["t 4", "t 3"]
    assert [each.name for each in storage.claim(DUE, 200, 50, 9)] == ["t 2", "t 1", "t 0"]


def test_deliveries_are_added_once_listed_by_age_and_attempted_when_due(storage: WebhookStorage) -> None:
    old, new = made(1, 1000), made(2, 2000)
    assert storage.add(new)
    assert storage.add(old)
    assert not storage.add(old)
    assert storage.page(HOOK.id, None, 10) == [new, old]
    assert storage.page(HOOK.id, new.place, 10) == [old]
    assert storage.pending(HOOK.id, 1500, 10) == [old]
    done = replace(old, status="delivered", next_ms=None)
    storage.save(done)
    assert storage.delivery(HOOK.id, old.id) == done
    assert storage.pending(HOOK.id, 5000, 10) == [new]
    assert storage.next_due(HOOK.id) == 2000
    assert not storage.add(old), "what is done stays done"
    assert storage.pending(HOOK.id, 5000, 10) == [new]
    storage.empty(HOOK)
    assert (storage.page(HOOK.id, None, 10), storage.next_due(HOOK.id)) == ([], None)
    storage.save(done)
    assert storage.page(HOOK.id, None, 10) == [], "what is forgotten stays so"


def test_an_endpoint_keeps_its_latest_deliveries_only(storage: WebhookStorage) -> None:
    for number in range(MOST_KEPT + 3):
        storage.add(made(number, 1000 + number))
    kept = storage.page(HOOK.id, None, MOST_KEPT + 10)
    assert len(kept) == MOST_KEPT
    assert kept[-1] == made(3, 1003)
    assert storage.next_due(HOOK.id) == 1003
