"""Persons erased over HTTP: no answer names them, whoever asks, and no cache is told that it is current."""

import json
import logging

import pytest

from service import scopes
from service.keyring import Wish
from tests.service.http.conftest import Api, Seated, Table
from tests.service.http.running import new_key


def named_everywhere(table: Table) -> list[bool]:
    """Whether the first player is named, in every answer that shows seats, for everybody."""
    found = []
    for path in ("", "/seats", "/seats/0", "/view", "/view?version=5"):
        for token in (None, table.host, *table.seats):
            answer = table.api.get(table.path + path, token)
            assert answer.status_code == 200, path
            found.append("Player 0" in answer.text)
    return found


def erase_seat(table: Table, seat: int) -> bool:
    return table.api.services.persons.erase_seat(table.id, seat, "acme", "operator")


def test_an_erased_name_is_in_no_answer_any_more(seated: Seated) -> None:
    table = seated().start()
    assert all(named_everywhere(table))
    before = table.api.get(f"{table.path}/export", table.seats[0]).data
    tag = table.api.get(f"{table.path}/view", table.seats[0]).headers["ETag"]
    assert erase_seat(table, 0) is True
    assert not any(named_everywhere(table))
    assert table.api.get(f"{table.path}/export", table.seats[0]).data == before
    known = table.api.get(f"{table.path}/view", table.seats[0], headers={"If-None-Match": tag})
    assert known.status_code == 200 and "Player 1" in known.text


def test_whoever_the_tenant_names_is_erased_in_all_its_matches(api: Api, seated: Seated) -> None:
    tables = [seated(open_seats=1) for _ in range(3)]
    host = tables[0].host
    for table in tables[:2]:
        body = {"name": "Zoë Quirke", "player_ref": "user|Zoe-4711"}
        table.seats.append(api.post(f"{table.path}/seats", body, table.host).json["token"])
    invite = api.post(f"{tables[2].path}/invites", {"player_ref": "user|Zoe-4711"}, host).json["token"]
    joined = api.post(f"{tables[2].path}/seats", {"name": "Zoë Quirke"}, invite)
    tables[2].seats.append(joined.json["token"])
    waiting = "/v1/matches?awaiting_me=user%7CZoe-4711"
    for table in tables:
        table.start()
        assert api.get(f"{table.path}/seats/2", table.host).json["name"] == "Zoë Quirke"
        held = json.dumps(api.services.store.secrets(table.id))
        assert "Quirke" not in held and "Zoe-4711" not in held
    assert len(api.get(waiting, host).json["items"]) == 3
    assert api.get("/v1/matches?awaiting_me=nobody", host).json["items"] == []
    assert api.ask("DELETE", "/v1/persons/user%7CZoe-4711", host).status_code == 204
    for table in tables:
        for path in ("", "/seats", "/view"):
            for token in (table.host, *table.seats):
                answer = api.get(table.path + path, token)
                assert answer.status_code == 200 and "Quirke" not in answer.text
                assert "Player 1" in answer.text
    assert api.get(waiting, host).json["items"] == []
    late = seated(open_seats=1)
    api.post(f"{late.path}/seats", {"player_ref": "user|Zoe-4711"}, late.host)
    late.start()
    assert [each["id"] for each in api.get(waiting, host).json["items"]] == [late.id], "another person"


def test_a_tag_with_names_still_says_which_version_was_seen(seated: Seated) -> None:
    table = seated().start()
    tag = table.api.get(f"{table.path}/view", table.seats[0]).headers["ETag"]
    erase_seat(table, 1)
    assert table.send(0, table.moves(0)[0], If_Match=tag).status_code == 200


def test_no_difference_of_views_and_no_list_has_a_name(seated: Seated) -> None:
    table = seated()
    head = table.api.get(table.path, table.host).json["version"]
    for path in (f"{table.path}/diff?from=1&to={head}", f"{table.path}/events?limit=200", "/v1/matches"):
        assert "Player 0" not in table.api.get(path, table.host).text, path


def test_erasing_again_or_nobody_answers_the_same_and_is_written_down(
    api: Api, log: pytest.LogCaptureFixture
) -> None:
    host = api.tenant("acme")
    api.services.persons.id_of("acme", "user|1 é")
    for _ in range(2):
        answer = api.ask("DELETE", "/v1/persons/user%7C1%20%C3%A9", host)
        assert (answer.status_code, answer.data) == (204, b"")
    assert api.services.persons.find("acme", "user|1 é") is None
    done = api.services.persons.erasures()
    assert [each.outcome for each in done] == ["erased", "nobody"]
    assert {(each.tenant, each.by) for each in done} == {("acme", host.rpartition("_")[0])}
    assert "user|1" not in json.dumps([str(each) for each in done])


def test_another_tenant_erases_nobody_of_yours(api: Api) -> None:
    api.services.persons.id_of("acme", "ann")
    assert api.ask("DELETE", "/v1/persons/ann", api.tenant("other")).status_code == 204
    assert api.services.persons.find("acme", "ann") is not None


def test_only_a_key_for_administration_erases(api: Api) -> None:
    key = api.services.keys.create("acme", Wish(scopes.ALL - {scopes.ADMIN})).key
    assert api.ask("DELETE", "/v1/persons/ann", key).status_code == 403


@pytest.mark.parametrize("name", ["An\u200bn", "\u202eAnn", " Ann", "Ann\u200d", "\u3164"])
def test_a_name_that_hides_something_is_refused(name: str, seated: Seated) -> None:
    table = seated(open_seats=1)
    answer = table.api.post(f"{table.path}/seats", {"name": name}, table.host)
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (400, "/name")
    table.api.post(f"{table.path}/seats", {}, table.host)
    table.start()
    body = {"kind": "person", "name": name}
    keyed = {"Idempotency-Key": new_key()}
    handed = table.api.ask("PUT", f"{table.path}/seats/0/controller", table.host, json=body, headers=keyed)
    assert (handed.status_code, handed.json["errors"][0]["pointer"]) == (400, "/name")


def test_no_log_line_holds_a_name(seated: Seated, log: pytest.LogCaptureFixture) -> None:
    table = seated().start()
    erase_seat(table, 0)
    table.api.ask("DELETE", "/v1/persons/user-4711", table.host)
    said = "\n".join(logging.Formatter().format(record) for record in log.records)
    assert "Player" not in said and "user-4711" not in said
