"""Plays 7 Wonders on the event-sourced engine alone: no table, no log, no store."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from domain import seven_wonders
from domain.kernel import engine
from domain.kernel.bots import random_policy
from domain.kernel.chance import Chance, Dice
from domain.kernel.game import Command, Generator, Outcome, Policy, View
from domain.kernel.seats import Seat
from domain.kernel.table import MatchStarted
from domain.seven_wonders.commands import (
    BuildForFree,
    BuildStage,
    BuildStructure,
    PlayFreeCity,
    TakeFromDiscard,
)
from domain.seven_wonders.state import State

OPTIONS: Final[Mapping[str, Any]] = {option.name: option.default for option in seven_wonders.OPTIONS}
STRUCTURES: Final = (BuildStructure, BuildForFree, TakeFromDiscard)


def secrets(seed: int, seats: int) -> Chance:
    """The secrets of match number `seed`: the same deal whoever plays."""
    return Chance(f"mat_bench{seed}", seed.to_bytes(32, "big"), bytes(32), (None,) * seats)


def begin(seats: int, chance: Chance) -> State:
    """A match that waits for its first choices."""
    state = seven_wonders.initial()
    engine.record(seven_wonders, state, [MatchStarted(seats, dict(OPTIONS))], [])
    engine.settle(seven_wonders, state, chance, [])
    return state


def turns(state: State) -> Iterator[Seat]:
    """The awaited seats, one after the other; act for each before asking for the next."""
    while open_decisions := seven_wonders.decisions(state):
        yield open_decisions[0].awaited[0]


def playout(seats: int, seed: int, dice: random.Random) -> int:
    """A match of uniformly random legal moves, payments included; how many commands it took."""
    chance = secrets(seed, seats)
    state = begin(seats, chance)
    commands = 0
    for seat in turns(state):
        moves = seven_wonders.legal_moves(state, seat)
        move = moves[int(dice.random() * len(moves))]
        engine.handle(seven_wonders, state, seat, move, chance)
        commands += 1
    return commands


def match(
    policies: Sequence[Policy], seed: int, watch: Callable[[State, Seat], None] | None = None
) -> Outcome:
    """A match of these policies, one a seat; `watch` looks on before each decision."""
    chance = secrets(seed, len(policies))
    state = begin(len(policies), chance)
    for seat in turns(state):
        if watch is not None:
            watch(state, seat)
        dice = Dice(chance.bot_seed(state.version, seat, "bench"))
        moves = seven_wonders.legal_moves(state, seat)
        command = policies[seat](_view(state, seat, policies[seat]), moves, dice)
        engine.handle(seven_wonders, state, seat, command, chance)
    outcome = seven_wonders.outcome(state)
    assert outcome is not None, "the decisions have run out, so the match is over"
    return outcome


def _view(state: State, seat: Seat, policy: Policy) -> View:
    return {} if policy in BLIND else seven_wonders.view(state, seat)


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
