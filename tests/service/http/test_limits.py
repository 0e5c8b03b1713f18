"""Limits: who is told to wait and who never is; what is said of them; what they cost."""

import dataclasses
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from domain.catalogue import GAMES
from events.store import StoreUnavailable
from service import bootstrap, settings
from service.adapters.quotas import MemoryQuotas, RedisQuotas
from service.credentials import Caller
from service.http.app import create_app
from service.http.face import HttpSettings, face_of
from service.http.limits import Limits, bucket_of, grouped
from service.http.problems import Problem
from service.keyring import Wish
from service.quotas import Grant, Quotas
from service.settings import LIMITS
from tests.embedded import redis_url
from tests.service.http.conftest import SECRET, Api, Table
from tests.service.http.contract import document
from tests.service.http.play import play_out, sit_down
from tests.service.http.running import Client, gunicorn

FEW = {**dict.fromkeys(LIMITS, 1000), "in-flight": 3}
ANN, BOB = Caller(credential="st_ann"), Caller(credential="st_bob")
MATCH = "mat_" + "a" * 26


def limited(**quotas: int) -> Api:
    """The service in memory with these limits, given with underscores for dashes."""
    chosen = {**FEW, **{name.replace("_", "-"): number for name, number in quotas.items()}}
    services = bootstrap.services(settings.for_memory(SECRET))
    return Api(create_app(services.matches, HttpSettings(limits=chosen), GAMES), services)


def seated_at(api: Api) -> Table:
    """A started match of three."""
    host = api.tenant("acme")
    made = api.post("/v1/matches", {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3}, host)
    table = Table(api, made.json["id"], host, [])
    for _ in range(3):
        table.seats.append(api.post(f"{table.path}/seats", {}, host).json["token"])
    return table.start()


@pytest.fixture
def making() -> Iterator[Callable[..., Api]]:
    """Makes limited services, and closes them."""
    made: list[Api] = []

    def make(**quotas: int) -> Api:
        made.append(limited(**quotas))
        return made[-1]

    yield make
    for api in made:
        api.services.close()


def test_a_client_with_one_request_under_way_is_never_limited_at_a_match(making: Callable[..., Api]) -> None:
    """At full speed, far beyond every bucket."""
    api = making(reads=5, commands=5, match=5, lobby=50)
    table = seated_at(api)
    for number in range(60):
        answer = api.get(f"{table.path}/legal-moves", table.seats[0])
        assert answer.status_code == 200, number
    assert answer.headers["RateLimit"].startswith('"reads";r=0;t=')
    sent = 0
    while sent < 12:
        for seat in range(3):
            for body in table.moves(seat)[:1]:
                assert table.send(seat, body).status_code == 200
                sent += 1


def test_two_requests_under_way_are_limited_by_the_bucket() -> None:
    limits = Limits({**FEW, "reads": 5}, MemoryQuotas())
    limits.enter("reads", ANN, MATCH, None)
    for _ in range(4):
        limits.leave(limits.enter("reads", ANN, MATCH, None).client)
    with pytest.raises(Problem) as refused:
        limits.enter("reads", ANN, MATCH, None)
    assert refused.value.code == "rate-limited"
    assert 1 <= (refused.value.retry_after_s or 0) <= 60
    limits.leave(limits.enter("reads", BOB, MATCH, None).client)
    limits.leave("st_ann")
    limits.leave(limits.enter("reads", ANN, MATCH, None).client)


def test_nobody_has_more_requests_under_way_than_allowed() -> None:
    limits = Limits(FEW, MemoryQuotas())
    for _ in range(3):
        limits.enter("reads", ANN, MATCH, None)
    with pytest.raises(Problem) as refused:
        limits.enter("reads", ANN, MATCH, None)
    assert refused.value.headers["RateLimit-Policy"] == '"in-flight";q=3;qu="concurrent-requests"'
    limits.enter("reads", BOB, MATCH, None)
    limits.leave("st_ann")
    limits.enter("reads", ANN, MATCH, None)


def test_the_bucket_of_a_match_counts_everybody_there() -> None:
    limits = Limits({**FEW, "match": 4}, MemoryQuotas())
    held = limits.enter("reads", ANN, MATCH, None)
    for name in ("b", "c", "d"):
        limits.leave(limits.enter("reads", Caller(credential=name), MATCH, None).client)
    with pytest.raises(Problem):
        limits.enter("reads", ANN, MATCH, None)
    limits.leave(limits.enter("reads", BOB, MATCH, None).client)
    limits.leave(held.client)
    limits.leave(limits.enter("reads", ANN, "mat_" + "b" * 26, None).client)


def test_lists_are_limited_per_key_and_per_tenant(making: Callable[..., Api]) -> None:
    api = making(lobby=3, tenant=5)
    one, two = api.tenant("acme"), api.tenant("acme")
    seen = [api.get("/v1/matches", one) for _ in range(4)]
    assert [answer.status_code for answer in seen] == [200, 200, 200, 429]
    assert [answer.headers["RateLimit"].partition(";t=")[0] for answer in seen] == [
        '"lobby";r=2',
        '"lobby";r=1',
        '"lobby";r=0',
        '"lobby";r=0',
    ]
    refused = seen[-1]
    assert refused.mimetype == "application/problem+json"
    assert refused.json["code"] == "rate-limited"
    assert refused.json["retry"]["after_ms"] == 1000 * int(refused.headers["Retry-After"])
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert refused.headers["RateLimit-Policy"] == '"lobby";q=3;w=60'
    assert [api.get("/v1/matches", two).status_code for _ in range(3)] == [200, 200, 429]
    assert api.get("/v1/matches", api.tenant("other")).status_code == 200


def test_a_refused_request_has_no_effect_and_its_key_is_free(making: Callable[..., Api]) -> None:
    api = making(lobby=1)
    host = api.tenant("acme")
    assert api.get("/v1/matches", host).status_code == 200
    headers = {"Idempotency-Key": "k" * 20}
    plan = {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3}
    assert api.post("/v1/matches", plan, host, headers=headers).status_code == 429
    assert api.services.matches.list_matches(api.services.keys.check(host))["items"] == []
    face = face_of(api.app)
    face.limits._buckets.clear()  # type: ignore[union-attr]  # a minute later
    face.limits._shared.used.clear()  # type: ignore[union-attr]
    assert api.post("/v1/matches", plan, host, headers=headers).status_code == 201


def test_strangers_are_limited_by_their_address(making: Callable[..., Api]) -> None:
    api = making(strangers=3)
    ask = api.app.test_client().get
    here, there = {"REMOTE_ADDR": "192.0.2.1"}, {"REMOTE_ADDR": "192.0.2.2"}
    statuses = [ask("/v1/games", environ_base=here).status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    assert ask("/v1/games", environ_base=there).status_code == 200
    wrong = {"Authorization": "Bearer st_" + "a" * 26 + "_0_" + "b" * 52}
    assert ask("/v1/matches", headers=wrong, environ_base=here).status_code == 429
    assert ask("/v1/matches", headers=wrong, environ_base=there).status_code == 401


def test_health_is_never_limited(making: Callable[..., Api]) -> None:
    api = making(strangers=1)
    for _ in range(5):
        answer = api.get("/healthz/live")
        assert answer.status_code == 200
        assert "RateLimit" not in answer.headers


def test_requests_that_fail_are_under_way_no_more(making: Callable[..., Api]) -> None:
    api = making()
    table = seated_at(api)
    for _ in range(5):
        assert table.send(0, {"decision": "d1.choose", "command": {"type": "nonsense"}}).status_code == 400
        assert api.get(f"/v1/matches/{MATCH}/view", table.host).status_code == 404
    broken: Any = object()
    face = face_of(api.app)
    api.app.extensions["wonderlog"] = dataclasses.replace(face, matches=broken)
    api.documented = False
    for _ in range(5):
        assert api.get("/v1/games").status_code == 500
    assert face.limits is not None
    assert face.limits._under_way == {}


def test_limits_can_be_switched_off(making: Callable[..., Api]) -> None:
    services = bootstrap.services(settings.for_memory(SECRET))
    api = Api(create_app(services.matches, HttpSettings(limits=None), GAMES), services, documented=False)
    answer = api.get("/v1/games")
    assert answer.status_code == 200
    assert "RateLimit" not in answer.headers
    services.close()


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        (None, "unknown"),
        ("x", "unknown"),
    ],
)
def test_an_address_stands_for_a_household(address: str | None, client: str) -> None:
    assert grouped(address) == client


def test_each_kind_of_request_has_a_bucket_of_its_own() -> None:
    match = "/v1/matches/<match>"
    assert bucket_of("sendCommand", "POST", f"{match}/commands") == ("commands", "commands")
    assert bucket_of("getView", "GET", f"{match}/view") == ("reads", "reads")
    assert bucket_of("joinMatch", "POST", f"{match}/seats") == ("lobby", "lobby")
    assert bucket_of("exportMatch", "GET", f"{match}/export") == ("exports", "exports")
    assert bucket_of("listMatches", "GET", "/v1/matches") == ("lobby", "strangers")
    assert bucket_of("acquireBotWork", "POST", "/v1/bot-work/acquire") == ("bot-work", "strangers")


def test_every_operation_has_a_bucket_or_is_said_to_have_none() -> None:
    """A 429 is documented exactly where one can come."""
    for path, item in document()["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            counted = not path.startswith(("/healthz", "/problems"))
            assert ("429" in operation["responses"]) == counted, (method, path)
            route = path.replace("{", "<").replace("}", ">")
            assert set(bucket_of(operation["operationId"], method.upper(), route)) <= set(LIMITS)


class Failing:
    """A store that cannot be asked."""

    def take(self, bucket: str, quota: int, window_ms: int, wanted: int) -> Grant:
        raise StoreUnavailable("gone")


def test_who_cannot_be_counted_is_not_refused() -> None:
    limits = Limits({**FEW, "lobby": 2}, Failing())
    for _ in range(20):
        limits.leave(limits.enter("lobby", ANN, None, None).client)


class Counting:
    """Buckets that count how often they are asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.inner = MemoryQuotas()

    def take(self, bucket: str, quota: int, window_ms: int, wanted: int) -> Grant:
        self.asked += 1
        return self.inner.take(bucket, quota, window_ms, wanted)


def test_most_requests_ask_nobody() -> None:
    shared = Counting()
    limits = Limits(LIMITS, shared)
    for _ in range(1000):
        limits.leave(limits.enter("reads", ANN, MATCH, None).client)
    assert shared.asked <= 20


@pytest.fixture(params=["memory", "redis"])
def quotas(request: pytest.FixtureRequest) -> Iterator[Quotas]:
    if request.param == "memory":
        yield MemoryQuotas()
        return
    with redis_url() as url:
        client = bootstrap.connect(url)
        yield RedisQuotas(client)
        client.close()


@pytest.mark.parametrize("in_turn", [True, False], ids=["in turn", "one after the other"])
def test_processes_share_a_bucket_but_for_a_small_allowance(quotas: Quotas, in_turn: bool) -> None:
    processes = [Limits({**FEW, "lobby": 500}, quotas) for _ in range(4)]
    passed = 0
    for number in range(1200):
        limits = processes[number % 4 if in_turn else number // 600]
        try:
            limits.leave(limits.enter("lobby", ANN, None, None).client)
            passed += 1
        except Problem:
            continue
    assert 500 - 4 * 10 <= passed <= 500 + 4 * 10


def test_a_bucket_gives_what_it_holds_and_is_full_again_later(quotas: Quotas) -> None:
    bucket = f"test:{threading.get_ident()}:{id(quotas)}"
    first = quotas.take(bucket, 10, 600_000, 4)
    assert (first.taken, first.left) == (4, 6)
    assert 0 < first.reset_ms <= 600_000
    with ThreadPoolExecutor(8) as pool:
        grants = list(pool.map(lambda _: quotas.take(bucket, 10, 600_000, 1), range(20)))
    assert sum(grant.taken for grant in grants) == 6
    short = f"short:{bucket}"
    first = quotas.take(short, 10, 300, 10)
    assert first.taken == 10 and 0 < first.reset_ms <= 300
    until, full_again = time.monotonic() + 60, 0
    while not full_again and time.monotonic() < until:
        time.sleep(0.05)
        full_again = quotas.take(short, 10, 300, 4).taken
    assert full_again == 4


def test_behind_gunicorn_a_client_at_full_speed_is_never_refused(tmp_path: Path) -> None:
    """Two processes, a real store, limits a player leaves behind within a second: whole matches, zero 429."""
    with redis_url() as url:
        environment = {
            "WONDERLOG_STREAMS_URL": url,
            "WONDERLOG_SERVER_SECRET": SECRET.hex(),
            "WONDERLOG_LIMITS": "commands=10 reads=10 match=10",
        }
        services = bootstrap.services(settings.from_environment(environment))
        key = services.keys.create("serial").key
        services.close()
        with (
            gunicorn(tmp_path / "gunicorn.log", environment) as server,
            Client(server.url, key) as client,
        ):
            party = sit_down(client, 3)
            assert play_out(party, 5) > 50
            tenfold = [Client(server.url, party.seats[0].token).get(f"{party.path}/view") for _ in range(10)]
            assert {answer.status_code for answer in tenfold} == {200}
            crowd: set[int] = set()
            with ThreadPoolExecutor(6) as pool:
                # Until two of them happened to be under way in one process.
                for _ in range(20):
                    asked = pool.map(
                        lambda _: party.seats[0].as_(party.seats[0].token).get(party.path), range(60)
                    )
                    crowd |= {answer.status_code for answer in asked}
                    if 429 in crowd:
                        break
            assert crowd == {200, 429}


def test_behind_a_trusted_proxy_strangers_are_who_it_says_they_are() -> None:
    services = bootstrap.services(settings.for_memory(SECRET))
    http = HttpSettings(limits={**FEW, "strangers": 1}, trusted_proxies=(ip_network("192.0.2.0/24"),))
    ask = create_app(services.matches, http, GAMES).test_client().get

    def status(client: str, proxy: str) -> int:
        told = {"X-Forwarded-For": client, "X-Forwarded-Proto": "https"}
        answer = ask("/v1/games", headers=told, environ_base={"REMOTE_ADDR": proxy})
        return int(answer.status_code)

    assert [status(f"203.0.113.{number}", "192.0.2.1") for number in (1, 2, 1)] == [200, 200, 429]
    assert [status(f"203.0.113.{number}", "198.51.100.7") for number in (3, 4)] == [200, 429]
    services.close()


def test_every_counted_answer_says_what_is_left_errors_too(making: Callable[..., Api]) -> None:
    api = making(lobby=500)
    test = api.services.keys.create("acme", Wish(mode="test")).key
    answers = [
        api.post("/v1/matches", {}, test),
        api.get("/v1/matches", test, headers={"Sandbox-Fault": "429"}),
        api.get("/v1/matches", test),
    ]
    assert [answer.status_code for answer in answers] == [400, 429, 200]
    for answer in answers:
        assert answer.headers["RateLimit-Policy"] == '"lobby";q=500;w=60'
        assert answer.headers["RateLimit"].startswith('"lobby";r=')
    assert answers[1].headers["RateLimit"] == '"lobby";r=0;t=1'


def test_what_a_limit_means_can_be_read_while_it_is_reached(making: Callable[..., Api]) -> None:
    api = making(strangers=1)
    while api.get("/v1/games").status_code != 429:
        pass
    assert api.get("/problems/rate-limited").status_code == 200


def test_the_document_names_the_bucket_of_each_operation() -> None:
    for path, item in document()["paths"].items():
        for method, said in item.items():
            if method == "parameters":
                continue
            if "x-rate-limit" in said:
                own, stranger = bucket_of(said["operationId"], method.upper(), path.translate(_ANGLES))
                named = {"stranger": stranger} | ({"credential": own} if said["security"] else {})
                assert said["x-rate-limit"] == named
            else:
                assert path.startswith(("/healthz", "/problems"))


_ANGLES = str.maketrans("{}", "<>")
