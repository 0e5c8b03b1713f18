"""Servers of our own for the benchmark: a Valkey that keeps everything on disk, gunicorn over loopback."""

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from service import embedded

ROOT: Final = Path(__file__).parents[2]
_PATIENCE_S: Final = 40.0


@contextlib.contextmanager
def valkey(directory: Path) -> Iterator[str]:
    """The URL of a Valkey as `wonderlog up` starts it, ended by its pid."""
    server = embedded.take(directory)
    process = subprocess.Popen(
        server.command,
        cwd=directory,
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        pass_fds=(server.lock,),
    )
    try:
        server.wait_until_ready(lambda: process.poll() is None)
        yield server.url
    finally:
        _end(process)
        server.release()


@contextlib.contextmanager
def gunicorn(log: Path, environment: Mapping[str, str], *arguments: str) -> Iterator[tuple[str, int]]:
    """Host and port of gunicorn with `deploy/gunicorn.conf.py`, in this environment; `arguments` override
    its settings. Raises RuntimeError when it does not come up."""
    port = free_port()
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", *arguments],
            cwd=ROOT,
            env={**os.environ, **environment, "WONDERLOG_BIND": f"127.0.0.1:{port}", "PYTHONPATH": str(ROOT)},
            stdout=out,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
    try:
        _wait_for(port, process, log)
        yield "127.0.0.1", port
    finally:
        _end(process)


def environment(url: str) -> dict[str, str]:
    """The settings of a service on this Valkey; everything else as it comes."""
    return {"WONDERLOG_STREAMS_URL": url, "WONDERLOG_SERVER_SECRET": secrets.token_hex(32)}


def free_port() -> int:
    """A loopback port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + _PATIENCE_S
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1.0) as link:
            link.sendall(b"GET /healthz/live HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n")
            if link.recv(64).startswith(b"HTTP/1.1 200"):
                return
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"gunicorn did not start:\n{log.read_text('utf-8')[-2000:]}")
        time.sleep(0.05)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a process of ours, kindly and then not."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=10)
