"""The archive in a folder: how long a match takes there and back, how large it is, what Valkey keeps."""

import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final

from redis import Redis

from domain.catalogue import GAMES
from domain.kernel.game import Game
from events.redis_streams import RedisStreams
from service import access, bootstrap, settings
from service.archiving import Outcome
from service.bootstrap import Services
from tools.bench import servers, store
from tools.bench.figures import Figure, titled
from tools.bench.playing import sizes
from tools.bench.recorded import Story, story

PLAYERS: Final = (3, 7)
TENANT: Final = "bench"


def figures(quick: bool) -> list[Figure]:
    """A match of each game and size, against a Valkey started for this; then many, and what is left of them
    in memory."""
    found = []
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as directory,
        servers.valkey(Path(directory) / "valkey") as url,
        Redis.from_url(url) as client,
    ):
        known = settings.Settings(
            url, url, bytes(32), bytes(32), archive_url=str(Path(directory) / "archive")
        )
        services = bootstrap.services(known, GAMES)
        streams = RedisStreams(url)
        for game, seats in sizes(GAMES.values(), PLAYERS):
            told = put(services, streams, story(seats, game=game))
            found += _round_trips(services, told, seats, 5 if quick else 30)
        found += _growth(services, streams, client, 20 if quick else 200)
        streams.close()
        services.close()
    return found


def put(services: Services, streams: RedisStreams, told: Story) -> Story:
    """A match as it is in the store once it has been played: log, command records, entry in the list."""
    store.append(streams, told)
    streams.put_secrets(told.id, {access.TENANT_SECRET: TENANT})
    services.upkeep.look_at(told.id)
    return told


def _round_trips(services: Services, told: Story, seats: int, times: int) -> list[Figure]:
    there, back, cold = [], [], []
    for _ in range(times):
        began = time.perf_counter()
        assert services.archiving.archive(told.id, now=True) is Outcome.ARCHIVED
        moved = time.perf_counter()
        bare = bootstrap.services(services.settings, GAMES)
        fresh = time.perf_counter()
        assert len(bare.store.read(told.id, 0, len(told.events))) == len(told.events)
        read = time.perf_counter()
        bare.close()
        again = time.perf_counter()
        assert services.archiving.restore(told.id, 60)
        back.append(time.perf_counter() - again)
        there.append(moved - began)
        cold.append(read - fresh)
    services.archiving.archive(told.id, now=True)
    (size,) = [each.size for each in services.archiving.present() if each.match == told.id]
    note = f"{len(told.events)} events; median of {times}"

    def figure(name: str, value: float, unit: str, said: str) -> Figure:
        return Figure("archive", titled(told.game, f"{name}, {seats} players"), value, unit, note=said)

    return [
        figure("file", size / 1000, "kB", note),
        figure("move there, checked", median(there) * 1000, "ms", note),
        figure("read from there, nothing cached", median(cold) * 1000, "ms", note),
        figure("move back", median(back) * 1000, "ms", note),
    ]


def _growth(services: Services, streams: RedisStreams, client: Redis, count: int) -> list[Figure]:
    """Memory of matches of three before and after they moved, with their entries in the tenant's list."""
    game: Game = next(iter(GAMES.values()))
    empty = _used(client)
    ids = [put(services, streams, story(3, seed, game)).id for seed in range(2, 2 + count)]
    full = _used(client)
    for id in ids:
        assert services.archiving.archive(id, now=True) is Outcome.ARCHIVED
        services.scheduler.forget(id)
    left = _used(client)
    note = f"growth of used_memory over {count} matches of 3"
    return [
        Figure("archive", "a match in Valkey", (full - empty) / count / 1000, "kB", note=note),
        Figure("archive", "what is left of it there", (left - empty) / count / 1000, "kB", note=note),
    ]


def _used(client: Redis) -> int:
    return int(client.info("memory")["used_memory"])
