"""Given events, when a command, then events: the form of every rule test.

`given(game, events)` folds facts; `.when(seat, command, ...)` lets seats act through the engine; `.then(...)`
compares what was recorded, `.refuses(code)` asserts a refusal that changed nothing. States are built by
events only; a test reads them through the view or through what the game answers.
"""

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.kernel.chance import Chance
from domain.kernel.engine import fold, handle, settle
from domain.kernel.errors import IllegalMove, Reason
from domain.kernel.game import Command, Event, Game
from domain.kernel.seats import SPECTATOR, Seat, Viewer


def secrets(match: str = "mat_test", seats: int = 0) -> Chance:
    """The same secrets every time; no seat brings entropy."""
    return Chance(match, bytes(range(32)), bytes(range(32, 64)), (None,) * seats)


class NoChance(Chance):
    """Chance removed: any draw is an error. For replays and for turns in which nothing is drawn."""

    def __init__(self) -> None:
        super().__init__("mat_none", b"", b"")

    def shuffled(self, label: str, cards: Sequence[str]) -> list[str]:
        raise AssertionError(f"a draw where none may be: {label}")


@dataclass(slots=True)
class Given:
    """A state made of events; `recorded` are the events since the last `when`."""

    game: Game
    state: Any
    chance: Chance
    recorded: list[Event] = field(default_factory=list)

    def when(self, seat: Seat, command: Command) -> "Given":
        """One seat acts, then the rules run to rest."""
        self.recorded = handle(self.game, self.state, seat, command, self.chance)
        return self

    def when_all(self, *commands: Command) -> "Given":
        """Seats 0, 1, 2... act in turn; `recorded` is what followed the last of them."""
        for seat, command in enumerate(commands):
            self.when(seat, command)
        return self

    def when_nobody_acts(self) -> "Given":
        """The rules run to rest."""
        self.recorded = []
        settle(self.game, self.state, self.chance, self.recorded)
        return self

    def then(self, *events: Event) -> "Given":
        """Exactly these events were recorded."""
        assert self.recorded == list(events)
        return self

    def then_among(self, *events: Event) -> "Given":
        """These events were recorded, in this order, others in between."""
        rest = iter(self.recorded)
        for event in events:
            assert event in rest, (event, self.recorded)
        return self

    def then_types(self, *classes: type) -> "Given":
        """Events of these classes were recorded, in this order."""
        assert [type(event) for event in self.recorded] == list(classes)
        return self

    def then_no(self, *classes: type) -> "Given":
        """No event of these classes was recorded."""
        assert not [event for event in self.recorded if isinstance(event, classes)]
        return self

    def refuses(self, seat: Seat, command: Command, code: str) -> Reason:
        """The command is refused with this code, is no legal move, and changes nothing."""
        before = copy.deepcopy(self.state)
        try:
            handle(self.game, self.state, seat, command, self.chance)
        except IllegalMove as refusal:
            assert refusal.reason.code == code, refusal.reason
            assert self.state == before
            assert command not in self.game.legal_moves(self.state, seat)
            return refusal.reason
        raise AssertionError(f"accepted: {command}")

    def legal(self, seat: Seat, kind: type | None = None) -> list[Command]:
        """The legal moves of a seat, all or those of one class."""
        moves = self.game.legal_moves(self.state, seat)
        return [move for move in moves if kind is None or isinstance(move, kind)]

    def allows(self, seat: Seat, command: Command) -> bool:
        """Whether a command is legal now; `legal_moves` and `decide` must agree."""
        listed = command in self.game.legal_moves(self.state, seat)
        try:
            self.game.decide(self.state, seat, command, self.chance)
        except IllegalMove:
            assert not listed, f"listed and refused: {command}"
            return False
        assert listed, f"accepted and not listed: {command}"
        return True

    def last(self, kind: type) -> Any:
        """The one recorded event of a class."""
        (event,) = [event for event in self.recorded if isinstance(event, kind)]
        return event

    def view(self, viewer: Viewer = SPECTATOR) -> dict[str, Any]:
        """What a viewer sees now."""
        return self.game.view(self.state, viewer)

    def city(self, number: int) -> dict[str, Any]:
        """A city as everybody sees it."""
        shown: dict[str, Any] = self.view()["cities"][number]
        return shown

    def coins(self) -> list[int]:
        """The treasuries, city by city."""
        return [city["coins"] for city in self.view()["cities"]]

    def awaited(self) -> list[tuple[str, tuple[Seat, ...]]]:
        """The open decisions: kind and awaited seats."""
        return [(decision.kind, decision.awaited) for decision in self.game.decisions(self.state)]


def given(game: Game, events: Iterable[Event], chance: Chance | None = None) -> Given:
    """The state after these events. Without `chance` a draw is an error."""
    return Given(game, fold(game, events), chance or NoChance())
