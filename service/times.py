"""When things happened in a match, and what follows for its clocks: a function of the log alone.

The domain knows no time; it stands in the envelopes. What is kept here is folded together with the match,
append by append: what every person has left in the bank, since when the limit of a decision counts, whether
the clocks stand still, and which commands of one seat came last, one after the other.
"""

from array import array
from dataclasses import dataclass, field
from typing import Final

from domain.kernel import match as match_rules
from domain.kernel.agreements import (
    CLOCKS,
    DAY_MS,
    MatchPaused,
    MatchResumed,
    MatchUndone,
    OutageCredited,
    TimeAdded,
)
from domain.kernel.game import Decision, Game
from domain.kernel.seats import Seat
from domain.kernel.table import RUNNING, BotFailed, DeadlineExpired, Match, MatchForked, MatchStarted
from events.envelope import Recorded
from service import wire
from service.clock import milliseconds

# Who has used up the bank gets at least this long for each new decision.
LEAST_MS: Final = 1_000
MINUTE_MS: Final = 60_000
# So many commands of one seat, one after the other, are known by their versions.
MOST_IN_A_ROW: Final = 64
MOST_STARTS: Final = 16

_TABLE: Final = "match."


@dataclass(slots=True)
class Times:
    """`at`: when each event happened, in milliseconds. `acted`: the version of each actor's last event.

    `starts`: since when the limit of a decision counts for a seat, where that is not since it opened.
    `banks`: what each seat had left at the last append; `opened`: the latest decision (by the version at
    which it opened) that has added to it. `paused`: since when the clocks stand still. `spent`: what the
    banks that ran held before that, and since when they had run. `credited`: the end of the last outage whose
    time was given back. `row`: the first versions of the last commands, if all of them were those of
    `row_of`. `bot_moves`: how many moves bots have made for each seat."""

    at: "array[int]" = field(default_factory=lambda: array("q"))
    acted: dict[str, int] = field(default_factory=dict)
    starts: dict[str, dict[Seat, int]] = field(default_factory=dict)
    banks: list[int] = field(default_factory=list)
    opened: list[int] = field(default_factory=list)
    paused: int | None = None
    credited: int = 0
    spent: dict[Seat, tuple[int, int]] = field(default_factory=dict)
    row_of: str = ""
    row: list[int] = field(default_factory=list)
    bot_moves: dict[Seat, int] = field(default_factory=dict)

    @property
    def created(self) -> int:
        return self.at[0]

    @property
    def last(self) -> int:
        return self.at[-1] if self.at else 0


# Folding


def pass_until(times: Times, game: Game, match: Match, moment: int) -> None:
    """Time passes for those the match waits for, up to the next append; to be called before it is folded."""
    if not times.banks or times.paused is not None or match.status != RUNNING:
        return
    passed = max(0, moment - times.last)
    charged = set()
    for decision in match_rules.decisions(game, match):
        for seat in decision.awaited:
            if _has_bank(match, seat):
                times.banks[seat] = left(times, match, decision, seat)
                times.opened[seat] = max(times.opened[seat], decision.opened)
                charged.add(seat)
    times.spent = {seat: (times.banks[seat], times.last) for seat in charged}
    for seat in charged:
        times.banks[seat] = max(0, times.banks[seat] - passed)


def note(times: Times, game: Game, match: Match, records: list[Recorded]) -> None:
    """Note the events of one append, which the match holds already."""
    for record in records:
        moment = milliseconds(record.occurred_at)
        times.at.append(moment)
        times.acted[record.actor] = record.version
        if record.type.startswith(_TABLE):
            _note(times, game, match, record, moment)
    _note_row(times, records)
    _note_bot(times, records[0])
    if len(times.starts) > MOST_STARTS:
        known = {decision.id for decision in match_rules.decisions(game, match)}
        times.starts = {id: starts for id, starts in times.starts.items() if id in known}


def _note(times: Times, game: Game, match: Match, record: Recorded, moment: int) -> None:
    data = record.data
    if record.type == _STARTED and match.options.get("bank_ms") is not None:
        times.banks = [int(match.options["bank_ms"])] * len(match.chairs)
        times.opened = [0] * len(match.chairs)
    elif record.type == _EXPIRED:
        times.starts.setdefault(data["decision"], {}).update(dict.fromkeys(data["seats"], moment))
    elif record.type == _PAUSED:
        times.paused = moment
    elif record.type == _RESUMED and times.paused is not None:
        for decision in match_rules.decisions(game, match):
            for seat in range(len(match.chairs)):
                spent = max(0, times.paused - _start(times, decision, seat, moment))
                times.starts.setdefault(decision.id, {})[seat] = moment - spent
        times.paused = None
    elif record.type == _ADDED:
        _add(times, game, match, data["seats"], data["ms"])
    elif record.type == _FORKED:
        # A fork begins without what the clocks of the other match were at.
        times.paused, times.starts, times.banks, times.spent = None, {}, [], {}
    elif record.type == _CREDITED:
        _credit(times, game, match, data["since_ms"], data["until_ms"], moment)
    elif record.type == _UNDONE:
        for id in data["reopened"]:
            times.starts[id] = dict.fromkeys(range(len(match.chairs)), moment)


def _add(times: Times, game: Game, match: Match, seats: list[Seat], ms: int) -> None:
    for seat in seats:
        if times.banks:
            times.banks[seat] += ms
        for decision in match_rules.decisions(game, match):
            if seat in decision.awaited:
                starts = times.starts.setdefault(decision.id, {})
                starts[seat] = _start(times, decision, seat, times.last) + ms


def _credit(times: Times, game: Game, match: Match, since: int, until: int, moment: int) -> None:
    for decision in match_rules.decisions(game, match):
        starts = times.starts.setdefault(decision.id, {})
        for seat in range(len(match.chairs)):
            start = _start(times, decision, seat, moment)
            starts[seat] = start + max(0, until - max(since, start))
    for seat, (bank, start) in times.spent.items():
        away = max(0, until - max(since, start))
        times.banks[seat] = max(0, bank - max(0, moment - start - away))
    times.credited = until


def _note_bot(times: Times, first: Recorded) -> None:
    """A move of a bot, or the default move in its place."""
    if first.cause != "bot":
        return
    if first.actor.startswith("seat:"):
        seat = int(first.actor.removeprefix("seat:"))
    elif first.type == _FAILED and first.data["instead"] == "default-move":
        seat = first.data["seat"]
    else:
        return
    times.bot_moves[seat] = times.bot_moves.get(seat, 0) + 1


def _note_row(times: Times, records: list[Recorded]) -> None:
    game = [record for record in records if not record.type.startswith(_TABLE)]
    if game:
        actor = game[0].actor if game[0].cause == "player" else ""
        if actor != times.row_of:
            times.row_of, times.row = actor, []
        times.row = [*times.row, records[0].version][-MOST_IN_A_ROW:] if actor else []
    for record in records:
        if record.type == _UNDONE:
            times.row = [version for version in times.row if version <= record.data["to"]]


_STARTED: Final = wire.table_name(MatchStarted)
_FAILED: Final = wire.table_name(BotFailed)
_EXPIRED: Final = wire.table_name(DeadlineExpired)
_PAUSED: Final = wire.table_name(MatchPaused)
_RESUMED: Final = wire.table_name(MatchResumed)
_ADDED: Final = wire.table_name(TimeAdded)
_FORKED: Final = wire.table_name(MatchForked)
_CREDITED: Final = wire.table_name(OutageCredited)
_UNDONE: Final = wire.table_name(MatchUndone)


# Asking


def deadline_ms(times: Times, match: Match, decision: Decision, seat: Seat) -> int | None:
    """When the time of an awaited seat for an open decision is over: when the first of its limits is reached;
    None without a limit, and in a pause."""
    if times.paused is not None:
        return None
    options = match.options
    start = _start(times, decision, seat, times.last)
    ends = []
    if options.get("decision_limit_ms") is not None:
        ends.append(start + int(options["decision_limit_ms"]))
    if options.get("decision_limit_days") is not None:
        after = start + int(options["decision_limit_days"]) * DAY_MS
        ends.append(anchored(after, options.get("daily_anchor_minute")))
    if times.banks and _has_bank(match, seat):
        ends.append(times.last + left(times, match, decision, seat))
    return min(ends, default=None)


def has_clock(match: Match) -> bool:
    """Whether the match has any limit of time."""
    return any(match.options.get(name) is not None for name in CLOCKS)


def left(times: Times, match: Match, decision: Decision, seat: Seat) -> int:
    """What the seat had left at the last append, for a decision that waits for it."""
    bank = times.banks[seat]
    if decision.opened > times.opened[seat]:
        bank = max(bank + int(match.options.get("increment_ms", 0)), LEAST_MS)
    return bank


def anchored(moment: int, minute: int | None) -> int:
    """The first time from a moment on at this minute of the day (UTC); the moment itself without one."""
    if minute is None:
        return moment
    return moment + (minute * MINUTE_MS - moment) % DAY_MS


def commands_in_a_row(times: Times, seat: Seat) -> list[int]:
    """The versions before each of the last commands, if they were this seat's and nobody else's, oldest
    first."""
    return [version - 1 for version in times.row] if times.row_of == f"seat:{seat}" else []


def _start(times: Times, decision: Decision, seat: Seat, latest: int) -> int:
    opened = times.at[decision.opened - 1] if decision.opened <= len(times.at) else latest
    return times.starts.get(decision.id, {}).get(seat, opened)


def _has_bank(match: Match, seat: Seat) -> bool:
    chair = match.chairs[seat]
    return not chair.played_by_bot and not chair.resigned
