"""A bot in a few lines: `python example_bot.py URL KEY GAME` plays a whole match, every seat by itself.

It knows no rules: it asks what may be done and does one of those things.
"""

import random
import sys

from wonderlog_client import Api, Json, Refused, Seat


def set_up(api: Api, game: str, seats: int) -> list[Seat]:
    """A new match with all seats taken, started."""
    match = api.post("/v1/matches", {"game": game, "seats": [{"kind": "open"}] * seats})["id"]
    path = f"/v1/matches/{match}"
    taken = [Seat(api.url, match, api.post(f"{path}/seats", {})["token"]) for _ in range(seats)]
    api.post(f"{path}/commands", {"command": {"type": "start"}})
    return taken


def play(seats: list[Seat], dice: random.Random) -> Json:
    """Random moves of whoever is awaited, to the end; the last view."""
    while (view := seats[0].view())["status"] == "running":
        for number in view["awaited"]:
            moves = [move["body"] for move in seats[number].moves()]
            moves = [body for body in moves if not body["command"]["type"].startswith("withdraw")]
            if moves:
                try:
                    seats[number].send(dice.choice(moves))
                except Refused as no:
                    if no.status not in (409, 412, 422):
                        raise  # those three mean: look again
    return view


def main(url: str, key: str, game: str = "seven-wonders", seats: str = "3") -> None:
    """Play, and say who won."""
    with Api(url, key) as api:
        view = play(set_up(api, game, int(seats)), random.Random(1))
        print(f"{view['match']}: {view['outcome']['reason']}, ranking {view['outcome']['ranking']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
