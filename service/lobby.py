"""Use cases before the start: set up a match, sit down, get up."""

import json
import re
import secrets as secret_source
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from domain.kernel import chance, table
from domain.kernel.game import Game
from domain.kernel.library import CARD_SET, library
from domain.kernel.match import By, Fact
from domain.kernel.table import (
    LOBBY,
    ChangeMatch,
    CreateMatch,
    JoinSeat,
    LeaveSeat,
    Sandbox,
    SeatBot,
    SeatPlan,
)
from service import access, games, naming, passes, persons, players, sandbox, scripts, showing
from service.clock import timestamp
from service.credentials import (
    INVITE,
    Caller,
    hashed,
    match_id,
    nobody,
    renewed_token,
    same_hash,
    seat_token,
    token_field,
)
from service.errors import Fault, Forbidden, Invalid, InviteInvalid, StaleVersion, Unauthenticated, invalid
from service.persons import Persons
from service.positions import Position, Positions
from service.sandbox import WorldClock
from service.transact import Order, Origin, Secrets, Transactor, current

Json = dict[str, Any]

_ENTROPY: Final = re.compile(r"(?:[0-9a-f]{2}){1,64}")
_HOST: Final = By(None, "host")


class Lobby:
    """Matches before they start."""

    def __init__(
        self,
        catalogue: Mapping[str, Game],
        transactor: Transactor,
        known: Positions,
        clock: WorldClock,
        server_secret: bytes,
        known_persons: Persons,
    ) -> None:
        self._games = library(catalogue)
        self._transactor = transactor
        self._positions = known
        self._clock = clock
        self._secret = server_secret
        self._persons = known_persons

    def create(
        self, caller: Caller, body: Mapping[str, Any], key: str, fingerprint: str, hidden: str = ""
    ) -> tuple[Json, bool]:
        """Set up a match; the tenant's key names it, so that a retry finds it. The match as it was then,
        and whether it was there before. `hidden`: by what it will be shown, and until then it is not. Raises
        Unauthenticated, Forbidden, Invalid, and what
        `Transactor.run` does."""
        arrived = self._clock.now_ms(caller.world)
        if caller.tenant is None:
            raise Forbidden("only a tenant can set up a match") if caller.scheme else Unauthenticated
        game, command, written = self._plan(body, sandbox.is_sandbox(caller.tenant))
        match = match_id(self._secret, caller.tenant, key)
        made = {**_secrets(command.sandbox), access.TENANT_SECRET: caller.tenant, **written}
        if hidden:
            made[showing.HIDDEN] = hidden
        done = self._transactor.run(
            Order(
                match,
                _HOST,
                lambda _: command,
                arrived,
                key=f"{access.scope(caller)}:create:{key}",
                fingerprint=fingerprint,
                allow=lambda position: access.host_of(caller, position),
                origin=Origin(game, made),
                credential=caller.credential,
            )
        )
        if not done.replayed:
            return showing.resource(done.position), False
        then = self._positions.at(match, done.records[-1].version)
        assert then is not None, "the command's own events are in the log"
        return showing.resource(then), True

    def join(
        self,
        caller: Caller,
        match: str,
        body: Mapping[str, Any],
        key: str,
        fingerprint: str,
        known_as: str | None = None,
    ) -> tuple[Json, bool]:
        """Seat a person, whose token is shown to this key only, or a bot: for the host, or who holds an
        invite. `known_as`: the id of the person, where it is known instead of a `player_ref`. Raises
        Unauthenticated, Forbidden (also `seat-mismatch`), NotFound, Invalid, InviteInvalid, Refused, and
        what `Transactor.run` does."""
        arrived = self._clock.now_ms(caller.world)
        command = _sitting(body)
        name, player = body.get("name"), players.read(body)

        def allow(position: Position) -> None:
            if caller.role != INVITE:
                access.host_of(caller, position)
                return
            held = access.pass_of(caller, position)
            if not isinstance(command, JoinSeat):
                raise Forbidden("an invite seats a person")
            if player is not None:
                raise Forbidden("what a player is called is up to the tenant")
            if held.issued.seat is not None and command.seat not in (None, held.issued.seat):
                raise Forbidden("this invite is for another seat", "seat-mismatch")
            # Asked again, the invite may have ended with the very answer that is asked for.
            if position.command is None and not held.is_good(timestamp(arrived)):
                raise InviteInvalid

        def sit(position: Position) -> JoinSeat | SeatBot:
            if isinstance(command, SeatBot):
                games.insist_on_bot(position.game, command.bot)
                return command
            if caller.role != INVITE:
                return command
            held = access.pass_of(caller, position)
            return replace(command, seat=command.seat if held.issued.seat is None else held.issued.seat)

        def secrets(position: Position, facts: list[Fact]) -> Secrets:
            seat = facts[0].event.seat
            if not isinstance(command, JoinSeat):
                return {}
            token = self._token(caller, match, seat, key)
            found = nobody(seat) | {token_field(seat): hashed(token)}
            person = known_as
            if caller.role == INVITE:
                held = access.pass_of(caller, position)
                found[passes.used_field(caller.pass_id)] = str(held.used + 1)
                person = held.issued.person or None
            elif player is not None:
                person = self._persons.id_of(position.secrets[access.TENANT_SECRET], player)
            found[showing.player_field(seat)] = person or ""
            return found | self._persons.sealed(match, seat, str(name or ""), person, position.secrets)

        done = self._transactor.run(
            Order(
                match,
                _HOST,
                sit,
                arrived,
                key=f"{access.scope(caller)}:join:{key}",
                fingerprint=fingerprint,
                allow=allow,
                secrets=secrets,
                credential=caller.credential,
            )
        )
        seat = done.records[0].data["seat"]
        if isinstance(command, JoinSeat):
            token = self._token(caller, match, seat, key)
            former = seat_token(self._secret, match, seat, key)
            if done.replayed and same_hash(hashed(former), done.position.secrets.get(token_field(seat))):
                # An older release has seated the person.
                token = former
            return {"seat": seat, "kind": "human", "token": token}, done.replayed
        return {"seat": seat, "kind": "bot", "bot": command.bot}, done.replayed

    def _token(self, caller: Caller, match: str, seat: int, key: str) -> str:
        """The token of a seat that is joined. No key of a caller has a colon; those of the queue have one."""
        if ":" in key:
            return seat_token(self._secret, match, seat, key)
        return renewed_token(self._secret, match, seat, f"{access.scope(caller)}:join", key)

    def leave(self, caller: Caller, match: str, seat: int) -> None:
        """Open a seat again: its own player gets up, or the host clears it. Raises Unauthenticated, Forbidden
        (`seat-mismatch`), NotFound, Refused, and what `Transactor.run` does."""

        def allow(position: Position) -> None:
            if caller.seat is None:
                access.host_of(caller, position)
            elif access.seat_of(caller, position) != seat:
                raise Forbidden("this token belongs to another seat", "seat-mismatch")

        self._transactor.run(
            Order(
                match,
                _HOST if caller.seat is None else By(seat, "player"),
                lambda _: LeaveSeat(seat),
                self._clock.now_ms(caller.world),
                allow=allow,
                secrets=lambda position, facts: {
                    **nobody(seat),
                    showing.player_field(seat): "",
                    **persons.nameless(seat, position.secrets),
                },
                credential=caller.credential,
            )
        )

    def check(self, tenant: str, body: Mapping[str, Any]) -> None:
        """Whether a tenant could set a match up so. Raises Invalid with every fault."""
        self._plan(body, sandbox.is_sandbox(tenant))

    def change(
        self, caller: Caller, match: str, body: Mapping[str, Any], if_match: int | None = None
    ) -> Json:
        """Change options or visibility in the lobby; the match afterwards. What is so already is no event.
        Raises Unauthenticated, Forbidden, NotFound, Invalid, Refused, StaleVersion, and what
        `Transactor.run` does."""
        _known(body, {"options", "visibility"})

        def allow(position: Position) -> None:
            access.host_of(caller, position)
            if position.state.status == LOBBY and _changed(position, body) == _as_it_is(position):
                if if_match not in (None, position.version):
                    raise StaleVersion(current(position, None))
                raise _NothingToDo(position)

        try:
            done = self._transactor.run(
                Order(
                    match,
                    _HOST,
                    lambda position: _changed(position, body),
                    self._clock.now_ms(caller.world),
                    if_match=if_match,
                    allow=allow,
                    credential=caller.credential,
                )
            )
        except _NothingToDo as nothing:
            return self._shown(nothing.position)
        return self._shown(done.position)

    def _shown(self, position: Position) -> Json:
        return showing.resource(position, self._persons.names(position.id, position.secrets))

    def _plan(self, body: Mapping[str, Any], is_sandbox: bool) -> tuple[Game, CreateMatch, Secrets]:
        """The command that sets the match up, and the scripts of its seats. Raises Invalid with every fault
        it finds, Forbidden for what is for the sandbox."""
        _known(body, {"game", "options", "seats", "visibility", "sandbox"})
        wish = body.get("sandbox")
        if not is_sandbox and (wish is not None or _has_scripts(body.get("seats"))):
            raise Forbidden("seeds and scripts are for the sandbox: use a key of the test mode, tk_test_…")
        name = body.get("game")
        game = self._games.get(name) if isinstance(name, str) else None
        if game is None:
            raise invalid("/game", "unknown", f"the games are {', '.join(self._games)}")
        wanted = body.get("options", {})
        if not isinstance(wanted, Mapping):
            raise invalid("/options", "type", "an object is expected")
        visibility = body.get("visibility", "public")
        if visibility not in ("public", "private"):
            raise invalid("/visibility", "invalid", "public or private is expected")
        game = self._games.for_options(game.NAME, wanted)
        mark = Sandbox((wish or {}).get("seed")) if is_sandbox else None
        seats, written = _seats(game, body.get("seats"), is_sandbox)
        return game, CreateMatch(games.options(game, wanted, len(seats)), seats, visibility, mark), written


class _NothingToDo(Exception):
    """All is as it is wanted already."""

    def __init__(self, position: Position) -> None:
        super().__init__()
        self.position = position


def _as_it_is(position: Position) -> ChangeMatch:
    return ChangeMatch(position.state.options, position.state.visibility)


def _changed(position: Position, body: Mapping[str, Any]) -> ChangeMatch:
    """The command behind a change. The cards of a match are chosen when it is set up. Raises Invalid."""
    state, game = position.state, position.game
    wanted = body.get("options", {})
    if not isinstance(wanted, Mapping):
        raise invalid("/options", "type", "an object is expected")
    if CARD_SET in wanted and wanted[CARD_SET] != state.options.get(CARD_SET):
        raise invalid(f"/options/{CARD_SET}", "fixed", "the cards of a match cannot be changed")
    visibility = body.get("visibility", state.visibility)
    if visibility not in ("public", "private"):
        raise invalid("/visibility", "invalid", "public or private is expected")
    options = games.options(game, {**games.still_meant(state.options), **wanted}, len(state.chairs))
    return ChangeMatch(options, visibility)


def _has_scripts(seats: object) -> bool:
    plans = seats if isinstance(seats, list) else []
    return any(isinstance(plan, Mapping) and plan.get("bot") == table.SCRIPT for plan in plans)


def _secrets(mark: Sandbox | None) -> dict[str, str]:
    """New secrets of a match, or those of its seed."""
    if mark is None or mark.seed is None:
        return {"match_key": secret_source.token_hex(32), "commit_nonce": secret_source.token_hex(32)}
    match_key, commit_nonce = chance.of_seed(mark.seed)
    return {"match_key": match_key.hex(), "commit_nonce": commit_nonce.hex()}


def _seats(game: Game, wanted: object, is_sandbox: bool) -> tuple[list[SeatPlan], dict[str, str]]:
    """The seats, and the scripts of those that have one, as secrets of the match. Raises Invalid."""
    if not isinstance(wanted, list) or len(wanted) not in game.SEATS:
        raise invalid("/seats", "length", f"{game.TITLE} is for {game.SEATS[0]} to {game.SEATS[-1]} seats")
    plans, faults, written = [], [], {}
    for number, plan in enumerate(wanted):
        match plan:
            case {"kind": "bot", "bot": table.SCRIPT, **rest} if is_sandbox and set(rest) <= {"script"}:
                plans.append(SeatPlan("bot", table.SCRIPT))
                script = rest.get("script", [])
                faults += scripts.faults(game, script, f"/seats/{number}/script")
                written[scripts.script_field(number)] = json.dumps(script)
            case {"kind": "open", **rest} if not rest:
                plans.append(SeatPlan())
            case {"kind": "bot", "bot": str(bot), **rest} if not rest and bot in game.BOTS:
                plans.append(SeatPlan("bot", bot))
            case {"kind": "bot", "bot": _, **rest} if not rest:
                known = f"the bots are {', '.join(game.BOTS)}"
                faults.append(Fault(f"/seats/{number}/bot", "unknown", known))
            case _:
                shape = 'a seat is {"kind": "open"} or {"kind": "bot", "bot": …}'
                faults.append(Fault(f"/seats/{number}", "invalid", shape))
    if faults:
        raise Invalid(*faults)
    return plans, written


def _sitting(body: Mapping[str, Any]) -> JoinSeat | SeatBot:
    """The command that takes a seat. Raises Invalid."""
    seat = body.get("seat")
    if seat is not None and type(seat) is not int:
        raise invalid("/seat", "type", "a seat is a whole number")
    if seat is not None and seat < 0:
        raise invalid("/seat", "minimum", "seats count from 0")
    kind = body.get("kind", "person")
    if kind == "bot":
        _known(body, {"kind", "bot", "seat"})
        bot = body.get("bot")
        if not isinstance(bot, str):
            raise invalid("/bot", "required", "the name of a bot is expected")
        return SeatBot(bot, seat)
    if kind != "person":
        raise invalid("/kind", "invalid", "person or bot is expected")
    _known(body, {"kind", "name", "seat", "entropy", "player_ref"})
    name, entropy = body.get("name"), body.get("entropy")
    if name is not None and not naming.is_name(name):
        raise invalid("/name", "invalid", f"1 to {naming.LONGEST} characters that can be seen are expected")
    if entropy is not None and not (isinstance(entropy, str) and _ENTROPY.fullmatch(entropy)):
        raise invalid("/entropy", "pattern", "1 to 64 bytes in lower-case hex are expected")
    return JoinSeat(seat, entropy)


def _known(body: Mapping[str, Any], members: set[str]) -> None:
    """Raises Invalid for members nobody asked for."""
    unknown = sorted(set(body) - members)
    if unknown:
        raise Invalid(*(Fault(f"/{name}", "unknown", "this member is not known here") for name in unknown))
