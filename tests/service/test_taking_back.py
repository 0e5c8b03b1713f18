"""Moves taken back, through the use cases: by which version, by whose leave, and what the log holds then."""

import io
import random
from dataclasses import replace
from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.kernel.errors import IllegalMove
from events import bundle
from events.envelope import FULL
from service.bootstrap import Services
from service.cli.redecide import redecide
from service.errors import Invalid
from tests.service.table import Hands, Table, in_memory, run_jobs, set_up, started

Json = dict[str, Any]
OWN = {"undo": "own-turn"}


def send(table: Table, seat: int, type: str, **members: Any) -> Json:
    return table.command(table.seat(seat), {"command": {"type": type, **members}})


def refused(table: Table, seat: int, **members: Any) -> str:
    """The code of a refusal to take back."""
    with pytest.raises(IllegalMove) as error:
        send(table, seat, "undo", **members)
    assert error.value.kind == "undo-refused"
    return error.value.reason.code


def offered(table: Table, seat: int) -> list[Json]:
    """What is offered besides the game, by type of command."""
    listed = table.services.matches.legal_moves(table.seat(seat), table.match)["table"]
    return [offer["body"] for offer in listed if offer["body"]["command"]["type"] == "undo"]


def test_by_default_nothing_is_taken_back(services: Services) -> None:
    table = started(services, 2)
    table.pick(0, 3)
    assert refused(table, 0) == "undo-off"
    assert offered(table, 0) == []


def test_a_seat_takes_back_what_it_did_last(services: Services, clock: Hands) -> None:
    table = started(services, 2, options=OWN)
    before = table.view(table.seat(0))
    table.pick(0, 3)
    answer = table.command(table.seat(0), offered(table, 0)[0])
    (undone,) = answer["events"]
    assert (undone["type"], undone["actor"], undone["cause"]) == ("match.undone", "seat:0", "player")
    assert undone["data"] == {"seat": 0, "to": before["version"], "reopened": []}
    after = table.view(table.seat(0))
    assert {**after, "version": 0} == {**before, "version": 0}
    assert table.types()[-2:] == ["tiny.number_picked", "match.undone"], "the log keeps everything"
    assert table.view(table.seat(0), undone["version"] - 1)["state"]["picks"] == {"0": 3}
    other = replace(table, services=in_memory(clock, adapters=services.adapters))
    assert other.view(other.seat(0)) == after
    table.pick(0, 4)
    table.pick(1, 2)
    assert table.view()["state"]["points"] != [0, 0]


def test_several_commands_are_taken_back_one_after_the_other_or_at_once(services: Services) -> None:
    table = started(services, 2, options=OWN)
    versions = [table.view()["version"]]
    for number in (3, 4, 5):
        table.pick(0, number)
        versions.append(table.view()["version"])
    send(table, 0, "undo")
    assert table.view(table.seat(0))["state"]["picks"] == {"0": 4}
    assert refused(table, 0, to=versions[2] + 1) == "nothing-to-undo"
    assert refused(table, 0, to=versions[0] - 1) == "nothing-to-undo"
    send(table, 0, "undo", to=versions[0])
    assert table.view(table.seat(0))["state"]["picks"] == {}
    assert refused(table, 0) == "nothing-to-undo"


def test_nothing_is_taken_back_once_somebody_else_has_acted(services: Services) -> None:
    table = started(services, 3, options=OWN)
    table.pick(0, 3)
    table.pick(1, 3)
    assert refused(table, 0) == "nothing-to-undo"
    assert refused(table, 0, to=table.view()["version"] - 2) == "nothing-to-undo"
    send(table, 1, "undo")
    assert refused(table, 0) == "nothing-to-undo", "also when the other has taken that back"


def test_bots_that_follow_have_acted(services: Services) -> None:
    table = set_up(services, 3, bots={2: "random"}, options=OWN)
    table.start()
    table.pick(0, 3)
    run_jobs(services)
    assert refused(table, 0) == "nothing-to-undo"


def test_nothing_is_taken_back_once_it_was_shown(services: Services) -> None:
    table = started(services, 2, options={"undo": "consent"})
    table.pick(0, 3)
    table.pick(1, 4)
    assert refused(table, 1) == "decision-closed"
    assert offered(table, 1) == []


def test_what_expired_stays(services: Services, clock: Hands) -> None:
    table = started(services, 3, options={**OWN, "decision_limit_ms": 10_000, "on_expiry": "bot-takes-over"})
    table.pick(0, 3)
    clock.move(20_000)
    assert refused(table, 0) == "too-late-to-undo"


def test_with_consent_every_other_person_agrees(services: Services) -> None:
    table = set_up(services, 4, bots={3: "easy"}, options={"undo": "consent"})
    table.start()
    run_jobs(services)
    before = table.view()["version"]
    table.pick(0, 3)
    send(table, 0, "undo")
    proposal = table.view()["proposal"]
    assert (proposal["kind"], proposal["seat"], proposal["to"], proposal["awaited"]) == (
        "undo",
        0,
        before,
        [1, 2],
    )
    send(table, 1, "agree", proposal=proposal["id"])
    answer = send(table, 2, "agree", proposal=proposal["id"])
    assert [(event["type"], event["actor"]) for event in answer["events"]] == [
        ("match.proposal_agreed", "seat:2"),
        ("match.undone", "rules"),
    ]
    assert table.decision()["awaited"] == [0, 1, 2]


def test_a_wish_to_take_back_ends_when_the_game_goes_on(services: Services) -> None:
    table = started(services, 3, options={"undo": "consent"})
    table.pick(0, 3)
    send(table, 0, "undo")
    proposal = table.view()["proposal"]["id"]
    table.pick(1, 4)
    assert table.view()["proposal"] is None
    with pytest.raises(IllegalMove) as error:
        send(table, 2, "agree", proposal=proposal)
    assert error.value.reason.code == "no-such-proposal"


def test_a_batch_holds_no_undo_and_is_taken_back_as_a_whole(services: Services) -> None:
    table = started(services, 2, options=OWN)
    decision = table.decision()["id"]
    picks = [{"decision": decision, "command": {"type": "pick", "number": number}} for number in (2, 3)]
    with pytest.raises(Invalid):
        batch(table, [*picks, {"command": {"type": "undo"}}])
    batch(table, picks)
    send(table, 0, "undo")
    assert table.view(table.seat(0))["state"]["picks"] == {}


def test_a_batch_that_begins_with_another_command_is_a_command_of_its_own(services: Services) -> None:
    table = started(services, 2, options={**OWN, "decision_limit_ms": 60_000})
    table.pick(0, 3)
    pick = {"decision": table.decision()["id"], "command": {"type": "pick", "number": 5}}
    batch(table, [{"command": {"type": "add_time", "ms": 5_000}}, pick])
    late = table.decision()["deadline_at"]
    send(table, 0, "undo")
    assert table.view(table.seat(0))["state"]["picks"] == {"0": 3}
    assert table.decision()["deadline_at"] == late, "what was given stays given"


def batch(table: Table, commands: list[Json]) -> None:
    services = table.services
    services.matches.command_batch(table.seat(0), table.match, {"commands": commands}, table.key(), "batch")


@pytest.mark.parametrize("option", ["own-turn", "consent"])
@pytest.mark.parametrize("game", list(GAMES))
def test_a_match_with_much_taken_back_is_exported_verified_and_decided_again(game: str, option: str) -> None:
    """Everybody posts what is listed, taking back whatever may be; then two give up."""
    dice = random.Random(f"{game} {option}")
    services = in_memory(games=GAMES)
    try:
        table = started(services, 2, game=game, options={"undo": option}, seed="taken back")
        for _ in range(60):
            view = table.view()
            if view["status"] != "running":
                break
            seat = dice.choice(view["awaited"])
            if view["proposal"] is not None:
                seat = view["proposal"]["awaited"][0]
                send(table, seat, "agree", proposal=view["proposal"]["id"])
            elif (back := [each for at in (0, 1) for each in offered_by(table, at)]) and dice.random() < 0.4:
                table.command(*dice.choice(back))
            else:
                listed = services.matches.legal_moves(table.seat(seat), table.match)["moves"]
                table.command(table.seat(seat), dice.choice(listed)["body"])
        assert table.types().count("match.undone") >= 1
        if table.view()["status"] == "running":
            send(table, 1, "resign")
        read = bundle.read(io.BytesIO(b"".join(services.matches.export(table.tenant, table.match))))
        assert read.header["perspective"] == FULL
        assert redecide(read).difference is None
        forged = next(event for event in read.envelopes if event["type"] == "match.undone")
        forged["data"]["to"] = 3
        assert redecide(read).difference is not None
    finally:
        services.close()


def offered_by(table: Table, seat: int) -> list[tuple[Any, Json]]:
    return [(table.seat(seat), body) for body in offered(table, seat)]
