"""The log in this process: folding a stored match, the view of a seat, sealing an event."""

from collections.abc import Callable
from typing import Final

from domain.catalogue import GAMES
from domain.kernel import match as rules
from domain.kernel.chance import subkey
from domain.kernel.table import Match
from events.chain import seal_events
from events.envelope import Draft, Recorded
from service import positions, wire
from tools.bench.calibration import measure
from tools.bench.figures import LOOPS, Figure, titled
from tools.bench.playing import sizes
from tools.bench.recorded import Story, story

PLAYERS: Final = (3, 7)
Work = Callable[[], int]


def figures(quick: bool) -> list[Figure]:
    """Folding a whole match, making a view of its middle, sealing its events."""
    found = []
    for game, seats in sizes(GAMES.values(), PLAYERS):
        told = story(seats, game=game)
        count = len(told.events)
        for name, work, unit, scale, note in (
            ("fold of a stored match", fold(told), "ms", 1e3, f"{count} events, decoded and folded"),
            ("fold of its events alone", fold_decoded(told), "ms", 1e3, f"{count} events"),
            ("view of a seat", view(told), "µs", 1e6, "in the middle of the match"),
            ("an event sealed and chained", seal(told), "µs", 1e6, "average of the match"),
        ):
            speed = measure(work, 0.2 if quick else 2)
            label, value = titled(game, f"{name}, {seats} players"), scale / speed.per_second
            found.append(Figure("log", label, value, unit, speed.loops, LOOPS, note=note))
    return found


def fold(told: Story) -> Work:
    """The stored events into a position, as a request does that finds nothing cached."""
    events = told.events

    def work() -> int:
        positions.follow(positions.new(told.id, told.game, {}), events)
        return 1

    return work


def fold_decoded(told: Story) -> Work:
    """The events into a state, without reading them."""
    events = [wire.of(told.game).decode(event) for event in told.events]

    def work() -> int:
        state = rules.initial()
        for event in events:
            rules.evolve(told.game, state, event)
        return 1

    return work


def view(told: Story) -> Work:
    """What each seat sees in the middle of the match."""
    state = middle(told)
    seats = len(state.chairs)

    def work() -> int:
        for seat in range(seats):
            rules.view(told.game, state, seat)
        return seats

    return work


def seal(told: Story) -> Work:
    """All events of the match sealed and chained again, command by command."""
    key = subkey(told.chance.match_key, "seal")
    commands = [(events[0], [_draft(event) for event in events]) for events in told.commands]

    def work() -> int:
        for first, drafts in commands:
            seal_events(drafts, told.id, first.version - 1, first.prev_hash, first.occurred_at, key)
        return len(told.events)

    return work


def _draft(event: Recorded) -> Draft:
    """The event before it was sealed."""
    return Draft(
        type=event.type,
        schema=event.schema,
        ruleset=event.ruleset,
        decision=event.decision,
        actor=event.actor,
        cause=event.cause,
        data=event.data,
        public=event.public,
        parts=event.parts if event.seals else None,
        meta=event.meta,
    )


def middle(told: Story) -> Match:
    """The match after half of its events."""
    state = rules.initial()
    for event in told.events[: len(told.events) // 2]:
        rules.evolve(told.game, state, wire.of(told.game).decode(event))
    return state
