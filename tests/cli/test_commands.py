"""Every command explains itself, and says what is wrong without a traceback."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from service.cli import COMMANDS
from tests.cli.running import CLEAN, Up, wait_for, wonderlog
from tests.embedded import free_port, start_valkey


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_explains_itself(command: str) -> None:
    done = wonderlog(command, "--help")
    assert done.returncode == 0
    assert len(done.stdout) > 300
    assert "Usage: " in done.stdout


def test_the_list_of_commands_tells_what_each_does() -> None:
    done = wonderlog("--help")
    assert done.returncode == 0
    for command in COMMANDS:
        assert f"\n  {command} " in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("watch", "mat_none", "--url", "http://127.0.0.1:1"),
        ("watch", "mat_none", "--url", "nonsense"),
        ("export", "mat_none"),
    ],
)
def test_a_service_that_is_not_there_is_said_plainly(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = wonderlog(*arguments, WONDERLOG_DATA=str(tmp_path), WONDERLOG_URL="http://127.0.0.1:1")
    assert done.returncode == 1
    assert done.stderr.startswith("Error: no answer from")
    assert "Traceback" not in done.stderr


def test_an_unknown_match_is_said_plainly(server: Up) -> None:
    for command in ("watch", "export", "replay"):
        done = wonderlog(command, f"mat_{'a' * 26}", "--data", str(server.home))
        assert done.returncode == 1
        assert done.stderr.startswith("Error: ")
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["serve", "work"])
def test_a_missing_secret_is_named_before_anything_starts(command: str) -> None:
    done = wonderlog(command)
    assert done.returncode == 1
    assert "WONDERLOG_SERVER_SECRET is not set" in done.stderr


def test_serve_and_work_are_a_service_on_a_server_of_ones_own() -> None:
    port = free_port()
    with start_valkey() as valkey:
        surroundings = {
            **CLEAN,
            "WONDERLOG_STREAMS_URL": valkey.url,
            "WONDERLOG_SERVER_SECRET": "cd" * 32,
        }
        key = wonderlog("keys", "create", "own", **surroundings).stdout.strip()
        started = [
            subprocess.Popen(
                [sys.executable, "-P", "-m", "service.cli", *command],
                env=surroundings,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for command in (("serve", "--bind", f"127.0.0.1:{port}"), ("work",))
        ]
        try:
            url = f"http://127.0.0.1:{port}"
            wait_for(lambda: answers(url), "the service")
            done = wonderlog("play", "--url", url, "--bot", "random", stdin="\n" * 60, WONDERLOG_KEY=key)
            assert done.returncode == 0, done.stderr
            assert "outcome: finished" in done.stdout
        finally:
            for process in started:
                process.send_signal(signal.SIGTERM)
            codes = [process.wait(timeout=60) for process in started]
        assert codes == [0, 0]


def answers(url: str) -> bool:
    """Whether the service is ready."""
    try:
        return requests.get(f"{url}/healthz/ready", timeout=5).status_code == 200
    except requests.RequestException:
        return False
