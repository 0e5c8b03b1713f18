"""Signed heads, known heads, exports cut and seen by others: what people outside check a match with."""

import json
from dataclasses import replace
from typing import Any

import pytest

from events import bundle
from events.published_keys import PublicKey
from events.reveal import Reveal
from events.signing import Signer, is_signed_head
from service import bootstrap, settings
from service.bootstrap import Services
from service.credentials import NOBODY, Caller
from service.errors import Forbidden, HistoryForked, Invalid, NotFound, Unauthenticated
from tests.service import tiny_game
from tests.service.table import SECRET, Hands, Json, Table, records, started, tenant

FORGED = "f" * 64


def head(table: Table) -> tuple[int, str]:
    """The head of the log."""
    last = records(table.services, table.match)[-1]
    return last.version, last.hash


def play_to_the_end(table: Table) -> Table:
    """Everybody picks until the match is over."""
    while awaited := table.view()["awaited"]:
        for seat in awaited:
            table.pick(seat, seat + 1)
    return table


def proof(table: Table, caller: Caller | None = None, version: int | None = None) -> Json:
    return table.services.matches.proof(caller or table.tenant, table.match, version)


def lines(table: Table, caller: Caller | None = None, **more: Any) -> list[bytes]:
    return list(table.services.matches.export(caller or table.tenant, table.match, **more))


def test_the_head_of_a_running_match_is_signed_and_its_secrets_are_not_shown(services: Services) -> None:
    table = started(services)
    shown = proof(table)
    assert (shown["version"], shown["hash"]) == head(table)
    named = (shown["match"], shown["version"], shown["hash"])
    assert is_signed_head(shown["public_key"], shown["signature"], *named)
    assert not is_signed_head(shown["public_key"], shown["signature"], shown["match"], 1, shown["hash"])
    assert (shown["over"], shown["revealed"]) == (False, None)
    assert shown["commitment"] == records(services, table.match)[0].data["commitment"]
    assert proof(table, table.seat(0)) == proof(table, NOBODY) == shown, "the same for all"


def test_the_secrets_of_a_match_that_is_over_open_its_commitment(services: Services) -> None:
    table = play_to_the_end(started(services))
    shown = proof(table)
    secrets = Reveal.from_hex(table.match, **shown["revealed"])
    assert shown["over"] is True
    assert secrets.commitment() == shown["commitment"]


def test_every_head_of_the_past_is_signed_too(services: Services) -> None:
    table = started(services)
    table.pick(0, 2)
    for record in records(services, table.match):
        shown = proof(table, version=record.version)
        assert (shown["version"], shown["hash"]) == (record.version, record.hash)
        assert is_signed_head(
            shown["public_key"], shown["signature"], table.match, record.version, record.hash
        )
    for version in (0, -1, head(table)[0] + 1):
        with pytest.raises(NotFound):
            proof(table, version=version)


def test_the_proof_of_a_match_is_for_those_who_may_see_it(services: Services) -> None:
    table = started(services, visibility="private")
    for stranger in (NOBODY, tenant(services, "stranger")):
        with pytest.raises(NotFound):
            proof(table, stranger)
        with pytest.raises(NotFound):
            lines(table, stranger)


def test_a_new_key_signs_and_the_old_one_stays_published() -> None:
    old = Signer.from_seed(bytes(32)).public_key
    retired = PublicKey(old, "2027-01-01T00:00:00.000Z")
    known = replace(settings.for_memory(SECRET), old_signing_keys=(retired,))
    made = bootstrap.services(known, {tiny_game.NAME: tiny_game}, Hands())
    now, before = made.matches.public_keys()["keys"]
    assert (now["current"], now["valid_until"]) == (True, None)
    assert (before["public_key"], before["current"], before["valid_until"]) == (
        old,
        False,
        retired.valid_until,
    )
    shown = proof(started(made))
    assert (shown["public_key"], shown["key_id"]) == (now["public_key"], now["id"])
    made.close()


# Known heads


def test_a_head_of_the_log_is_known_at_any_version(services: Services) -> None:
    table = started(services)
    table.pick(0, 2)
    for record in records(services, table.match):
        services.matches.check_head(table.seat(1), table.match, record.version, record.hash)
        with pytest.raises(HistoryForked):
            services.matches.check_head(table.seat(1), table.match, record.version, FORGED)


def test_a_head_beyond_the_end_is_of_another_history(services: Services) -> None:
    table = started(services)
    version, hash = head(table)
    with pytest.raises(HistoryForked) as forked:
        services.matches.check_head(table.seat(1), table.match, version + 1, hash)
    assert forked.value.current.version == version
    assert forked.value.current.decision_id == table.decision()["id"]


def test_who_may_not_see_a_match_learns_nothing_of_its_heads(services: Services) -> None:
    table = started(services, visibility="private")
    for hash in (head(table)[1], FORGED):
        services.matches.check_head(NOBODY, table.match, head(table)[0], hash)
        services.matches.check_head(tenant(services, "stranger"), table.match, head(table)[0], hash)


@pytest.mark.parametrize("goes_on", [False, True], ids=["shorter", "as long again"])
def test_the_first_client_that_comes_back_detects_what_a_failover_lost(
    goes_on: bool, on_redis: Services
) -> None:
    """A replica that lags behind takes over: the three keys of the match are those of a moment ago."""
    from redis import Redis

    table = started(on_redis)
    table.pick(0, 2)
    client = Redis.from_url(on_redis.settings.streams_url)
    keys = list(client.scan_iter(match=f"{{match:{table.match}}}*"))
    replica = {key: client.dump(key) for key in keys}
    assert len(replica) == 3
    answer = table.pick(1, 3)
    known = answer["head"]
    assert (known["version"], known["hash"]) == head(table)
    for key, dumped in replica.items():
        client.restore(key, 0, dumped, replace=True)
    client.close()
    if goes_on:
        # Others have played on since, so the log is as long again.
        table.pick(1, 1)
        assert head(table)[0] >= known["version"]
    with pytest.raises(HistoryForked):
        on_redis.matches.check_head(table.seat(1), table.match, known["version"], known["hash"])
    # What was not lost is still known.
    before = records(on_redis, table.match)[3]
    on_redis.matches.check_head(table.seat(0), table.match, before.version, before.hash)


def test_whoever_trails_behind_is_shown_no_newer_head_and_yet_may_know_one(services: Services) -> None:
    table = started(services, options={"spectator_delay": 3})
    answer = table.pick(0, 2)
    newest, hash = head(table)
    assert answer["head"] == {"version": newest, "hash": hash}
    behind = proof(table, NOBODY)["version"]
    assert behind < proof(table, table.seat(1))["version"] == newest
    with pytest.raises(NotFound):
        proof(table, NOBODY, newest)
    with pytest.raises(NotFound):
        lines(table, NOBODY, version=newest)
    assert perspective_of(lines(table, NOBODY)) == ("public", False, behind)
    services.matches.check_head(NOBODY, table.match, newest, hash)
    with pytest.raises(HistoryForked) as forked:
        services.matches.check_head(NOBODY, table.match, newest, FORGED)
    assert forked.value.current.version == behind


# Exports


def perspective_of(raw: list[bytes]) -> tuple[str, bool, int]:
    header = json.loads(raw[0])
    return header["perspective"], header["over"], header["count"]


def test_a_bundle_cut_at_any_version_verifies_and_is_signed_for_that_version(services: Services) -> None:
    table = play_to_the_end(started(services))
    last = head(table)[0]
    for version in range(1, last + 1):
        raw = lines(table, version=version)
        report = bundle.verify(raw, [json.loads(raw[0])["public_key"]])
        assert report.ok and report.events == version, report
        assert perspective_of(raw) == ("full", version == last, version)
        trailer = json.loads(raw[-1])
        assert trailer["version"] == version
        hash = records(services, table.match)[version - 1].hash
        assert is_signed_head(
            json.loads(raw[0])["public_key"], trailer["head_signature"], table.match, version, hash
        )
    with pytest.raises(NotFound):
        lines(table, version=last + 1)


def test_until_the_end_everybody_exports_its_own_perspective_and_no_other(services: Services) -> None:
    table = started(services)
    table.pick(0, 2)
    for caller, own in ((table.seat(0), "s0"), (table.tenant, "public"), (NOBODY, "public")):
        for version in (None, 3, head(table)[0]):
            assert perspective_of(lines(table, caller, version=version))[0] == own
        assert lines(table, caller, perspective=own) == lines(table, caller)
        for other in {"s0", "s1", "public", "full"} - {own}:
            with pytest.raises(Forbidden):
                lines(table, caller, perspective=other)


@pytest.mark.parametrize("perspective", ["public", "full", "s0", "s2"])
def test_after_the_end_everybody_exports_any_perspective(perspective: str, services: Services) -> None:
    table = play_to_the_end(started(services))
    for caller in (table.seat(0), table.tenant, NOBODY):
        raw = lines(table, caller, perspective=perspective)
        assert perspective_of(raw)[:2] == (perspective, True)
        assert bundle.verify(raw).ok
    for wrong in ("s3", "s7", "operator", ""):
        with pytest.raises(Invalid):
            lines(table, perspective=wrong)


def test_a_spectator_of_a_service_without_spectators_proves_nothing(services: Services) -> None:
    known = replace(services.settings, public_spectators=False)
    made = bootstrap.services(known, {tiny_game.NAME: tiny_game}, Hands())
    table = started(made)
    for ask in (proof, lines):
        with pytest.raises(Unauthenticated):
            ask(table, NOBODY)
    made.close()
