"""Keys and tokens: shown once, kept hashed, refused alike whatever is wrong with them."""

import time

import pytest

from service import bootstrap
from service.bootstrap import Services
from service.credentials import (
    NOBODY,
    hashed,
    match_id,
    same_hash,
    seat_token,
    token_field,
)
from service.errors import Forbidden, Invalid, Unauthenticated
from service.keyring import TRUST_S
from tests.service.table import SECRET, set_up, started

MATCH = "mat_" + "a" * 26


def test_a_tenant_key_is_kept_as_a_hash_only(either: Services) -> None:
    made = either.keys.create("acme")
    assert made.key.startswith("tk_live_")
    (record,) = either.keys.all()
    assert record.hash == hashed(made.key)
    assert made.key not in repr(record) and made.key not in repr(made)
    assert (record.tenant, record.revoked_at) == ("acme", None)


def test_a_tenant_key_says_who_its_tenant_is(either: Services) -> None:
    made = either.keys.create("acme")
    caller = either.matches.authenticate(made.key, None)
    assert (caller.tenant, caller.seat) == ("acme", None)
    assert caller.credential == f"tk_live_{made.id}"
    assert made.key not in repr(caller)
    assert either.keys.knows(made.key)


def test_a_revoked_key_is_refused(either: Services) -> None:
    made = either.keys.create("acme")
    assert either.keys.knows(made.key)
    assert either.keys.revoke(made.id)
    assert not either.keys.knows(made.key)
    assert either.keys.revoke(made.id)
    assert not either.keys.revoke("nosuchkeynosuchk")
    assert either.keys.all()[0].revoked_at is not None


def test_another_process_follows_a_revocation_soon(
    on_redis: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = on_redis.keys.create("acme")
    other = bootstrap.tenant_keys(on_redis.settings)
    assert other.knows(made.key)
    on_redis.keys.revoke(made.id)
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + TRUST_S + 0.1)
    assert not other.knows(made.key)


@pytest.mark.parametrize("tenant", ["", "a b", "ä", "x" * 65, "-x", "a/b", "a{b}"])
def test_a_tenant_has_a_plain_name(services: Services, tenant: str) -> None:
    with pytest.raises(Invalid):
        services.keys.create(tenant)


@pytest.mark.parametrize(
    ("bearer", "code"),
    [
        ("", "malformed"),
        ("x", "malformed"),
        ("tk_live_", "malformed"),
        ("tk_live_" + "a" * 16 + "_" + "b" * 52, "invalid"),
        ("tk_test_" + "a" * 16 + "_" + "b" * 52, "invalid"),
        ("st_", "malformed"),
        ("st_" + "a" * 26 + "_0_" + "b" * 52, "invalid"),
        ("st_" + "a" * 26 + "_9_" + "b" * 52, "malformed"),
        ("st_ä", "malformed"),
    ],
)
def test_of_a_credential_is_told_no_more_than_its_form_shows(
    either: Services, bearer: str, code: str
) -> None:
    with pytest.raises(Unauthenticated) as refused:
        either.matches.authenticate(bearer, MATCH)
    assert refused.value.code == code


def test_half_a_key_is_no_key(either: Services) -> None:
    one, other = either.keys.create("one"), either.keys.create("other")
    id_of_one, secret_of_other = one.key.rpartition("_")[0], other.key.rpartition("_")[2]
    for wrong in (f"{id_of_one}_{secret_of_other}", one.key[:-1], one.key + "a", one.key.upper()):
        with pytest.raises(Unauthenticated):
            either.matches.authenticate(wrong, None)


def test_who_sends_no_credential_is_nobody(services: Services) -> None:
    assert services.matches.authenticate(None, MATCH) == NOBODY


def test_a_seat_token_opens_its_seat_of_its_match(either: Services) -> None:
    table, other = started(either, seats=2), started(either, seats=2)
    caller = either.matches.authenticate(table.tokens[1], table.match)
    assert (caller.tenant, caller.match, caller.seat) == (None, table.match, 1)
    for elsewhere in (other.match, MATCH):
        with pytest.raises(Forbidden):
            either.matches.authenticate(table.tokens[1], elsewhere)
    assert either.matches.authenticate(table.tokens[1], None) == caller


def test_only_the_hash_of_a_seat_token_is_kept(either: Services) -> None:
    table = set_up(either, seats=2)
    kept = either.store.secrets(table.match)
    assert kept[token_field(0)] == hashed(table.tokens[0])
    assert table.tokens[0] not in repr(kept)
    assert table.tokens[0].rpartition("_")[2] not in repr(either.matches.authenticate(table.tokens[0], None))


def test_a_seat_number_in_a_token_cannot_be_changed(either: Services) -> None:
    table = set_up(either, seats=2)
    forged = table.tokens[0].replace("_0_", "_1_")
    with pytest.raises(Unauthenticated):
        either.matches.authenticate(forged, table.match)


def test_a_token_that_was_valid_once_is_proven_again_at_each_use(either: Services) -> None:
    table = set_up(either, seats=2)
    caller = table.seat(0)
    either.matches.leave(table.tenant, table.match, 0)
    with pytest.raises(Unauthenticated):
        either.matches.view(caller, table.match)


def test_derived_names_depend_on_all_they_are_derived_from() -> None:
    ids = {match_id(secret, who, key) for secret in (SECRET, b"x" * 32) for who in "ab" for key in "kl"}
    tokens = {
        seat_token(secret, match, seat, key)
        for secret in (SECRET, b"x" * 32)
        for match in (MATCH, MATCH[:-1] + "b")
        for seat in (0, 1)
        for key in "kl"
    }
    assert (len(ids), len(tokens)) == (8, 16)
    assert match_id(SECRET, "a", "k") == match_id(SECRET, "a", "k")


def test_a_missing_hash_equals_nothing() -> None:
    assert not same_hash("", None)
    assert not same_hash("", "")
    assert not same_hash("0" * 64, None)
    assert same_hash("ab", "ab")
