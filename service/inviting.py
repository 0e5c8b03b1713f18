"""Use cases of a host: invites to sit down, tokens to watch; issued, listed, ended. They open what they say
the moment they are written, and nothing the moment they are ended."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from domain.kernel.errors import refuse
from events.store import EventStore, KeyReused
from service import access, passes, players
from service.clock import timestamp
from service.credentials import INVITE, Caller, hashed, pass_token
from service.errors import NotFound, invalid
from service.passes import Issued, Pass
from service.persons import Persons
from service.positions import Position, Positions
from service.sandbox import WorldClock

Json = dict[str, Any]

MOST_USES: Final = 100
LONGEST_LABEL: Final = 80
SHORTEST_S: Final = 60
LONGEST_S: Final = 31 * 24 * 3600
USUAL_S: Final = 7 * 24 * 3600
_LABEL: Final = re.compile(rf"[^\x00-\x1f\x7f\ud800-\udfff]{{0,{LONGEST_LABEL}}}")


class Inviting:
    """The passes of a match."""

    def __init__(
        self, store: EventStore, known: Positions, clock: WorldClock, server_secret: bytes, persons: Persons
    ) -> None:
        self._store = store
        self._positions = known
        self._clock = clock
        self._secret = server_secret
        self._persons = persons

    def issue(
        self, caller: Caller, match: str, role: str, body: Mapping[str, Any], key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """An invite or a spectator token, its token shown to this key only; and whether it was issued before.
        Raises Unauthenticated, Forbidden, NotFound, Invalid, KeyReused, IllegalMove (`conflict`: too many),
        and the errors of the store."""
        position = self._hosted(caller, match)
        id, token = pass_token(self._secret, role, match, access.scope(caller), key)
        known = passes.find(position.secrets, role, id)
        if known is not None:
            if known.issued.fingerprint != fingerprint:
                raise KeyReused
            return {**self._shown(known), "token": token}, True
        now = self._clock.now_ms(caller.world)
        issued = _issued(role, body, position, now, hashed(token), fingerprint)
        if role == INVITE and (player := players.read(body)) is not None:
            tenant = position.secrets[access.TENANT_SECRET]
            issued = replace(issued, person=self._persons.id_of(tenant, player))
        self._make_room(match, role, position)
        self._store.put_secrets(match, {passes.issued_field(role, id): passes.stored(issued)})
        # Of two that came at once, the later one was written: show what is there.
        kept = passes.find(self._store.secrets(match), role, id) or Pass(id, role, issued, 0, None)
        if kept.issued.fingerprint != fingerprint:
            raise KeyReused
        return {**self._shown(kept), "token": token}, False

    def all_of(self, caller: Caller, match: str, role: str) -> Json:
        """The passes of a role, oldest first, without their tokens: `{"items": […]}`. Raises
        Unauthenticated, Forbidden, NotFound."""
        position = self._hosted(caller, match)
        return {"items": [self._shown(each) for each in passes.all_of(position.secrets, role)]}

    def one_of(self, caller: Caller, match: str, role: str, id: str) -> Json:
        """A pass without its token. Raises Unauthenticated, Forbidden, NotFound."""
        return self._shown(_found(self._hosted(caller, match), role, id))

    def end(self, caller: Caller, match: str, role: str, id: str) -> None:
        """End a pass; again does nothing. Raises Unauthenticated, Forbidden, NotFound."""
        known = _found(self._hosted(caller, match), role, id)
        if known.ended_at is None:
            now = timestamp(self._clock.now_ms(caller.world))
            self._store.put_secrets(match, {passes.ended_field(role, id): now})

    def _hosted(self, caller: Caller, match: str) -> Position:
        position = self._positions.load(match)
        access.host_of(caller, position)
        assert position is not None, "it has a host"
        return position

    def _make_room(self, match: str, role: str, position: Position) -> None:
        """Forget those that ended when there are too many. Raises IllegalMove when all are good."""
        known = passes.all_of(position.secrets, role)
        if len(known) < passes.MOST:
            return
        now = timestamp(self._clock.now_ms(access.world_of(position)))
        ended = [each for each in known if not each.is_good(now)]
        if not ended:
            raise refuse("too-many", f"a match has at most {passes.MOST} of these; end some", kind="conflict")
        names = [
            name
            for each in ended
            for name in (
                passes.issued_field(role, each.id),
                passes.ended_field(role, each.id),
                passes.used_field(each.id),
            )
        ]
        self._store.drop_secrets(match, [name for name in names if name in position.secrets])

    def _shown(self, known: Pass) -> Json:
        shown: Json = {
            "id": known.id,
            "label": known.issued.label,
            "created_at": known.issued.made_at,
            "revoked_at": known.ended_at,
        }
        if known.role == INVITE:
            shown |= {
                "seat": known.issued.seat,
                "uses": known.issued.uses,
                "used": known.used,
                "expires_at": known.issued.expires_at,
            }
        return shown


def _found(position: Position, role: str, id: str) -> Pass:
    """Raises NotFound."""
    known = passes.find(position.secrets, role, id)
    if known is None:
        raise NotFound("invite" if role == INVITE else "spectator token")
    return known


def _issued(
    role: str, body: Mapping[str, Any], position: Position, now: int, hash: str, fingerprint: str
) -> Issued:
    """What a body asks for. Raises Invalid."""
    label = body.get("label", "")
    if not isinstance(label, str) or _LABEL.fullmatch(label) is None:
        raise invalid("/label", "invalid", f"at most {LONGEST_LABEL} characters are expected")
    if role != INVITE:
        return Issued(hash, timestamp(now), fingerprint, label)
    seat, uses = body.get("seat"), body.get("uses", 1)
    seconds = body.get("expires_in_s", USUAL_S)
    if seat is not None and not (type(seat) is int and 0 <= seat < len(position.state.chairs)):
        raise invalid("/seat", "range", f"the seats are 0 to {len(position.state.chairs) - 1}")
    if type(uses) is not int or not 1 <= uses <= MOST_USES:
        raise invalid("/uses", "range", f"1 to {MOST_USES} uses are expected")
    if type(seconds) is not int or not SHORTEST_S <= seconds <= LONGEST_S:
        raise invalid("/expires_in_s", "range", f"{SHORTEST_S} to {LONGEST_S} seconds are expected")
    expires = timestamp(now + 1000 * seconds)
    return Issued(hash, timestamp(now), fingerprint, label, seat, uses, expires)
