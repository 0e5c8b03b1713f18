"""Sends webhooks: resolves a name, judges every address, connects to the one it judged, follows nothing.

The connection is to the address, the certificate is checked against the name. A request has a limit for all
of it, kept by closing the connection, however slowly the other side talks. No proxy is used.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

import certifi

from service.webhooks.addresses import Address, BlockedAddress, check_address
from service.webhooks.delivering import Answer

# Of an answer, this much is read and nothing is kept.
_MOST_READ: Final = 16_384
_MOST_ADDRESSES: Final = 4

Resolve = Callable[[str, int], list[str]]


def resolve(host: str, port: int) -> list[str]:
    """The addresses of a name, in the order of the resolver. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]).partition("%")[0] for each in found))


def context() -> ssl.SSLContext:
    """Certificates and names are checked, against the authorities everybody trusts."""
    made = ssl.create_default_context(cafile=certifi.where())
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    return made


@dataclass(slots=True)
class WebhookSender:
    """A sender. `limit_ms`: for a whole request."""

    limit_ms: int
    allow_loopback: bool
    agent: str = "Wonderlog-Webhooks"
    resolve: Resolve = resolve
    tls: ssl.SSLContext = field(default_factory=context)

    def post(self, url: str, headers: dict[str, str], body: str) -> Answer:
        """POST a body. Never raises: what fails is in the answer."""
        parts = urlsplit(url)
        until = time.monotonic() + self.limit_ms / 1000
        try:
            addresses = self._allowed(parts)
        except BlockedAddress:
            return Answer(error="blocked-address")
        except (OSError, ValueError):
            return Answer(error="name")
        last = Answer(error="connection")
        for address in addresses[:_MOST_ADDRESSES]:
            left = until - time.monotonic()
            if left <= 0:
                return Answer(error="timeout")
            try:
                connection = self._connected(parts, address, left)
            except ssl.SSLError:
                return Answer(error="tls")
            except TimeoutError:
                last = Answer(error="timeout")
                continue
            except OSError:
                continue
            return _exchange(connection, _target(parts), self._headers(parts, headers), body, until)
        return last

    def _allowed(self, parts: SplitResult) -> list[Address]:
        """The addresses of the host, every one of them judged. Raises BlockedAddress, OSError, ValueError."""
        found = [ipaddress.ip_address(each) for each in self.resolve(parts.hostname or "", _port(parts))]
        if not found:
            raise OSError("no address")
        for address in found:
            check_address(address, parts.scheme, self.allow_loopback)
        return found

    def _connected(self, parts: SplitResult, address: Address, left_s: float) -> http.client.HTTPConnection:
        """A connection to the address, whatever the name resolves to by now. Raises OSError."""
        until = time.monotonic() + left_s
        sock: socket.socket = socket.create_connection((str(address), _port(parts)), timeout=left_s)
        try:
            if parts.scheme == "https":
                sock = self._shaken(sock, parts.hostname or "", until)
        except BaseException:
            sock.close()
            raise
        connection = http.client.HTTPConnection(str(address), _port(parts))
        connection.sock = sock
        return connection

    def _shaken(self, plain: socket.socket, host: str, until: float) -> socket.socket:
        """The socket under TLS, the certificate checked against the name. Raises OSError."""
        sock = self.tls.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)
        try:
            with _Deadline(sock, until) as deadline:
                try:
                    sock.do_handshake()
                except OSError:
                    if deadline.is_over:
                        raise TimeoutError from None
                    raise
        except BaseException:
            sock.close()
            raise
        return sock

    def _headers(self, parts: SplitResult, headers: dict[str, str]) -> dict[str, str]:
        return {
            "Host": parts.netloc,
            "Content-Type": "application/json",
            "User-Agent": self.agent,
            "Connection": "close",
            **headers,
        }


def _exchange(
    connection: http.client.HTTPConnection, target: str, headers: dict[str, str], body: str, until: float
) -> Answer:
    """Send, and read the status. Closes the connection."""
    with closing(connection), _Deadline(connection.sock, until) as deadline:
        try:
            connection.putrequest("POST", target, skip_host=True, skip_accept_encoding=True)
            raw = body.encode()
            for name, value in {**headers, "Content-Length": str(len(raw))}.items():
                connection.putheader(name, value)
            connection.endheaders(raw)
            with connection.getresponse() as answer:
                status, patience = answer.status, _retry_after(answer.getheader("Retry-After"))
                answer.read(_MOST_READ)
        except (OSError, http.client.HTTPException, ValueError):
            return Answer(error="timeout" if deadline.is_over or time.monotonic() >= until else "connection")
    return Answer(status, retry_after_s=patience)


class _Deadline:
    """Shuts a socket down at a time, which ends whatever waits for it."""

    def __init__(self, sock: socket.socket, until: float) -> None:
        self.is_over = False
        self._sock = sock
        self._timer = threading.Timer(max(0.0, until - time.monotonic()), self._end)
        self._timer.daemon = True

    def _end(self) -> None:
        self.is_over = True
        try:
            # Not that of an SSLSocket, which would also take its cipher away under whoever reads.
            socket.socket.shutdown(self._sock, socket.SHUT_RDWR)
        except OSError:
            return  # it is closed already

    def __enter__(self) -> "_Deadline":
        self._timer.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._timer.cancel()
        self._timer.join()


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


def _target(parts: SplitResult) -> str:
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _retry_after(header: str | None) -> int | None:
    """Seconds, from a number or a date; None for anything else."""
    if header is None:
        return None
    if header.isascii() and header.isdigit() and len(header) < 10:
        return int(header)
    try:
        return max(0, round(parsedate_to_datetime(header).timestamp() - time.time()))
    except (ValueError, TypeError, OverflowError):
        return None
