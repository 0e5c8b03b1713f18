"""The thin Python client plays through the faults of the sandbox, which come in every second answer."""

import random
import re
from types import ModuleType
from typing import Any

import pytest

from service.keyring import Wish
from tests.service.http.conftest import Live

PLAN = {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3, "sandbox": {"seed": "hail"}}
ROUNDS = 3


def played(live: Live, client: ModuleType, fault: str | None) -> tuple[str, int]:
    """Some rounds of a match with the seed: the fingerprint of its table, and how often the client tried
    again."""
    pauses: list[float] = []
    headers = {} if fault is None else {"Sandbox-Fault": fault}
    key = live.services.keys.create("clumsy", Wish(mode="test")).key
    with client.Api(live.url, key, pause=pauses.append) as api:
        api.session.headers.update(headers)
        match = api.post("/v1/matches", PLAN)
        path = match["links"]["self"]
        seats: list[Any] = []
        for _ in range(3):
            seats.append(client.Seat(live.url, match["id"], api.post(f"{path}/seats", {})["token"]))
            seats[-1].api.pause = pauses.append
            seats[-1].api.session.headers.update(headers)
        api.post(f"{path}/commands", {"command": {"type": "start"}})
        dice = random.Random(3)
        for _ in range(ROUNDS):
            for seat in seats:
                moves = [
                    move["body"] for move in seat.moves() if move["body"]["command"]["type"] != "withdraw"
                ]
                if moves:
                    seat.send(dice.choice(moves))
        versions = [event["version"] for event in seats[0].events(wait_s=0)]
        assert versions == list(range(1, versions[-1] + 1)), "each event once, its chain checked"
        view = seats[0].view()
        for seat in seats:
            seat.api.session.close()
    return client.fingerprint(view), len(pauses)


@pytest.mark.parametrize("fault", ["drop-request", "drop-response", "429"])
def test_the_client_ends_where_it_ends_without_faults(live: Live, client: ModuleType, fault: str) -> None:
    said = len(live.server.log.read_bytes())
    clean, none = played(live, client, None)
    faulty, many = played(live, client, fault)
    assert (faulty, none) == (clean, 0) and many > 20
    news = re.sub(r"\b[a-z]+_[a-z2-7]{16,}\S*", "", live.server.log.read_bytes()[said:].decode())
    assert "Traceback" not in news and "rror" not in news, (
        "a connection that was cut is no error of the server"
    )
