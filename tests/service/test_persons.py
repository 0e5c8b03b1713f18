"""Names: sealed under a key for each person, gone everywhere once the key is destroyed."""

import gzip
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from redis import Redis

from events.keys import of_match
from service import bootstrap, naming, persons, settings
from service.adapters.memory_persons import MemoryPersons
from service.adapters.redis_persons import RedisPersons
from service.archiving import Outcome
from service.bootstrap import Services
from service.cli.erase import erase
from service.person_keys import Erasure, PersonKey, PersonKeys
from service.persons import Persons
from tests.embedded import Valkey, start_valkey
from tests.service import tiny_game
from tests.service.table import PATIENT_MS, SECRET, Hands, Table, finished, set_up, started
from tests.service.test_archiving import with_archive

NAME = "Zoë Quirke-Featherstone"
MATCH = "mat_" + "a" * 26


@pytest.fixture(scope="module")
def matches_server() -> Iterator[Valkey]:
    with start_valkey() as server:
        yield server


@pytest.fixture(scope="module")
def apart() -> Iterator[Valkey]:
    """A server of its own for the keys of persons."""
    with start_valkey() as server:
        yield server


@pytest.fixture
def separate(matches_server: Valkey, apart: Valkey) -> Iterator[list[Services]]:
    """Two processes, as it were, of a service that keeps the keys apart."""
    known = replace(
        settings.for_memory(SECRET),
        streams_url=matches_server.url,
        queues_url=matches_server.url,
        persons_url=apart.url,
        store_timeout_ms=PATIENT_MS,
    )
    made = [bootstrap.services(known, {tiny_game.NAME: tiny_game}) for _ in range(2)]
    yield made
    for each in made:
        each.close()


@pytest.fixture(params=["memory", "redis"])
def keys(request: pytest.FixtureRequest) -> Iterator[PersonKeys]:
    if request.param == "memory":
        yield MemoryPersons()
        return
    server: Valkey = request.getfixturevalue("apart")
    with Redis.from_url(server.url) as client:
        client.flushall()
        yield RedisPersons(client, "fsync", PATIENT_MS / 2000)


def named(services: Services, *names: str) -> Table:
    """A match that runs, with persons of these names."""
    table = set_up(services, len(names))
    for seat, name in enumerate(names):
        table.services.matches.leave(table.tenant, table.match, seat)
        assert table.join(seat=seat, name=name) == seat
    table.start()
    return table


def names_at(services: Services, table: Table) -> list[str | None]:
    """The names of the seats as a spectator is shown them, the same by three ways."""
    host, matches = table.tenant, services.matches
    views: list[list[dict[str, Any]]] = [
        matches.match(host, table.match)["seats"],
        matches.seats(host, table.match)["items"],
        matches.view(host, table.match)["seats"],
    ]
    assert views[0] == views[1] == views[2]
    return [seat.get("name") for seat in views[0]]


def test_a_key_is_the_same_for_one_index_until_it_is_destroyed(keys: PersonKeys) -> None:
    first, other = PersonKey("per_1", "aa"), PersonKey("per_2", "bb")
    assert keys.claim("x", first) == keys.claim("x", other) == first
    assert keys.claim("y", other) == other
    assert keys.find("x") == "per_1" and keys.find("z") is None
    assert keys.salts(["per_2", "per_9", "per_1"]) == ["bb", None, "aa"]
    note = Erasure("2026-01-05T10:11:12.345Z", "acme", "tk")
    assert keys.destroy("x", note) is True
    assert keys.destroy("x", note) is False
    assert keys.find("x") is None and keys.salts(["per_1", "per_2"]) == [None, "bb"]
    assert [done.outcome for done in keys.erasures(10)] == ["erased", "nobody"]
    assert keys.erasures(10)[0] == replace(note, outcome="erased")
    assert keys.claim("x", PersonKey("per_3", "cc")).id == "per_3", "another person"


def test_keys_that_are_nobodys_are_dropped_without_a_word(keys: PersonKeys) -> None:
    keys.claim("x", PersonKey("per_1", "aa"))
    keys.claim("y", PersonKey("per_2", "bb"))
    keys.drop(["x", "z"])
    assert keys.find("x") is None and keys.find("y") == "per_2"
    assert keys.salts(["per_1", "per_2"]) == [None, "bb"]
    assert keys.erasures(10) == []
    keys.drop(["x", "z"])


def test_a_name_is_opened_at_its_own_seat_only(keys: PersonKeys) -> None:
    known = Persons(keys, Hands(), b"k" * 32)
    person = known.id_of("acme", "user-1")
    secrets = known.sealed(MATCH, 1, NAME, person, {})
    assert known.names(MATCH, secrets) == {1: NAME}
    assert NAME not in json.dumps(secrets) and "user-1" not in json.dumps(secrets)
    moved = {persons.sealed_field(2): secrets[persons.sealed_field(1)]}
    assert known.names(MATCH, moved) == {}
    assert known.names("mat_" + "b" * 26, secrets) == {}
    assert Persons(keys, Hands(), b"l" * 32).names(MATCH, secrets) == {}, "another server secret"


def test_sealed_names_of_other_lengths_look_alike() -> None:
    known = Persons(MemoryPersons(), Hands(), b"k" * 32)
    short, long = (known.sealed(MATCH, 0, name, None, {})["sealed-name:0"] for name in ("A", "A" * 64))
    assert len(short) == len(long)
    assert known.sealed(MATCH, 0, "A", None, {})["sealed-name:0"] != short


def test_a_person_is_erased_in_every_match_and_nobody_else(keys: PersonKeys) -> None:
    known = Persons(keys, Hands(), b"k" * 32)
    ann, bob = known.id_of("acme", "ann"), known.id_of("acme", "bob")
    assert known.id_of("other", "ann") != ann, "each tenant has persons of its own"
    matches = ["mat_" + letter * 26 for letter in "abc"]
    secrets = {
        match: known.sealed(match, 0, "Ann", ann, {}) | known.sealed(match, 1, "Bob", bob, {})
        for match in matches
    }
    assert known.erase("acme", "ann", "operator") is True
    for match in matches:
        assert known.names(match, secrets[match]) == {1: "Bob"}
    assert known.erase("acme", "ann", "operator") is False
    assert known.find("acme", "ann") is None
    again = known.id_of("acme", "ann")
    assert again != ann and known.names(matches[0], secrets[matches[0]]) == {1: "Bob"}
    said = json.dumps([str(done) for done in known.erasures()])
    assert "ann" not in said and "Ann" not in said and ann not in said


def test_who_is_erased_may_still_be_named_anew(keys: PersonKeys) -> None:
    """By an invite from before, which names a person who is no more."""
    known = Persons(keys, Hands(), b"k" * 32)
    gone = known.id_of("acme", "ann")
    known.erase("acme", "ann", "operator")
    assert known.names(MATCH, known.sealed(MATCH, 0, "Ann", gone, {})) == {0: "Ann"}
    assert known.erase_seat(MATCH, 0, "acme", "operator") is True


def test_a_name_is_gone_in_every_process_at_once_and_the_log_stays(separate: list[Services]) -> None:
    one, two = separate
    table = named(one, NAME, "Bob")
    before = list(one.matches.export(table.tenant, table.match))
    assert names_at(one, table) == names_at(two, table) == [NAME, "Bob"]
    assert two.persons.erase_seat(table.match, 0, "acme", "operator") is True
    assert names_at(one, table) == names_at(two, table) == [None, "Bob"]
    assert list(one.matches.export(table.tenant, table.match)) == before


def test_no_backup_of_the_matches_names_who_was_erased(
    separate: list[Services], matches_server: Valkey, apart: Valkey
) -> None:
    one, two = separate
    table = named(one, NAME, "Bob")
    with Redis.from_url(matches_server.url) as client:
        backup = {key: client.dump(key) for key in client.scan_iter("*")}
        assert names_at(one, table) == [NAME, "Bob"]
        one.persons.erase_seat(table.match, 0, "acme", "operator")
        client.flushall()
        for key, value in backup.items():
            client.restore(key, 0, value, replace=True)
        assert client.hgetall(of_match(table.match).secrets)
    assert names_at(one, table) == names_at(two, table) == [None, "Bob"]


def test_no_file_of_a_server_ever_holds_a_name(
    separate: list[Services], matches_server: Valkey, apart: Valkey
) -> None:
    table = named(separate[0], NAME, "Bob")
    separate[0].matches.hand_over(
        table.tenant, table.match, 1, {"kind": "person", "name": NAME}, "h" * 16, "f"
    )
    assert names_at(separate[0], table) == [NAME, NAME]
    for server in (matches_server, apart):
        with Redis.from_url(server.url) as client:
            client.save()
        at_rest(server)
        files = [path for path in server.folder.rglob("*") if path.is_file()]
        assert {path.suffix for path in files} >= {".aof", ".rdb"}
        held = {path: path.read_bytes() for path in files}
        assert any(table.match.encode() in text for text in held.values()) == (server is matches_server)
        for path, text in held.items():
            for part in (NAME, "Quirke-F", "Featherstone", NAME.encode("unicode_escape").decode()):
                assert part.encode() not in text, path


def test_the_destroyed_key_is_gone_from_the_disk_too(separate: list[Services], apart: Valkey) -> None:
    known = separate[0].persons
    at_rest(apart)
    person = known.id_of("acme", "gone soon")
    assert person.encode() in _disk(apart.folder)
    assert known.erase("acme", "gone soon", "operator")
    until = time.monotonic() + 60
    while person.encode() in _disk(apart.folder):
        assert time.monotonic() < until, "the file is written anew"
        time.sleep(0.05)


def at_rest(server: Valkey) -> None:
    """Until the server does not write its file anew, as it was asked to after an erasure before."""
    until = time.monotonic() + 60
    with Redis.from_url(server.url) as client:
        while True:
            now = client.info("persistence")
            if not now["aof_rewrite_in_progress"] and not now["aof_rewrite_scheduled"]:
                return
            assert time.monotonic() < until, "the file is still written anew"
            time.sleep(0.05)


def _disk(folder: Path) -> bytes:
    found = b""
    for path in sorted(folder.rglob("appendonlydir/*")):
        try:
            found += path.read_bytes()
        except FileNotFoundError:  # a rewrite just replaced it
            continue
    return found


def test_names_of_older_releases_are_shown_and_sealed_when_asked_for(services: Services) -> None:
    table = started(services, 2)
    services.store.put_secrets(table.match, {"name:0": "Old Ann"})
    assert names_at(services, table) == ["Old Ann", None]
    assert services.persons.migrate(services.store, table.match) == 1
    assert services.persons.migrate(services.store, table.match) == 0
    assert "Old Ann" not in json.dumps(services.store.secrets(table.match))
    assert names_at(services, table) == ["Old Ann", None]
    assert services.persons.erase_seat(table.match, 0, "acme", "operator") is True
    assert names_at(services, table) == [None, None]


def test_a_plain_name_is_gone_once_the_seat_has_another(services: Services) -> None:
    table = started(services, 2)
    services.store.put_secrets(table.match, {"name:0": "Old Ann"})
    body = {"kind": "person", "name": "Eve"}
    services.matches.hand_over(table.tenant, table.match, 0, body, "h" * 16, "f")
    assert names_at(services, table) == ["Eve", None]
    assert "Old Ann" not in json.dumps(services.store.secrets(table.match))


@pytest.mark.parametrize(
    "name",
    [
        "Ann", "Zoë", "李 小龍", "علی‌رضا", "O'Brien", "x" * 80, "Ann ", "नमस्ते", "\U0001f469‍\U0001f680",
        "\U0001f469‍❤️‍\U0001f468", "❤️",
    ],
)  # fmt: skip
def test_names_that_can_be_seen_are_names(name: str) -> None:
    assert naming.is_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "", " ", " Ann", "\u200b", "An\u200bn", "\u202eevil", "a\u2066b", "\u200eAnn", "\u061cAnn",
        "Ann\u200d", "\u200d", "\ufe0f", "A\u200d\u200d\u200dB", "\u3164", "\u00ad", "a\nb", "a\x85b",
        "\ufeffAnn", "A\U000e0041", "\u2028", "\ud800", "\ue000", "\u2060", "x" * 81, "Ann\n", 7, None,
    ],
)  # fmt: skip
def test_names_that_hide_or_turn_something_are_refused(name: object) -> None:
    assert not naming.is_name(name)


def test_half_a_character_is_no_name() -> None:
    assert (
        not naming.is_name("\ud83d") and not naming.is_name("Ada \udc00") and naming.is_name("Ada \U0001f600")
    )


def test_an_archived_match_shows_no_erased_name_and_its_file_never_held_one(
    on_redis: Services, tmp_path: Path
) -> None:
    services = with_archive(on_redis, tmp_path)
    table = set_up(services, 2)
    for seat in range(2):
        services.matches.leave(table.tenant, table.match, seat)
        table.join(seat=seat, name=f"{NAME} {seat}", player_ref=f"user-{seat}")
    table.start()
    table.command(table.seat(0), {"command": {"type": "resign"}})
    assert services.archiving.archive(table.match, now=True) is Outcome.ARCHIVED
    assert names_at(services, table) == [f"{NAME} 0", f"{NAME} 1"]
    (packed,) = [path for path in tmp_path.rglob("*.gz")]
    for held in (packed.read_bytes(), gzip.decompress(packed.read_bytes())):
        assert b"Quirke-F" not in held and b"user-0" not in held
    before = list(services.matches.export(table.tenant, table.match))
    assert services.persons.erase("acme", "user-0", "operator") is True
    assert names_at(services, table) == [None, f"{NAME} 1"]
    assert services.archiving.restore(table.match, 60)
    assert names_at(services, table) == [None, f"{NAME} 1"]
    assert list(services.matches.export(table.tenant, table.match)) == before
    services.close()


def test_names_in_plain_are_sealed_in_the_archive_as_well(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.cli.stores.services", lambda data: services)
    matches = [finished(services).match for _ in range(3)]
    for match in matches:
        services.store.put_secrets(match, {persons.plain_field(0): NAME})
    for match in matches[1:]:
        assert services.archiving.archive(match, now=True) is Outcome.ARCHIVED
    gone = next(listed for listed in services.archiving.present() if listed.match == matches[2])
    assert services.archiving.remove(gone)
    assert sorted(services.every_match()) == sorted(matches)
    done = CliRunner().invoke(erase, ["seal"])
    assert (done.exit_code, done.output) == (0, "Sealed 2 names.\n")
    for match in matches[:2]:
        kept = services.store.secrets(match)
        assert persons.plain_field(0) not in kept and services.persons.names(match, kept) == {0: NAME}
    refused = CliRunner().invoke(erase, ["seat", matches[2], "0"])
    assert refused.exit_code == 1 and "removed for good" in refused.output
