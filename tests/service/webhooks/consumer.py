"""A reference consumer: an HTTP server on loopback that verifies what it is sent as a client would."""

import base64
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks import Webhook

Reply = tuple[int, dict[str, str]]


@dataclass(slots=True)
class Received:
    """A request as it came in."""

    path: str
    headers: dict[str, str]
    body: str

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def verify(self, secret: str) -> Any:
        """The body, verified by the package of Standard Webhooks. Raises WebhookVerificationError."""
        return Webhook(secret).verify(self.body, self.headers)


def verify_ed25519(received: Received, public_key: str) -> bool:
    """Whether a `v1a` signature of this key is there. Raises InvalidSignature."""
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key.removeprefix("whpk_")))
    signed = f"{received.id}.{received.headers['webhook-timestamp']}.{received.body}".encode()
    for signature in received.headers["webhook-signature"].split(" "):
        version, _, encoded = signature.partition(",")
        if version == "v1a":
            key.verify(base64.b64decode(encoded), signed)
            return True
    return False


@dataclass(slots=True)
class Consumer:
    """What was received, and how the next requests are answered (`reply`; `hold` keeps them waiting)."""

    port: int
    scheme: str = "http"
    received: list[Received] = field(default_factory=list)
    reply: Callable[[Received], Reply] = lambda received: (204, {})
    hold: threading.Event = field(default_factory=threading.Event)
    arrived: threading.Condition = field(default_factory=threading.Condition)

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/hook"

    def types(self) -> list[str]:
        """The types of what was received, in order."""
        return [each.json["type"] for each in self.received]

    def wait_for(self, count: int, seconds: float = 60) -> list[Received]:
        """Until so many requests have come."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.received) >= count, seconds), self.types()
        return self.received


@contextmanager
def consumer(tls: ssl.SSLContext | None = None) -> Iterator[Consumer]:
    """A consumer on a free loopback port."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            named = {name.lower(): value for name, value in self.headers.items()}
            one = Received(self.path, named, body)
            with made.arrived:
                made.received.append(one)
                made.arrived.notify_all()
            if not made.hold.is_set():
                made.hold.wait(60)
            status, headers = made.reply(one)
            self.send_response(status)
            for name, value in {**headers, "Content-Length": "0"}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def get_request(self) -> tuple[socket.socket, Any]:
            plain, address = super().get_request()
            return (plain if tls is None else tls.wrap_socket(plain, server_side=True)), address

        def handle_error(self, *_: Any) -> None:
            """Connections that break are the purpose of some tests."""

    server = Server(("127.0.0.1", 0), Handler)
    made = Consumer(server.server_address[1], "http" if tls is None else "https")
    made.hold.set()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.hold.set()
        server.shutdown()
        server.server_close()
        thread.join(10)
