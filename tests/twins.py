"""Twin worlds: two logs of a match that differ only in what one viewer must not see.

A twin swaps card kinds that the viewer has never been shown up to a version, everywhere in the log up to
there: in other hands, decks, draw piles, face-down choices, markers, discards. Whatever the viewer is served
of the two must be equal, once ids, times, hashes, seals and nonces are masked.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from domain.kernel import match as matches
from domain.kernel import table
from domain.kernel.chance import Chance
from domain.kernel.game import Game
from domain.kernel.match import By, Fact
from domain.kernel.redaction import FACE_DOWN, redact
from domain.kernel.seats import SPECTATOR, Viewer
from domain.kernel.table import Match, MatchEnded, SeatPlan


@dataclass(frozen=True, slots=True)
class Told:
    """A fact with the decision its command answered and the number of the command."""

    fact: Fact
    decision: str | None
    command: int


def options(game: Game, **chosen: Any) -> dict[str, Any]:
    """All options, the defaults filled in."""
    return {option.name: option.default for option in (*table.OPTIONS, *game.OPTIONS)} | chosen


def chance(match: str, seed: int) -> Chance:
    """Secrets for tests: the same seed, the same match."""
    return Chance(match, seed.to_bytes(32, "big"), (seed + 1).to_bytes(32, "big"))


def tell(game: Game, seats: int, seed: int, match: str = "mat_twin", **chosen: Any) -> list[Told]:
    """A whole match of people who move at random, fact by fact."""
    dice, secrets = random.Random(seed), chance(match, seed)
    state, told = matches.initial(), list[Told]()

    def ask(by: By, command: Any) -> None:
        facts = matches.handle(game, state, by, command, secrets)
        number = told[-1].command + 1 if told else 1
        told.extend(Told(fact, by.decision, number) for fact in facts)

    ask(By(None, "host"), table.CreateMatch(options(game, **chosen), [SeatPlan()] * seats))
    for seat in range(seats):
        ask(By(seat, "player"), table.JoinSeat(seat, f"{seat:02x}"))
    ask(By(None, "host"), table.Start())
    while state.status != table.OVER:
        seat = dice.choice(matches.awaited(game, state))
        decision, command = dice.choice(matches.legal_moves(game, state, seat))
        ask(By(seat, "player", decision.id), command)
    return told


def fold(game: Game, facts: Sequence[Any]) -> Match:
    """The match after the events."""
    state = matches.initial()
    for event in facts:
        matches.evolve(game, state, event)
    return state


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _swapped(value: Any, swap: dict[str, str], *, ordered: bool = False) -> Any:
    if isinstance(value, str):
        return swap.get(value, value)
    if isinstance(value, dict):
        return {key: _swapped(inner, swap, ordered=key in ("output", "pile")) for key, inner in value.items()}
    if isinstance(value, list):
        inner = [_swapped(each, swap) for each in value]
        cards = all(isinstance(each, str) for each in inner)
        return sorted(inner) if cards and not ordered and inner != value else inner
    return value


@dataclass(slots=True)
class Shown:
    """What a viewer has been shown of a log: the strings in the log, and those the viewer saw."""

    game: Game
    viewer: Viewer
    known: set[str] = field(default_factory=set)
    present: set[str] = field(default_factory=set)

    def add(self, facts: Sequence[Any]) -> "Shown":
        """More of the log."""
        redactions = matches.redactions(self.game)
        for event in facts:
            self.present.update(_strings(msgspec.to_builtins(event)))
            self.known.update(_strings(msgspec.to_builtins(redact(redactions, event, self.viewer))))
        return self

    def hidden(self, kinds: Mapping[str, Any], mates: Mapping[str, Iterable[str]] | None = None) -> list[str]:
        """The card kinds in the log that the viewer has not been shown; and of each those that could lie in
        its place without being in the log, `mates`, as far as the viewer has not been shown them either."""
        found = (self.present - self.known) & kinds.keys()
        others = {mate for name in found for mate in (mates or {}).get(name, ())}
        return sorted(found | (others - self.known))


def hidden(game: Game, facts: Sequence[Any], viewer: Viewer, kinds: Mapping[str, Any]) -> list[str]:
    """The card kinds in the log that the viewer has not been shown."""
    return Shown(game, viewer).add(facts).hidden(kinds)


def swaps(names: Sequence[str], kinds: Mapping[str, Any], dice: random.Random) -> dict[str, str]:
    """Kinds to be swapped among themselves, every one of them that has another in its group."""
    swap: dict[str, str] = {}
    for group in dict.fromkeys(kinds[name] for name in names):  # in the order of the names, unlike a set
        members = [name for name in names if kinds[name] == group]
        turned = members[1:] + members[:1] if dice.random() < 0.5 else members[::-1]
        swap |= dict(zip(members, turned, strict=True))
    return {old: new for old, new in swap.items() if old != new}


def swapped(game: Game, told: Sequence[Told], viewer: Viewer, swap: dict[str, str]) -> list[Told]:
    """The same facts with kinds swapped. Fails where the viewer would see a difference."""
    redactions = matches.redactions(game)
    changed: list[Told] = []
    for each in told:
        event = each.fact.event
        if isinstance(event, MatchEnded):
            raise ValueError("nothing is hidden after the end")
        shape = _swapped(msgspec.to_builtins(event), swap)
        other = msgspec.convert(shape, type(event))
        assert redact(redactions, other, viewer) == redact(redactions, event, viewer), type(event)
        changed.append(Told(Fact(other, each.fact.actor, each.fact.cause), each.decision, each.command))
    return changed


def twin(
    game: Game, told: Sequence[Told], viewer: Viewer, kinds: Mapping[str, Any], dice: random.Random
) -> list[Told] | None:
    """The same log with the hidden kinds swapped among themselves; None where nothing is hidden.

    `kinds` gives each card kind the group within which it may be swapped."""
    names = hidden(game, [each.fact.event for each in told], viewer, kinds)
    swap = swaps(names, kinds, dice)
    return swapped(game, told, viewer, swap) if swap else None


MASKED = {
    "match", "hash", "prev_hash", "nonce", "seals", "occurred_at", "opened_at", "deadline_at", "created_at",
    "updated_at", "commitment", "instance", "signature", "head_signature", "public_key",
}  # fmt: skip


def masked(value: Any) -> Any:
    """A response without what differs between any two matches: ids, times, hashes, seals, nonces."""
    if isinstance(value, dict):
        return {
            key: (sorted(inner) if key == "seals" else "*") if key in MASKED and inner is not None
            else masked(inner)
            for key, inner in value.items()
        }  # fmt: skip
    if isinstance(value, list):
        return [masked(inner) for inner in value]
    return value


def viewers(seats: int) -> list[Viewer]:
    """Every seat, and the spectator."""
    return [*range(seats), SPECTATOR]


__all__ = [
    "FACE_DOWN",
    "Shown",
    "Told",
    "fold",
    "hidden",
    "masked",
    "swapped",
    "swaps",
    "tell",
    "twin",
    "viewers",
]
