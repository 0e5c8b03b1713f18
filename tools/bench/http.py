"""Accepted commands over HTTP, each on disk before it is answered, beside a bare endpoint on the same."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Final

from service import bootstrap, settings
from tools.bench import process, servers
from tools.bench.client import Connection
from tools.bench.figures import Figure, at_least
from tools.bench.load import Load, Table, run, set_up
from tools.bench.moves import percentile

CONNECTIONS: Final = 16
SHARE: Final = 0.5
BARE: Final = ("-k", "gthread", "tools.bench.bare:application()")
ROUNDS: Final = 7


def figures(quick: bool) -> list[Figure]:
    """Throughput under load and the latency of a single client, both beside the bare endpoint's. They take
    turns, so that whatever else the machine does falls on both."""
    loaded, alone, bare_loaded, bare_alone = [], [], [], []
    tables = CONNECTIONS if quick else 4 * CONNECTIONS
    with both() as (wonderlog, bare, tenant_key):
        for _ in range(1 if quick else ROUNDS):
            ready = _tables(wonderlog, tenant_key, tables + tables // 4)
            loaded.append(run(wonderlog, ready[:tables], CONNECTIONS))
            bare_loaded.append(run(bare, _placeholders(tables), CONNECTIONS, follow=False))
            alone.append(run(wonderlog, ready[tables:], 1))
            bare_alone.append(run(bare, _placeholders(tables // 4), 1, follow=False))
    return [
        *_throughput(loaded, bare_loaded),
        *_pair("command latency under load", loaded, bare_loaded),
        *_pair("command latency, one client", alone, bare_alone),
        *process.figures(quick),
    ]


@contextmanager
def both() -> Iterator[tuple[tuple[str, int], tuple[str, int], str]]:
    """The service and the bare endpoint, each under gunicorn with the settings of `deploy/`, on one Valkey;
    and a tenant key."""
    with tempfile.TemporaryDirectory(prefix="bench-") as directory:
        folder = Path(directory)
        with servers.valkey(folder / "valkey") as url:
            environment = servers.environment(url)
            key = bootstrap.tenant_keys(settings.from_environment(environment)).create("bench").key
            with (
                servers.gunicorn(folder / "service.log", environment) as wonderlog,
                servers.gunicorn(folder / "bare.log", environment, *BARE) as bare,
            ):
                yield wonderlog, bare, key


def _tables(address: tuple[str, int], tenant_key: str, count: int) -> list[Table]:
    connection = Connection(address)
    tables = [set_up(connection, tenant_key) for _ in range(count)]
    connection.close()
    return tables


def _placeholders(count: int) -> list[Table]:
    """Tables for a server that only writes down what it is sent: requests of the same size."""
    hand = ["lumber_yard", "stone_pit", "clay_pool", "ore_vein", "baths", "altar", "theater"]
    token = "st_" + "x" * 80
    return [Table(f"/v1/matches/mat_{n:026d}", [token] * 3, [hand] * 3, "d42.choose") for n in range(count)]


def _throughput(loaded: list[Load], bare: list[Load]) -> list[Figure]:
    rates, bare_rates = [load.per_second for load in loaded], [load.per_second for load in bare]
    share = median(ours / theirs for ours, theirs in zip(rates, bare_rates, strict=True))
    sent = sum(len(load.latencies) for load in loaded)
    note = f"{sent:,} over {CONNECTIONS} connections, median of {len(loaded)}; {_client(loaded)}"
    target = at_least(share, SHARE)
    return [
        Figure(
            "http", "accepted commands, fsync", median(rates), "/s", share, "of bare", note=note, **target
        ),
        Figure("http", "bare XADD + WAITAOF", median(bare_rates), "/s", note=_client(bare)),
    ]


def _client(loads: list[Load]) -> str:
    """How much of one core the client itself needed: near 100 % it is the client that was measured."""
    used = 100 * median(load.client_cpu / load.seconds for load in loads)
    return f"the client used {used:.0f} % of a core"


def _pair(name: str, ours: list[Load], theirs: list[Load]) -> list[Figure]:
    """Median and 99th percentile beside those of the bare endpoint."""
    mine = [1000 * spent for load in ours for spent in load.latencies]
    bare = [1000 * spent for load in theirs for spent in load.latencies]
    return [
        Figure("http", f"{name}, {which}", value, "ms", value / yardstick, "times bare")
        for which, value, yardstick in (
            ("median", median(mine), median(bare)),
            ("p99", percentile(mine, 0.99), percentile(bare, 0.99)),
        )
    ]
