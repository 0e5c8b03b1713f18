"""`wonderlog up`: starts, serves, drains, starts again, survives whatever is killed."""

import json
import os
import signal
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.cli.running import Up, is_alive, play, seated, start_up, wait_for, wonderlog
from tests.embedded import free_port


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def up(home: Path) -> Iterator[Up]:
    running = start_up(home, port=free_port())
    yield running
    if running.process.poll() is None:
        running.stop()


def head(up: Up, match: str, token: str) -> dict[str, object]:
    """Version and hash of the newest event."""
    last = up.get(f"/v1/matches/{match}/events?limit=200", token)
    while last["next_after"] < last["head"]:
        last = up.get(f"/v1/matches/{match}/events?limit=200&after={last['next_after']}", token)
    event = last["items"][-1]
    return {"version": event["version"], "hash": event["hash"]}


def test_a_match_goes_on_after_a_stop_and_a_second_start(up: Up, home: Path) -> None:
    first = up.ready
    assert set(first) == {"url", "tenant_key", "sandbox_key", "redis_url", "pids"}
    assert first["tenant_key"] in up.said.read_text()
    assert first["sandbox_key"].startswith("tk_test_") and first["sandbox_key"] in up.said.read_text()
    match, token = seated(up, "goes-on")
    play(up, match, token, turns=4)
    pids = up.pids

    assert up.stop() < 15
    assert up.process.returncode == 0
    assert not any(map(is_alive, pids))
    assert not up.ready_file.exists()

    again = start_up(home)
    try:
        assert again.ready["tenant_key"] == first["tenant_key"]
        assert again.ready["sandbox_key"] == first["sandbox_key"]
        over = play(again, match, token)
        assert over["outcome"]["reason"] == "finished"
        assert len(over["outcome"]["scores"]) == 3
    finally:
        again.stop()


def test_what_is_secret_is_readable_for_its_owner_only(server: Up) -> None:
    home = server.home
    private = [server.ready_file, *(path for path in home.rglob("*") if path.is_file())]
    names = {path.name for path in private}
    assert {"secrets.json", "ready.json", "valkey.conf", "web.log"} <= names
    closed = [path for path in private if "appendonlydir" not in path.parts]
    assert [path for path in closed if stat.S_IMODE(path.stat().st_mode) & 0o077] == []
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    key = server.ready["tenant_key"]
    assert [path for path in (home / "logs").iterdir() if key in path.read_text()] == []


def test_a_killed_server_leaves_no_process_and_no_event_behind(up: Up, home: Path) -> None:
    match, token = seated(up, "killed")
    play(up, match, token, turns=3)
    port = int(up.url.rpartition(":")[2])
    pids = up.pids

    up.stop(signal.SIGKILL)
    again = start_up(home, port=port)
    try:
        wait_for(lambda: not any(map(is_alive, pids)), "the end of what the killed server had started")
        newest = head(again, match, token)
        play(again, match, token, turns=1)
        later = again.get(f"/v1/matches/{match}/events?after={newest['version']}&limit=1", token)["items"]
        assert later[0]["prev_hash"] == newest["hash"]
        assert play(again, match, token)["status"] == "over"
    finally:
        again.stop()


def test_whatever_is_killed_is_started_again_and_the_ready_file_says_so(up: Up) -> None:
    match, token = seated(up, "restarted")
    for name in ("valkey", "web"):
        old = up.ready["pids"][name]
        os.kill(old, signal.SIGKILL)
        wait_for(lambda name=name, old=old: up.ready["pids"][name] not in (old, None), f"another {name}")
    killed = up.ready["pids"]["workers"]
    for old in killed:
        os.kill(old, signal.SIGKILL)
    wait_for(lambda: not set(killed) & set(up.ready["pids"]["workers"]), "other workers")

    def answers() -> bool:
        try:
            return requests.get(f"{up.url}/healthz/ready", timeout=5).status_code == 200
        except requests.RequestException:
            return False

    wait_for(answers, "the service")
    assert play(up, match, token)["status"] == "over"
    assert "SIGKILL" in up.said.read_text()


def test_two_servers_do_not_share_a_data_directory(server: Up) -> None:
    done = wonderlog("up", "--data", str(server.home), "--port", "0")
    assert done.returncode == 1
    assert f"another `wonderlog up` runs on {server.home}" in done.stderr
    assert server.ready == json.loads((server.home / "ready.json").read_text())


def test_a_port_in_use_is_said_plainly(server: Up, tmp_path: Path) -> None:
    port = server.url.rpartition(":")[2]
    done = wonderlog("up", "--data", str(tmp_path / "other"), "--port", port)
    assert done.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}" in done.stderr
    assert "Traceback" not in done.stderr


def test_damaged_secrets_are_not_replaced_by_new_ones(home: Path) -> None:
    home.mkdir()
    (home / "secrets.json").write_text("{")
    done = wonderlog("up", "--data", str(home), "--port", "0")
    assert done.returncode == 1
    assert "secrets.json is damaged" in done.stderr
    assert (home / "secrets.json").read_text() == "{"


def test_a_wrong_setting_is_named(home: Path) -> None:
    done = wonderlog("up", "--data", str(home), "--port", "0", WONDERLOG_DURABILITY="perhaps")
    assert done.returncode == 1
    assert "WONDERLOG_DURABILITY must be one of" in done.stderr
