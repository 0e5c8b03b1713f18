"""The webhook loop: matches that are news become deliveries, endpoints that are due become jobs.

Deliveries wait for strangers' servers. So they have a queue and threads of their own, and neither bots nor
deadlines wait behind them. A thread is an RQ worker that ends when the queue is empty.
"""

import logging
import threading
from dataclasses import dataclass, field
from typing import Any, Final

from redis import Redis
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer
from rq.timeouts import BaseDeathPenalty

from events.redis_link import Client
from service.bootstrap import Services
from service.scheduling import webhooks_queue
from workers import loops

EVERY_S: Final = 0.1
MOST: Final = 100

log = logging.getLogger(__name__)


class _Unlimited(BaseDeathPenalty):
    """No limit by RQ: signals do not reach threads, and each delivery has a limit of its own."""

    def setup_death_penalty(self) -> None:
        """Nothing to set up."""

    def cancel_death_penalty(self) -> None:
        """Nothing to cancel."""


class Worker(SimpleWorker):
    """Does the jobs of a queue in a thread."""

    death_penalty_class = _Unlimited

    def _install_signal_handlers(self) -> None:
        """Signals are for the main thread."""

    def subscribe(self) -> None:
        """It lives for moments, and takes no orders."""


@dataclass(slots=True)
class WebhookLoop:
    """`client` is for the threads alone: RQ stretches its time-outs."""

    services: Services
    client: Client
    queue: Queue = field(init=False)
    threads: list[threading.Thread] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not isinstance(self.client, Redis):
            raise ValueError("jobs live on one server or behind Sentinel, not on a Cluster")
        name = webhooks_queue(self.services.settings.queue)
        self.queue = Queue(name, connection=self.client, serializer=JSONSerializer)

    def start(self, stop: threading.Event) -> threading.Thread:
        """Deliver until `stop` is set."""
        return loops.start("webhooks", lambda: self.tick(stop), EVERY_S, stop)

    def tick(self, stop: threading.Event) -> None:
        """Deal with what is due now. Raises StoreUnavailable, RedisError."""
        while self.services.notifying.tell_news(MOST) == MOST and not stop.is_set():
            pass
        most = 2 * self.services.settings.webhook_threads - self.queue.count
        if most > 0:
            for claim in self.services.delivering.claim(most):
                self.services.scheduler.ask_delivery(claim.name, claim.until_ms)
        self._work(self.queue.count)

    def _work(self, waiting: int) -> None:
        """See that there are threads for what waits."""
        self.threads = [thread for thread in self.threads if thread.is_alive()]
        free = self.services.settings.webhook_threads - len(self.threads)
        for _ in range(min(waiting, free)):
            thread = threading.Thread(target=self._burst, name="wonderlog-webhook", daemon=True)
            thread.start()
            self.threads.append(thread)

    def _burst(self) -> None:
        options: dict[str, Any] = {"serializer": JSONSerializer, "log_job_description": False}
        worker = Worker([self.queue], connection=self.queue.connection, **options)
        worker.work(burst=True, logging_level="WARNING")
