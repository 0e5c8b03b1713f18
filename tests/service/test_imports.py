"""Imported bundles in their stores, and read through the port of the log."""

from dataclasses import replace

import msgspec
import pytest
from redis import Redis

from events.chain import served, verify_chain
from events.memory import MemoryStore
from events.redis_link import connect
from events.redis_streams import RedisStreams
from events.store import OutcomeUnknown, VersionConflict
from service.adapters.imports import MemoryImports, RedisImports
from service.clock import SystemClock
from service.imports import FOREIGN, Import, ImportingStore, Imports, pack
from tests.audit.whole_matches import MATCH, lines_of, log_of

GAME = "its-a-wonderful-kingdom"
ID = "mat_" + "a" * 26
TAKEN = Import(ID, "acme", "2026-01-05T10:11:12.345Z", "f" * 64, pack(lines_of(GAME)))


@pytest.fixture(params=["memory", "redis"])
def imports(request: pytest.FixtureRequest) -> Imports:
    """Each in turn, empty."""
    if request.param == "memory":
        return MemoryImports()
    url = request.getfixturevalue("server_url")
    with Redis.from_url(url) as client:
        client.flushdb()
    store = RedisStreams(connect(url, 60.0), "memory")
    return RedisImports(store.link, store.waits)


def test_a_bundle_is_kept_as_it_came_and_never_replaced(imports: Imports) -> None:
    assert imports.get(ID) is None
    assert imports.add(TAKEN) == TAKEN
    assert imports.add(replace(TAKEN, fingerprint="0" * 64)) == TAKEN
    assert imports.get(ID) == TAKEN
    assert TAKEN.lines == lines_of(GAME)
    assert len(TAKEN.packed) < sum(map(len, TAKEN.lines)) / 3


def test_its_events_are_read_as_they_were_recorded(imports: Imports) -> None:
    imports.add(TAKEN)
    store, log = ImportingStore(MemoryStore(), imports), log_of(GAME)
    loaded = store.load(ID)
    assert loaded.version == len(log)
    verify_chain(loaded.records, MATCH, seal_key=None)
    assert loaded.records == [replace(event, meta={}) for event in log]
    assert (loaded.secrets["tenant"], FOREIGN in loaded.secrets) == ("acme", True)
    assert store.load(ID, len(log) - 2).records == loaded.records[-2:]
    assert store.read(ID, 3, 4) == loaded.records[3:7]
    assert store.read(ID, len(log), 4) == []
    assert store.head(ID) == (len(log), log[-1].hash)
    assert store.secrets(ID) == loaded.secrets
    assert served(loaded.records, "public", bytes(32)) == served(log, "public", bytes(32))


def test_nothing_is_ever_appended_to_it(imports: Imports) -> None:
    imports.add(TAKEN)
    store = ImportingStore(MemoryStore(), imports)
    with pytest.raises(VersionConflict):
        store.append(ID, 0, None, "", log_of(GAME)[:1])
    assert not store.exists(ID)


def test_matches_that_are_played_here_are_read_as_ever(imports: Imports) -> None:
    inner = MemoryStore()
    store = ImportingStore(inner, imports)
    log = log_of(GAME)[:1]
    assert store.load(MATCH).version == 0
    store.append(MATCH, 0, None, "", log, {"tenant": "acme"})
    assert store.load(MATCH) == inner.load(MATCH)
    assert store.head(MATCH) == inner.head(MATCH)
    assert store.read(MATCH, 1, 10) == []


def test_they_are_listed_for_their_tenant_and_dropped_for_good(imports: Imports) -> None:
    store = ImportingStore(MemoryStore(), imports)
    imports.add(replace(TAKEN, game=GAME, origin=MATCH))
    imports.add(replace(TAKEN, id="mat_" + "b" * 26, tenant="other"))
    (listed,) = imports.of_tenant("acme")
    assert (listed.id, listed.game, listed.origin, listed.until_ms) == (ID, GAME, MATCH, None)
    assert listed.bytes == len(TAKEN.packed)
    assert imports.has(ID) and store.head(ID).version
    imports.drop("acme", ID)
    assert imports.of_tenant("acme") == [] and len(imports.of_tenant("other")) == 1
    assert imports.get(ID) is None and not imports.has(ID)
    assert (store.head(ID).version, store.read(ID, 0, 9), store.secrets(ID)) == (0, [], {}), "nor remembered"


def test_one_whose_time_is_over_is_gone(imports: Imports) -> None:
    store = ImportingStore(MemoryStore(), imports)
    now = SystemClock().now_ms()
    imports.add(TAKEN, now + 3_600_000)
    assert imports.of_tenant("acme")[0].until_ms == now + 3_600_000 and store.head(ID).version
    imports.drop("acme", ID)
    imports.add(TAKEN, now - 1)
    assert not imports.has(ID) and imports.of_tenant("acme") == [] and store.head(ID).version == 0


def test_an_import_is_not_answered_before_it_is_as_durable_as_a_command(
    request: pytest.FixtureRequest,
) -> None:
    """There is no replica, so nothing is ever replicated; by default the disk is waited for."""
    store = RedisStreams(connect(request.getfixturevalue("server_url"), 60.0), "replicated", 0.1)
    with pytest.raises(OutcomeUnknown):
        RedisImports(store.link, store.waits).add(TAKEN)
    assert RedisStreams(store.link.client).waits[0][0] == "WAITAOF"


def test_the_oldest_ones_are_still_read() -> None:
    old = {name: getattr(TAKEN, name) for name in ("id", "tenant", "imported_at", "fingerprint", "packed")}
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(old), type=Import) == TAKEN
