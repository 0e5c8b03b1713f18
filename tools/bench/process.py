"""What an accepted command costs the process that serves it, in CPU time alone."""

import io
import json
import logging
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from flask import Flask

from domain.catalogue import GAMES
from service import bootstrap, settings
from service.http.app import create_app
from service.http.face import HttpSettings
from tools.bench import servers
from tools.bench.calibration import calibrate
from tools.bench.figures import LOOPS, Figure
from tools.bench.load import COMMANDS, play_age, set_up

TABLES: Final = 20
ROUNDS: Final = 8


class _Written(logging.Handler):
    """Makes each line of the log, and writes it nowhere."""

    def emit(self, record: logging.LogRecord) -> None:
        self.format(record)


class _Called:
    """Calls the application without a server or a socket, as `tools.bench.client.Connection` would."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def post(self, path: str, token: str, key: str, body: bytes) -> bytes:
        """The body of the answer. Raises RuntimeError unless it is a success."""
        headers = {"HTTP_IDEMPOTENCY_KEY": key, "CONTENT_TYPE": "application/json"}
        return self._answer({"REQUEST_METHOD": "POST", **headers}, path, token, body)

    def get(self, path: str, token: str) -> Any:
        """The JSON of the answer. Raises RuntimeError unless it is a success."""
        return json.loads(self._answer({"REQUEST_METHOD": "GET"}, path, token, b""))

    def _answer(self, environ: dict[str, Any], path: str, token: str, body: bytes) -> bytes:
        environ |= {
            "PATH_INFO": path,
            "QUERY_STRING": "",
            "SERVER_NAME": "bench",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "bench",
            "HTTP_AUTHORIZATION": f"Bearer {token}",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": io.StringIO(),
        }
        status = ""

        def start(given: str, headers: Any, failed: Any = None) -> None:
            nonlocal status
            status = given

        # Any callable of this shape will do; the stubs ask for one that also writes.
        parts = self._app(environ, start)  # type: ignore[arg-type]
        answer = b"".join(parts)
        parts.close()  # type: ignore[attr-defined]  # Flask's answers have it
        if not status.startswith("2"):
            raise RuntimeError(f"{status}: {answer.decode()}")
        return answer


def figures(quick: bool) -> list[Figure]:
    """CPU time of one accepted command, on a Valkey with `fsync` durability and with everything in memory."""
    found = []
    with tempfile.TemporaryDirectory(prefix="bench-") as directory, servers.valkey(Path(directory)) as url:
        environment = servers.environment(url)
        found.append(_figure("on Valkey", settings.from_environment(environment), quick))
    secret = bytes.fromhex(servers.environment("")["WONDERLOG_SERVER_SECRET"])
    found.append(_figure("in memory", settings.for_memory(secret), quick))
    return found


def _figure(where: str, chosen: settings.Settings, quick: bool) -> Figure:
    spent, loops = _cost(chosen, 2 if quick else ROUNDS)
    note = "of the process that serves it, without the server and sockets of HTTP"
    name = f"CPU time of an accepted command, {where}"
    return Figure("http", name, 1000 * spent, "ms", loops, LOOPS, note=note)


def _cost(chosen: settings.Settings, rounds: int) -> tuple[float, float]:
    """Seconds, and calibration loops, of one command; of the round that was least disturbed. A round plays
    whole first Ages of new matches, of which only the commands count."""
    services = bootstrap.services(chosen)
    app = create_app(services.matches, HttpSettings(), GAMES, services.adapters.quotas)
    called = _Called(app)
    key = services.keys.create("bench").key
    written = _Written()
    written.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(written)
    root.setLevel(logging.INFO)
    try:
        found = []
        for _ in range(rounds + 1):
            tables = [set_up(called, key) for _ in range(TABLES)]
            loops = calibrate(0.1)
            began = time.process_time()
            for table in tables:
                play_age(table, called.post, [])
            spent = (time.process_time() - began) / (TABLES * COMMANDS)
            found.append((spent, spent * (loops + calibrate(0.1)) / 2))
        # The first round fills the caches.
        return min(found[1:], key=lambda each: each[1])
    finally:
        root.setLevel(level)
        root.removeHandler(written)
        services.close()
