"""A match in a file: header, envelopes, signed trailer; a canonical JSON object a line (docs/audit.md)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from events.bundle_checks import ENDED, Checker, Fault, has_its_hash
from events.bundle_lines import (
    ENVELOPE,
    FORMAT,
    TRAILER_FORMAT,
    check_header,
    check_shape,
    check_trailer,
    header_hash,
    line,
    parse,
)
from events.canonical import Json, Malformed
from events.reveal import Reveal
from events.signing import Signer, is_signed, is_signed_head


@dataclass(frozen=True, slots=True)
class BundleInfo:
    """What the header says and the envelopes do not. `ruleset_digest` (64 hex digits) names the exact rules
    and card set; `perspective` is one of `events.envelope`; `over`: whether the match is over."""

    game: str
    ruleset: str
    ruleset_digest: str
    seats: int
    perspective: str
    over: bool


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle as it was read, not verified."""

    header: Json
    envelopes: list[Json]
    trailer: Json


@dataclass(frozen=True, slots=True)
class Report:
    """What a verification found.

    `line` is the first wrong line (from 1), None when nothing is wrong; `kind` is malformed, edited, dropped,
    swapped, added, truncated, foreign, commitment, draw or signature. `seals_opened` of `seals` were
    recomputed, `draws_repeated` of `draws` made again. `signed`: by the key in the header; `trusted`: which
    the caller trusts (None: the caller named no keys).
    """

    line: int | None
    kind: str | None
    reason: str
    events: int
    seals: int
    seals_opened: int
    draws: int
    draws_repeated: int
    signed: bool
    trusted: bool | None

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return self.line is None


def write(info: BundleInfo, envelopes: Sequence[Json], sign: Signer | None = None) -> Iterator[bytes]:
    """The lines of the bundle of a match; `envelopes` are those of the perspective, from event 1 on.

    Raises ValueError if there are none, or if the last one does not fit `info.over`."""
    if not envelopes or envelopes[0]["version"] != 1:
        raise ValueError("a bundle holds a match from its first event on")
    last = envelopes[-1]
    if (last["type"] == ENDED) != info.over:
        raise ValueError(f"a match is over if and only if its last event is {ENDED}")
    match, version, hash = last["match"], last["version"], last["hash"]
    header = {
        "format": FORMAT,
        "match": match,
        **asdict(info),
        "count": len(envelopes),
        "head": {"version": version, "hash": hash},
        "public_key": sign.public_key if sign else None,
    }
    named = header_hash(header)
    yield line(header)
    yield from map(line, envelopes)
    yield line(
        {
            "format": TRAILER_FORMAT,
            "match": match,
            "version": version,
            "hash": hash,
            "header_hash": named,
            "head_signature": sign.sign_head(match, version, hash) if sign else None,
            "signature": sign.sign(TRAILER_FORMAT, match, version, hash, named) if sign else None,
        }
    )


def read(lines: Iterable[bytes]) -> Bundle:
    """The bundle of these lines. Raises Malformed for lines that are none; `verify` says much more."""
    objects = [parse(raw) for raw in lines]
    if len(objects) < 3:
        raise Malformed("a bundle has a header, events and a trailer")
    header, *envelopes, trailer = objects
    check_header(header)
    check_trailer(trailer)
    for envelope in envelopes:
        check_shape(envelope, ENVELOPE)
    return Bundle(header, envelopes, trailer)


# Public keys, hex, each with the time it was retired (UTC with milliseconds; None: it signs still).
Trusted = Mapping[str, str | None]


def verify(lines: Iterable[bytes], trusted_keys: Trusted | Iterable[str] | None = None) -> Report:
    """Check a bundle and name its first wrong line.

    Without `trusted_keys` (None) a signature proves only that the file is of one piece; with them, be they
    none at all, a bundle that is not signed by one of them is wrong, and so is one whose last event is
    younger than the retirement of its key."""
    keys: Trusted | None = None
    if trusted_keys is not None:
        keys = trusted_keys if isinstance(trusted_keys, Mapping) else dict.fromkeys(trusted_keys)
    verification = _Verification(list(lines))
    try:
        verification.run(keys)
    except Fault as fault:
        return verification.report(fault, keys)
    return verification.report(None, keys)


class _Verification:
    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines
        self.checker: Checker | None = None
        self.signed = False

    def run(self, keys: Trusted | None) -> None:
        """Raises Fault at the first wrong line."""
        if not self.lines:
            raise Fault(1, "truncated", "the file is empty")
        header = self._header()
        if keys is not None and header["public_key"] not in keys:
            raise Fault(1, "signature", "the bundle is not signed by one of the keys trusted")
        behind = self._cut_behind(header["count"] + 2)
        body, trailer, ending = self._split()
        if trailer is not None:
            _check_odd_header(header, trailer, body)
            if header_hash(header) != trailer["header_hash"]:
                if not _is_trailer_odd(header, trailer):
                    raise Fault(1, "edited", "the header is not the one the trailer names")
                ending = Fault(len(self.lines), "edited", "the trailer names another header or head")
        self.checker = checker = Checker(header, _reveal(body) if header["over"] else None)
        for number, raw in enumerate(body, 2):
            if number > header["count"] + 1:
                raise Fault(number, "added", f"the header counts {header['count']} events")
            checker.check(number, _envelope(number, raw), _versions(body[number - 1 :]))
        self._check_end(header, ending, len(body), checker)
        if trailer is not None:
            self._check_trailer(header, trailer, keys)
        if behind is not None:
            raise behind

    def _header(self) -> Json:
        try:
            header = parse(self.lines[0])
            check_header(header)
        except Malformed as error:
            raise Fault(1, "malformed", error.detail) from error
        return header

    def _cut_behind(self, count: int) -> Fault | None:
        """Leave out what stands behind a trailer that is where it is due; what is wrong then, to be said
        last."""
        if len(self.lines) <= count:
            return None
        try:
            check_trailer(parse(self.lines[count - 1]))
        except Malformed:
            return None
        del self.lines[count:]
        return Fault(count + 1, "added", "a line after the trailer")

    def _split(self) -> tuple[list[bytes], Json | None, Fault | None]:
        """The lines of the events, the trailer, and what is wrong with the last line, to be said last."""
        number = len(self.lines)
        if number == 1:
            return [], None, Fault(2, "truncated", "there is nothing after the header")
        try:
            last = parse(self.lines[-1])
            if "format" not in last and "header_hash" not in last:
                return self.lines[1:], None, Fault(number + 1, "truncated", "the trailer is missing")
            check_trailer(last)
        except Malformed as error:
            kind = "malformed" if self.lines[-1].endswith(b"\n") else "truncated"
            return self.lines[1:-1], None, Fault(number, kind, error.detail)
        return self.lines[1:-1], last, None

    def _check_end(self, header: Json, ending: Fault | None, events: int, checker: Checker) -> None:
        told = {"game": checker.game, "seats": len(checker.entropy), "ruleset": checker.ruleset}
        for name, value in told.items():
            if header[name] != value and events:
                raise Fault(1, "foreign", f"{name} of the header is not that of the events")
        if events == header["count"]:
            if header["head"] != {"version": checker.version, "hash": checker.hash}:
                raise Fault(events + 1, "foreign", "the last event is not the head the header names")
        elif ending is None:
            raise Fault(events + 2, "dropped", f"event {events + 1} is missing")
        if ending is not None:
            raise ending

    def _check_trailer(self, header: Json, trailer: Json, keys: Trusted | None) -> None:
        number, key = len(self.lines), header["public_key"]
        head = (header["match"], header["head"]["version"], header["head"]["hash"])
        if (trailer["match"], trailer["version"], trailer["hash"]) != head:
            raise Fault(number, "edited", "the trailer has another head than the header")
        if key is None:
            if trailer["head_signature"] is not None or trailer["signature"] is not None:
                raise Fault(number, "edited", "signatures, but no key in the header")
            return
        if not is_signed_head(key, trailer["head_signature"] or "", *head):
            raise Fault(number, "signature", "the head is not signed by the key in the header")
        if not _is_trailer_signed(header, trailer):
            raise Fault(number, "signature", "the trailer is not signed by the key in the header")
        self.signed = True
        until = None if keys is None else keys[key]
        if until is not None and _moment(self.lines[-2]) > until:
            raise Fault(1, "signature", f"the key was retired at {until}, before the last event")

    def report(self, fault: Fault | None, keys: Trusted | None) -> Report:
        """What was found up to the fault, or in all."""
        checker = self.checker
        return Report(
            line=fault.line if fault else None,
            kind=fault.kind if fault else None,
            reason=fault.reason if fault else "",
            events=checker.version if checker else 0,
            seals=checker.seals if checker else 0,
            seals_opened=checker.seals_opened if checker else 0,
            draws=checker.draws if checker else 0,
            draws_repeated=checker.draws_repeated if checker else 0,
            signed=self.signed,
            trusted=None if keys is None else fault is None,
        )


def _moment(raw: bytes) -> str:
    """When the event of a checked line happened."""
    return str(parse(raw)["occurred_at"])


def _is_trailer_signed(header: Json, trailer: Json) -> bool:
    values = (trailer["match"], trailer["version"], trailer["hash"], trailer["header_hash"])
    return is_signed(header["public_key"] or "", trailer["signature"] or "", TRAILER_FORMAT, *values)


def _is_trailer_odd(header: Json, trailer: Json) -> bool:
    """Header and trailer disagree: whether it is the trailer that is wrong, which the events will show if it
    names another head. Else its own signature acquits it, and that of the head the key in the header."""
    head = (trailer["match"], trailer["version"], trailer["hash"])
    if head != (header["match"], header["head"]["version"], header["head"]["hash"]):
        return True
    if _is_trailer_signed(header, trailer):
        return False
    return is_signed_head(header["public_key"] or "", trailer["head_signature"] or "", *head)


def _check_odd_header(header: Json, trailer: Json, body: list[bytes]) -> None:
    """Raises Fault for a header that contradicts what the last event and the trailer agree on."""
    try:
        last = parse(body[-1]) if body else {}
        check_shape(last, ENVELOPE)
    except Malformed:
        return
    head = {"match": last["match"], "version": last["version"], "hash": last["hash"]}
    if any(trailer[name] != value for name, value in head.items()) or not has_its_hash(last):
        return
    match = head.pop("match")
    for name, value in {"match": match, "head": head, "over": last["type"] == ENDED}.items():
        if header[name] != value:
            raise Fault(1, "edited", f"{name} of the header is not what the last event and the trailer say")


def _envelope(number: int, raw: bytes) -> Json:
    try:
        return parse(raw)
    except Malformed as error:
        raise Fault(number, "malformed", error.detail) from error


def _versions(lines: list[bytes]) -> Iterator[int]:
    """The versions these lines claim, as far as they can be read."""
    for raw in lines:
        try:
            yield parse(raw).get("version", 0)
        except Malformed:
            continue


def _reveal(body: list[bytes]) -> Reveal | None:
    """The secrets that the first event committed to, wherever they stand: what was put behind the last event
    must not put the lines before it in the wrong."""
    for raw in reversed(body):
        try:
            first, told = parse(body[0]), parse(raw)["data"]
            secrets = Reveal.from_hex(first["match"], told["match_key"], told["commit_nonce"])
            if secrets.commitment() == first["data"]["commitment"]:
                return secrets
        except (KeyError, TypeError, ValueError):
            continue
    return None
