"""Several commands of one seat at once: all of them or none."""

from typing import Any

from tests.service.http.conftest import Seated, Table

KEY = "b" * 20


def send(table: Table, seat: int, commands: list[Any], **headers: str) -> Any:
    """Post a batch of a seat."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    path = f"{table.path}/command-batches"
    return table.api.post(path, {"commands": commands}, table.seats[seat], headers=named)


def version(table: Table) -> int:
    """The version of the match."""
    return int(table.api.get(table.path).json["version"])


def test_a_batch_is_recorded_as_one(seated: Seated) -> None:
    table = seated().start()
    before = version(table)
    first, second, *_ = table.moves(0)
    taken = {"decision": first["decision"], "command": {"type": "withdraw"}}
    answer = send(table, 0, [first, taken, second])
    assert answer.status_code == 200, answer.text
    events = answer.json["events"]
    assert [event["type"].split(".")[1] for event in events] == [
        "action_chosen",
        "action_withdrawn",
        "action_chosen",
    ]
    assert {event["command"] for event in events} == {before + 1}
    assert {event["decision"] for event in events} == {first["decision"]}
    assert answer.json["head"]["version"] == version(table) == before + 3
    chosen = table.api.get(f"{table.path}/view", table.seats[0]).json["state"]["choices"]
    assert [choice["card"] for choice in chosen] == [second["command"]["card"]]


def test_one_refused_command_keeps_all_others_out(seated: Seated) -> None:
    table = seated().start()
    before = version(table)
    move = table.moves(0)[0]
    illegal = {**move, "command": {"type": "build_structure", "card": "palace"}}
    answer = send(table, 0, [move, illegal, move])
    assert (answer.status_code, answer.json["code"]) == (422, "illegal-move")
    assert [(error["pointer"], error["code"]) for error in answer.json["errors"]] == [
        ("/commands/1", "not-in-hand")
    ]
    stale = send(table, 0, [move, {**move, "decision": "d1.choose"}])
    assert (stale.status_code, stale.json["code"]) == (409, "stale-decision")
    assert stale.json["current"]["decision_id"] == move["decision"]
    assert version(table) == before
    assert table.api.get(f"{table.path}/view", table.seats[0]).json["state"]["choices"] == []


def test_a_batch_may_end_the_turn_and_not_go_beyond_it(seated: Seated) -> None:
    table = seated().start()
    for seat in (1, 2):
        assert table.send(seat, table.moves(seat)[0]).status_code == 200
    before = version(table)
    move = table.moves(0)[0]
    assert send(table, 0, [move, move]).json["code"] == "stale-decision", "the first one closes it"
    assert version(table) == before
    answer = send(table, 0, [move])
    assert answer.status_code == 200
    assert "seven_wonders.hands_passed" in {event["type"] for event in answer.json["events"]}


def test_a_retried_batch_gets_its_first_answer(seated: Seated) -> None:
    table = seated().start()
    first, second, *_ = table.moves(0)
    answer = send(table, 0, [first, second], Idempotency_Key=KEY)
    assert table.send(1, table.moves(1)[0]).status_code == 200
    again = send(table, 0, [first, second], Idempotency_Key=KEY)
    assert again.data == answer.data and again.headers["Idempotency-Replayed"] == "true"
    outcome = table.api.get(f"{table.path}/commands/{KEY}", table.seats[0]).json
    assert outcome["status"] == "applied" and outcome["last"] == answer.json["version"]
    assert send(table, 0, [second], Idempotency_Key=KEY).json["code"] == "idempotency-key-reused"
    assert table.send(0, first, Idempotency_Key=KEY).json["code"] == "idempotency-key-reused"


def test_what_no_batch_can_be_is_said_with_a_pointer(seated: Seated) -> None:
    table = seated().start()
    move = table.moves(0)[0]
    cases: list[tuple[list[Any], str]] = [
        ([], "/commands"),
        ([move] * 101, "/commands"),
        ([move, 3], "/commands/1"),
        ([move, {"command": {"type": "withdraw"}}], "/commands/1/decision"),
        ([move, {**move, "command": {"type": "fly"}}], "/commands/1/command/type"),
        ([{**move, "seat": 1}], "/commands/0/seat"),
        ([move, {"command": {"type": "start"}}], "/commands/1/command/type"),
    ]
    before = version(table)
    for commands, pointer in cases:
        answer = send(table, 0, commands)
        assert (answer.status_code, answer.json["code"]) == (400, "validation"), (commands, answer.text)
        assert answer.json["errors"][0]["pointer"] == pointer
    assert version(table) == before


def test_a_batch_may_insist_on_what_was_seen(seated: Seated) -> None:
    table = seated().start()
    move = table.moves(0)[0]
    stale = send(table, 0, [move], If_Match=f'"v{version(table) - 1}"')
    assert (stale.status_code, stale.json["code"]) == (412, "stale-version")
    assert send(table, 0, [move], If_Match=f'"v{version(table)}"').status_code == 200


def test_a_batch_cannot_try_out_what_nobody_has_shown_yet(seated: Seated) -> None:
    """The last seat to choose closes the turn: what follows may not be asked about before it has chosen."""
    table = seated().start()
    for seat in (1, 2):
        assert table.send(seat, table.moves(seat)[0]).status_code == 200
    before = version(table)
    move = table.moves(0)[0]
    cards = [card["id"] for card in table.api.get("/v1/games/seven-wonders").json["cards"]]
    said = set()
    for card in [card for card in cards if card != move["command"]["card"]][:40]:
        for opened in range(before + 1, before + 8):
            later = {"decision": f"d{opened}.choose", "command": {"type": "discard_for_coins", "card": card}}
            never = {"decision": "d1.choose", "command": later["command"]}
            answer = send(table, 0, [move, later, never])
            said.add((answer.status_code, str(answer.json["errors"]), str(answer.json["current"])))
    assert len(said) == 1, "cards of the next hand were told apart"
    assert "/commands/1" in said.pop()[1]
    assert version(table) == before


def test_a_command_of_the_table_answers_no_decision_in_a_batch_either(seated: Seated) -> None:
    table = seated().start()
    move = table.moves(0)[0]
    answer = send(table, 0, [move, {"decision": move["decision"], "command": {"type": "resign"}}])
    assert answer.status_code == 200, answer.text
    decisions = {event["type"]: event["decision"] for event in answer.json["events"]}
    assert decisions["seven_wonders.action_chosen"] == move["decision"]
    assert decisions["match.seat_resigned"] is None
