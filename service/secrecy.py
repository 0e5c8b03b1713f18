"""Did a finished match ever tell somebody what was hidden? Worlds that differ in that alone must look the same.

For every seat and the spectator, at every version before the end, what they were served is held against four
other worlds:

| world | what it is | what must be the same in it |
| --- | --- | --- |
| `told` | the match as it follows from what the viewer was served | the events as the rules of today tell them, the view, the legal moves |
| `dealt-anew` | that one, with cards put wherever cards lie face down (`Game.redeal`) | the view, the legal moves |
| `exchanged` | the true match, hidden cards of one back exchanged for each other all through the log | the events, the view, the legal moves |
| `shown` | no world: what events name has been in the view by then | the events |

Times, ids and hashes are those of the match in every world, so nothing is masked. A difference of two views
(`diff`) is made of nothing but the views, so it is the same where they are. What event *and* view show by
agreement counts as open: that the rules hide the right things is for the tests of each game.
"""  # noqa: E501 -- a table row is one line

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import msgspec

from domain.kernel import match as match_rules
from domain.kernel.chance import Chance
from domain.kernel.game import Event, Game
from domain.kernel.printed import strings
from domain.kernel.redaction import redact
from domain.kernel.redealing import standing
from domain.kernel.seats import SPECTATOR, Viewer
from domain.kernel.table import OVER, RUNNING, Match, MatchEnded
from events import codec
from events.envelope import Recorded, form
from service import access, positions, showing, wire
from service.clock import milliseconds
from service.persons import NAMELESS
from service.positions import Position

Json = dict[str, Any]

EVENTS: Final = "events"
VIEW: Final = "view"
LEGAL_MOVES: Final = "legal-moves"

TOLD: Final = "told"
DEALT_ANEW: Final = "dealt-anew"
EXCHANGED: Final = "exchanged"
SHOWN: Final = "shown"

# The status of a report.
DONE: Final = "done"
RUNS: Final = "running"

# Lists whose order says something; those of cards are else written down sorted.
_ORDERED: Final = ("output", "pile")


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that tells two worlds apart: at which version, in which response, in which world, and
    where in the response (a JSON Pointer)."""

    version: int
    response: str
    world: str
    place: str


@dataclass(slots=True)
class Checked:
    """What was found for one viewer (`s0` to `s6`, `public`): how many versions were looked at, in how many
    of them worlds were dealt anew and cards exchanged, and the first difference, None for none."""

    viewer: str
    versions: int = 0
    dealt_anew: int = 0
    exchanged: int = 0
    difference: Difference | None = None


def check(game: Game, records: Sequence[Recorded], every: int = 1) -> Iterator[Checked]:
    """Check a match that is over, viewer by viewer: the spectator, then the seats. `every`: worlds are dealt
    anew and exchanged at every so many versions only; events are always looked at. Raises ValueError for a
    match that is not over."""
    for viewer in viewers(len(wire.of(game).decode(records[0]).seats) if records else 0):
        yield check_viewer(game, records, viewer, every)


def check_viewer(game: Game, records: Sequence[Recorded], viewer: Viewer, every: int = 1) -> Checked:
    """Check what one viewer was served, as `check` does."""
    if not records or records[-1].type != wire.table_name(MatchEnded):
        raise ValueError("only a match that is over can be checked")
    return _Audit(game, records, viewer, every).run()


def viewers(seats: int) -> tuple[Viewer, ...]:
    """The spectator and every seat."""
    return (SPECTATOR, *range(seats))


def report(match: str, versions: int, known: Sequence[Json], wanted: int) -> Json:
    """What is known of the secrecy of a match with so many versions before its end: `known`, as `Checked` has
    them, of `wanted` viewers. `secret` is None as long as that is not known."""
    done = len(known) == wanted
    leaks = any(each["difference"] is not None for each in known)
    return {
        "match": match,
        "status": DONE if done else RUNS,
        "versions": versions,
        "secret": False if leaks else True if done else None,
        "viewers": list(known),
    }


class _Differs(Exception):
    def __init__(self, difference: Difference) -> None:
        super().__init__()
        self.difference = difference


@dataclass(slots=True)
class _Audit:
    """The check of one viewer under way. `named` and `shown` are the cards in what it was served,
    and all texts in its views."""

    game: Game
    records: Sequence[Recorded]
    viewer: Viewer
    every: int
    told: list[Event] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)
    present: set[str] = field(default_factory=set)
    swap: dict[str, str] = field(default_factory=dict)

    def run(self) -> Checked:
        perspective = access.perspective(self.viewer)
        checked = Checked(perspective)
        try:
            self._all(perspective, checked)
        except _Differs as found:
            checked.difference = found.difference
        return checked

    def _all(self, perspective: str, checked: Checked) -> None:
        names = wire.of(self.game)
        redactions = match_rules.redactions(self.game)
        true = positions.new(self.records[0].match, self.game, {})
        known, twin = match_rules.initial(), match_rules.initial()
        last = len(self.records)
        for record in self.records:
            event = names.decode(record)
            if record.version == record.command:
                true.let_pass(milliseconds(record.occurred_at))
            match_rules.evolve(self.game, true.state, event)
            positions.note(true, [record])
            if true.state.status == OVER:
                return
            served = names.decode(replace(record, data=form(record, perspective)))
            self._same(EVENTS, TOLD, record.version, redact(redactions, event, self.viewer), served)
            match_rules.evolve(self.game, known, served)
            self.told.append(served)
            view = showing.view(true, self.viewer, NAMELESS)
            self._nothing_more(record.version, served, view)
            self._view(TOLD, record.version, true, known, view)
            if self._hides_otherwise(event):
                twin = self._exchanged(record.version)
            else:
                other = self._swapped(record)
                self._same(EVENTS, EXCHANGED, record.version, redact(redactions, other, self.viewer), served)
                match_rules.evolve(self.game, twin, other)
            checked.versions += 1
            if record.version % self.every and record.version + 1 < last:
                continue
            rests = self.records[record.version].version == self.records[record.version].command
            moves = self._moves(true) if rests else None
            if self.swap:
                checked.exchanged += 1
                self._view(EXCHANGED, record.version, true, twin, view)
                self._legal(EXCHANGED, record.version, true, twin, moves)
            self._legal(TOLD, record.version, true, known, moves)
            if known.play is not None:
                checked.dealt_anew += 1
                world = self._dealt_anew(known, record)
                self._view(DEALT_ANEW, record.version, true, world, view)
                self._legal(DEALT_ANEW, record.version, true, world, moves)

    def _same(self, response: str, world: str, version: int, one: Any, other: Any) -> None:
        """Raises _Differs."""
        if one != other:
            place = _place(msgspec.to_builtins(one), msgspec.to_builtins(other))
            raise _Differs(Difference(version, response, world, place))

    def _view(self, world: str, version: int, true: Position, state: Match, view: Json) -> None:
        other = showing.view(replace(true, state=state), self.viewer, NAMELESS)
        self._same(VIEW, world, version, view, other)

    def _moves(self, true: Position) -> Json | None:
        """What the viewer may do; None for who has no seat and where nobody may do anything."""
        if self.viewer == SPECTATOR or true.state.status != RUNNING:
            return None
        return showing.legal_moves(true, self.viewer)

    def _legal(self, world: str, version: int, true: Position, state: Match, moves: Json | None) -> None:
        if moves is not None:
            self._same(LEGAL_MOVES, world, version, moves, self._moves(replace(true, state=state)))

    def _nothing_more(self, version: int, served: Event, view: Json) -> None:
        """What an event names is in this view, or was in one before."""
        names = self.game.backs().keys() & set(strings(codec.encode(served)))
        self.shown.update(strings(view))
        self.named |= names
        if not names <= self.shown:
            hidden = sorted(names - self.shown)[0]
            raise _Differs(Difference(version, EVENTS, SHOWN, _place_of(hidden, codec.encode(served))))

    def _dealt_anew(self, known: Match, record: Recorded) -> Match:
        world: Match = pickle.loads(pickle.dumps(known, pickle.HIGHEST_PROTOCOL))
        # Which world is left to the hash of the event: the same for whoever repeats the check.
        chance = Chance(record.match, bytes.fromhex(record.hash), bytes(32))
        for event in self.game.redeal(world.play, self.viewer, standing(self.told), chance):
            self.game.evolve(world.play, event)
        return world

    def _hides_otherwise(self, event: Event) -> bool:
        """Whether other cards are hidden than before this event, so that others must be exchanged."""
        self.present.update(strings(codec.encode(event)))
        backs = self.game.backs()
        groups: dict[str, list[str]] = {}
        for card in sorted((self.present - self.named) & backs.keys()):
            groups.setdefault(backs[card], []).append(card)
        swap = {
            card: other
            for cards in groups.values()
            if len(cards) > 1
            for card, other in zip(cards, cards[1:] + cards[:1], strict=True)
        }
        if swap == self.swap:
            return False
        self.swap = swap
        return True

    def _exchanged(self, version: int) -> Match:
        """The twin up to a version, which is served what the viewer was."""
        redactions, twin = match_rules.redactions(self.game), match_rules.initial()
        for record, served in zip(self.records[:version], self.told, strict=True):
            other = self._swapped(record)
            self._same(EVENTS, EXCHANGED, record.version, redact(redactions, other, self.viewer), served)
            match_rules.evolve(self.game, twin, other)
        return twin

    def _swapped(self, record: Recorded) -> Event:
        data = exchanged(record.data, self.swap) if self.swap else record.data
        return wire.of(self.game).decode(replace(record, data=data))


def exchanged(value: Any, swap: dict[str, str], ordered: bool = False) -> Any:
    """A JSON value with ids exchanged; lists of cards stay sorted, but those whose order says something."""
    if isinstance(value, str):
        return swap.get(value, value)
    if isinstance(value, dict):
        return {name: exchanged(inner, swap, name in _ORDERED) for name, inner in value.items()}
    if isinstance(value, list):
        inner = [exchanged(each, swap) for each in value]
        cards = all(isinstance(each, str) for each in inner)
        return sorted(inner) if cards and not ordered and inner != value else inner
    return value


def _place(one: Any, other: Any, path: str = "") -> str:
    """Where two JSON values differ first."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in [*one, *(name for name in other if name not in one)]:
            if name not in one or name not in other or one[name] != other[name]:
                return _place(one.get(name), other.get(name), f"{path}/{name}")
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (mine, its) in enumerate(zip(one, other, strict=True)):
            if mine != its:
                return _place(mine, its, f"{path}/{number}")
    return path


def _place_of(text: str, value: Any, path: str = "") -> str:
    """Where a text stands first in a JSON value."""
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for name, inner in items:
            if text in strings(inner):
                return _place_of(text, inner, f"{path}/{name}")
    return path
