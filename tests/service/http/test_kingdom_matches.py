"""It's a Wonderful Kingdom over HTTP: whole matches of every mode and side, from legal moves alone."""

import random
from itertools import product
from typing import Any

import pytest

from events import bundle
from tests.service.http import kingdom, world
from tests.service.http.conftest import Api, Table

# The command that opens a match of one mode only.
OF_MODE = {"menaces": "choose_menace_set", "advisors": "keep_advisor", "quests": None}


def sit_down(api: Api, options: dict[str, Any], seats: int = 2) -> Table:
    """A started match of two people."""
    return world.sit_down(api, seats, options, kingdom.GAME, seed="-".join(map(str, options.values())))


def play_out(table: Table, dice: random.Random) -> world.Played:
    """Legal moves of whoever is awaited, until the match is over."""
    played = world.Played()
    while awaited := world.view(table, 0)["awaited"]:
        seat = dice.choice(awaited)
        sent = table.send(seat, kingdom.choose(world.legal(table, seat)["moves"], dice, played))
        assert sent.status_code == 200, sent.text
    return played


@pytest.mark.parametrize(("mode", "side"), list(product(kingdom.MODES, "AB")))
def test_a_match_is_played_to_its_end_from_legal_moves_alone(mode: str, side: str, api: Api) -> None:
    match = sit_down(api, {"mode": mode, "side": side})
    shown = api.get(match.path).json["options"]
    assert (shown["mode"], shown["side"]) == (mode, side)
    assert shown["card_set"].startswith("original-1")
    played = play_out(match, random.Random(f"{mode}/{side}"))
    wanted = {"offer_cards": 32, "select_area": 32}
    assert {name: played.commands[name] for name in wanted} == wanted
    for name, command in OF_MODE.items():
        if command is not None:
            assert (played.commands[command] > 0) == (name == mode)
    assert_is_over_and_whole(match)


def assert_is_over_and_whole(match: Table) -> None:
    """Everybody sees the same end; points add up; everybody's bundle verifies."""
    view = world.view(match, 0)
    assert view["status"] == "over" and view["awaited"] == [] and view["decisions"] == []
    outcome = view["outcome"]
    assert outcome["reason"] == "finished"
    assert sorted(sum(outcome["ranking"], [])) == [0, 1]
    for score, board in zip(outcome["scores"], view["state"]["boards"], strict=True):
        assert score["total"] == sum(score["categories"].values())
        assert score["categories"] == board["points"]
    for caller in (None, match.host, *match.seats):
        exported = match.api.get(f"{match.path}/export", caller)
        assert exported.status_code == 200
        report = bundle.verify(exported.data.splitlines(keepends=True))
        assert report.ok and report.events == view["version"], report
        assert report.draws_repeated == report.draws > 0


def test_a_card_laid_face_down_is_shown_to_whom_laid_it_only(api: Api) -> None:
    match = sit_down(api, {"mode": "quests"})
    offerer = world.view(match, 0)["awaited"][0]
    offers = [move["body"] for move in world.legal(match, offerer)["moves"]]
    offer = next(body for body in offers if len(body["command"].get("left_face_down", [])) == 2)
    sent = match.send(offerer, offer)
    assert sent.status_code == 200, sent.text
    areas = {seat: world.view(match, seat)["state"]["areas"]["left"] for seat in (0, 1)}
    assert sorted(laid["card"] for laid in areas[offerer][1:]) == sorted(offer["command"]["left_face_down"])
    assert [laid["card"] for laid in areas[1 - offerer][1:]] == ["face-down"] * 2
    told = api.get(f"{match.path}/events?after=0&limit=200", match.seats[1 - offerer]).json["items"]
    assert told[-1]["data"]["left_face_down"] == ["face-down"] * 2
    said = world.legal(match, 1 - offerer)["moves"]
    assert all(
        card in ("face-down", areas[1 - offerer][0]["card"]) or card in _seen(match, 1 - offerer)
        for move in said
        for card in move["effects"].get("cards", [])
    )


def _seen(match: Table, seat: int) -> set[str]:
    """Cards that lie face up in the areas as this seat sees them."""
    areas = world.view(match, seat)["state"]["areas"]
    return {laid["card"] for area in areas.values() for laid in area}


@pytest.mark.parametrize(
    ("seats", "options", "pointer"),
    [
        (1, {}, "/seats"),
        (3, {}, "/seats"),
        (2, {"mode": "none"}, "/options/mode"),
        (2, {"mode": ["menaces", "quests"]}, "/options/mode"),
        (2, {"side": "C"}, "/options/side"),
        (2, {"quest_board": "no-such"}, "/options/quest_board"),
        (2, {"card_set": "another"}, "/options/card_set"),
    ],
)
def test_an_option_that_is_none_is_refused_with_a_pointer(
    seats: int, options: dict[str, Any], pointer: str, api: Api
) -> None:
    plan = {"game": kingdom.GAME, "seats": [{"kind": "open"}] * seats, "options": options}
    answer = api.post("/v1/matches", plan, api.tenant("acme"))
    assert (answer.status_code, answer.json["code"]) == (400, "validation")
    assert [error["pointer"] for error in answer.json["errors"]] == [pointer]


def test_the_catalogue_says_what_is_printed_and_what_is_not(api: Api) -> None:
    game = api.get(f"/v1/games/{kingdom.GAME}").json
    assert "not public" in game["card_set"]["notice"]
    assert sum(card["copies"] for card in game["cards"]) == 70 + 10 + 8 + 26 + 14
    assert {card["provenance"] for card in game["cards"]} == {"original"}
    assert all(isinstance(card["printed_fields"], list) for card in game["cards"])
