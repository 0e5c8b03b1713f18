"""The server and its store are killed after every accepted command of a whole match, and started again.

No acknowledged event may be lost, doubled or reordered: after each start the log is the one the last answer
named, and a retry of that command with its key gets the very same answer.
"""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import requests

from service import bootstrap, settings
from tests.embedded import free_port, start_valkey
from tests.service.http.running import ROOT, Client, new_key

SECRET = bytes(range(32)).hex()


@dataclass(slots=True)
class Server:
    """gunicorn in a process group of its own, so that it can be killed whole."""

    port: int
    environment: dict[str, str]
    log: Path
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and wait until it is ready."""
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", "-c", str(ROOT / "deploy" / "gunicorn.conf.py")],
                stdout=out,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env={**os.environ, **self.environment, "PYTHONPATH": str(ROOT)},
                cwd=ROOT,
                start_new_session=True,
            )
        until = time.monotonic() + 60
        while True:
            with contextlib.suppress(requests.RequestException), Client(self.url) as client:
                if client.get("/healthz/ready").status_code == 200:
                    return
            assert time.monotonic() < until and self.process.poll() is None, self.log.read_text()[-3000:]
            time.sleep(0.02)

    def kill(self) -> None:
        """SIGKILL for the master and its workers."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(timeout=20)
            self.process = None


@contextlib.contextmanager
def server(url: str, folder: Path) -> Iterator[Server]:
    """A server, not started yet; killed at the end."""
    port = free_port()
    environment = {
        "WONDERLOG_STREAMS_URL": url,
        "WONDERLOG_SERVER_SECRET": SECRET,
        "WONDERLOG_BIND": f"127.0.0.1:{port}",
        "WONDERLOG_HTTP_WORKERS": "1",
        "WONDERLOG_HTTP_THREADS": "4",
    }
    made = Server(port, environment, folder / "gunicorn.log")
    try:
        yield made
    finally:
        made.kill()


def whole_log(client: Client, match: str) -> list[dict[str, Any]]:
    """Every event of the match as this caller sees it."""
    items: list[dict[str, Any]] = []
    while True:
        page = client.get(f"/v1/matches/{match}/events?after={len(items)}&limit=200").json()
        items += page["items"]
        if len(items) >= page["head"]:
            return items


def test_killed_after_every_command_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    dice = random.Random(7)
    kills = 0
    with start_valkey() as valkey, server(valkey.url, tmp_path) as running:
        running.start()
        services = bootstrap.services(settings.from_environment(running.environment))
        host = Client(running.url, services.keys.create("chaos").key)
        services.close()
        acknowledged: list[dict[str, Any]] = []

        def post(client: Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
            """A command, then the crash, then the same command again with its key."""
            nonlocal kills
            key = {"Idempotency-Key": new_key()}
            first = client.post(path, body, headers=key)
            assert first.status_code in (200, 201), first.text
            running.kill()
            valkey.kill()
            valkey.start()
            running.start()
            kills += 1
            client.session.close()
            again = client.post(path, body, headers=key)
            assert again.json() == first.json()
            assert again.headers["Idempotency-Replayed"] == "true"
            answer: dict[str, Any] = first.json()
            return answer

        match = post(host, "/v1/matches", {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3})["id"]
        path = f"/v1/matches/{match}"
        seats = []
        for _ in range(3):
            seats.append(Client(running.url, post(host, f"{path}/seats", {"entropy": "ab"})["token"]))
        answer = post(host, f"{path}/commands", {"command": {"type": "start"}})
        while True:
            log = whole_log(host, match)
            assert [event["version"] for event in log] == list(range(1, len(log) + 1))
            assert log[: len(acknowledged)] == acknowledged
            assert {"version": log[-1]["version"], "hash": log[-1]["hash"]} == answer["head"]
            acknowledged = log
            view = host.get(f"{path}/view").json()
            if view["status"] == "over":
                break
            client = seats[dice.choice(view["awaited"])]
            moves = client.get(f"{path}/legal-moves").json()["moves"]
            answer = post(client, f"{path}/commands", dice.choice(moves)["body"])
        for each in (host, *seats):
            each.session.close()
    commands = {event["command"] for event in acknowledged}
    assert kills == len(commands) > 55
