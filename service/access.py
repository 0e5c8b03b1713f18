"""Rights: through whose eyes a caller sees a match, and what it may do there.

Nobody watches public matches as a spectator (if the operator allows it); a tenant watches its own matches
as a spectator and hosts them; a seat sees and plays its own seat. What a caller may not see is not found.
Everything here also raises RulesetUnsupported, once the right is proven, for a match that cannot be played
here for want of its rules or cards.
"""

from typing import Final

from domain.kernel.seats import SPECTATOR, Seat, Viewer
from events.envelope import PUBLIC
from service.credentials import Caller, same_hash, token_field
from service.errors import Forbidden, NotFound, RulesetUnsupported, Unauthenticated
from service.positions import Position

# The secrets of a match besides its keys and tokens.
TENANT_SECRET: Final = "tenant"


def viewer(caller: Caller, position: Position | None, public_spectators: bool) -> Viewer:
    """Through whose eyes the caller sees the match. Raises Unauthenticated, NotFound."""
    if caller.seat is not None:
        return seat_of(caller, position)
    if caller.tenant is not None:
        host_of(caller, position)
        return SPECTATOR
    if not public_spectators:
        raise Unauthenticated
    if position is None or position.state.visibility != "public":
        raise NotFound("match")
    _insist_on_rules(position)
    return SPECTATOR


def seat_of(caller: Caller, position: Position | None) -> Seat:
    """The seat of the caller, its token proven. Raises Unauthenticated, NotFound, Forbidden (no seat)."""
    if caller.seat is None:
        if caller.tenant is None:
            raise Unauthenticated
        host_of(caller, position)
        raise Forbidden("only a seat may do this, with its token")
    if position is None or position.id != caller.match:
        raise Unauthenticated
    if not same_hash(caller.proof, position.secrets.get(token_field(caller.seat))):
        raise Unauthenticated
    _insist_on_rules(position)
    return caller.seat


def host_of(caller: Caller, position: Position | None) -> None:
    """Make sure that the caller is the tenant of the match. Raises Unauthenticated, NotFound, Forbidden."""
    if caller.tenant is None:
        if caller.seat is None:
            raise Unauthenticated
        seat_of(caller, position)
        raise Forbidden("only the host may do this, with its tenant key")
    if position is None or position.secrets.get(TENANT_SECRET) != caller.tenant:
        raise NotFound("match")
    _insist_on_rules(position)


def _insist_on_rules(position: Position) -> None:
    """Those who may know of the match are told when its rules or cards are not here."""
    if position.unsupported is not None:
        raise RulesetUnsupported(position.unsupported)


def perspective(viewer: Viewer) -> str:
    """The viewer as the log names its form of an event."""
    return PUBLIC if viewer == SPECTATOR else f"s{viewer}"


def scope(caller: Caller) -> str:
    """Whose idempotency keys these are: the tenant's, whichever of its keys it uses, or one seat token's."""
    return f"tenant:{caller.tenant}" if caller.tenant is not None else f"{caller.credential}"
