"""The load of the HTTP section: matches of three in which every seat discards its first card each turn.

Everything that must be asked of the service is asked before the clock starts: hands are passed by the rules,
so the first hands of an Age tell all its commands. What is sent is one Age of a match: six turns, the
conflicts, the next deal.
"""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from tools.bench.client import Client, Connection

SEATS: Final = 3
TURNS: Final = 6
COMMANDS: Final = SEATS * TURNS
Send = Callable[[str, str, str, bytes], bytes]  # path, token, key, body -> answer
_keys = count()


@dataclass(slots=True)
class Table:
    """A match that has just begun: tokens and hands by seat, and the open decision."""

    path: str
    tokens: list[str]
    hands: list[list[str]]
    decision: str


@dataclass(slots=True)
class Load:
    """What came of it: seconds from the first command to the last answer, CPU seconds of the client in
    that time, and the seconds of each command."""

    seconds: float = 0.0
    client_cpu: float = 0.0
    latencies: list[float] = field(default_factory=list)

    @property
    def per_second(self) -> float:
        """Accepted commands a second."""
        return len(self.latencies) / self.seconds


def set_up(connection: Client, tenant_key: str) -> Table:
    """A match of three, begun."""
    plan = {"game": "seven-wonders", "seats": [{"kind": "open"}] * SEATS}
    made = json.loads(connection.post("/v1/matches", tenant_key, new_key(), json.dumps(plan).encode()))
    path = f"/v1/matches/{made['id']}"
    tokens = []
    for number in range(SEATS):
        name = json.dumps({"name": f"Player {number}"}).encode()
        joined = json.loads(connection.post(f"{path}/seats", tenant_key, new_key(), name))
        tokens.append(joined["token"])
    start = json.dumps({"command": {"type": "start"}}).encode()
    connection.post(f"{path}/commands", tenant_key, new_key(), start)
    views = [connection.get(f"{path}/view", token) for token in tokens]
    hands = [view["state"]["hand"] for view in views]
    return Table(path, tokens, hands, views[0]["decisions"][0]["id"])


def new_key() -> str:
    """A fresh idempotency key."""
    return f"bench-{next(_keys):010d}-{time.monotonic_ns()}"


def play_age(table: Table, send: Send, latencies: list[float], follow: bool = True) -> None:
    """Send the commands of the first Age. `follow`: take the next decision from the answers; else answer the
    first decision for ever, for a server that does not care."""
    hands = [list(hand) for hand in table.hands]
    for _ in range(TURNS):
        answer = b""
        for seat, token in enumerate(table.tokens):
            command = {"type": "discard_for_coins", "card": hands[seat].pop(0)}
            body = json.dumps({"decision": table.decision, "command": command}).encode()
            began = time.perf_counter()
            answer = send(f"{table.path}/commands", token, new_key(), body)
            latencies.append(time.perf_counter() - began)
        hands = [hands[-1], *hands[:-1]]
        if follow:
            table.decision = _opened(answer)


def _opened(answer: bytes) -> str:
    """The decision that the last command of a turn opened: that of the last new hands."""
    events = json.loads(answer)["events"]
    dealt = [event["version"] for event in events if event["type"].endswith(("hands_passed", "hands_dealt"))]
    return f"d{dealt[-1]}.choose"


def run(address: tuple[str, int], tables: list[Table], connections: int, follow: bool = True) -> Load:
    """Play one Age of every table, over so many connections at once. Raises what the first of them raised."""
    waiting, load, errors = list(tables), Load(), list[Exception]()
    ready = threading.Barrier(connections + 1)

    def work(connection: Connection) -> None:
        own: list[float] = []
        ready.wait()
        try:
            while waiting and not errors:
                play_age(waiting.pop(), connection.post, own, follow)
        except Exception as error:  # told to the caller below
            errors.append(error)
        finally:
            connection.close()
        load.latencies += own

    opened = [Connection(address) for _ in range(connections)]
    threads = [threading.Thread(target=work, args=(each,)) for each in opened]
    for thread in threads:
        thread.start()
    ready.wait()
    began, began_cpu = time.perf_counter(), time.process_time()
    for thread in threads:
        thread.join()
    load.seconds, load.client_cpu = time.perf_counter() - began, time.process_time() - began_cpu
    if errors:
        raise errors[0]
    return load
