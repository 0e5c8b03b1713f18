"""A table for tests of the use cases: services in memory or on a server, a tenant, matches, moves."""

import itertools
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final

from domain.kernel.game import Game
from events.envelope import Recorded
from service import bootstrap, settings
from service.adapters.memory import MemoryScheduler
from service.bootstrap import Services
from service.bot_turns import Limit
from service.clock import Clock
from service.credentials import Caller
from service.keyring import Wish
from tests.service import tiny_game

Json = dict[str, Any]

SECRET: Final = bytes(range(32))
START: Final = 1_800_000_000_000
# How long anything may take on a machine that has much else to do.
PATIENT_MS: Final = 60_000


@dataclass(slots=True)
class Hands:
    """A clock that tests move by hand; sleeping moves it too."""

    ms: int = START
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def now_ms(self) -> int:
        return self.ms

    def sleep(self, ms: int) -> None:
        if ms > 0:
            self.move(ms)

    def move(self, ms: int) -> None:
        """Let time pass."""
        with self._lock:
            self.ms += ms


def in_memory(
    clock: Clock | None = None,
    games: Mapping[str, Game] | None = None,
    adapters: bootstrap.Adapters | None = None,
    limit: Limit = bootstrap.unlimited,
) -> Services:
    """Services that keep all in this process, with the tiny game."""
    known = settings.for_memory(SECRET)
    return bootstrap.services(known, games or {tiny_game.NAME: tiny_game}, clock or Hands(), limit, adapters)


@dataclass(slots=True)
class Table:
    """A match and everybody at it. Each command gets a key of its own unless one is given."""

    services: Services
    tenant: Caller
    match: str
    tokens: dict[int, str] = field(default_factory=dict)
    _keys: "itertools.count[int]" = field(default_factory=itertools.count)

    def key(self) -> str:
        """An idempotency key nobody has used."""
        return f"key-{next(self._keys):012d}"

    def seat(self, seat: int) -> Caller:
        """The caller at a seat."""
        return self.services.matches.authenticate(self.tokens[seat], self.match)

    def join(self, **body: Any) -> int:
        """Seat a person; the number of the seat."""
        joined, _ = self.services.matches.join(self.tenant, self.match, body, self.key(), "join")
        self.tokens[joined["seat"]] = joined["token"]
        return int(joined["seat"])

    def start(self) -> Json:
        """The host starts the match."""
        return self.command(self.tenant, {"command": {"type": "start"}})

    def command(self, caller: Caller, body: Json, key: str | None = None, **more: Any) -> Json:
        """A command's answer."""
        answer, _ = self.services.matches.command(
            caller, self.match, body, key or self.key(), repr(body), **more
        )
        return answer

    def pick(self, seat: int, number: int, decision: str | None = None, key: str | None = None) -> Json:
        """A seat picks a number in the tiny game, by default in the open decision."""
        body = {
            "decision": decision or self.decision()["id"],
            "command": {"type": "pick", "number": number},
        }
        return self.command(self.seat(seat), body, key)

    def decision(self) -> Json:
        """The open decision as the host sees it."""
        return dict(self.view()["decisions"][0])

    def view(self, caller: Caller | None = None, version: int | None = None) -> Json:
        """What a caller (by default the host) sees."""
        return self.services.matches.view(caller or self.tenant, self.match, version)

    def log(self, caller: Caller | None = None) -> list[Json]:
        """The whole log as a caller (by default the host) sees it."""
        events: list[Json] = []
        while page := self.services.matches.events(caller or self.tenant, self.match, len(events), 200)[
            "items"
        ]:
            events += page
        return events

    def types(self) -> list[str]:
        """What happened, in order."""
        return [event["type"] for event in self.log()]


def tenant(services: Services, name: str = "acme", mode: str = "live") -> Caller:
    """A tenant with a key of its own."""
    return services.matches.authenticate(services.keys.create(name, Wish(mode=mode)).key, None)


_MATCHES: Final = itertools.count()


def set_up(
    services: Services,
    seats: int = 3,
    bots: Mapping[int, str] | None = None,
    options: Json | None = None,
    visibility: str = "public",
    game: str = tiny_game.NAME,
    host: Caller | None = None,
    key: str | None = None,
    seed: str | None = None,
) -> Table:
    """A match in the lobby with persons on the seats that are not bots'. With a seed, which is for a sandbox,
    the same is dealt each time."""
    who = host or tenant(services, mode="live" if seed is None else "test")
    named = bots or {}
    body: Json = {
        "game": game,
        "seats": [
            {"kind": "bot", "bot": named[seat]} if seat in named else {"kind": "open"}
            for seat in range(seats)
        ],
        "options": options or {},
        "visibility": visibility,
        **({} if seed is None else {"sandbox": {"seed": seed}}),
    }
    made, _ = services.matches.create(who, body, key or f"match-{next(_MATCHES):012d}", "create")
    table = Table(services, who, made["id"])
    for seat in range(seats):
        if seat not in named:
            table.join(seat=seat)
    return table


def started(services: Services, seats: int = 3, **more: Any) -> Table:
    """A match that has started."""
    table = set_up(services, seats, **more)
    table.start()
    return table


def finished(services: Services, **more: Any) -> Table:
    """A match of two that was played to its end."""
    table = started(services, seats=2, **more)
    while decisions := table.view()["decisions"]:
        for seat in decisions[0]["awaited"]:
            moves = services.matches.legal_moves(table.seat(seat), table.match)["moves"]
            table.command(table.seat(seat), moves[0]["body"])
    assert table.types()[-1] == "match.ended"
    return table


def run_jobs(services: Services, most: int = 1000) -> int:
    """Do the jobs a worker would do; how many there were."""
    scheduler = services.scheduler
    assert isinstance(scheduler, MemoryScheduler)
    calls: dict[str, Callable[..., object]] = {
        "workers.jobs.play_bot_turn": services.bots.play,
        "workers.jobs.enforce_deadline": services.upkeep.enforce_deadline,
        "workers.jobs.deliver_webhooks": services.delivering.deliver,
        "workers.jobs.set_up_batch": services.batching.work,
    }
    for count in range(most):
        job = scheduler.take_job()
        if job is None:
            return count
        calls[job.name](*job.args)
    raise AssertionError("the jobs do not end")


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Call everything at the same moment, a thread each; the results, or what was raised, in order."""
    barrier = threading.Barrier(len(calls))
    results: list[Any] = [None] * len(calls)

    def one(number: int, call: Callable[[], Any]) -> None:
        barrier.wait()
        try:
            results[number] = call()
        except Exception as error:  # handed to the test, which looks at it
            results[number] = error

    threads = [threading.Thread(target=one, args=item) for item in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


def records(services: Services, match: str) -> list[Recorded]:
    """The log as it is stored."""
    return services.store.read(match, 0, 1000)


def as_game(**changes: Any) -> Game:
    """The tiny game with some of its names bound to something else."""
    names = {name: getattr(tiny_game, name) for name in dir(tiny_game) if not name.startswith("_")}
    changed: Any = SimpleNamespace(**{**names, **changes})
    game: Game = changed
    return game
