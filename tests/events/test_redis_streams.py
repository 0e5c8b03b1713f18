"""The log on a real server: what is on disk, what a lost answer means, what an emptied server does."""

import json
from collections.abc import Iterator

import pytest
import redis

from events.chain import verify_chain
from events.keys import of_match
from events.redis_link import connect
from events.redis_moves import RedisMoves
from events.redis_server import UnfitServer
from events.redis_streams import RedisStreams
from events.store import Appended, OutcomeUnknown, StoreUnavailable, VersionConflict
from tests.embedded import Valkey, start_valkey
from tests.events.proxy import proxy_to
from tests.events.sample import SEAL_KEY, noted, put_away, whole_match
from tests.events.waiting import answers, has_replica, wait_until


@pytest.fixture(scope="module")
def server() -> Iterator[Valkey]:
    """A server of this module's own, which its tests may empty, fill and stop."""
    with start_valkey() as valkey:
        yield valkey


@pytest.fixture
def own(server: Valkey) -> Iterator[RedisStreams]:
    store = RedisStreams(server.url)
    yield store
    store.close()


@pytest.fixture
def admin(server: Valkey) -> Iterator["redis.Redis"]:
    with redis.Redis(port=server.port) as client:
        yield client


def test_a_person_can_read_an_entry(own: RedisStreams, admin: "redis.Redis", match: str) -> None:
    own.append(match, 0, "c1", "f", whole_match(match)[:1])
    ((entry, fields),) = admin.xrange(of_match(match).events)
    assert entry == b"1-0"
    assert list(fields) == [b"type", b"header", b"data", b"public", b"parts", b"seals", b"hash", b"meta"]
    assert fields[b"type"] == b"match.created"
    assert json.loads(fields[b"data"])["game"] == "sample-game"
    assert json.loads(fields[b"header"])["occurred_at"] == "2026-01-05T12:00:00.000Z"
    assert admin.hget(of_match(match).commands, "c1") == b"1-1 f"


def test_every_acknowledged_event_survives_kill_9(server: Valkey, own: RedisStreams, match: str) -> None:
    records = whole_match(match)
    own.append(match, 0, "c1", "f", records[:1], {"match_key": "k"})
    for event in records[1:7]:
        own.append(match, event.version - 1, f"c{event.version}", "f", [event])
        server.kill()
        with pytest.raises((StoreUnavailable, OutcomeUnknown)):
            own.load(match)
        server.start()
        assert own.head(match) == (event.version, event.hash)
    loaded = own.load(match, 0, "c7")
    assert loaded.records == records[:7]
    assert loaded.secrets == {"match_key": "k"}
    assert loaded.command is not None
    verify_chain(loaded.records, match, seal_key=SEAL_KEY)


def test_a_server_that_is_gone_is_unavailable_and_nothing_was_written(
    server: Valkey, own: RedisStreams, match: str
) -> None:
    server.kill()
    try:
        for attempt in (
            lambda: own.append(match, 0, "c1", "f", noted(match)),
            lambda: own.load(match),
            lambda: own.head(match),
            own.subscribe,
            own.check_server,
            own.probe,
        ):
            with pytest.raises(StoreUnavailable):
                attempt()
    finally:
        server.start()
    assert not own.append(match, 0, "c1", "f", noted(match)).replayed


def test_a_retry_after_a_lost_answer_gives_one_event(server: Valkey, own: RedisStreams, match: str) -> None:
    first = noted(match)
    own.append(match, 0, "c1", "f", first)
    second = noted(match, 2, 1, first[0].hash)
    with proxy_to(server.port) as proxy:
        hasty = RedisStreams(connect(f"redis://127.0.0.1:{proxy.port}", timeout=0.5))
        wait_until(lambda: answers(hasty, match))  # from now on it has a connection
        proxy.swallow.set()
        with pytest.raises(OutcomeUnknown):
            hasty.append(match, 1, "c2", "f", second)
        proxy.swallow.clear()
        hasty.close()
        wait_until(lambda: own.head(match).version > 1)
        assert own.head(match).version == 3
        store = RedisStreams(f"redis://127.0.0.1:{proxy.port}")
        assert store.append(match, 1, "c2", "f", second) == Appended(2, 3, True)
        assert own.load(match).records == first + second
        store.close()


def test_a_lost_answer_to_a_read_is_unavailable(server: Valkey, own: RedisStreams, match: str) -> None:
    own.append(match, 0, "c1", "f", noted(match))
    with proxy_to(server.port) as proxy:
        store = RedisStreams(connect(f"redis://127.0.0.1:{proxy.port}", timeout=0.3))
        wait_until(lambda: answers(store, match))
        proxy.swallow.set()
        with pytest.raises(StoreUnavailable):
            store.load(match)
        with pytest.raises(StoreUnavailable):
            store.probe()
        store.close()


def test_an_append_that_is_not_on_disk_in_time_has_an_unknown_outcome(match: str) -> None:
    # With appendfsync=no the server never says that anything is on disk.
    with start_valkey(appendfsync="no") as lazy:
        store = RedisStreams(lazy.url, wait_seconds=0.05)
        with pytest.raises(OutcomeUnknown):
            store.append(match, 0, "c1", "f", noted(match))
        # Another connection has written nothing to wait for, unless the replay itself writes.
        other = RedisStreams(lazy.url, wait_seconds=0.05)
        with pytest.raises(OutcomeUnknown):
            other.append(match, 0, "c1", "f", noted(match))
        other.close()
        with pytest.raises(OutcomeUnknown):
            store.put_secrets(match, {"a": "b"})
        assert store.append(match, 0, "c1", "f", noted(match), durable=False).replayed
        with pytest.raises(VersionConflict):
            store.append(match, 0, "c2", "f", noted(match))
        careless = RedisStreams(lazy.url, durability="memory")
        assert careless.append(match, 0, "c1", "f", noted(match)).replayed
        careless.close()
        store.close()


def test_replicated_means_that_a_replica_has_it(match: str) -> None:
    with (
        start_valkey(repl_diskless_sync_delay="0") as primary,
        start_valkey(replicaof=f"127.0.0.1 {primary.port}") as replica,
    ):
        wait_until(lambda: has_replica(primary))
        store = RedisStreams(primary.url, durability="replicated", wait_seconds=4.0)
        first = noted(match)
        store.append(match, 0, "c1", "f", first)
        copy = RedisStreams(replica.url)
        assert copy.load(match).records == first
        with pytest.raises(StoreUnavailable):
            copy.append(match, 1, "c2", "f", noted(match, 1, 1, first[0].hash))
        with pytest.raises(StoreUnavailable):
            copy.probe()
        with pytest.raises(UnfitServer, match="replica"):
            copy.check_server()
        replica.kill()
        hasty = RedisStreams(primary.url, durability="replicated", wait_seconds=0.2)
        with pytest.raises(OutcomeUnknown):
            hasty.append(match, 1, "c2", "f", noted(match, 1, 1, first[0].hash))
        for opened in (store, copy, hasty):
            opened.close()


def test_an_emptied_server_is_started_anew(own: RedisStreams, admin: "redis.Redis", match: str) -> None:
    first = noted(match)
    own.append(match, 0, "c1", "f", first)
    admin.flushall()
    assert own.load(match, after=1).version == 0
    with pytest.raises(VersionConflict) as conflict:
        own.append(match, 1, "c2", "f", noted(match, 1, 1, first[0].hash))
    assert conflict.value.actual == 0
    assert not own.append(match, 0, "c1", "f", first).replayed


def test_a_lost_function_library_is_loaded_again(own: RedisStreams, admin: "redis.Redis", match: str) -> None:
    own.append(match, 0, "c1", "f", noted(match))
    admin.function_flush()
    assert own.append(match, 0, "c1", "f", noted(match)).replayed
    admin.function_flush()
    own.put_secrets(match, {"a": "b"})
    admin.function_flush()
    put_away(RedisMoves(own), match, "gone")


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-lru", "allkeys-random", "volatile-ttl"])
def test_a_server_that_evicts_is_refused(own: RedisStreams, admin: "redis.Redis", policy: str) -> None:
    assert own.check_server() == []
    admin.config_set("maxmemory-policy", policy)
    try:
        with pytest.raises(UnfitServer, match=policy):
            own.check_server()
    finally:
        admin.config_set("maxmemory-policy", "noeviction")


def test_a_server_without_a_file_is_refused_unless_asked_for(own: RedisStreams, admin: "redis.Redis") -> None:
    admin.config_set("appendonly", "no")
    try:
        with pytest.raises(UnfitServer, match="appendonly"):
            own.check_server()
        assert own.check_server(without_disk=True) == []
    finally:
        admin.config_set("appendonly", "yes")


def test_a_server_that_syncs_every_second_gives_a_warning(own: RedisStreams, admin: "redis.Redis") -> None:
    admin.config_set("appendfsync", "everysec")
    try:
        (warning,) = own.check_server()
        assert "everysec" in warning
    finally:
        admin.config_set("appendfsync", "always")


def test_settings_that_cannot_be_read_give_a_warning(own: RedisStreams, server: Valkey) -> None:
    with redis.Redis(port=server.port) as admin:
        admin.execute_command("ACL", "SETUSER", "app", "on", ">secret", "~*", "&*", "+@all", "-config")
        app = RedisStreams(f"redis://app:secret@127.0.0.1:{server.port}")
        (warning,) = app.check_server()
        assert "CONFIG" in warning
        app.close()


def test_a_user_who_may_not_announce_can_append(own: RedisStreams, server: Valkey, match: str) -> None:
    with redis.Redis(port=server.port) as admin:
        admin.execute_command("ACL", "SETUSER", "mute", "on", ">secret", "~*", "resetchannels", "+@all")
        mute = RedisStreams(f"redis://mute:secret@127.0.0.1:{server.port}")
        mute.append(match, 0, "c1", "f", noted(match))
        mute.close()
    assert own.head(match).version == 1


def test_a_server_without_memory_is_unavailable_and_writes_nothing(
    own: RedisStreams, admin: "redis.Redis", match: str
) -> None:
    own.append(match, 0, "c1", "f", noted(match))
    before = own.load(match).records
    admin.config_set("maxmemory", "1mb")
    try:
        with pytest.raises(StoreUnavailable):
            own.append(match, 1, "c2", "f", noted(match, 1, 1, before[0].hash))
        with pytest.raises(StoreUnavailable):
            own.probe()
        assert own.load(match).records == before
    finally:
        admin.config_set("maxmemory", "0")
    own.append(match, 1, "c2", "f", noted(match, 1, 1, before[0].hash))


def test_connections_are_given_back(own: RedisStreams, admin: "redis.Redis", match: str) -> None:
    own.append(match, 0, "c1", "f", noted(match))
    # A server hears of the end of a connection a little later: those of the tests before as well.
    wait_until(lambda: len(admin.client_list()) == 2)
    for number in range(20):
        own.load(match, 0, f"c{number}")
        own.append(match, 0, "c1", "f", noted(match))
        with pytest.raises(VersionConflict):
            own.append(match, 0, "c2", "f", noted(match))
        own.subscribe().close()
    wait_until(lambda: len(admin.client_list()) <= 2)
