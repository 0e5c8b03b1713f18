"""A log that was written by the rules, and logs an operator with all keys could have written instead."""

import random
from copy import deepcopy
from dataclasses import replace
from typing import Any

import click
import pytest

from events import bundle
from service import bootstrap, settings
from service.cli.redecide import redecide
from tests.cli.conftest import Finished

Json = dict[str, Any]


@pytest.fixture
def read(finished: Finished) -> bundle.Bundle:
    """The bundle of a finished match, to be changed."""
    with finished.bundle.open("rb") as file:
        return deepcopy(bundle.read(file))


def first(read: bundle.Bundle, kind: str, after: int = 0) -> Json:
    """The first event of a type after a version."""
    return next(
        event for event in read.envelopes if event["type"].endswith(kind) and event["version"] > after
    )


def test_every_command_is_decided_again(read: bundle.Bundle) -> None:
    found = redecide(read)
    assert found.difference is None
    assert found.commands == len({envelope["command"] for envelope in read.envelopes})


def test_points_counted_wrong_are_found(read: bundle.Bundle) -> None:
    counted = first(read, ".points_counted")
    counted["data"]["scores"][0]["civilian"] += 1
    found = redecide(read).difference
    assert found is not None
    assert (found.version, found.reason) == (
        counted["version"],
        f"the rules give another data of {counted['type']}",
    )


def test_a_choice_of_a_card_that_is_in_another_hand_is_found(read: bundle.Bundle) -> None:
    dealt, chosen = first(read, ".hands_dealt"), first(read, ".action_chosen")
    own = chosen["data"]["seat"]
    others = {card for seat, hand in enumerate(dealt["data"]["hands"]) if seat != own for card in hand}
    chosen["data"]["action"]["card"] = min(others - set(dealt["data"]["hands"][own]))
    found = redecide(read).difference
    assert found is not None
    assert found.version == chosen["version"]
    assert found.reason.startswith("the rules refuse ")


def test_another_deal_is_found(read: bundle.Bundle) -> None:
    dealt = first(read, ".hands_dealt")
    dealt["data"]["hands"][:2] = dealt["data"]["hands"][1::-1]
    found = redecide(read).difference
    assert found is not None
    assert found.version == dealt["version"]


def test_an_event_left_out_is_found(read: bundle.Bundle) -> None:
    passed = first(read, ".hands_passed")
    read.envelopes.remove(passed)
    found = redecide(read).difference
    assert found is not None
    assert found.version == passed["version"]
    assert found.reason == f"the rules go on with {passed['type']}"


def test_an_event_too_much_is_found(read: bundle.Bundle) -> None:
    passed = first(read, ".hands_passed")
    read.envelopes.insert(read.envelopes.index(passed) + 1, deepcopy(passed))
    found = redecide(read).difference
    assert found is not None
    assert found.reason == f"the rules end before this {passed['type']}"


def test_a_command_that_begins_with_a_consequence_is_found(read: bundle.Bundle) -> None:
    passed = first(read, ".hands_passed")
    passed["command"] = passed["version"]
    found = redecide(read).difference
    assert found is not None
    assert found.version in (passed["version"], passed["version"] + 1)


def test_another_seat_than_the_one_that_chose_is_found(read: bundle.Bundle) -> None:
    chosen = first(read, ".action_chosen")
    chosen["actor"] = f"seat:{(chosen['data']['seat'] + 1) % 3}"
    found = redecide(read).difference
    assert found is not None
    assert found.version == chosen["version"]


def test_a_bundle_that_is_not_full_is_refused(read: bundle.Bundle) -> None:
    with pytest.raises(click.ClickException):
        redecide(replace(read, header={**read.header, "perspective": "s0"}))


def test_batches_and_a_seat_the_host_cleared_are_decided_again() -> None:
    services = bootstrap.services(settings.for_memory(bytes(32)))
    matches, dice = services.matches, random.Random(5)
    host = matches.authenticate(services.keys.create("acme").key, None)
    plan = {"game": "seven-wonders", "seats": [{"kind": "bot", "bot": "random"}] + [{"kind": "open"}] * 2}
    match = matches.create(host, plan, "create", "f")[0]["id"]
    matches.leave(host, match, 0)
    seats = []
    for number in range(3):
        token = matches.join(host, match, {"entropy": "ab"}, f"join-{number}", "f")[0]["token"]
        seats.append(matches.authenticate(token, match))
    matches.command(host, match, {"command": {"type": "start"}}, "start", "f")
    sent = 0
    while awaited := matches.view(host, match)["awaited"]:
        caller = seats[dice.choice(awaited)]
        moves = [move["body"] for move in matches.legal_moves(caller, match)["moves"]]
        again = {"decision": moves[0]["decision"], "command": {"type": "withdraw"}}
        chosen = dice.choice([move for move in moves if move["command"]["type"] != "withdraw"])
        batch = [chosen]
        if len(awaited) > 1:
            batch = [dice.choice(moves[:1]), again, chosen]
        matches.command_batch(caller, match, {"commands": batch}, f"batch-{sent}", "f")
        sent += 1
    read = bundle.read(list(matches.export(host, match)))
    found = redecide(read)
    assert found.difference is None, found.difference
    assert found.commands > sent + 6
    services.close()
