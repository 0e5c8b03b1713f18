"""The list of a tenant with many matches: a page over the whole application, by every filter, from any place.

The matches are summaries put into the lists of a Valkey that is started for this, as commits do it; there
are no logs behind them. A request is one through Flask's test client: everything but the socket.
"""

import random
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any, Final

from domain.catalogue import GAMES
from events.keys import of_match
from service import bootstrap, settings
from service.adapters.redis_read_models import RedisReadModels
from service.clock import timestamp
from service.credentials import letters
from service.http.app import create_app
from service.http.face import HttpSettings
from service.read_models import Summary, name_of_player
from tools.bench import servers
from tools.bench.figures import Figure, at_most
from tools.bench.moves import percentile

MATCHES: Final = 100_000
P99_MS: Final = 50.0
_TENANT: Final = "bench"
_PLAYERS: Final = 2_000
_START: Final = 1_700_000_000_000
_AT_ONCE: Final = 100
_SECRET: Final = bytes(range(32))


@dataclass(slots=True)
class Lists:
    """The application on a list of so many matches; `ask` gives the status and the body of a page."""

    ask: Callable[[str], Any]
    matches: int


def figures(quick: bool) -> list[Figure]:
    """Median and 99th percentile of a page, by filter."""
    matches, times = (5_000, 40) if quick else (MATCHES, 400)
    found = []
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, servers.valkey(Path(folder) / "v") as url:
        lists = filled(url, matches)
        everything: list[float] = []
        for name, query in QUERIES:
            spent = [ms for seed in range(times) for ms in walked(lists, query(random.Random(seed), matches))]
            everything += spent
            found.append(_figure(f"{matches:,} matches, {name}", spent))
    p99 = percentile(everything, 0.99)
    note = f"{len(everything):,} pages of 50 by all these filters"
    name = f"{matches:,} matches, p99 of all"
    found.append(Figure("listing", name, p99, "ms", note=note, **at_most(p99, P99_MS, " ms")))
    return found


def filled(url: str, matches: int) -> Lists:
    """A service on this server with so many matches in the lists of a tenant."""
    known = replace(settings.for_memory(_SECRET), streams_url=url, queues_url=url, limits=None)
    services = bootstrap.services(known)
    lists = services.adapters.lists
    assert isinstance(lists, RedisReadModels), "the service is on a server"
    dice = random.Random(1)
    for first in range(0, matches, _AT_ONCE):
        lists.note_all([summary(number, dice) for number in range(first, min(matches, first + _AT_ONCE))])
    app = create_app(services.matches, HttpSettings(limits=None), GAMES)
    key = services.keys.create(_TENANT).key
    client = app.test_client()

    def ask(path: str) -> Any:
        answer = client.get(path, headers={"Authorization": f"Bearer {key}"})
        assert answer.status_code == 200, answer.text
        return answer.json

    return Lists(ask, matches)


def summary(number: int, dice: random.Random) -> Summary:
    """A match as lists have it: most are over, some run and wait for two players, a few are in the lobby."""
    match = f"mat_{letters(dice.randbytes(16))}"
    game = dice.choice(sorted(GAMES))
    status = dice.choices(("over", "running", "lobby"), (90, 8, 2))[0]
    players = [f"user-{dice.randrange(_PLAYERS)}" for _ in range(2)] if status == "running" else []
    created = _START + 1000 * number
    updated = created + dice.randrange(10_000_000)
    path = f"/v1/matches/{match}"
    kinds = ["open" if status == "lobby" and dice.random() < 0.5 else "human" for _ in range(3)]
    shown = {
        "id": match,
        "game": game,
        "ruleset": GAMES[game].RULESET,
        "status": status,
        "version": 40,
        "visibility": dice.choice(("public", "private")),
        "seats": [{"seat": seat, "kind": kind, "resigned": False} for seat, kind in enumerate(kinds)],
        "options": {"decision_limit_ms": None, "on_expiry": "default-move", "spectator_delay": 0},
        "created_at": "2026-01-05T10:11:12.345Z",
        "updated_at": "2026-01-05T10:11:12.345Z",
        "links": {name: f"{path}/{name}" for name in (*of_match(match)._fields, "view", "export", "proof")},
    }
    awaiting = tuple(sorted({name_of_player(_TENANT, player) for player in players}))
    free, visibility = kinds.count("open"), str(shown["visibility"])
    return Summary(match, _TENANT, game, status, created, 40, shown, updated, awaiting, free, visibility)


Query = Callable[[random.Random, int], str]

QUERIES: Final[Sequence[tuple[str, Query]]] = (
    ("the youngest", lambda dice, _: ""),
    ("of a game and status", lambda dice, _: f"&game={dice.choice(sorted(GAMES))}&status=running"),
    ("awaiting a player", lambda dice, _: f"&awaiting_me=user-{dice.randrange(_PLAYERS)}"),
    ("changed after a time", lambda dice, matches: f"&updated_after={_moment(dice, matches)}"),
    ("with open seats, public", lambda dice, _: "&open_seats=true&visibility=public"),
    (
        "changed after a time, in the lobby",
        lambda dice, matches: f"&updated_after={_moment(dice, matches)}&status=lobby",
    ),
)


def _moment(dice: random.Random, matches: int) -> str:
    """A time at which the list was being made."""
    return timestamp(_START + dice.randrange(1000 * matches))


def walked(lists: Lists, query: str, pages: int = 3) -> list[float]:
    """The milliseconds each of the first pages takes."""
    spent, path = [], f"/v1/matches?limit=50{query}"
    for _ in range(pages):
        began = time.perf_counter()
        page = lists.ask(path)
        spent.append((time.perf_counter() - began) * 1000)
        if page["next_cursor"] is None:
            break
        path = f"/v1/matches?limit=50{query}&cursor={page['next_cursor']}"
    return spent


def _figure(name: str, spent: list[float]) -> Figure:
    p99 = percentile(spent, 0.99)
    note = f"median {median(spent):.1f} ms, {len(spent):,} pages"
    return Figure("listing", f"{name}, p99", p99, "ms", note=note)
