"""What a match waits for the service to do: bots to move, deadlines to enforce. From the log alone."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from domain.kernel.agreements import AUTO
from domain.kernel.table import OVER
from service.positions import Position

# A decision expires this long after its deadline, so that a command that came in time is in the log first.
GRACE_MS: Final = 250


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A bot is awaited: at a seat, by a decision, which opened at a version and at a time."""

    match: str
    decision: str
    seat: int
    opened: int
    opened_ms: int


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time for a decision ends at `at_ms`."""

    match: str
    decision: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class Work:
    """Everything a match waits for the service to do."""

    bots: frozenset[BotTurn] = frozenset()
    deadlines: frozenset[Deadline] = frozenset()
    over: bool = False

    def since(self, before: "Work") -> "Work":
        """What is new, compared with what was to do before."""
        return Work(self.bots - before.bots, self.deadlines - before.deadlines, self.over)

    def earlier(self, ms: int) -> "Work":
        """The same, so many milliseconds earlier: what a clock that is ahead calls by a later time."""
        if not ms:
            return self
        bots = frozenset(replace(turn, opened_ms=turn.opened_ms - ms) for turn in self.bots)
        deadlines = frozenset(replace(each, at_ms=each.at_ms - ms) for each in self.deadlines)
        return Work(bots, deadlines, self.over)

    def ended(self, after: "Work") -> frozenset[Deadline]:
        """The deadlines that are no more."""
        return self.deadlines - after.deadlines


def first_of_each(turns: Iterable[BotTurn]) -> list[BotTurn]:
    """One turn of each decision: the job that is asked for it plays the others as well, and asks for more
    jobs when that takes long."""
    first: dict[str, BotTurn] = {}
    for turn in sorted(turns, key=lambda turn: (turn.opened, turn.seat)):
        first.setdefault(turn.decision, turn)
    return list(first.values())


def policy(position: Position) -> str:
    """What happens when time is over: `auto`, `claimable` or `none`."""
    return str(position.state.options.get("expiry", AUTO))


def of(position: Position) -> Work:
    """What the match waits for the service to do now."""
    if position.state.status == OVER:
        return Work(over=True)
    if position.state.paused:
        return Work()
    chairs = position.state.chairs
    bots, deadlines = [], []
    for decision in position.decisions():
        opened_ms = position.opened_ms(decision)
        for seat in decision.awaited:
            if chairs[seat].played_by_bot:
                bots.append(BotTurn(position.id, decision.id, seat, decision.opened, opened_ms))
        at = position.deadline_ms(decision) if policy(position) == AUTO else None
        if at is not None and decision.awaited:
            deadlines.append(Deadline(position.id, decision.id, at))
    return Work(frozenset(bots), frozenset(deadlines))
