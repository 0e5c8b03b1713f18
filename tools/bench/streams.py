"""What clients that only listen cost: connections to the store, and the others' time."""

import contextlib
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import redis

from service import bootstrap, settings
from tools.bench import servers
from tools.bench.client import Connection
from tools.bench.figures import Figure
from tools.bench.load import Table, set_up
from tools.bench.moves import percentile

STREAMS: Final = 500
READS: Final = 600
ROUNDS: Final = 3
# One process, so that it has all the streams.
ONE_PROCESS: Final = {"WONDERLOG_HTTP_WORKERS": "1", "WONDERLOG_HTTP_THREADS": "8", "WONDERLOG_LIMITS": "off"}


def figures(quick: bool) -> list[Figure]:
    """Connections to the store and latency of GETs before, beside and after many silent streams."""
    streams, rounds = (50, 1) if quick else (STREAMS, ROUNDS)
    with tempfile.TemporaryDirectory(prefix="bench-") as directory:
        folder = Path(directory)
        with servers.valkey(folder / "valkey") as url:
            environment = {**servers.environment(url), **ONE_PROCESS}
            key = bootstrap.tenant_keys(settings.from_environment(environment)).create("bench").key
            with (
                servers.gunicorn(folder / "service.log", environment) as address,
                redis.Redis.from_url(url) as admin,
                contextlib.closing(Connection(address)) as connection,
            ):
                table = set_up(connection, key)
                _reads(connection, table, 1)  # fills caches
                before = _reads(connection, table, rounds)
                without = len(admin.client_list())
                with _listening(address, table, streams):
                    beside = _reads(connection, table, rounds)
                    joined = len(admin.client_list()) - without
                after = _reads(connection, table, rounds)
    return [
        Figure(
            "streams",
            f"connections to the store that {streams} silent streams add",
            joined,
            "connections",
            note="in one process with 8 threads",
        ),
        *_latencies("no streams yet", before, before),
        *_latencies(f"{streams} silent streams", beside, before),
        *_latencies("no streams any more", after, before),
    ]


def _reads(connection: Connection, table: Table, rounds: int) -> list[float]:
    """The milliseconds of GETs of a view, one after the other."""
    found = []
    for _ in range(rounds * READS):
        began = time.perf_counter()
        connection.get(f"{table.path}/view", table.tokens[0])
        found.append(1000 * (time.perf_counter() - began))
    return found


@contextlib.contextmanager
def _listening(address: tuple[str, int], table: Table, count: int) -> Iterator[None]:
    """So many streams of the match, each begun. Raises RuntimeError when one is refused."""
    ask = f"GET {table.path}/events HTTP/1.1\r\nHost: bench\r\n"
    head = (ask + "Accept: text/event-stream\r\nConnection: close\r\n\r\n").encode()
    with contextlib.ExitStack() as opened:
        for _ in range(count):
            stream = opened.enter_context(socket.create_connection(address, timeout=60))
            stream.sendall(head)
            read = b""
            while b"event: hello" not in read:
                part = stream.recv(65_536)
                if not part:
                    raise RuntimeError(f"no stream: {read[:200]!r}")
                read += part
        yield


def _latencies(when: str, spent: list[float], yardstick: list[float]) -> list[Figure]:
    ours, theirs = sorted(spent), sorted(yardstick)
    return [
        Figure(
            "streams",
            f"GET of a view, {when}, {name}",
            percentile(ours, share),
            "ms",
            percentile(ours, share) / percentile(theirs, share),
            "of that before",
            note=f"{len(ours):,} GETs",
        )
        for name, share in (("median", 0.5), ("p99", 0.99))
    ]
