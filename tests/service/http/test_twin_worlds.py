"""Two matches that differ only in what a viewer must not see give that viewer the same answers to every GET.

For every viewer, at every version: the log up to there and its twin (see `tests/twins.py`) are put into the
store of a running service, and everything the OpenAPI document lets one GET of a match is asked for both.
"""

import json
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from domain import seven_wonders
from domain.kernel.chance import subkey
from domain.kernel.seats import SPECTATOR, Viewer
from domain.kernel.table import MatchEnded
from domain.seven_wonders.cards import CARDS
from events.chain import seal_events
from events.envelope import ZERO_HASH, Recorded
from service import wire
from service.credentials import hashed, letters, seat_token, token_field
from tests import twins
from tests.service.http.conftest import Live
from tests.service.http.contract import document
from tests.service.http.running import Client
from tests.twins import Told

GAME = seven_wonders
SERVER_SECRET = bytes(32)
# Kinds that may stand for each other: of one Age, guilds apart.
KINDS = {name: (card.age, card.colour == "purple") for name, card in CARDS.items()}


def put(live: Live, told: Sequence[Told], seats: int, dice: random.Random) -> tuple[str, list[str]]:
    """A log in the store, under secrets of its own; the match's id and the tokens of its seats."""
    match = f"mat_{letters(dice.randbytes(16))}"
    key = dice.randbytes(32)
    tokens = [seat_token(SERVER_SECRET, match, seat, "twin") for seat in range(seats)]
    secrets = {"match_key": key.hex(), "commit_nonce": dice.randbytes(32).hex(), "tenant": "twins"}
    secrets |= {token_field(seat): hashed(token) for seat, token in enumerate(tokens)}
    records: list[Recorded] = []
    prev_hash, names = ZERO_HASH, wire.of(GAME)
    for number in sorted({each.command for each in told}):
        mine = [each for each in told if each.command == number]
        drafts = names.drafts([each.fact for each in mine], mine[0].decision, {})
        moment = f"2026-01-05T10:{number // 60 % 60:02}:{number % 60:02}.000Z"
        sealed = seal_events(drafts, match, len(records), prev_hash, moment, subkey(key, "seal"))
        live.services.store.append(match, len(records), None, "", sealed, secrets, durable=False)
        records += sealed
        prev_hash, secrets = sealed[-1].hash, {}
    return match, tokens


def gets(match: str, viewer: Viewer, version: int) -> list[str]:
    """Every path of a match that can be asked for with GET, filled in, with the queries that matter."""
    paths: list[str] = []
    for path, operations in document()["paths"].items():
        if "{match}" in path and "get" in operations:
            filled = path.replace("{match}", match).replace("{seat}", str(max(viewer, 0)))
            paths.append(filled.replace("{key}", "k" * 20))
    assert not [path for path in paths if "{" in path], "fill in the new parameter"
    assert len(paths) >= 7
    queries = {
        "view": [f"?version={max(1, version - 1)}"],
        "events": ["?after=0&limit=200"],
    }
    more = [path + query for path in paths for query in queries.get(path.rsplit("/", 1)[-1], [])]
    return paths + more


def answers(client: Client, match: str, viewer: Viewer, version: int) -> list[tuple[str, int, Any]]:
    """What the viewer is served, masked, path by path."""
    found = []
    for path in gets(match, viewer, version):
        answer = client.get(path)
        if answer.headers["Content-Type"].startswith("application/x-ndjson"):
            body: Any = [json.loads(line) for line in answer.text.splitlines()]
            for line in body:
                # Hashes of masked things, and what is made of them.
                for name in ("head", "header", "header_hash", "bundle", "seal"):
                    line.pop(name, None)
        else:
            body = answer.json()
            body.pop("head", None)
        shown = json.dumps(twins.masked(body), sort_keys=True).replace(match, "*")
        found.append((path.replace(match, "*"), answer.status_code, shown))
    return found


@pytest.mark.parametrize("seats", [2, 3])
def test_twins_give_every_viewer_the_same_answers_at_every_version(live: Live, seats: int) -> None:
    told = twins.tell(GAME, seats, seed=3)
    told = [each for each in told if not isinstance(each.fact.event, MatchEnded)]
    ends = [
        at for at in range(1, len(told) + 1) if at == len(told) or told[at].command != told[at - 1].command
    ]
    compared = {viewer: 0 for viewer in twins.viewers(seats)}

    def compare(viewer: Viewer) -> None:
        own = random.Random(f"{seats}/{viewer}")
        with Client(live.url) as client:
            for version in ends:
                other = twins.twin(GAME, told[:version], viewer, KINDS, own)
                if other is None:
                    continue
                served = []
                for log in (told[:version], other):
                    match, tokens = put(live, log, seats, own)
                    client.token = None if viewer == SPECTATOR else tokens[viewer]
                    served.append(answers(client, match, viewer, version))
                for one, two in zip(*served, strict=True):
                    assert one == two, (viewer, version)
                assert {status for _, status, _ in served[0]} >= {200}
                compared[viewer] += 1

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(compare, compared))
    assert all(count > len(ends) // 2 for count in compared.values()), compared
