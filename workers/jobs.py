"""The jobs, as RQ calls them: ids in, a use case called. Each may be late, or run twice, without harm."""

from dataclasses import asdict
from typing import Any

from service.bootstrap import Services

# RQ finds jobs by name and gives them nothing but ids, so what they work on stands here.
_services: list[Services] = []


def serve(services: Services) -> None:
    """Give the jobs of this process what they work on."""
    _services[:] = [services]


def play_bot_turn(match: str, decision: str, seat: int) -> None:
    """Play for the bot at a seat until this decision does not wait for it any more."""
    _known().bots.play(match, decision, seat)


def enforce_deadline(match: str, decision: str) -> None:
    """Let the deadline of a decision expire, if it has passed and nobody did it yet."""
    _known().upkeep.enforce_deadline(match, decision)


def deliver_webhooks(name: str, until_ms: int) -> None:
    """Attempt the deliveries that are due at the endpoint of a claim, if it is held still."""
    _known().delivering.deliver(name, until_ms)


def examine(match: str, ruleset: str | None) -> dict[str, Any]:
    """Decide a finished match again, under a ruleset or its own: an `Examined` as JSON."""
    return asdict(_known().auditing.examine(match, ruleset))


def set_up_batch(id: str) -> None:
    """Go on with a job that sets up many matches, if it is not done yet."""
    _known().batching.work(id)


def check_secrecy(match: str, viewer: int) -> None:
    """Check what one viewer of a finished match was served, and keep what was found."""
    _known().secrecy.check(match, viewer)


def _known() -> Services:
    if not _services:
        raise RuntimeError("jobs run in `python -m workers.main`")
    return _services[0]
