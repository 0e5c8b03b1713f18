"""Moves with a range: every count in it is accepted, none beyond it, and the table moves by just as much."""

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from tests.service.http import world
from tests.service.http.conftest import Api, Table

RANGED = ("place_cubes", "store_cubes", "place_krystallium", "place_characters")
# What no command of any phase can be.
NEVER = {"type": "place_cubes", "card": "no_such_card-1", "resource": "gold", "count": 1}
LARGEST = 2**53 - 1
ENOUGH = 10
OPTIONS: list[dict[str, Any]] = [{"corruption_and_ascension": True}, {"side": "C"}, {}, {"side": "B"}, {}]


def test_every_count_of_a_range_is_accepted_and_no_other(api: Api) -> None:
    """A batch that ends in something impossible tells of each count what would become of it, from the very
    same position; then one of them is sent for good."""
    tried: Counter[tuple[str, str]] = Counter()
    for seed, options in enumerate(OPTIONS * 3):
        if all(tried[kind, "least"] for kind in RANGED) and all(
            tried[kind, "between"] for kind in RANGED[:3]
        ):
            break
        dice = random.Random(seed)
        table = world.sit_down(api, 2, options, seed=f"ranges-{seed}")
        over = False
        while not over:
            over = True
            for seat in range(2):
                answer = world.legal(table, seat)
                if not any(seat in decision["awaited"] for decision in answer["decisions"]):
                    continue
                over = False
                for move in answer["moves"]:
                    kind = move["body"]["command"]["type"]
                    assert ("parameters" in move) == (kind in RANGED), kind
                    wide = kind in RANGED and world.within(move)[1] > 2 and not tried[kind, "between"]
                    if wide or (kind in RANGED and tried[kind, "least"] < ENOUGH):
                        try_counts(table, seat, move, tried)
                assert table.send(seat, build(answer["moves"], dice)).status_code == 200
    assert {kind for kind, where in tried if where == "least"} == set(RANGED), tried
    for kind in RANGED[:3]:  # no card has spaces for more than two characters of a kind
        assert tried[kind, "between"] > 0, tried


def try_counts(table: Table, seat: int, move: Mapping[str, Any], tried: Counter[tuple[str, str]]) -> None:
    """Which counts of this move the service would take now. Nothing is recorded."""
    least, most = world.within(move)
    assert (least, move["body"]["command"]["count"]) == (1, most), "the maximum is filled in"
    before = table.api.get(table.path).json["version"]
    never = {**move["body"], "command": NEVER}
    for count, where in ((least, "least"), (most, "most"), ((least + most) // 2, "between")):
        if where == "between" and not least < count < most:
            continue
        batch = {"commands": [world.counted(move, count), never]}
        answer = table.api.post(f"{table.path}/command-batches", batch, table.seats[seat])
        assert (answer.status_code, answer.json["code"]) == (422, "illegal-move"), answer.text
        assert [error["pointer"] for error in answer.json["errors"]] == ["/commands/1"], (move, count)
        tried[move["body"]["command"]["type"], where] += 1
    answer = table.send(seat, world.counted(move, most + 1))
    assert (answer.status_code, answer.json["code"]) == (422, "illegal-move"), (move, most, answer.text)
    for wrong in (0, -1, LARGEST, "1", 1.5, True, None):
        answer = table.send(seat, {**move["body"], "command": {**move["body"]["command"], "count": wrong}})
        assert (answer.status_code, answer.json["code"]) == (400, "validation"), (wrong, answer.text)
        assert answer.json["errors"][0]["pointer"] == "/command/count"
    assert table.api.get(table.path).json["version"] == before


def build(moves: list[dict[str, Any]], dice: random.Random) -> dict[str, Any]:
    """A player that slates much, so that there is something to place on."""
    wanted = [
        move for move in moves if move["body"]["command"]["type"] not in (*world.SELDOM, "recycle_card")
    ]
    move = dice.choice(wanted or moves)
    return world.counted(move, dice.randint(*world.within(move))) if "parameters" in move else move["body"]


@pytest.mark.parametrize(
    ("side", "kind"), [("A", "place_cubes"), ("A", "store_cubes"), ("C", "place_krystallium")]
)
def test_the_table_moves_by_the_count(side: str, kind: str, api: Api) -> None:
    """Cubes on cards, cubes on the Empire card, krystallium: before and after, as the seat sees it."""
    dice, seen = random.Random(5), 0
    table = world.sit_down(api, 2, {"side": side}, seed=f"{side}-{kind}")
    while seen < 3:
        for seat in range(2):
            answer = world.legal(table, seat)
            assert answer["decisions"], "the match is over before it was seen three times"
            if not any(seat in decision["awaited"] for decision in answer["decisions"]):
                continue
            ranged = [move for move in answer["moves"] if move["body"]["command"]["type"] == kind]
            body = build(ranged or answer["moves"], dice)
            before = board(table, seat)
            assert table.send(seat, body).status_code == 200
            if ranged:
                seen += 1
                assert_moved(body["command"], before, board(table, seat))


def board(table: Table, seat: int) -> dict[str, Any]:
    """The seat's own board."""
    shown: dict[str, Any] = world.view(table, seat)["state"]["boards"][seat]
    return shown


def assert_moved(command: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Just `count` of it has left the player, and lies where it should."""
    count = command["count"]
    if command["type"] == "store_cubes":
        paid = before["to_place"][command["resource"]] - after["to_place"].get(command["resource"], 0)
        assert paid == count
        gained = 5 * (after["krystallium"] - before["krystallium"])
        # Where storing leaves nothing that fits, the rules store the rest as well.
        assert after["loose_cubes"] + gained - before["loose_cubes"] == count
        return
    lies = {card["card"]: sum(card["missing"].values()) for card in after["under_construction"]}
    lay = {card["card"]: sum(card["missing"].values()) for card in before["under_construction"]}
    assert lay[command["card"]] - lies.get(command["card"], 0) == count
    if command["type"] == "place_krystallium" and command["card"] in lies:
        assert before["krystallium"] - after["krystallium"] == count
