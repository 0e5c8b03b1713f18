"""Limits: how much a client may ask for in a minute, and how many requests it may have under way.

A client that has one request under way is never refused on the endpoints of a match: there a bucket that is
empty refuses only while another request of the same client is being served. The requests under way are
counted in this process. Buckets are shared, but each process first spends a small allowance of its own and
then takes from the shared bucket by the dozen, so that most requests cost no round trip. So a bucket may give
out more than it holds, by the allowance of each process.

Header names and forms are those of draft-ietf-httpapi-ratelimit-headers-09.
"""

import ipaddress
import logging
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from events.store import StoreUnavailable
from service.credentials import Caller
from service.http.problems import Problem
from service.quotas import Quotas

WINDOW_S: Final = 60
# The part of a bucket a process spends before it asks, and takes at once when it does.
_SHARE: Final = 50
_MOST_BUCKETS: Final = 20_000
# How long nobody is limited after the store could not be asked, in seconds.
_FORGIVING_S: Final = 5.0

_log: Final = logging.getLogger("wonderlog.http")


@dataclass(slots=True)
class _Bucket:
    """A bucket as this process knows it. `credit`: what it may spend without asking; `untold`: what it has
    spent of its own allowance, which the shared bucket does not know of; `left`: for everybody, as far as is
    known here; `until`: when it is full again; `empty`: nothing was left."""

    credit: int
    untold: int
    left: int
    until: float
    asked: bool = False
    empty: bool = False

    def spend(self, name: str, now: float) -> str:
        """Take one; the header that says what is left."""
        self.credit = max(0, self.credit - 1)
        self.left = max(0, self.left - 1)
        if not self.asked:
            self.untold += 1
        return self.header(name, now)

    def header(self, name: str, now: float) -> str:
        """What is left, as RateLimit says it."""
        return f'"{name}";r={self.left};t={math.ceil(self.until - now)}'


@dataclass(frozen=True, slots=True)
class Pass:
    """A request that was let through. `client` is who has it under way, `headers` say what is left."""

    client: str
    headers: tuple[tuple[str, str], ...]


class Limits:
    """The limits of this process. `quotas` by name: those of `service.settings.LIMITS`."""

    def __init__(self, quotas: Mapping[str, int], shared: Quotas) -> None:
        self._quotas = quotas
        self._shared = shared
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()
        self._under_way: dict[str, int] = {}
        self._lock = threading.Lock()
        self._forgiving_until = 0.0
        self._policies = {name: f'"{name}";q={quota};w={WINDOW_S}' for name, quota in quotas.items()}
        self._policies["in-flight"] = f'"in-flight";q={quotas["in-flight"]};qu="concurrent-requests"'

    def enter(self, name: str, caller: Caller, match: str | None, address: str | None) -> Pass:
        """Let a request through that takes from the bucket `name`; it is given back with `leave`. Raises
        Problem `rate-limited`."""
        client = caller.credential or f"ip:{grouped(address)}"
        with self._lock:
            under_way = self._under_way.get(client, 0)
            if under_way >= self._quotas["in-flight"]:
                raise self._refusal("in-flight", 1.0)
            self._under_way[client] = under_way + 1
        try:
            excused = match is not None and under_way == 0
            header = self._spend(name, f"{name}:{client}", excused)
            if match is not None:
                self._spend("match", f"match:{match}", excused)
            elif caller.tenant is not None:
                self._spend("tenant", f"tenant:{caller.tenant}", False)
        except BaseException:
            self.leave(client)
            raise
        return Pass(client, (("RateLimit-Policy", self._policies[name]), ("RateLimit", header)))

    def leave(self, client: str) -> None:
        """A request is about to be answered."""
        with self._lock:
            left = self._under_way[client] - 1
            if left:
                self._under_way[client] = left
            else:
                del self._under_way[client]

    def stranger(self, address: str | None) -> None:
        """Count a request whose credential was refused. Raises Problem `rate-limited`."""
        self._spend("strangers", f"strangers:ip:{grouped(address)}", False)

    def _spend(self, name: str, key: str, excused: bool) -> str:
        """Take one from a bucket; the RateLimit header. Raises Problem `rate-limited`, unless excused."""
        now = time.monotonic()
        quota = self._quotas[name]
        with self._lock:
            bucket = self._buckets.get(key)
            if bucket is None or now >= bucket.until:
                bucket = self._opened(key, quota, now)
            if bucket.credit:
                return bucket.spend(name, now)
            asks = not bucket.empty and now >= self._forgiving_until
        if asks:
            self._ask(bucket, key, quota, now)
        with self._lock:
            if bucket.credit or not bucket.empty:
                return bucket.spend(name, now)
            if not excused:
                raise self._refusal(name, bucket.until - now)
            return bucket.header(name, now)

    def _opened(self, key: str, quota: int, now: float) -> _Bucket:
        """A new window. The caller holds the lock."""
        bucket = _Bucket(max(1, quota // _SHARE), 0, quota, now + WINDOW_S)
        self._buckets[key] = bucket
        self._buckets.move_to_end(key)
        if len(self._buckets) > _MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return bucket

    def _ask(self, bucket: _Bucket, key: str, quota: int, now: float) -> None:
        """Tell the shared bucket what was spent, and take the next share."""
        with self._lock:
            untold, bucket.untold = bucket.untold, 0
        share = max(1, quota // _SHARE)
        try:
            grant = self._shared.take(key, quota, WINDOW_S * 1000, untold + share)
        except StoreUnavailable as error:
            # Whoever cannot be counted is not refused: the store will be missed by the request itself.
            _log.warning("nobody is limited for a while: %s", error)
            with self._lock:
                self._forgiving_until = now + _FORGIVING_S
            return
        with self._lock:
            bucket.asked = True
            bucket.credit += max(0, grant.taken - untold)
            bucket.left = grant.left + bucket.credit
            bucket.until = now + grant.reset_ms / 1000
            bucket.empty = bucket.credit == 0

    def _refusal(self, name: str, wait_s: float) -> Problem:
        seconds = max(1, math.ceil(wait_s))
        problem = Problem("rate-limited", f"the limit `{name}` is reached", retry_after_s=seconds)
        problem.headers["RateLimit-Policy"] = self._policies[name]
        problem.headers["RateLimit"] = f'"{name}";r=0;t={seconds}'
        return problem


def used_up(headers: Mapping[str, str], wait_s: int) -> dict[str, str]:
    """The headers of a request that was let through, as if its bucket were empty for so many seconds."""
    if "RateLimit" not in headers:
        return dict(headers)
    name, _, _ = headers["RateLimit"].partition(";")
    return {**headers, "RateLimit": f"{name};r=0;t={wait_s}"}


def bucket_of(id: str, method: str, path: str) -> tuple[str, str]:
    """The bucket of a caller's own that an operation takes from: with a credential, and without one."""
    if id == "exportMatch":
        return "exports", "exports"
    if "<match>" not in path:
        return "bot-work" if path.startswith("/v1/bot-work") else "lobby", "strangers"
    if path.startswith("/v1/matches/<match>/seats"):
        return "lobby", "lobby"
    name = "reads" if method == "GET" else "commands"
    return name, name


def grouped(address: str | None) -> str:
    """An address as one client: of IPv6 the /64, which belongs to one household."""
    try:
        known = ipaddress.ip_address(address or "")
    except ValueError:
        return "unknown"
    if isinstance(known, ipaddress.IPv6Address):
        if known.ipv4_mapped is not None:
            return str(known.ipv4_mapped)
        return str(ipaddress.IPv6Network((int(known) >> 64 << 64, 64)).network_address)
    return str(known)
