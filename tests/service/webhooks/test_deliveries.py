"""What is told to whom, when it is tried again, and when no more; a consumer verifies everything."""

import json
from dataclasses import replace
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from standardwebhooks import WebhookVerificationError

from events.store import StoreUnavailable
from service import bootstrap, scopes
from service.adapters.webhook_sender import WebhookSender
from service.errors import RulesetUnsupported
from service.keyring import Wish
from service.positions import Positions
from service.webhooks.deliveries import JITTER, SCHEDULE_S
from service.webhooks.notices import TYPES
from service.webhooks.notifying import CURSOR
from tests.service import tiny_game
from tests.service.table import run_jobs, set_up, started
from tests.service.webhooks.conftest import Post
from tests.service.webhooks.consumer import Consumer, Received, consumer, verify_ed25519

HOUR = 3_600_000


def answering(*statuses: int, **headers: str) -> Any:
    """These statuses one after the other, the last for ever."""
    left = list(statuses)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda received: (left.pop(0) if len(left) > 1 else left[0], named)


def test_a_whole_match_is_told_and_every_request_verifies(post: Post, listener: Consumer) -> None:
    hook = post.hook(listener.url)
    table = started(post.services, 2, host=post.tenant)
    post.work()
    assert sorted(listener.types()) == [
        "match.created",
        "match.decision.opened",
        "match.seat.joined",
        "match.seat.joined",
        "match.started",
    ]
    for _ in range(3):
        for seat in (0, 1):
            table.pick(seat, seat + 1)
        post.work()
    assert listener.types()[-1] == "match.ended"
    assert listener.types().count("match.decision.opened") == 3
    for received in listener.received:
        body = received.verify(hook["secret"])
        assert body["data"]["match"] == table.match
        assert body["data"]["title"] == "Tiny"
        assert set(body["data"]) == {"match", "game", "title", "version", *TYPES[body["type"]].members}
        assert len(received.body) < 20_000
    assert len({received.id for received in listener.received}) == len(listener.received)
    assert {each["status"] for each in post.deliveries(hook["id"])} == {"delivered"}


def test_a_body_that_was_changed_does_not_verify(post: Post, listener: Consumer) -> None:
    hook = post.hook(listener.url)
    post.services.matches.webhooks.test(post.tenant, hook["id"], post.key())
    post.work()
    (received,) = listener.received
    assert received.verify(hook["secret"])["type"] == "webhook.ping"
    with pytest.raises(WebhookVerificationError):
        replace(received, body=received.body.replace("ping", "pong")).verify(hook["secret"])


def test_ed25519_is_verified_with_the_public_key_alone(post: Post, listener: Consumer) -> None:
    hook = post.hook(listener.url, signing="ed25519")
    assert "secret" not in hook
    (public,) = hook["public_keys"]
    post.services.matches.webhooks.test(post.tenant, hook["id"], post.key())
    post.work()
    (received,) = listener.received
    assert verify_ed25519(received, public)
    with pytest.raises(InvalidSignature):
        verify_ed25519(replace(received, body=received.body + " "), public)


@pytest.mark.parametrize("signing", ["hmac-sha256", "ed25519"])
def test_for_a_while_after_a_rotation_the_old_secret_verifies_as_well(
    signing: str, post: Post, listener: Consumer
) -> None:
    hook = post.hook(listener.url, signing=signing)
    webhooks = post.services.matches.webhooks
    key = post.key()
    new, replayed = webhooks.rotate(post.tenant, hook["id"], {"overlap_ms": HOUR}, key, "f")
    assert not replayed
    assert webhooks.rotate(post.tenant, hook["id"], {"overlap_ms": HOUR}, key, "f") == (new, True)

    def verifies(received: Received, made: dict[str, Any]) -> bool:
        try:
            if signing == "hmac-sha256":
                return bool(received.verify(made["secret"]))
            return verify_ed25519(received, made["public_keys"][0])
        except WebhookVerificationError:
            return False

    webhooks.test(post.tenant, hook["id"], post.key())
    post.work()
    assert listener.received[0].headers["webhook-signature"].count(" ") == 1
    assert verifies(listener.received[0], new)
    if signing == "hmac-sha256":
        assert verifies(listener.received[0], hook)
        assert new["secret"] != hook["secret"]
    else:
        assert new["public_keys"][1:] == hook["public_keys"]
    post.clock.move(HOUR)
    webhooks.test(post.tenant, hook["id"], post.key())
    post.work()
    assert " " not in listener.received[1].headers["webhook-signature"]
    if signing == "hmac-sha256":
        assert not verifies(listener.received[1], hook)


def test_a_failed_delivery_is_tried_again_by_the_schedule_and_then_the_webhook_is_off(
    post: Post, listener: Consumer
) -> None:
    listener.reply = answering(500)
    with consumer() as other:
        hook, watching = post.hook(listener.url), post.hook(other.url, types=["webhook.disabled"])
        ping, _ = post.services.matches.webhooks.test(post.tenant, hook["id"], post.key())
        post.work()
        for number, pause in enumerate(SCHEDULE_S[1:], 2):
            assert post.work(int(pause * 1000 * (1 - JITTER)) - 100) == 0, "not yet"
            post.work(int(pause * 1000 * 2 * JITTER) + 300)
            assert len(listener.received) == number
        assert {received.id for received in listener.received} == {ping["webhook_id"]}
        stamps = [int(received.headers["webhook-timestamp"]) for received in listener.received]
        assert stamps == sorted(set(stamps)), "each attempt has its own time"
        (delivery,) = post.deliveries(hook["id"])
        assert (delivery["status"], len(delivery["attempts"])) == ("failed", len(SCHEDULE_S))
        shown = post.one(hook["id"])
        assert (shown["enabled"], shown["disabled"]["reason"]) == (False, "exhausted")
        post.work(100)
        assert [each.json["data"] for each in other.received] == [
            {"webhook": hook["id"], "reason": "exhausted"}
        ]
        assert [each["type"] for each in post.deliveries(watching["id"])] == ["webhook.disabled"]


def test_410_switches_a_webhook_off_at_once(post: Post, listener: Consumer) -> None:
    listener.reply = answering(410)
    hook = post.hook(listener.url)
    started(post.services, 2, host=post.tenant)
    post.work()
    assert len(listener.received) == 1
    assert post.one(hook["id"])["disabled"]["reason"] == "gone"
    post.work(25 * HOUR)
    assert len(listener.received) == 1


def test_a_webhook_switched_on_again_gets_what_happens_from_then_on(post: Post, listener: Consumer) -> None:
    webhooks = post.services.matches.webhooks
    hook = post.hook(listener.url, types=["match.created", "match.seat.joined"])
    webhooks.change(post.tenant, hook["id"], {"enabled": False})
    missed = set_up(post.services, 2, host=post.tenant)
    post.work()
    post.clock.move(1000)
    assert webhooks.change(post.tenant, hook["id"], {"enabled": True})["disabled"] is None
    table = set_up(post.services, 2, host=post.tenant)
    missed.services.matches.leave(post.tenant, missed.match, 0)
    post.work()
    assert {each.json["data"]["match"] for each in listener.received} == {table.match}


@pytest.mark.parametrize("status", [429, 502, 504])
def test_retry_after_is_granted_to_the_whole_endpoint(status: int, post: Post, listener: Consumer) -> None:
    listener.reply = answering(status, 204, Retry_After="120")
    post.hook(listener.url, types=["match.created", "match.seat.joined"])
    set_up(post.services, 2, host=post.tenant)
    post.work()
    assert len(listener.received) == 1
    set_up(post.services, 2, host=post.tenant)
    post.work(119_000)
    assert len(listener.received) == 1, "nothing else is sent there meanwhile"
    post.work(1_500)
    assert len(listener.received) > 1


def test_a_redirect_is_a_failure_and_is_not_followed(post: Post, listener: Consumer) -> None:
    with consumer() as elsewhere:
        listener.reply = answering(302, 307, 204, Location=elsewhere.url)
        hook = post.hook(listener.url)
        post.services.matches.webhooks.test(post.tenant, hook["id"], post.key())
        post.work()
        post.work(10_000)
        post.work(400_000)
        (delivery,) = post.deliveries(hook["id"])
        assert [each["status"] for each in delivery["attempts"]] == [302, 307, 204]
        assert elsewhere.received == []


def test_an_endpoint_that_does_not_answer_has_failed_after_the_limit(post: Post, listener: Consumer) -> None:
    post.services.delivering._sender = WebhookSender(1_000, True)
    hook = post.hook(listener.url)
    listener.hold.clear()
    post.services.matches.webhooks.test(post.tenant, hook["id"], post.key())
    post.work()
    listener.hold.set()
    (delivery,) = post.deliveries(hook["id"])
    assert [each["error"] for each in delivery["attempts"]] == ["timeout"]
    assert delivery["status"] == "pending"


def test_a_notice_that_a_match_waits_is_dropped_when_it_does_not_any_more(
    post: Post, listener: Consumer
) -> None:
    listener.reply = answering(503, 204)
    hook = post.hook(listener.url, types=["match.decision.opened"])
    table = started(post.services, 2, host=post.tenant)
    first = table.decision()["id"]
    post.work()
    assert len(listener.received) == 1
    post.clock.move(100)
    for seat in (0, 1):
        table.pick(seat, seat + 1)
    post.work(10_000)
    assert [each["status"] for each in post.deliveries(hook["id"])] == ["superseded", "delivered"]
    assert [json.loads(each.body)["data"]["decision"] for each in listener.received] == [
        first,
        table.decision()["id"],
    ]


def test_two_webhooks_with_one_address_are_told_once_and_both_verify(post: Post, listener: Consumer) -> None:
    one, two = post.hook(listener.url), post.hook(listener.url)
    set_up(post.services, 2, host=post.tenant)
    post.work()
    assert len(listener.received) == 3
    for received in listener.received:
        assert received.verify(one["secret"]) == received.verify(two["secret"])
    assert sorted(len(post.deliveries(each["id"])) for each in (one, two)) == [0, 3]


def test_types_are_a_filter_and_other_tenants_hear_nothing(post: Post, listener: Consumer) -> None:
    with consumer() as foreign:
        post.hook(listener.url, types=["match.started"])
        stranger = post.services.matches.authenticate(post.services.keys.create("other").key, None)
        post.services.matches.webhooks.create(stranger, {"url": foreign.url}, post.key(), "f")
        started(post.services, 2, host=post.tenant)
        post.work()
        assert listener.types() == ["match.started"]
        assert foreign.received == []


def test_a_decision_that_waits_for_bots_alone_is_nobodys_news(post: Post, listener: Consumer) -> None:
    post.hook(listener.url, types=["match.decision.opened", "match.ended"])
    started(post.services, 2, host=post.tenant, bots={0: "random", 1: "random"})
    run_jobs(post.services)
    post.work()
    assert listener.types() == ["match.ended"]


def test_deliveries_are_sent_again_on_request_once_for_each_key(post: Post, listener: Consumer) -> None:
    webhooks = post.services.matches.webhooks
    hook = post.hook(listener.url, types=["match.created", "match.seat.joined"])
    since = {"since": "2020-01-01T00:00:00.000Z", "statuses": ["delivered"]}
    set_up(post.services, 2, host=post.tenant)
    post.work()
    ids = [received.id for received in listener.received]
    key = post.key()
    assert webhooks.redeliver(post.tenant, hook["id"], since, key, "f") == ({"redelivered": 3}, False)
    assert webhooks.redeliver(post.tenant, hook["id"], since, key, "f") == ({"redelivered": 3}, True)
    post.work()
    assert sorted(received.id for received in listener.received) == sorted(ids * 2)
    old = {
        "since": "2020-01-01T00:00:00.000Z",
        "until": "2020-01-02T00:00:00.000Z",
        "statuses": ["delivered"],
    }
    assert webhooks.redeliver(post.tenant, hook["id"], old, post.key(), "f")[0] == {"redelivered": 0}


def test_who_may_not_see_a_match_live_is_not_told_of_it_live(post: Post, listener: Consumer) -> None:
    key = post.services.keys.create("acme", Wish([scopes.WEBHOOKS])).key
    slow = post.services.matches.authenticate(key, None)
    with consumer() as late:
        post.services.matches.webhooks.create(slow, {"url": late.url}, post.key(), "f")
        post.hook(listener.url)
        delayed = started(post.services, 2, host=post.tenant, options={"spectator_delay": 3})
        post.work()
        assert "match.decision.opened" in listener.types()
        assert "match.decision.opened" not in late.types()
        for _ in range(3):
            for seat in (0, 1):
                delayed.pick(seat, seat + 1)
        post.work()
        assert late.types()[-1] == "match.ended"
        started(post.services, 2, host=post.tenant)
        post.work()
        assert late.types().count("match.decision.opened") == 1, "where nobody is kept waiting"


def test_pauses_proposals_and_moves_taken_back_are_told(post: Post, listener: Consumer) -> None:
    post.hook(listener.url)
    table = started(post.services, 2, host=post.tenant, options={"undo": "own-turn"})
    table.command(post.tenant, {"command": {"type": "pause"}})
    table.command(post.tenant, {"command": {"type": "resume"}})
    table.command(table.seat(1), {"command": {"type": "pause"}})
    table.command(table.seat(0), {"command": {"type": "decline", "proposal": table.view()["version"]}})
    table.pick(0, 2)
    table.command(table.seat(0), {"command": {"type": "undo"}})
    post.work()
    told = [each.json for each in listener.received]
    types = [each["type"] for each in told]
    for type in ("match.paused", "match.resumed", "match.proposal.made", "match.undone"):
        assert types.count(type) == 1, types
    made = told[types.index("match.proposal.made")]["data"]
    assert (made["seat"], made["proposal"]) == (1, "pause")
    assert told[types.index("match.undone")]["data"]["seat"] == 0


class Broken:
    """A storage of which one method fails, so that the process seems to die there."""

    def __init__(self, storage: Any, method: str) -> None:
        self._storage, self._method = storage, method

    def __getattr__(self, name: str) -> Any:
        if name == self._method:
            raise StoreUnavailable("it died here")
        return getattr(self._storage, name)


@pytest.mark.parametrize("method", ["bring_forward", "claim", "add"])
def test_a_crash_between_commit_and_delivery_loses_nothing(
    method: str, post: Post, listener: Consumer
) -> None:
    hook = post.hook(listener.url)
    broken: Any = Broken(post.services.adapters.webhooks, method)
    dying = bootstrap.services(
        post.services.settings,
        {tiny_game.NAME: tiny_game},
        post.clock,
        adapters=replace(post.services.adapters, webhooks=broken),
    )
    table = started(dying, 2, host=post.tenant)
    for _ in range(3):
        for seat in (0, 1):
            table.pick(seat, seat + 1)
    if method != "bring_forward":
        with pytest.raises(StoreUnavailable):
            dying.notifying.tell_news(100)
    post.clock.move(11_000)
    post.services.upkeep.sweep()
    post.work()
    assert "match.ended" in listener.types()
    assert len(listener.received) == len({received.id for received in listener.received}) == 5
    assert {each["status"] for each in post.deliveries(hook["id"])} == {"delivered"}


def test_a_match_that_cannot_be_read_keeps_no_other_from_being_told_of(
    post: Post, listener: Consumer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    post.hook(listener.url, types=["match.created"])
    odd = set_up(post.services, 2, host=post.tenant)
    post.clock.move(10)
    fine = set_up(post.services, 2, host=post.tenant)
    load = Positions.load

    def unsupported(self: Positions, match: str, *more: Any) -> Any:
        if match == odd.match:
            raise RulesetUnsupported("tiny/0.9.0")
        return load(self, match, *more)

    with monkeypatch.context() as patched:
        patched.setattr(Positions, "load", unsupported)
        post.work()
        assert [each.json["data"]["match"] for each in listener.received] == [fine.match]
        assert "RulesetUnsupported" in caplog.text
        assert post.work(1_000) == 0
    post.work(60_000)
    assert [each.json["data"]["match"] for each in listener.received] == [fine.match, odd.match]


def test_what_is_derived_again_has_the_same_ids_and_is_sent_once(post: Post, listener: Consumer) -> None:
    post.hook(listener.url)
    table = started(post.services, 2, host=post.tenant)
    post.work()
    count = len(listener.received)
    post.services.store.put_secrets(table.match, {CURSOR: "0"})
    post.services.notifying.notify(table.match)
    post.work()
    assert len(listener.received) == count


def test_what_happened_before_a_webhook_was_made_is_not_told(post: Post, listener: Consumer) -> None:
    table = set_up(post.services, 2, host=post.tenant)
    post.clock.move(1000)
    post.hook(listener.url)
    table.start()
    post.work()
    assert sorted(listener.types()) == ["match.decision.opened", "match.started"]


def test_nothing_hidden_is_in_any_notice(post: Post, listener: Consumer) -> None:
    post.hook(listener.url)
    table = started(post.services, 2, host=post.tenant, options={"decision_limit_ms": 60_000})
    kept = post.services.store.secrets(table.match)
    for round_ in range(3):
        for seat in (0, 1):
            table.pick(seat, 3 + seat)
        post.work(round_)
    told = " ".join(received.body + str(received.headers) for received in listener.received)
    for name, secret in kept.items():
        assert name in (CURSOR, "tenant") or secret == "" or secret not in told, name
    assert not [token for token in table.tokens.values() if token in told]
    allowed = {"match", "game", "title", "version"}
    for received in listener.received:
        body = received.json
        assert set(body) == {"type", "timestamp", "data"}
        assert set(body["data"]) <= allowed | set(TYPES[body["type"]].members)
    waiting = next(each.json for each in listener.received if each.json["type"] == "match.decision.opened")
    assert waiting["data"]["awaited"] == [0, 1]
    assert waiting["data"]["deadline_at"] is not None


def test_a_decision_names_the_people_it_waits_for_and_no_bots(post: Post, listener: Consumer) -> None:
    post.hook(listener.url, types=["match.decision.opened"])
    table = set_up(post.services, 3, host=post.tenant, bots={1: "easy"})
    table.start()
    post.work()
    waiting = next(each.json for each in listener.received)
    assert waiting["data"]["awaited"] == [0, 2]
