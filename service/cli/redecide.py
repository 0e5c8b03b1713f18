"""Deciding a finished match again from its full bundle: are these the facts the rules make of those commands?

The verifier proves that a log is the one that was written; this, that it was written by the rules. It cannot
know what is not in the log: that a deadline had really passed, that the entropy was a seat's own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import click

from domain.kernel import match as match_rules
from domain.kernel import table
from domain.kernel.chance import Chance
from domain.kernel.errors import IllegalMove
from domain.kernel.game import Game
from domain.kernel.match import By, Fact
from events import bundle, codec
from events.envelope import FULL
from service import wire
from service.cli.bundles import event_of, game_of
from service.cli.client import Json

_COMPARED: Final = ("type", "data", "actor", "cause", "decision")


@dataclass(frozen=True, slots=True)
class Difference:
    """The first event that is not what the rules make of the command before it."""

    version: int
    reason: str


@dataclass(frozen=True, slots=True)
class Redecided:
    """How many commands were decided again, and the first difference, None for none."""

    commands: int
    difference: Difference | None


def redecide(read: bundle.Bundle) -> Redecided:
    """Decide every command of a full bundle again. Raises click.ClickException for another bundle."""
    game = game_of(read)
    if read.header["perspective"] != FULL or not read.header["over"]:
        raise click.ClickException("only the full bundle of a match that is over can be decided again")
    state, chance = match_rules.initial(), _chance(read)
    commands = 0
    for _, group in groupby(read.envelopes, key=lambda envelope: envelope["command"]):
        recorded = list(group)
        if commands == 0 and state.version == 0:
            recorded = _taken_over(game, state, recorded)
        # A batch holds several commands of one seat, one after the other.
        while recorded:
            found = _decided(game, state, chance, recorded)
            if isinstance(found, Difference):
                return Redecided(commands, found)
            commands += 1
            recorded = recorded[found:]
    return Redecided(commands, None)


def _taken_over(game: Game, state: table.Match, recorded: list[Json]) -> list[Json]:
    """Of a fork, fold what it took over: the other match decided it, and what was dealt anew nobody decided.
    The events that are left to decide again."""
    first = event_of(game, recorded[0])
    if not isinstance(first, table.MatchCreated) or first.forked_from is None:
        return recorded
    for envelope in recorded:
        match_rules.evolve(game, state, event_of(game, envelope))
    return []


def _chance(read: bundle.Bundle) -> Chance:
    revealed = read.envelopes[-1]["data"]
    try:
        match_key, nonce = (bytes.fromhex(revealed[name]) for name in ("match_key", "commit_nonce"))
    except (KeyError, TypeError, ValueError):
        raise click.ClickException("the last event reveals no secrets; see wonderlog verify") from None
    return Chance(read.header["match"], match_key, nonce)


def _decided(game: Game, state: table.Match, chance: Chance, recorded: list[Json]) -> Difference | int:
    """Decide the command that begins these events again, folding `state` forward: how many of them are its
    own, or what is recorded otherwise."""
    first = recorded[0]
    command = match_rules.command_of(game, event_of(game, first))
    if command is None:
        return Difference(first["version"], f"{first['type']} is not what a command begins with")
    by = By(_seat(first["actor"]), first["cause"], first["decision"])
    try:
        facts = match_rules.handle(game, state, by, command, chance)
    except IllegalMove as refusal:
        return Difference(first["version"], f"the rules refuse {type(command).__name__}: {refusal}")
    decided = _shown(game, facts, first["decision"])
    for number, envelope in enumerate(recorded):
        wanted = next(decided, None)
        if wanted is None:
            if (envelope["actor"], envelope["cause"]) == (first["actor"], "player"):
                return number
            return Difference(envelope["version"], f"the rules end before this {envelope['type']}")
        shown = {**envelope, "data": codec.encode(event_of(game, envelope))}
        for name in _COMPARED:
            if shown[name] != wanted[name]:
                return Difference(envelope["version"], f"the rules give another {name} of {envelope['type']}")
    if (missing := next(decided, None)) is not None:
        return Difference(recorded[-1]["version"] + 1, f"the rules go on with {missing['type']}")
    return len(recorded)


def _shown(game: Game, facts: list[Fact], decision: str | None) -> Iterator[Json]:
    for draft in wire.of(game).drafts(facts, decision, {}):
        yield {name: getattr(draft, name) for name in _COMPARED}


def _seat(actor: str) -> int | None:
    return int(actor.removeprefix("seat:")) if actor.startswith("seat:") else None
