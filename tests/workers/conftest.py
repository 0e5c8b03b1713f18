"""Services on a real server, and workers on them."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from service import bootstrap, settings
from service.bootstrap import Services
from tests.embedded import start_valkey
from workers.time_limit import time_limit

ROOT = Path(__file__).parents[2]
SECRET = bytes(range(32))


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A real server of our own: workers take whatever they find on it."""
    with start_valkey() as valkey:
        yield valkey.url


@pytest.fixture
def services(server: str) -> Iterator[Services]:
    """Services on the emptied server, with the games of the catalogue."""
    known = replace(settings.for_memory(SECRET), streams_url=server, queues_url=server)
    made = bootstrap.services(known, limit=time_limit)
    assert made.adapters.queue is not None
    made.adapters.queue.connection.flushdb()
    yield made
    made.close()


@dataclass(slots=True)
class WorkerProcess:
    """`python -m workers.main` as deployed."""

    process: "subprocess.Popen[bytes]"
    log: Path

    def kill(self) -> None:
        """End it as a crash would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=20)

    def terminate(self) -> int:
        """Ask it to end; its exit code."""
        self.process.terminate()
        return self.process.wait(timeout=30)


@pytest.fixture
def start_worker(server: str, tmp_path: Path) -> Iterator[Callable[[], WorkerProcess]]:
    """Starts worker processes; they are ended after the test, by their pid."""
    started: list[WorkerProcess] = []
    environment = {
        **os.environ,
        "WONDERLOG_STREAMS_URL": server,
        "WONDERLOG_SERVER_SECRET": SECRET.hex(),
        "PYTHONPATH": str(ROOT),
    }

    def start() -> WorkerProcess:
        log = tmp_path / f"worker-{len(started)}.txt"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "workers.main"],
                env=environment,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        started.append(WorkerProcess(process, log))
        return started[-1]

    yield start
    for worker in started:
        if worker.process.poll() is None:
            worker.kill()
