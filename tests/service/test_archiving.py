"""Finished matches in the archive: read as before, byte by byte; rights, retries and late commands too."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from events import archive
from events.keys import of_match
from events.store import Archived, KeyReused, OutcomeUnknown, StoreUnavailable
from service import bootstrap, settings
from service.adapters.archive_folder import FolderArchive, MemoryArchive
from service.adapters.finished import MemoryFinished
from service.archived import ArchivedStore
from service.archiving import AGAIN_MS, FAILED_MS, GRACE_MS, Archiving, Outcome
from service.bootstrap import Services
from service.credentials import Caller
from service.errors import NotFound, Refused, Unauthenticated
from service.imports import ImportingStore
from service.retention import Retention
from tests.service import tiny_game
from tests.service.table import (
    SECRET,
    Hands,
    Json,
    Table,
    finished,
    in_memory,
    run_jobs,
    set_up,
    started,
    tenant,
)
from workers.archiver import Archiver

DAY_MS = 86_400_000


def everything(table: Table) -> Any:
    """All that anybody can read of a match."""
    matches, match = table.services.matches, table.match
    callers = [table.tenant, table.seat(0), table.seat(1)]
    versions = [None, *range(1, table.view()["version"] + 1)]
    return [
        [
            matches.match(caller, match),
            matches.seats(caller, match),
            [matches.view(caller, match, version) for version in versions],
            table.log(caller),
            list(matches.export(caller, match)),
            list(matches.export(caller, match, 3, "public")),
            matches.proof(caller, match),
            matches.proof(caller, match, 2),
            matches.diff(caller, match, 1),
            matches.event(caller, match, 2),
        ]
        for caller in callers
    ] + [matches.list_matches(table.tenant), matches.feed(table.tenant, "0")]


def test_what_is_read_of_a_match_is_the_same_in_the_archive(either: Services, tmp_path: Path) -> None:
    services = with_archive(either, tmp_path)
    table = finished(services)
    before = everything(table)
    assert services.archiving.archive(table.match) is Outcome.WAITING
    assert services.archiving.archive(table.match, now=True) is Outcome.ARCHIVED
    assert everything(table) == before
    other = again(services)
    assert everything(replace(table, services=other)) == before, "nor is it in a process that never had it"
    assert services.archiving.archive(table.match, now=True) is Outcome.AWAY
    assert [listed.match for listed in services.archiving.present()] == [table.match]
    assert [finding.reason for finding in services.archiving.verify()] == [""]
    assert services.archiving.restore(table.match, 60)
    assert not services.archiving.restore(table.match, 60)
    assert everything(table) == before
    assert list(services.archiving.present()) == []


def test_a_tombstone_is_all_that_is_left_beside_the_lists(on_redis: Services, tmp_path: Path) -> None:
    services = with_archive(on_redis, tmp_path)
    table = finished(services)
    keys, size = of_match(table.match), {}
    with Redis.from_url(services.settings.streams_url) as client:
        for when in ("before", "after"):
            size[when] = sum(int(str(client.memory_usage(key) or 0)) for key in keys)
            services.archiving.archive(table.match, now=True)
        assert client.exists(keys.events, keys.commands) == 0
        assert list(client.hgetall(keys.secrets)) == [b"tombstone"]
    assert size["after"] < 700 < size["before"]


def test_a_retry_is_answered_from_the_archive_and_a_late_command_refused(
    either: Services, tmp_path: Path
) -> None:
    services = with_archive(either, tmp_path)
    host = tenant(services)
    table = set_up(services, seats=2, host=host, key="the-key-of-the-match")
    start = {"command": {"type": "start"}}
    sent: list[tuple[Caller, Json, str, Json]] = []

    def send(caller: Caller, body: Json) -> None:
        key = f"key-of-{len(sent):06}"
        sent.append((caller, body, key, table.command(caller, body, key)))

    send(host, start)
    while decisions := table.view()["decisions"]:
        for seat in decisions[0]["awaited"]:
            moves = services.matches.legal_moves(table.seat(seat), table.match)["moves"]
            send(table.seat(seat), moves[0]["body"])
    assert services.archiving.archive(table.match, now=True) is Outcome.ARCHIVED
    version = services.store.head(table.match).version
    for caller, body, key, answer in sent:
        repeated = services.matches.command(caller, table.match, body, key, repr(body))
        assert repeated == (answer, True)
    with pytest.raises(KeyReused):
        services.matches.command(host, table.match, start, sent[0][2], "another request")
    for caller, body in ((host, start), sent[-1][:2]):
        with pytest.raises(Refused) as refused:
            table.command(caller, body)
        assert refused.value.kind == "match-over"
    assert services.matches.command_outcome(host, table.match, sent[0][2])["status"] == "applied"
    assert services.matches.command_outcome(host, table.match, "never-seen-00001")["status"] == "unknown"
    plan = {"game": tiny_game.NAME, "seats": [{"kind": "open"}] * 2, "options": {}, "visibility": "public"}
    made, replayed = services.matches.create(host, plan, "the-key-of-the-match", "create")
    assert (made["id"], made["version"], replayed) == (table.match, 1, True)
    assert services.store.head(table.match).version == version
    assert services.archiving.archive(table.match, now=True) is Outcome.AWAY, "nothing brought it back"


def test_strangers_are_told_nothing_of_an_archived_private_match(services: Services) -> None:
    table = finished(services, visibility="private")
    services.archiving.archive(table.match, now=True)
    assert services.auditing.examine(table.match, None).status == "same", "the operator can still audit it"
    stranger = tenant(services, "other")
    nobody = services.matches.authenticate(None, None)
    for caller in (stranger, nobody):
        for ask in (services.matches.match, services.matches.view, services.matches.proof):
            with pytest.raises(NotFound):
                ask(caller, table.match)
    token = table.tokens[0]
    forged = token[:-4] + ("bbbb" if token.endswith("aaaa") else "aaaa")
    with pytest.raises(Unauthenticated):
        services.matches.authenticate(forged, table.match)
    assert services.matches.match(table.seat(0), table.match)["id"] == table.match


def test_a_token_revoked_after_the_move_is_revoked_for_good(either: Services, tmp_path: Path) -> None:
    services = with_archive(either, tmp_path)
    table = finished(services)
    services.archiving.archive(table.match, now=True)
    services.matches.revoke_token(table.tenant, table.match, 0)
    assert services.archiving.archive(table.match, now=True) is Outcome.ARCHIVED, "it had come back"
    for each in (services, again(services)):
        with pytest.raises(Unauthenticated):
            each.matches.match(each.matches.authenticate(table.tokens[0], table.match), table.match)
        other = each.matches.authenticate(table.tokens[1], table.match)
        assert each.matches.match(other, table.match)["id"] == table.match


def test_the_archiver_moves_what_has_been_over_for_long_enough(services: Services, clock: Hands) -> None:
    old = finished(services)
    running = started(services, seats=2)
    clock.move(DAY_MS - 1)
    assert services.archiving.tick(10) == 1
    assert services.archiving.tick(10) == 0, "it is looked at again later"
    young = finished(services)
    clock.move(AGAIN_MS)
    while services.archiving.tick(1):
        pass
    assert [listed.match for listed in services.archiving.present()] == [old.match]
    clock.move(DAY_MS)
    while services.archiving.tick(10):
        pass
    assert {listed.match for listed in services.archiving.present()} == {old.match, young.match}
    assert services.archiving.archive(running.match, now=True) is Outcome.RUNNING
    assert services.archiving.archive("mat_" + "a" * 26) is Outcome.UNKNOWN
    assert services.archiving.tick(10) == 0
    kept = services.adapters.archive.finished
    assert isinstance(kept, MemoryFinished) and not kept.at


def test_a_tenant_has_a_retention_of_its_own(services: Services, clock: Hands) -> None:
    never = finished(services, host=tenant(services, "never"))
    at_once = finished(services, host=tenant(services, "at-once"))
    usual = finished(services)
    retentions = services.archiving.retentions
    retentions.set("never", Retention(None))
    retentions.set("at-once", Retention(0, keep_s=2 * 86_400))
    services.archiving.tick(10)
    assert [listed.match for listed in services.archiving.present()] == [at_once.match]
    clock.move(DAY_MS + AGAIN_MS)
    services.archiving.tick(10)
    assert {listed.match for listed in services.archiving.present()} == {at_once.match, usual.match}
    assert services.archiving.expire() == 0
    clock.move(DAY_MS)
    assert services.archiving.expire() == 1
    assert [listed.match for listed in services.archiving.present()] == [usual.match]
    with pytest.raises(Archived):
        at_once.view()
    assert services.matches.list_matches(at_once.tenant)["items"] == []
    assert never.view()["version"] and usual.view()["version"]
    with pytest.raises(Archived):
        services.archiving.restore(at_once.match, 60)
    assert services.archiving.expire() == 0
    retentions.set("never", None)
    services.archiving.tick(10)
    assert never.match in {listed.match for listed in services.archiving.present()}


def test_a_removal_that_was_cut_off_is_done_again(services: Services, clock: Hands) -> None:
    table = finished(services)
    services.archiving.archive(table.match, now=True)
    (listed,) = services.archiving.present()
    storage = memory(services)
    kept = storage.files[listed.file]
    assert services.archiving.remove(listed) and not storage.files
    storage.files[listed.file] = kept
    services.archiving.retentions.set("acme", Retention(0, keep_s=1))
    clock.move(2_000)
    assert services.archiving.expire() == 1
    assert not storage.files


def test_webhooks_are_told_before_a_match_moves(services: Services) -> None:
    wanted = {"url": "https://hooks.example/x", "events": ["match.ended"]}
    hook, _ = services.matches.webhooks.create(tenant(services), wanted, "webhook-key-0001", "f")
    table = finished(services)
    outcomes = [services.archiving.archive(table.match, now=True) for _ in range(2)]
    assert outcomes == [Outcome.CHANGED, Outcome.ARCHIVED]
    told = services.matches.webhooks.deliveries(tenant(services), hook["id"], 50, None)
    assert [each["type"] for each in told["items"]].count("match.ended") == 1
    services.notifying.notify(table.match)
    run_jobs(services)
    assert services.archiving.archive(table.match) is Outcome.AWAY


def test_what_changes_meanwhile_is_not_lost(services: Services) -> None:
    table = finished(services)
    storage = memory(services)

    class Meanwhile(MemoryArchive):
        def get(self, name: str) -> bytes | None:
            services.store.put_secrets(table.match, {"name:0": "Zoë"})
            return super().get(name)

    storage.__class__ = Meanwhile
    assert services.archiving.archive(table.match, now=True) is Outcome.CHANGED
    storage.__class__ = MemoryArchive
    assert services.archiving.archive(table.match, now=True) is Outcome.ARCHIVED
    assert services.store.secrets(table.match)["name:0"] == "Zoë"


@pytest.mark.parametrize("wrong", [None, b"", b"half of it"])
def test_a_file_that_is_not_read_back_moves_nothing(
    services: Services, clock: Hands, wrong: bytes | None
) -> None:
    table = finished(services)
    storage = memory(services)

    class Forgetful(MemoryArchive):
        def get(self, name: str) -> bytes | None:
            return wrong

    before = everything(table)
    storage.__class__ = Forgetful
    clock.move(DAY_MS)
    services.archiving.tick(10)
    assert everything(table) == before
    storage.__class__ = MemoryArchive
    assert services.archiving.tick(10) == 0
    clock.move(FAILED_MS)
    services.archiving.tick(10)
    assert [listed.match for listed in services.archiving.present()] == [table.match]


def test_a_log_that_does_not_verify_stays_where_it_is(services: Services) -> None:
    table = finished(services)
    services.store.put_secrets(table.match, {"match_key": "00" * 32})
    with pytest.raises(archive.Damaged):
        services.archiving.archive(table.match, now=True)
    assert services.store.exists(table.match)
    assert list(services.archiving.present()) == []


def test_files_that_are_nobodys_are_removed_after_a_day(services: Services, clock: Hands) -> None:
    table, stays = finished(services), finished(services)
    services.archiving.archive(table.match, now=True)
    services.archiving.archive(stays.match, now=True)
    storage = memory(services)
    storage.put("acme/.draft-1-2", b"half")
    storage.put("notes.txt", b"an operator's own")
    lost = "acme/mat_lost.1.1.00.gz"
    storage.put(lost, b"all that is left")
    services.archiving.restore(table.match, 60)
    storage.written_ms = {name: clock.now_ms() for name in storage.files}
    clock.move(GRACE_MS - 1)
    assert services.archiving.prune() == 0
    clock.move(1)
    assert services.archiving.prune() == 2
    (listed,) = services.archiving.present()
    assert set(storage.files) == {listed.file, "notes.txt", lost}
    assert listed.match == stays.match
    assert table.view()["version"] and stays.view()["version"]


def test_a_missing_or_damaged_file_is_named_and_never_taken_for_no_match(services: Services) -> None:
    table, other = finished(services), finished(services)
    for each in (table, other):
        services.archiving.archive(each.match, now=True)
    storage = memory(services)
    files = {listed.match: listed.file for listed in services.archiving.present()}
    del storage.files[files[table.match]]
    storage.files[files[other.match]] += b"x"
    fresh = again(services)
    for each in (table, other):
        with pytest.raises(StoreUnavailable):
            fresh.store.load(each.match)
    found = {finding.match: finding.reason for finding in fresh.archiving.verify()}
    assert found == {table.match: "its file is not there", other.match: "its digest is another"}
    with pytest.raises(StoreUnavailable):
        fresh.store.put_secrets(table.match, {"name:0": "x"})


def test_without_an_archive_nothing_moves_and_what_is_there_is_not_found_missing(
    services: Services, clock: Hands
) -> None:
    table = finished(services)
    services.archiving.archive(table.match, now=True)
    parts = services.adapters.archive
    bare = ArchivedStore(parts.moves, parts.moves, None, parts.finished)  # type: ignore[arg-type]  # both ports
    without = in_memory(
        clock,
        adapters=replace(
            services.adapters,
            store=ImportingStore(bare, services.adapters.imports),
            archive=replace(parts, store=bare, storage=None),
        ),
    )
    with pytest.raises(StoreUnavailable):
        without.matches.view(table.tenant, table.match)
    clock.move(DAY_MS)
    assert not without.archiving.is_set_up and without.archiving.tick(10) == 0
    assert without.archiving.expire() == 0
    assert without.store.head(table.match) == services.store.head(table.match)
    Archiver(without.archiving).tick(threading.Event())


def test_the_answer_of_a_move_may_be_lost(services: Services) -> None:
    """Whether it happened or not: the match is in one place, and the next look finds out which."""
    parts = services.adapters.archive
    for happened in (True, False):
        table = finished(services)
        before = everything(table)

        class Lossy:
            def __getattr__(self, name: str) -> Any:
                return getattr(parts.moves, name)

            def move(self, *rest: Any) -> None:
                if happened:  # noqa: B023 -- called in the same turn of the loop
                    parts.moves.move(*rest)
                raise OutcomeUnknown("no answer")

        archiving: Archiving = in_memory(
            adapters=replace(services.adapters, archive=replace(parts, moves=Lossy()))  # type: ignore[arg-type]  # a double
        ).archiving
        with pytest.raises(OutcomeUnknown):
            archiving.archive(table.match, now=True)
        assert everything(table) == before
        expected = Outcome.AWAY if happened else Outcome.ARCHIVED
        assert services.archiving.archive(table.match, now=True) is expected
        assert everything(table) == before


def memory(services: Services) -> MemoryArchive:
    storage = services.adapters.archive.storage
    assert isinstance(storage, MemoryArchive)
    return storage


def with_archive(services: Services, folder: Path) -> Services:
    """The services with an archive in a folder, where they have none."""
    if services.archiving.is_set_up:
        return services
    known = replace(services.settings, archive_url=str(folder / "archive"))
    made = bootstrap.services(known, {tiny_game.NAME: tiny_game})
    assert isinstance(made.adapters.archive.storage, FolderArchive)
    services.adapters.close.append(made.close)
    return made


def again(services: Services) -> Services:
    """The same services in another process that has nothing cached."""
    parts = services.adapters.archive
    inner = parts.store._inner  # noqa: SLF001 -- what another process would connect to
    store = ArchivedStore(inner, parts.moves, parts.storage, parts.finished)
    adapters = replace(
        services.adapters,
        store=ImportingStore(store, services.adapters.imports),
        archive=replace(parts, store=store),
    )
    return bootstrap.services(settings.for_memory(SECRET), {tiny_game.NAME: tiny_game}, adapters=adapters)
