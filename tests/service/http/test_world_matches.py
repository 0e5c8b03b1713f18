"""It's a Wonderful World over HTTP: whole matches with every option, from legal moves alone."""

import random
from typing import Any

import pytest

from domain.wonderful_world.options import SCENARIOS
from events import bundle
from tests.service.http import world
from tests.service.http.conftest import Api, Table

ASCENSION: dict[str, Any] = {"corruption_and_ascension": True}
WAR_OR_PEACE: dict[str, Any] = {"war_or_peace": True}
AUTO: dict[str, Any] = {"auto_validate": True}
# Every side, every expansion at every number of seats, every scenario, and what goes together.
TABLES: list[tuple[int, dict[str, Any]]] = [
    *((seats, {"side": side}) for seats, side in zip((2, 3, 4, 5, 2, 3), "ABCDEF", strict=True)),
    *((seats, ASCENSION) for seats in range(2, 8)),
    (2, WAR_OR_PEACE),
    (4, {**WAR_OR_PEACE, **AUTO}),
    (7, {**ASCENSION, **WAR_OR_PEACE, **AUTO, "side": "F"}),
    (3, AUTO),
    (1, {}),
    (1, {**WAR_OR_PEACE, **AUTO, "side": "C"}),
    *((1, {"scenario": scenario, "scenario_cards_required": True}) for scenario in SCENARIOS),
]


def title(table: tuple[int, dict[str, Any]]) -> str:
    """A table in a test's name."""
    seats, options = table
    return "-".join([str(seats), *(f"{name}={value}" for name, value in options.items())])


@pytest.mark.parametrize("table", TABLES, ids=title)
def test_a_match_is_played_to_its_end_from_legal_moves_alone(
    table: tuple[int, dict[str, Any]], api: Api
) -> None:
    seats, options = table
    match = world.sit_down(api, seats, options, seed=f"{seats}-{len(options)}")
    shown = api.get(match.path).json["options"]
    assert {name: shown[name] for name in options} == options
    played = world.play_out(match, random.Random(title(table)))
    assert played.commands["validate"] > 0 and played.commands["recycle_card"] > 0
    assert (played.commands["draft_card"] > 0) == (seats > 1)
    assert_is_over_and_whole(match)


def assert_is_over_and_whole(match: Table) -> None:
    """Everybody sees the same end; points add up; everybody's bundle verifies."""
    seats = len(match.seats)
    view = world.view(match, 0)
    assert view["status"] == "over" and view["awaited"] == [] and view["decisions"] == []
    outcome = view["outcome"]
    assert outcome["reason"] == "finished"
    assert sorted(sum(outcome["ranking"], [])) == list(range(seats))
    for score, board in zip(outcome["scores"], view["state"]["boards"], strict=True):
        assert score["total"] == sum(score["categories"].values())
        assert score["categories"] == board["points"]
    late = match.send(0, {"decision": "d9.production", "command": {"type": "validate"}})
    assert (late.status_code, late.json["code"]) == (409, "match-over")
    for caller in (None, match.host, match.seats[-1]):
        exported = match.api.get(f"{match.path}/export", caller)
        assert exported.status_code == 200
        report = bundle.verify(exported.data.splitlines(keepends=True))
        assert report.ok and report.events == view["version"], report
        assert report.draws_repeated == report.draws > 0


def test_a_scenario_lies_under_construction_and_earns_a_medal_or_none(api: Api) -> None:
    match = world.sit_down(api, 1, {"scenario": "back-to-the-future"}, seed="scenario")
    state = world.view(match, 0)["state"]
    kinds = [card["kind"] for card in state["boards"][0]["under_construction"]]
    assert kinds == list(SCENARIOS["back-to-the-future"][0])
    assert state["alone"]["scenario"] == "back-to-the-future"
    assert state["alone"]["piles"] == [5] * 7
    world.play_out(match, random.Random(1))
    alone = world.view(match, 0)["state"]["alone"]
    total = world.view(match, 0)["outcome"]["scores"][0]["total"]
    assert alone["medal"] == (None if total < 65 else alone["medal"])
    assert alone["piles"] == []


def test_two_cards_are_swapped_and_one_of_five_is_kept(api: Api) -> None:
    match = world.sit_down(api, 1, seed="swap")
    before = world.view(match, 0)["state"]
    swap = next(m for m in world.legal(match, 0)["moves"] if m["body"]["command"]["type"] == "swap_cards")
    answer = match.send(0, swap["body"])
    assert answer.status_code == 200, answer.text
    (event,) = answer.json["events"]
    offered = event["data"]["drawn"]
    assert world.view(match, 0)["state"]["alone"]["offered"] == offered
    refused = match.send(
        0, {**swap["body"], "command": {"type": "slate_card", "card": before["boards"][0]["draft_area"][0]}}
    )
    assert (refused.status_code, refused.json["code"]) == (422, "illegal-move")
    moves = world.legal(match, 0)["moves"]
    assert {m["body"]["command"]["card"] for m in moves} == set(offered)
    assert match.send(0, moves[0]["body"]).status_code == 200
    after = world.view(match, 0)["state"]
    kept = moves[0]["body"]["command"]["card"]
    assert len(after["boards"][0]["draft_area"]) == 4 and kept in after["boards"][0]["draft_area"]
    given = swap["body"]["command"]["cards"]
    rest = list(offered)
    rest.remove(kept)
    assert after["discard_pile"] == sorted(given + rest)
    assert after["deck"] == before["deck"] - 5


@pytest.mark.parametrize(
    ("seats", "options", "pointer"),
    [
        (8, {}, "/seats"),
        (3, {"side": "G"}, "/options/side"),
        (3, {"war_or_peace": 1}, "/options/war_or_peace"),
        (1, {"scenario": "no-such"}, "/options/scenario"),
        (3, {"sides": "A"}, "/options/sides"),
    ],
)
def test_an_option_that_is_none_is_refused_with_a_pointer(
    seats: int, options: dict[str, Any], pointer: str, api: Api
) -> None:
    plan = {"game": world.GAME, "seats": [{"kind": "open"}] * seats, "options": options}
    answer = api.post("/v1/matches", plan, api.tenant("acme"))
    assert (answer.status_code, answer.json["code"]) == (400, "validation")
    assert [error["pointer"] for error in answer.json["errors"]] == [pointer]


def test_a_seat_that_could_only_validate_is_asked_in_the_strict_game_only(api: Api) -> None:
    """Everything recycled to the Empire cards: whoever may do nothing else is validated by the rules."""
    asked = {}
    for auto in (False, True):
        match = world.sit_down(api, 2, {"auto_validate": auto}, seed="validate")
        validations = 0
        while world.view(match, 0)["state"]["round"] == 1:
            for seat in range(2):
                moves = world.legal(match, seat)
                if not any(seat in decision["awaited"] for decision in moves["decisions"]):
                    continue
                body = simplest(moves["moves"])
                validations += body["command"]["type"] == "validate"
                assert match.send(seat, body).status_code == 200
        asked[auto] = validations
    assert asked[False] == 2 * (1 + 5), "planning and five steps, two seats"
    assert asked[True] == 0


def simplest(moves: list[dict[str, Any]]) -> dict[str, Any]:
    """Pick anything, recycle to the Empire card, take a character, validate."""
    wanted = ("validate", "choose_character", "draft_card", "recycle_card")
    for kind in wanted:
        for move in moves:
            command = move["body"]["command"]
            if command["type"] == kind and command.get("target") is None:
                body: dict[str, Any] = move["body"]
                return body
    raise AssertionError(moves)
