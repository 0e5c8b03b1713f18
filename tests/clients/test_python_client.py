"""The thin Python client against the real thing; test_faulty_network.py has the network that fails."""

import random
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import pytest
import requests
from requests.adapters import HTTPAdapter

from tests.service.http.conftest import Live
from tests.service.http.running import ROOT, new_key

CLIENT = ROOT / "clients" / "python"
GAMES = [("seven-wonders", 3), ("its-a-wonderful-world", 2), ("its-a-wonderful-kingdom", 2)]


def test_the_files_are_as_small_as_promised() -> None:
    assert len((CLIENT / "wonderlog_client.py").read_text().splitlines()) <= 300
    assert len((CLIENT / "example_bot.py").read_text().splitlines()) <= 60


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_the_example_bot_plays_a_whole_match(live: Live, bot: ModuleType, game: str, seats: int) -> None:
    with bot.Api(live.url, live.services.keys.create("clients").key) as api:
        view = bot.play(bot.set_up(api, game, seats), random.Random(1))
    assert view["status"] == "over" and view["outcome"]["reason"] == "finished"


def test_a_lost_answer_costs_no_second_effect(live: Live, client: ModuleType, bot: ModuleType) -> None:
    with client.Api(live.url, live.services.keys.create("clients").key) as api:
        seat = bot.set_up(api, "seven-wonders", 3)[0]
        before, key, body = seat.view()["version"], new_key(), seat.moves()[0]["body"]
        assert seat.outcome(key) == {"status": "unknown"}
        first, again = seat.send(body, key), seat.send(body, key)
        assert first["events"] == again["events"]
        assert seat.outcome(key)["status"] == "applied"
        assert seat.view()["version"] == before + len(first["events"])


def test_fifty_identical_posts_in_parallel_have_one_effect(
    live: Live, client: ModuleType, bot: ModuleType
) -> None:
    with client.Api(live.url, live.services.keys.create("clients").key) as api:
        seat = bot.set_up(api, "seven-wonders", 3)[0]
        before, key, body = seat.view()["version"], new_key(), seat.moves()[0]["body"]

        def send(_: int) -> Any:
            with client.Seat(live.url, seat.match, seat.token) as one:
                return one.send(body, key)["events"]

        with ThreadPoolExecutor(50) as many:
            answers = list(many.map(send, range(50)))
        assert all(answer == answers[0] for answer in answers)
        assert seat.view()["version"] == before + len(answers[0])


def test_a_stream_that_brings_nothing_is_given_up_and_a_revoked_credential_ends_it(
    client: ModuleType,
) -> None:
    seat = client.Seat("http://127.0.0.1:9", "m", "st_x", version=3)
    pauses: list[float] = []
    seat.api.pause = pauses.append
    for items, error in (
        ([{"type": "hello"}], client.Unreachable),
        ([{"type": "bye", "reason": "auth-revoked"}], client.Refused),
        ([{"type": "reset"}], client.ChainBroken),
    ):
        seat.api.items = lambda *_, said=items: iter(said)
        with pytest.raises(error):
            list(seat.stream())
    assert len(pauses) == client.TRIES
    seat.api.items = lambda *_: iter([{"type": "hello", "head": 3}, {"type": "bye", "reason": "match-over"}])
    assert list(seat.stream()) == []


def test_a_changed_or_missing_event_is_noticed(live: Live, client: ModuleType, bot: ModuleType) -> None:
    with client.Api(live.url, live.services.keys.create("clients").key) as api:
        seat = bot.set_up(api, "seven-wonders", 3)[0]
    events = list(seat.events(wait_s=0))
    for wrong in ([*events[:2], {**events[2], "actor": "rules"}], [events[0], events[2]]):
        reader = client.Seat(live.url, seat.match, seat.token)
        reader.api.get = lambda *_, items=wrong, **__: {"items": items, "head": 9}
        with pytest.raises(client.ChainBroken):
            list(reader.events(wait_s=0))


def test_it_waits_as_long_as_it_is_told_and_no_refusal_is_repeated(client: ModuleType) -> None:
    answers = iter([503, 429, 422])
    pauses: list[float] = []

    class Scripted(HTTPAdapter):
        def send(self, request: Any, *args: Any, **more: Any) -> Any:
            answer = requests.Response()
            answer.status_code = next(answers)
            answer._content = b'{"code":"illegal-move"}'
            answer.headers["Retry-After"] = "7"
            keys.append(request.headers["Idempotency-Key"])
            return answer

    keys: list[str] = []
    api = client.Api("http://127.0.0.1:9", "st_x", pause=pauses.append)
    api.session.mount("http://", Scripted())
    with pytest.raises(client.Refused) as refused:
        api.post("/v1/x", {})
    assert (refused.value.status, refused.value.code) == (422, "illegal-move")
    assert pauses == [7.0, 7.0] and len(set(keys)) == 1
