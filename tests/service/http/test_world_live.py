"""It's a Wonderful World on the real thing: gunicorn, a real store, all seats of a step at the same time."""

import random
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import requests

from events import bundle
from service.keyring import Wish
from tests.service.http import play, world
from tests.service.http.conftest import Live
from tests.service.http.play import Party
from tests.service.http.running import Client

Json = dict[str, Any]
OPENERS = (
    "hands_dealt",
    "hands_passed",
    "planning_began",
    "cubes_produced",
    "tokens_produced",
    "points_counted",
)


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (1, {"scenario": "end-of-times"}),
        (2, {"side": "B", "corruption_and_ascension": True}),
        (5, {"war_or_peace": True, "auto_validate": True}),
    ],
    ids=str,
)
def test_a_whole_match_is_played_by_legal_moves_alone(seats: int, options: Json, live: Live) -> None:
    with Client(live.url, live.services.keys.create("acme", Wish(mode="test")).key) as host:
        party = play.sit_down(host, seats, options, world.GAME, "alone")
        play_out(party, random.Random(seats))
        assert_whole(party)


def play_out(party: Party, dice: random.Random) -> None:
    """Random legal moves, counts anywhere in their ranges, until the match is over."""
    played = world.Played()
    while awaited := party.host.get(f"{party.path}/view").json()["awaited"]:
        for seat in awaited:
            moves = legal(party, seat)
            if seat in moves["decisions"][0]["awaited"]:
                sent = party.seats[seat].post(
                    f"{party.path}/commands", world.choose(moves["moves"], dice, played)
                )
                assert sent.status_code == 200, sent.text


def legal(party: Party, seat: int) -> Json:
    """The whole answer to `legal-moves`."""
    answer = party.seats[seat].get(f"{party.path}/legal-moves")
    assert answer.status_code == 200, answer.text
    moves: Json = answer.json()
    return moves


def assert_whole(party: Party) -> Json:
    """The match is over, its bundle verifies; the view."""
    view: Json = party.host.get(f"{party.path}/view").json()
    assert view["status"] == "over" and view["outcome"]["reason"] == "finished"
    report = bundle.verify(party.seats[0].get(f"{party.path}/export").content.splitlines(keepends=True))
    assert report.ok and report.events == view["version"], report
    return view


def events(party: Party) -> Iterator[Json]:
    """Every event of the match, as the host sees it."""
    after = 0
    while page := party.host.get(f"{party.path}/events", params={"after": after, "limit": 200}).json()[
        "items"
    ]:
        yield from page
        after = page[-1]["version"]


@pytest.mark.parametrize("seats", [5, 7])
def test_all_seats_act_at_once_for_a_whole_match_and_nobody_is_refused(seats: int, live: Live) -> None:
    """Every seat of a step sends what it wants at the same moment, those that have validated included as long
    as the step cannot close."""
    dice, rounds, beside = random.Random(seats), 0, 0
    with Client(live.url, live.services.keys.create("acme", Wish(mode="test")).key) as host:
        party = play.sit_down(host, seats, {"war_or_peace": seats == 7}, world.GAME, "at-once")
        while True:
            bodies, free = all_at_once(party, dice)
            if not bodies:
                break
            answers = send_at_once(party, bodies)
            assert {a.status_code for a in answers.values()} == {200}, [a.text for a in answers.values()]
            ends = [answer.json()["version"] for answer in answers.values()]
            assert len(set(ends)) == len(bodies), "each has its place in the log"
            rounds += 1
            beside += free
        assert rounds >= 100, rounds
        assert beside >= 10, "seats that had validated acted as well"
        view = assert_whole(party)
        assert_steps_close_in_one_append(list(events(party)), view["version"])
        for client in party.seats:
            client.session.close()


def all_at_once(party: Party, dice: random.Random) -> tuple[dict[int, Json], int]:
    """What each seat sends next, and how many of them have validated already."""
    bodies: dict[int, Json] = {}
    done: dict[int, Json] = {}
    for seat in range(len(party.seats)):
        answer = legal(party, seat)
        if not answer["decisions"]:
            return {}, 0
        if seat in answer["decisions"][0]["awaited"]:
            bodies[seat] = world.choose(answer["moves"], dice, world.Played())
        elif free := [m["body"] for m in answer["moves"] if m["body"]["command"]["type"] != "withdraw_pick"]:
            done[seat] = dice.choice(free)
    closing = all(body["command"]["type"] in ("validate", "draft_card") for body in bodies.values())
    return (bodies, 0) if closing else (bodies | done, len(done))


def send_at_once(party: Party, bodies: dict[int, Json]) -> dict[int, requests.Response]:
    """Send every body at the same moment."""
    ready = threading.Barrier(len(bodies))
    answers: dict[int, requests.Response] = {}

    def send(seat: int) -> None:
        ready.wait()
        answers[seat] = party.seats[seat].post(f"{party.path}/commands", bodies[seat])

    threads = [threading.Thread(target=send, args=(seat,)) for seat in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def assert_steps_close_in_one_append(told: list[Json], head: int) -> None:
    """Whatever opens a step was recorded with the command that closed the one before: with its count, its
    tokens, its forced cubes."""
    assert [event["version"] for event in told] == list(range(1, head + 1))
    sizes = Counter(event["command"] for event in told)
    firsts = {event["version"]: event for event in told}
    closed = 0
    for event in told:
        kind = event["type"].rpartition(".")[2]
        if kind not in OPENERS:
            continue
        first = firsts[event["command"]]
        assert event["command"] <= event["version"] < event["command"] + sizes[event["command"]]
        closer = first["type"].rpartition(".")[2]
        assert closer in ("started", "card_drafted", "step_validated"), closer
        closed += closer == "step_validated"
    forced = [e for e in told if e["type"].endswith(".cubes_stored") and e["data"]["forced"]]
    awarded = [e for e in told if e["type"].endswith(".supremacy_awarded")]
    assert forced and awarded
    for event in awarded:
        opened = firsts[event["version"] - 1]["type"].rpartition(".")[2]
        assert opened in ("cubes_produced", "supremacy_awarded")
        assert event["command"] == firsts[event["version"] - 1]["command"]
    for event in forced:
        assert firsts[event["command"]]["type"].rpartition(".")[2] != "cubes_stored"
    assert closed >= 4 * 6, "planning and five steps, four rounds"


def test_a_step_sent_as_batches_by_all_seats_at_once_closes_once(live: Live) -> None:
    """Whole planning steps of five seats at the same moment: all are taken, one of them closes the step."""
    with Client(live.url, live.services.keys.create("acme", Wish(mode="test")).key) as host:
        party = play.sit_down(host, 5, {}, world.GAME, "batches")
        for _ in range(6):  # the seventh card is taken by the rules
            for seat in range(5):
                party.seats[seat].post(f"{party.path}/commands", party.moves(seat)[0])
        view = party.seats[0].get(f"{party.path}/view").json()
        assert view["state"]["phase"] == "planning"
        (decision,) = view["decisions"]
        ready = threading.Barrier(5)
        answers: list[requests.Response] = []

        def plan(seat: int) -> None:
            commands: list[Json] = [
                {"type": "recycle_card", "card": card, "target": None}
                for card in view["state"]["boards"][seat]["draft_area"]
            ]
            bodies = [{"decision": decision["id"], "command": c} for c in [*commands, {"type": "validate"}]]
            ready.wait()
            answers.append(party.seats[seat].post(f"{party.path}/command-batches", {"commands": bodies}))

        threads = [threading.Thread(target=plan, args=(seat,)) for seat in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [answer.status_code for answer in answers] == [200] * 5, [a.text for a in answers]
        told = [[event["type"].rpartition(".")[2] for event in answer.json()["events"]] for answer in answers]
        assert sum("cubes_produced" in found for found in told) == 1
        assert all(found[:8] == ["card_recycled"] * 7 + ["step_validated"] for found in told)
        versions = [event["version"] for answer in answers for event in answer.json()["events"]]
        assert len(set(versions)) == len(versions)
