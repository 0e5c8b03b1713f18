"""Lists: filters, order, cursors; made from the logs again."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from service import bootstrap, settings
from service.bootstrap import Services
from service.credentials import Caller
from service.errors import Forbidden, Invalid
from service.follow_ups import FollowUps
from service.read_models import Filters, Summary
from tests.service import tiny_game
from tests.service.table import SECRET, Table, set_up, started, tenant

# No id, made of letters and digits at random, holds one of these by chance.
ANN, BOB = "ann@club.example", "bob@club.example"


def listed(services: Services, host: Caller, **wanted: Any) -> list[str]:
    """The ids of all pages, two matches a page."""
    found: list[str] = []
    cursor = None
    while True:
        page = services.matches.list_matches(host, limit=2, cursor=cursor, **wanted)
        found += [each["id"] for each in page["items"]]
        cursor = page["next_cursor"]
        assert page["has_more"] == (cursor is not None)
        if cursor is None:
            return found


def test_a_player_finds_the_matches_that_wait_for_it(either: Services) -> None:
    host = tenant(either)
    tables = [set_up(either, seats=2, host=host, bots={1: "easy"}) for _ in range(3)]
    named = Table(either, host, _empty(either, host))
    named.join(player_ref=ANN)
    named.join(player_ref=BOB)
    assert listed(either, host, awaiting_me=ANN) == [], "in the lobby nobody is waited for"
    named.start()
    for player in (ANN, BOB):
        assert listed(either, host, awaiting_me=player) == [named.match]
    named.pick(0, 1)
    assert listed(either, host, awaiting_me=ANN) == []
    assert listed(either, host, awaiting_me=BOB, status="running") == [named.match]
    assert listed(either, host, awaiting_me=BOB, status="lobby") == []
    assert len(listed(either, host)) == len(tables) + 1
    assert listed(either, tenant(either, "other"), awaiting_me=BOB) == []
    assert BOB not in repr(named.log()) + repr(either.matches.list_matches(host))
    assert BOB not in repr(either.matches.match(host, named.match))


def _empty(services: Services, host: Caller, **more: Any) -> str:
    body = {"game": "tiny", "seats": [{"kind": "open"}] * 2, **more}
    made, _ = services.matches.create(host, body, f"empty-{len(listed(services, host)):012d}", "a")
    return str(made["id"])


def test_a_name_given_to_a_player_goes_with_it(either: Services) -> None:
    host = tenant(either)
    table = Table(either, host, _empty(either, host))
    table.join(seat=0, player_ref="ann")
    either.matches.leave(host, table.match, 0)
    table.join(seat=0)
    table.join(seat=1, player_ref="bob")
    table.start()
    assert listed(either, host, awaiting_me="ann") == []
    either.matches.hand_over(host, table.match, 1, {"kind": "person"}, "hand-over-key-0001", "h")
    assert listed(either, host, awaiting_me="bob") == []


def test_an_invite_names_the_player_and_its_holder_may_not(either: Services) -> None:
    host = tenant(either)
    table = Table(either, host, _empty(either, host))
    body = {"seat": 1, "player_ref": ANN}
    invite, _ = either.matches.issue_pass(host, table.match, "invite", body, table.key(), "i")
    guest = either.matches.authenticate(invite["token"], table.match)
    with pytest.raises(Forbidden):
        either.matches.join(guest, table.match, {"player_ref": "bob"}, table.key(), "j")
    either.matches.join(guest, table.match, {}, table.key(), "j")
    table.join()
    table.start()
    assert listed(either, host, awaiting_me=ANN) == [table.match]
    assert ANN not in repr(either.matches.passes(host, table.match, "invite"))


@pytest.mark.parametrize("wrong", ["", "x" * 129, "a\nb", 7, "\ud800"])
def test_a_reference_that_makes_no_sense_is_refused(services: Services, wrong: Any) -> None:
    host = tenant(services)
    table = Table(services, host, _empty(services, host))
    with pytest.raises(Invalid):
        table.join(player_ref=wrong)


def test_changes_are_listed_in_their_order_and_come_again_when_they_change_again(on_redis: Services) -> None:
    host = tenant(on_redis)
    ids = [_empty(on_redis, host) for _ in range(5)]
    since = on_redis.matches.match(host, ids[1])["updated_at"]
    everything = listed(on_redis, host, updated_after="2020-01-01T00:00:00.000Z")
    assert sorted(everything) == sorted(ids)
    assert ids[0] not in listed(on_redis, host, updated_after=since)
    page = on_redis.matches.list_matches(host, limit=3, updated_after="2020-01-01T00:00:00.000Z")
    first = page["items"][0]["id"]
    Table(on_redis, host, first).join()
    rest = on_redis.matches.list_matches(
        host, limit=5, updated_after="2020-01-01T00:00:00.000Z", cursor=page["next_cursor"]
    )
    assert [each["id"] for each in rest["items"]][-1] == first
    with pytest.raises(Invalid):
        listed(on_redis, host, updated_after="2020-02-30T00:00:00.000Z")


def test_many_changes_in_one_moment_are_all_listed_once(on_redis: Services) -> None:
    host = tenant(on_redis)
    model = on_redis.adapters.lists.find("acme", _empty(on_redis, host))
    assert model is not None
    for number in range(12):
        on_redis.adapters.lists.note(replace(model, match=f"mat_{number:026d}"))
    found = listed(on_redis, host, updated_after="2020-01-01T00:00:00.000Z")
    assert len(found) == 13 and found == [model.match] * 13, "the copies show one and the same"


def test_a_lobby_is_found_by_its_open_seats(either: Services) -> None:
    host = tenant(either)
    opened = _empty(either, host)
    hidden = _empty(either, host, visibility="private")
    set_up(either, seats=2, host=host)
    started(either, seats=2, host=host)
    assert sorted(listed(either, host, open_seats=True)) == sorted([opened, hidden])
    assert listed(either, host, open_seats=True, visibility="public") == [opened]
    assert listed(either, host, open_seats=True, status="running") == []
    assert listed(either, host, visibility="private") == [hidden]


def test_a_cursor_is_good_for_its_filters_only(either: Services) -> None:
    host = tenant(either)
    for _ in range(3):
        _empty(either, host)
    cursor = either.matches.list_matches(host, limit=1, open_seats=True)["next_cursor"]
    assert either.matches.list_matches(host, limit=1, open_seats=True, cursor=cursor)["items"]
    for other in ({}, {"open_seats": True, "visibility": "public"}, {"awaiting_me": "ann"}, {"game": "tiny"}):
        with pytest.raises(Invalid):
            either.matches.list_matches(host, limit=1, cursor=cursor, **other)


def test_filters_that_fit_little_give_short_pages_and_an_end(
    on_redis: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.adapters.redis_read_models.MOST_LOOKED_AT", 4)
    monkeypatch.setattr("service.adapters.redis_read_models._CHUNK", 2)
    host = tenant(on_redis)
    wanted = [_empty(on_redis, host, visibility="private")]
    for _ in range(9):
        _empty(on_redis, host)
    wanted.insert(0, _empty(on_redis, host, visibility="private"))
    assert listed(on_redis, host, visibility="private") == wanted


@pytest.fixture
def damaged(on_redis: Services, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Services, Caller]]:
    """Matches, and lists that are wrong in every way there is."""
    host = tenant(on_redis)
    lists = on_redis.adapters.lists
    kept, behind, ahead, gone, astray = (_empty(on_redis, host) for _ in range(5))
    running = Table(on_redis, host, _empty(on_redis, host))
    running.join(player_ref="ann")
    running.join()
    running.start()
    running.pick(0, 1)
    assert on_redis.relisting.check().is_clean
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FollowUps, "after", lambda *_: None)
        Table(on_redis, host, behind).join()
    lists.note(replace(_known(on_redis, ahead), version=40, status="over"))
    lists.drop(_known(on_redis, gone))
    lists.note(replace(_known(on_redis, kept), match="mat_" + "a" * 26))
    on_redis.adapters.lists._client.zrem("{matches:acme}:*:lobby", _known(on_redis, astray).place)  # type: ignore[attr-defined]
    yield on_redis, host


def _known(services: Services, match: str) -> Summary:
    found = services.adapters.lists.find("acme", match)
    assert found is not None
    return found


def test_lists_are_checked_against_the_logs_and_made_good(damaged: tuple[Services, Caller]) -> None:
    services, host = damaged
    found = services.relisting.check()
    assert (found.matches, found.wrong, found.orphans) == (6, 4, 1)
    assert services.relisting.check() == found, "a check changes nothing"
    services.relisting.check(repair=True)
    assert services.relisting.check().is_clean
    assert len(listed(services, host)) == 6
    assert len(listed(services, host, status="lobby")) == 5
    assert services.adapters.lists.page(Filters("acme", status="over"), None, 9) == ([], None)


def test_open_seats_by_visibility_have_an_index_of_their_own(on_redis: Services) -> None:
    """A page looks at no match it does not show, however few of those with open seats it is for."""
    host, lists = tenant(on_redis), on_redis.adapters.lists
    wanted = [_empty(on_redis, host, visibility="private")]
    for _ in range(3):
        _empty(on_redis, host)
    wanted.append(_empty(on_redis, host, visibility="private"))
    looked_at: list[int] = []
    hmget = type(lists._client).hmget  # type: ignore[attr-defined]

    def counted(self: Any, name: str, keys: Any, *more: Any) -> Any:
        looked_at.append(len(keys))
        return hmget(self, name, keys, *more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(lists._client), "hmget", counted)  # type: ignore[attr-defined]
        for more in ({}, {"game": "tiny"}, {"status": "lobby"}):
            found = on_redis.matches.list_matches(
                host, limit=50, open_seats=True, visibility="private", **more
            )
            assert [each["id"] for each in found["items"]] == wanted[::-1]
    assert looked_at == [2, 2, 2]


def test_a_match_moves_between_the_lists_of_open_seats(on_redis: Services) -> None:
    host = tenant(on_redis)
    table = Table(on_redis, host, _empty(on_redis, host))

    def found(**more: Any) -> list[str]:
        return [name for name in ("public", "private") if listed(on_redis, host, visibility=name, **more)]

    assert found(open_seats=True) == ["public"]
    on_redis.matches.change(host, table.match, {"visibility": "private"})
    assert found(open_seats=True) == ["private"] and on_redis.relisting.check().is_clean
    table.join()
    assert found(open_seats=True) == ["private"]
    table.join()
    assert found(open_seats=True) == [] and found() == ["private"] and on_redis.relisting.check().is_clean
    on_redis.matches.leave(host, table.match, 0)
    assert found(open_seats=True, game="tiny") == ["private"]
    (known,) = on_redis.adapters.lists.all_listed()
    on_redis.adapters.lists.drop(known)
    assert found(open_seats=True) == [] and not on_redis.relisting.check(repair=True).is_clean
    assert found(open_seats=True) == ["private"] and on_redis.relisting.check().is_clean


@pytest.mark.parametrize("game", ["*", "tiny"])
def test_lists_from_before_that_index_are_found_wrong_and_made_good(on_redis: Services, game: str) -> None:
    host = tenant(on_redis)
    opened = _empty(on_redis, host)
    assert on_redis.relisting.check().is_clean
    client: Any = on_redis.adapters.lists._client  # type: ignore[attr-defined]
    assert client.delete(f"{{matches:acme}}:{game}:open:public") == 1
    assert on_redis.relisting.check().wrong == 1
    on_redis.upkeep.rebuild([opened])
    assert on_redis.relisting.check().is_clean
    client.zadd(f"{{matches:acme}}:{game}:open:private", {_known(on_redis, opened).place: 0})
    assert on_redis.adapters.lists.find("acme", opened) is None
    assert on_redis.relisting.check(repair=True).wrong == 1
    assert on_redis.relisting.check().is_clean


def test_a_move_is_listed_for_whoever_it_waits_for_without_a_round_trip_of_its_own(
    on_redis: Services, server_url: str
) -> None:
    host = tenant(on_redis)
    table = Table(on_redis, host, _empty(on_redis, host))
    table.join(player_ref="ann")
    table.join(player_ref="bob")
    table.start()
    lists: Any = on_redis.adapters.lists
    with pytest.MonkeyPatch.context() as patch:
        # The other way to the list, by whoever looks after the match, is not gone now.
        patch.setattr(type(lists), "note_all", lambda *_: pytest.fail("a move waits for its list"))
        table.pick(0, 1)
    assert listed(on_redis, host, awaiting_me="ann") == [], "who asks this process is told at once"
    other = bootstrap.services(
        replace(settings.for_memory(SECRET), streams_url=server_url, queues_url=server_url),
        {tiny_game.NAME: tiny_game},
    )
    assert listed(other, host, awaiting_me="bob") == [table.match]
    other.close()
    assert on_redis.relisting.check().is_clean


def test_an_older_note_that_comes_late_changes_nothing(on_redis: Services) -> None:
    host = tenant(on_redis)
    table = Table(on_redis, host, _empty(on_redis, host))
    lists = on_redis.adapters.lists
    before = _known(on_redis, table.match)
    table.join()
    lists.note_soon(before)
    assert _known(on_redis, table.match).version > before.version
    for version in (7, 9, 8):
        lists.note_soon(replace(before, version=version))
    assert _known(on_redis, table.match).version == 9
