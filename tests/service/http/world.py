"""It's a Wonderful World over HTTP for tests: tables with options, matches played from legal moves alone."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from service.keyring import Wish
from tests.service.http.conftest import Api, Table

GAME = "its-a-wonderful-world"
# Legal at any time, and without end in sight for somebody who moves at random.
SELDOM = ("withdraw_pick", "discard_construction", "swap_cards")


def sit_down(
    api: Api,
    seats: int,
    options: Mapping[str, Any] | None = None,
    game: str = GAME,
    seed: str | None = None,
) -> Table:
    """A started match with a person in every seat; in the sandbox where a seed is given, so that all that is
    left to chance comes out the same each time."""
    plan: dict[str, Any] = {
        "game": game,
        "seats": [{"kind": "open"}] * seats,
        "options": dict(options or {}),
    }
    if seed is None:
        host = api.tenant("acme")
    else:
        host = api.services.keys.create("acme", Wish(mode="test")).key
        plan["sandbox"] = {"seed": seed}
    made = api.post("/v1/matches", plan, host)
    assert made.status_code == 201, made.text
    table = Table(api, made.json["id"], host, [])
    for number in range(seats):
        joined = api.post(f"{table.path}/seats", {"name": f"Player {number}"}, host)
        assert joined.status_code == 201, joined.text
        table.seats.append(joined.json["token"])
    return table.start()


def legal(table: Table, seat: int) -> dict[str, Any]:
    """The whole answer to `legal-moves`."""
    answer = table.api.get(f"{table.path}/legal-moves", table.seats[seat])
    assert answer.status_code == 200, answer.text
    moves: dict[str, Any] = answer.json
    return moves


def view(table: Table, seat: int) -> dict[str, Any]:
    """What a seat sees."""
    answer = table.api.get(f"{table.path}/view", table.seats[seat])
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json
    return shown


def counted(move: Mapping[str, Any], count: int) -> dict[str, Any]:
    """The body of a move with a range, with this count."""
    body = move["body"]
    return {**body, "command": {**body["command"], "count": count}}


def within(move: Mapping[str, Any]) -> tuple[int, int]:
    """The range of a move's count; of a move without one, (1, 1)."""
    limits = move.get("parameters", {}).get("count", {"min": 1, "max": 1})
    return limits["min"], limits["max"]


@dataclass(slots=True)
class Played:
    """What was sent in a match: commands by type, and ranges by type and where in them the count lay."""

    commands: Counter[str] = field(default_factory=Counter)
    ranges: Counter[tuple[str, str]] = field(default_factory=Counter)


def choose(moves: list[dict[str, Any]], dice: random.Random, played: Played) -> dict[str, Any]:
    """A random move, whole steps preferred to taking things back; a count at either end of its range or in
    between."""
    steps = [move for move in moves if move["body"]["command"]["type"] not in SELDOM]
    move = dice.choice(steps if steps and dice.random() < 0.97 else moves)
    command = move["body"]["command"]["type"]
    played.commands[command] += 1
    if "parameters" not in move:
        body: dict[str, Any] = move["body"]
        return body
    least, most = within(move)
    where = dice.choice(("least", "between", "most") if most - least > 1 else ("least", "most"))
    played.ranges[command, where] += 1
    count = {"least": least, "between": dice.randint(least + 1, max(least + 1, most - 1)), "most": most}
    return counted(move, count[where])


def play_out(table: Table, dice: random.Random) -> Played:
    """Random legal moves of whoever is awaited, until the match is over."""
    played = Played()
    while True:
        awaited = 0
        for seat in range(len(table.seats)):
            answer = legal(table, seat)
            if not any(seat in decision["awaited"] for decision in answer["decisions"]):
                continue
            awaited += 1
            sent = table.send(seat, choose(answer["moves"], dice, played))
            assert sent.status_code == 200, sent.text
        if not awaited:
            return played
