"""The queue: players who want a game wait for others, and are taken to a match that starts at once.

A step takes tickets out of the queue and writes their table down in one go, so that of several processes one
does. The table is then set up by commands whose keys follow from it: whoever finds it unfinished, after a
crash too, goes on with it, and nothing happens twice.
"""

import hmac
import logging
import re
import secrets as secret_source
import time
from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from domain.kernel.errors import refuse
from domain.kernel.game import Game
from domain.kernel.library import library
from events.canonical import canonical, digest
from events.store import KeyReused, StoreUnavailable
from service import access, games, naming, pairing, players, scopes
from service.clock import timestamp
from service.credentials import Caller, letters, seat_token
from service.errors import (
    Forbidden,
    Invalid,
    NotFound,
    Refused,
    RulesetUnsupported,
    Unauthenticated,
    invalid,
    outline,
)
from service.lobby import Lobby
from service.persons import Persons, sealed_field
from service.playing import Playing
from service.queue_tickets import (
    EXPIRED,
    FAILED,
    MATCHED,
    SEATING,
    WAITING,
    WITHDRAWN,
    QueueStorage,
    QueueTable,
    QueueTicket,
)
from service.sandbox import WorldClock

Json = dict[str, Any]

TICKET: Final = re.compile(r"qt_[a-z2-7]{26}")
USUAL_WAIT_MS: Final = 30_000
LONGEST_WAIT_MS: Final = 7 * 24 * 3600 * 1000
USUAL_S: Final = 600
SHORTEST_S: Final = 10
LONGEST_S: Final = 7 * 24 * 3600
# A name is sealed for a ticket as for the first seat of a match.
_ALONE: Final = 0
# So many tickets of a tenant are looked at in one step.
_MOST: Final = 1_000
_LOOK_S: Final = 0.1
_ENTROPY: Final = re.compile(r"(?:[0-9a-f]{2}){1,64}")
_MEMBERS: Final = frozenset(
    (
        "game",
        "options",
        "visibility",
        "seats",
        "wait_ms",
        "expires_in_s",
        "bot",
        "name",
        "entropy",
        "player_ref",
    )
)

log = logging.getLogger(__name__)


class Queueing:
    """The queues of all tenants."""

    def __init__(
        self,
        catalogue: Mapping[str, Game],
        storage: QueueStorage,
        lobby: Lobby,
        playing: Playing,
        clock: WorldClock,
        server_secret: bytes,
        persons: Persons,
    ) -> None:
        self._persons = persons
        self._games = library(catalogue)
        self._storage = storage
        self._lobby = lobby
        self._playing = playing
        self._clock = clock
        self._secret = server_secret

    def enter(self, caller: Caller, body: Mapping[str, Any], key: str, fingerprint: str) -> tuple[Json, bool]:
        """Let a player wait: its ticket, and whether this key made it before. Raises Unauthenticated,
        Forbidden, Invalid, KeyReused, StoreUnavailable."""
        tenant = _tenant(caller)
        id = self._id(caller, key)
        known = self._storage.get(tenant, id)
        if known is None:
            made = self._ticket(tenant, id, body, fingerprint)
            known = self._storage.add(made)
            if known is made:
                self._step(tenant)
                return self._shown(self._storage.get(tenant, id) or made), False
        if known.fingerprint != fingerprint:
            raise KeyReused
        return self._shown(known), True

    def ticket(self, caller: Caller, id: str, wait_s: float = 0) -> tuple[Json, bool]:
        """A ticket, after at most so many seconds, and whether it waits no more. Raises Unauthenticated,
        Forbidden, NotFound, StoreUnavailable."""
        tenant, until = _tenant(caller), time.monotonic() + wait_s
        while True:
            known = self._known(tenant, id)
            left = until - time.monotonic()
            if known.status not in (WAITING, SEATING) or left <= 0:
                return self._shown(known), known.status not in (WAITING, SEATING)
            time.sleep(min(_LOOK_S, left))

    def withdraw(self, caller: Caller, id: str) -> None:
        """Wait no longer; again does nothing. Raises Unauthenticated, Forbidden, NotFound, IllegalMove
        (`conflict`) once a table was found, StoreUnavailable."""
        tenant = _tenant(caller)
        known = self._known(tenant, id)
        if known.status == WAITING and self._storage.settle([replace(known, status=WITHDRAWN)]):
            return
        known = self._known(tenant, id)
        if known.status not in (WITHDRAWN, EXPIRED):
            raise refuse("matched", "there is a table for this ticket", kind="conflict")

    def tick(self) -> None:
        """Let sit down who can, in every queue. Raises StoreUnavailable."""
        for tenant in self._storage.tenants():
            try:
                if self._step(tenant):
                    self._storage.retire(tenant)
            except StoreUnavailable:
                raise
            except Exception as error:
                # One queue that cannot be read must not keep the others waiting.
                log.error("the queue of a tenant stands still: %s", outline(error))

    def _step(self, tenant: str) -> bool:
        """Let sit down who can; whether the queue was empty."""
        now = self._clock.now_ms(tenant)
        waiting = self._storage.waiting(tenant, _MOST)
        for ticket in waiting:
            if ticket.expires_ms <= now:
                self._storage.settle([replace(ticket, status=EXPIRED)])
        waiting = [ticket for ticket in waiting if ticket.expires_ms > now]
        waiting.sort(key=lambda ticket: (ticket.pool, ticket.place))
        for _, pool in groupby(waiting, key=lambda ticket: ticket.pool):
            self._pair(list(pool), now)
        tables = self._storage.tables(tenant)
        for table in tables:
            try:
                self._seat(table)
            except StoreUnavailable:
                raise
            except Exception as error:
                # Neither those at other tables nor whoever has just come can do anything about it.
                log.error("table %s is not set up: %s", table.id, outline(error))
        return not waiting and not tables

    def _pair(self, pool: list[QueueTicket], now: int) -> None:
        while (party := pairing.pair(pool, now)) is not None:
            taken = {ticket.id for ticket in party.tickets}
            seated = [replace(ticket, status=SEATING) for ticket in party.tickets]
            self._storage.settle(seated, _table(party))
            # If somebody was faster with one of them, the next step has all that are left.
            pool = [ticket for ticket in pool if ticket.id not in taken]

    def _seat(self, table: QueueTable) -> None:
        """Set the match of a table up and start it. Somebody may be doing the same at the same moment."""
        tickets = [each for id in table.tickets if (each := self._storage.get(table.tenant, id)) is not None]
        if len(tickets) < len(table.tickets):
            log.warning("table %s: a ticket is forgotten; the other players wait again", table.id)
            self._storage.finish(table, [replace(ticket, status=WAITING) for ticket in tickets])
            return
        host = Caller(tenant=table.tenant, credential="queue", scopes=scopes.ALL)
        try:
            match = self._set_up(host, table, {ticket.id: ticket for ticket in tickets})
        except Refused as refused:
            log.warning("table %s: %s; its players wait again", table.id, refused.reason.code)
            self._storage.finish(table, [replace(ticket, status=WAITING) for ticket in tickets])
            return
        except (Invalid, RulesetUnsupported, KeyReused) as error:
            log.error("table %s cannot be set up: %s", table.id, type(error).__name__)
            self._storage.finish(table, [replace(ticket, status=FAILED) for ticket in tickets])
            return
        seats = {id: seat for seat, id in enumerate(table.seats)}
        self._storage.finish(
            table,
            [replace(ticket, status=MATCHED, match=match, seat=seats[ticket.id]) for ticket in tickets],
        )

    def _set_up(self, host: Caller, table: QueueTable, tickets: Mapping[str, QueueTicket]) -> str:
        plans = [{"kind": "open"} if id else {"kind": "bot", "bot": table.bot} for id in table.seats]
        body = {
            "game": table.game,
            "options": table.options,
            "seats": plans,
            "visibility": table.visibility,
        }
        made, _ = self._lobby.create(host, body, _key("table", table.id), _FINGERPRINT)
        match = str(made["id"])
        for seat, id in enumerate(table.seats):
            if id is not None:
                ticket = tickets[id]
                own = {"name": self._name(ticket), "entropy": ticket.entropy}
                sitting = {name: value for name, value in own.items() if value is not None}
                key = _key("join", id)
                self._lobby.join(host, match, {"seat": seat, **sitting}, key, _FINGERPRINT, ticket.person)
        start = {"command": {"type": "start"}}
        try:
            self._playing.command(host, match, start, _key("start", table.id), _FINGERPRINT, None)
        except Refused as refused:
            # The host itself was faster: all sit there.
            if refused.kind != "already-started":
                raise
        return match

    def _ticket(self, tenant: str, id: str, body: Mapping[str, Any], fingerprint: str) -> QueueTicket:
        """What a body asks for. Raises Invalid."""
        unknown = sorted(set(body) - _MEMBERS)
        if unknown:
            raise invalid(f"/{unknown[0]}", "unknown", "this member is not known here")
        name, wanted = body.get("game"), body.get("options", {})
        if not isinstance(name, str) or name not in self._games:
            raise invalid("/game", "unknown", f"the games are {', '.join(self._games)}")
        if not isinstance(wanted, Mapping):
            raise invalid("/options", "type", "an object is expected")
        game = self._games.for_options(name, wanted)
        options = games.options(game, wanted)
        visibility = body.get("visibility", "public")
        if visibility not in ("public", "private"):
            raise invalid("/visibility", "invalid", "public or private is expected")
        least, most = _seats(game, body.get("seats", {}))
        bot = body.get("bot")
        if bot is not None and bot not in game.BOTS:
            raise invalid("/bot", "unknown", f"the bots are {', '.join(game.BOTS)}")
        name_of_player, player = body.get("name"), players.read(body)
        if name_of_player is not None and not naming.is_name(name_of_player):
            detail = f"1 to {naming.LONGEST} characters that can be seen are expected"
            raise invalid("/name", "invalid", detail)
        if name_of_player is not None and player is None:
            raise invalid("/player_ref", "required", "a name is kept with a person: say who that is for you")
        entropy = body.get("entropy")
        if entropy is not None and not (isinstance(entropy, str) and _ENTROPY.fullmatch(entropy)):
            raise invalid("/entropy", "pattern", "1 to 64 bytes in lower-case hex are expected")
        person = None if player is None else self._persons.id_of(tenant, player)
        sealed = self._persons.sealed(id, _ALONE, name_of_player, person, {}) if name_of_player else {}
        now = self._clock.now_ms(tenant)
        wait = _number(body, "wait_ms", USUAL_WAIT_MS, 0, LONGEST_WAIT_MS)
        life = _number(body, "expires_in_s", USUAL_S, SHORTEST_S, LONGEST_S)
        return QueueTicket(
            id=id,
            tenant=tenant,
            fingerprint=fingerprint,
            pool=digest(["wonderlog/pool/1", name, game.RULESET, options, visibility]),
            game=name,
            options=options,
            visibility=visibility,
            least=least,
            most=most,
            made_ms=now,
            start_ms=now + wait,
            expires_ms=now + 1000 * life,
            bot=bot,
            name=sealed.get(sealed_field(_ALONE)),
            entropy=entropy,
            person=person,
        )

    def _name(self, ticket: QueueTicket) -> str | None:
        """What the player wants to be called; None too when the person was erased."""
        if ticket.name is None:
            return None
        return self._persons.names(ticket.id, {sealed_field(_ALONE): ticket.name}).get(_ALONE)

    def _known(self, tenant: str, id: str) -> QueueTicket:
        known = self._storage.get(tenant, id) if TICKET.fullmatch(id) else None
        if known is None:
            raise NotFound("ticket")
        return known

    def _id(self, caller: Caller, key: str) -> str:
        said = ["wonderlog/queue-ticket/1", access.scope(caller), key]
        return f"qt_{letters(hmac.digest(self._secret, canonical(said), 'sha256')[:16])}"

    def _shown(self, ticket: QueueTicket) -> Json:
        shown: Json = {
            "id": ticket.id,
            "status": ticket.status,
            "game": ticket.game,
            "options": ticket.options,
            "seats": {"min": ticket.least, "max": ticket.most},
            "created_at": timestamp(ticket.made_ms),
            "start_at": timestamp(ticket.start_ms),
            "expires_at": timestamp(ticket.expires_ms),
        }
        if ticket.match is not None and ticket.seat is not None:
            token = seat_token(self._secret, ticket.match, ticket.seat, _key("join", ticket.id))
            shown |= {"match": ticket.match, "seat": ticket.seat, "token": token}
        return shown


_FINGERPRINT: Final = "queue"


def _key(what: str, id: str) -> str:
    """A command key no client can use: theirs have no colon."""
    return f"queue:{what}:{id}"


def _table(party: pairing.Party) -> QueueTable:
    """The party at a table, everybody at a seat by lot."""
    first = party.tickets[0]
    seats: list[str | None] = [ticket.id for ticket in party.tickets]
    seats += [None] * (party.size - len(seats))
    secret_source.SystemRandom().shuffle(seats)
    id = letters(secret_source.token_bytes(16))
    return QueueTable(id, first.tenant, first.game, first.options, first.visibility, seats, party.bot)


def _tenant(caller: Caller) -> str:
    if caller.tenant is None:
        raise Forbidden("only a tenant lets players wait") if caller.scheme else Unauthenticated
    return caller.tenant


def _seats(game: Game, wanted: object) -> tuple[int, int]:
    """The least and the greatest number of seats. Raises Invalid."""
    if not isinstance(wanted, Mapping) or not set(wanted) <= {"min", "max"}:
        raise invalid("/seats", "invalid", 'a range such as {"min": 3, "max": 5} is expected')
    least, most = wanted.get("min", game.SEATS[0]), wanted.get("max", game.SEATS[-1])
    for name, value in (("min", least), ("max", most)):
        if type(value) is not int or value not in game.SEATS:
            detail = f"{game.TITLE} is for {game.SEATS[0]} to {game.SEATS[-1]} seats"
            raise invalid(f"/seats/{name}", "range", detail)
    if least > most:
        raise invalid("/seats/max", "range", "the greatest number is below the least")
    return least, most


def _number(body: Mapping[str, Any], name: str, usual: int, least: int, most: int) -> int:
    value = body.get(name, usual)
    if type(value) is not int or not least <= value <= most:
        raise invalid(f"/{name}", "range", f"{least} to {most} is expected")
    return value
