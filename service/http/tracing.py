"""Trace context (W3C): a request's `traceparent` is taken up, or a trace begun; the answer names our span."""

import re
import secrets
from dataclasses import dataclass
from typing import Final

_PARENT: Final = re.compile(r"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")


@dataclass(frozen=True, slots=True)
class Span:
    """Our part of a trace, in hex."""

    trace: str
    id: str
    flags: str

    @property
    def header(self) -> str:
        """As it stands in `traceparent`."""
        return f"00-{self.trace}-{self.id}-{self.flags}"


def span(parent: str | None) -> Span:
    """A new span in the trace a `traceparent` names; in a new one, not sampled, where it names none. Only
    version 00 ends after the flags."""
    found = _PARENT.fullmatch(parent or "")
    taken = found is not None and set(found[1]) != {"0"} and set(found[2]) != {"0"}
    if found is None or not taken or (found[0].startswith("00") and found[4] is not None):
        return Span(secrets.token_hex(16), secrets.token_hex(8), "00")
    return Span(found[1], secrets.token_hex(8), found[3])
