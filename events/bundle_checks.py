"""Checking the envelopes of a bundle one after the other: chain, seals, table, draws."""

import re
from collections.abc import Iterable
from typing import Any, Final

from events.bundle_lines import ENVELOPE, check_shape, is_kind
from events.canonical import Json, Malformed, canonical
from events.chain import event_hash, nonce, seal
from events.envelope import FULL, HASH, SEAT, ZERO_HASH
from events.forms import FACE_DOWN, is_hidden_form
from events.reveal import Reveal

CREATED: Final = "match.created"
STARTED: Final = "match.started"
ENDED: Final = "match.ended"
FORKED: Final = "match.forked"
JOINED: Final = "match.seat_joined"
ENTROPY: Final = re.compile(r"([0-9a-f]{2}){1,64}")
SEED: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
VACATED: Final = frozenset({"match.bot_seated", "match.seat_left"})
DRAW: Final = frozenset({"label", "count", "input", "output"})


class Fault(Exception):
    """Something wrong with a bundle, at a line."""

    def __init__(self, line: int, kind: str, reason: str) -> None:
        super().__init__(f"line {line}: {kind}: {reason}")
        self.line = line
        self.kind = kind
        self.reason = reason


class Checker:
    """What is known of a match after the envelopes checked so far."""

    def __init__(self, header: Json, reveal: Reveal | None) -> None:
        """`reveal`: the secrets, if the bundle reveals some that fit the commitment in its first event."""
        self.header = header
        self.reveal = reveal
        self.seal_key = reveal.seal_key() if reveal else None
        self.version = 0
        self.hash = ZERO_HASH
        self.command = 0
        self.game = ""
        self.ruleset = ""
        self.entropy: list[str | None] = []
        self.started = False
        self.labels: set[str] = set()
        self.seed: str | None = None  # of a sandbox match: its draws follow from it
        self.copied = 0  # events a fork took over from another match, with its draws
        self.seals = self.seals_opened = self.draws = self.draws_repeated = 0

    def check(self, line: int, envelope: Json, later: Iterable[int]) -> None:
        """Check the next envelope; `later` holds the versions on the lines after it. Raises Fault."""
        try:
            check_shape(envelope, ENVELOPE)
        except Malformed as error:
            raise Fault(line, "malformed", error.detail) from error
        self._check_link(line, envelope, later)
        self._check_seals(line, envelope)
        self._check_parts(line, envelope)
        forms = [envelope.get("public", envelope["data"]), *envelope.get("parts", {}).values()]
        if not all(is_hidden_form(form, envelope["data"]) for form in forms):
            raise Fault(line, "foreign", "the viewers of the event were told of different events")
        self._check_table(line, envelope["type"], forms[0])
        if envelope["data"].keys() >= DRAW:
            self._check_draw(line, envelope["data"], forms)

    def _check_link(self, line: int, envelope: Json, later: Iterable[int]) -> None:
        if not has_its_hash(envelope):
            raise Fault(line, "edited", "the event does not have its hash")
        if envelope["match"] != self.header["match"]:
            raise Fault(line, "foreign", f"an event of {envelope['match']}")
        expected = self.version + 1
        if envelope["version"] < expected:
            raise Fault(line, "added", f"event {envelope['version']} again, where {expected} belongs")
        if envelope["version"] > expected:
            if expected in later:
                raise Fault(line, "swapped", f"event {envelope['version']}, where {expected} belongs")
            raise Fault(line, "dropped", f"event {expected} is missing")
        if envelope["prev_hash"] != self.hash:
            raise Fault(line, "foreign", "the event continues another history")
        self.ruleset = self.ruleset or envelope["ruleset"]
        if envelope["ruleset"] != self.ruleset:
            raise Fault(line, "foreign", f"the event is not of ruleset {self.ruleset}, as those before")
        if envelope["command"] not in (expected, self.command or expected):
            raise Fault(line, "foreign", f"event {envelope['command']} does not begin its append")
        if envelope["schema"] < 1:
            raise Fault(line, "foreign", "schemas are numbered from 1")
        self.version, self.hash, self.command = expected, envelope["hash"], envelope["command"]

    def _check_seals(self, line: int, envelope: Json) -> None:
        perspective, seals = self.header["perspective"], envelope["seals"]
        seats = len(self.entropy)
        for name in seals.keys() - {FULL}:
            if not SEAT.fullmatch(name) or int(name[1:]) >= seats:
                raise Fault(line, "foreign", f"a seal for {name} in a match of {seats} seats")
        if seals and FULL not in seals:
            raise Fault(line, "foreign", "seals, but none of the whole event")
        self.seals += len(seals)
        if perspective not in seals:
            if "nonce" in envelope or "public" in envelope:
                raise Fault(line, "edited", f"{perspective} has no seal here and sees what the public sees")
            return
        if "nonce" not in envelope:
            raise Fault(line, "edited", f"the nonce of {perspective} is missing")
        if "public" in envelope and canonical(envelope["public"]) == canonical(envelope["data"]):
            raise Fault(line, "edited", "the public form is repeated")
        self._open(line, envelope, perspective, envelope["nonce"], envelope["data"])
        if self.seal_key is not None and envelope["nonce"] != self._nonce(perspective):
            raise Fault(line, "edited", f"the nonce of {perspective} is not the one of the revealed key")

    def _check_parts(self, line: int, envelope: Json) -> None:
        shown = self.header["perspective"] == FULL and self.header["over"]
        if not shown:
            if "parts" in envelope:
                raise Fault(line, "edited", "the forms of the seats belong into a whole match that is over")
            return
        if "parts" not in envelope or envelope["parts"].keys() != envelope["seals"].keys() - {FULL}:
            raise Fault(line, "edited", "the forms of the seats are not those that were sealed")
        if self.seal_key is None:
            return
        for perspective, part in envelope["parts"].items():
            self._open(line, envelope, perspective, self._nonce(perspective), part)

    def _nonce(self, perspective: str) -> str:
        assert self.seal_key is not None
        return nonce(self.seal_key, self.header["match"], self.version, perspective).hex()

    def _open(self, line: int, envelope: Json, perspective: str, blind: str, part: Any) -> None:
        sealed = seal(self.header["match"], self.version, perspective, blind, part)
        if sealed != envelope["seals"][perspective]:
            raise Fault(line, "edited", f"the form of {perspective} is not the one sealed")
        self.seals_opened += 1

    def _check_table(self, line: int, kind: str, data: Json) -> None:
        if (kind == CREATED) != (self.version == 1):
            raise Fault(line, "foreign", f"a match begins with {CREATED}, and has one only")
        if kind == CREATED:
            self._created(line, data)
        if self.version > self.copied and (kind == FORKED) != (0 < self.copied == self.version - 1):
            raise Fault(line, "foreign", f"{FORKED} follows what a fork took over, and nothing else")
        if self.version <= self.copied and kind == ENDED:
            raise Fault(line, "foreign", "a fork takes over no end of a match")
        if kind == STARTED:
            if self.started:
                raise Fault(line, "foreign", "a match starts once")
            self.started = True
        elif kind == ENDED:
            self._ended(line)
        elif kind == JOINED or kind in VACATED:
            self._seated(line, kind, data)

    def _created(self, line: int, data: Json) -> None:
        game, seats = data.get("game"), data.get("seats")
        if not isinstance(game, str) or not isinstance(seats, list) or not 1 <= len(seats) <= 7:
            raise Fault(line, "foreign", "not a match of some game with 1 to 7 seats")
        if not is_kind(data.get("commitment"), HASH):
            raise Fault(line, "foreign", "no commitment to the secrets of the match")
        self.game, self.entropy = game, [None] * len(seats)
        sandbox = data.get("sandbox")
        if sandbox is not None:
            self.seed = sandbox.get("seed") if isinstance(sandbox, dict) else ""
            if not (self.seed is None or is_kind(self.seed, SEED)):
                raise Fault(line, "foreign", "not a seed of a sandbox match")
        origin = data.get("forked_from")
        if origin is not None:
            if (
                not isinstance(origin, dict)
                or type(origin.get("version")) is not int
                or origin["version"] < 1
            ):
                raise Fault(line, "foreign", "no version of another match that it was forked from")
            self.copied = origin["version"]

    def _seated(self, line: int, kind: str, data: Json) -> None:
        if self.started:
            raise Fault(line, "foreign", "a seat is taken or left after the start")
        seat, entropy = data.get("seat"), data.get("entropy", "") if kind == JOINED else None
        if type(seat) is not int or not 0 <= seat < len(self.entropy):
            raise Fault(line, "foreign", "no such seat")
        if entropy is not None and not is_kind(entropy, ENTROPY):
            raise Fault(line, "foreign", "entropy is 1 to 64 bytes in lower-case hex, or null")
        self.entropy[seat] = entropy

    def _ended(self, line: int) -> None:
        if not self.header["over"] or self.version != self.header["count"]:
            raise Fault(line, "foreign", f"{ENDED} where the match is not over")
        if self.reveal is None:
            raise Fault(line, "commitment", "the secrets revealed are not those committed to")

    def _check_draw(self, line: int, data: Json, forms: list[Json]) -> None:
        label, count, cards, drawn = data["label"], data["count"], data["input"], data["output"]
        if not isinstance(label, str) or type(count) is not int:
            raise Fault(line, "draw", "a draw has a label and a count")
        # Labels kept face down could be chosen later, one for each of many shuffles.
        if any((form["label"], form["count"]) != (label, count) for form in forms):
            raise Fault(line, "draw", "label and count of a draw are public")
        if label in self.labels:
            raise Fault(line, "draw", f"the label {label!r} is used twice")
        if not self.started:
            raise Fault(line, "draw", "a draw before the start, while seats may still bring entropy")
        self.labels.add(label)
        self.draws += 1
        if self.header["perspective"] != FULL or self.reveal is None or self.version <= self.copied:
            return
        if not _is_cards(cards) or not _is_cards(drawn) or not 0 <= count <= len(cards):
            raise Fault(line, "draw", "a draw names its cards, and no more than there are")
        if cards != sorted(cards):
            raise Fault(line, "draw", f"the input of {label!r} is not sorted")
        if self.reveal.shuffled(self.entropy, label, cards, self.seed)[:count] != drawn:
            raise Fault(line, "draw", f"drawing {label!r} again gives another result")
        self.draws_repeated += 1


def has_its_hash(envelope: Json) -> bool:
    """Whether an envelope's 13 header fields give its hash."""
    hashed = {name: envelope[name] for name in ENVELOPE.members if name not in ("data", "hash")}
    hashed["public"] = envelope.get("public", envelope["data"])
    return event_hash(hashed) == str(envelope["hash"])


def _is_cards(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(card, str) and card != FACE_DOWN for card in value)
