"""The whole service with its logs on a Redis Cluster of one node and its jobs on a server of their own."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from redis import Redis

from service import bootstrap, settings
from service.bootstrap import Services
from service.errors import NotReady
from tests.embedded import start_valkey
from tests.service import tiny_game
from tests.service.table import PATIENT_MS, SECRET, set_up, started, tenant


@pytest.fixture(scope="module")
def on_cluster() -> Iterator[Services]:
    """Services on a cluster."""
    with start_valkey(cluster=True) as cluster, start_valkey(appendonly="no") as queues:
        known = replace(
            settings.for_memory(SECRET),
            streams_url=cluster.url,
            queues_url=queues.url,
            store_timeout_ms=PATIENT_MS,
        )
        made = bootstrap.services(known, {tiny_game.NAME: tiny_game})
        yield made
        made.close()


def test_a_match_is_played_on_a_cluster(on_cluster: Services) -> None:
    table = started(
        on_cluster, seats=3, bots={1: "easy", 2: "random"}, options={"decision_limit_ms": 3_600_000}
    )
    queue = on_cluster.adapters.queue
    assert queue is not None
    assert len(queue.get_job_ids()) == 1
    while table.view()["status"] == "running":
        decision = table.decision()["id"]
        table.pick(0, 3, decision)
        on_cluster.bots.play(table.match, decision, 1)
    assert on_cluster.matches.list_matches(table.tenant, status="over")["items"][0]["id"] == table.match
    assert on_cluster.scheduler.due_deadlines(10) == []


def test_the_sweeper_and_the_lists_work_on_a_cluster(on_cluster: Services) -> None:
    host = tenant(on_cluster, "another")
    tables = [started(on_cluster, seats=2, host=host) for _ in range(5)]
    listed = on_cluster.matches.list_matches(host, limit=2)
    assert listed["has_more"]
    assert on_cluster.upkeep.rebuild() >= 5
    rest = on_cluster.matches.list_matches(host, limit=10, cursor=listed["next_cursor"])
    seen = [match["id"] for match in listed["items"] + rest["items"]]
    assert sorted(seen) == sorted(table.match for table in tables)


def test_a_cluster_is_ready(on_cluster: Services) -> None:
    assert on_cluster.matches.ready()["warnings"] == []


def test_jobs_cannot_live_on_a_cluster(on_cluster: Services) -> None:
    with pytest.raises(ValueError, match="not on a Cluster"):
        bootstrap.services(replace(on_cluster.settings, queues_url=on_cluster.settings.streams_url))


def test_servers_that_lose_events_are_not_ready() -> None:
    with start_valkey(maxmemory_policy="allkeys-lru", appendonly="no") as unfit:
        known = replace(settings.for_memory(SECRET), streams_url=unfit.url, queues_url=unfit.url)
        made = bootstrap.services(known)
        with pytest.raises(NotReady) as reasons:
            made.matches.ready()
        assert len(reasons.value.reasons) == 2
        unfit.kill()
        with pytest.raises(NotReady):
            made.matches.ready()
        made.close()


def test_nothing_is_taken_before_the_server_was_found_fit() -> None:
    with start_valkey(maxmemory_policy="allkeys-lru") as unfit:
        known = replace(
            settings.for_memory(SECRET),
            streams_url=unfit.url,
            queues_url=unfit.url,
            store_timeout_ms=PATIENT_MS,
        )
        made = bootstrap.services(known, {tiny_game.NAME: tiny_game})
        host = tenant(made)
        for _ in range(2):
            with pytest.raises(NotReady, match="noeviction"):
                set_up(made, seats=2, host=host)
        assert made.matches.list_matches(host)["items"] == []
        with Redis.from_url(unfit.url) as client:
            client.config_set("maxmemory-policy", "noeviction")
        set_up(made, seats=2, host=host).start()
        made.close()


def test_a_server_without_a_file_is_ready_when_the_operator_says_so() -> None:
    with start_valkey(appendonly="no") as server:
        known = replace(
            settings.for_memory(SECRET),
            streams_url=server.url,
            queues_url=server.url,
            durability="memory",
            allow_no_aof=True,
            store_timeout_ms=PATIENT_MS,
        )
        made = bootstrap.services(known, {tiny_game.NAME: tiny_game})
        assert made.matches.ready()["status"] == "ready"
        table = started(made, seats=2)
        table.pick(0, 3)
        made.close()
