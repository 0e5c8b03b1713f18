"""Who really asks, and over what: X-Forwarded-For, -Proto and -Host are believed of known proxies only.

From anybody else the headers are taken away before anything can read them.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any, Final

Network = IPv4Network | IPv6Network
Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]

_NAMES: Final = ("FOR", "PROTO", "HOST", "PORT", "PREFIX")
_FORWARDED: Final = ["HTTP_FORWARDED", *(f"HTTP_X_FORWARDED_{name}" for name in _NAMES)]
_HOST: Final = re.compile(r"[A-Za-z0-9.-]{1,255}(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](?::[0-9]{1,5})?")


def behind(app: Wsgi, trusted: Sequence[Network]) -> Wsgi:
    """The application behind these proxies. The nearest address that is none of them is who asks; scheme and
    host are what the nearest proxy says."""

    def serve(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        told: dict[str, str] = {name: environ.pop(name) for name in _FORWARDED if name in environ}
        if told and _is_trusted(environ.get("REMOTE_ADDR", ""), trusted):
            _believe(environ, told, trusted)
        return app(environ, start_response)

    return serve


def _believe(environ: dict[str, Any], told: dict[str, str], trusted: Sequence[Network]) -> None:
    for address in reversed(_listed(told.get("HTTP_X_FORWARDED_FOR", ""))):
        if not _is_address(address):
            break
        environ["REMOTE_ADDR"] = address
        if not _is_trusted(address, trusted):
            break
    scheme = _listed(told.get("HTTP_X_FORWARDED_PROTO", ""))[-1:]
    if scheme and scheme[0] in ("http", "https"):
        environ["wsgi.url_scheme"] = scheme[0]
    host = _listed(told.get("HTTP_X_FORWARDED_HOST", ""))[-1:]
    if host and _HOST.fullmatch(host[0]):
        environ["HTTP_HOST"] = host[0]


def _listed(header: str) -> list[str]:
    return [part.strip() for part in header.split(",") if part.strip()]


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_trusted(address: str, trusted: Sequence[Network]) -> bool:
    if not _is_address(address):
        return False
    known = ip_address(address)
    return any(known.version == network.version and known in network for network in trusted)
