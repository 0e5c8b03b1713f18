"""Who sees what: rights, perspectives, views of the past, pages, lists, bundles."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from events import bundle
from service import bootstrap
from service.bootstrap import Services
from service.credentials import NOBODY, Caller
from service.errors import CursorExpired, Forbidden, Invalid, NotFound, Unauthenticated
from service.settings import for_memory
from tests.service import tiny_game
from tests.service.table import SECRET, Hands, run_jobs, set_up, started, tenant

READS: dict[str, Callable[[Services, Caller, str], Any]] = {
    "match": lambda services, caller, match: services.matches.match(caller, match),
    "seats": lambda services, caller, match: services.matches.seats(caller, match),
    "view": lambda services, caller, match: services.matches.view(caller, match),
    "an old view": lambda services, caller, match: services.matches.view(caller, match, 1),
    "events": lambda services, caller, match: services.matches.events(caller, match, 0),
    "export": lambda services, caller, match: list(services.matches.export(caller, match)),
}


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize(
    ("visibility", "who", "refused"),
    [
        ("public", "nobody", None),
        ("public", "tenant", None),
        ("public", "seat", None),
        ("public", "another tenant", NotFound),
        ("public", "a seat elsewhere", Forbidden),
        ("private", "nobody", NotFound),
        ("private", "tenant", None),
        ("private", "seat", None),
        ("private", "another tenant", NotFound),
        ("private", "a seat elsewhere", Forbidden),
    ],
)
def test_who_may_read(
    services: Services, read: str, visibility: str, who: str, refused: type[Exception] | None
) -> None:
    table = started(services, seats=2, visibility=visibility)
    caller = {
        "nobody": lambda: NOBODY,
        "tenant": lambda: table.tenant,
        "seat": lambda: table.seat(0),
        "another tenant": lambda: tenant(services, "other"),
        "a seat elsewhere": lambda: started(services, seats=2).seat(0),
    }[who]()
    if refused is None:
        assert READS[read](services, caller, table.match)
    else:
        with pytest.raises(refused):
            READS[read](services, caller, table.match)


@pytest.mark.parametrize("read", READS)
def test_a_match_that_is_not_there_cannot_be_told_from_one_that_may_not_be_seen(
    services: Services, read: str
) -> None:
    hidden = started(services, seats=2, visibility="private")
    said = []
    for match in (hidden.match, "mat_" + "b" * 26):
        with pytest.raises(NotFound) as missing:
            READS[read](services, NOBODY, match)
        said.append(str(missing.value))
    assert said[0] == said[1]


def test_the_operator_can_keep_spectators_without_credentials_out() -> None:
    known = replace(for_memory(SECRET), public_spectators=False)
    services = bootstrap.services(known, {tiny_game.NAME: tiny_game}, Hands())
    table = started(services, seats=2)
    for match in (table.match, "mat_" + "b" * 26):
        with pytest.raises(Unauthenticated):
            services.matches.view(NOBODY, match)
    assert services.matches.view(table.tenant, table.match)


def test_each_sees_the_own_pick_only(services: Services) -> None:
    table = started(services, seats=3)
    table.pick(0, 3)
    table.pick(1, 4)

    def picks(caller: Caller) -> Any:
        return services.matches.view(caller, table.match)["state"]["picks"]

    assert picks(table.seat(0)) == {"0": 3, "1": "face-down"}
    assert picks(table.seat(1)) == {"0": "face-down", "1": 4}
    for spectator in (table.tenant, NOBODY, table.seat(2)):
        assert picks(spectator) == {"0": "face-down", "1": "face-down"}


def test_a_view_of_the_past_is_the_view_of_then(either: Services) -> None:
    table = started(either, seats=2)
    then: dict[int, Any] = {}
    for seat, number in [(0, 1), (1, 2), (0, 3), (1, 4)]:
        view = table.view(table.seat(0))
        then[view["version"]] = view
        table.pick(seat, number)
    for version, view in then.items():
        assert table.view(table.seat(0), version) == view
    assert table.view(table.seat(0), table.view()["version"]) == table.view(table.seat(0))


def test_there_is_a_view_after_every_event(services: Services) -> None:
    table = started(services, seats=2)
    for seat in (0, 1):
        table.pick(seat, 3)
    for version in range(1, table.view()["version"] + 1):
        for caller in (table.tenant, table.seat(0)):
            assert table.view(caller, version)["version"] == version


def test_there_is_no_view_of_the_future(services: Services) -> None:
    table = started(services, seats=2)
    for version in (0, -1, table.view()["version"] + 1):
        with pytest.raises(NotFound):
            table.view(version=version)


def test_legal_moves_can_be_posted_as_they_are(services: Services) -> None:
    table = started(services, seats=2)
    while table.view()["status"] == "running":
        for seat in (0, 1):
            shown = services.matches.legal_moves(table.seat(seat), table.match)
            assert [move["id"] for move in shown["moves"]] == [f"m{n}" for n in range(1, 6)]
            assert shown["decisions"] == table.view()["decisions"]
            table.command(table.seat(seat), shown["moves"][seat]["body"])
    over = services.matches.legal_moves(table.seat(0), table.match)
    assert over["moves"] == over["refused"] == over["decisions"] == []


def test_legal_moves_say_what_is_refused_and_why(services: Services) -> None:
    table = started(services, seats=2)
    shown = services.matches.legal_moves(table.seat(0), table.match)
    assert shown["refused"] == [
        {
            "label": "Pick 6",
            "reason": {"code": "out-of-range", "detail": "numbers go from 1 to 5"},
            "missing": {"numbers": 1},
        }
    ]
    assert shown["moves"][2] == {
        "id": "m3",
        "label": "Pick 3",
        "body": {"decision": table.decision()["id"], "command": {"type": "pick", "number": 3}},
        "cost": {},
        "effects": {"points": 3},
    }


def test_a_seat_that_has_resigned_has_no_moves(services: Services) -> None:
    table = started(services, seats=3)
    table.command(table.seat(0), {"command": {"type": "resign"}})
    assert services.matches.legal_moves(table.seat(0), table.match)["moves"] == []


def test_only_seats_have_moves(services: Services) -> None:
    table = started(services, seats=2)
    with pytest.raises(Forbidden):
        services.matches.legal_moves(table.tenant, table.match)
    with pytest.raises(Unauthenticated):
        services.matches.legal_moves(NOBODY, table.match)


@pytest.mark.parametrize(
    ("who", "body", "refused"),
    [
        ("nobody", {"command": {"type": "start"}}, Unauthenticated),
        ("seat", {"command": {"type": "start"}}, Forbidden),
        ("seat", {"command": {"type": "cancel"}}, Forbidden),
        ("tenant", {"command": {"type": "resign"}}, Forbidden),
        ("tenant", {"command": {"type": "pick", "number": 1}, "decision": "d1.pick"}, Forbidden),
        ("another tenant", {"command": {"type": "start"}}, NotFound),
        ("another tenant", {"command": {"type": "resign"}}, NotFound),
        ("a seat elsewhere", {"command": {"type": "resign"}}, Forbidden),
        ("a seat elsewhere", {"command": {"type": "start"}}, Forbidden),
    ],
)
def test_who_may_command(
    services: Services, who: str, body: dict[str, Any], refused: type[Exception]
) -> None:
    table = set_up(services, seats=2)
    caller = {
        "nobody": lambda: NOBODY,
        "tenant": lambda: table.tenant,
        "seat": lambda: table.seat(0),
        "another tenant": lambda: tenant(services, "other"),
        "a seat elsewhere": lambda: started(services, seats=2).seat(0),
    }[who]()
    with pytest.raises(refused):
        services.matches.command(caller, table.match, body, table.key(), "f")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/command"),
        ({"command": []}, "/command"),
        ({"command": {}}, "/command/type"),
        ({"command": {"type": "castle"}, "decision": "d1.pick"}, "/command/type"),
        ({"command": {"type": "expire_deadline", "decision": "d1.pick"}}, "/command/type"),
        ({"command": {"type": "report_bot_failure"}}, "/command/type"),
        ({"command": {"type": "join_seat"}}, "/command/type"),
        ({"command": {"type": "pick", "number": 3}}, "/decision"),
        ({"command": {"type": "pick", "number": 3}, "decision": 7}, "/decision"),
        ({"command": {"type": "pick", "number": "3"}, "decision": "d1.pick"}, "/command/number"),
        ({"command": {"type": "pick", "number": 3.0}, "decision": "d1.pick"}, "/command"),
        ({"command": {"type": "pick", "number": 2**53}, "decision": "d1.pick"}, "/command"),
        ({"command": {"type": "pick"}, "decision": "d1.pick"}, "/command"),
        ({"command": {"type": "pick", "number": 3, "seat": 1}, "decision": "d1.pick"}, "/command/seat"),
        ({"command": {"type": "resign", "seat": 1}}, "/command/seat"),
        ({"command": {"type": "resign"}, "seat": 1}, "/seat"),
    ],
)
def test_a_command_that_makes_no_sense_is_refused_with_a_pointer(
    services: Services, body: dict[str, Any], pointer: str
) -> None:
    table = started(services, seats=2)
    with pytest.raises(Invalid) as wrong:
        services.matches.command(table.seat(0), table.match, body, table.key(), "f")
    assert [fault.pointer for fault in wrong.value.faults] == [pointer]


def test_pages_of_events_join_up(either: Services) -> None:
    table = started(either, seats=2)
    table.pick(0, 3)
    whole = table.log(table.seat(0))
    pages: list[Any] = []
    after = 0
    while True:
        page = either.matches.events(table.seat(0), table.match, after, 2)
        if not page["items"]:
            break
        assert page["head"] == len(whole)
        assert page["next_after"] == page["items"][-1]["version"]
        pages += page["items"]
        after = page["next_after"]
    assert pages == whole
    assert [event["version"] for event in whole] == list(range(1, len(whole) + 1))
    with pytest.raises(CursorExpired) as lost:
        either.matches.events(table.seat(0), table.match, len(whole) + 1, wait_s=30)
    assert lost.value.head == str(len(whole))


def test_a_seat_can_open_its_own_seals_and_no_others(services: Services) -> None:
    table = started(services, seats=2)
    table.pick(0, 3)
    table.pick(1, 4)
    own, other = (event for event in table.log(table.seat(0)) if event["type"] == "tiny.number_picked")
    assert "nonce" in own and own["data"]["number"] == 3
    assert "nonce" not in other and other["data"]["number"] == "face-down"
    assert all("nonce" not in event for event in table.log())


def test_a_long_poll_ends_with_the_next_event(either: Services) -> None:
    table = started(either, seats=2)
    version = table.view()["version"]
    found: list[Any] = []
    waiting = threading.Thread(
        target=lambda: found.append(either.matches.events(table.seat(0), table.match, version, 50, 90))
    )
    waiting.start()
    table.pick(1, 4)
    waiting.join(60)
    assert [event["type"] for event in found[0]["items"]] == ["tiny.number_picked"]


def test_a_long_poll_ends_empty_when_the_time_is_up_and_at_once_when_the_match_is_over(
    services: Services,
) -> None:
    table = started(services, seats=2)
    version = table.view()["version"]
    assert services.matches.events(table.tenant, table.match, version, 50, 0.05)["items"] == []
    table.command(table.seat(0), {"command": {"type": "resign"}})
    over = table.view()["version"]
    assert services.matches.events(table.tenant, table.match, over, 50, 90)["items"] == []


@pytest.mark.parametrize(("after", "limit"), [(-1, 50), (0, 0), (0, 201)])
def test_a_page_that_makes_no_sense_is_refused(services: Services, after: int, limit: int) -> None:
    table = started(services, seats=2)
    with pytest.raises(Invalid):
        services.matches.events(table.tenant, table.match, after, limit)


def test_the_bundle_of_a_running_match_shows_the_callers_side_and_verifies(services: Services) -> None:
    table = started(services, seats=2)
    table.pick(0, 3)
    table.pick(1, 5)
    table.pick(1, 4)
    for caller in (table.seat(0), table.tenant, NOBODY):
        lines = list(services.matches.export(caller, table.match))
        report = bundle.verify(lines)
        assert report.ok, report.reason
        assert report.signed
        assert bundle.read(lines).header["perspective"] == ("s0" if caller.seat == 0 else "public")
        # The second round's pick of seat 1 is nobody else's business.
        assert b'"number":4' not in b"".join(lines)


def test_the_bundle_of_a_match_that_is_over_shows_everything_to_all_who_may_see_it(
    services: Services,
) -> None:
    table = started(services, seats=3, bots={2: "random"})
    while table.view()["status"] == "running":
        table.pick(0, 3)
        table.pick(1, 4)
        run_jobs(services)
    exports = [
        list(services.matches.export(who, table.match)) for who in (table.seat(0), table.tenant, NOBODY)
    ]
    assert exports[0] == exports[1] == exports[2]
    report = bundle.verify(exports[0])
    assert report.ok, report.reason
    assert report.seals_opened == report.seals > 0
    assert report.draws_repeated == report.draws == 1


def test_lists_show_the_tenants_own_matches_youngest_first(either: Services, clock: Hands) -> None:
    host, other = tenant(either, "one"), tenant(either, "other")
    made = [set_up(either, seats=2, host=host) for _ in range(5)]
    set_up(either, seats=2, host=other)
    newest_first = [match["id"] for match in either.matches.list_matches(host)["items"]]
    assert sorted(newest_first) == sorted(table.match for table in made)
    seen: list[str] = []
    cursor = None
    while True:
        page = either.matches.list_matches(host, limit=2, cursor=cursor)
        seen += [match["id"] for match in page["items"]]
        cursor = page["next_cursor"]
        assert page["has_more"] == (cursor is not None)
        if cursor is None:
            break
        # What is made meanwhile does not shift the pages.
        clock.move(1)
        set_up(either, seats=2, host=host)
    assert seen == newest_first


def test_lists_follow_the_status_and_can_be_filtered_by_it(either: Services) -> None:
    host = tenant(either)
    lobby, running, over = (set_up(either, seats=2, host=host) for _ in range(3))
    for table in (running, over):
        table.start()
    over.command(over.seat(0), {"command": {"type": "resign"}})

    def listed(game: str | None = None, status: str | None = None) -> list[str]:
        return [match["id"] for match in either.matches.list_matches(host, game, status)["items"]]

    assert listed(status="lobby") == [lobby.match]
    assert listed(status="running") == [running.match]
    assert listed(status="over") == [over.match]
    assert len(listed(game="tiny")) == 3
    assert listed(game="tiny", status="over") == [over.match]
    assert listed(game="seven-wonders") == []


def test_a_cursor_is_good_for_its_own_filters_only(services: Services) -> None:
    host = tenant(services)
    for _ in range(3):
        set_up(services, seats=2, host=host)
    cursor = services.matches.list_matches(host, limit=1)["next_cursor"]
    for wrong in (
        {"cursor": cursor, "status": "lobby"},
        {"cursor": cursor[:-2] + "AA"},
        {"cursor": "x"},
        {"cursor": "ä"},
        {"cursor": ""},
    ):
        with pytest.raises(Invalid) as refused:
            services.matches.list_matches(host, limit=1, **wrong)
        assert refused.value.faults[0].pointer == "/query/cursor"
    with pytest.raises(Invalid):
        services.matches.list_matches(tenant(services, "other"), limit=1, cursor=cursor)


def test_only_tenants_have_lists(services: Services) -> None:
    for caller in (NOBODY, set_up(services, seats=2).seat(0)):
        with pytest.raises(Unauthenticated):
            services.matches.list_matches(caller)


def test_what_became_of_a_command_is_told_to_who_sent_it(services: Services) -> None:
    table = started(services, seats=2)
    answer = table.pick(0, 3, key="the-key-of-this-pick")
    outcome = services.matches.command_outcome(table.seat(0), table.match, "the-key-of-this-pick")
    assert outcome == {"status": "applied", "first": answer["version"], "last": answer["version"]}
    for other in (table.seat(1), table.tenant):
        unknown = services.matches.command_outcome(other, table.match, "the-key-of-this-pick")
        assert unknown == {"status": "unknown"}
    with pytest.raises(Unauthenticated):
        services.matches.command_outcome(NOBODY, table.match, "the-key-of-this-pick")
    with pytest.raises(NotFound):
        services.matches.command_outcome(tenant(services, "other"), table.match, "the-key-of-this-pick")


def test_the_service_says_whether_it_is_ready(either: Services) -> None:
    assert either.matches.ready() == {"status": "ready", "warnings": []}
