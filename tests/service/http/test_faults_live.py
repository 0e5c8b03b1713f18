"""Faults over the network: a client that tries again ends where one ends to which nothing happens."""

import itertools
import json
import random
import time
from collections.abc import Iterator
from typing import Any

import pytest
import requests

from service.keyring import Wish
from tests.service.http.conftest import Live
from tests.service.http.running import Client, new_key

PLAN = {
    "game": "seven-wonders",
    "seats": [{"kind": "open"}] * 3,
    "sandbox": {"seed": "a.rainy-day"},
}


class Stubborn(Client):
    """Sends each request again, with the same key, until there is an answer; reads again where it is told
    that it was not up to date. Every request asks for the next fault."""

    def __init__(self, url: str, token: str, faults: Iterator[str], seen: list[str]) -> None:
        super().__init__(url, token)
        self.faults = faults
        self.seen = seen

    def as_(self, token: str | None) -> "Stubborn":
        assert token is not None
        return Stubborn(self.url, token, self.faults, self.seen)

    def ask(self, method: str, path: str, **more: Any) -> requests.Response:
        fault = next(self.faults)
        fits = fault in ("drop-request", "drop-response", "429") or method == "POST"
        if fault == "stale" and not path.endswith("/commands"):
            fits = False
        headers = {"Idempotency-Key": new_key()} | ({"Sandbox-Fault": fault} if fault and fits else {})
        for _ in range(4):
            try:
                answer = super().ask(method, path, headers=headers, **more)
            except requests.ConnectionError:
                self.seen.append("cut")
                continue
            is_problem = answer.headers.get("Content-Type") == "application/problem+json"
            code = answer.json()["code"] if is_problem else ""
            if code in ("rate-limited", "stale-version", "stale-decision"):
                self.seen.append(code)
                time.sleep(int(answer.headers.get("Retry-After", 0)))
                continue
            if answer.headers.get("Idempotency-Replayed"):
                self.seen.append("replayed")
            return answer
        raise AssertionError("the same request failed four times")


def played(client: Client) -> dict[str, Any]:
    """A whole match with the seed, its moves chosen by dice; its view at the end."""
    dice = random.Random(7)
    path = client.post("/v1/matches", PLAN).headers["Location"]
    tokens = [client.post(f"{path}/seats", {"entropy": f"{seat:02x}"}).json()["token"] for seat in range(3)]
    seats = [client.as_(token) for token in tokens]
    assert client.post(f"{path}/commands", {"command": {"type": "start"}}).status_code == 200
    while awaited := client.get(f"{path}/view").json()["awaited"]:
        for seat in awaited:
            moves = seats[seat].get(f"{path}/legal-moves").json()["moves"]
            bodies = [move["body"] for move in moves if move["body"]["command"]["type"] != "withdraw"]
            if bodies:
                assert seats[seat].post(f"{path}/commands", dice.choice(bodies)).status_code == 200
    view: dict[str, Any] = client.get(f"{path}/view").json()
    return {name: view[name] for name in ("version", "state", "outcome", "seats")}


def in_test_mode(live: Live) -> str:
    return live.services.keys.create("clumsy", Wish(mode="test")).key


def listed(client: Client) -> set[str]:
    """The matches of the sandbox."""
    return {each["id"] for each in client.get("/v1/matches", params={"limit": 200}).json()["items"]}


def test_a_client_that_tries_again_ends_where_one_ends_to_which_nothing_happens(live: Live) -> None:
    clean = played(Client(live.url, in_test_mode(live)))
    seen: list[str] = []
    once = ["429", "drop-request", "drop-response"]
    faults = itertools.chain(
        once, itertools.cycle(["drop-response", "stale", "", "drop-request", "duplicate"])
    )
    faulty = played(Stubborn(live.url, in_test_mode(live), faults, seen))
    assert faulty == clean
    assert (
        set(seen) == {"cut", "stale-decision", "stale-version", "rate-limited", "replayed"} and len(seen) > 30
    )


def test_a_slow_stream_comes_in_pieces_and_is_whole(live: Live) -> None:
    test = Client(live.url, in_test_mode(live))
    path = test.post("/v1/matches", PLAN).headers["Location"]
    headers = {"Sandbox-Fault": "slow-stream", "Accept": "application/x-ndjson"}
    asked = {"Authorization": f"Bearer {test.token}", **headers}
    with requests.get(f"{live.url}{path}/events", headers=asked, stream=True, timeout=60) as answer:
        pieces = []
        for piece in answer.raw.stream(65536, decode_content=True):
            pieces.append(piece)
            if b"".join(pieces).count(b"\n") >= 2:
                break
    assert not pieces[0].endswith(b"\n"), "a line arrives in two pieces"
    items = [json.loads(line) for line in b"".join(pieces).splitlines() if line]
    assert [item["type"] for item in items[:2]] == ["hello", "match.created"]


def test_a_connection_that_was_cut_says_nothing(live: Live) -> None:
    test = Client(live.url, in_test_mode(live))
    key = new_key()
    headers = {"Sandbox-Fault": "drop-response", "Idempotency-Key": key}
    before = listed(test)
    with pytest.raises(requests.ConnectionError):
        test.post("/v1/matches", PLAN, headers=headers)
    # It was done all the same.
    (match,) = listed(test) - before
    again = test.post("/v1/matches", PLAN, headers=headers)
    assert (again.status_code, again.json()["id"]) == (201, match)
    assert again.headers["Idempotency-Replayed"] == "true"
