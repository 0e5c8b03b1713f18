"""The embedded Valkey server: on disk, for itself, never two on one data directory."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from service import embedded
from service.cli.children import Children, Program


@pytest.fixture
def children() -> Iterator[Children]:
    made = Children()
    yield made
    made.close()


def started(children: Children, folder: Path) -> embedded.EmbeddedValkey:
    """A server on a folder, answering."""
    valkey = embedded.take(folder, patience=5)
    child = children.start(
        Program("valkey", valkey.command, os.environ, folder, folder / "log", (valkey.lock,))
    )
    valkey.wait_until_ready(lambda: child.is_alive)
    return valkey


def test_every_write_is_on_disk_and_nothing_is_evicted(children: Children, tmp_path: Path) -> None:
    valkey = started(children, tmp_path)
    with redis.Redis.from_url(valkey.url, decode_responses=True) as client:
        wanted = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", "save": ""}
        assert client.config_get(*wanted) == wanted
        assert client.config_get("bind") == {"bind": "127.0.0.1"}
        assert client.info("persistence")["aof_enabled"] == 1
    valkey.release()


def test_it_answers_only_those_who_know_the_password(children: Children, tmp_path: Path) -> None:
    valkey = started(children, tmp_path)
    with redis.Redis(port=valkey.port) as stranger, pytest.raises(redis.AuthenticationError):
        stranger.ping()
    assert valkey.password not in repr(valkey)
    valkey.release()


def test_what_was_written_survives_a_kill_and_is_served_on_the_same_port(
    children: Children, tmp_path: Path
) -> None:
    valkey = started(children, tmp_path)
    with redis.Redis.from_url(valkey.url) as client:
        client.set("key", "value")
    os.kill(children.pids()["valkey"], signal.SIGKILL)
    news: list[str] = []
    while "valkey was started again" not in news:
        news += children.look_after()
        time.sleep(0.01)
    assert news[0] == "valkey ended (SIGKILL)"
    valkey.wait_until_ready(lambda: True)
    with redis.Redis.from_url(valkey.url) as client:
        assert client.get("key") == b"value"
    valkey.release()


def test_the_data_of_a_running_server_is_refused_also_when_its_owner_let_go(
    children: Children, tmp_path: Path
) -> None:
    valkey = started(children, tmp_path)
    with pytest.raises(embedded.DataInUse):
        embedded.take(tmp_path, patience=0.1)
    valkey.release()
    with pytest.raises(embedded.DataInUse):
        embedded.take(tmp_path, patience=0.1)
    children.stop("valkey")
    embedded.take(tmp_path, patience=5).release()


def test_a_server_that_cannot_start_is_not_waited_for(children: Children, tmp_path: Path) -> None:
    valkey = embedded.take(tmp_path)
    (tmp_path / "valkey.conf").write_text("no-such-setting yes\n")
    child = children.start(Program("valkey", valkey.command, os.environ, tmp_path, tmp_path / "log"))
    with pytest.raises(embedded.NotStarted):
        valkey.wait_until_ready(lambda: child.is_alive)
    valkey.release()
