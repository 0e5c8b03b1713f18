"""Several card sets over HTTP: which one a match has, its catalogue, and a match whose set is not here."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from domain.wonderful_kingdom import ORIGINAL
from service import bootstrap, card_sets, settings
from service.http.app import create_app
from service.http.face import HttpSettings
from tests.service.http import kingdom, world
from tests.service.http.conftest import SECRET, Api, Table

SECOND = Path(__file__).parents[2] / "data" / "wonderful_kingdom" / "second_set"


def with_sets(*folders: Path, over: Api | None = None) -> Api:
    """The application with these card sets, on the store of another one."""
    known = replace(settings.for_memory(SECRET), kingdom_cards=folders)
    games = card_sets.games(folders)
    made = bootstrap.services(known, games, adapters=None if over is None else over.services.adapters)
    return Api(create_app(made.matches, HttpSettings(), games), made)


@pytest.fixture
def both() -> Iterator[Api]:
    """A service with the second set besides the original one."""
    api = with_sets(SECOND)
    yield api
    api.services.close()


def test_the_catalogue_of_a_match_is_that_of_its_ruleset(both: Api) -> None:
    for options, cards in (({}, card_sets.load(SECOND)), ({"card_set": ORIGINAL.pin}, ORIGINAL)):
        table = world.sit_down(both, 2, options, kingdom.GAME)
        match = both.get(table.path).json
        assert match["options"]["card_set"] == cards.pin
        game = both.get(f"/v1/games/{kingdom.GAME}?ruleset={quote(match['ruleset'])}").json
        assert game["ruleset"] == match["ruleset"] and match["ruleset"] in game["rulesets"]
        assert {card["id"] for card in game["cards"]} == set(cards.kinds)
        assert {board["duchy"] for board in world.view(table, 0)["state"]["boards"]} == set(cards.duchies)


def test_a_ruleset_that_is_not_here_is_not_found_and_one_that_is_none_is_refused(both: Api) -> None:
    path = f"/v1/games/{kingdom.GAME}?ruleset="
    missing = both.get(path + quote("its-a-wonderful-kingdom/1.0.0+own-1@0011"))
    assert (missing.status_code, missing.json["code"]) == (404, "not-found")
    for wrong in ("", "1.0.0", "its-a-wonderful-kingdom/1.0.0 own-1@0011", "x" * 300):
        refused = both.get(path + quote(wrong))
        assert (refused.status_code, refused.json["code"]) == (400, "validation"), wrong


def test_every_operation_on_a_match_whose_set_is_not_here_is_refused_in_the_same_way(both: Api) -> None:
    here = world.sit_down(both, 2, {}, kingdom.GAME)
    ruleset = both.get(here.path).json["ruleset"]
    api = with_sets(over=both)
    table = Table(api, here.id, here.host, here.seats)
    body = world.legal(here, world.view(here, 0)["awaited"][0])["moves"][0]["body"]
    answers = [
        *(
            api.get(f"{here.path}{rest}", here.host)
            for rest in ("", "/seats", "/seats/0", "/view", "/export")
        ),
        *(api.get(f"{here.path}{rest}", here.seats[0]) for rest in ("/legal-moves", "/events", "/view")),
        api.get(f"{here.path}/commands/{'k' * 20}", here.seats[0]),
        api.post(f"{here.path}/command-batches", {"commands": [body]}, here.seats[0]),
        api.post(f"{here.path}/seats", {"name": "Eve"}, here.host),
        api.ask("DELETE", f"{here.path}/seats/0", here.host),
        table.send(0, body),
    ]
    for answer in answers:
        assert (answer.status_code, answer.json["code"]) == (409, "ruleset-unsupported"), answer.text
        assert answer.json["detail"] == f"the match is played under {ruleset}"
    assert api.get(f"{here.path}/view", api.tenant("other")).status_code == 404
    listed = api.get("/v1/matches", here.host).json["items"]
    assert [match["ruleset"] for match in listed] == [ruleset]
    again = both.get(f"{here.path}/view", here.seats[0])
    assert again.status_code == 200
