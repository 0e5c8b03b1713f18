"""Rematches: the same people and bots, the same options, everybody one seat further; one for each match.

The id of the rematch follows from the match, so that whoever asks finds the same one. People are invited,
each to a seat: nobody sits at a table without having said so.
"""

import secrets as secret_source
from collections.abc import Mapping
from typing import Any, Final

from domain.kernel.errors import refuse
from domain.kernel.game import Game
from domain.kernel.library import library
from domain.kernel.match import By
from domain.kernel.table import OVER, CreateMatch, Sandbox, SeatPlan
from events.store import EventStore
from service import access, follow_ups, games, passes, sandbox, scopes, scripts, showing
from service.clock import timestamp
from service.credentials import INVITE, Caller, hashed, match_id, pass_token
from service.errors import Invalid, NotFound, Refused
from service.passes import Issued
from service.persons import Persons
from service.positions import Position, Positions
from service.read_models import ReadModels
from service.sandbox import WorldClock
from service.transact import Done, Order, Origin, Transactor, current

Json = dict[str, Any]

# A rematch that was called off is followed by another one, so often.
_MOST: Final = 20
_LIFE_MS: Final = 7 * 24 * 3600 * 1000
_COMMAND: Final = "rematch"


class Rematching:
    """Sets rematches up."""

    def __init__(
        self,
        catalogue: Mapping[str, Game],
        store: EventStore,
        transactor: Transactor,
        known: Positions,
        lists: ReadModels,
        clock: WorldClock,
        server_secret: bytes,
        persons: Persons,
    ) -> None:
        self._games = library(catalogue)
        self._store = store
        self._transactor = transactor
        self._positions = known
        self._lists = lists
        self._clock = clock
        self._secret = server_secret
        self._persons = persons

    def rematch(self, caller: Caller, match: str) -> tuple[Json, bool]:
        """The rematch of a match that is over, for its host or a seat of it: `{"match", "seats"}`, and
        whether somebody asked for it before. `seats` has the invites the caller may see: a seat its own, a
        key with the scope for seats those of all people. Raises Unauthenticated, Forbidden, NotFound, Refused
        (`conflict`), and what `Transactor.run` does."""
        position = self._positions.load(match)
        if caller.seat is None:
            access.host_of(caller, position)
        else:
            access.seat_of(caller, position)
        if position is None:
            raise NotFound("match")
        _insist_on_end(position)
        made, there = self._find(caller, position)
        self._link(position, made)
        named = self._persons.names(made.id, made.secrets)
        return {"match": showing.resource(made, named), "seats": self._invites(caller, position, made)}, there

    def _find(self, caller: Caller, position: Position) -> tuple[Position, bool]:
        tenant = position.secrets[access.TENANT_SECRET]
        for number in range(_MOST):
            id = match_id(self._secret, f"{tenant}/rematch/{position.id}", str(number))
            known = self._positions.load(id)
            if known is None:
                done = self._create(caller, position, id)
                return done.position, done.replayed
            if known.gone is not None:
                continue
            ended = known.state.ended
            if ended is None or ended.reason != "cancelled":
                return known, True
        why = refuse("too-many", f"{_MOST} rematches were called off", kind="conflict")
        raise Refused(why.reason, why.kind, current(position, None))

    def _create(self, caller: Caller, position: Position, id: str) -> Done:
        game = self._games.for_options(position.state.game, position.state.options)
        try:
            options = games.options(
                game, games.still_meant(position.state.options), len(position.state.chairs)
            )
        except Invalid:
            why = refuse("options", "the rules of today know other options", kind="conflict")
            raise Refused(why.reason, why.kind, current(position, None)) from None
        mark = Sandbox() if sandbox.is_sandbox(access.world_of(position)) else None
        command = CreateMatch(options, _plans(position), position.state.visibility, mark)
        made = {
            "match_key": secret_source.token_hex(32),
            "commit_nonce": secret_source.token_hex(32),
            access.TENANT_SECRET: position.secrets[access.TENANT_SECRET],
            showing.REMATCH_OF: position.id,
            **_scripts(position),
            **self._issued(caller, position, id),
        }
        return self._transactor.run(
            Order(
                id,
                By(None, "host"),
                lambda _: command,
                self._clock.now_ms(caller.world),
                key=_COMMAND,
                fingerprint=position.id,
                origin=Origin(game, made),
                credential=caller.credential,
            )
        )

    def _issued(self, caller: Caller, position: Position, id: str) -> dict[str, str]:
        """An invite for each person, as it lies in the secrets of the rematch."""
        now = self._clock.now_ms(caller.world)
        found = {}
        for seat in _people(position):
            to = _next(position, seat)
            name, token = pass_token(self._secret, INVITE, id, _COMMAND, str(to))
            issued = Issued(
                hash=hashed(token),
                made_at=timestamp(now),
                fingerprint=_COMMAND,
                label=_COMMAND,
                seat=to,
                uses=1,
                expires_at=timestamp(now + _LIFE_MS),
                person=position.secrets.get(showing.player_field(seat), ""),
            )
            found[passes.issued_field(INVITE, name)] = passes.stored(issued)
        return found

    def _invites(self, caller: Caller, position: Position, made: Position) -> list[Json]:
        seats = _people(position)
        if caller.seat is not None:
            seats = [seat for seat in seats if seat == caller.seat]
        elif scopes.SEATS not in caller.scopes:
            seats = []
        to = sorted(_next(position, seat) for seat in seats)
        tokens = [pass_token(self._secret, INVITE, made.id, _COMMAND, str(seat))[1] for seat in to]
        return [{"seat": seat, "invite": token} for seat, token in zip(to, tokens, strict=True)]

    def _link(self, position: Position, made: Position) -> None:
        """Say in the match which one follows it. What a crash leaves out, the next who asks makes good."""
        if position.secrets.get(showing.REMATCH) == made.id:
            return
        named = {showing.REMATCH: made.id}
        self._store.put_secrets(position.id, named)
        position.secrets = {**position.secrets, **named}
        self._lists.note(follow_ups.summary(position))


def _insist_on_end(position: Position) -> None:
    state = position.state
    if state.status != OVER or state.ended is None:
        why = refuse("not-over", "the match is not over", kind="conflict")
    elif state.ended.reason == "cancelled" or state.forked_from is not None:
        why = refuse(
            "no-rematch", "there is no rematch of a fork, or of what was called off", kind="conflict"
        )
    else:
        return
    raise Refused(why.reason, why.kind, current(position, None))


def _next(position: Position, seat: int) -> int:
    """Where who sat at a seat sits in the rematch."""
    return (seat + 1) % len(position.state.chairs)


def _people(position: Position) -> list[int]:
    return [seat for seat, chair in enumerate(position.state.chairs) if chair.kind == "human"]


def _scripts(position: Position) -> dict[str, str]:
    """The scripts of a sandbox match, which go with who plays them."""
    fields = {seat: scripts.script_field(seat) for seat in range(len(position.state.chairs))}
    return {
        fields[_next(position, seat)]: position.secrets[field]
        for seat, field in fields.items()
        if field in position.secrets
    }


def _plans(position: Position) -> list[SeatPlan]:
    chairs = position.state.chairs
    before = [chairs[seat - 1] for seat in range(len(chairs))]
    return [SeatPlan("bot", chair.bot) if chair.kind == "bot" else SeatPlan() for chair in before]
