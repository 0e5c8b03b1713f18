"""Rights: through whose eyes a caller sees a match, and what it may do there.

Nobody watches public matches as a spectator (if the operator allows it); a tenant watches its own matches
as a spectator and hosts them; a seat sees and plays its own seat; who holds a spectator token watches, who
holds an invite sits down. What a caller may not see is not found. Everything here also raises
RulesetUnsupported, once the right is proven, for a match that cannot be played here for want of its rules or
cards, and Archived for one that was removed for good.
"""

from typing import Final

from domain.kernel.seats import SPECTATOR, Seat, Viewer
from events.envelope import PUBLIC
from events.store import Archived
from service import credentials, passes, scopes
from service.credentials import Caller, former_token_field, same_hash, token_field
from service.errors import Forbidden, NotFound, RulesetUnsupported, Unauthenticated
from service.passes import Pass
from service.positions import Position

# The secrets of a match besides its keys and tokens.
TENANT_SECRET: Final = "tenant"


def world_of(position: Position) -> str:
    """The tenant of a match, or its sandbox."""
    return position.secrets[TENANT_SECRET]


def viewer(caller: Caller, position: Position | None, public_spectators: bool) -> Viewer:
    """Through whose eyes the caller sees the match. Raises Unauthenticated, NotFound, Forbidden (an
    invite)."""
    if caller.seat is not None:
        return seat_of(caller, position)
    if caller.role:
        if pass_of(caller, position).role != credentials.SPECTATOR:
            raise Forbidden("an invite lets you sit down, and no more")
        return SPECTATOR
    if caller.tenant is not None:
        host_of(caller, position)
        return SPECTATOR
    if not public_spectators:
        raise Unauthenticated("missing")
    if position is None or position.state.visibility != "public":
        raise NotFound("match")
    _insist_on_rules(position)
    return SPECTATOR


def seat_of(caller: Caller, position: Position | None) -> Seat:
    """The seat of the caller, its token proven. Raises Unauthenticated, NotFound, Forbidden (no seat, or
    one of another match)."""
    if caller.seat is None:
        if caller.role:
            pass_of(caller, position)
        elif caller.tenant is None:
            raise Unauthenticated
        else:
            host_of(caller, position)
        raise Forbidden("only a seat may do this, with its token")
    if position is None or position.id != caller.match:
        raise another_match()
    if not same_hash(caller.proof, position.secrets.get(token_field(caller.seat))):
        was_replaced = same_hash(caller.proof, position.secrets.get(former_token_field(caller.seat)))
        raise Unauthenticated("replaced" if was_replaced else "invalid")
    _insist_on_rules(position)
    return caller.seat


def host_of(caller: Caller, position: Position | None) -> None:
    """Make sure that the caller is the tenant of the match. Raises Unauthenticated, NotFound, Forbidden."""
    if caller.tenant is None:
        if caller.role:
            pass_of(caller, position)
        elif caller.seat is None:
            raise Unauthenticated
        else:
            seat_of(caller, position)
        raise Forbidden("only the host may do this, with its tenant key")
    if position is None or position.secrets.get(TENANT_SECRET) != caller.tenant:
        raise NotFound("match")
    _insist_on_rules(position)


def another_match() -> Forbidden:
    """What a good token of one match is told at another, and where there is none at all."""
    return Forbidden("this token is good, but for another match")


def _insist_on_rules(position: Position) -> None:
    """Those who may know of the match are told when it is gone, or its rules or cards are not here."""
    if position.gone is not None:
        raise Archived(position.gone)
    if position.unsupported is not None:
        raise RulesetUnsupported(position.unsupported)


def pass_of(caller: Caller, position: Position | None) -> Pass:
    """The invite or spectator token of the caller, proven. Raises Unauthenticated, Forbidden (it is
    of another match)."""
    if position is None or position.id != caller.match:
        raise another_match()
    found = passes.proven(caller, position.secrets)
    if found is None:
        raise Unauthenticated
    _insist_on_rules(position)
    return found


def insist_on(caller: Caller, scope: str) -> None:
    """Make sure that a tenant key has a scope; other callers have none to lack. Raises Forbidden."""
    if caller.tenant is not None and scope not in caller.scopes:
        raise scopes.missing(scope)


def sees_live(caller: Caller) -> bool:
    """Whether the caller sees matches without their spectator delay: seats do, and keys with the scope."""
    return caller.seat is not None or scopes.LIVE in caller.scopes


def perspective(viewer: Viewer) -> str:
    """The viewer as the log names its form of an event."""
    return PUBLIC if viewer == SPECTATOR else f"s{viewer}"


def scope(caller: Caller) -> str:
    """Whose idempotency keys these are: the tenant's, whichever of its keys it uses; of whoever holds a seat,
    whichever token that person has by now; or those of one invite or spectator token."""
    return f"tenant:{caller.tenant}" if caller.tenant is not None else caller.holder or caller.credential
