"""Jobs through RQ: a real worker in burst mode, real jobs by name, lost and doubled ones."""

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from redis import Redis
from rq import Queue
from rq.job import Job
from rq.serializers import JSONSerializer

from domain.kernel.bots import random_policy
from domain.kernel.game import Command, Generator, View
from service import bootstrap
from service.adapters.job_queues import Times
from service.adapters.redis_scheduler import RedisScheduler
from service.bootstrap import Services
from service.clock import SystemClock
from service.scheduling import PLAY_BOT_TURN, bot_job_id
from service.work import BotTurn, Deadline
from tests.embedded import free_port
from tests.service.table import as_game, records, started
from workers import jobs
from workers.main import worker_for
from workers.time_limit import time_limit


def hang(view: View, moves: Sequence[Command], dice: Generator) -> Command:
    while True:
        pass


@pytest.fixture
def tiny(services: Services) -> Iterator[Services]:
    """Services on the server, with the tiny game, whose `easy` bot never answers."""
    game = as_game(BOTS={"random": random_policy, "easy": hang})
    known = replace(services.settings, bot_limit_ms=250)
    made = bootstrap.services(known, {"tiny": game}, limit=time_limit, adapters=services.adapters)
    yield made


def burst(services: Services) -> bool:
    """A worker that does what is queued and ends; whether there was anything."""
    jobs.serve(services)
    client = Redis.from_url(services.settings.queues_url)
    try:
        return worker_for(services, client, threading.Event()).work(burst=True, logging_level="ERROR")
    finally:
        client.close()


def queued(services: Services) -> list[str]:
    """The ids of the jobs that wait."""
    queue = services.adapters.queue
    assert queue is not None
    return list(queue.get_job_ids())


def test_a_match_of_bots_is_played_by_a_worker(tiny: Services) -> None:
    table = started(tiny, seats=4, bots={seat: "random" for seat in range(4)})
    assert len(queued(tiny)) == 1
    assert burst(tiny)
    assert table.view()["status"] == "over"
    assert queued(tiny) == []


def test_jobs_carry_ids_as_json_and_leave_nothing_behind(tiny: Services) -> None:
    table = started(tiny, seats=2, bots={1: "random"})
    queue = tiny.adapters.queue
    assert queue is not None
    (id,) = queued(tiny)
    job = Job.fetch(id, connection=queue.connection, serializer=JSONSerializer)
    assert (job.func_name, list(job.args), job.kwargs) == (
        PLAY_BOT_TURN,
        [table.match, table.decision()["id"], 1],
        {},
    )
    assert burst(tiny)
    assert not Job.exists(id, connection=queue.connection)
    assert table.view()["awaited"] == [0]


def test_asking_twice_is_asking_once(tiny: Services) -> None:
    turn = BotTurn("mat_x", "d4.pick", 1, 4, int(time.time() * 1000))
    for _ in range(3):
        tiny.scheduler.ask_bots([turn, turn])
    assert queued(tiny) == [bot_job_id(turn, turn.opened_ms)]


def test_deadlines_go_before_bots(tiny: Services) -> None:
    now = int(time.time() * 1000)
    tiny.scheduler.ask_bots([BotTurn("mat_x", "d4.pick", 1, 4, now)])
    tiny.scheduler.ask_expiry(Deadline("mat_x", "d4.pick", now))
    assert [id.partition("-")[0] for id in queued(tiny)] == ["deadline", "bot"]


def test_a_bot_that_never_answers_is_interrupted_and_replaced(tiny: Services) -> None:
    table = started(tiny, seats=2, bots={1: "easy"})
    table.pick(0, 3)
    assert burst(tiny)
    failed = [event["data"]["instead"] for event in table.log() if event["type"] == "match.bot_failed"]
    assert failed == ["random", "random"]
    assert table.view()["awaited"] == [0]


def test_a_job_that_takes_too_long_is_ended_by_rq_and_asked_for_again(
    tiny: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = started(tiny, seats=2, bots={1: "random"})
    queue = tiny.adapters.queue
    assert queue is not None
    queue.empty()  # type: ignore[no-untyped-call]  # RQ leaves it untyped
    turn = BotTurn(table.match, table.decision()["id"], 1, 5, int(time.time() * 1000))
    with monkeypatch.context() as brief:
        brief.setattr("service.adapters.redis_scheduler._TIMES", Times(runs_s=1, queued_s=120, failed_s=3600))
        tiny.scheduler.ask_bots([turn])

    class Stuck:
        def play(self, *ids: Any) -> None:
            hang({}, [], None)  # type: ignore[arg-type]  # never looks at them

    assert burst(replace(tiny, bots=Stuck()))  # type: ignore[arg-type]  # it hangs
    (id,) = queue.failed_job_registry.get_job_ids()
    assert id == bot_job_id(turn, turn.opened_ms)
    # The failed job keeps its id; ten seconds after the turn fell due another id asks again.
    tiny.scheduler.ask_bots([turn])
    assert queued(tiny) == []
    tiny.scheduler.ask_bots([replace(turn, opened_ms=turn.opened_ms - 10_000)])
    assert len(queued(tiny)) == 1
    assert burst(tiny)
    assert table.view()["awaited"] == [0]


def test_every_job_twice_gives_every_move_once(tiny: Services) -> None:
    table = started(tiny, seats=3, bots={seat: "random" for seat in range(3)})
    queue = tiny.adapters.queue
    assert queue is not None
    decision = table.decision()["id"]
    for seat in (0, 1, 2, 0, 1, 2):
        queue.enqueue_call(PLAY_BOT_TURN, [table.match, decision, seat], result_ttl=0)
    assert burst(tiny)
    assert table.view()["status"] == "over"
    picks = [(r.decision, r.actor) for r in records(tiny, table.match) if r.type == "tiny.number_picked"]
    assert len(picks) == len(set(picks)) == 9


def test_late_jobs_do_nothing(tiny: Services) -> None:
    table = started(tiny, seats=2, bots={0: "random", 1: "random"})
    decision = table.decision()["id"]
    assert burst(tiny)
    over = table.view()["version"]
    jobs.play_bot_turn(table.match, decision, 0)
    jobs.enforce_deadline(table.match, decision)
    jobs.play_bot_turn("mat_" + "a" * 26, decision, 0)
    assert table.view()["version"] == over


def test_a_signal_that_came_before_the_worker_listened_for_it_ends_it(tiny: Services) -> None:
    started(tiny, seats=2, bots={0: "random", 1: "random"})
    jobs.serve(tiny)
    stopping = threading.Event()
    stopping.set()
    with Redis.from_url(tiny.settings.queues_url) as client:
        assert not worker_for(tiny, client, stopping).work(burst=True, logging_level="ERROR")
    assert len(queued(tiny)) == 1, "left to the others"


def test_jobs_outside_a_worker_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_services", [])
    with pytest.raises(RuntimeError):
        jobs.play_bot_turn("mat_x", "d1.pick", 0)


def test_a_queue_that_cannot_be_reached_is_left_to_the_sweeper(
    tiny: Services, caplog: pytest.LogCaptureFixture
) -> None:
    queue = tiny.adapters.queue
    assert queue is not None
    nowhere = Queue("q", connection=Redis(port=free_port()), serializer=JSONSerializer)
    scheduler = RedisScheduler(queue.connection, nowhere, SystemClock())
    cut_off = bootstrap.services(
        tiny.settings,
        {"tiny": as_game()},
        adapters=replace(tiny.adapters, scheduler=scheduler),
    )
    table = started(cut_off, seats=2, bots={0: "random", 1: "random"})
    assert "the sweeper will" in caplog.text
    assert queued(tiny) == []
    time.sleep(1.1)  # the sweeper leaves a turn to whoever plays it for a second
    tiny.upkeep.look_at(table.match)
    assert len(queued(tiny)) == 2
    assert burst(tiny)
    assert table.view()["status"] == "over"
