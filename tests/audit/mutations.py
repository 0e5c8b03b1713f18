"""Changes of bundles tried and counted: `python -m tests.audit.mutations [GAME…]` (make audit-mutations).

Prints, per game, how many changes of how many lines were tried, and fails if one was not detected by both
verifiers in Python at its line, or if the one in TypeScript gives another verdict.
"""

import copy
import itertools
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec

from events import bundle
from events.bundle_checks import Checker, Fault
from events.bundle_lines import parse
from events.canonical import Malformed
from events.reveal import Reveal
from tests.audit.node import Steps, b64, steps
from tests.audit.short_match import BUNDLES, tool
from tests.audit.whole_matches import JSON, TABLES, changes, line, lines_of

# A line and its number (from 0) -> whether it is accepted, in the state the lines before it left.
Check = Callable[[int, bytes], bool]


@dataclass(slots=True)
class Tried:
    """How many changes of how many lines, and those nobody detected, as (line, mutant)."""

    lines: int = 0
    count: int = 0
    missed: list[tuple[int, bytes]] = field(default_factory=list)


def verdicts(lines: Sequence[bytes]) -> tuple[int, int]:
    """The first wrong line as the service and as the stand-alone verifier name it; 0 for none."""
    report = tool.verify(b"".join(lines))
    return bundle.verify(lines).line or 0, 0 if report.log else report.line


def lines(
    game: str, perspective: str, over: bool = True, stride: int = 1, checks: tuple[Check, ...] | None = None
) -> Tried:
    """Change the events of a bundle, every `stride`-th change of all, and put each to the checks of both
    verifiers in the state the events before it left."""
    raw = lines_of(game, perspective, over)
    walks = (_OfTool(raw), _OfService(raw))
    asked = checks or tuple(walk.accepts for walk in walks)
    tried, number = Tried(lines=len(raw) - 2), itertools.count()
    for at in range(1, len(raw) - 1):
        for mutant in changes(msgspec.json.decode(raw[at])):
            if next(number) % stride:
                continue
            changed = line(mutant)
            if changed != raw[at]:
                tried.count += 1
                if any([check(at, changed) for check in asked]):
                    tried.missed.append((at, changed))
        for walk in walks:
            assert walk.accepts(at, raw[at], keep=True), f"line {at + 1} itself is wrong"
    return tried


def files(game: str, perspective: str, dice: random.Random, most: int) -> Tried:
    """Change any line of a bundle, header and trailer among them, and verify the whole file."""
    raw = lines_of(game, perspective)
    tried = Tried(lines=len(raw))
    while tried.count < most:
        at = dice.choice([0, len(raw) - 1, dice.randrange(1, len(raw) - 1)])
        mutants = [line(mutant) for mutant in changes(msgspec.json.decode(raw[at]))]
        mutant = dice.choice(mutants)
        if mutant == raw[at]:
            continue
        tried.count += 1
        if verdicts([*raw[:at], mutant, *raw[at + 1 :]]) != (at + 1, at + 1):
            tried.missed.append((at, mutant))
    return tried


def compared(typescript: Steps, raw: bytes, stride: int = 1) -> Tried:
    """Change any line of a bundle, every `stride`-th change of all, and ask the verifiers in Python and in
    TypeScript for the first wrong line of the whole file; missed is what they do not agree on."""
    kept = raw.splitlines(keepends=True)
    typescript.ask("base", b64(raw))
    tried, number = Tried(lines=len(kept)), itertools.count()
    for at, told in enumerate(kept):
        for mutant in changes(msgspec.json.decode(told)):
            if next(number) % stride:
                continue
            changed = line(mutant)
            tried.count += 1
            report = tool.verify(b"".join([*kept[:at], changed, *kept[at + 1 :]]))
            if typescript.ask("spliced", at, at + 1, b64(changed)) != (0 if report.log else report.line):
                tried.missed.append((at, changed))
    return tried


class _OfTool:
    """The stand-alone verifier, event by event."""

    def __init__(self, raw: Sequence[bytes]) -> None:
        parsed = [tool.parsed(each[:-1]) for each in raw]
        header = parsed[0]
        key = tool.revealed(parsed) if header["over"] else None
        self.log = tool.Log(header["match"], header["perspective"], header["over"], header["count"], key)

    def accepts(self, at: int, raw: bytes, keep: bool = False) -> bool:
        log = copy.copy(self.log)
        log.entropy, log.labels = list(log.entropy), set(log.labels)
        try:
            event = tool.parsed(raw[:-1])
            if "format" in event:
                return False
            tool.check_event(event, log)
        except tool.Wrong:
            return False
        if keep:
            self.log = log
        return True


class _OfService:
    """The verifier of the service, event by event."""

    def __init__(self, raw: Sequence[bytes]) -> None:
        header, last = parse(raw[0]), parse(raw[-2])["data"]
        reveal = None
        if header["over"]:
            reveal = Reveal.from_hex(header["match"], last["match_key"], last["commit_nonce"])
        self.checker = Checker(header, reveal)

    def accepts(self, at: int, raw: bytes, keep: bool = False) -> bool:
        checker = copy.copy(self.checker)
        checker.entropy, checker.labels = list(checker.entropy), set(checker.labels)
        try:
            envelope: JSON = parse(raw)
            checker.check(at + 1, envelope, ())
        except (Malformed, Fault):
            return False
        if keep:
            self.checker = checker
        return True


def main(games: Sequence[str]) -> int:
    """Try everything; the exit code."""
    wrong = 0
    for game in games or TABLES:
        began = time.monotonic()
        found = lines(game, "full")
        whole = files(game, "full", random.Random(1), 500)
        missed = len(found.missed) + len(whole.missed)
        wrong += missed
        size = sum(map(len, lines_of(game)))
        print(
            f"{game}: {found.lines} events, bundle of {size / 1000:.0f} kB; {found.count:,} changes of lines"
            f" and {whole.count:,} of whole files tried, {missed} missed ({time.monotonic() - began:.0f} s)",
            flush=True,
        )
    began, tried, disagreed = time.monotonic(), 0, 0
    with steps() as typescript:
        for raw in BUNDLES.values():
            found = compared(typescript, raw)
            tried += found.count
            disagreed += len(found.missed)
    print(
        f"a short match, {len(BUNDLES)} bundles: {tried:,} changed files put to the verifiers in Python and"
        f" in TypeScript, {disagreed} verdicts differ ({time.monotonic() - began:.0f} s)"
    )
    return 1 if wrong or disagreed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
