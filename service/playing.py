"""Use cases of a running match: commands of seats and of the host, and what became of one."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

from domain.kernel import match as match_rules
from domain.kernel.agreements import Claim, Undo
from domain.kernel.game import Command
from domain.kernel.match import By
from domain.kernel.seats import SPECTATOR
from events import codec
from events.canonical import Malformed
from events.chain import served
from events.envelope import Recorded
from service import access, games, times
from service.credentials import Caller
from service.errors import Fault, Invalid, Unauthenticated, invalid
from service.positions import Position, Positions
from service.sandbox import WorldClock
from service.transact import Done, Order, Step, Transactor, chance_of, seal_key

Json = dict[str, Any]

LONGEST_BATCH: Final = 100


class Playing:
    """The one write of seats and hosts."""

    def __init__(self, transactor: Transactor, known: Positions, clock: WorldClock) -> None:
        self._transactor = transactor
        self._positions = known
        self._clock = clock

    def command(
        self,
        caller: Caller,
        match: str,
        body: Mapping[str, Any],
        key: str,
        fingerprint: str,
        if_match: int | None,
    ) -> tuple[Json, bool]:
        """Bring a command into the log; the answer `{"version", "events", "head"}` as the caller sees it, and
        whether it is given again. Raises Unauthenticated, Forbidden, NotFound, Invalid, and what
        `Transactor.run` does."""
        arrived = self._clock.now_ms(caller.world)
        if not caller.scheme:
            raise Unauthenticated
        name, decision, members = _outline(body)
        host = name in games.HOST_COMMANDS or (caller.tenant is not None and name in games.SHARED_COMMANDS)

        def allow(position: Position) -> None:
            if host:
                access.host_of(caller, position)
            else:
                access.seat_of(caller, position)

        done = self._transactor.run(
            Order(
                match,
                By(None, "host") if host else _by(caller, name, decision),
                lambda position: _command(position, name, decision, members, caller, arrived),
                arrived,
                key=_command_id(caller, key),
                fingerprint=fingerprint,
                if_match=if_match,
                allow=allow,
                credential=caller.credential,
            )
        )
        return _answer(done, caller), done.replayed

    def batch(
        self,
        caller: Caller,
        match: str,
        body: Mapping[str, Any],
        key: str,
        fingerprint: str,
        if_match: int | None,
    ) -> tuple[Json, bool]:
        """Bring several commands of one seat into the log, in this order: all of them or none. The answer is
        that of one command. Raises what `command` does; Refused and Invalid point at the command."""
        arrived = self._clock.now_ms(caller.world)
        if not caller.scheme:
            raise Unauthenticated
        outlines = _outlines(body)

        def allow(position: Position) -> None:
            access.seat_of(caller, position)

        def step(position: Position, number: int) -> Step:
            name, decision, members = outlines[number]
            with _within(number):
                command = _command(position, name, decision, members, caller, arrived)
                return _by(caller, name, decision), command

        done = self._transactor.run(
            Order(
                match,
                _by(caller, *outlines[0][:2]),
                lambda position: step(position, 0)[1],
                arrived,
                key=_command_id(caller, key),
                fingerprint=fingerprint,
                if_match=if_match,
                allow=allow,
                credential=caller.credential,
                rest=lambda position: [step(position, number) for number in range(1, len(outlines))],
            )
        )
        return _answer(done, caller), done.replayed

    def outcome(self, caller: Caller, match: str, key: str) -> Json:
        """What became of the command the caller sent with this key: `{"status": "applied", "first",
        "last"}` or `{"status": "unknown"}`, and then it is safe to send it again. Raises Unauthenticated,
        NotFound."""
        if not caller.scheme:
            raise Unauthenticated
        id = _command_id(caller, key)
        position = self._positions.load(match, id)
        access.viewer(caller, position, public_spectators=False)
        record = None if position is None else position.command
        if record is None:
            return {"status": "unknown"}
        self._transactor.confirm(match, id, record)
        return {"status": "applied", "first": record.first, "last": record.last}


def _command_id(caller: Caller, key: str) -> str:
    return f"{access.scope(caller)}:command:{key}"


def _by(caller: Caller, name: str, decision: str | None) -> By:
    """The seat that asks. Commands of the table answer no decision, whatever is named."""
    return By(caller.seat, "player", None if name in games.PUBLIC_TABLE_COMMANDS else decision)


def _answer(done: Done, caller: Caller) -> Json:
    """What the command did: a function of its events alone, so that a replay gives the same."""
    last = done.records[-1]
    perspective = access.perspective(SPECTATOR if caller.seat is None else caller.seat)
    key = seal_key(chance_of(done.position).match_key)
    return {
        "version": last.version,
        "events": served(_shown(done, caller), perspective, key),
        "head": {"version": last.version, "hash": last.hash},
    }


def _shown(done: Done, caller: Caller) -> list[Recorded]:
    """The events of a command that its sender is shown: all of them, or, for a host that trails behind like
    every spectator, its own doing."""
    if access.sees_live(caller) or not match_rules.spectator_delay(done.position.state):
        return done.records
    return [record for record in done.records if record.actor == done.records[0].actor]


def _outline(body: Mapping[str, Any]) -> tuple[str, str | None, Json]:
    """Name of the command, decision it answers, its members. Raises Invalid."""
    command, decision = body.get("command"), body.get("decision")
    if not isinstance(command, Mapping):
        raise invalid("/command", "required", "an object is expected")
    if decision is not None and not isinstance(decision, str):
        raise invalid("/decision", "type", "the id of a decision is expected")
    unknown = sorted(set(body) - {"command", "decision"})
    if unknown:
        raise Invalid(*(Fault(f"/{name}", "unknown", "there is no such member") for name in unknown))
    members = dict(command)
    name = members.pop("type", None)
    if not isinstance(name, str):
        raise invalid("/command/type", "required", "the name of a command is expected")
    return name, decision, members


def _outlines(body: Mapping[str, Any]) -> list[tuple[str, str | None, Json]]:
    """The commands of a batch, each as `_outline` gives it. Raises Invalid."""
    commands = body.get("commands")
    if not isinstance(commands, list) or not 1 <= len(commands) <= LONGEST_BATCH:
        raise invalid("/commands", "length", f"a list of 1 to {LONGEST_BATCH} commands is expected")
    found = []
    for number, each in enumerate(commands):
        with _within(number):
            found.append(_outline(each if isinstance(each, Mapping) else {}))
            if found[-1][0] in games.HOST_COMMANDS:
                raise invalid("/command/type", "unknown", "a batch holds commands of a seat")
            if found[-1][0] in games.NOT_IN_A_BATCH:
                raise invalid("/command/type", "unknown", f"a batch holds no {found[-1][0]}")
    return found


@contextmanager
def _within(number: int) -> Iterator[None]:
    """What is invalid inside is so in this command of the batch."""
    try:
        yield
    except Invalid as error:
        place = f"/commands/{number}"
        faults = [Fault(place + fault.pointer, fault.code, fault.detail) for fault in error.faults]
        raise Invalid(*faults) from error


def _command(
    position: Position, name: str, decision: str | None, members: Json, caller: Caller, arrived_ms: int
) -> Command:
    """The command of this name in the match's game, what only the log's times tell filled in. Raises Invalid:
    no such command, wrong members, values that may not enter a log, a game command that names no decision."""
    cls = games.public_commands(position.game).get(name)
    if cls is None:
        raise invalid("/command/type", "unknown", f"{position.game.TITLE} has no command {name}")
    if decision is None and name in position.game.COMMANDS:
        raise invalid("/decision", "required", f"{name} answers a decision: name it")
    try:
        command: Command = codec.decode(cls, members, closed=True)
    except Malformed as error:
        raise invalid(f"/command{error.pointer}", "invalid", error.detail) from error
    if isinstance(command, Claim):
        return _claim(position, command, arrived_ms)
    if isinstance(command, Undo) and caller.seat is not None:
        return _undo(position, command, caller.seat)
    return command


def _claim(position: Position, command: Claim, arrived_ms: int) -> Claim:
    """The claim with the seats that are late; with none if one of those it names is not."""
    open_ = position.decision(command.decision)
    late = [] if open_ is None else position.late(open_, arrived_ms)
    wanted = late if command.seats is None else sorted(set(command.seats))
    return replace(command, seats=wanted if set(wanted) <= set(late) else [])


def _undo(position: Position, command: Undo, seat: int) -> Undo:
    """Back to before the last command of the seat, or before one of those that came one after the other;
    to nowhere for any other version."""
    starts = times.commands_in_a_row(position.times, seat)
    if command.to is None:
        return Undo(starts[-1] if starts else None)
    return command if command.to in starts else Undo(None)
