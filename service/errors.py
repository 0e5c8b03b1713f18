"""What the use cases raise besides the errors of the domain and of the store. No status codes here."""

from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb
from typing import Final

import msgspec

from domain.kernel.errors import IllegalMove, Reason


@dataclass(frozen=True, slots=True)
class Current:
    """Where the match stands, so that a refused client heals in one round trip. `decision_id` is the open
    decision that concerns the caller (else the first open one), `cursor` the version to read events after."""

    version: int
    decision_id: str | None
    decision_ids: tuple[str, ...]
    cursor: int


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a request: where (JSON pointer into the body), a stable code, and in words."""

    pointer: str
    code: str
    detail: str


UNAUTHENTICATED: Final = {
    "missing": "a credential is needed: Authorization: Bearer …",
    "malformed": "no key or token of this service looks like that",
    "invalid": "this credential opens nothing here",
    "revoked": "this key was revoked",
    "expired": "this key was replaced, and the time both were good is over",
    "replaced": "this token was replaced by another one",
}


class Unauthenticated(Exception):
    """No credential where one is needed, or one that is not valid. `code`, one of `UNAUTHENTICATED`, says no
    more than `invalid` to whoever does not hold the very secret that was valid once."""

    def __init__(self, code: str = "invalid") -> None:
        super().__init__(UNAUTHENTICATED[code])
        self.code = code


class Forbidden(Exception):
    """A valid credential without the right. `code` is `forbidden` or `seat-mismatch`."""

    def __init__(self, detail: str, code: str = "forbidden") -> None:
        super().__init__(detail)
        self.detail = detail
        self.code = code


class InviteInvalid(Exception):
    """An invite that was valid once: revoked, expired, or used up."""

    def __init__(self) -> None:
        super().__init__("this invite has ended")


class NotFound(Exception):
    """Unknown, or not visible for this caller: the same for both. `what` names the kind of thing."""

    def __init__(self, what: str) -> None:
        super().__init__(f"no such {what}")
        self.what = what


class RulesetUnsupported(Exception):
    """The match was set up with rules or cards that this process does not have, so nothing of it can be
    read or played here."""

    def __init__(self, ruleset: str) -> None:
        super().__init__(f"there are no rules or cards here for {ruleset}")
        self.ruleset = ruleset


class Invalid(Exception):
    """A request that can never be right, whatever the state of the match."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("; ".join(f"{fault.pointer}: {fault.detail}" for fault in faults))
        self.faults = faults


def invalid(pointer: str, code: str, detail: str) -> Invalid:
    """An `Invalid` with one fault, ready to raise."""
    return Invalid(Fault(pointer, code, detail))


class Refused(IllegalMove):
    """A command the rules or the table refuse, with where the match stands now. `pointer` says which command
    of a batch it is (`/commands/3`); empty for a single one."""

    def __init__(self, reason: Reason, kind: str, current: Current, pointer: str = "") -> None:
        super().__init__(reason, kind)
        self.current = current
        self.pointer = pointer


class StaleVersion(Exception):
    """The match is not at the version the caller asked for with If-Match."""

    def __init__(self, current: Current) -> None:
        super().__init__(f"the match is at version {current.version}")
        self.current = current


class HistoryForked(Exception):
    """The log does not contain the head the caller knows: events it was told of are gone, or are others."""

    def __init__(self, current: Current) -> None:
        super().__init__("the log does not contain the head you know")
        self.current = current


class CursorExpired(Exception):
    """The cursor is none of this log: it was trimmed away, the server lost what it named, or there never was
    any such. `head` is the cursor to go on from after reading everything again."""

    def __init__(self, head: str) -> None:
        super().__init__(f"go on from {head}")
        self.head = head


class QuotaExceeded(Exception):
    """The caller has as many of something as it may have; `detail` says of what."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class WebhookOff(Exception):
    """The webhook is switched off."""


class BundleRefused(Exception):
    """A bundle that cannot be imported: its first wrong line, counted from 1, and what is wrong with it."""

    def __init__(self, line: int, kind: str, reason: str) -> None:
        super().__init__(f"line {line}: {kind}: {reason}")
        self.line = line
        self.kind = kind
        self.reason = reason


class NotReady(Exception):
    """The service cannot serve now, and why."""

    def __init__(self, reasons: list[str]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons


def outline(error: BaseException) -> str:
    """An error for the log: its class and where it was raised. Without its message, which may hold what
    nobody should read there, such as a card in a hand."""
    frames = extract_tb(error.__traceback__)
    places = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(error).__name__} at {places}" if places else type(error).__name__


def spelled(value: object) -> str:
    """A value of a request as it stands there, for a message: strings bare, the rest as JSON."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
