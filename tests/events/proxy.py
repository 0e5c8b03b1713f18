"""A TCP proxy that can lose what the server answers: the network at its worst moment."""

import contextlib
import socket
import threading
from collections.abc import Iterator


class Proxy:
    """Listens on `port`; while `swallow` is set, bytes from the server to the client vanish."""

    def __init__(self, target: int) -> None:
        self.swallow = threading.Event()
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._threads: list[threading.Thread] = []
        self._sockets: list[socket.socket] = []
        self._run(self._accept)

    def close(self) -> None:
        """Close every connection and wait for the threads."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for side in self._sockets:
            with contextlib.suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(timeout=10)
        for side in self._sockets:
            side.close()

    def _run(self, target: object, *args: object) -> None:
        thread = threading.Thread(target=target, args=args, daemon=True)  # type: ignore[arg-type]  # a method
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
                self._sockets += [client, server]
                self._run(self._pump, client, server, False)
                self._run(self._pump, server, client, True)

    def _pump(self, source: socket.socket, sink: socket.socket, lossy: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if not (lossy and self.swallow.is_set()):
                    sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def proxy_to(port: int) -> Iterator[Proxy]:
    """A proxy to a loopback port."""
    proxy = Proxy(port)
    try:
        yield proxy
    finally:
        proxy.close()
