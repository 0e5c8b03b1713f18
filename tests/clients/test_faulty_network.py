"""Both thin clients over a network that loses, cuts, repeats and refuses: it makes no difference.

The log is the witness: every command that was sent is in it once, and what the client has read of it, by
pages and by streams, is what a reader next to the service reads, down to the hash of the last event.
"""

import json
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.clients.faulty import FATES, ITEM_FATES, Faults, faulty
from tests.clients.node import run
from tests.service.http.conftest import Live
from tests.service.http.running import ROOT

HERE = ROOT / "tests" / "clients"


def hold_against_the_log(client: ModuleType, live: Live, played: dict[str, Any]) -> None:
    """What a client says that happened, against what a reader without faults finds."""
    near = client.Seat(live.url, played["match"], played["token"])
    log = list(near.events(wait_s=0))
    assert log[-1]["type"] == "match.ended"
    assert client.fingerprint(played["view"]) == client.fingerprint(near.view())
    for end in played["ends"]:
        assert end["versions"] == [event["version"] for event in log], "each event once and in order"
        assert (end["version"], end["head"]) == (near.version, near.head)
    # Commands are numbered; those of players are what the client sent, each with one effect.
    commands = {
        event["command"] for event in log if event["cause"] == "player" and event["actor"] != "tenant"
    }
    joins = {event["command"] for event in log if event["type"] == "match.seat_joined"}
    assert len(commands - joins) == played["sent"]


def hold_faults(faults: Faults) -> None:
    """Everything that can befall a request and an item of a stream befell one."""
    assert all(faults.told[fate] >= 3 for fate in FATES), faults.told
    assert all(faults.told[fate] >= 1 for fate in ITEM_FATES), faults.told


@pytest.mark.parametrize(("game", "seats"), [("seven-wonders", 3), ("its-a-wonderful-world", 2)])
def test_python(live: Live, client: ModuleType, bot: ModuleType, game: str, seats: int) -> None:
    faults = Faults(11)
    with faulty(live.url, faults) as url:

        def seat(match: str, token: str) -> Any:
            one = client.Seat(url, match, token)
            one.api.pause = lambda _: None
            return one

        with client.Api(url, live.services.keys.create("faulty").key, pause=lambda _: None) as api:
            players = [seat(one.match, one.token) for one in bot.set_up(api, game, seats)]
        sent = []
        for player in players:
            player.send = lambda body, real=player.send: sent.append(real(body))
        view = bot.play(players, random.Random(5))
        ends = []
        for way in ("events", "stream"):
            reader = seat(players[0].match, players[0].token)
            versions = [event["version"] for event in getattr(reader, way)()]
            ends.append({"versions": versions, "version": reader.version, "head": reader.head})
    told = {"match": players[0].match, "token": players[0].token, "view": view, "ends": ends}
    hold_against_the_log(client, live, {**told, "sent": len(sent)})
    hold_faults(faults)


@pytest.mark.parametrize(("game", "seats"), [("seven-wonders", 3), ("its-a-wonderful-kingdom", 2)])
def test_typescript(project: Path, live: Live, client: ModuleType, game: str, seats: int) -> None:
    faults = Faults(12)
    key = live.services.keys.create("faulty").key
    with faulty(live.url, faults) as url:
        said = json.loads(run(project, "--no-warnings", "faulty_bot.ts", url, key, game, str(seats)))
    hold_against_the_log(client, live, said)
    assert said["status"] == 404
    hold_faults(faults)
