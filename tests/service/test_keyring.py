"""Tenant keys: scopes, modes, rotation, revocation, last use, the log of what was done."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from redis import Redis

from domain.kernel.errors import IllegalMove
from events.store import KeyReused, StoreUnavailable
from service import keyring, scopes
from service.adapters.redis_keys import KEYS
from service.bootstrap import Services
from service.clock import timestamp
from service.credentials import Caller, hashed
from service.errors import Forbidden, Invalid, NotFound, Unauthenticated
from service.keyring import Wish
from tests.service.table import START, Hands, at_once, set_up, started

KEY = "k" * 20


def admin(services: Services, tenant: str = "acme", wish: Wish | None = None) -> Caller:
    return services.matches.authenticate(services.keys.create(tenant, wish).key, None)


def create(services: Services, caller: Caller, key: str = KEY, **body: Any) -> dict[str, Any]:
    made, _ = services.matches.create_key(caller, body, key, repr(body))
    return made


def rotate(services: Services, caller: Caller, id: str, overlap_s: int = 0, key: str = KEY) -> dict[str, Any]:
    made, _ = services.matches.rotate_key(caller, id, {"overlap_s": overlap_s}, key, f"{overlap_s}")
    return made


def test_a_key_has_all_scopes_or_those_chosen(either: Services) -> None:
    assert admin(either).scopes == scopes.ALL
    some = admin(either, wish=Wish([scopes.READ, scopes.SEATS, scopes.READ]))
    assert some.scopes == {scopes.READ, scopes.SEATS}
    for wrong in ([], ["matches:burn"]):
        with pytest.raises(Invalid):
            either.keys.create("acme", Wish(wrong))


def test_a_key_from_before_there_were_scopes_has_all(on_redis: Services, server_url: str) -> None:
    old = {"id": "a" * 16, "tenant": "acme", "hash": "", "created_at": "2026-01-05T10:11:12.345Z"}
    key = f"tk_live_{'a' * 16}_{'b' * 52}"
    with Redis.from_url(server_url) as client:
        client.hset(KEYS, "a" * 16, msgspec.json.encode(old | {"hash": hashed(key), "revoked_at": None}))
    caller = on_redis.matches.authenticate(key, None)
    assert (caller.tenant, caller.scopes, caller.mode) == ("acme", scopes.ALL, "live")
    on_redis.keys.revoke("a" * 16)
    with pytest.raises(Unauthenticated):
        on_redis.matches.authenticate(key, None)


def test_a_key_keeps_working_when_a_scope_it_has_is_given_out_no_more(
    on_redis: Services, server_url: str
) -> None:
    kept = ["matches:read", "bots:run", "admin"]
    old = {"id": "a" * 16, "tenant": "acme", "hash": "", "created_at": "2026-01-05T10:11:12.345Z"}
    key = f"tk_live_{'a' * 16}_{'b' * 52}"
    old |= {"hash": hashed(key), "scopes": kept}
    with Redis.from_url(server_url) as client:
        client.hset(KEYS, "a" * 16, msgspec.json.encode(old))
    caller = on_redis.matches.authenticate(key, None)
    known = ["matches:read", "admin"]
    assert caller.scopes == set(known)
    assert on_redis.matches.key(caller, "a" * 16)["scopes"] == known
    assert create(on_redis, caller)["scopes"] == known, "it hands on what it has"
    assert rotate(on_redis, caller, "a" * 16, key="r" * 20)["scopes"] == known
    with pytest.raises(Invalid):
        on_redis.keys.create("acme", Wish(["bots:run"]))


def test_a_test_key_says_so_in_its_name_and_to_the_use_cases(either: Services) -> None:
    made = either.keys.create("acme", Wish(mode="test"))
    assert made.key.startswith("tk_test_")
    assert either.matches.authenticate(made.key, None).mode == "test"
    with pytest.raises(Unauthenticated):
        either.matches.authenticate(made.key.replace("_test_", "_live_"), None)
    with pytest.raises(Invalid):
        either.keys.create("acme", Wish(mode="party"))


def test_nobody_makes_a_key_that_may_do_more(either: Services) -> None:
    weak = admin(either, wish=Wish([scopes.ADMIN, scopes.READ]))
    strong = either.keys.create("acme")
    assert create(either, weak)["scopes"] == [scopes.READ, scopes.ADMIN]
    with pytest.raises(Forbidden):
        create(either, weak, "x" * 20, scopes=[scopes.WRITE])
    with pytest.raises(Forbidden):
        rotate(either, weak, strong.id)
    assert either.keys.knows(strong.key)
    tester = admin(either, wish=Wish(mode="test"))
    assert create(either, tester, "y" * 20)["mode"] == "test"
    with pytest.raises(Forbidden):
        create(either, tester, "z" * 20, mode="live")
    with pytest.raises(Forbidden):
        either.matches.keys(admin(either, wish=Wish([scopes.READ])))


def test_a_rotated_key_is_good_for_the_overlap_and_then_dead(services: Services, clock: Hands) -> None:
    caller = admin(services)
    old = services.keys.create("acme", Wish([scopes.READ], label="job"))
    new = rotate(services, caller, old.id, overlap_s=60)
    assert (new["scopes"], new["label"], new["replaces"]) == ([scopes.READ], "job", old.id)
    assert services.keys.knows(old.key) and services.keys.knows(new["key"])
    assert services.matches.key(caller, old.id)["expires_at"] == timestamp(START + 60_000)
    clock.move(60_000)
    assert not services.keys.knows(old.key) and services.keys.knows(new["key"])
    with pytest.raises(IllegalMove) as refused:
        rotate(services, caller, old.id, key="x" * 20)
    assert (refused.value.kind, refused.value.reason.code) == ("conflict", "ended")


def test_an_overlap_that_was_granted_is_not_cut_short_by_another_rotation(
    services: Services, clock: Hands
) -> None:
    caller = admin(services)
    old = services.keys.create("acme")
    first = rotate(services, caller, old.id, overlap_s=3600)
    second = rotate(services, caller, old.id, key="x" * 20)
    assert all(services.keys.knows(key) for key in (old.key, first["key"], second["key"]))
    assert services.matches.key(caller, old.id)["expires_at"] == timestamp(START + 3_600_000)
    clock.move(3_600_000)
    assert not services.keys.knows(old.key)


def test_why_a_key_opens_nothing_is_told_to_its_holder_alone(services: Services, clock: Hands) -> None:
    caller = admin(services)
    replaced, revoked = services.keys.create("acme"), services.keys.create("acme")
    rotate(services, caller, replaced.id)
    services.keys.revoke(revoked.id)
    guessed = revoked.key[:-1] + ("a" if revoked.key[-1] != "a" else "b")
    for key, code in (
        (replaced.key, "expired"),
        (revoked.key, "revoked"),
        (guessed, "invalid"),
        ("tk_live_" + "a" * 16 + "_" + "b" * 52, "invalid"),
        ("x" * 40, "malformed"),
    ):
        with pytest.raises(Unauthenticated) as refused:
            services.keys.check(key)
        assert refused.value.code == code


def test_without_an_overlap_the_old_key_is_dead_at_once(either: Services) -> None:
    caller = admin(either)
    old = either.keys.create("acme")
    assert either.keys.knows(old.key)
    assert either.keys.knows(rotate(either, caller, old.id)["key"])
    assert not either.keys.knows(old.key)
    for wrong in (-1, keyring.LONGEST_OVERLAP_S + 1):
        with pytest.raises(Invalid):
            rotate(either, caller, create(either, caller, "x" * 20)["id"], wrong, "y" * 20)


def test_an_end_is_never_put_off(services: Services, clock: Hands) -> None:
    caller = admin(services)
    old = services.keys.create("acme")
    rotate(services, caller, old.id, overlap_s=60)
    services.keys.revoke(old.id)
    assert not services.keys.knows(old.key)
    rotate(services, caller, old.id, overlap_s=60)
    assert not services.keys.knows(old.key), "a retry of the rotation does not revive it"


def test_making_and_rotating_are_retried_safely(either: Services) -> None:
    caller = admin(either)
    before = len(either.keys.all())
    made = at_once(*[lambda: create(either, caller, label="a")] * 10)
    assert len({each["key"] for each in made}) == 1
    assert len(either.keys.all()) == before + 1
    with pytest.raises(KeyReused):
        create(either, caller, label="b")
    rotated = at_once(*[lambda: rotate(either, caller, made[0]["id"])] * 10)
    assert len({each["key"] for each in rotated}) == 1
    assert len(either.keys.all()) == before + 2
    with pytest.raises(KeyReused):
        rotate(either, caller, made[0]["id"], 60)
    other = admin(either, "other")
    assert create(either, other, label="a")["key"] != made[0]["key"], "keys of another tenant are its own"


def test_keys_of_another_tenant_are_not_there(either: Services) -> None:
    mine, theirs = either.keys.create("acme"), admin(either, "other")
    for act in (
        lambda: either.matches.key(theirs, mine.id),
        lambda: either.matches.revoke_key(theirs, mine.id),
        lambda: rotate(either, theirs, mine.id),
        lambda: either.matches.key(theirs, mine.id + ":end"),
    ):
        with pytest.raises(NotFound):
            act()
    assert mine.id not in [key["id"] for key in either.matches.keys(theirs)["items"]]
    assert either.keys.knows(mine.key)


def test_lists_hold_no_secret(either: Services) -> None:
    caller = admin(either)
    made = create(either, caller)
    either.matches.revoke_key(caller, made["id"])
    shown = repr(either.matches.keys(caller))
    assert made["key"].rpartition("_")[2] not in shown and hashed(made["key"]) not in shown
    listed = {key["id"]: key for key in either.matches.keys(caller)["items"]}
    assert listed[made["id"]]["revoked_at"] is not None


def test_the_last_use_is_noted_now_and_then(
    services: Services, clock: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage, writes = services.adapters.keys, []
    touch = storage.touch
    monkeypatch.setattr(storage, "touch", lambda id, at: (writes.append(at), touch(id, at)))
    made = services.keys.create("acme")
    assert services.keys.used() == {}
    for _ in range(100):
        services.keys.check(made.key)
    assert writes == [timestamp(START)] and services.keys.used() == {made.id: timestamp(START)}
    clock.move(keyring.NOTED_MS)
    services.keys.check(made.key)
    assert services.keys.used() == {made.id: timestamp(START + keyring.NOTED_MS)}


def test_a_key_is_good_although_its_use_cannot_be_noted(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = services.keys.create("acme")

    def full(id: str, at: str) -> None:
        raise StoreUnavailable("full")

    monkeypatch.setattr(services.adapters.keys, "touch", full)
    assert services.keys.check(made.key).tenant == "acme"


def test_the_last_use_is_kept_beside_the_keys(on_redis: Services) -> None:
    made = on_redis.keys.create("acme")
    on_redis.keys.check(made.key)
    assert list(on_redis.keys.used()) == [made.id]


def test_whatever_is_done_is_written_down(either: Services) -> None:
    caller = admin(either)
    first = either.keys.all()[-1].id
    made = create(either, caller)
    new = rotate(either, caller, made["id"])
    either.matches.revoke_key(caller, new["id"])
    either.matches.set_origins(caller, ["https://play.example"])
    done = [(each.action, each.id, each.by) for each in either.keys.actions()[-6:]]
    by = caller.credential
    assert done == [
        ("create", first, "operator"),
        ("create", made["id"], by),
        ("rotate", new["id"], by),
        ("end", made["id"], by),
        ("revoke", new["id"], by),
        ("origins", "", by),
    ]
    assert {each.tenant for each in either.keys.actions()[-6:]} == {"acme"}
    assert made["key"].rpartition("_")[2] not in repr(either.keys.actions())


def test_two_keys_of_a_tenant_share_its_matches_and_retries(services: Services) -> None:
    one = admin(services)
    table = set_up(services, seats=2, host=one)
    other = replace(table, tenant=admin(services))
    start = {"command": {"type": "start"}}
    assert table.command(one, start, KEY) == other.command(other.tenant, start, KEY)
    assert started(services, seats=2).view()
