"""What a tenant key may be for. A key made without a choice may do everything its tenant may."""

from collections.abc import Iterable, Mapping
from typing import Final

from service.errors import Fault, Forbidden, Invalid

READ: Final = "matches:read"
WRITE: Final = "matches:write"
LIVE: Final = "matches:live"
SEATS: Final = "seats:issue"
WEBHOOKS: Final = "webhooks:manage"
ADMIN: Final = "admin"

SCOPES: Final[Mapping[str, str]] = {
    READ: "see the tenant's matches as a spectator, list them, export them; read jobs",
    WRITE: "set up, start and cancel matches, and whatever else a host commands; reads nothing, so whoever"
    " follows a `Location` has `matches:read` as well",
    LIVE: "see matches without their spectator delay",
    SEATS: "seat people and bots; issue and end seat tokens, invites and spectator tokens; hand seats over",
    WEBHOOKS: "manage webhooks",
    ADMIN: "manage the tenant's keys and the origins of its browser clients",
}
ALL: Final = frozenset(SCOPES)


def chosen(wanted: Iterable[str] | None) -> tuple[str, ...]:
    """The scopes wanted, in the order of the table, each once; all of them for None. Raises Invalid."""
    names = ALL if wanted is None else frozenset(wanted)
    unknown = sorted(names - ALL)
    if unknown or not names:
        detail = f"one or more of {', '.join(SCOPES)} are expected"
        raise Invalid(Fault("/scopes", "unknown" if unknown else "length", detail))
    return tuple(scope for scope in SCOPES if scope in names)


def missing(scope: str) -> Forbidden:
    """The refusal of a key that lacks a scope."""
    return Forbidden(f"this key lacks the scope {scope}")
