"""The report on the secrecy of a match over HTTP."""

from dataclasses import replace
from typing import Any

import pytest

from domain import seven_wonders
from domain.kernel.redaction import OPEN
from service import bootstrap, settings
from service.clock import SystemClock
from service.http.app import create_app
from service.http.face import HttpSettings
from tests.audit.whole_matches import lines_of
from tests.service.http.conftest import SECRET, Api, Seated, Table
from tests.service.test_secrecy import GAMES, with_names


def finished(table: Table) -> Table:
    """Somebody moved, then all but one gave up."""
    for seat in (0, 1, 2):
        assert table.send(seat, table.moves(seat)[0]).status_code == 200
    for seat in (0, 1):
        table.send(seat, {"command": {"type": "resign"}})
    return table


def test_a_match_that_is_over_has_a_report(seated: Seated) -> None:
    table = finished(seated().start())
    answers = [table.api.get(f"{table.path}/audit/secrecy", token) for token in (table.host, *table.seats)]
    assert {answer.status_code for answer in answers} == {200}
    report = answers[0].json
    assert report["status"] == "done" and report["secret"] is True
    assert [each["viewer"] for each in report["viewers"]] == ["public", "s0", "s1", "s2"]
    assert all(each["versions"] == report["versions"] for each in report["viewers"])
    assert all(each["dealt_anew"] > 5 < each["exchanged"] for each in report["viewers"])
    assert len({answer.data for answer in answers}) == 1


def test_there_is_no_report_before_the_end(seated: Seated) -> None:
    table = seated().start()
    answer = table.api.get(f"{table.path}/audit/secrecy", table.seats[0])
    assert (answer.status_code, answer.json["errors"][0]["code"]) == (409, "not-over")


def test_strangers_are_told_nothing(seated: Seated, api: Api) -> None:
    table = finished(seated("private").start())
    assert api.get(f"{table.path}/audit/secrecy", api.tenant("other")).status_code == 404
    assert api.get(f"{table.path}/audit/secrecy").status_code == 401


@pytest.mark.parametrize("name", GAMES)
def test_imported_matches_are_checked_as_well(name: str, api: Api) -> None:
    host = api.tenant("acme")
    sent: Any = {"data": b"".join(lines_of(name)), "content_type": "application/x-ndjson"}
    match = api.ask("POST", "/v1/imports", host, **sent).json["id"]
    report = api.get(f"/v1/matches/{match}/audit/secrecy", host).json
    assert report["secret"] is True and report["status"] == "done"


def test_a_service_that_leaked_says_so() -> None:
    dealt = next(cls for cls in seven_wonders.REDACTIONS if cls.__name__ == "HandsDealt")
    leaky = with_names(seven_wonders, REDACTIONS={**seven_wonders.REDACTIONS, dealt: OPEN})
    games = {seven_wonders.NAME: leaky}
    services = bootstrap.services(settings.for_memory(SECRET), games)
    api = Api(create_app(services.matches, HttpSettings(), games), services)
    host = api.tenant("acme")
    plan = {"game": seven_wonders.NAME, "seats": [{"kind": "open"}] * 3}
    table = Table(api, api.post("/v1/matches", plan, host).json["id"], host, [])
    for _ in range(3):
        table.seats.append(api.post(f"{table.path}/seats", {}, host).json["token"])
    report = api.get(f"{finished(table.start()).path}/audit/secrecy", host).json
    assert report["secret"] is False and report["status"] == "done"
    for each in report["viewers"]:
        found = each["difference"]
        assert (found["response"], found["world"]) == ("events", "shown")
        event = api.get(f"{table.path}/events/{found['version']}", host).json
        assert event["type"].endswith("hands_dealt") and found["place"].startswith("/hands/")
    services.close()


class Slow:
    """Reports of job workers that take their time."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}
        self.asked: list[int] = []

    def get(self, match: str) -> dict[str, Any]:
        return dict(self.kept)

    def put(self, match: str, viewer: str, found: Any) -> None:
        self.kept[viewer] = found

    def ask(self, match: str, viewers: Any) -> bool:
        self.asked[:] = viewers
        return True


def test_while_workers_are_at_it_what_there_is_is_shown() -> None:
    slow = Slow()
    known = settings.for_memory(SECRET)
    adapters = replace(bootstrap.in_memory(SystemClock()), secrecy=slow)
    services = bootstrap.services(known, {seven_wonders.NAME: seven_wonders}, adapters=adapters)
    api = Api(create_app(services.matches, HttpSettings(), {seven_wonders.NAME: seven_wonders}), services)
    host = api.tenant("acme")
    plan = {"game": seven_wonders.NAME, "seats": [{"kind": "open"}] * 3}
    table = Table(api, api.post("/v1/matches", plan, host).json["id"], host, [])
    for _ in range(3):
        table.seats.append(api.post(f"{table.path}/seats", {}, host).json["token"])
    path = f"{finished(table.start()).path}/audit/secrecy"
    first = api.get(path, host)
    assert (first.status_code, first.json["secret"], first.json["viewers"]) == (202, None, [])
    assert first.headers["Retry-After"] == "1" and slow.asked == [-1, 0, 1, 2]
    services.secrecy.check(table.id, -1)
    services.secrecy.check(table.id, 1)
    second = api.get(path, host)
    assert second.status_code == 202 and slow.asked == [0, 2]
    assert [each["viewer"] for each in second.json["viewers"]] == ["public", "s1"]
    for viewer in slow.asked:
        services.secrecy.check(table.id, viewer)
    assert api.get(path, host).json["secret"] is True
    services.close()
