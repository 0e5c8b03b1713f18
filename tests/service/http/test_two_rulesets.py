"""Two rulesets of 7 Wonders live at once: a match keeps its own; one that is not here is left alone."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from domain import seven_wonders
from domain.catalogue import GAMES
from domain.kernel.game import Game
from domain.kernel.library import Library
from service import bootstrap, settings
from service.http.app import create_app
from service.http.face import HttpSettings
from tests.rulesets import dearer
from tests.service.http import world
from tests.service.http.conftest import SECRET, Api, Table

OLD = seven_wonders.RULESET


def api_with(*games: Game, over: Api | None = None) -> Api:
    """The application with these games in this order, on the store of another one."""
    live = Library(games)
    adapters = None if over is None else over.services.adapters
    made = bootstrap.services(settings.for_memory(SECRET), live, adapters=adapters)
    return Api(create_app(made.matches, HttpSettings(), live), made)


@pytest.fixture
def before() -> Iterator[Api]:
    """The service before the change of the rules."""
    api = api_with(*GAMES.values())
    yield api
    api.services.close()


@pytest.fixture
def after(before: Api) -> Iterator[Api]:
    """The same service afterwards: the new ruleset first, the old one kept."""
    api = api_with(dearer.GAME, *GAMES.values(), over=before)
    yield api
    api.services.close()


def at(api: Api, table: Table) -> Table:
    """The same table, asked through another process."""
    return Table(api, table.id, table.host, table.seats)


def coins(table: Table, seat: int = 0) -> int:
    """What a city has."""
    return int(world.view(table, seat)["state"]["cities"][seat]["coins"])


def all_discard(table: Table) -> list[dict[str, Any]]:
    """Everybody discards its first card; the events that followed."""
    version = world.view(table, 0)["version"]
    for seat in range(3):
        body = next(body for body in table.moves(seat) if body["command"]["type"] == "discard_for_coins")
        assert table.send(seat, body).status_code == 200
    page = table.api.get(f"{table.path}/events?after={version}&limit=200", table.seats[0]).json
    return list(page["items"])


def test_a_match_is_played_on_by_the_ruleset_it_was_set_up_under(before: Api, after: Api) -> None:
    old = world.sit_down(before, 3, game="seven-wonders")
    first = all_discard(old)
    assert coins(old) == 6
    assert [event["data"]["coins"] for event in first if event["type"].endswith("card_discarded")] == [3] * 3

    old, new = at(after, old), world.sit_down(after, 3, game="seven-wonders")
    rulesets = {table.id: after.get(table.path).json["ruleset"] for table in (old, new)}
    assert rulesets == {old.id: OLD, new.id: dearer.RULESET}
    for table, brought, has in ((old, 3, 9), (new, 4, 7)):
        followed = all_discard(table)
        gained = [event["data"]["coins"] for event in followed if event["type"].endswith("card_discarded")]
        assert gained == [brought] * 3
        assert {event["ruleset"] for event in followed} == {rulesets[table.id]}
        assert coins(table) == has


def test_the_catalogue_names_both_the_newest_first(after: Api) -> None:
    game = after.get("/v1/games/seven-wonders").json
    assert (game["ruleset"], game["rulesets"]) == (dearer.RULESET, [dearer.RULESET, OLD])
    old = after.get(f"/v1/games/seven-wonders?ruleset={quote(OLD)}").json
    assert (old["ruleset"], old["rulesets"]) == (OLD, game["rulesets"])
    assert old["ruleset_digest"] != game["ruleset_digest"]


def test_a_fork_keeps_the_ruleset_of_its_match(after: Api, before: Api) -> None:
    old = at(after, world.sit_down(before, 3, game="seven-wonders"))
    made = after.post(f"{old.path}/forks", {}, old.host)
    assert made.status_code == 201, made.text
    assert made.json["match"]["ruleset"] == OLD
    seats = [seat["token"] for seat in made.json["seats"]]
    all_discard(fork := Table(after, made.json["match"]["id"], old.host, seats))
    assert coins(fork) == 6


def test_without_its_ruleset_a_match_is_refused_and_never_folded_under_another(before: Api) -> None:
    old = world.sit_down(before, 3, game="seven-wonders")
    body = old.moves(0)[0]
    only_new = api_with(dearer.GAME, over=before)
    away = at(only_new, old)
    answers = [
        *(only_new.get(f"{old.path}{rest}", old.host) for rest in ("", "/view", "/seats", "/export")),
        *(only_new.get(f"{old.path}{rest}", old.seats[0]) for rest in ("/legal-moves", "/events", "/view")),
        only_new.post(f"{old.path}/forks", {}, old.host),
        away.send(0, body),
    ]
    for answer in answers:
        assert (answer.status_code, answer.json["code"]) == (409, "ruleset-unsupported"), answer.text
        assert answer.json["detail"] == f"the match is played under {OLD}"
    assert only_new.services.upkeep.rebuild() == 1, "the sweeper leaves it alone"
    assert only_new.get("/v1/matches", old.host).json["items"][0]["ruleset"] == OLD
    assert old.send(0, body).status_code == 200, "nothing was written meanwhile"
