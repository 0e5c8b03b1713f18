"""The cheapest HTTP client that will do: its CPU time comes out of what the server could have had."""

import json
import socket
from typing import Any, Final, Protocol

_READ: Final = 65_536


class Client(Protocol):
    """Asks for things; raises RuntimeError unless the answer is a success."""

    def post(self, path: str, token: str, key: str, body: bytes) -> bytes:
        """The body of the answer to a POST of JSON."""

    def get(self, path: str, token: str) -> Any:
        """The JSON of the answer to a GET."""


class Connection:
    """One kept-alive connection. Answers are read whole; only those asked for are parsed."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._socket = socket.create_connection(address, timeout=60)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._host = f"{address[0]}:{address[1]}"

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def post(self, path: str, token: str, key: str, body: bytes) -> bytes:
        """The body of the answer to a POST of JSON. Raises RuntimeError unless it is a success."""
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {self._host}\r\nAuthorization: Bearer {token}\r\n"
            f"Idempotency-Key: {key}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self._socket.sendall(head.encode() + body)
        return self._answer()

    def get(self, path: str, token: str) -> Any:
        """The JSON of the answer to a GET. Raises RuntimeError unless it is a success."""
        head = f"GET {path} HTTP/1.1\r\nHost: {self._host}\r\nAuthorization: Bearer {token}\r\n\r\n"
        self._socket.sendall(head.encode())
        return json.loads(self._answer())

    def _answer(self) -> bytes:
        read = b""
        while (end := read.find(b"\r\n\r\n")) < 0:
            read += self._more()
        head = read[:end].lower()
        start = head.index(b"content-length:") + len(b"content-length:")
        length = int(head[start:].split(b"\r\n", 1)[0])
        body = read[end + 4 :]
        while len(body) < length:
            body += self._more()
        if not head.startswith((b"http/1.1 200", b"http/1.1 201")):
            raise RuntimeError(f"{head.splitlines()[0].decode()}: {body.decode()}")
        return body

    def _more(self) -> bytes:
        read = self._socket.recv(_READ)
        if not read:
            raise RuntimeError("the server closed the connection")
        return read
