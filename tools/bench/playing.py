"""Plays a game on the event-sourced engine alone: no table, no log, no store."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from domain import seven_wonders
from domain.kernel import engine
from domain.kernel.bots import random_policy
from domain.kernel.chance import Chance, Dice
from domain.kernel.game import Command, Event, Game, Generator, Outcome, Policy, View
from domain.kernel.seats import Seat
from domain.kernel.table import MatchStarted
from domain.seven_wonders.commands import (
    BuildForFree,
    BuildStage,
    BuildStructure,
    PlayFreeCity,
    TakeFromDiscard,
)

NO_OPTIONS: Final[Mapping[str, Any]] = {}
STRUCTURES: Final = (BuildStructure, BuildForFree, TakeFromDiscard)


def secrets(seed: int, seats: int) -> Chance:
    """The secrets of match number `seed`: the same deal whoever plays."""
    return Chance(f"mat_bench{seed}", seed.to_bytes(32, "big"), bytes(32), (None,) * seats)


def tables(game: Game, players: Sequence[int]) -> list[tuple[int, Mapping[str, Any], str]]:
    """The tables to measure: seats, options, and what to call the options. Numbers of players the game does
    not know are left out, the greatest it knows stands for all; a game with modes has a table for each."""
    seats = [number for number in players if number in game.SEATS] or [max(game.SEATS)]
    modes = next((option.choices for option in game.OPTIONS if option.name == "mode"), None)
    variants = [(NO_OPTIONS, "")] if modes is None else [({"mode": mode}, f", {mode}") for mode in modes]
    return [(number, options, called) for number in seats for options, called in variants]


def sizes(games: Iterable[Game], players: Sequence[int]) -> Iterator[tuple[Game, int]]:
    """Every game with every number of players it is measured with."""
    for game in games:
        yield from ((game, seats) for seats in dict.fromkeys(table[0] for table in tables(game, players)))


def dealt(game: Game, options: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """The options of match number `seed`. In a game with modes, matches take turns with the sides, and those
    with the quest boards, so that no figure is about one of them alone."""
    chosen = dict(options)
    if "mode" in chosen:
        choices = {option.name: option.choices for option in game.OPTIONS}
        sides, boards = choices["side"] or (), choices["quest_board"] or ()
        chosen["side"] = sides[seed % len(sides)]
        chosen["quest_board"] = boards[seed // len(sides) % len(boards)]
    return chosen


def begin(
    seats: int,
    chance: Chance,
    game: Game,
    options: Mapping[str, Any] = NO_OPTIONS,
    told: list[Event] | None = None,
) -> Any:
    """A match that waits for its first choices; what `options` leave out is at its default. Its events are
    appended to `told`."""
    recorded = [] if told is None else told
    state = game.initial()
    chosen = {option.name: option.default for option in game.OPTIONS} | dict(options)
    engine.record(game, state, [MatchStarted(seats, chosen)], recorded)
    engine.settle(game, state, chance, recorded)
    return state


def turns(state: Any, game: Game) -> Iterator[Seat]:
    """The awaited seats, one after the other; act for each before asking for the next."""
    while open_decisions := game.decisions(state):
        yield open_decisions[0].awaited[0]


def playout(
    seats: int,
    seed: int,
    dice: random.Random,
    game: Game = seven_wonders,
    options: Mapping[str, Any] = NO_OPTIONS,
    watch: Callable[[Any, Seat, Sequence[Command]], None] | None = None,
) -> int:
    """A match of uniformly random legal moves, payments included, counts at their maximum; how many commands
    it took. `watch` looks on before each."""
    chance = secrets(seed, seats)
    state = begin(seats, chance, game, options)
    commands = 0
    for seat in turns(state, game):
        moves = game.legal_moves(state, seat)
        if watch is not None:
            watch(state, seat, moves)
        move = moves[int(dice.random() * len(moves))]
        engine.handle(game, state, seat, move, chance)
        commands += 1
    return commands


def match(
    policies: Sequence[Policy],
    seed: int,
    watch: Callable[[Any, Seat], None] | None = None,
    game: Game = seven_wonders,
    options: Mapping[str, Any] = NO_OPTIONS,
) -> Outcome:
    """A match of these policies, one a seat; `watch` looks on before each decision."""
    chance = secrets(seed, len(policies))
    state = begin(len(policies), chance, game, options)
    for seat in turns(state, game):
        if watch is not None:
            watch(state, seat)
        dice = Dice(chance.bot_seed(state.version, seat, "bench"))
        moves = game.legal_moves(state, seat)
        view: View = {} if policies[seat] in BLIND else game.view(state, seat)
        engine.handle(game, state, seat, policies[seat](view, moves, dice), chance)
    outcome = game.outcome(state)
    assert outcome is not None, "the decisions have run out, so the match is over"
    return outcome


def builds_something(view: View, moves: Sequence[Command], dice: Generator) -> Command:
    """A random structure whenever one can be built, by its cheapest payment; else a stage; else anything."""
    builds = _of(moves, PlayFreeCity) or _of(moves, *STRUCTURES) or _of(moves, BuildStage)
    if not builds:
        return random_policy(view, moves, dice)
    cards = list(dict.fromkeys(move.card for move in builds))
    card = cards[dice.below(len(cards))]
    return min((move for move in builds if move.card == card), key=_price)


def builds_anything(view: View, moves: Sequence[Command], dice: Generator) -> Command:
    """Any move that builds a structure or a stage, dear payments included; else anything."""
    builds = _of(moves, PlayFreeCity) or _of(moves, *STRUCTURES, BuildStage)
    return random_policy(view, builds or moves, dice)


def _of(moves: Sequence[Command], *classes: type) -> list[Command]:
    return [move for move in moves if isinstance(move, classes)]


def _price(move: Command) -> int:
    return int(getattr(move, "pay_left", 0) + getattr(move, "pay_right", 0))


# Policies that do not look at the view; making one for them would be measured as theirs.
BLIND: Final[tuple[Policy, ...]] = (random_policy, builds_something, builds_anything)
