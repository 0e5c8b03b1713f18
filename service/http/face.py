"""What the views are given: the use cases, the settings of the HTTP face, the long-polls under way."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network
from typing import Any, Final

from flask import Flask

from service.http.hub import Hub, StreamLimits
from service.http.limits import Limits
from service.matches import Matches
from service.settings import LIMITS

SLICE_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """`public_url`: the address clients use, without a final slash (None: as each request says).
    `threads`: of one worker; at most half of them may wait for events. `build`: part of every entity tag.
    `largest_body` and `largest_upload` (a bundle to import): bytes. `limits`: see `service.settings`.
    `trusted_proxies`: the networks whose X-Forwarded headers are believed; `require_tls`: credentials that
    came over plain HTTP are refused. `streams`: how many, how long."""

    public_url: str | None = None
    threads: int = 32
    build: str = "0"
    largest_body: int = 64 * 1024
    limits: Mapping[str, int] | None = field(default_factory=lambda: LIMITS)
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = ()
    require_tls: bool = False
    largest_upload: int = 8 * 1024 * 1024
    streams: StreamLimits = field(default_factory=StreamLimits)


@dataclass(slots=True)
class LongPolls:
    """The requests that wait for events: never more than `most` at once, none once the worker drains."""

    most: int
    draining: threading.Event = field(default_factory=threading.Event)
    _waiting: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def place(self) -> Iterator[bool]:
        """True while this request may wait; False when all places are taken or the worker drains."""
        with self._lock:
            taken = not self.draining.is_set() and self._waiting < self.most
            self._waiting += taken
        try:
            yield taken
        finally:
            with self._lock:
                self._waiting -= taken

    def wait(self, look: Callable[[float], dict[str, Any]], wait_s: float) -> dict[str, Any]:
        """Look until there are items, the time is up, or the worker drains. `look(s)` waits at most s
        seconds; when it is back early with nothing, there is nothing to wait for (the match is over)."""
        until = time.monotonic() + wait_s
        while True:
            began = time.monotonic()
            slice_s = max(0.0, min(SLICE_S, until - began))
            page = look(slice_s)
            now = time.monotonic()
            if page["items"] or self.draining.is_set() or now >= until or now - began < slice_s / 2:
                return page


@dataclass(frozen=True, slots=True)
class Face:
    """The use cases behind the HTTP face, and what the face itself keeps: `document` is OpenAPI as JSON.
    `limits`: None where nobody is limited."""

    matches: Matches
    settings: HttpSettings
    polls: LongPolls
    document: bytes
    streams: Hub
    limits: Limits | None = None


def install(app: Flask, face: Face) -> None:
    """Give the app its face."""
    app.extensions["wonderlog"] = face


def face_of(app: Flask) -> Face:
    """The face of an app. Raises KeyError for an app that was made for its document only."""
    face: Face = app.extensions["wonderlog"]
    return face
