"""Time travel over HTTP: patches between views, one event, what caches may keep."""

import random
from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.kernel.game import Game
from domain.kernel.seats import SPECTATOR
from tests import twins
from tests.applying import applied
from tests.service.http.conftest import Api, Seated
from tests.service.http.test_twin_worlds import Log, opened

FOR_EVER = "private, immutable, max-age=31536000"


def whole(api: Api, game: Game, seats: int, seed: int, **options: Any) -> Log:
    """A match played to its end, in the store."""
    log = opened(api.services.store, game, seats, random.Random(seed))
    log.tell(twins.tell(game, seats, seed, **options))
    return log


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_diff_makes_one_view_of_another_for_every_viewer(game: Game, api: Api) -> None:
    log = whole(api, game, 2, 5)
    path, dice = f"/v1/matches/{log.match}", random.Random(6)
    for viewer in twins.viewers(2):
        token = None if viewer == SPECTATOR else log.tokens[viewer]
        for _ in range(12):
            before, after = (dice.randint(1, len(log.records)) for _ in range(2))
            old, new = (api.get(f"{path}/view?version={version}", token).json for version in (before, after))
            diff = api.get(f"{path}/diff?from={before}&to={after}", token).json
            assert (diff["match"], diff["from"], diff["to"]) == (log.match, before, after)
            assert applied(diff["patch"], old) == new
            if before == after:
                assert diff["patch"] == []


def test_a_diff_without_to_leads_to_the_newest_view(seated: Seated) -> None:
    table = seated().start()
    old = table.api.get(f"{table.path}/view", table.seats[0]).json
    table.send(0, table.moves(0)[0])
    diff = table.api.get(f"{table.path}/diff?from={old['version']}", table.seats[0])
    assert applied(diff.json["patch"], old) == table.api.get(f"{table.path}/view", table.seats[0]).json
    assert diff.headers["Cache-Control"] == "private, no-cache"


def test_what_is_past_is_kept_for_ever(seated: Seated) -> None:
    table = seated().start()
    head = table.api.get(table.path, table.host).json["version"]
    settled = table.api.get(f"{table.path}/diff?from={head - 1}&to={head}", table.seats[0])
    assert settled.headers["Cache-Control"] == FOR_EVER
    again = table.api.get(
        f"{table.path}/diff?from={head - 1}&to={head}",
        table.seats[0],
        headers={"If-None-Match": settled.headers["ETag"]},
    )
    assert again.status_code == 304
    others = table.api.get(f"{table.path}/diff?from={head - 1}&to={head}", table.seats[1])
    assert others.headers["ETag"] != settled.headers["ETag"]
    lobby = table.api.get(f"{table.path}/diff?from=1&to={head}", table.seats[0])
    assert lobby.headers["Cache-Control"] == "private, no-cache", "names may change in the lobby"


@pytest.mark.parametrize("query", ["from=0", "to=3", "from=x", "from=1&from=2", "from=1&at=2", "from=1&to=0"])
def test_a_diff_of_no_versions_is_refused(query: str, seated: Seated) -> None:
    table = seated()
    assert table.api.get(f"{table.path}/diff?{query}", table.host).status_code == 400


def test_versions_that_are_not_there_are_not_found(seated: Seated) -> None:
    table = seated()
    for path in ("/diff?from=1&to=99", "/diff?from=99", "/events/99", "/events/0", "/events/x", "/events/-1"):
        assert table.api.get(table.path + path, table.host).status_code == 404, path


def test_one_event_is_that_of_the_page(seated: Seated) -> None:
    table = seated().start()
    for token in (*table.seats, None):
        page = table.api.get(f"{table.path}/events?limit=200", token).json["items"]
        for event in page:
            one = table.api.get(f"{table.path}/events/{event['version']}", token)
            assert one.json == event
            assert one.headers["Cache-Control"] == FOR_EVER
