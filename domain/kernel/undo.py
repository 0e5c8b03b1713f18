"""Taking back: what the kernel keeps for it, when it is refused, and the game as it was.

The log stays as it is; `match.undone` says which version the game is back at. With the option on, the state
of a match keeps the last events of the game and the state before them: enough to fold the game again up to
any of them, for every viewer from what that viewer was told.

A seat may take back its last commands only if they told nobody anything: decided again, they must give
exactly the events since (so no other seat, no bot and no expiry was in between), without a draw; no event may
show a printed thing to anybody who had not seen it; and a decision that others have answered as well is not
opened again, for its end told what they had chosen. Only what the seat itself sees, and what all see, is
looked at, so that the answer gives nothing away either.
"""

import copy
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from domain.kernel.agreements import CONSENT, OFF, UNDO, MatchUndone, Past
from domain.kernel.chance import Chance, DeckShuffled
from domain.kernel.engine import MOST_ROUNDS
from domain.kernel.errors import IllegalMove, Reason
from domain.kernel.game import Command, Decision, Event, Game
from domain.kernel.printed import printed, strings
from domain.kernel.redaction import redact
from domain.kernel.seats import SPECTATOR, Seat
from domain.kernel.table import Match

# So many events can be taken back at least, and up to twice as many are kept.
REACH: Final = 128
# How often a seat may take back in one match: a log must not grow without end.
MOST_UNDONE: Final = 200

_NO_CHANCE: Final = Chance("", b"", b"")


def begin(game: Game, match: Match) -> None:
    """The match starts: keep its past, if the options say so."""
    if match.options.get(UNDO, OFF) != OFF:
        match.past = Past(game.initial(), [], match.version)


def remember(game: Game, match: Match, event: Event) -> None:
    """Keep an event of the game; of too many, fold the oldest."""
    past = match.past
    if past is None:
        return
    past.events.append((match.version, event))
    if len(past.events) > 2 * REACH:
        _fold(game, past.base, past.events[:REACH])
        past.barrier = max(past.barrier, past.events[REACH - 1][0])
        del past.events[:REACH]


def close(match: Match) -> None:
    """Something happened at the table that stays: what was before cannot be taken back any more."""
    if match.past is not None:
        match.past.barrier = match.version


def restore(game: Game, match: Match, event: MatchUndone) -> None:
    """Fold `match.undone`: the game as it was at that version."""
    past = match.past
    if past is None:
        return
    past.events = [(version, each) for version, each in past.events if version <= event.to]
    match.play = copy.deepcopy(past.base)
    _fold(game, match.play, past.events)
    match.play.version = match.version
    past.undone[event.seat] = (past.undone.get(event.seat, (0, 0))[0] + 1, match.version)


def _fold(game: Game, play: Any, events: Iterable[tuple[int, Event]]) -> None:
    for version, event in events:
        play.version = version
        game.evolve(play, event)


def undone(game: Game, match: Match, seat: Seat, to: int) -> list[Event]:
    """The fact that the seat took back, where `why_not` has nothing against it."""
    closed = _closed(game, _at(game, match, to), match.play)
    return [MatchUndone(seat, to, sorted(decision.id for decision in closed))]


def why_not(game: Game, match: Match, seat: Seat, to: int | None) -> Reason | None:
    """Why the seat may not go back to a version (None: there is none that it could go back to); None if it
    may. Depends on nothing but what this seat sees."""
    option, past = match.options.get(UNDO, OFF), match.past
    if option == OFF or past is None:
        return Reason("undo-off", "nothing is taken back in this match")
    if past.undone.get(seat, (0, 0))[0] >= MOST_UNDONE:
        return Reason("too-many-undos", f"a seat takes back {MOST_UNDONE} times at most")
    if to is None or not past.events or to >= past.events[-1][0]:
        return Reason("nothing-to-undo", "you have done nothing since somebody else acted")
    if to < past.barrier:
        return Reason("too-late-to-undo", "something happened at the table since")
    events = [event for version, event in past.events if version > to]
    if any(isinstance(event, DeckShuffled) for event in events):
        return Reason("drawn", "something was drawn since")
    before = _at(game, match, to)
    commands = _done_by(game, copy.deepcopy(before), seat, events)
    others = [latest for other, (_, latest) in past.undone.items() if other != seat]
    if commands is None or max(others, default=0) > to:
        return Reason("somebody-acted", "not only you acted since")
    closed = _closed(game, before, match.play)
    if closed and (option != CONSENT or any(_others_answered(game, past, each, seat) for each in closed)):
        return Reason("decision-closed", "that decision is closed")
    if _shown(game, before, match.play, seat, commands, events):
        return Reason("revealed", "something was shown since")
    return None


def _at(game: Game, match: Match, to: int) -> Any:
    """The game at a version that is kept."""
    assert match.past is not None, "asked for only where the past is kept"
    play = copy.deepcopy(match.past.base)
    _fold(game, play, [(version, event) for version, event in match.past.events if version <= to])
    return play


def _closed(game: Game, before: Any, after: Any) -> list[Decision]:
    """The decisions that were open before and are not any more."""
    still = {decision.id for decision in game.decisions(after)}
    return [decision for decision in game.decisions(before) if decision.id not in still]


def _others_answered(game: Game, past: Past, decision: Decision, seat: Seat) -> bool:
    """Whether anybody else may have answered a decision, so that its end told what the answer was."""
    answers = [event for version, event in past.events if version > decision.opened]
    return past.barrier > decision.opened or any(
        getattr(event, "seat", seat) != seat and game.command_of(event) is not None for event in answers
    )


def _done_by(game: Game, play: Any, seat: Seat, events: list[Event]) -> list[Command] | None:
    """The commands of this seat that make exactly these events; None if no such commands do."""
    commands, rest = [], events
    while rest:
        command = game.command_of(rest[0])
        if command is None or getattr(rest[0], "seat", None) != seat:
            return None
        try:
            told = _decided(game, play, seat, command)
        except IllegalMove:
            return None
        if not told or told != rest[: len(told)]:
            return None
        commands.append(command)
        rest = rest[len(told) :]
    return commands


def _decided(game: Game, play: Any, seat: Seat, command: Command) -> list[Event]:
    """What the command makes happen until the game is at rest."""
    told: list[Event] = []
    events = game.decide(play, seat, command, _NO_CHANCE)
    for _ in range(MOST_ROUNDS):
        for event in events:
            play.version += 1
            game.evolve(play, event)
        told += events
        if game.outcome(play) is not None or not (events := game.advance(play, _NO_CHANCE)):
            return told
    raise RuntimeError(f"a match of {game.NAME} does not come to rest")


def _shown(
    game: Game, before: Any, after: Any, seat: Seat, commands: list[Command], events: list[Event]
) -> bool:
    """Whether the events have shown anybody a printed thing: another seat has a form of its own of one of
    them, or what this seat or everybody sees names more than before, the seat's own words apart."""
    for event in events:
        secret = game.REDACTIONS[type(event)]
        if secret is not None and set(secret.seats(event)) - {seat}:
            return True
    for viewer, said in ((seat, commands), (SPECTATOR, [])):
        known = _named(game, game.view(before, viewer))
        told = (_named(game, redact(game.REDACTIONS, event, viewer)) for event in events)
        if any(not set(names) <= set(known) for names in told):
            return True
        if _named(game, game.view(after, viewer)) - known - _named(game, said):
            return True
    return False


def _named(game: Game, value: Any) -> Counter[str]:
    ids = printed(game)
    return Counter(name for name in strings(value) if name in ids)
