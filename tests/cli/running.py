"""The `wonderlog` command as a real process."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests

# Nothing of the surroundings may decide where commands go.
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("WONDERLOG_")}


def wonderlog(
    *arguments: str, stdin: str = "", timeout: float = 240, **environment: str
) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "service.cli", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=timeout,
        env={**CLEAN, **environment},
    )


def wait_for(holds: Callable[[], bool], what: str, seconds: float = 90) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"waited {seconds} s in vain for: {what}"
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    if not Path("/proc/self/stat").exists():
        return True
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False  # it has just gone
    return stat.rpartition(")")[2].split()[0] != "Z"


@dataclass(slots=True)
class Up:
    """A running `wonderlog up`. `said` is its output file."""

    home: Path
    ready_file: Path
    said: Path
    process: "subprocess.Popen[bytes]" = field(repr=False)

    @property
    def ready(self) -> dict[str, Any]:
        """The ready file as it is now."""
        document: dict[str, Any] = json.loads(self.ready_file.read_text())
        return document

    @property
    def url(self) -> str:
        return str(self.ready["url"])

    @property
    def pids(self) -> list[int]:
        """Every process it told of, its own first."""
        known = self.ready["pids"]
        return [known["up"], known["valkey"], known["web"], *known["workers"]]

    def get(self, path: str, token: str | None = None) -> dict[str, Any]:
        """A GET as the tenant, or with another credential."""
        return answered(requests.get(self.url + path, headers=self._as(token), timeout=30))

    def post(self, path: str, body: dict[str, Any], key: str, token: str | None = None) -> dict[str, Any]:
        """A POST as the tenant, or with another credential."""
        headers = {**self._as(token), "Idempotency-Key": key.ljust(16, "-")}
        return answered(requests.post(self.url + path, json=body, headers=headers, timeout=30))

    def _as(self, token: str | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {token or self.ready['tenant_key']}"}

    def stop(self, number: signal.Signals = signal.SIGTERM) -> float:
        """End it; how many seconds that took."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(timeout=120)
        return time.monotonic() - began


def answered(answer: requests.Response) -> dict[str, Any]:
    """The body of an answer that must be a success."""
    assert answer.ok, answer.text
    document: dict[str, Any] = answer.json()
    return document


def start_up(home: Path, *options: str, port: int = 0, wait: bool = True, **environment: str) -> Up:
    """Start `wonderlog up` on a data directory, and wait until it is ready."""
    ready_file, said = home.with_suffix(".ready.json"), home.with_suffix(".out")
    ready_file.unlink(missing_ok=True)
    command = ["up", "--data", str(home), "--port", str(port), "--ready-file", str(ready_file), *options]
    with said.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "service.cli", *command],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**CLEAN, **environment},
        )
    up = Up(home, ready_file, said, process)
    if wait:
        try:
            wait_for(lambda: ready_file.exists() or process.poll() is not None, "the ready file", 120)
        except BaseException:
            up.stop()
            raise
        assert process.poll() is None, said.read_text()
    return up


def seated(
    up: Up,
    name: str,
    seats: int = 3,
    bot: str = "random",
    game: str = "seven-wonders",
    options: dict[str, Any] | None = None,
) -> tuple[str, str]:
    """A started match of one person and bots; its id and the token of seat 0."""
    plans = [{"kind": "open"}, *({"kind": "bot", "bot": bot} for _ in range(seats - 1))]
    body = {"game": game, "seats": plans, "visibility": "public", "options": options or {}}
    match = up.post("/v1/matches", body, f"{name}-create")["id"]
    token = up.post(f"/v1/matches/{match}/seats", {"name": "Ann"}, f"{name}-join")["token"]
    up.post(f"/v1/matches/{match}/commands", {"command": {"type": "start"}}, f"{name}-start")
    return match, token


def play(up: Up, match: str, token: str, turns: int = 1000) -> dict[str, Any]:
    """Make the first legal move of seat 0 as often as it is awaited, at most `turns` times; the last view."""
    path = f"/v1/matches/{match}"
    made, after = 0, 0
    while True:
        view = up.get(f"{path}/view", token)
        if view["status"] == "over" or made == turns:
            return view
        if 0 in view["awaited"]:
            moves = up.get(f"{path}/legal-moves", token)
            up.post(f"{path}/commands", moves["moves"][0]["body"], f"move-{view['version']}", token)
            made += 1
        after = view["version"]
        up.get(f"{path}/events?after={after}&wait=10", token)
