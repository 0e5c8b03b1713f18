"""Where webhooks may go: https to public addresses. Checked on the address that is connected to.

A name may resolve to anything at any time, so what counts is each address after each resolution; forms of
IPv6 that carry an IPv4 address are judged by what they carry.
"""

import ipaddress
from typing import Final
from urllib.parse import urlsplit

from service.errors import invalid

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

LONGEST_URL: Final = 1000
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_COMPATIBLE: Final = ipaddress.IPv6Network("::/96")
_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
# Beyond what `ipaddress` calls not global, which differs between releases of Python: IETF protocols, the old
# 6to4 relays, a cloud's metadata behind a public address, documentation, segment routing.
_MORE: Final = tuple(
    ipaddress.ip_network(each)
    for each in ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16", "2001::/23", "2001:db8::/32", "3fff::/20")
)


class BlockedAddress(Exception):
    """The address is not one webhooks may go to; says which it is."""


def check_url(url: str, allow_loopback: bool, pointer: str = "/url") -> None:
    """What can be said of a URL before its name is resolved. Raises Invalid."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise invalid(pointer, "invalid", "this is no URL") from None
    if len(url) > LONGEST_URL or not url.isascii() or any(c <= " " or c in '"<>\\^`{|}\x7f' for c in url):
        raise invalid(pointer, "invalid", f"a URL has up to {LONGEST_URL} printable ASCII characters")
    if parts.scheme not in (("https", "http") if allow_loopback else ("https",)):
        raise invalid(pointer, "scheme", "https is expected")
    if not parts.hostname or parts.username is not None or parts.fragment or port == 0:
        raise invalid(pointer, "invalid", "a host, no user and no fragment are expected")
    try:
        literal = ipaddress.ip_address(parts.hostname)
    except ValueError:
        if parts.scheme == "http" and not f".{parts.hostname}".endswith(".localhost"):
            raise invalid(pointer, "scheme", "https is expected; http goes to localhost only") from None
        return
    try:
        check_address(literal, parts.scheme, allow_loopback)
    except BlockedAddress:
        raise invalid(pointer, "blocked-address", "this address is not public") from None


def check_address(address: Address, scheme: str, allow_loopback: bool) -> None:
    """Whether to connect there. Raises BlockedAddress."""
    meant = carried(address)
    if meant.is_loopback:
        if allow_loopback:
            return
        raise BlockedAddress("loopback")
    if scheme != "https":
        raise BlockedAddress("http goes to loopback only")
    if not meant.is_global or meant.is_multicast or meant.is_reserved:
        raise BlockedAddress("not public")
    if isinstance(meant, ipaddress.IPv6Address) and meant not in _UNICAST:
        raise BlockedAddress("not public")
    if any(meant in network for network in _MORE):
        raise BlockedAddress("not public")


def carried(address: Address) -> Address:
    """The IPv4 address inside an IPv6 address that carries one (mapped, compatible, 6to4, Teredo, NAT64),
    else the address itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in _NAT64 or (address in _COMPATIBLE and int(address) > 1):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address
