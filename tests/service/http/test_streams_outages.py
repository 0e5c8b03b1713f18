"""Streams while the store is away, and while another server takes its place."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import redis

from service import bootstrap, settings
from tests.embedded import Valkey, start_valkey
from tests.service.http.conftest import SECRET
from tests.service.http.play import Party, play_out, sit_down
from tests.service.http.running import Client, Gunicorn, gunicorn
from tests.service.http.streaming import Follower, Opened

SETTINGS = {"WONDERLOG_SERVER_SECRET": SECRET.hex(), "WONDERLOG_STREAM_PING_S": "1"}


def until(holds: Callable[[], bool], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "not in time"
        time.sleep(0.1)


@contextlib.contextmanager
def serving(url: str, folder: Path) -> Iterator[tuple[Gunicorn, Client]]:
    """The service on this store, and a tenant of it."""
    environment = {**SETTINGS, "WONDERLOG_STREAMS_URL": url}
    services = bootstrap.services(settings.from_environment(environment))
    key = services.keys.create("acme").key
    services.close()
    with (
        gunicorn(folder / "log", environment, workers=1, threads=4) as server,
        Client(server.url, key) as host,
    ):
        yield server, host


def port_of(server: Gunicorn) -> int:
    return int(server.url.rpartition(":")[2])


def is_ready(host: Client) -> bool:
    return bool(host.get("/healthz/ready").status_code == 200)


def whole_feed(host: Client) -> list[dict[str, Any]]:
    """Everything in the feed of the tenant."""
    items: list[dict[str, Any]] = []
    after = "0"
    while True:
        page = host.get("/v1/events", params={"after": after, "limit": 200}).json()
        if not page["items"]:
            return items
        items += page["items"]
        after = page["next_after"]


def test_what_is_appended_after_the_store_was_away_arrives(tmp_path: Path) -> None:
    with start_valkey() as valkey, serving(valkey.url, tmp_path) as (server, host):
        party = sit_down(host, 3)
        stream = Opened.at(port_of(server), f"{party.path}/events", party.seats[0].token).read_head()
        feed = Opened.at(port_of(server), "/v1/events", host.token).read_head()
        for each in (stream, feed):
            each.until("hands_dealt")
        valkey.kill()
        until(lambda: not is_ready(host))
        valkey.start()
        until(lambda: is_ready(host))
        party.seats[0].patience_s = 60
        answer = party.seats[0].post(f"{party.path}/commands", party.moves(0)[0])
        assert answer.status_code == 200, answer.text
        for each in (stream, feed):
            each.until(f'"version":{answer.json()["version"]},')
            each.close()
        assert "Traceback" not in server.log.read_text()


def test_followers_have_the_whole_match_after_a_failover(tmp_path: Path) -> None:
    """Sentinel puts a replica in the place of a server that was killed, in the middle of a match."""
    conf = tmp_path / "sentinel.conf"
    with start_valkey() as primary, start_valkey(replicaof=f"127.0.0.1 {primary.port}") as replica:
        conf.write_text(
            f"sentinel monitor main 127.0.0.1 {primary.port} 1\n"
            # It takes nobody for dead, however slow, before somebody is.
            "sentinel down-after-milliseconds main 600000\n"
            "sentinel failover-timeout main 3000\n"
        )
        with (
            start_valkey(sentinel=str(conf)) as sentinel,
            serving(f"redis+sentinel://127.0.0.1:{sentinel.port}/main", tmp_path) as (server, host),
        ):
            # Each process of the service finds the new server for itself.
            host.patience_s = 60
            party = sit_down(host, 3)
            tokens = [None, host.token, party.seats[0].token]
            port, path = port_of(server), f"{party.path}/events"
            followers = [Follower() for _ in tokens]
            threads = [
                threading.Thread(target=each.follow, args=(port, path, token, 300.0), daemon=True)
                for each, token in zip(followers, tokens, strict=True)
            ]
            for thread in threads:
                thread.start()
            for seat in range(3):
                answer = party.seats[seat].post(f"{party.path}/commands", party.moves(seat)[0])
                assert answer.status_code == 200, answer.text
            until(lambda: all(each.version == answer.json()["version"] for each in followers))
            until(lambda: _knows_replica(sentinel) and _has_everything(primary))
            primary.kill()
            _dead_after(sentinel, 500)
            until(lambda: _is_primary(replica))
            _dead_after(sentinel, 600_000)
            until(lambda: is_ready(host))
            play_out(party, seed=12)
            for thread in threads:
                thread.join(timeout=300)
            last = _last(host, party)
            for each in followers:
                assert (each.over, each.version, each.head) == (True, last["version"], last["hash"])
            # The feed is written after the answers.
            until(lambda: whole_feed(host)[-1]["version"] == last["version"])
            assert [item["version"] for item in whole_feed(host)] == list(range(1, last["version"] + 1))
            assert "Traceback" not in server.log.read_text()


def _last(host: Client, party: Party) -> dict[str, Any]:
    version = host.get(party.path).json()["version"]
    page = host.get(f"{party.path}/events", params={"after": version - 1}).json()
    item: dict[str, Any] = page["items"][0]
    return item


def _dead_after(sentinel: Valkey, ms: int) -> None:
    """How long a server may say nothing."""
    with redis.Redis(port=sentinel.port) as client:
        client.execute_command("SENTINEL", "SET", "main", "down-after-milliseconds", str(ms))


def _knows_replica(sentinel: Valkey) -> bool:
    with redis.Redis(port=sentinel.port) as client:
        return bool(client.execute_command("SENTINEL", "REPLICAS", "main"))


def _has_everything(primary: Valkey) -> bool:
    """Whether the replica holds what was written up to now."""
    with redis.Redis(port=primary.port) as client:
        client.set("wonderlog:probe", "1")
        return bool(client.wait(1, 5000) == 1)


def _is_primary(server: Valkey) -> bool:
    with redis.Redis(port=server.port) as client:
        return bool(client.info("replication")["role"] == "master")
