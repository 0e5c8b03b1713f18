"""A client of event streams for tests: reads items, resumes after what it has, keeps the chain."""

import json
import socket
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from events.chain import event_hash
from events.envelope import ZERO_HASH

SSE = "text/event-stream"
NDJSON = "application/x-ndjson"
Item = dict[str, Any]


def sse_items(text: str) -> list[tuple[str | None, Item]]:
    """The complete items of a text/event-stream, each with its id."""
    found = []
    for block in text.split("\n\n")[:-1]:
        fields = dict(line.split(": ", 1) for line in block.splitlines())
        item = json.loads(fields["data"])
        assert item["type"] == fields["event"]
        found.append((fields.get("id"), item))
    return found


def ndjson_items(text: str) -> list[Item | None]:
    """The complete lines of an NDJSON stream; None for a heartbeat."""
    return [json.loads(line) if line else None for line in text.split("\n")[:-1]]


@dataclass(slots=True)
class Opened:
    """A stream over a plain socket, so that tests decide when to read and when to vanish."""

    socket: socket.socket
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    text: str = ""
    _raw: bytes = b""

    @classmethod
    def at(
        cls, port: int, path: str, token: str | None = None, accept: str = SSE, **headers: str
    ) -> "Opened":
        """Ask for a stream; the head of the answer is read later."""
        sent = {"Host": "localhost", "Accept": accept}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        made = socket.create_connection(("127.0.0.1", port), timeout=60)
        made.sendall(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
        return cls(made)

    def read_head(self) -> "Opened":
        """Read until the headers are there."""
        while b"\r\n\r\n" not in self._raw:
            part = self.socket.recv(65536)
            assert part, "no answer"
            self._raw += part
        head, _, rest = self._raw.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        self.status = int(first.split()[1])
        self.headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        self._raw = rest
        self.text = rest.decode(errors="ignore")
        return self

    def more(self) -> bool:
        """Read what comes next; False at the end."""
        part = self.socket.recv(65536)
        self._raw += part
        self.text = self._raw.decode(errors="ignore")
        return bool(part)

    def until(self, words: str) -> str:
        """Read until the text holds these words. Raises AssertionError at the end of the stream."""
        while words not in self.text:
            assert self.more(), f"the stream ended without {words!r}: {self.text[-300:]}"
        return self.text

    def to_the_end(self) -> str:
        """Everything."""
        while self.more():
            pass
        return self.text

    def close(self) -> None:
        """Go."""
        self.socket.close()


@dataclass(slots=True)
class Follower:
    """A client as docs/streams.md asks for: drops what it has, resumes where a version is missing, checks the
    chain. `head` is the hash of the last event it has."""

    version: int = 0
    head: str = ZERO_HASH
    over: bool = False
    resets: int = 0
    repeated: int = 0
    gaps: int = 0

    def take(self, item: Item) -> bool:
        """Deal with an item; False: open the stream again."""
        if item["type"] == "bye":
            return False
        if "." not in item["type"]:
            self.resets += item["type"] == "reset"
            return True
        if item["version"] <= self.version:
            self.repeated += 1
            return True
        if item["version"] > self.version + 1:
            self.gaps += 1
            return False
        assert item["prev_hash"] == self.head
        hashed = {**item, "public": item.get("public", item["data"])}
        for name in ("data", "nonce", "hash", "cursor"):
            hashed.pop(name, None)
        assert event_hash(hashed) == item["hash"]
        self.version, self.head = item["version"], item["hash"]
        self.over = item["type"] == "match.ended"
        return not self.over

    def follow(self, port: int, path: str, token: str | None, seconds: float = 120.0) -> None:
        """Until the match is over, through however many streams that takes."""
        until = time.monotonic() + seconds
        while not self.over:
            assert time.monotonic() < until, f"not over in time: {self}"
            had = self.version
            known = {"Last_Event_ID": str(self.version)} if self.version else {}
            try:
                stream = Opened.at(port, path, token, **known)
            except OSError:
                time.sleep(0.05)
                continue
            try:
                for item in _items(stream):
                    if not self.take(item):
                        break
            except (OSError, AssertionError) as broken:
                if isinstance(broken, AssertionError) and str(broken) != "no answer":
                    raise
            finally:
                stream.close()
            if self.version == had:
                time.sleep(0.05)  # the server has other things to do


def _items(stream: Opened) -> Iterator[Item]:
    """The items of a stream as they arrive; what a broken line left over is passed over."""
    stream.read_head()
    done = 0
    while True:
        blocks = stream.text.split("\n\n")[:-1]
        for block in blocks[done:]:
            data = [line[6:] for line in block.splitlines() if line.startswith("data: ")]
            if data:
                yield json.loads(data[0])
        done = len(blocks)
        if not stream.more():
            return


def plain(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers without what differs from one answer to the next."""
    return {name: value for name, value in headers.items() if name not in ("date", "request-id")}
