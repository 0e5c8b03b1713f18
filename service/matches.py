"""The use cases as the faces call them. What they raise is said where they are implemented."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from events.store import Archived, EventStore
from service import access, credentials, passes, sandbox
from service.batching import Batching
from service.credentials import (
    NOBODY,
    PREFIXES,
    Caller,
    MatchTokens,
    former_token_field,
    same_hash,
    token_field,
)
from service.errors import NotReady, Unauthenticated
from service.following import Following
from service.forking import Forking
from service.games import Catalogue
from service.importing import Importing
from service.inviting import Inviting
from service.keyring import TenantKeys, Wish
from service.lobby import Lobby
from service.origins import Origins
from service.persons import Persons
from service.playing import Playing
from service.proving import Proving
from service.queueing import Queueing
from service.rematching import Rematching
from service.sandbox_clock import SandboxClock
from service.seating import Seating
from service.secrecy_reports import Secrecy
from service.statistics.statistics import Statistics
from service.tickets import Tickets
from service.travelling import Travelling
from service.watching import Wanted, Watching
from service.webhooks.subscriptions import Webhooks

Json = dict[str, Any]

log = logging.getLogger(__name__)


class Matches:
    """Everything that can be asked of the service. What changes anything raises NotReady as long as the
    servers were never found fit."""

    def __init__(
        self,
        store: EventStore,
        keys: TenantKeys,
        tokens: MatchTokens,
        catalogue: Catalogue,
        lobby: Lobby,
        playing: Playing,
        watching: Watching,
        travelling: Travelling,
        proving: Proving,
        forking: Forking,
        importing: Importing,
        following: Following,
        tickets: Tickets,
        check: Callable[[], list[str]],
        webhooks: Webhooks,
        seating: Seating,
        inviting: Inviting,
        origins: Origins,
        rematching: Rematching,
        persons: Persons,
        sandbox_clock: SandboxClock,
        queueing: Queueing,
        batching: Batching,
        statistics: Statistics,
        secrecy: Secrecy,
    ) -> None:
        self._store = store
        self._keys = keys
        self._tokens = tokens
        self._catalogue = catalogue
        self._lobby = lobby
        self._playing = playing
        self._watching = watching
        self._travelling = travelling
        self._proving = proving
        self._forking = forking
        self._importing = importing
        self.following = following
        self._tickets = tickets
        self._check = check
        self.webhooks = webhooks
        self._seating = seating
        self._inviting = inviting
        self._origins = origins
        self._statistics = statistics
        self._rematching = rematching
        self._persons = persons
        self.sandbox_clock = sandbox_clock
        self._queueing = queueing
        self._batching = batching
        self._secrecy = secrecy
        self._is_fit = False

    def authenticate(self, bearer: str | None, match: str | None) -> Caller:
        """Who a bearer token says is asking, for the match in the path. Raises Unauthenticated; Forbidden for
        a valid token of another match, whether or not there is the one in the path; StoreUnavailable."""
        if bearer is None:
            return NOBODY
        if not bearer.startswith(PREFIXES):
            return self._keys.check(bearer)
        caller = self._tokens.read(bearer)
        assert caller.match is not None, "a token names its match"
        known = self._tokens.known(caller)
        if known is None:
            try:
                kept = self._store.secrets(caller.match)
            except Archived:
                # Nothing is left that could prove a token.
                raise Unauthenticated from None
            if caller.seat is not None:
                fields = (token_field(caller.seat), former_token_field(caller.seat))
                valid = any([same_hash(caller.proof, kept.get(field)) for field in fields])
            else:
                valid = passes.proven(caller, kept) is not None
            if not valid:
                raise Unauthenticated
            holder = "" if caller.seat is None else credentials.holder(kept, caller.seat, caller.proof)
            known = kept[access.TENANT_SECRET], holder
            self._tokens.remember(caller, *known)
        if match not in (None, caller.match):
            raise access.another_match()
        host, holder = known
        return replace(caller, host=host, mode=sandbox.mode(host), holder=holder)

    def games(self) -> list[Json]:
        """The games in short."""
        return self._catalogue.all()

    def game(self, name: str, ruleset: str | None = None) -> Json:
        """A game with everything printed, by default as new matches are played. Raises NotFound."""
        return self._catalogue.game(name, ruleset)

    def create(
        self, caller: Caller, body: Mapping[str, Any], key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """See `Lobby.create`."""
        self._insist_on_fitness()
        return self._lobby.create(caller, body, key, fingerprint)

    def join(
        self, caller: Caller, match: str, body: Mapping[str, Any], key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """See `Lobby.join`."""
        self._insist_on_fitness()
        return self._lobby.join(caller, match, body, key, fingerprint)

    def change(
        self, caller: Caller, match: str, body: Mapping[str, Any], if_match: int | None = None
    ) -> Json:
        """See `Lobby.change`."""
        self._insist_on_fitness()
        return self._lobby.change(caller, match, body, if_match)

    def rematch(self, caller: Caller, match: str) -> tuple[Json, bool]:
        """See `Rematching.rematch`."""
        self._insist_on_fitness()
        return self._rematching.rematch(caller, match)

    def enter_queue(
        self, caller: Caller, body: Mapping[str, Any], key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """See `Queueing.enter`."""
        self._insist_on_fitness()
        return self._queueing.enter(caller, body, key, fingerprint)

    def queue_ticket(self, caller: Caller, id: str, wait_s: float = 0) -> tuple[Json, bool]:
        """See `Queueing.ticket`."""
        return self._queueing.ticket(caller, id, wait_s)

    def leave_queue(self, caller: Caller, id: str) -> None:
        """See `Queueing.withdraw`."""
        self._insist_on_fitness()
        self._queueing.withdraw(caller, id)

    def create_batch(
        self, caller: Caller, body: Mapping[str, Any], key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """See `Batching.begin`."""
        self._insist_on_fitness()
        return self._batching.begin(caller, body, key, fingerprint)

    def job(self, caller: Caller, id: str) -> Json:
        """See `Batching.job`."""
        return self._batching.job(caller, id)

    def leave(self, caller: Caller, match: str, seat: int) -> None:
        """See `Lobby.leave`."""
        self._insist_on_fitness()
        self._lobby.leave(caller, match, seat)

    def command(
        self,
        caller: Caller,
        match: str,
        body: Mapping[str, Any],
        key: str,
        fingerprint: str,
        if_match: int | None = None,
    ) -> tuple[Json, bool]:
        """See `Playing.command`."""
        self._insist_on_fitness()
        return self._playing.command(caller, match, body, key, fingerprint, if_match)

    def command_batch(
        self,
        caller: Caller,
        match: str,
        body: Mapping[str, Any],
        key: str,
        fingerprint: str,
        if_match: int | None = None,
    ) -> tuple[Json, bool]:
        """See `Playing.batch`."""
        self._insist_on_fitness()
        return self._playing.batch(caller, match, body, key, fingerprint, if_match)

    def fork(
        self, caller: Caller, match: str, body: Mapping[str, Any], key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """See `Forking.fork`."""
        self._insist_on_fitness()
        return self._forking.fork(caller, match, body, key, fingerprint)

    def command_outcome(self, caller: Caller, match: str, key: str) -> Json:
        """See `Playing.outcome`."""
        return self._playing.outcome(caller, match, key)

    def list_matches(
        self,
        caller: Caller,
        game: str | None = None,
        status: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
        forks: bool = False,
        **more: Any,
    ) -> Json:
        """See `Watching.list_matches`; `more` are the other members of `Wanted`."""
        wanted = Wanted(game, status, **more)
        return self._watching.list_matches(caller, wanted, limit, cursor, forks)

    def match(self, caller: Caller, match: str) -> Json:
        """See `Watching.match`."""
        return self._watching.match(caller, match)

    def seats(self, caller: Caller, match: str) -> Json:
        """See `Watching.seats`."""
        return self._watching.seats(caller, match)

    def view(self, caller: Caller, match: str, version: int | None = None) -> Json:
        """See `Watching.view`."""
        return self._watching.view(caller, match, version)

    def legal_moves(self, caller: Caller, match: str) -> Json:
        """See `Watching.legal_moves`."""
        return self._watching.legal_moves(caller, match)

    def events(self, caller: Caller, match: str, after: int, limit: int = 50, wait_s: float = 0) -> Json:
        """See `Watching.events`."""
        return self._watching.events(caller, match, after, limit, wait_s)

    def export(
        self, caller: Caller, match: str, version: int | None = None, perspective: str | None = None
    ) -> Iterator[bytes]:
        """See `Proving.export`."""
        return self._proving.export(caller, match, version, perspective)

    def proof(self, caller: Caller, match: str, version: int | None = None) -> Json:
        """See `Proving.proof`."""
        return self._proving.proof(caller, match, version)

    def check_head(self, caller: Caller, match: str, version: int, hash: str) -> None:
        """See `Proving.check_head`."""
        self._proving.check_head(caller, match, version, hash)

    def imports(self, caller: Caller) -> Json:
        """See `Importing.all`."""
        return self._importing.all(caller)

    def drop_import(self, caller: Caller, match: str) -> None:
        """See `Importing.drop`."""
        self._insist_on_fitness()
        self._importing.drop(caller, match)

    def import_bundle(self, caller: Caller, lines: Iterator[bytes], key: str) -> tuple[Json, bool]:
        """See `Importing.take`."""
        self._insist_on_fitness()
        return self._importing.take(caller, lines, key)

    def secrecy(self, caller: Caller, match: str) -> tuple[Json, bool]:
        """See `Secrecy.report`."""
        return self._secrecy.report(caller, match)

    def public_keys(self) -> Json:
        """See `Proving.keys`."""
        return self._proving.keys()

    def diff(self, caller: Caller, match: str, before: int, after: int | None = None) -> Json:
        """See `Travelling.diff`."""
        return self._travelling.diff(caller, match, before, after)

    def page(self, caller: Caller, match: str, version: int | None, perspective: str | None) -> str:
        """See `Travelling.page`."""
        return self._travelling.page(caller, match, version, perspective)

    def notation(self, caller: Caller, match: str, version: int | None, perspective: str | None) -> str:
        """See `Travelling.notation`."""
        return self._travelling.notation(caller, match, version, perspective)

    def event(self, caller: Caller, match: str, version: int) -> Json:
        """See `Travelling.event`."""
        return self._travelling.event(caller, match, version)

    def renew_token(
        self, caller: Caller, match: str, seat: int, key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """See `Seating.renew_token`."""
        self._insist_on_fitness()
        return self._seating.renew_token(caller, match, seat, key, fingerprint)

    def revoke_token(self, caller: Caller, match: str, seat: int) -> None:
        """See `Seating.revoke_token`."""
        self._insist_on_fitness()
        self._seating.revoke_token(caller, match, seat)

    def hand_over(
        self, caller: Caller, match: str, seat: int, body: Mapping[str, Any], key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """See `Seating.hand_over`."""
        self._insist_on_fitness()
        return self._seating.hand_over(caller, match, seat, body, key, fingerprint)

    def issue_pass(
        self, caller: Caller, match: str, role: str, body: Mapping[str, Any], key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """See `Inviting.issue`."""
        self._insist_on_fitness()
        return self._inviting.issue(caller, match, role, body, key, fingerprint)

    def passes(self, caller: Caller, match: str, role: str) -> Json:
        """See `Inviting.all_of`."""
        return self._inviting.all_of(caller, match, role)

    def one_pass(self, caller: Caller, match: str, role: str, id: str) -> Json:
        """See `Inviting.one_of`."""
        return self._inviting.one_of(caller, match, role, id)

    def end_pass(self, caller: Caller, match: str, role: str, id: str) -> None:
        """See `Inviting.end`."""
        self._insist_on_fitness()
        self._inviting.end(caller, match, role, id)

    def keys(self, caller: Caller) -> Json:
        """See `TenantKeys.own`."""
        return self._keys.own(caller)

    def key(self, caller: Caller, id: str) -> Json:
        """See `TenantKeys.own_key`."""
        return self._keys.own_key(caller, id)

    def create_key(
        self, caller: Caller, body: Mapping[str, Any], key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """See `TenantKeys.create_own`: the key as it is listed, and `key`."""
        self._insist_on_fitness()
        scopes = body.get("scopes", caller.scopes)
        wish = Wish(scopes, body.get("mode", caller.mode), body.get("label", ""))
        made = self._keys.create_own(caller, wish, key, fingerprint)
        return {**self._keys.own_key(caller, made.id), "key": made.key}, made.replayed

    def rotate_key(
        self, caller: Caller, id: str, body: Mapping[str, Any], key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """See `TenantKeys.rotate`: the new key as it is listed, and `key`."""
        self._insist_on_fitness()
        made = self._keys.rotate(caller, id, body["overlap_s"], key, fingerprint)
        return {**self._keys.own_key(caller, made.id), "key": made.key}, made.replayed

    def revoke_key(self, caller: Caller, id: str) -> None:
        """See `TenantKeys.revoke_own`."""
        self._insist_on_fitness()
        self._keys.revoke_own(caller, id)

    def erase_person(self, caller: Caller, player_ref: str) -> None:
        """Erase whom the caller's tenant calls so. Raises as `Persons.erase` does."""
        assert caller.tenant is not None, "the face asks for a tenant key"
        self._insist_on_fitness()
        self._persons.erase(caller.tenant, player_ref, caller.credential)

    def statistics(self, caller: Caller, game: str, ruleset: str | None, seats: int | None) -> Json:
        """See `Statistics.of_tenant`."""
        return self._statistics.of_tenant(caller, game, ruleset, seats)

    def origins(self, caller: Caller) -> Json:
        """The origins whose pages may call for the caller's tenant."""
        assert caller.tenant is not None, "the face asks for a tenant key"
        return {"origins": list(self._origins.of(caller.tenant))}

    def set_origins(self, caller: Caller, origins: Sequence[str]) -> Json:
        """See `Origins.set_own`."""
        self._insist_on_fitness()
        return self._origins.set_own(caller, origins)

    def allows_origin(self, origin: str, tenant: str | None) -> bool:
        """See `Origins.allows`."""
        return self._origins.allows(origin, tenant)

    def move_sandbox_clock(
        self, caller: Caller, body: Mapping[str, Any], key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """See `SandboxClock.move`."""
        self._insist_on_fitness()
        return self.sandbox_clock.move(caller, body, key, fingerprint)

    def feed(self, caller: Caller, after: str, limit: int = 50, wait_s: float = 0) -> Json:
        """See `Following.tenant_page`."""
        return self.following.tenant_page(caller, after, limit, wait_s)

    def ticket(self, caller: Caller, match: str | None, key: str, fingerprint: str) -> tuple[str, bool]:
        """A ticket for a stream the caller may open: see `Tickets.make`. Raises Unauthenticated, Forbidden,
        NotFound as well."""
        if match is None:
            self.following.tenant(caller)
        else:
            self._watching.seen(caller, match)
        return self._tickets.make(caller, match, key, fingerprint)

    def take_ticket(self, ticket: str, match: str | None) -> Caller:
        """See `Tickets.take`."""
        return self._tickets.take(ticket, match)

    def ready(self) -> Json:
        """Whether the service can serve: `{"status": "ready", "warnings": […]}`. Raises NotReady."""
        return {"status": "ready", "warnings": self._check()}

    def _insist_on_fitness(self) -> None:
        """Nothing is taken before the servers were found fit to keep it, once in the life of this process.
        Raises NotReady."""
        if self._is_fit:
            return
        try:
            self._check()
        except NotReady as why:
            log.warning("nothing is taken yet: %s", "; ".join(why.reasons))
            raise
        self._is_fit = True
