"""`python -m workers.main`: one job worker with its deadline loop and its sweeper; SIGTERM drains it."""

import logging
import signal
import sys
import threading
from types import FrameType
from typing import Any, Final

from redis import Redis, RedisError
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer

from events.redis_link import connect
from events.store import StoreUnavailable
from service import bootstrap, settings
from service.bootstrap import Services
from service.clock import SystemClock
from service.errors import NotReady
from service.scheduling import audits_queue
from service.settings import MEMORY_URL, Settings, SettingsError
from workers import batches, jobs, queue, sweeper
from workers.archiver import Archiver
from workers.deadlines import DeadlineLoop
from workers.time_limit import time_limit
from workers.webhooks import WebhookLoop

# How long a worker waits for a job before it says again that it is alive, in seconds.
WORKER_TTL_S: Final = 60
RETRY_S: Final = 1.0

log = logging.getLogger("workers")


class Worker(SimpleWorker):
    """Runs jobs in this process (docs/decisions/0004): a fork per job would cost more than the job.

    `stopping` is set as soon as a signal asks the process to end; a job under way is finished first."""

    def __init__(self, stopping: threading.Event, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._stopping = stopping

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        self._stopping.set()
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]  # RQ leaves it untyped

    def _install_signal_handlers(self) -> None:
        super()._install_signal_handlers()  # type: ignore[no-untyped-call]  # RQ leaves it untyped
        if self._stopping.is_set():
            # The signal came before these handlers were there, which alone end the loop.
            self._stop_requested = True


def worker_for(services: Services, client: Redis, stopping: threading.Event) -> Worker:
    """A worker for the queue of these services, and for audits when that is empty. RQ stretches the time-outs
    of `client`: give it one of its own."""
    name = services.settings.queue
    queues = [
        Queue(each, connection=client, serializer=JSONSerializer) for each in (name, audits_queue(name))
    ]
    return Worker(
        stopping,
        queues,
        connection=client,
        serializer=JSONSerializer,
        worker_ttl=WORKER_TTL_S,
        log_job_description=False,
    )


def work(services: Services, stopping: threading.Event) -> None:
    """Work until `stopping` is set. A worker that lost its server is replaced by a new one."""
    client = connect(services.settings.queues_url)
    if not isinstance(client, Redis):
        raise SettingsError("WONDERLOG_QUEUES_URL must name one server or a Sentinel, not a Cluster")
    loops = [
        sweeper.start(services.upkeep, stopping),
        DeadlineLoop(services.scheduler, services.upkeep, SystemClock()).start(stopping),
        Archiver(services.archiving).start(stopping),
        queue.start(services.queueing, stopping),
        batches.start(services.batching, services.scheduler, stopping),
        WebhookLoop(services, connect(services.settings.queues_url)).start(stopping),
    ]
    log.info("working on the queue %s", services.settings.queue)
    while not stopping.is_set():
        try:
            worker_for(services, client, stopping).work(logging_level="WARNING")
        except RedisError as error:
            log.warning("no connection to the queue: %s", error)
        except StopRequested:
            log.info("asked to end before the first job")
        # The worker that has ended has left its signal handlers behind.
        stop_on_signals(stopping)
        stopping.wait(RETRY_S)
    for loop in loops:
        loop.join(timeout=5)
    client.close()


def main() -> int:
    """Run one worker with the settings of the environment; 0 when it was asked to end, 2 for wrong
    settings."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    stopping = threading.Event()
    stop_on_signals(stopping)
    try:
        services = made(settings.from_environment())
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    wait_until_ready(services, stopping)
    jobs.serve(services)
    work(services, stopping)
    services.close()
    return 0


def stop_on_signals(stopping: threading.Event) -> None:
    """Let SIGTERM and SIGINT set `stopping`; a worker that runs puts its own handlers in place."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda signum, frame: stopping.set())


def made(known: Settings) -> Services:
    """The services of a worker: bots with a time limit. Raises SettingsError."""
    if known.streams_url == MEMORY_URL:
        raise SettingsError("workers cannot share the memory of another process; set WONDERLOG_STREAMS_URL")
    try:
        return bootstrap.services(known, limit=time_limit)
    except (ValueError, StoreUnavailable) as error:
        raise SettingsError(str(error)) from error


def wait_until_ready(services: Services, stopping: threading.Event) -> None:
    """Wait for servers that are fit to keep logs; says what is wrong meanwhile."""
    said = None
    while not stopping.is_set():
        try:
            for warning in services.matches.ready()["warnings"]:
                log.warning("%s", warning)
            return
        except NotReady as error:
            if str(error) != said:
                said = str(error)
                log.warning("not ready: %s", said)
        stopping.wait(RETRY_S)


if __name__ == "__main__":
    sys.exit(main())
