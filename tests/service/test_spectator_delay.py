"""Spectators who trail behind: on every path, by so many events, until the match is over."""

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from service import scopes
from service.bootstrap import Services
from service.credentials import NOBODY, Caller
from service.errors import NotFound
from service.keyring import Wish
from tests.service.table import Table, set_up, started

DELAY = 3
LATE = {"spectator_delay": DELAY}


def trailing_host(services: Services, table: Table) -> Caller:
    """A key of the host that does not see matches live."""
    wish = Wish(scopes.ALL - {scopes.LIVE})
    return services.matches.authenticate(services.keys.create(str(table.tenant.tenant), wish).key, None)


def begun(services: Services, **more: Any) -> tuple[Table, list[Caller]]:
    """A match under way, and those who trail behind."""
    table = started(services, seats=3, options=LATE, **more)
    for seat in (0, 1, 2, 0):
        table.pick(seat, seat + 1)
    return table, [NOBODY, trailing_host(services, table)]


READS: dict[str, Callable[[Services, Caller, str], int]] = {
    "match": lambda services, who, match: services.matches.match(who, match)["version"],
    "view": lambda services, who, match: services.matches.view(who, match)["version"],
    "events": lambda services, who, match: services.matches.events(who, match, 0, 200)["items"][-1][
        "version"
    ],
    "head": lambda services, who, match: services.matches.events(who, match, 0, 200)["head"],
    "followed": lambda services, who, match: max(
        item["version"] for _, item in services.matches.following.match(who, match).page("0", 200).items
    ),
    "head followed": lambda services, who, match: int(
        services.matches.following.match(who, match).page("0", 200).head
    ),
    "diff": lambda services, who, match: services.matches.diff(who, match, 1, None)["to"],
    "export": lambda services, who, match: max(
        json.loads(line).get("version", 0) for line in list(services.matches.export(who, match))[1:-1]
    ),
}


@pytest.mark.parametrize("read", READS)
def test_spectators_trail_behind_by_so_many_events(either: Services, read: str) -> None:
    table, late = begun(either)
    head = either.store.head(table.match).version
    for caller in (table.tenant, table.seat(1)):
        assert READS[read](either, caller, table.match) == head
    for caller in late:
        assert READS[read](either, caller, table.match) == head - DELAY


def test_what_they_see_is_what_was_seen_then(either: Services) -> None:
    table, late = begun(either)
    head = table.view()["version"]
    then = table.view(version=head - DELAY)
    for caller in late:
        assert table.view(caller) == then
        assert table.log(caller) == table.log()[: head - DELAY]
    table.pick(1, 2)
    again = table.view(version=either.store.head(table.match).version - DELAY)
    assert again["version"] > then["version"]
    for caller in late:
        assert table.view(caller) == again, "also with what was shown before at hand"


def test_a_version_beyond_what_they_see_is_not_there_yet(services: Services) -> None:
    table, late = begun(services)
    head = table.view()["version"]
    for caller in late:
        for version in (head, head - DELAY + 1):
            with pytest.raises(NotFound):
                table.view(caller, version)
            with pytest.raises(NotFound):
                services.matches.diff(caller, table.match, 1, version)
            with pytest.raises(NotFound):
                services.matches.event(caller, table.match, version)
        assert services.matches.event(caller, table.match, head - DELAY)["version"] == head - DELAY
        beyond = services.matches.events(caller, table.match, head - 1)
        assert (beyond["items"], beyond["head"], beyond["next_after"]) == ([], head - DELAY, head - 1)


def test_lists_trail_behind_as_well(services: Services) -> None:
    table, late = begun(services)
    head = table.view()["version"]
    (listed,) = services.matches.list_matches(late[1])["items"]
    assert listed["version"] == head - DELAY
    assert "name" not in json.dumps(listed["seats"])


def test_the_lobby_and_the_end_are_seen_at_once(services: Services) -> None:
    table = set_up(services, seats=3, options=LATE)
    assert table.view(NOBODY)["version"] == table.view()["version"]
    table.start()
    assert table.view(NOBODY)["status"] == "running"
    for seat in (0, 1):
        table.command(table.seat(seat), {"command": {"type": "resign"}})
    assert table.view()["status"] == "over"
    assert table.view(NOBODY) == table.view()
    assert table.log(NOBODY) == table.log()
    bundle = [json.loads(line) for line in services.matches.export(NOBODY, table.match)]
    assert bundle[0]["over"] and bundle[0]["perspective"] == "full"


def test_the_delay_is_told_in_every_answer(services: Services) -> None:
    table, late = begun(services)
    for caller in (table.tenant, table.seat(0), *late):
        assert table.view(caller)["spectator_delay"] == DELAY
        assert services.matches.events(caller, table.match, 0)["spectator_delay"] == DELAY
        assert services.matches.match(caller, table.match)["options"]["spectator_delay"] == DELAY
    plain = started(services, seats=2)
    assert plain.view()["spectator_delay"] == 0
    assert plain.view(NOBODY) == plain.view()


def test_a_host_that_trails_is_shown_its_own_doing_only(services: Services) -> None:
    table = set_up(services, seats=2, options=LATE)
    late = trailing_host(services, table)
    answer = table.command(late, {"command": {"type": "start"}}, key="k" * 20)
    assert [event["actor"] for event in answer["events"]] == ["tenant"]
    assert answer["version"] > answer["events"][0]["version"]
    assert table.command(late, {"command": {"type": "start"}}, key="k" * 20) == answer


def test_a_waiting_spectator_is_woken_when_the_head_is_far_enough(services: Services) -> None:
    table, _ = begun(services)
    seen = table.view(NOBODY)["version"]
    pages: list[Any] = []
    waiting = threading.Thread(
        target=lambda: pages.append(services.matches.events(NOBODY, table.match, seen, 200, 90))
    )
    waiting.start()
    table.pick(1, 2)
    waiting.join(60)
    (page,) = pages
    head = services.store.head(table.match).version
    assert page["items"] and page["items"][-1]["version"] <= head - DELAY


def test_a_waiting_spectator_waits_the_whole_time_for_nothing(services: Services) -> None:
    table, _ = begun(services)
    seen = table.view(NOBODY)["version"]
    page = services.matches.events(NOBODY, table.match, seen, 200, 0.3)
    assert (page["items"], page["head"]) == ([], seen)
