"""Services on a real server, and workers on them."""

import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
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

    def wait(self) -> None:
        """Wait until it takes jobs."""
        until = time.monotonic() + 120
        while "working on the queue" not in self.log.read_text("utf-8"):
            assert self.process.poll() is None and time.monotonic() < until, self.log.read_text("utf-8")
            time.sleep(0.05)

    def kill(self) -> None:
        """End it as a crash would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=60)

    def terminate(self) -> int:
        """Ask it to end; its exit code."""
        self.process.terminate()
        return self.process.wait(timeout=60)


@contextmanager
def worker_process(url: str, log: Path) -> Iterator[WorkerProcess]:
    """A worker on a server, ended by its pid."""
    environment = {
        **os.environ,
        "WONDERLOG_STREAMS_URL": url,
        "WONDERLOG_SERVER_SECRET": SECRET.hex(),
        "PYTHONPATH": str(ROOT),
    }
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "workers.main"],
            env=environment,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    worker = WorkerProcess(process, log)
    try:
        yield worker
    finally:
        if process.poll() is None:
            worker.kill()


@pytest.fixture
def start_worker(server: str, tmp_path: Path) -> Iterator[Callable[[], WorkerProcess]]:
    """Starts worker processes, which are ended after the test."""
    with ExitStack() as running:
        names = (tmp_path / f"worker-{number}.txt" for number in itertools.count())
        yield lambda: running.enter_context(worker_process(server, next(names)))
