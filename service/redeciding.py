"""Deciding a finished match again from its full log: are these the facts the rules make of those commands?

The verifier proves that a log is the one that was written; this, that it was written by the rules. It cannot
know what is not in the log: that a deadline had really passed, that the entropy was a seat's own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Any, Final

from domain.kernel import match as match_rules
from domain.kernel import table
from domain.kernel.chance import Chance, drawn_for
from domain.kernel.errors import IllegalMove
from domain.kernel.game import Event, Game
from domain.kernel.match import By, Fact
from domain.kernel.redealing import standing
from events import codec
from events.canonical import Malformed
from service import wire

Json = dict[str, Any]

# What can differ from the record: a command is refused, an event is another one, is left out, is added, or
# follows from nothing.
REFUSED: Final = "refused"
CHANGED: Final = "changed"
MISSING: Final = "missing"
ADDED: Final = "added"
ORPHANED: Final = "orphaned"

_COMPARED: Final = ("type", "data", "actor", "cause", "decision")


class Undecidable(Exception):
    """This log cannot be decided again: it cannot be read, or does not reveal its secrets."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first event that is not what the rules make of the command before it. `subject`: the code of a
    refusal, else the type of the event."""

    version: int
    kind: str
    subject: str
    reason: str


@dataclass(frozen=True, slots=True)
class Redecided:
    """How many commands were decided again, and the first difference, None for none."""

    commands: int
    difference: Difference | None


def redecide(game: Game, match: str, envelopes: Sequence[Json]) -> Redecided:
    """Decide every command of a finished match again under the rules of `game`. `envelopes` are all its
    events in full. Raises Undecidable."""
    state, chance = match_rules.initial(), _chance(match, envelopes)
    commands = 0
    for _, group in groupby(envelopes, key=lambda envelope: envelope["command"]):
        recorded = list(group)
        if state.version == 0:
            taken = _taken_over(game, state, chance, recorded)
            if isinstance(taken, Difference):
                return Redecided(commands, taken)
            recorded = taken
        # A batch holds several commands of one seat, one after the other.
        while recorded:
            found = _decided(game, state, chance, recorded)
            if isinstance(found, Difference):
                return Redecided(commands, found)
            commands += 1
            recorded = recorded[found:]
    return Redecided(commands, None)


def event_of(game: Game, envelope: Json) -> Event:
    """The event of an envelope in its newest shape. Raises Undecidable."""
    registry, upcasts = match_rules.events(game), match_rules.upcasts(game)
    try:
        return codec.read(registry, upcasts, envelope["type"], envelope["schema"], envelope["data"])
    except (Malformed, codec.UnknownEvent) as error:
        raise Undecidable(f"event {envelope['version']} cannot be read ({error})") from None


def _taken_over(
    game: Game, state: table.Match, chance: Chance, recorded: list[Json]
) -> list[Json] | Difference:
    """Of a fork, fold what it took over: the other match decided it, and what was dealt anew nobody decided.
    The events that are left to decide again; or what is in the same append without being any of that, as a
    forger would have it who calls a game of his own a fork."""
    first = event_of(game, recorded[0])
    if not isinstance(first, table.MatchCreated) or first.forked_from is None:
        return recorded
    origin, told = first.forked_from, list[Event]()
    taken, own = recorded[: origin.version], recorded[origin.version :]
    for envelope in taken:
        told.append(event_of(game, envelope))
        match_rules.evolve(game, state, told[-1])
    forked = event_of(game, own[0]) if own else None
    if not isinstance(forked, table.MatchForked) or (forked.match, forked.version) != (
        origin.match,
        origin.version,
    ):
        return Difference(state.version + 1, MISSING, "match.forked", "what was taken over ends elsewhere")
    match_rules.evolve(game, state, forked)
    dealt = list[Event]()
    if forked.seen_by is not None:
        dealing = chance.with_entropy([chair.entropy for chair in state.chairs])
        dealt = game.redeal(state.play, forked.seen_by, standing(told), dealing)
    for envelope, wanted in zip_longest(own[1:], dealt):
        if envelope is None:
            return Difference(state.version + 1, MISSING, "match.forked", "what was hidden is not dealt anew")
        # Which cards it deals is no rule: another release may deal others.
        event, kind = event_of(game, envelope), envelope["type"]
        if type(event) is not type(wanted) or envelope["actor"] != match_rules.RULES:
            return Difference(envelope["version"], ORPHANED, kind, f"{kind} is not what a fork begins with")
        match_rules.evolve(game, state, event)
    return []


def _chance(match: str, envelopes: Sequence[Json]) -> Chance:
    revealed = envelopes[-1]["data"] if envelopes else {}
    try:
        match_key, nonce = (bytes.fromhex(revealed[name]) for name in ("match_key", "commit_nonce"))
    except (KeyError, TypeError, ValueError):
        raise Undecidable("the last event reveals no secrets") from None
    sandbox = envelopes[0]["data"].get("sandbox") or {}
    return Chance(drawn_for(match, sandbox.get("seed")), match_key, nonce)


def _decided(game: Game, state: table.Match, chance: Chance, recorded: list[Json]) -> Difference | int:
    """Decide the command that begins these events again, folding `state` forward: how many of them are its
    own, or what is recorded otherwise."""
    first = recorded[0]
    version, kind = first["version"], first["type"]
    command = match_rules.command_of(game, event_of(game, first))
    if command is None:
        return Difference(version, ORPHANED, kind, f"{kind} is not what a command begins with")
    by = By(_seat(first["actor"]), first["cause"], first["decision"])
    try:
        facts = match_rules.handle(game, state, by, command, chance)
    except IllegalMove as refusal:
        said = f"the rules refuse {type(command).__name__}: {refusal}"
        return Difference(version, REFUSED, refusal.reason.code, said)
    decided = _shown(game, facts, first["decision"])
    for number, envelope in enumerate(recorded):
        version, kind = envelope["version"], envelope["type"]
        wanted = next(decided, None)
        if wanted is None:
            if (envelope["actor"], envelope["cause"]) == (first["actor"], "player"):
                return number
            return Difference(version, MISSING, kind, f"the rules end before this {kind}")
        shown = {**envelope, "data": codec.encode(event_of(game, envelope))}
        for name in _COMPARED:
            if shown[name] != wanted[name]:
                return Difference(version, CHANGED, kind, f"the rules give another {name} of {kind}")
    if (more := next(decided, None)) is not None:
        return Difference(version + 1, ADDED, more["type"], f"the rules go on with {more['type']}")
    return len(recorded)


def _shown(game: Game, facts: list[Fact], decision: str | None) -> Iterator[Json]:
    for draft in wire.of(game).drafts(facts, decision, {}):
        yield {name: getattr(draft, name) for name in _COMPARED}


def _seat(actor: str) -> int | None:
    return int(actor.removeprefix("seat:")) if actor.startswith("seat:") else None
