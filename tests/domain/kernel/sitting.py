"""A match as its table sees it: people, bots and the host ask, facts follow."""

import copy
from dataclasses import dataclass, field
from typing import Any, Final

from domain.kernel import match as matches
from domain.kernel import table
from domain.kernel.chance import Chance
from domain.kernel.errors import IllegalMove, Reason
from domain.kernel.game import Command, Decision, Event, Game
from domain.kernel.match import By, Fact
from domain.kernel.seats import Seat
from domain.kernel.table import Match, SeatPlan
from tests.given_when_then import secrets
from tests.service import tiny_game

HOST: Final = By(None, "host")
CLOCK: Final = By(None, "deadline")


def options(game: Game, **chosen: Any) -> dict[str, Any]:
    """All options of a match, defaults filled in."""
    return {option.name: option.default for option in (*table.OPTIONS, *game.OPTIONS)} | chosen


@dataclass(slots=True)
class Sitting:
    """A match of a game, `facts` being all that happened so far."""

    game: Game
    match: Match = field(default_factory=matches.initial)
    chance: Chance = field(default_factory=secrets)
    facts: list[Fact] = field(default_factory=list)

    def ask(self, by: By, command: Command) -> list[Event]:
        """What follows a command."""
        facts = matches.handle(self.game, self.match, by, command, self.chance)
        self.facts += facts
        return [fact.event for fact in facts]

    def refuses(self, by: By, command: Command, kind: str, code: str) -> Reason:
        """The command is refused, and nothing changed."""
        before = copy.deepcopy(self.match)
        try:
            matches.handle(self.game, self.match, by, command, self.chance)
        except IllegalMove as refusal:
            assert (refusal.kind, refusal.reason.code) == (kind, code), refusal
            assert self.match == before
            return refusal.reason
        raise AssertionError(f"accepted: {command}")

    @property
    def decision(self) -> Decision:
        """The one open decision."""
        (decision,) = matches.decisions(self.game, self.match)
        return decision

    def move(self, seat: Seat, command: Command, cause: str = "player") -> list[Event]:
        """A seat answers the open decision."""
        return self.ask(By(seat, cause, self.decision.id), command)

    def expire(self) -> list[Event]:
        """The time for the open decision is over."""
        return self.ask(CLOCK, table.ExpireDeadline(self.decision.id))

    def awaited(self) -> list[Seat]:
        """The seats the match waits for."""
        return matches.awaited(self.game, self.match)

    def view(self, viewer: int = -1) -> dict[str, Any]:
        """What a viewer sees."""
        return matches.view(self.game, self.match, viewer)


def created(
    seats: int = 3, game: Game = tiny_game, plans: list[SeatPlan] | None = None, **chosen: Any
) -> Sitting:
    """A table that was just set up."""
    sitting = Sitting(game)
    sitting.ask(HOST, table.CreateMatch(options(game, **chosen), plans or [SeatPlan()] * seats))
    return sitting


def seated(seats: int = 3, bots: int = 0, game: Game = tiny_game, **chosen: Any) -> Sitting:
    """A table with people on every seat but the last `bots`."""
    plans = [SeatPlan()] * (seats - bots) + [SeatPlan("bot", "random")] * bots
    sitting = created(seats, game, plans, **chosen)
    for seat in range(seats - bots):
        sitting.ask(By(seat, "player"), table.JoinSeat())
    return sitting


def started(seats: int = 3, bots: int = 0, game: Game = tiny_game, **chosen: Any) -> Sitting:
    """A match that has just begun."""
    sitting = seated(seats, bots, game, **chosen)
    sitting.ask(HOST, table.Start())
    return sitting
