"""A whole planning or production step as one batch of commands: all of it or nothing, and never beyond it."""

from typing import Any

import pytest

from tests.service.http import world
from tests.service.http.conftest import Api, Table

Body = dict[str, Any]


def send(table: Table, seat: int, bodies: list[Body]) -> Any:
    """Post a batch of a seat."""
    return table.api.post(f"{table.path}/command-batches", {"commands": bodies}, table.seats[seat])


def kinds(answer: Any) -> list[str]:
    """The types of the events of an answer, without the name of the game."""
    assert answer.status_code == 200, answer.text
    return [event["type"].split(".")[1] for event in answer.json["events"]]


def draft(table: Table) -> None:
    """Every seat picks the first card it may, until planning begins."""
    while world.view(table, 0)["state"]["phase"] == "draft":
        for seat in range(len(table.seats)):
            assert table.send(seat, world.legal(table, seat)["moves"][0]["body"]).status_code == 200


def whole_step(table: Table, seat: int) -> list[Body]:
    """A client's plan for the open step, from the view alone: slate two of three drafted cards, recycle the
    rest; store one of several cubes and put the rest where they fit; take a financier; validate. Cubes that
    fit nowhere are stored by the rules, so nothing is said of them."""
    shown = world.view(table, seat)
    state, (decision,) = shown["state"], shown["decisions"]
    board = state["boards"][seat]
    commands: list[Body] = []
    for number, card in enumerate(board["draft_area"]):
        recycled = {"type": "recycle_card", "card": card, "target": None}
        commands.append(recycled if number % 3 == 0 else {"type": "slate_card", "card": card})
    commands += [{"type": "choose_character", "character": "financier"}] * board["to_choose"]
    for resource, left in board["to_place"].items():
        if left > 1:
            commands.append({"type": "store_cubes", "resource": resource, "count": 1})
            left -= 1
        for card in board["under_construction"]:
            count = min(left, card["missing"].get(resource, 0))
            if count:
                place = {"type": "place_cubes", "card": card["card"], "resource": resource, "count": count}
                commands.append(place)
                left -= count
    commands.append({"type": "validate"})
    return [{"decision": decision["id"], "command": command} for command in commands]


def version(table: Table) -> int:
    """The version of the match."""
    return int(table.api.get(table.path).json["version"])


def test_a_whole_planning_step_is_one_batch_and_the_last_one_ends_it(api: Api) -> None:
    table = world.sit_down(api, 3, seed="batches")
    draft(table)
    for seat in (0, 1):
        before = version(table)
        answer = send(table, seat, whole_step(table, seat))
        found = kinds(answer)
        assert found.count("card_slated") == 4 and found.count("card_recycled") == 3
        assert found[-1] == "step_validated"
        assert {event["command"] for event in answer.json["events"]} == {before + 1}
        assert answer.json["version"] == before + len(found)
    before = version(table)
    answer = send(table, 2, whole_step(table, 2))
    found = kinds(answer)
    after = found[found.index("step_validated") + 1 :]
    assert after[0] == "cubes_produced", "the next step has begun in the same append"
    assert set(after) <= {"cubes_produced", "supremacy_awarded", "cubes_stored"}
    assert {event["command"] for event in answer.json["events"]} == {before + 1}
    events = api.get(f"{table.path}/events?after={before}", table.seats[0]).json["items"]
    assert [event["version"] for event in events] == list(range(before + 1, before + len(found) + 1))
    shown = world.view(table, 0)
    assert (shown["state"]["phase"], shown["state"]["step"]) == ("production", "materials")
    assert shown["awaited"] == [0, 1, 2]


@pytest.mark.parametrize("options", [{}, {"war_or_peace": True, "corruption_and_ascension": True}], ids=str)
def test_a_match_is_played_with_one_batch_a_step_and_seat(options: dict[str, Any], api: Api) -> None:
    table = world.sit_down(api, 3, options, seed="batches")
    batches = closed = 0
    while True:
        draft(table)
        shown = world.view(table, 0)
        if shown["status"] == "over":
            break
        for number, seat in enumerate(shown["awaited"], 1):
            found = kinds(send(table, seat, whole_step(table, seat)))
            batches += 1
            ends = bool({"cubes_produced", "tokens_produced", "hands_dealt", "points_counted"} & set(found))
            assert ends == (number == len(shown["awaited"])), "the last seat ends the step, and no other"
            closed += ends
    assert closed >= 4 * 6, "planning and five steps a round"
    assert batches >= closed
    assert shown["outcome"]["reason"] == "finished"


def test_one_impossible_command_keeps_a_whole_step_out(api: Api) -> None:
    table = world.sit_down(api, 2, seed="batches")
    draft(table)
    before, seen = version(table), world.view(table, 0)
    plan = whole_step(table, 0)
    area = seen["state"]["boards"][0]["draft_area"]
    middle = len(plan) // 2
    for number, wrong, code in (
        (0, {"type": "slate_card", "card": "no_such_card"}, "not-drafted"),
        (middle, {"type": "place_cubes", "card": f"{area[1]}-1", "resource": "gold"}, "not-now"),
        (len(plan) - 1, {"type": "recycle_card", "card": area[0], "target": None}, "not-drafted"),
        (1, {"type": "validate"}, "cards-left"),
    ):
        bodies = [*plan[:number], {**plan[0], "command": wrong}, *plan[number:]]
        answer = send(table, 0, bodies)
        assert (answer.status_code, answer.json["code"]) == (422, "illegal-move"), answer.text
        assert [(error["pointer"], error["code"]) for error in answer.json["errors"]] == [
            (f"/commands/{number}", code)
        ]
    assert version(table) == before
    assert world.view(table, 0) == seen
    assert kinds(send(table, 0, plan))[-1] == "step_validated"


def test_a_batch_that_ends_the_step_cannot_go_on_into_the_next(api: Api) -> None:
    table = world.sit_down(api, 2, seed="batches")
    draft(table)
    send(table, 1, whole_step(table, 1))
    before = version(table)
    plan = whole_step(table, 0)
    beyond = [*plan, {**plan[0], "command": {"type": "validate"}}]
    answer = send(table, 0, beyond)
    assert (answer.status_code, answer.json["code"]) == (409, "stale-decision"), answer.text
    assert version(table) == before
    assert "cubes_produced" in kinds(send(table, 0, plan))


def test_a_seat_that_has_validated_may_still_act_until_the_step_closes(api: Api) -> None:
    table = world.sit_down(api, 2, seed="batches")
    draft(table)
    assert kinds(send(table, 0, whole_step(table, 0)))[-1] == "step_validated"
    assert world.view(table, 0)["awaited"] == [1]
    given_up = [
        m for m in world.legal(table, 0)["moves"] if m["body"]["command"]["type"] == "discard_construction"
    ]
    assert len(given_up) == 4
    assert kinds(table.send(0, given_up[0]["body"])) == ["construction_discarded"]
    again = table.send(0, {**given_up[0]["body"], "command": {"type": "validate"}})
    assert (again.status_code, again.json["errors"][0]["code"]) == (422, "already-validated")
    send(table, 1, whole_step(table, 1))
    late = table.send(0, given_up[1]["body"])
    assert (late.status_code, late.json["code"]) == (409, "stale-decision")
