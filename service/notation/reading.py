"""A match from its notation: the commands put to the rules again, the draws as they are written."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain.kernel import match as match_rules
from domain.kernel.chance import Chance
from domain.kernel.errors import IllegalMove
from domain.kernel.game import Game
from domain.kernel.match import By
from domain.kernel.table import OVER, CreateMatch, Sandbox, SeatPlan
from events.envelope import MOMENT, Draft
from service import wire
from service.notation import FORMAT, NotNotation
from service.notation.verbs import verbs
from service.notation.words import command, split, value, word
from service.notation.writing import CAUSES, end_of

_TAG: Final = re.compile(r"\[([A-Z][a-z]+) (.*)\]")
_WHO: Final = re.compile(r"([0-6]|tenant|rules)([*~!]?)")
_SECRET: Final = re.compile(r"[0-9a-f]{64}")
_MATCH: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_BY_MARK: Final = {mark: cause for cause, mark in CAUSES.items() if mark}
_NO_KEY: Final = "0" * 64


class Recorded(Chance):
    """Draws as they are written down; where one is not, as the secrets make it."""

    __slots__ = ("draws",)
    draws: Mapping[str, Sequence[str]]

    def with_entropy(self, entropy: Sequence[str | None]) -> "Recorded":
        """The same draws and secrets, with the entropy of the seats."""
        return recorded(self.match, self.match_key, self.commit_nonce, self.draws, tuple(entropy))

    def shuffled(self, label: str, cards: Sequence[str]) -> list[str]:
        """The cards that were drawn, then the others. Raises ValueError for a draw of other cards."""
        if label not in self.draws:
            if self.match_key == bytes(32):
                raise ValueError(f"the draw {label} is not written down, and there is no key to make it")
            return super().shuffled(label, cards)
        rest, drawn = list(cards), list(self.draws[label])
        for card in drawn:
            if card not in rest:
                raise ValueError(f"the draw {label} holds {word(card)}, which is not there to be drawn")
            rest.remove(card)
        return drawn + rest


def recorded(
    match: str,
    match_key: bytes,
    commit_nonce: bytes,
    draws: Mapping[str, Sequence[str]],
    entropy: tuple[str | None, ...] = (),
) -> Recorded:
    """Chance that knows these draws by label."""
    made = Recorded(match, match_key, commit_nonce, entropy)
    object.__setattr__(made, "draws", draws)  # the fields of Chance are frozen
    return made


@dataclass(frozen=True, slots=True)
class Played:
    """A match as its notation tells it: its events as drafts, a list for each command."""

    game: Game
    match: str
    date: str
    chance: Chance
    commands: list[list[Draft]]


def tags(text: str) -> dict[str, Any]:
    """The tags at the beginning. Raises NotNotation."""
    found: dict[str, Any] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            break
        tag = _TAG.fullmatch(line.strip())
        try:
            if tag is None or tag[1] in found:
                raise ValueError
            found[tag[1]] = json.loads(tag[2])
        except ValueError:
            raise NotNotation(number, 'a tag is expected, such as [Game "seven-wonders"]') from None
    if found.get("Format") != FORMAT:
        raise NotNotation(1, f'the first tag is [Format "{FORMAT}"]')
    return found


def read(game: Game, text: str) -> Played:
    """Play a match again from its notation. Raises NotNotation for a text that is none, for moves the rules
    refuse, and for a match that does not come to the end the text names."""
    head = tags(text)
    key, nonce, match = head.get("Key", _NO_KEY), head.get("Nonce", _NO_KEY), head.get("Match")
    if not all(isinstance(each, str) and _SECRET.fullmatch(each) for each in (key, nonce)):
        raise NotNotation(1, "Key and Nonce are 64 lower-case hex digits each")
    if not isinstance(match, str) or not _MATCH.fullmatch(match):
        raise NotNotation(1, "the tag Match is missing")
    date = head.get("Date", "1970-01-01T00:00:00.000Z")
    if not isinstance(date, str) or not MOMENT.fullmatch(date):
        raise NotNotation(1, "the Date is a time in UTC with milliseconds")
    rows = list(_rows(text))
    chance = recorded(match, bytes.fromhex(key), bytes.fromhex(nonce), dict(_draws(rows)))
    state, commands = match_rules.initial(), list[list[Draft]]()
    names = wire.of(game)
    for number, by, asked in _asked(game, head, rows):
        try:
            facts = match_rules.handle(game, state, by, asked, chance)
        except IllegalMove as refusal:
            raise NotNotation(number, f"the rules refuse this: {refusal}") from refusal
        except (KeyError, RuntimeError, TypeError, ValueError) as error:
            raise NotNotation(number, f"this cannot be played: {error}") from error
        commands.append(names.drafts(facts, by.decision, {}))
    if state.status != OVER:
        raise NotNotation(len(text.splitlines()), "the match is not over")
    if "End" in head and head["End"] != end_of(game, state):
        raise NotNotation(1, "the match ends otherwise than the tag End says")
    return Played(game, match, date, chance, commands)


def _rows(text: str) -> Iterator[tuple[int, str]]:
    """The lines below the tags, continued ones joined, each with its number."""
    below, current, at = False, "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if not below:
            below = not line.strip()
            continue
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith(" "):
            current += line
            continue
        if current:
            yield at, current
        current, at = line, number
    if current:
        yield at, current


def _draws(rows: Sequence[tuple[int, str]]) -> Iterator[tuple[str, list[str]]]:
    seen = set[str]()
    for number, row in rows:
        if row.startswith("="):
            try:
                label, *cards = (value(each) for each in split(row[1:]))
            except ValueError as error:
                raise NotNotation(number, str(error)) from error
            if label in seen or not all(isinstance(each, str) for each in (label, *cards)):
                raise NotNotation(number, "a draw has a label of its own, and names cards")
            seen.add(label)
            yield label, cards


def _asked(
    game: Game, head: Mapping[str, Any], rows: Sequence[tuple[int, str]]
) -> Iterator[tuple[int, By, Any]]:
    """Every command with who asks and the number of its line."""
    yield 1, By(None, "host"), _creation(head)
    known = verbs(game)
    for number, row in rows:
        if row.startswith("="):
            continue
        decision, colon, rest = row.partition(": ")
        if not colon:
            raise NotNotation(number, "a decision, a colon and commands are expected")
        for said in _commands(rest):
            try:
                who, verb, *words = split(said)
                seat = _WHO.fullmatch(who)
                if seat is None or verb not in known:
                    raise ValueError(f"{who} {verb}: nobody can do that")
                asked = command(known[verb], words)
            except ValueError as error:
                raise NotNotation(number, str(error)) from error
            actor, mark = seat.groups()
            cause = _BY_MARK.get(mark) or ("host" if actor == "tenant" else "player")
            by = By(int(actor) if actor.isdecimal() else None, cause, None if decision == "-" else decision)
            yield number, by, asked


def _commands(text: str) -> Iterator[str]:
    """The commands of a line, parted by semicolons outside quotes."""
    part, quoted, escaped = "", False, False
    for character in text:
        if character == ";" and not quoted:
            yield part
            part = ""
            continue
        part += character
        if quoted and character == "\\" and not escaped:
            escaped = True
            continue
        if character == '"' and not escaped:
            quoted = not quoted
        escaped = False
    if part.strip():
        yield part


def _creation(head: Mapping[str, Any]) -> CreateMatch:
    options, seats = head.get("Options"), head.get("Seats")
    if not isinstance(options, dict) or not isinstance(seats, list):
        raise NotNotation(1, "the tags Options and Seats are missing")
    plans = [SeatPlan() if each == "open" else SeatPlan("bot", str(each)) for each in seats]
    sandbox = None
    if "Sandbox" in head:
        seed = head["Sandbox"]
        if not (seed is None or isinstance(seed, str)):
            raise NotNotation(1, "the Sandbox is a seed, or null")
        sandbox = Sandbox(seed)
    return CreateMatch(options, plans, str(head.get("Visibility", "public")), sandbox)
