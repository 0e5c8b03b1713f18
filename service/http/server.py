"""gunicorn's threaded worker: its own refusals are problem documents too, its log holds no secrets."""

import json
import os
import socket
import struct
from types import FrameType
from typing import Any, Final

from gunicorn.http import errors, wsgi
from gunicorn.workers.gthread import ThreadWorker

from service.http.access_log import outline
from service.http.catalogue import CATALOGUE
from service.http.face import LongPolls, face_of

SERVER_NAME: Final = "wonderlog"


def client_timeout_s() -> int:
    """How long a client may pause in the middle of a request or of reading its answer, in seconds."""
    return int(os.environ.get("WONDERLOG_CLIENT_TIMEOUT_S", "15"))


# What gunicorn refuses before the application sees it; the rest of its refusals are `malformed`.
_REFUSALS: Final[dict[type[Exception], str]] = {
    errors.LimitRequestLine: "uri-too-long",
    errors.LimitRequestHeaders: "headers-too-large",
    errors.UnsupportedTransferCoding: "not-implemented",
}


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn ships no types
    """A gthread worker that ends its long-polls when it is asked to stop."""

    def init_process(self) -> None:
        """Run the worker."""
        wsgi.SERVER = SERVER_NAME
        super().init_process()

    def load_wsgi(self) -> None:
        """Load the application and let half of the threads wait for events."""
        super().load_wsgi()
        self.polls.most = self.cfg.threads // 2

    @property
    def polls(self) -> LongPolls:
        """The long-polls of the application."""
        return face_of(self.wsgi).polls

    def handle(self, conn: Any) -> Any:
        """Serve a request of a connection; whoever stalls in the middle of one loses the thread it holds."""
        pause = struct.pack("ll", client_timeout_s(), 0)
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            conn.sock.setsockopt(socket.SOL_SOCKET, option, pause)
        return super().handle(conn)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """SIGTERM: take no new connections, answer the long-polls, finish what is under way."""
        if hasattr(self, "wsgi"):
            self.polls.draining.set()
        super().handle_exit(sig, frame)

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: Exception) -> None:
        """Answer a request that is not HTTP as we take it with a problem document."""
        refused = isinstance(exc, errors.ParseException | errors.ConfigurationProblem)
        code = _REFUSALS.get(type(exc), "malformed") if refused else "internal"
        if refused:
            self.log.info("refused a request: %s", type(exc).__name__)
        else:
            self.log.error("request failed\n%s", outline(exc))
        try:
            client.sendall(raw_response(code))
        except OSError:
            self.log.debug("the client is gone")


def raw_response(code: str) -> bytes:
    """A problem as bytes on the wire, where there is no application to ask. The address of the service is not
    known here, so `type` is relative; the connection ends."""
    kind = CATALOGUE[code]
    document = {
        "type": f"/problems/{code}",
        "code": code,
        "title": kind.title,
        "status": kind.status,
        "detail": kind.title,
        "instance": "",
    }
    body = json.dumps(document).encode()
    head = (
        f"HTTP/1.1 {kind.status} {kind.title}\r\nServer: {SERVER_NAME}\r\nConnection: close\r\n"
        f"Content-Type: application/problem+json\r\nCache-Control: no-store\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode("latin-1") + body
