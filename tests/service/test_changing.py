"""The host changes its mind in the lobby."""

from typing import Any

import pytest

from service.bootstrap import Services
from service.errors import Forbidden, Invalid, NotFound, Refused, StaleVersion
from tests.service.table import set_up, started, tenant


def test_options_change_by_an_event_and_hold_from_the_start_on(either: Services) -> None:
    table = set_up(either, seats=2, options={"rounds": 3})
    made = either.matches.change(table.tenant, table.match, {"options": {"rounds": 2}})
    assert (made["options"]["rounds"], made["options"]["bonus"]) == (2, True)
    event = table.log()[-1]
    assert (event["type"], event["actor"], event["cause"]) == ("match.changed", "tenant", "host")
    assert event["data"] == {"options": made["options"], "visibility": "public"}
    table.start()
    started_with = next(event for event in table.log() if event["type"] == "match.started")
    assert started_with["data"]["options"]["rounds"] == 2
    assert either.matches.list_matches(table.tenant)["items"][0]["options"]["rounds"] == 2


def test_what_is_so_already_is_no_event(services: Services) -> None:
    table = set_up(services, seats=2, options={"rounds": 2})
    for body in ({}, {"options": {"rounds": 2}}, {"visibility": "public"}):
        before = len(table.log())
        services.matches.change(table.tenant, table.match, body)
        assert len(table.log()) == before
    assert services.matches.change(table.tenant, table.match, {"visibility": "private"})["visibility"] == (
        "private"
    )


def test_it_may_depend_on_what_was_seen(services: Services) -> None:
    table = set_up(services, seats=2)
    version = len(table.log())
    body: dict[str, Any] = {"options": {"rounds": 2}}
    with pytest.raises(StaleVersion):
        services.matches.change(table.tenant, table.match, body, version - 1)
    services.matches.change(table.tenant, table.match, body, version)
    with pytest.raises(StaleVersion):
        services.matches.change(table.tenant, table.match, body, version)


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"options": {"rounds": 9}}, "/options/rounds"),
        ({"options": {"rounds": None}}, "/options/rounds"),
        ({"options": {"colour": 1}}, "/options/colour"),
        ({"options": 1}, "/options"),
        ({"options": {"card_set": "mine"}}, "/options/card_set"),
        ({"visibility": "secret"}, "/visibility"),
        ({"seats": []}, "/seats"),
    ],
)
def test_a_change_that_makes_no_sense_is_refused(
    services: Services, body: dict[str, Any], pointer: str
) -> None:
    table = set_up(services, seats=2)
    with pytest.raises(Invalid) as wrong:
        services.matches.change(table.tenant, table.match, body)
    assert [fault.pointer for fault in wrong.value.faults] == [pointer]


def test_only_the_host_and_only_before_the_start(services: Services) -> None:
    table = started(services, seats=2)
    with pytest.raises(Refused) as refused:
        services.matches.change(table.tenant, table.match, {"visibility": "private"})
    assert refused.value.kind == "already-started"
    with pytest.raises(Forbidden):
        services.matches.change(table.seat(0), table.match, {})
    with pytest.raises(NotFound):
        services.matches.change(tenant(services, "stranger"), table.match, {})
