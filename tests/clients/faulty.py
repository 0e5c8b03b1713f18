"""A network that fails: an HTTP proxy that loses, cuts, repeats and refuses, as chance has it.

Requests are lost on the way there (no effect), on the way back (the effect has happened), cut in the middle
of the answer, delivered twice, or refused with 503 before they get there. Items of streams are dropped,
repeated, put into the wrong order; and streams are cut off.
"""

import contextlib
import http.client
import random
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

FATES = ("lost there", "lost back", "cut", "twice", "busy")
WELL = 10  # of this many and the fates, drawn evenly, these go well
ITEM_FATES = ("dropped", "repeated", "swapped", "cut off")
WELL_ITEMS = 16
NOT_FORWARDED = {"connection", "transfer-encoding", "content-length", "keep-alive", "host"}


@dataclass
class Faults:
    """Fates as chance has them, drawn by one request at a time, and how often what befell one.

    They come out of bags in which each fate is once, so that nothing is spared all of a match that happens to
    be short; requests and items have a bag each, so that neither changes what befalls the other."""

    seed: int
    told: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)
    _bags: dict[tuple[str, ...], Iterator[str | None]] = field(default_factory=dict)

    def draw(self, fates: tuple[str, ...], well: int) -> str | None:
        """One of the fates, or None, which is in the bag so many times."""
        with self.lock:
            if fates not in self._bags:
                self._bags[fates] = _bags([*fates, *[None] * well], random.Random(self.seed))
            fate = next(self._bags[fates])
            if fate is not None:
                self.told[fate] += 1
            return fate


def _bags(all_of_it: list[str | None], dice: random.Random) -> Iterator[str | None]:
    """Everything in some order, then in another, without end."""
    while True:
        yield from dice.sample(all_of_it, len(all_of_it))


@contextlib.contextmanager
def faulty(url: str, faults: Faults) -> Iterator[str]:
    """The address of a proxy in front of `url`."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.there, server.faults = urlsplit(url).netloc, faults
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    there: str
    faults: Faults


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged."""

    def handle(self) -> None:
        """As the real one; a client that has gone away is no error."""
        with contextlib.suppress(OSError):
            super().handle()

    def do_GET(self) -> None:
        """Pass a request on, or not."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        fate = self.server.faults.draw(FATES, WELL)
        if fate == "lost there":
            return self._hang_up()
        if fate == "busy":
            self._head(503, {"Retry-After": "0", "Content-Length": "0"})
            return None
        if fate == "twice":
            connection, first = self._forward(body)
            if not _streams(first):
                first.read()
            connection.close()
        connection, answer = self._forward(body)
        with contextlib.closing(connection):
            if fate == "lost back":
                if not _streams(answer):
                    answer.read()
                return self._hang_up()
            return self._stream(answer) if _streams(answer) else self._answer(answer, fate == "cut")

    do_POST = do_GET

    def _forward(self, body: bytes) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        connection = http.client.HTTPConnection(self.server.there, timeout=60)
        kept = {name: value for name, value in self.headers.items() if name.lower() not in NOT_FORWARDED}
        connection.request(self.command, self.path, body or None, kept)
        return connection, connection.getresponse()

    def _answer(self, answer: http.client.HTTPResponse, cut: bool) -> None:
        body = answer.read()
        self._head(answer.status, {**_headers(answer), "Content-Length": str(len(body))})
        if cut and body:
            self.wfile.write(body[: len(body) // 2])
            return self._hang_up()
        self.wfile.write(body)
        return None

    def _stream(self, answer: http.client.HTTPResponse) -> None:
        self._head(answer.status, {**_headers(answer), "Connection": "close"})
        self.close_connection = True
        held = b""
        for item in _items(answer):
            fate = None if b"event: hello" in item else self.server.faults.draw(ITEM_FATES, WELL_ITEMS)
            if fate == "dropped":
                continue
            if fate == "cut off":
                self.wfile.write(item[: len(item) // 2])
                return self._hang_up()
            if fate == "swapped" and not held:
                held = item
                continue
            self.wfile.write(item * 2 if fate == "repeated" else item)
            self.wfile.write(held)
            held = b""
        self.wfile.write(held)
        return None

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)


def _streams(answer: http.client.HTTPResponse) -> bool:
    return answer.headers.get("Content-Type", "").startswith("text/event-stream")


def _headers(answer: http.client.HTTPResponse) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name.lower() not in NOT_FORWARDED}


def _items(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    kept = b""
    while line := answer.readline():
        kept += line
        if line in (b"\n", b"\r\n"):
            yield kept
            kept = b""
