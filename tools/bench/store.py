"""The log in Valkey: what a match takes, and how long it takes to load when nothing is cached."""

import random
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final

from redis import Redis

from domain.catalogue import GAMES
from events.keys import of_match
from events.redis_streams import RedisStreams
from service import showing
from service.positions import Cache, Positions
from tools.bench import servers
from tools.bench.calibration import calibrate
from tools.bench.figures import LOOPS, Figure, at_most, titled
from tools.bench.moves import percentile
from tools.bench.playing import sizes
from tools.bench.recorded import Story, story

PLAYERS: Final = (3, 7)
PAST_MS: Final = 20.0


def figures(quick: bool) -> list[Figure]:
    """Bytes of a match and its cold load, against a Valkey started for this."""
    found = []
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as directory,
        servers.valkey(Path(directory) / "valkey") as url,
        Redis.from_url(url) as client,
    ):
        store = RedisStreams(url)
        for game, seats in sizes(GAMES.values(), PLAYERS):
            told = story(seats, game=game)
            append(store, told)
            found += [_bytes(client, told, seats), _cold_load(store, told, seats, 10 if quick else 100)]
            found.append(_past(store, told, seats, 60 if quick else 600))
        store.close()
    return found


def append(store: RedisStreams, told: Story) -> None:
    """Append a match command by command, each under a command id as the service gives them."""
    for number, events in enumerate(told.commands):
        command_id = f"st_{told.id}_0:command:{number:032x}"
        secrets = told.secrets if number == 0 else {}
        store.append(told.id, events[0].version - 1, command_id, f"{number:064x}", events, secrets)


def _past(store: RedisStreams, told: Story, seats: int, times: int) -> Figure:
    """The view of some seat at some version of the past, again and again by one process."""
    known, dice, took = Positions(store, GAMES, Cache(1)), random.Random(seats), []
    for _ in range(times):
        version, seat = dice.randint(1, len(told.events)), dice.randrange(seats)
        began = time.perf_counter()
        position = known.at(told.id, version)
        assert position is not None, "the version is in the log"
        showing.view(position, seat, {})
        took.append((time.perf_counter() - began) * 1000)
    value = percentile(took, 0.99)
    note = f"p99 of {times} at versions 1 to {len(told.events)}, the first ones cold"
    name = titled(told.game, f"view at any version, {seats} players")
    return Figure("store", name, value, "ms", note=note, **at_most(value, PAST_MS, " ms"))


def _bytes(client: Redis, told: Story, seats: int) -> Figure:
    keys = of_match(told.id)
    used = [int(str(client.memory_usage(key, samples=0))) for key in keys]
    count = len(told.events)
    note = (
        f"{count} events, {used[0] / count:.0f} bytes each; command records {used[1]:,}, secrets {used[2]:,}"
    )
    return Figure(
        "store", titled(told.game, f"a match of {seats} in Valkey"), sum(used) / 1000, "kB", note=note
    )


def _cold_load(store: RedisStreams, told: Story, seats: int, times: int) -> Figure:
    positions = Positions(store, GAMES, Cache(1))
    spent, cpu = [], []
    for _ in range(times):
        positions.cache.drop(told.id)
        began, began_cpu = time.perf_counter(), time.process_time()
        assert positions.load(told.id) is not None, "the match was appended a moment ago"
        spent.append(time.perf_counter() - began)
        cpu.append(time.process_time() - began_cpu)
    loops = calibrate() * median(cpu)
    note = f"read, decoded and folded; median of {times}; the ratio is CPU time"
    name = titled(told.game, f"cold load, {seats} players")
    return Figure("store", name, median(spent) * 1000, "ms", loops, LOOPS, note=note)
