"""What a webhook is told, and by whose right: in the sandbox, whose clock is ahead, and of what spectators
are kept waiting for."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from service import scopes
from service.credentials import Caller
from service.errors import QuotaExceeded
from service.keyring import Wish
from service.webhooks.subscriptions import MOST_REMEMBERED, REMEMBERED_MS
from tests.service.table import set_up, started
from tests.service.webhooks.conftest import Post
from tests.service.webhooks.consumer import Consumer

DAY_MS = 24 * 3600 * 1000


@pytest.fixture
def sandboxed(post: Post) -> Iterator[Post]:
    """The post of a sandbox whose clock is a day ahead."""
    key = post.services.keys.create("acme", Wish(mode="test")).key
    made = replace(post, tenant=post.services.matches.authenticate(key, None))
    made.services.matches.move_sandbox_clock(made.tenant, {"advance_ms": DAY_MS}, made.key(), "f")
    yield made


def test_a_webhook_of_a_sandbox_is_told_nothing_of_the_time_before_it(
    sandboxed: Post, listener: Consumer
) -> None:
    table = set_up(sandboxed.services, 2, host=sandboxed.tenant)
    sandboxed.clock.move(1_000)
    hook = sandboxed.hook(listener.url)
    table.start()
    sandboxed.work()
    assert listener.types() == ["match.started", "match.decision.opened"]
    webhooks = sandboxed.services.matches.webhooks
    webhooks.change(sandboxed.tenant, hook["id"], {"enabled": False})
    sandboxed.clock.move(1_000)
    table.pick(0, 1)
    table.pick(1, 1)
    sandboxed.clock.move(1_000)
    webhooks.change(sandboxed.tenant, hook["id"], {"enabled": True})
    listener.received.clear()
    table.pick(0, 1)
    sandboxed.work()
    assert listener.received == [], "what happened while it was off is not sent, in the sandbox either"


def test_tests_and_the_end_of_another_webhook_are_told_in_a_sandbox_too(
    sandboxed: Post, listener: Consumer
) -> None:
    watching = sandboxed.hook(listener.url, types=["webhook.disabled"])
    failing = sandboxed.hook(f"{listener.url}gone")
    listener.reply = lambda received: (410 if received.path.endswith("gone") else 204, {})
    sandboxed.services.matches.webhooks.test(sandboxed.tenant, failing["id"], sandboxed.key())
    sandboxed.work()
    sandboxed.work()
    (told,) = sandboxed.deliveries(watching["id"])
    (ping,) = sandboxed.deliveries(failing["id"])
    assert (told["type"], told["status"]) == ("webhook.disabled", "delivered")
    now = sandboxed.services.matches.sandbox_clock.show(sandboxed.tenant)["now"]
    assert told["occurred_at"][:10] == ping["occurred_at"][:10] == now[:10]


def delayed(post: Post) -> Caller:
    """A key of the tenant that sees matches as late as spectators do."""
    wish = Wish(sorted(scopes.ALL - {scopes.LIVE}))
    return post.services.matches.authenticate(post.services.keys.create("acme", wish).key, None)


def test_a_key_that_trails_behind_cannot_lead_live_notices_to_itself(post: Post, listener: Consumer) -> None:
    hook = post.hook(f"{listener.url}theirs", types=["match.decision.opened", "match.started"])
    webhooks, late = post.services.matches.webhooks, delayed(post)
    webhooks.change(late, hook["id"], {"description": "words change nothing"})
    started(post.services, 2, host=post.tenant, options={"spectator_delay": 5})
    post.work()
    assert "match.decision.opened" in listener.types()
    listener.received.clear()
    webhooks.change(late, hook["id"], {"url": f"{listener.url}mine"})
    started(post.services, 2, host=post.tenant, options={"spectator_delay": 5})
    post.work()
    assert listener.types() == ["match.started"]
    webhooks.change(post.tenant, hook["id"], {"url": f"{listener.url}theirs"})
    listener.received.clear()
    started(post.services, 2, host=post.tenant, options={"spectator_delay": 5})
    post.work()
    assert "match.decision.opened" in listener.types()


def test_webhooks_that_are_made_and_deleted_do_not_pile_up(post: Post) -> None:
    def made_and_deleted() -> None:
        hook = post.hook("https://example.com/h")
        post.services.matches.webhooks.delete(post.tenant, hook["id"])

    for _ in range(MOST_REMEMBERED):
        made_and_deleted()
    with pytest.raises(QuotaExceeded):
        made_and_deleted()
    post.clock.move(REMEMBERED_MS + 1)
    made_and_deleted()
    assert len(post.services.adapters.webhooks.endpoints("acme")) == 1
