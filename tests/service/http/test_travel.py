"""Time travel over HTTP: patches between views, one event, what caches may keep."""

import json
import random
from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.kernel.game import Game
from domain.kernel.seats import SPECTATOR
from service.notation.reading import read
from tests import twins
from tests.applying import applied
from tests.domain.stories import strings
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


def test_a_finished_match_is_exported_as_a_page_and_in_its_notation(seated: Seated) -> None:
    table = seated().start()
    for seat in (0, 1, 2, 0, 1):
        table.send(seat, table.moves(seat)[0])
    for seat in (0, 1):
        table.send(seat, {"command": {"type": "resign"}})
    path = f"{table.path}/export"
    page = table.api.get(f"{path}?format=html", table.seats[0])
    assert page.mimetype == "text/html" and page.text.startswith("<!doctype html>")
    assert page.headers["Content-Security-Policy"].startswith("sandbox")
    assert page.headers["Content-Disposition"] == f'attachment; filename="{table.id}.html"'
    for query, name in (
        ("?version=3", "v3.jsonl"),
        ("?perspective=s1", "s1.jsonl"),
        ("?version=3&perspective=public&format=html", "v3.public.html"),
    ):
        told = table.api.get(path + query, table.seats[0]).headers["Content-Disposition"]
        assert told == f'attachment; filename="{table.id}.{name}"'
    text = table.api.get(f"{path}?format=notation", table.seats[0])
    assert text.mimetype == "text/plain", text.text
    again = [draft for drafts in read(GAMES["seven-wonders"], text.text).commands for draft in drafts]
    stored = table.api.services.store.read(table.id, 0, 999)
    assert [draft.data for draft in again] == [record.data for record in stored]


def test_what_runs_has_a_page_of_what_the_caller_knows_and_no_notation(seated: Seated) -> None:
    table = seated().start()
    hands = [table.api.get(f"{table.path}/view", token).json["state"]["hand"] for token in table.seats]
    page = table.api.get(f"{table.path}/export?format=html", table.seats[1]).text
    data = page.partition('id="data">')[2].partition("</script>")[0]
    shown = json.loads(data)
    assert [each["name"] for each in shown["viewers"]] == ["seat 1"]
    del shown["names"]
    known = set(strings(shown))
    assert set(hands[1]) <= known
    assert not (set(hands[0]) | set(hands[2])) - set(hands[1]) & known
    answer = table.api.get(f"{table.path}/export?format=notation", table.seats[1])
    assert (answer.status_code, answer.json["errors"][0]["code"]) == (400, "not-writable")
    assert table.api.get(f"{table.path}/export?format=pdf", table.seats[1]).status_code == 400
