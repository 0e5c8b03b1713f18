"""The real thing for tests: gunicorn over loopback, and a client that keeps every secret it was given."""

import contextlib
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests

from tests.embedded import free_port

ROOT = Path(__file__).parents[3]


@dataclass(slots=True)
class Gunicorn:
    """A running server: where it listens, where its log goes."""

    url: str
    log: Path
    process: "subprocess.Popen[bytes]" = field(repr=False)

    def terminate(self) -> float:
        """SIGTERM; the seconds until it was gone."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)
        return time.monotonic() - began


@contextlib.contextmanager
def gunicorn(
    log: Path, environment: Mapping[str, str], *, workers: int = 2, threads: int = 8
) -> Iterator[Gunicorn]:
    """The service as deployed, with `deploy/gunicorn.conf.py`, ended by its pid."""
    port = free_port()
    settings = {
        **os.environ,
        **environment,
        "WONDERLOG_BIND": f"127.0.0.1:{port}",
        "WONDERLOG_HTTP_WORKERS": str(workers),
        "WONDERLOG_HTTP_THREADS": str(threads),
        "PYTHONPATH": str(ROOT),
    }
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "-c", str(ROOT / "deploy" / "gunicorn.conf.py")],
            stdout=out,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env=settings,
            cwd=ROOT,
        )
    server = Gunicorn(f"http://127.0.0.1:{port}", log, process)
    try:
        _wait(server)
        yield server
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(timeout=10)


def _wait(server: Gunicorn, seconds: float = 120.0) -> None:
    until = time.monotonic() + seconds
    while True:
        with contextlib.suppress(requests.ConnectionError, requests.Timeout):
            if requests.get(f"{server.url}/healthz/live", timeout=5).status_code == 200:
                return
        if server.process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"gunicorn did not start:\n{server.log.read_text()[-4000:]}")
        time.sleep(0.05)


def new_key() -> str:
    """A fresh Idempotency-Key."""
    return uuid.uuid4().hex


class Client:
    """Calls the API with one credential over one kept-alive connection."""

    def __init__(self, url: str, token: str | None = None, patience_s: float = 0) -> None:
        """`patience_s`: how long the same request is sent again, key and all, while the answer is 503."""
        self.url = url
        self.token = token
        self.patience_s = patience_s
        self.session = requests.Session()
        self.session.trust_env = False

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.session.close()

    def as_(self, token: str | None) -> "Client":
        """The same with another credential."""
        return Client(self.url, token, self.patience_s)

    def ask(self, method: str, path: str, **more: Any) -> requests.Response:
        """A request, with arguments as `requests` takes them. POSTs get a key unless one is given."""
        headers = dict(more.pop("headers", {}))
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        if method == "POST":
            headers.setdefault("Idempotency-Key", new_key())
        until = time.monotonic() + self.patience_s
        while True:
            answer = self.session.request(method, self.url + path, headers=headers, timeout=60, **more)
            if answer.status_code != 503 or time.monotonic() > until:
                return answer
            time.sleep(0.2)

    def get(self, path: str, **more: Any) -> requests.Response:
        """GET."""
        return self.ask("GET", path, **more)

    def post(self, path: str, body: Any, **more: Any) -> requests.Response:
        """POST a JSON body."""
        return self.ask("POST", path, json=body, **more)
