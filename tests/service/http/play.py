"""Plays whole matches over HTTP from legal moves alone, as a client without any rule code would."""

import random
from dataclasses import dataclass
from typing import Any

from tests.service.http.running import Client

GAME = "seven-wonders"


@dataclass(slots=True)
class Party:
    """A match, its host, its seats."""

    path: str
    host: Client
    seats: list[Client]

    def moves(self, seat: int) -> list[dict[str, Any]]:
        """The bodies a seat may post now."""
        answer = self.seats[seat].get(f"{self.path}/legal-moves")
        assert answer.status_code == 200, answer.text
        return [move["body"] for move in answer.json()["moves"]]


def sit_down(
    host: Client,
    seats: int,
    options: dict[str, Any] | None = None,
    game: str = GAME,
    seed: str | None = None,
) -> Party:
    """Set a match up, seat everybody and start it. `seed`: of a sandbox, whose key the host has then."""
    plan = {"game": game, "seats": [{"kind": "open"}] * seats, "options": options or {}}
    if seed is not None:
        plan["sandbox"] = {"seed": seed}
    made = host.post("/v1/matches", plan)
    assert made.status_code == 201, made.text
    path = made.headers["Location"]
    clients = []
    for number in range(seats):
        joined = host.post(f"{path}/seats", {"name": f"Player {number}", "entropy": f"{number:02x}"})
        assert joined.status_code == 201, joined.text
        clients.append(host.as_(joined.json()["token"]))
    started = host.post(f"{path}/commands", {"command": {"type": "start"}})
    assert started.status_code == 200, started.text
    return Party(path, host, clients)


def play_out(party: Party, seed: int) -> int:
    """Random legal moves of whoever is awaited, until the match is over; how many commands that took."""
    dice = random.Random(seed)
    sent = 0
    while awaited := party.host.get(f"{party.path}/view").json()["awaited"]:
        for seat in awaited:
            moves = [move for move in party.moves(seat) if move["command"]["type"] != "withdraw"]
            if not moves:
                continue  # another seat's answer has closed the decision meanwhile
            answer = party.seats[seat].post(f"{party.path}/commands", dice.choice(moves))
            assert answer.status_code == 200, f"seed {seed}: {answer.text}"
            sent += 1
    return sent
