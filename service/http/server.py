"""gunicorn's threaded worker: its own refusals are problem documents too, its log holds no secrets, and event
streams leave its threads for the hub."""

import json
import os
import resource
import socket
import ssl
import struct
import threading
from collections.abc import Iterable
from email.utils import formatdate
from types import FrameType
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from gunicorn.http import errors, wsgi
from gunicorn.workers.gthread import ThreadWorker

from service.http import access_log, problems, tracing, versioning
from service.http.access_log import outline
from service.http.catalogue import CATALOGUE
from service.http.face import Face, face_of
from service.http.faults import CUT, Cut
from service.http.follow import OFFER, Offer
from service.http.hub import Hub

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
    """A gthread worker that ends its long-polls and streams when it is asked to stop."""

    wsgi: Any
    face: Face

    def init_process(self) -> None:
        """Run the worker."""
        wsgi.SERVER = SERVER_NAME
        _allow_many_connections()
        super().init_process()

    def load_wsgi(self) -> None:
        """Load the application and let half of the threads wait for events."""
        super().load_wsgi()
        self.face = face_of(self.wsgi)
        self.face.polls.most = self.cfg.threads // 2
        self.wsgi = handing_over(self.wsgi, self.face.streams)

    def run(self) -> None:
        """Serve until asked to stop, then say goodbye on every stream."""
        super().run()
        self.face.streams.close()

    def handle_request(self, req: Any, conn: Any) -> Any:
        """Serve a request; its connection may be taken over by a stream."""
        _serving.connection = conn
        try:
            return super().handle_request(req, conn)
        finally:
            _serving.connection = None

    def handle(self, conn: Any) -> Any:
        """Serve a request of a connection; whoever stalls in the middle of one loses the thread it holds."""
        pause = struct.pack("ll", client_timeout_s(), 0)
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            conn.sock.setsockopt(socket.SOL_SOCKET, option, pause)
        return super().handle(conn)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """SIGTERM: take no new connections, answer the long-polls, finish what is under way."""
        if hasattr(self, "face"):
            self.face.polls.draining.set()
            self.face.streams.drain()
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
            client.sendall(raw_response(code, self._base(client)))
        except OSError:
            self.log.debug("the client is gone")

    def _base(self, client: socket.socket) -> str:
        """The address of this service, as it is set, else as the client has reached it."""
        if self.face.settings.public_url is not None:
            return self.face.settings.public_url
        if client.family not in (socket.AF_INET, socket.AF_INET6):
            return "http://localhost"
        host, port = client.getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


# The connection whose request a thread serves; only where it may be taken over.
_serving: Final = threading.local()


def handing_over(app: WSGIApplication, streams: Hub) -> WSGIApplication:
    """The application, whose answers that are streams leave this server after their headers: the hub gets the
    connection, and gunicorn an unconnected one to close. The body ends with the connection."""

    def serve(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        connection = getattr(_serving, "connection", None)
        if connection is None or isinstance(connection.sock, ssl.SSLSocket):
            return app(environ, start_response)
        offer = environ[OFFER] = Offer()
        cut = environ[CUT] = Cut()
        body = app(environ, start_response)
        if cut.wanted:
            body.close()  # type: ignore[attr-defined]  # a werkzeug iterator
            _hang_up(connection, start_response.__self__)  # type: ignore[attr-defined]  # gunicorn's Response
            return ()
        if offer.taken is None:
            return body
        stream, place, begun = offer.taken
        place.kept = True
        try:
            body.close()  # type: ignore[attr-defined]  # a werkzeug iterator
            response = start_response.__self__  # type: ignore[attr-defined]  # gunicorn's Response
            response.chunked = False
            response.force_close()
            response.send_headers()
        except BaseException:
            place.give_back()
            raise
        taken, connection.sock = connection.sock, socket.socket()
        streams.take(taken, stream, place, begun)
        return ()

    return serve


def _hang_up(connection: Any, response: Any) -> None:
    """End a connection without an answer; gunicorn gets an unconnected one to close."""
    response.chunked = False
    response.headers_sent = True
    response.force_close()
    taken, connection.sock = connection.sock, socket.socket()
    taken.shutdown(socket.SHUT_RDWR)
    taken.close()


def _allow_many_connections() -> None:
    """Every stream is an open file: ask for as many as this process may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


_MOST_FILES: Final = 65_536


def raw_response(code: str, base: str) -> bytes:
    """A problem as bytes on the wire, where there is no application to ask; the connection ends. `base`: the
    address of the service. What the client said of itself was not read, so id and trace are new ones."""
    kind, id = CATALOGUE[code], access_log.new_request_id()
    body = json.dumps(problems.body(problems.Problem(code), base, id)).encode()
    fields = {
        "Server": SERVER_NAME,
        "Date": formatdate(usegmt=True),
        "Connection": "close",
        "Content-Type": problems.MEDIA_TYPE,
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Request-Id": id,
        "traceparent": tracing.span(None).header,
        versioning.HEADER: versioning.CONTRACT,
    }
    lines = [f"HTTP/1.1 {kind.status} {kind.title}", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body
