"""Who asks: the bearer token of a request, and nothing else, says so."""

import re
from typing import Final, Protocol

from service.credentials import Caller
from service.errors import Unauthenticated

_BEARER: Final = re.compile(r"[Bb][Ee][Aa][Rr][Ee][Rr] +([A-Za-z0-9_-]{8,200})")


class Authenticator(Protocol):
    """The use case that knows the credentials."""

    def authenticate(self, bearer: str | None, match: str | None) -> Caller:
        """The caller. Raises Unauthenticated; Forbidden for a valid token of another match."""


def bearer(header: str | None) -> str | None:
    """The token in an Authorization header; None without the header. Raises Unauthenticated for anything
    else than one bearer token: a credential that cannot be read never makes its sender a spectator."""
    if header is None:
        return None
    token = _BEARER.fullmatch(header)
    if token is None:
        raise Unauthenticated("malformed")
    return token[1]


def caller(known: Authenticator, header: str | None, match: str | None, *, required: bool) -> Caller:
    """The caller of an operation; nobody (a spectator of public matches) only where that is enough.

    Raises Unauthenticated; Forbidden for a valid token of another match."""
    token = bearer(header)
    if token is None and required:
        raise Unauthenticated("missing")
    return known.authenticate(token, match)
