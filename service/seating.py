"""Use cases of a seat's owner: another token for it, none any more, another person or a bot to play it.

Each is an event of the match, so that it is decided once, is durable, and wakes whoever waits with the old
token: that one is refused from then on, in every process.
"""

from collections.abc import Mapping
from typing import Any, Final

from domain.kernel.match import By
from domain.kernel.table import ChangeToken, HandOverSeat
from events.store import EventStore
from service import access, games, persons, showing
from service.credentials import (
    Caller,
    former_holder_field,
    former_token_field,
    hashed,
    holder,
    holder_field,
    nobody,
    renewed_token,
    same_hash,
    token_field,
)
from service.errors import Forbidden, Refused, invalid
from service.persons import Persons
from service.positions import Position
from service.sandbox import WorldClock
from service.transact import Order, Secrets, Transactor

Json = dict[str, Any]


class Seating:
    """Who holds a seat of a match."""

    def __init__(
        self,
        store: EventStore,
        transactor: Transactor,
        clock: WorldClock,
        server_secret: bytes,
        known_persons: Persons,
    ) -> None:
        self._store = store
        self._transactor = transactor
        self._clock = clock
        self._secret = server_secret
        self._persons = known_persons

    def renew_token(
        self, caller: Caller, match: str, seat: int, key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """Another token for a seat: `{"seat", "token"}`, and whether this is the answer of before. Raises
        Unauthenticated, Forbidden (`seat-mismatch`), NotFound, Refused, and what `Transactor.run` does."""
        token = self._token(caller, match, seat, "token", key)
        done = self._transactor.run(
            Order(
                match,
                _by(caller),
                lambda _: ChangeToken(seat),
                self._clock.now_ms(caller.world),
                key=f"{access.scope(caller)}:token {seat}:{key}",
                fingerprint=fingerprint,
                allow=lambda position: _allow(caller, position, seat),
                secrets=lambda position, _: _replaced(position, seat, token),
                credential=caller.credential,
            )
        )
        return {"seat": seat, "kind": "human", "token": token}, done.replayed

    def revoke_token(self, caller: Caller, match: str, seat: int) -> None:
        """Leave a seat without a token; again does nothing. Raises Unauthenticated, Forbidden
        (`seat-mismatch`), NotFound, Refused, and what `Transactor.run` does."""
        none = {token_field(seat): "", former_token_field(seat): ""}

        def secrets(position: Position, _: object) -> Secrets:
            return {**none, holder_field(seat): _holder(position, seat)}

        def allow(position: Position) -> None:
            _allow(caller, position, seat)
            if not position.secrets.get(token_field(seat)):
                raise _NothingToDo

        try:
            self._transactor.run(
                Order(
                    match,
                    _by(caller),
                    lambda _: ChangeToken(seat, revoked=True),
                    self._clock.now_ms(caller.world),
                    allow=allow,
                    secrets=secrets,
                    credential=caller.credential,
                )
            )
        except _NothingToDo:
            return
        except Refused as refused:
            # After its end a match takes no events any more; the right was proven before that was said.
            if refused.kind != "match-over" and refused.reason.code != "resigned":
                raise
            self._store.put_secrets(match, none)

    def hand_over(
        self, caller: Caller, match: str, seat: int, body: Mapping[str, Any], key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """Let another person play a seat, who gets a new token, or a bot: `{"seat", "kind"}` with `token` or
        `bot`, and whether this is the answer of before. The old token dies, but for a seat that lends itself
        to a bot: with it it may take the seat back. Raises Unauthenticated, Forbidden (`seat-mismatch`),
        NotFound, Invalid, Refused, and what `Transactor.run` does."""
        command = _controller(seat, body)
        token = self._token(caller, match, seat, "controller", key)
        to_person = command.to == "person"

        def asked_for(position: Position) -> HandOverSeat:
            if command.bot is not None:
                games.insist_on_bot(position.game, command.bot)
            return command

        def secrets(position: Position, _: object) -> Secrets:
            if to_person:
                name = str(body.get("name") or "")
                named = self._persons.sealed(match, seat, name, None, position.secrets)
                another = {holder_field(seat): "", showing.player_field(seat): ""}
                return {**_replaced(position, seat, token), **named, **another}
            if caller.seat is not None:
                return {}
            none = {showing.player_field(seat): ""} | nobody(seat)
            return {**none, **persons.nameless(seat, position.secrets)}

        done = self._transactor.run(
            Order(
                match,
                _by(caller),
                asked_for,
                self._clock.now_ms(caller.world),
                key=f"{access.scope(caller)}:controller {seat}:{key}",
                fingerprint=fingerprint,
                allow=lambda position: _allow(caller, position, seat),
                secrets=secrets,
                credential=caller.credential,
            )
        )
        shown = {"kind": "human", "token": token} if to_person else {"kind": "bot", "bot": command.bot}
        return {"seat": seat, **shown}, done.replayed

    def _token(self, caller: Caller, match: str, seat: int, purpose: str, key: str) -> str:
        return renewed_token(self._secret, match, seat, f"{access.scope(caller)}:{purpose}", key)


class _NothingToDo(Exception):
    """The seat has no token."""


_HOST: Final = By(None, "host")


def _by(caller: Caller) -> By:
    return _HOST if caller.seat is None else By(caller.seat, "player")


def _allow(caller: Caller, position: Position, seat: int) -> None:
    """The seat itself, or the host. Who asks again with the token that was replaced gets the answer of
    before, and nothing else. Raises Unauthenticated, Forbidden, NotFound."""
    if caller.seat is None:
        access.host_of(caller, position)
        return
    if position.command is not None and caller.match == position.id:
        former = position.secrets.get(former_token_field(caller.seat))
        if caller.seat == seat and same_hash(caller.proof, former):
            return
    if access.seat_of(caller, position) != seat:
        raise Forbidden("this token belongs to another seat", "seat-mismatch")


def _replaced(position: Position, seat: int, token: str) -> Secrets:
    held = _holder(position, seat)
    return {
        token_field(seat): hashed(token),
        former_token_field(seat): position.secrets.get(token_field(seat), ""),
        holder_field(seat): held,
        former_holder_field(seat): held,
    }


def _holder(position: Position, seat: int) -> str:
    """Who holds the seat, also while its token is revoked; empty when nobody is known to."""
    token = position.secrets.get(token_field(seat))
    return holder(position.secrets, seat, token) if token else position.secrets.get(holder_field(seat), "")


def _controller(seat: int, body: Mapping[str, Any]) -> HandOverSeat:
    """The command behind a body. Raises Invalid."""
    kind, bot = body.get("kind"), body.get("bot")
    if kind == "person" and bot is None:
        return HandOverSeat(seat, "person")
    if kind == "bot" and isinstance(bot, str):
        return HandOverSeat(seat, "bot", bot)
    raise invalid("/kind", "invalid", 'a person ({"kind": "person"}) or a bot with its name is expected')
