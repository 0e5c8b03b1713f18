"""Whole matches of every game, told once and looked at by every test of the suite.

A story is played at random by people and bots who now and then revise, run late, give up or come back, under
options drawn at random; the same seed tells the same story.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from itertools import product
from typing import Any, Final

from domain.catalogue import GAMES as CATALOGUE
from domain.kernel import agreements, table, undo
from domain.kernel import match as matches
from domain.kernel.chance import Chance, Dice
from domain.kernel.game import Command, Event, Game
from domain.kernel.match import By, Fact
from domain.kernel.seats import SPECTATOR, Seat, Viewer
from domain.kernel.table import OVER, RUNNING, Match, SeatPlan
from events import codec
from tests.given_when_then import secrets
from tests.rulesets import dearer
from tests.service import tiny_game

# Rulesets that are not the newest of their game, each held against the same tests as the newest.
OTHERS: Final[Mapping[str, Game]] = {dearer.RULESET: dearer.GAME}
GAMES: Final[Mapping[str, Game]] = {**CATALOGUE, tiny_game.NAME: tiny_game, **OTHERS}
HOST: Final = By(None, "host")
CLOCK: Final = By(None, "deadline")


@dataclass(frozen=True, slots=True)
class Title:
    """Which story: a game (or one of its other rulesets), a number of seats, a seed."""

    game: str
    seats: int
    seed: int

    def __str__(self) -> str:
        return f"{self.game}-{self.seats}-seats-seed-{self.seed}"


SEEDS: Final = {"seven-wonders": 3}  # stories for each number of seats; 2 for the other games
OTHER_SEATS: Final = (2, 4)  # of the other rulesets, with a seed under options of all kinds
TITLES: Final = [
    Title(name, seats, seed)
    for name, game in GAMES.items()
    for seats in (game.SEATS if name not in OTHERS else OTHER_SEATS)
    for seed in ((1,) if name in OTHERS else range(SEEDS.get(name, 2)))
]


@dataclass(frozen=True, slots=True)
class Step:
    """A command and the facts that followed; `before` is the version it met."""

    before: int
    by: By
    command: Command
    facts: list[Fact]


@dataclass(slots=True)
class Story:
    """A match from the first command to its end. `written` are the events as JSON at the moment they were
    recorded, `live` is the state they left behind."""

    game: Game
    chance: Chance
    live: Match = field(default_factory=matches.initial)
    steps: list[Step] = field(default_factory=list)
    written: list[Any] = field(default_factory=list)

    @property
    def facts(self) -> list[Fact]:
        return [fact for step in self.steps for fact in step.facts]

    @property
    def events(self) -> list[Event]:
        return [fact.event for fact in self.facts]

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """Every seat, and the spectator."""
        return (SPECTATOR, *range(len(self.live.chairs)))

    def ask(self, by: By, command: Command) -> None:
        """The next step."""
        before = self.live.version
        facts = matches.handle(self.game, self.live, by, command, self.chance)
        self.steps.append(Step(before, by, command, facts))
        self.written += [codec.encode(fact.event) for fact in facts]

    def positions(self) -> Iterator[tuple[Match, Step]]:
        """The match before each step, folded from the log. Whoever takes one may spoil the last it got."""
        for step in self.steps:
            yield fold(self.game, self.events[: step.before]), step

    def resting(self, every: int = 1) -> Iterator[Match]:
        """The running match each time it has come to rest, or every so many times. One state, folded on."""
        match = matches.initial()
        for number, step in enumerate(self.steps):
            for fact in step.facts:
                matches.evolve(self.game, match, fact.event)
            if match.status == RUNNING and number % every == 0:
                yield match


def fold(game: Game, events: list[Event]) -> Match:
    """The match after the events."""
    match = matches.initial()
    for event in events:
        matches.evolve(game, match, event)
    return match


def options(game: Game, dice: random.Random | None = None, **chosen: Any) -> dict[str, Any]:
    """All options: the defaults, or drawn from their choices."""
    every = (*table.OPTIONS, *game.OPTIONS)
    drawn = {
        option.name: dice.choice(option.choices) if dice and option.choices else option.default
        for option in every
    }
    return drawn | chosen


@cache
def story(title: Title) -> Story:
    """The story of that title."""
    game, dice = GAMES[title.game], random.Random(repr(title))
    told = Story(game, secrets(f"mat_{title.seed}"))
    _gather(told, title, dice)
    aside = random.Random(f"{title!r} aside")
    while told.live.status != OVER:
        if not (title.seed and _aside(told, aside)):
            _go_on(told, dice)
    return told


def _gather(told: Story, title: Title, dice: random.Random) -> None:
    """The lobby: people join, leave and join again, bots are seated. The first seed plays by the defaults."""
    game = told.game
    plans = [SeatPlan("bot", dice.choice(sorted(game.BOTS))) if dice.random() < 0.25 else SeatPlan()]
    plans += [SeatPlan()] * (title.seats - 1)
    told.ask(HOST, table.CreateMatch(options(game, dice if title.seed else None), plans))
    while free := [seat for seat, chair in enumerate(told.live.chairs) if chair.kind == "open"]:
        seat = dice.choice(free)
        if dice.random() < 0.25:
            told.ask(HOST, table.SeatBot(dice.choice(sorted(game.BOTS)), seat))
        else:
            told.ask(By(seat, "player"), table.JoinSeat(seat, dice.choice((None, "00ff", "a1"))))
        if dice.random() < 0.2:
            person = told.live.chairs[seat].kind == "human"
            told.ask(By(seat, "player") if person else HOST, table.LeaveSeat(seat))
    told.ask(HOST, table.Start())


def _go_on(told: Story, dice: random.Random) -> None:
    """One more step: mostly a move, now and then something that happens at tables."""
    game, match = told.game, told.live
    decision = dice.choice(matches.decisions(game, match))
    seat = dice.choice(decision.awaited)
    chair, chance = match.chairs[seat], dice.random()
    if chance < 0.01:
        told.ask(CLOCK, table.ExpireDeadline(decision.id))
    elif chance < 0.0125 and chair.kind == "human":
        told.ask(By(seat, "player"), table.Resign())
    elif chance < 0.03 and chair.played_by_bot:
        instead = dice.choice(("random", "default-move"))
        told.ask(By(None, "bot"), table.ReportBotFailure(decision.id, seat, chair.bot or "", instead))
    elif chance < 0.2 and chair.taken_over:
        told.ask(By(seat, "player"), table.ReclaimSeat())
    else:
        if chance > 0.95 and (again := [s for s in decision.revisable if not match.chairs[s].resigned]):
            seat = dice.choice(again)
        _move(told, dice, seat, decision.id)


def _aside(told: Story, dice: random.Random) -> bool:
    """Now and then something beside the game: people pause, go on, take back; whether anything was done."""
    match = told.live
    if match.proposal is not None:
        seat = dice.choice([seat for seat in match.persons if seat not in match.proposal.agreed])
        answer = agreements.Decline if dice.random() < 0.2 else agreements.Agree
        told.ask(By(seat, "player"), answer(match.proposal.id))
    elif match.paused:
        told.ask(dice.choice([HOST, *(By(seat, "player") for seat in match.persons)]), agreements.Resume())
    elif dice.random() < 0.01:
        told.ask(dice.choice([HOST, *(By(seat, "player") for seat in match.persons)]), agreements.Pause())
    elif dice.random() < 0.1 and (back := taking_back(told)) is not None:
        told.ask(*back)
    else:
        return False
    return True


def taking_back(told: Story) -> tuple[By, agreements.Undo] | None:
    """The last game command taken back by the person who gave it, if that is allowed now."""
    kinds = tuple(told.game.COMMANDS.values())
    past = told.live.past
    head = past.events[-1][0] if past is not None and past.events else 0
    for step in reversed(told.steps):
        if isinstance(step.command, kinds) and step.by.cause == "player" and step.before < head:
            seat = step.by.seat
            if seat is None or seat not in told.live.persons:
                return None
            if undo.why_not(told.game, told.live, seat, step.before) is not None:
                return None
            return By(seat, "player"), agreements.Undo(step.before)
    return None


def _move(told: Story, dice: random.Random, seat: Seat, decision: str) -> None:
    """A bot asks its policy. A person picks a class of moves, often a favourite one, otherwise the rarer so
    far the likelier, and then any move of it."""
    game, chair = told.game, told.live.chairs[seat]
    moves = expanded(game, told.live.play, seat)
    if chair.played_by_bot and chair.bot:
        view = matches.view(game, told.live, seat)["state"]
        move = game.BOTS[chair.bot](view, moves, Dice(dice.randbytes(32)))
        told.ask(By(seat, "bot", decision), move)
        return
    kinds = sorted({type(move).__name__ for move in moves})
    so_far = [type(step.command).__name__ for step in told.steps]
    (kind,) = dice.choices(kinds, [1 / (1 + so_far.count(kind)) for kind in kinds])
    favourite = list(game.COMMANDS.values())[(seat + len(told.live.chairs)) % len(game.COMMANDS)].__name__
    if favourite in kinds and dice.random() < 0.7:
        kind = favourite
    told.ask(
        By(seat, "player", decision), dice.choice([move for move in moves if type(move).__name__ == kind])
    )


def expanded(game: Game, state: Any, seat: Seat) -> list[Command]:
    """The legal moves of a seat, entries that stand for a range written out."""
    moves: list[Command] = []
    for move in game.legal_moves(state, seat):
        ranges = game.describe(state, seat, move).parameters
        values = [range(low, high + 1) for low, high in ranges.values()]
        moves += [replace(move, **dict(zip(ranges, each, strict=True))) for each in product(*values)]
    return moves


def neighbours(game: Game, moves: list[Command], dice: random.Random, count: int) -> list[Command]:
    """Commands that look like legal ones: a field a little off, or any class with the values seen."""
    pools: dict[str, list[Any]] = {}
    for move in moves:
        for each in fields(move):
            pools.setdefault(each.name, []).append(getattr(move, each.name))
    found: list[Command] = []
    for _ in range(count if moves else 0):
        move = dice.choice(moves)
        places = [each.name for each in fields(move)]
        if not places:
            continue
        name = dice.choice(places)
        found.append(replace(move, **{name: _near(getattr(move, name), pools[name], dice)}))
    for kind in game.COMMANDS.values():
        names = [each.name for each in fields(kind)]
        if moves and all(name in pools for name in names):
            found.append(kind(**{name: dice.choice(pools[name]) for name in names}))
    return found


def _near(value: Any, pool: list[Any], dice: random.Random) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return value + dice.choice((-2, -1, 1, 2, 99))
    if isinstance(value, list):
        return dice.choice((value[:-1], [*value, *value[:1]], value[::-1], dice.choice(pool)))
    return dice.choice((dice.choice(pool), "no-such-thing", "face-down"))


def strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value; keys are names of fields, not values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from strings(inner)


def card_ids(game: Game) -> frozenset[str]:
    """The names of all cards."""
    return frozenset(card["id"] for card in game.catalogue()["cards"])
