"""Matches counted when they end, and all counted again: the same numbers; and nothing of running matches."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from redis import Redis

from domain import seven_wonders, wonderful_kingdom, wonderful_world
from domain.kernel.game import Game
from events.envelope import Recorded
from service import bootstrap, settings
from service.adapters.memory_statistics import MemoryTotals
from service.adapters.redis_statistics import RedisTotals
from service.bootstrap import Services
from service.credentials import Caller
from service.errors import NotFound
from service.statistics.counting import Counts
from service.statistics.totals import RebuildOvertaken, Totals
from tests.rulesets import finished
from tests.service.table import PATIENT_MS, SECRET

MATCHES: list[tuple[str, Game, int, int]] = [
    ("acme", seven_wonders, 3, 5),
    ("acme", seven_wonders, 4, 6),
    ("acme", wonderful_world, 2, 7),
    ("other", seven_wonders, 3, 8),
    ("other", wonderful_kingdom.GAME, 2, 9),
]
LOGS = [(tenant, game, finished.records(game, seats, seed)) for tenant, game, seats, seed in MATCHES]


@pytest.fixture(params=["memory", "redis"])
def services(request: pytest.FixtureRequest) -> Iterator[Services]:
    """Services with the games of the catalogue, in memory and on a real server."""
    known = settings.for_memory(SECRET)
    if request.param == "redis":
        url = request.getfixturevalue("server_url")
        with Redis.from_url(url) as client:
            client.flushdb()
        known = replace(known, streams_url=url, queues_url=url, store_timeout_ms=PATIENT_MS)
    made = bootstrap.services(known)
    yield made
    made.close()


def sums(services: Services) -> dict[tuple[str, str], Counts]:
    """All that is counted."""
    totals = services.adapters.totals
    return {
        (tenant, game): found
        for tenant in totals.tenants()
        for game in services.statistics.games()
        if (found := totals.sums(tenant, game))
    }


def private(log: list[Recorded]) -> list[Recorded]:
    """The same match, watched by nobody; its hashes do not hold, which nobody here looks at."""
    created = replace(log[0], data={**log[0].data, "visibility": "private"})
    return [created, *log[1:]]


def test_counted_one_by_one_or_all_again_the_numbers_are_the_same(services: Services) -> None:
    expected = {("acme", "seven-wonders"), ("acme", "its-a-wonderful-world"), ("other", "seven-wonders")}
    for number, (tenant, _, log) in enumerate(LOGS):
        match = finished.put(services.store, log, tenant)
        for _ in range(2):  # a look may come twice
            services.upkeep.look_at(match)
        if number == 3:
            assert sums(services).keys() == expected
    services.upkeep.look_at(finished.put(services.store, private(finished.records(seven_wonders, 3, 11))))
    services.upkeep.look_at(finished.put(services.store, finished.records(seven_wonders, 3, 12), most=30))
    services.upkeep.rebuild()
    before = sums(services)
    assert before.keys() == expected | {("other", "its-a-wonderful-kingdom")}
    assert before["acme", "seven-wonders"][seven_wonders.RULESET, "matches", "3"] == 1
    assert services.statistics.rebuild(services.adapters.lists.all_matches()) == (7, 5)
    assert sums(services) == before
    for _ in range(2):
        services.upkeep.rebuild()
    assert sums(services) == before, "nothing is counted twice after a rebuild"


def test_a_match_that_ends_during_a_rebuild_is_counted_once(services: Services) -> None:
    ids = [finished.put(services.store, log, tenant) for tenant, _, log in LOGS[:2]]

    def meanwhile() -> Iterator[str]:
        yield ids[0]
        services.upkeep.look_at(ids[1])
        assert sums(services)["acme", "seven-wonders"][seven_wonders.RULESET, "matches", "4"] == 1
        yield ids[1]

    services.statistics.rebuild(meanwhile())
    found = sums(services)["acme", "seven-wonders"]
    assert (found[seven_wonders.RULESET, "matches", "3"], found[seven_wonders.RULESET, "matches", "4"]) == (
        1,
        1,
    )


def test_of_two_rebuilds_at_once_the_later_counts(services: Services) -> None:
    totals = services.adapters.totals
    first = totals.begin()
    totals.add_to(first, "acme", "go", "mat_a", {("go/1.0.0", "matches", "2"): 1})
    second = totals.begin()
    totals.add_to(second, "acme", "go", "mat_b", {("go/1.0.0", "matches", "3"): 1})
    with pytest.raises(RebuildOvertaken):
        totals.finish(first)
    assert totals.sums("acme", "go") == {}
    totals.finish(second)
    assert totals.sums("acme", "go") == {("go/1.0.0", "matches", "3"): 1}
    totals.add("acme", "go", "mat_b", {("go/1.0.0", "matches", "3"): 1})
    assert totals.has("acme", "mat_b") and not totals.has("acme", "mat_a")
    assert totals.sums("acme", "go") == {("go/1.0.0", "matches", "3"): 1}


def test_the_old_generation_leaves_nothing_behind(server_url: str) -> None:
    with Redis.from_url(server_url) as client:
        client.flushdb()
        totals: Totals = RedisTotals(client)
        for number in range(3):
            totals.add("acme", "go", f"mat_{number}", {("go/1.0.0", "matches", "2"): 1})
            generation = totals.begin()
            totals.add_to(generation, "acme", "go", "mat_a", {("go/1.0.0", "matches", "2"): 1})
            totals.finish(generation)
        keys = {key.decode() for key in client.scan_iter()}
    assert keys == {
        "wonderlog:statistics", "wonderlog:statistics:3", "{statistics:acme}:3", "{statistics:acme}:3:go",
    }  # fmt: skip


def test_the_sums_of_a_memory_store_cannot_be_changed_from_outside() -> None:
    totals = MemoryTotals()
    totals.add("acme", "go", "mat_a", {("go/1.0.0", "matches", "2"): 1})
    totals.sums("acme", "go").clear()
    assert totals.sums("acme", "go")


def test_a_tenant_sees_its_own_matches_and_the_operator_all(services: Services) -> None:
    for tenant, _, log in LOGS:
        services.upkeep.look_at(finished.put(services.store, log, tenant))
    statistics, games = services.statistics, ("seven-wonders", "its-a-wonderful-world")
    acme, other, third = (Caller(tenant=name) for name in ("acme", "other", "third"))
    assert [statistics.of_tenant(acme, game)["matches"] for game in games] == [2, 1]
    assert [statistics.of_tenant(other, game)["matches"] for game in games] == [1, 0]
    assert statistics.of_tenant(third, "seven-wonders")["results"] == []
    assert [statistics.of_all(game)["matches"] for game in games] == [3, 1]
    assert statistics.of_all("seven-wonders", tenant="other")["matches"] == 1
    with pytest.raises(NotFound):
        statistics.of_tenant(acme, "chess")


def test_rates_are_those_of_the_matches(services: Services) -> None:
    for tenant, _, log in LOGS:
        services.upkeep.look_at(finished.put(services.store, log, tenant))
    said = services.statistics.of_all("seven-wonders", seats=3)
    assert (said["matches"], said["seats"], said["ruleset"]) == (2, 3, seven_wonders.RULESET)
    assert [(row["seats"], row["seat"], row["player"]) for row in said["results"]] == [
        (3, 0, "person"),
        (3, 1, "person"),
        (3, 2, "person"),
    ]
    ends = [
        log[-1].data for tenant, game, log in LOGS if game is seven_wonders and len(log[0].data["seats"]) == 3
    ]
    for row in said["results"]:
        points = [end["scores"][row["seat"]]["total"] for end in ends]
        assert row["points"] == sum(points) / 2
        won = sum(row["seat"] in (end["winners"] or end["ranking"][0]) for end in ends)
        assert (row["played"], row["won"], row["rate"]) == (2, won, won / 2)
        assert row["low"] <= row["rate"] <= row["high"] and row["expected"] == 0.3333
    assert sum(row["played"] for row in said["boards"]) == 6
    together = services.statistics.of_all("seven-wonders")
    assert together["matches"] == 3 and sum(row["played"] for row in together["boards"]) == 10
    assert sum(row["taken"] for row in together["picks"]) == 18 * (3 + 4 + 3)
    assert together["draws"]["otherwise"] == 0 and together["draws"]["as_drawn"] > 9
    assert services.statistics.of_all("seven-wonders", ruleset="seven-wonders/9.9.9")["matches"] == 0


def test_a_running_match_is_in_no_number_until_it_is_over(services: Services) -> None:
    log = finished.records(seven_wonders, 3, 5)
    commands = len({record.command for record in log})
    services.upkeep.look_at(finished.put(services.store, finished.records(seven_wonders, 4, 6)))
    before = sums(services)
    match = finished.put(services.store, log, most=commands - 1)
    services.upkeep.look_at(match)
    services.statistics.rebuild(services.adapters.lists.all_matches())
    assert sums(services) == before
    last = [record for record in log if record.command == log[-1].command]
    services.store.append(match, last[0].version - 1, None, "", last)
    services.upkeep.look_at(match)
    assert sums(services)["acme", "seven-wonders"][seven_wonders.RULESET, "matches", "3"] == 1
