"""The all-in-one server: Valkey, the HTTP face and job workers as children of one process."""

import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any, Final

import click
import requests

from service import bootstrap, embedded, settings
from service.cli import home as homes
from service.cli import programs
from service.cli.children import Child, Children, Program, last_lines
from service.keyring import Wish
from service.tenant_keys import TEST_MODE

_TENANT: Final = "home"
_TICK: Final = 0.2
# How long the first answers may take, in seconds.
_START: Final = 60.0


class AllInOne:
    """One server on one data directory."""

    def __init__(
        self, home: Path, host: str, port: int, workers: int | None, ready_file: Path | None
    ) -> None:
        self._home = home.resolve()
        self._host, self._port, self._workers = host, port, workers
        self._ready_files = [self._home / homes.READY, *([ready_file] if ready_file else [])]
        self._stopping = threading.Event()
        self._children: Children
        self._ready: dict[str, Any] = {}

    def run(self, tell: Callable[[dict[str, Any]], None]) -> None:
        """Serve until SIGINT, SIGTERM or SIGHUP; `tell` is called with the content of the ready file once the
        service answers. Raises click.ClickException for whatever keeps it from starting."""
        with homes.occupied(self._home):
            for path in self._ready_files:
                path.unlink(missing_ok=True)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, self._asked_to_stop)
            self._children = Children()
            try:
                self._start()
                if not self._stopping.is_set():
                    tell(self._ready)
                while not self._stopping.wait(_TICK):
                    self._look_after()
            finally:
                self._stop()

    def _asked_to_stop(self, number: int, frame: FrameType | None) -> None:
        if self._stopping.is_set():
            # Asked twice: leave at once, the watchdog ends the rest.
            os._exit(128 + number)
        self._stopping.set()

    def _start(self) -> None:
        valkey = self._start_valkey()
        known = homes.load_secrets(self._home)
        environment = programs.environment(homes.environment(self._home, valkey.url, known))
        try:
            read = settings.from_environment(environment)
        except settings.SettingsError as error:
            raise click.ClickException(str(error)) from None
        try:
            known = self._with_keys(known, read)
        except settings.SettingsError as error:
            raise click.ClickException(str(error)) from None
        if read.kingdom_cards:
            environment[settings.KINGDOM_CARDS] = os.pathsep.join(map(str, read.kingdom_cards))
        with self._listening() as listener:
            listener.set_inheritable(True)
            address = f"fd://{listener.fileno()}"
            url = f"http://{_reachable(self._host)}:{listener.getsockname()[1]}"
            web = programs.web({**environment, "WONDERLOG_BIND": address})
            self._launch("web", web.command, web.environment, (listener.fileno(),))
            self._keep = listener.detach()
        for number in range(1, (self._workers or read.workers) + 1):
            work = programs.worker(environment)
            self._launch(f"worker-{number}", work.command, work.environment)
        self._await_ready(url)
        self._ready = {
            "url": url,
            "tenant_key": known.tenant_key,
            "sandbox_key": known.sandbox_key,
            "redis_url": valkey.url,
            "pids": self._pids(),
        }
        self._write_ready()

    def _start_valkey(self) -> embedded.EmbeddedValkey:
        folder = self._home / "valkey"
        try:
            valkey = embedded.take(folder)
        except embedded.DataInUse as error:
            raise click.ClickException(str(error)) from None
        for attempt in range(5):
            if attempt:
                valkey.move()
            child = self._launch("valkey", valkey.command, programs.environment({}), (valkey.lock,), folder)
            try:
                valkey.wait_until_ready(lambda child=child: child.is_alive)  # type: ignore[misc]
            except embedded.NotStarted as error:
                self._children.stop("valkey")
                if "in use" not in last_lines(self._log("valkey")):
                    raise self._failure(str(error), "valkey") from None
            else:
                return valkey
        raise self._failure("no free port was found", "valkey")

    def _with_keys(self, known: homes.Secrets, read: settings.Settings) -> homes.Secrets:
        """Make the tenant key and that of its sandbox at the first start, and again if the server does not
        know them any more."""
        with closing(bootstrap.services(read)) as services:
            keys = services.keys
            if not keys.knows(known.tenant_key):
                known = replace(known, tenant_key=keys.create(_TENANT).key)
                homes.save_secrets(self._home, known)
            if not keys.knows(known.sandbox_key):
                wish = Wish(mode=TEST_MODE, label="sandbox")
                known = replace(known, sandbox_key=keys.create(_TENANT, wish).key)
                homes.save_secrets(self._home, known)
        return known

    def _listening(self) -> socket.socket:
        """The socket of the HTTP face, opened here so that it stays open while gunicorn is started again."""
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        deadline = time.monotonic() + 10.0
        while True:
            try:
                return socket.create_server((self._host, self._port), family=family, backlog=512)
            except OSError as error:
                # The children of a server that was killed may hold the port for a moment.
                if time.monotonic() > deadline:
                    raise click.ClickException(
                        f"cannot listen on {self._host}:{self._port}: {error.strerror}; try --port 0"
                    ) from None
                time.sleep(0.1)

    def _await_ready(self, url: str) -> None:
        deadline = time.monotonic() + _START
        ended = 0
        while not self._stopping.wait(0.05):
            ended += sum("ended" in line for line in self._children.look_after())
            if ended > 2 or time.monotonic() > deadline:
                raise self._failure("the service did not get ready", "web", "worker-1")
            try:
                if requests.get(f"{url}/healthz/ready", timeout=5).status_code == 200:
                    return
            except requests.RequestException:
                continue

    def _look_after(self) -> None:
        news = self._children.look_after()
        for line in news:
            click.echo(f"wonderlog: {line}", err=True)
        if news:
            self._ready["pids"] = self._pids()
            self._write_ready()

    def _stop(self) -> None:
        for path in self._ready_files:
            path.unlink(missing_ok=True)
        self._children.stop(*(name for name in self._children.pids() if name != "valkey"))
        self._children.close()

    def _launch(
        self,
        name: str,
        command: tuple[str, ...],
        environment: dict[str, str],
        inherits: tuple[int, ...] = (),
        folder: Path | None = None,
    ) -> Child:
        return self._children.start(
            Program(name, command, environment, folder or self._home, self._log(name), inherits)
        )

    def _pids(self) -> dict[str, Any]:
        pids = self._children.pids()
        workers = [pid for name, pid in pids.items() if name.startswith("worker-")]
        return {"up": os.getpid(), "valkey": pids.get("valkey"), "web": pids.get("web"), "workers": workers}

    def _write_ready(self) -> None:
        for path in self._ready_files:
            homes.write_private(path, self._ready)

    def _log(self, name: str) -> Path:
        return self._home / "logs" / f"{name}.log"

    def _failure(self, reason: str, *names: str) -> click.ClickException:
        said = "\n".join(f"-- {name}\n{last_lines(self._log(name))}" for name in names)
        return click.ClickException(f"{reason}; the end of the logs in {self._home / 'logs'}:\n{said}")


def _reachable(host: str) -> str:
    """The address a client on this machine uses."""
    if host in ("0.0.0.0", "::", ""):
        return "127.0.0.1" if host != "::" else "[::1]"
    return f"[{host}]" if ":" in host else host
