"""A thin client of Wonderlog: resumes, retries with the same key, and checks the chain of events.

One file; needs `requests` and nothing else. Copy it, or put its folder on PYTHONPATH.

    with Seat("http://127.0.0.1:8080", match, token) as seat:
        for event in seat.stream():          # from the last version seen, exactly once each
            ...
        seat.send(seat.moves()[0]["body"])   # at most once, however often it has to be repeated

How it retries: 429, 502, 503, 504 and lost connections, the same request with the same Idempotency-Key, after
a random time (full jitter, 0.5 s doubled up to 30 s) or after Retry-After when that is longer, at most eight
times. Everything else is raised as `Refused`; after 409, 412 and 422 read again, then decide.
"""

import hashlib
import json
import random
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import requests

TRIES = 8
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
AGAIN = (429, 502, 503, 504)
WAIT_S = 25
SILENCE_S = 35.0  # a stream says something every 15 seconds; after two silent intervals it is dead
LOST = (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError)
NO_HASH = "0" * 64

Json = dict[str, Any]


class Refused(Exception):
    """The service said no: `status`, `code` and the whole `problem` document."""

    def __init__(self, status: int, problem: Json) -> None:
        self.status, self.problem = status, problem
        self.code: str = problem.get("code", "unknown")
        super().__init__(f"{status} {self.code}: {problem.get('detail', '')}")


class Unreachable(Exception):
    """No answer after every try. What a command did is not known: ask `outcome` with its key."""


class ChainBroken(Exception):
    """Events do not follow one another: one is missing, or was changed after it was hashed into the next."""


@dataclass
class Api:
    """The service with one credential: a tenant key or the token of a seat. `pause` sleeps, in seconds."""

    url: str
    token: str | None = None
    timeout_s: float = 60.0
    pause: Callable[[float], None] = time.sleep
    dice: random.Random = field(default_factory=random.Random)
    session: requests.Session = field(default_factory=requests.Session)

    def __enter__(self) -> "Api":
        return self

    def __exit__(self, *_: object) -> None:
        self.session.close()

    def get(self, path: str, **query: Any) -> Json:
        """GET; the answer's JSON. Raises Refused, Unreachable."""
        return self.ask("GET", path, params=query)

    def post(self, path: str, body: Json, key: str | None = None) -> Json:
        """POST under an Idempotency-Key (a new one unless given); the answer's JSON. Raises Refused,
        Unreachable."""
        return self.ask("POST", path, json=body, headers={"Idempotency-Key": key or new_key()})

    def ask(self, method: str, path: str, *, headers: dict[str, str] | None = None, **more: Any) -> Json:
        """A request, repeated unchanged until it is answered; the answer's JSON. Raises Refused,
        Unreachable."""
        answer = self._answer(method, path, headers or {}, timeout=self.timeout_s, **more)
        body: Json = answer.json() if answer.content else {}
        return body

    def items(self, path: str, after: int) -> Iterator[Json]:
        """What comes over a stream of server-sent events, from `after` on, until the connection ends. Raises
        Refused, Unreachable, one of LOST."""
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
        with self._answer("GET", path, headers, timeout=SILENCE_S, stream=True) as answer:
            data = []
            # Bytes that come without chunks have to be taken one by one, or one would wait for more of them.
            for line in answer.iter_lines(chunk_size=None if getattr(answer.raw, "chunked", False) else 1):
                if line.startswith(b"data:"):
                    data.append(line[5:].strip())
                elif not line and data:
                    yield json.loads(b"\n".join(data))
                    data = []

    def back_off(self, number: int, least_s: float = 0.0) -> None:
        """Wait before try `number` + 1: at random, and at least `least_s` seconds."""
        self.pause(max(least_s, self.dice.uniform(0, min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2**number))))

    def _answer(self, method: str, path: str, headers: dict[str, str], **more: Any) -> requests.Response:
        sent = dict(headers)
        if self.token is not None:
            sent["Authorization"] = f"Bearer {self.token}"
        for number in range(TRIES):
            least = 0.0
            try:
                answer = self.session.request(method, self.url + path, headers=sent, **more)
                if answer.status_code not in AGAIN:
                    if answer.status_code >= 400:
                        raise Refused(answer.status_code, _problem(answer))
                    return answer
                answer.close()
                least = _seconds(answer.headers.get("Retry-After"))
            except LOST:
                pass  # lost on the way there or on the way back: the key makes it safe to ask again
            if number < TRIES - 1:
                self.back_off(number, least)
        raise Unreachable(f"{method} {path}: no answer after {TRIES} tries")


def _problem(answer: requests.Response) -> Json:
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _seconds(text: str | None) -> float:
    return float(text) if text is not None and text.isdigit() else 0.0


def new_key() -> str:
    """A fresh Idempotency-Key."""
    return uuid.uuid4().hex


@dataclass
class Seat:
    """A seat of a match. `version` and `head` are the last event seen: keep both to resume later."""

    url: str
    match: str
    token: str
    version: int = 0
    head: str = NO_HASH
    api: Api = field(init=False)

    def __post_init__(self) -> None:
        self.api = Api(self.url, self.token)

    def __enter__(self) -> "Seat":
        return self

    def __exit__(self, *_: object) -> None:
        self.api.session.close()

    @property
    def path(self) -> str:
        """The path of the match."""
        return f"/v1/matches/{self.match}"

    def view(self) -> Json:
        """The table as the seat sees it."""
        return self.api.get(f"{self.path}/view")

    def moves(self) -> list[Json]:
        """What the seat may do now, each with the `body` to send."""
        moves: list[Json] = self.api.get(f"{self.path}/legal-moves")["moves"]
        return moves

    def send(self, body: Json, key: str | None = None) -> Json:
        """Do something, at most once. Raises Refused, Unreachable."""
        return self.api.post(f"{self.path}/commands", body, key)

    def outcome(self, key: str) -> Json:
        """What became of a command: `applied` with its versions, or `unknown`."""
        return self.api.get(f"{self.path}/commands/{key}")

    def events(self, wait_s: int = WAIT_S) -> Iterator[Json]:
        """The events after `version`, each once and in order, until the match is over (or, with `wait_s` 0,
        until there are no more). Raises ChainBroken, Refused, Unreachable."""
        while True:
            page = self.api.get(f"{self.path}/events", after=self.version, limit=200, wait=wait_s)
            for event in page["items"]:
                if event["version"] > self.version:  # delivery is at least once
                    self._follow(event)
                    yield event
                    if event["type"] == "match.ended":
                        return
            if wait_s == 0 and self.version >= page["head"]:
                return

    def stream(self) -> Iterator[Json]:
        """The same over a stream, which is opened again where it breaks, until the match is over."""
        failures = 0
        while failures < TRIES:
            try:
                head = None
                for item in self.api.items(f"{self.path}/events", self.version):
                    kind, reason = item["type"], item.get("reason")
                    head = item.get("head") if kind == "hello" else head
                    if kind not in ("hello", "bye"):
                        failures = 0
                    if kind == "reset":
                        raise ChainBroken(f"event {self.version} is not in the log any more")
                    if kind == "bye" and reason == "match-over" and head == self.version:
                        return  # there was nothing more; else the end itself was lost: from there again
                    if kind == "bye" and reason == "auth-revoked":
                        raise Refused(401, item)
                    if "." not in kind or item["version"] <= self.version:
                        continue
                    if item["version"] > self.version + 1:
                        break  # one was lost on the way: from there again
                    self._follow(item)
                    yield item
                    if kind == "match.ended":
                        return
            except LOST:
                pass
            failures += 1
            self.api.back_off(failures)
        raise Unreachable(f"{self.path}/events: {TRIES} streams brought nothing")

    def _follow(self, event: Json) -> None:
        if event["version"] != self.version + 1 or event["prev_hash"] != self.head:
            raise ChainBroken(f"event {event['version']} does not follow event {self.version}")
        if event["match"] != self.match or event_hash(event) != event["hash"]:
            raise ChainBroken(f"event {event['version']} is not the one that was hashed")
        self.version, self.head = event["version"], event["hash"]


HASHED = ["actor", "cause", "command", "decision", "match", "occurred_at", "prev_hash"]
HASHED += ["public", "ruleset", "schema", "seals", "type", "version"]


def event_hash(event: Json) -> str:
    """The hash of an event by its header (docs/audit.md); `public` stands in `data` where the two are one."""
    header = {
        name: event["data"] if name == "public" and name not in event else event[name] for name in HASHED
    }
    text = json.dumps(
        ["wonderlog/event/1", header], sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return hashlib.sha256(text.encode()).hexdigest()


def fingerprint(view: Json) -> str:
    """A hash of what a view says of the table, to compare two of them."""
    kept = {name: view[name] for name in ("state", "outcome", "status", "awaited")}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()
