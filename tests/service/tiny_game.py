"""A tiny game for fast tests: three rounds in which every seat secretly picks a number from 1 to 5.

The highest number that only one seat picked wins its points; then the picks are shown. Before the first
round a draw decides a bonus for the first round. It satisfies the Game protocol in full, hidden zones
included.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from domain.kernel import registry
from domain.kernel.bots import random_policy
from domain.kernel.chance import Chance, DeckShuffled, draw
from domain.kernel.errors import Reason, refuse
from domain.kernel.game import (
    Command,
    Decision,
    Description,
    Event,
    Generator,
    Option,
    Outcome,
    Refusal,
    View,
)
from domain.kernel.redaction import FACE_DOWN, OPEN, Redactions, Secret, face_down
from domain.kernel.redealing import Dice
from domain.kernel.seats import SPECTATOR, Seat, Viewer, ranked
from domain.kernel.table import MatchStarted

NAME: Final = "tiny"
TITLE: Final = "Tiny"
RULESET: Final = "tiny/1.0.0"
SEATS: Final = range(2, 8)
ROUNDS: Final = 3
PICK: Final = "pick"
NUMBERS: Final = range(1, 6)
DECISIONS: Final = {PICK: "the number 1"}
OPTIONS: Final = (
    Option("rounds", ROUNDS, (1, 2, 3), "How many rounds."),
    Option("bonus", True, (True, False), "Whether the first round has a bonus."),
)


@dataclass(frozen=True, slots=True)
class Pick:
    """Pick a number, secretly; again as long as somebody has not."""

    number: int


@dataclass(frozen=True, slots=True)
class NumberPicked:
    """A seat has picked; which number, only the seat sees."""

    seat: Seat
    number: int | str


@dataclass(frozen=True, slots=True)
class RoundScored:
    """All have picked: the numbers are shown, points are given."""

    numbers: list[int]
    points: list[int]


@dataclass(frozen=True, slots=True)
class HiddenDealt:
    """In a sandbox: what one viewer could not see is so now."""

    picks: list[int | str | None]
    bonus: str | None


COMMANDS: Final = registry.commands(Pick)
EVENTS: Final = registry.events("tiny", DeckShuffled, NumberPicked, RoundScored, HiddenDealt)
UPCASTS: Final[registry.Upcasts] = {}


def _hidden_draw(event: DeckShuffled, viewer: Viewer) -> DeckShuffled:
    return DeckShuffled(event.label, event.count, face_down(event.input), face_down(event.output))


def _hidden_pick(event: NumberPicked, viewer: Viewer) -> NumberPicked:
    return event if viewer == event.seat else NumberPicked(event.seat, FACE_DOWN)


REDACTIONS: Final[Redactions] = {
    DeckShuffled: Secret(lambda event: (), _hidden_draw),
    NumberPicked: Secret(lambda event: (event.seat,), _hidden_pick),
    RoundScored: OPEN,
    HiddenDealt: Secret(
        lambda event: range(len(event.picks)),
        lambda event, viewer: HiddenDealt(
            [pick if pick is None or seat == viewer else FACE_DOWN for seat, pick in enumerate(event.picks)],
            None if event.bonus is None else FACE_DOWN,
        ),
    ),
}


@dataclass(slots=True)
class State:
    """`opened` is the version at which the open decision opened, 0 before the first."""

    version: int = 0
    seats: int = 0
    rounds: int = 0
    wants_bonus: bool = False
    bonus: str | None = None
    opened: int = 0
    picks: dict[Seat, int | str] = field(default_factory=dict)
    points: list[int] = field(default_factory=list)
    played: int = 0


def initial() -> State:
    """The state before anything."""
    return State()


def decide(state: State, seat: Seat, command: Command, chance: Chance) -> list[Event]:
    """The facts this command makes true. Raises IllegalMove."""
    reason = why_not(state, command)
    if reason is not None:
        raise refuse(reason.code, reason.detail)
    return [NumberPicked(seat, command.number)]


def why_not(state: State, command: Pick) -> Reason | None:
    """Why a number cannot be picked."""
    if command.number not in NUMBERS:
        return Reason("out-of-range", "numbers go from 1 to 5")
    return None


def advance(state: State, chance: Chance) -> list[Event]:
    """The facts that follow by themselves now."""
    if state.wants_bonus and state.bonus is None:
        return [draw(chance, "tiny/bonus", ["1", "2", "3"], 1)]
    if len(state.picks) < state.seats or state.played == state.rounds:
        return []
    numbers = [int(state.picks[seat]) for seat in range(state.seats)]
    bonus = int(state.bonus or 0) if state.played == 0 else 0
    single = [number if numbers.count(number) == 1 else 0 for number in numbers]
    return [RoundScored(numbers, [number + bonus if number == max(single) > 0 else 0 for number in single])]


def evolve(state: State, event: Event) -> None:
    """Apply one fact, in place."""
    match event:
        case MatchStarted():
            state.seats, state.rounds = event.seats, event.options["rounds"]
            state.wants_bonus, state.points = event.options["bonus"], [0] * event.seats
            state.opened = state.version
        case DeckShuffled():
            state.bonus, state.opened = event.output[0], state.version
        case NumberPicked():
            state.picks[event.seat] = event.number
        case RoundScored():
            state.points = [have + new for have, new in zip(state.points, event.points, strict=True)]
            state.picks, state.opened = {}, state.version
            state.played += 1
        case HiddenDealt():
            state.picks = {seat: pick for seat, pick in enumerate(event.picks) if pick is not None}
            state.bonus = event.bonus


def legal_moves(state: State, seat: Seat) -> list[Command]:
    """Every number, as long as the round runs."""
    return [Pick(number) for number in NUMBERS] if decisions(state) else []


def default_move(state: State, seat: Seat) -> Command:
    """The number 1."""
    return Pick(1)


def decisions(state: State) -> list[Decision]:
    """The round that runs."""
    if state.played == state.rounds or (state.wants_bonus and state.bonus is None):
        return []
    awaited = tuple(seat for seat in range(state.seats) if seat not in state.picks)
    return [Decision(PICK, state.opened, awaited, tuple(sorted(state.picks)))]


def outcome(state: State) -> Outcome | None:
    """None while rounds are left."""
    if state.played < state.rounds:
        return None
    order = ranked(range(state.seats), [(points,) for points in state.points])
    return Outcome(order, [{"rounds": points} for points in state.points])


def view(state: State, viewer: Viewer) -> View:
    """What a seat or the spectator sees."""
    picks = {
        str(seat): number if seat == viewer and viewer != SPECTATOR else FACE_DOWN
        for seat, number in sorted(state.picks.items())
    }
    return {"round": state.played + 1, "points": list(state.points), "picks": picks}


def redeal(state: State, viewer: Viewer, told: Sequence[Event], chance: Chance) -> list[Event]:
    """Numbers for the picks the viewer does not see, and a bonus."""
    dice = Dice(chance)
    picks = [state.picks.get(seat) for seat in range(state.seats)]
    dealt = [1 + dice.below(5) if pick == FACE_DOWN else pick for pick in picks]
    return [HiddenDealt(dealt, str(1 + dice.below(3)) if state.bonus == FACE_DOWN else state.bonus)]


def backs() -> dict[str, str]:
    """No cards."""
    return {}


def command_of(event: Event) -> Command | None:
    """The command behind the event."""
    return Pick(int(event.number)) if isinstance(event, NumberPicked) else None


def describe(state: State, seat: Seat, command: Command) -> Description:
    """A number in words."""
    return Description(f"Pick {command.number}", {}, {"points": command.number})


def refused(state: State, seat: Seat) -> list[Refusal]:
    """Six is the classic wish."""
    return [Refusal("Pick 6", Reason("out-of-range", "numbers go from 1 to 5"), {"numbers": 1})]


def catalogue() -> dict[str, Any]:
    """Everything printed."""
    return {"cards": [{"id": str(number)} for number in NUMBERS]}


def low(view: View, moves: Sequence[Command], dice: Generator) -> Command:
    """A bot that picks the lowest number."""
    return moves[0]


BOTS: Final = {"random": random_policy, "easy": low}
