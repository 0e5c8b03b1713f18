"""Record the golden matches again: `python -m tests.golden.record`. Read the diff before you commit it.

The same matches are played each time; secrets, options, who plays how and what else happens at the table are
given below.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from domain import seven_wonders
from domain.kernel import match as matches
from domain.kernel import table
from domain.kernel.bots import random_policy
from domain.kernel.chance import Chance, Dice
from domain.kernel.game import Command, Generator, Policy, View
from domain.kernel.match import By
from domain.kernel.seats import Seat
from domain.kernel.table import OVER, Match, SeatPlan
from domain.seven_wonders.bots import easy_policy
from domain.seven_wonders.commands import (
    BuildForFree,
    BuildStage,
    PlayFreeCity,
    TakeFromDiscard,
    Withdraw,
)
from events import codec
from tests.golden import golden
from tests.golden.golden import Json

HOST: Final = By(None, "host")


@dataclass(frozen=True, slots=True)
class Plan:
    """A match to record: options that differ from the default; the seats that play at random, the others
    playing `wonders_first`; at which version a decision expires, and at which a seat gives up."""

    seats: int
    seed: int
    options: Mapping[str, Any] = field(default_factory=dict)
    random: tuple[Seat, ...] = ()
    expires: int = 0
    resigns: tuple[int, Seat] = (0, 0)


PLANS: Final = (
    Plan(2, 35, {"end_of_game_choices": "ask", "chains": "free-or-paid"}),
    Plan(3, 15),
    Plan(5, 3, {"wonders": "choose", "sides": "choose", "face_down_cards": "revealed"}, (1,), 0, (150, 3)),
    Plan(7, 1, {"on_expiry": "default-move", "discard_pile_search": "before-seventh-card"}, (2, 5), 60),
)


@dataclass(slots=True)
class Recorder:
    """A match that writes itself down. `shown` follows event by event, for the views."""

    chance: Chance
    live: Match = field(default_factory=matches.initial)
    shown: Match = field(default_factory=matches.initial)
    lines: list[Json] = field(default_factory=list)
    commands: int = 0

    def ask(self, by: By, command: Command) -> None:
        """A command, and the lines that follow from it."""
        names = {kind.cls: kind for kind in matches.events(seven_wonders).values()}
        self.commands += 1
        for fact in matches.handle(seven_wonders, self.live, by, command, self.chance):
            kind = names[type(fact.event)]
            line = {"type": kind.name, "schema": kind.schema, "command": self.commands}
            line |= {"actor": fact.actor, "cause": fact.cause, "decision": by.decision}
            self.lines.append(line | {"data": codec.encode(fact.event)})
            matches.evolve(seven_wonders, self.shown, fact.event)
            if isinstance(fact.event, golden.MILESTONES):
                self.lines.append({"views": golden.views(seven_wonders, self.shown)})

    def did(self, kind: str) -> bool:
        """Whether an event of this name was recorded."""
        return any(line.get("type") == kind for line in self.lines)


def wonders_first(view: View, moves: Sequence[Command], dice: Generator) -> Command:
    """A stage whenever one can be built, and whatever a power offers; otherwise what `easy` does."""
    for_free_city = [move for move in moves if isinstance(move, PlayFreeCity)]
    if for_free_city:
        return next((move for move in for_free_city if move.use == "stage"), for_free_city[0])
    stages = [move for move in moves if isinstance(move, BuildStage)]
    wanted = stages or [move for move in moves if isinstance(move, (BuildForFree, TakeFromDiscard))]
    return wanted[dice.below(len(wanted))] if wanted else easy_policy(view, moves, dice)


def play(plan: Plan) -> Recorder:
    """The match of a plan, from the lobby to its end."""
    key, nonce = (bytes([plan.seed + n] * 32) for n in (0, 1))
    match = Recorder(Chance(f"mat_golden{plan.seats}", key, nonce))
    every = (*table.OPTIONS, *seven_wonders.OPTIONS)
    options = {option.name: option.default for option in every} | dict(plan.options)
    match.ask(HOST, table.CreateMatch(options, [SeatPlan()] * plan.seats))
    for seat in range(plan.seats):
        match.ask(By(seat, "player"), table.JoinSeat(seat, f"{seat:02x}" if seat else None))
    match.ask(HOST, table.Start())
    dice = Dice(bytes([plan.seed] * 32))
    while match.live.status != OVER:
        _go_on(match, plan, dice)
    return match


def _go_on(match: Recorder, plan: Plan, dice: Dice) -> None:
    """The next step: somebody moves; once a decision expires, once a seat gives up, and in the second turn
    seat 0 changes its mind."""
    (decision,) = matches.decisions(seven_wonders, match.live)
    if plan.expires and match.live.version > plan.expires and not match.did("match.deadline_expired"):
        return match.ask(By(None, "deadline"), table.ExpireDeadline(decision.id))
    version, seat = plan.resigns
    if version and match.live.version > version and not match.did("match.seat_resigned"):
        return match.ask(By(seat, "player"), table.Resign())
    seat = decision.awaited[dice.below(len(decision.awaited))]
    policy: Policy = random_policy if seat in plan.random else wonders_first
    view = seven_wonders.view(match.live.play, seat)
    by = By(seat, "player", decision.id)
    match.ask(by, policy(view, seven_wonders.legal_moves(match.live.play, seat), dice))
    (now,) = matches.decisions(seven_wonders, match.live) or [decision]
    still_open = now.id == decision.id and seat == 0 and match.live.play.turn == 2
    if still_open and not match.did("seven_wonders.action_withdrawn"):
        match.ask(by, Withdraw())
    return None


def write(plan: Plan) -> None:
    """Play a plan and write its file."""
    match = play(plan)
    header = {"golden": golden.FORMAT, "game": seven_wonders.NAME, "ruleset": seven_wonders.RULESET}
    header |= {"seats": plan.seats, "match": match.chance.match}
    header |= {"match_key": match.chance.match_key.hex(), "commit_nonce": match.chance.commit_nonce.hex()}
    path = golden.FOLDER / "seven_wonders" / f"{plan.seats}-players.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, *match.lines)), "utf-8")
    views = sum("views" in line for line in match.lines)
    print(f"{path.name}: {len(match.lines) - views} events, {views} moments with all views")


if __name__ == "__main__":
    for each in PLANS:
        write(each)
