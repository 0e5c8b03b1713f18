"""What a caller may see of a match now: the one place where every reading use case begins."""

from domain.kernel.seats import SPECTATOR, Viewer
from service import access
from service.credentials import INVITE, Caller
from service.errors import NotFound
from service.positions import Position, Positions


def newest(
    known: Positions, caller: Caller, match: str, public_spectators: bool, invited: bool = False
) -> tuple[Position, Viewer]:
    """The newest the caller may see of the match, and through whose eyes: the head, or for spectators of a
    match that keeps them waiting, what was the head so many events ago. Nothing beyond its version may be
    shown to them. `invited`: an invite is enough. Raises Unauthenticated, NotFound, Forbidden, and the errors
    of the store."""
    position = known.load(match)
    if invited and caller.role == INVITE:
        access.pass_of(caller, position)
        viewer: Viewer = SPECTATOR
    else:
        viewer = access.viewer(caller, position, public_spectators)
    if position is None:
        raise NotFound("match")
    if viewer != SPECTATOR or access.sees_live(caller):
        return position, viewer
    return known.trailing(position), viewer
