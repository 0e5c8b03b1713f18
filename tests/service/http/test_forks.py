"""Forks: exact after the end, else what the caller knew; playable, checkable, marked, kept apart."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.kernel.chance import Chance
from domain.kernel.game import Game
from domain.kernel.match import By
from domain.kernel.redaction import FACE_DOWN
from domain.kernel.seats import SPECTATOR
from domain.kernel.table import MatchEnded, SeatPlan
from events import bundle
from service.adapters.sandbox import MemorySandbox
from service.cli.redecide import redecide
from service.clock import SystemClock
from service.forking import Source, branch
from service.positions import Cache, Positions
from service.redeciding import ORPHANED
from service.sandbox import WorldClock
from tests import twins
from tests.domain.stories import strings
from tests.service.http.conftest import Api, Seated
from tests.service.http.running import new_key
from tests.service.http.test_twin_worlds import KINDS, Log, opened
from tests.service.table import Hands, run_jobs
from tools import verify_bundle

SEATS = {"seven-wonders": 3}
EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def played(api: Api, game: Game, part: float = 1.0, seed: int = 5, **options: Any) -> Log:
    """A match in the store, played to its end or to a part of it; never quite to its end then."""
    seats = SEATS.get(game.NAME, 2)
    log = opened(api.services.store, game, seats, random.Random(seed))
    told = twins.tell(game, seats, seed, **options)
    if part < 1:
        last = told[int(len(told) * part)].command
        told = [each for each in told if each.command < last and not isinstance(each.fact.event, MatchEnded)]
    log.tell(told)
    return log


def fork(api: Api, log: Log, token: str, **body: Any) -> Any:
    """The answer to a request for a fork."""
    made = api.post(f"/v1/matches/{log.match}/forks", body, token)
    assert made.status_code == 201, made.text
    return made.json


def path_of(made: Any) -> str:
    return str(made["match"]["links"]["self"])


def tokens(made: Any) -> list[str]:
    return [seat["token"] for seat in made["seats"]]


SHOWN = ("status", "awaited", "state", "outcome")


def same(one: Any, other: Any) -> bool:
    """Whether two views show the same table and the same decisions."""
    ids = [[decision["id"] for decision in view["decisions"]] for view in (one, other)]
    return ids[0] == ids[1] and all(one[name] == other[name] for name in SHOWN)


def resting(log: Log, after: float) -> int:
    """A version, so far into the log, at which a command had just been carried out."""
    start = int(len(log.records) * after)
    return next(r.version - 1 for r in log.records[start:] if r.command == r.version)


def go_on(api: Api, made: Any) -> None:
    """Play a fork to its end: the bots their seats, a few moves of people, then all of them give up."""
    path, dice = path_of(made), random.Random(9)
    people = {seat["seat"]: seat["token"] for seat in made["seats"] if "token" in seat}
    for _ in range(6):
        for token in people.values():
            moves = api.get(f"{path}/legal-moves", token).json["moves"]
            if moves:
                answer = api.post(f"{path}/commands", dice.choice(moves)["body"], token)
                assert answer.status_code == 200, answer.text
        run_jobs(api.services)
    for token in people.values():
        api.post(f"{path}/commands", {"command": {"type": "resign"}}, token)
    run_jobs(api.services)


def lines(api: Api, made: Any, token: str) -> list[bytes]:
    return [line + b"\n" for line in api.get(f"{path_of(made)}/export", token).data.splitlines()]


def accepted(text: list[bytes]) -> bundle.Bundle:
    """The bundle, after both verifiers have found nothing wrong with it."""
    report = bundle.verify(text)
    assert report.ok, report
    assert verify_bundle.verify(b"".join(text)).why == ""
    return bundle.read(text)


@EVERY_GAME
def test_a_fork_of_what_is_over_is_exact_and_can_be_played_and_checked(game: Game, api: Api) -> None:
    log = played(api, game)
    version = resting(log, 0.6)
    made = fork(api, log, log.tokens[0], version=version)
    assert made["match"]["forked_from"] == {"match": log.match, "version": version}
    for viewer, token in enumerate(tokens(made)):
        then = api.get(f"/v1/matches/{log.match}/view?version={version}", log.tokens[viewer]).json
        assert same(api.get(f"{path_of(made)}/view", token).json, then), viewer
        past = api.get(f"{path_of(made)}/view?version={version}", token).json
        assert same(past, then)
    go_on(api, made)
    text = lines(api, made, tokens(made)[0])
    over = accepted(text)
    assert over.envelopes[-1]["type"] == "match.ended"
    found = redecide(over)
    assert found.difference is None and found.commands > 0
    unchecked = [{**each, "command": 1} for each in over.envelopes]
    smuggled = redecide(replace(over, envelopes=unchecked)).difference
    assert smuggled is not None and smuggled.kind == ORPHANED, "only what was taken over is not decided again"
    assert smuggled.version == version + 2


@EVERY_GAME
def test_a_fork_of_what_still_runs_holds_what_the_caller_knew_and_no_more(game: Game, api: Api) -> None:
    log = played(api, game, 0.7)
    version = resting(log, 0.5)
    for viewer, token in enumerate(log.tokens):
        made = fork(api, log, token, version=version)
        stored = api.services.store.read(made["match"]["id"], 0, 9999)
        known = api.get(f"/v1/matches/{log.match}/events?limit=200", token).json["items"]
        for mine, event in zip(stored, known[:version], strict=False):
            assert (mine.type, mine.actor, mine.decision) == (
                event["type"],
                event["actor"],
                event["decision"],
            )
            assert mine.version == 1 or mine.data == event["data"]
        then = api.get(f"/v1/matches/{log.match}/view?version={version}", token).json
        now = api.get(f"{path_of(made)}/view", tokens(made)[viewer]).json
        assert same(now, then)
        for other in tokens(made):
            hand = api.get(f"{path_of(made)}/view", other).json["state"]["hand"]
            assert FACE_DOWN not in (hand or [])
        go_on(api, made)
        over = accepted(lines(api, made, tokens(made)[0]))
        assert redecide(over).difference is None
        unchecked = [{**each, "command": 1} for each in over.envelopes]
        smuggled = redecide(replace(over, envelopes=unchecked)).difference
        assert smuggled is not None and smuggled.kind == ORPHANED and smuggled.version > version + 2
        undealt = [each for each in over.envelopes if each["version"] != version + 2]
        assert redecide(replace(over, envelopes=undealt)).difference is not None


@EVERY_GAME
def test_worlds_that_differ_in_what_is_hidden_give_the_same_fork(game: Game, api: Api) -> None:
    """Twin logs, the same secrets for the fork: every byte of it is the same, in full."""
    told = twins.tell(game, 2, 3)
    told = [each for each in told if each.command < told[len(told) // 3].command]
    compared = 0
    for viewer in (0, 1):
        other = twins.twin(game, told, viewer, KINDS[game.NAME], random.Random(7))
        if other is None:
            continue
        stored = []
        for facts in (told, other):
            log = opened(api.services.store, game, 2, random.Random(8))
            log.match = f"mat_{'abcdefgh'[viewer * 2 + len(stored)] * 26}"
            stored.append((log, facts))
        made = []
        for log, facts in stored:
            log.tell(facts)
            made.append(_drafts(api, log, viewer))
        assert made[0] == made[1]
        compared += 1
    assert compared


def _drafts(api: Api, log: Log, viewer: int) -> list[Any]:
    """The events a fork would begin with, under secrets that do not depend on the match."""
    position = Positions(api.services.store, GAMES, Cache(1)).load(log.match)
    assert position is not None
    position.id = "mat_" + "z" * 26
    source = Source(position, api.services.store.read(log.match, 0, 9999), viewer)
    drafts, _ = branch(source, [SeatPlan()] * 2, By(viewer, "player"), Chance("mat_x", bytes(32), bytes(32)))
    return drafts


def test_the_host_forks_what_a_spectator_knows(api: Api) -> None:
    log = played(api, GAMES["seven-wonders"], 0.5)
    api.services.keys.create("twins")
    host = api.tenant("twins")
    made = fork(api, log, host)
    full = {card for record in log.records for card in strings(record.public)}
    stored = api.services.store.read(made["match"]["id"], 0, len(log.records))
    assert {card for record in stored[1:] for card in strings(record.data)} <= full


def test_every_world_is_another_and_the_same_key_gives_the_same(api: Api) -> None:
    log = played(api, GAMES["seven-wonders"], 0.1)
    key = {"Idempotency-Key": new_key()}
    one = api.post(f"/v1/matches/{log.match}/forks", {}, log.tokens[0], headers=key)
    again = api.post(f"/v1/matches/{log.match}/forks", {}, log.tokens[0], headers=key)
    assert one.status_code == again.status_code == 201
    assert again.headers["Idempotency-Replayed"] == "true" and one.json == again.json
    assert one.headers["Location"] == path_of(one.json)
    other = api.post(f"/v1/matches/{log.match}/forks", {"version": 9}, log.tokens[0], headers=key)
    assert other.json["code"] == "idempotency-key-reused"
    more = [fork(api, log, log.tokens[0]) for _ in range(9)]
    hands = [
        api.get(f"{path_of(made)}/view", tokens(made)[1]).json["state"]["hand"] for made in (one.json, *more)
    ]
    assert len(set(map(str, hands))) > 1, "two worlds may be alike by chance, ten are not"


def test_a_fork_begins_where_the_rules_waited(api: Api) -> None:
    log = played(api, GAMES["seven-wonders"])
    groups = [r.version for r in log.records if r.command == r.version]
    inside = next(v for v in groups if v > 20 and v + 1 not in groups and v + 2 not in groups)
    made = fork(api, log, log.tokens[0], version=inside + 1)
    assert made["match"]["forked_from"]["version"] == inside - 1
    whole = fork(api, log, log.tokens[0])
    assert whole["match"]["forked_from"]["version"] == groups[-1] - 1
    assert whole["match"]["status"] == "running"


def test_a_fork_can_be_forked_where_it_went_on(api: Api) -> None:
    log = played(api, GAMES["seven-wonders"], 0.3)
    first = fork(api, log, log.tokens[0])
    token = tokens(first)[1]
    second = api.post(f"{path_of(first)}/forks", {}, token).json
    assert second["match"]["forked_from"]["match"] == first["match"]["id"]
    earlier = api.post(f"{path_of(first)}/forks", {"version": 10}, token)
    assert (earlier.status_code, earlier.json["code"]) == (409, "not-started")
    go_on(api, second)
    accepted(lines(api, second, tokens(second)[0]))


def test_bots_play_where_they_are_asked_for(api: Api) -> None:
    log = played(api, GAMES["seven-wonders"], 0.3)
    seats = [{"kind": "person"}, {"kind": "bot", "bot": "easy"}, {"kind": "bot", "bot": "random"}]
    made = fork(api, log, log.tokens[0], seats=seats)
    assert made["seats"][1:] == [
        {"seat": 1, "kind": "bot", "bot": "easy"},
        {"seat": 2, "kind": "bot", "bot": "random"},
    ]
    before = api.get(path_of(made), made["seats"][0]["token"]).json["version"]
    assert run_jobs(api.services) > 0
    assert api.get(path_of(made), made["seats"][0]["token"]).json["version"] > before


def test_forks_are_private_and_kept_out_of_the_list(api: Api, seated: Seated) -> None:
    table = seated().start()
    made = api.post(f"{table.path}/forks", {}, table.seats[1])
    assert made.status_code == 201
    id = made.json["match"]["id"]
    assert api.get(f"/v1/matches/{id}").status_code == 404
    assert api.get(f"/v1/matches/{id}", api.tenant("stranger")).status_code == 404
    listed = api.get("/v1/matches", table.host).json["items"]
    assert [match["id"] for match in listed] == [table.id]
    forks = api.get("/v1/matches?forks=true", table.host).json["items"]
    assert [(match["id"], match["forked_from"]["match"]) for match in forks] == [(id, table.id)]
    api.services.upkeep.rebuild([table.id, id])
    assert [m["id"] for m in api.get("/v1/matches", table.host).json["items"]] == [table.id]


def test_a_lobby_cannot_be_forked_and_bodies_are_checked(seated: Seated) -> None:
    table = seated()
    answer = table.api.post(f"{table.path}/forks", {}, table.seats[0])
    assert (answer.status_code, answer.json["code"]) == (409, "not-started")
    table.start()
    for body, status in wrong():
        answer = table.api.post(f"{table.path}/forks", body, table.seats[0])
        assert answer.status_code == status, (body, answer.text)


def wrong() -> Iterator[tuple[Any, int]]:
    """Bodies, and the status they are refused with."""
    yield {"version": 0}, 400
    yield {"version": "3"}, 400
    yield {"version": 999}, 404
    yield {"seats": [{"kind": "person"}]}, 400
    yield {"seats": [{"kind": "bot"}] * 3}, 400
    yield {"seats": [{"kind": "bot", "bot": "nobody"}] * 3}, 400
    yield {"seats": [{"kind": "person", "bot": "easy"}] * 3}, 400
    yield {"at": 3}, 400


def test_nobody_is_hurried_in_a_fork(api: Api) -> None:
    log = played(api, GAMES["seven-wonders"], 0.3, decision_limit_ms=60_000)
    made = fork(api, log, log.tokens[0])
    shown = api.get(f"{path_of(made)}/view", tokens(made)[0]).json
    assert [decision["deadline_at"] for decision in shown["decisions"]] == [None]


def test_spectators_see_a_fork_as_little_as_a_match(api: Api) -> None:
    log = played(api, GAMES["seven-wonders"], 0.4)
    made = fork(api, log, log.tokens[0])
    host = api.tenant("twins")
    events = api.get(f"{path_of(made)}/events?limit=200&after=1", host).json["items"]
    (dealt,) = [event["data"] for event in events if event["type"] == "seven_wonders.hidden_dealt"]
    assert {card for hand in dealt["hands"] for card in hand} == {FACE_DOWN}
    assert set(dealt["discard"]) <= {FACE_DOWN} and SPECTATOR == -1


def test_a_seat_makes_so_many_forks_of_a_match_in_a_day(api: Api) -> None:
    log = played(api, GAMES["its-a-wonderful-world"], 0.2)
    most, key = api.services.settings.forks_a_day, {"Idempotency-Key": new_key()}
    path = f"/v1/matches/{log.match}/forks"
    first = api.post(path, {}, log.tokens[0], headers=key)
    for _ in range(most - 1):
        fork(api, log, log.tokens[0])
    refused = api.post(path, {}, log.tokens[0])
    assert (refused.status_code, refused.json["code"]) == (409, "quota-exceeded")
    again = api.post(path, {}, log.tokens[0], headers=key)
    assert again.status_code == 201 and again.json == first.json
    fork(api, log, log.tokens[1])
    fork(api, log, api.tenant("twins"))


def test_a_fork_that_everybody_has_left_is_cancelled(api: Api) -> None:
    log = played(api, GAMES["seven-wonders"], 0.3)
    made, clock = fork(api, log, log.tokens[0]), Hands(SystemClock().now_ms())
    api.services.upkeep._clock = WorldClock(clock, MemorySandbox())
    hours = api.services.settings.fork_idle_hours

    def status() -> str:
        return str(api.get(path_of(made), tokens(made)[0]).json["status"])

    def look(hours_later: float) -> None:
        clock.move(round(hours_later * 3_600_000))
        api.services.upkeep.look_at(made["match"]["id"])
        api.services.upkeep.look_at(log.match)

    for _ in range(2):
        look((hours - 1) / 2)
        assert status() == "running"
    look(1.1)
    assert status() == "over"
    ended = accepted(lines(api, made, tokens(made)[0])).envelopes[-1]
    assert (ended["data"]["reason"], ended["actor"], ended["cause"]) == ("cancelled", "rules", "rules")
    assert api.get(f"/v1/matches/{log.match}", log.tokens[0]).json["status"] == "running", "no fork"


def test_its_tenant_may_cancel_a_fork_and_no_other_match_that_has_started(api: Api) -> None:
    log = played(api, GAMES["seven-wonders"], 0.3)
    made, host = fork(api, log, log.tokens[0]), api.tenant("twins")
    cancel = {"command": {"type": "cancel"}}
    assert api.post(f"/v1/matches/{log.match}/commands", cancel, host).json["code"] == "already-started"
    assert api.post(f"{path_of(made)}/commands", cancel, tokens(made)[0]).status_code == 403
    assert api.post(f"{path_of(made)}/commands", cancel, host).status_code == 200
    found = redecide(accepted(lines(api, made, host)))
    assert found.difference is None and found.commands == 1
