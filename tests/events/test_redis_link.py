"""Every way to reach a server, and a cluster whose slots move."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from redis.exceptions import BusyLoadingError, MasterDownError, ReadOnlyError, ResponseError

from events.keys import of_match
from events.redis_link import RedisLink, connect, is_passing
from events.redis_streams import RedisStreams
from events.store import StoreUnavailable
from tests.embedded import Valkey, free_port, start_valkey
from tests.events.sample import noted
from tests.events.waiting import answers, has_replica, wait_until


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1",
        "127.0.0.1:6379",
        "redis+sentinel://127.0.0.1:1",
        "redis+sentinel:///service",
        "redis+cluster://",
    ],
)
def test_urls_that_name_no_server_are_refused(url: str) -> None:
    with pytest.raises(ValueError):
        connect(url)


def test_users_passwords_and_databases_are_taken_from_the_url() -> None:
    url = "redis+sentinel://us%40er:p%2Fw@[::1]:26380,host/main/3?sentinel_password=other"
    client = connect(url)
    assert isinstance(client, redis.Redis)
    settings = client.connection_pool.connection_kwargs
    assert (settings["username"], settings["password"], settings["db"]) == ("us@er", "p/w", 3)
    sentinels = client.connection_pool.sentinel_manager.sentinels  # type: ignore[attr-defined]  # Sentinel's pool
    addresses = [sentinel.connection_pool.connection_kwargs for sentinel in sentinels]
    assert [(at["host"], at["port"], at["password"]) for at in addresses] == [
        ("::1", 26380, "other"),
        ("host", 26379, "other"),
    ]
    client = connect("rediss://:secret@example.test:7000/2")
    assert isinstance(client, redis.Redis)
    assert client.connection_pool.connection_class is redis.SSLConnection
    assert client.connection_pool.connection_kwargs["password"] == "secret"


def test_a_cluster_nobody_answers_for_is_unavailable() -> None:
    with pytest.raises(StoreUnavailable):
        connect(f"redis+cluster://127.0.0.1:{free_port()}", timeout=0.2)


def test_a_unix_socket_is_as_good(match: str) -> None:
    with start_valkey(unixsocket="s") as server:
        # In the folder of the server: the path of a socket must be a short one.
        store = RedisStreams(f"unix://{server.folder / 's'}")
        first = noted(match)
        store.append(match, 0, "c1", "f", first)
        assert store.load(match).records == first
        store.close()


def test_sentinel_leads_to_the_primary(tmp_path: Path, match: str) -> None:
    settings = tmp_path / "sentinel.conf"
    with start_valkey() as primary:
        settings.write_text(f"sentinel monitor main 127.0.0.1 {primary.port} 1\n")
        with start_valkey(sentinel=str(settings)) as sentinel:
            store = RedisStreams(f"redis+sentinel://127.0.0.1:{sentinel.port}/main")
            first = noted(match)
            store.append(match, 0, "c1", "f", first)
            assert RedisStreams(primary.url).load(match).records == first
            assert store.check_server() == []
            heads = store.subscribe()
            store.append(match, 1, "c2", "f", noted(match, 1, 1, first[0].hash))
            assert heads.next(10) == (match, 2)
            heads.close()
            store.close()


def test_sentinel_leads_to_the_new_primary_after_a_failover(tmp_path: Path, match: str) -> None:
    settings = tmp_path / "sentinel.conf"
    with (
        start_valkey(repl_diskless_sync_delay="0") as primary,
        start_valkey(replicaof=f"127.0.0.1 {primary.port}") as replica,
    ):
        wait_until(lambda: has_replica(primary))
        settings.write_text(
            f"sentinel monitor main 127.0.0.1 {primary.port} 1\n"
            "sentinel down-after-milliseconds main 500\n"
            "sentinel failover-timeout main 3000\n"
        )
        with start_valkey(sentinel=str(settings)) as sentinel:
            store = RedisStreams(
                f"redis+sentinel://127.0.0.1:{sentinel.port}/main", durability="replicated", wait_seconds=4.0
            )
            first = noted(match)
            store.append(match, 0, "c1", "f", first)
            wait_until(lambda: knows_replica(sentinel))
            primary.kill()
            wait_until(lambda: is_primary(replica))
            survivor = RedisStreams(f"redis+sentinel://127.0.0.1:{sentinel.port}/main")
            wait_until(lambda: answers(survivor, match))
            assert survivor.load(match, 0, "c1").records == first
            assert survivor.append(match, 0, "c1", "f", first).replayed
            wait_until(lambda: answers(store, match))
            survivor.close()
            store.close()


def knows_replica(sentinel: Valkey) -> bool:
    with redis.Redis(port=sentinel.port) as client:
        return bool(client.execute_command("SENTINEL", "REPLICAS", "main"))


def is_primary(server: Valkey) -> bool:
    with redis.Redis(port=server.port) as client:
        return bool(client.info("replication")["role"] == "master")


@pytest.fixture(scope="module")
def nodes() -> Iterator[tuple[Valkey, Valkey]]:
    """A cluster of two nodes, all slots on the first."""
    with start_valkey(cluster=True) as one, start_valkey(cluster=True, slots="") as two:
        with redis.Redis(port=one.port) as client:
            bus = two.config["cluster-port"]
            client.execute_command("CLUSTER", "MEET", "127.0.0.1", two.port, bus)
        wait_until(lambda: sees_cluster(two) and sees_cluster(one))
        yield one, two


def sees_cluster(node: Valkey) -> bool:
    with redis.Redis(port=node.port) as client:
        info = client.execute_command("CLUSTER", "INFO")
        return b"cluster_state:ok" in info and b"cluster_known_nodes:2" in info


class Slot:
    """The slot of a match, moved between two nodes by hand, step by step."""

    def __init__(self, match: str, source: Valkey, target: Valkey) -> None:
        self.keys = of_match(match)
        self.source = redis.Redis(port=source.port)
        self.target = redis.Redis(port=target.port)
        self.target_port = target.port
        self.number = self.source.execute_command("CLUSTER", "KEYSLOT", self.keys.events)
        self.ids = [client.execute_command("CLUSTER", "MYID") for client in (self.source, self.target)]

    def begin(self) -> None:
        self.target.execute_command("CLUSTER", "SETSLOT", self.number, "IMPORTING", self.ids[0])
        self.source.execute_command("CLUSTER", "SETSLOT", self.number, "MIGRATING", self.ids[1])

    def move(self, *keys: str) -> None:
        for key in keys:
            self.source.execute_command("MIGRATE", "127.0.0.1", self.target_port, key, 0, 5000)

    def finish(self) -> None:
        for client in (self.target, self.source):
            client.execute_command("CLUSTER", "SETSLOT", self.number, "NODE", self.ids[1])

    def close(self) -> None:
        self.source.close()
        self.target.close()


def test_a_slot_that_has_moved_is_found(nodes: tuple[Valkey, Valkey], match: str) -> None:
    store = RedisStreams(nodes[0].url)
    first = noted(match)
    store.append(match, 0, "c1", "f", first)
    slot = Slot(match, *nodes)
    slot.begin()
    slot.move(*slot.keys)
    slot.finish()
    assert store.load(match, 0, "c1").records == first
    second = noted(match, 1, 1, first[0].hash)
    assert not store.append(match, 1, "c2", "f", second).replayed
    assert slot.target.xlen(slot.keys.events) == 2
    slot.close()
    store.close()


def test_a_write_to_a_slot_that_is_moving_goes_to_the_new_owner(
    nodes: tuple[Valkey, Valkey], match: str
) -> None:
    store = RedisStreams(nodes[0].url)
    first = noted(match)
    store.append(match, 0, "c1", "f", first, {"a": "b"})
    slot = Slot(match, *nodes)
    slot.begin()
    slot.move(*slot.keys)
    second = noted(match, 1, 1, first[0].hash)
    assert not store.append(match, 1, "c2", "f", second).replayed
    assert slot.target.execute_command("CLUSTER", "COUNTKEYSINSLOT", slot.number) == 3
    slot.finish()
    assert store.load(match).records == first + second
    slot.close()
    store.close()


def test_reads_of_a_match_half_of_which_has_moved_wait_until_it_has(
    nodes: tuple[Valkey, Valkey], match: str
) -> None:
    store = RedisStreams(nodes[0].url)
    store.link = RedisLink(store.link.client, patience=60.0)
    first = noted(match)
    store.append(match, 0, "c1", "f", first, {"a": "b"})
    slot = Slot(match, *nodes)
    slot.begin()
    slot.move(slot.keys.events)
    impatient = RedisStreams(nodes[0].url)
    impatient.link = RedisLink(impatient.link.client, patience=0.2)
    for attempt in (
        lambda: impatient.load(match, 0, "c1"),
        lambda: impatient.read(match, 0, 10),
        lambda: impatient.append(match, 1, "c2", "f", noted(match, 1, 1, first[0].hash)),
    ):
        with pytest.raises(StoreUnavailable):
            attempt()
    loaded = []
    reader = threading.Thread(target=lambda: loaded.append(store.load(match, 0, "c1")))
    reader.start()
    slot.move(slot.keys.commands, slot.keys.secrets)
    slot.finish()
    reader.join(timeout=90)
    assert loaded[0].records == first
    assert loaded[0].command is not None
    assert loaded[0].secrets == {"a": "b"}
    slot.close()
    impatient.close()
    store.close()


def test_a_single_server_client_at_a_cluster_says_so(nodes: tuple[Valkey, Valkey], match: str) -> None:
    for node in nodes:
        store = RedisStreams(node.server_url)
        with redis.Redis(port=node.port) as client:
            owned = client.execute_command("CLUSTER", "MYID") == owner_of(client, match)
        if not owned:
            with pytest.raises(StoreUnavailable, match="(?i)moved|slot|:"):
                store.append(match, 0, "c1", "f", noted(match))
        store.close()


def owner_of(client: "redis.Redis", match: str) -> bytes:
    slot = client.execute_command("CLUSTER", "KEYSLOT", of_match(match).events)
    for first, last, primary, *_ in client.execute_command("CLUSTER", "SLOTS"):
        if first <= slot <= last:
            found: bytes = primary[2]
            return found
    raise AssertionError("no owner")


def test_a_write_is_not_sent_again_for_the_sake_of_a_wait(nodes: tuple[Valkey, Valkey]) -> None:
    """Whatever the waits answer, the write before them has happened."""
    link = RedisLink(connect(nodes[0].url))
    failing = ("EVAL", "return redis.error_reply('MISCONF the disk is full')", 0)
    written, waited = link.write("{count}", ("INCR", "{count}"), failing)
    assert written == 1
    assert isinstance(waited, ResponseError)
    assert link.read("{count}", ("GET", "{count}")) == [b"1"]
    link.client.close()


@pytest.mark.parametrize(
    ("error", "passing"),
    [
        (ReadOnlyError("You can't write against a read only replica."), True),
        (BusyLoadingError("Redis is loading the dataset in memory"), True),
        (MasterDownError("MASTERDOWN Link with MASTER is down"), True),
        (ResponseError("MISCONF Errors writing to the AOF file"), True),
        (ResponseError("NOREPLICAS Not enough good replicas to write."), True),
        (ResponseError("BUSY Valkey is busy running a script."), True),
        (ResponseError("WRONGTYPE Operation against a key"), False),
        (ResponseError("ERR Function not found"), False),
        (b"OK", False),
    ],
)
def test_what_may_pass_by_itself_is_told_from_what_will_not(error: object, passing: bool) -> None:
    assert is_passing(error) is passing
