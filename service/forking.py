"""Forks: a sandbox match that starts where another one stood, exact once that is over, else dealt anew.

The log of a fork begins with the events of the other match, one for one, so versions and decisions keep their
names: in full when the match is over, else as the caller was told them, and then with a fact of the game that
puts cards wherever the caller saw none. What the caller was not told is not looked at.
"""

import secrets as secret_source
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from domain.kernel import match as match_rules
from domain.kernel import redaction
from domain.kernel.agreements import CLOCKS
from domain.kernel.chance import Chance
from domain.kernel.errors import refuse
from domain.kernel.game import Event, Game
from domain.kernel.match import By, Fact
from domain.kernel.redealing import standing
from domain.kernel.seats import Viewer
from domain.kernel.table import MatchCreated, MatchForked, MatchStarted, Origin, Sandbox, SeatPlan
from events.chain import seal_events
from events.envelope import Draft, Recorded
from events.store import Archived, EventStore, KeyReused, StoreUnavailable, VersionConflict
from service import access, positions, seeing, showing, wire, work
from service.clock import timestamp
from service.credentials import Caller, hashed, match_id, seat_token, token_field
from service.errors import Fault, Invalid, NotFound, QuotaExceeded, Refused, invalid
from service.follow_ups import FollowUps
from service.positions import Position, Positions
from service.quotas import Quotas
from service.sandbox import WorldClock
from service.transact import current, seal_key
from service.work import Work

Json = dict[str, Any]

DAY_MS: Final = 86_400_000
# How many times as many forks all of a tenant's matches may have in a day as one seat of one match.
_OF_TENANT: Final = 50

_STARTED: Final = wire.table_name(MatchStarted)


@dataclass(frozen=True, slots=True)
class Source:
    """What is forked: the match, its log up to the version, and whom it was told so (None: it is exact)."""

    position: Position
    records: list[Recorded]
    viewer: Viewer | None

    @property
    def version(self) -> int:
        return len(self.records)


class Forking:
    """Makes forks."""

    def __init__(
        self,
        store: EventStore,
        known: Positions,
        follow_ups: FollowUps,
        clock: WorldClock,
        server_secret: bytes,
        quotas: Quotas,
        a_day: int,
    ) -> None:
        """`a_day`: how many forks of one match each seat, and the tenant, may make in a day."""
        self._store = store
        self._positions = known
        self._follow_ups = follow_ups
        self._clock = clock
        self._secret = server_secret
        self._quotas = quotas
        self._a_day = a_day

    def fork(
        self, caller: Caller, match: str, body: Mapping[str, Any], key: str, fingerprint: str
    ) -> tuple[Json, bool]:
        """A private match of the same tenant that starts at `version` (by default now), or at the last
        version before it at which the rules waited for somebody; with the tokens of all seats that no bot
        plays. And whether this key made it before. Raises Unauthenticated, NotFound, Invalid, KeyReused,
        Refused (`not-started`), QuotaExceeded, and the errors of the store."""
        arrived = self._clock.now_ms(caller.world)
        head, viewer = seeing.newest(self._positions, caller, match, False)
        id = match_id(self._secret, f"{access.scope(caller)}/fork/{match}", key)
        command = f"{access.scope(caller)}:fork:{key}"
        there = self._positions.load(id, command)
        if there is None:
            source = self._source(head, viewer, body.get("version"))
            plans = _plans(head.game, len(head.state.chairs), body.get("seats"))
            self._take_from_quota(caller, head)
            there = self._append(source, plans, id, command, fingerprint, caller, key, arrived)
            if there is not None:
                return self._answer(there, key), False
            there = self._positions.load(id, command)
        if there is not None and there.gone is not None:
            raise Archived(there.gone)
        if there is None or there.command is None:
            raise StoreUnavailable("the fork is neither there nor not")
        if there.command.fingerprint != fingerprint:
            raise KeyReused
        then = self._positions.at(id, there.command.last)
        assert then is not None, "the fork's own events are in its log"
        then.secrets = there.secrets
        return self._answer(then, key), True

    def _source(self, head: Position, viewer: Viewer, wanted: int | None) -> Source:
        version = head.version if wanted is None else wanted
        if not 0 < version <= head.version:
            raise NotFound("version")
        # Of the event after it only the number of its command is looked at.
        records = self._store.read(head.id, 0, version + 1)
        over = showing.is_over(head)
        last = min(version, head.version - 1) if over else version
        earliest = 0 if head.state.forked_from is None else head.state.forked_from.version + 1
        for rest in range(last, earliest, -1):
            if rest == len(records) or records[rest].command == rest + 1:
                if any(record.type == _STARTED for record in records[:rest]):
                    return Source(head, records[:rest], None if over else viewer)
                break
        why = refuse("not-started", "a match can be forked from its start on", kind="not-started")
        raise Refused(why.reason, why.kind, current(head, None))

    def _take_from_quota(self, caller: Caller, head: Position) -> None:
        """Count a fork; one that then cannot be written counts as well. Raises QuotaExceeded."""
        who = "tenant" if caller.seat is None else f"s{caller.seat}"
        tenant = head.secrets[access.TENANT_SECRET]
        for bucket, most, whose in (
            (f"forks:{head.id}:{who}", self._a_day, "one match"),
            (f"forks:{tenant}", self._a_day * _OF_TENANT, "all matches of a tenant"),
        ):
            if not self._quotas.take(bucket, most, DAY_MS, 1).taken:
                raise QuotaExceeded(f"there are up to {most} forks of {whose} in a day; wait until tomorrow")

    def _append(
        self,
        source: Source,
        plans: list[SeatPlan],
        id: str,
        command: str,
        fingerprint: str,
        caller: Caller,
        key: str,
        arrived_ms: int,
    ) -> Position | None:
        """The fork, or None where another request with the same key was first."""
        head = source.position
        made = {
            "match_key": secret_source.token_hex(32),
            "commit_nonce": secret_source.token_hex(32),
            access.TENANT_SECRET: head.secrets[access.TENANT_SECRET],
        }
        for seat, plan in enumerate(plans):
            if plan.kind != "bot":
                made[token_field(seat)] = hashed(seat_token(self._secret, id, seat, key))
        chance = Chance(id, bytes.fromhex(made["match_key"]), bytes.fromhex(made["commit_nonce"]))
        by = By(caller.seat, "host" if caller.seat is None else "player")
        drafts, state = branch(source, plans, by, chance)
        sealing = seal_key(chance.match_key)
        position = positions.new(id, head.game, made)
        records = seal_events(drafts, id, 0, position.hash, timestamp(arrived_ms), sealing)
        self._follow_ups.before(id)
        try:
            appended = self._store.append(id, 0, command, fingerprint, records, made)
        except VersionConflict:
            return None
        if appended.replayed:
            return None
        position.state = state
        positions.note(position, records)
        self._positions.cache.put(position)
        self._follow_ups.after(position, records, Work(), work.of(position), False)
        return position

    def _answer(self, fork: Position, key: str) -> Json:
        seats: list[Json] = []
        for number, chair in enumerate(fork.state.chairs):
            if chair.kind == "bot":
                seats.append({"seat": number, "kind": "bot", "bot": chair.bot})
            else:
                token = seat_token(self._secret, fork.id, number, key)
                seats.append({"seat": number, "kind": "human", "token": token})
        return {"match": showing.resource(fork), "seats": seats}


def branch(source: Source, plans: list[SeatPlan], by: By, chance: Chance) -> tuple[list[Draft], Any]:
    """The events of a fork, and the match after them."""
    head, game = source.position, source.position.game
    names, redactions = wire.of(game), match_rules.redactions(game)
    state = match_rules.initial()
    drafts: list[Draft] = []
    told: list[Event] = []
    for record in source.records:
        event = names.decode(record)
        if source.viewer is not None:
            event = redaction.redact(redactions, event, source.viewer)
        if isinstance(event, MatchCreated):
            event = replace(
                event,
                commitment=chance.commitment(),
                visibility="private",
                options=_unhurried(event.options),
                forked_from=Origin(head.id, source.version),
                sandbox=None if event.sandbox is None else Sandbox(),
            )
        elif isinstance(event, MatchStarted):
            event = replace(event, options=_unhurried(event.options))
        match_rules.evolve(game, state, event)
        told.append(event)
        drafts += names.drafts([Fact(event, record.actor, record.cause)], record.decision, {})
    more = [Fact(MatchForked(head.id, source.version, plans, source.viewer), by.actor, by.cause)]
    match_rules.evolve(game, state, more[0].event)
    if source.viewer is not None:
        dealing = chance.with_entropy([chair.entropy for chair in state.chairs])
        for event in game.redeal(state.play, source.viewer, standing(told), dealing):
            match_rules.evolve(game, state, event)
            more.append(Fact(event, match_rules.RULES, match_rules.RULES))
    return drafts + names.drafts(more, None, {}), state


def _unhurried(options: Json) -> Json:
    """The options without clocks."""
    return {name: None if name in CLOCKS else value for name, value in options.items()}


def _plans(game: Game, seats: int, wanted: object) -> list[SeatPlan]:
    """Who plays which seat: people by default. Raises Invalid."""
    if wanted is None:
        return [SeatPlan()] * seats
    if not isinstance(wanted, list) or len(wanted) != seats:
        raise invalid("/seats", "length", f"this match has {seats} seats")
    plans, faults = [], []
    for number, plan in enumerate(wanted):
        if plan["kind"] != "bot":
            plans.append(SeatPlan())
        elif plan["bot"] in game.BOTS:
            plans.append(SeatPlan("bot", plan["bot"]))
        else:
            known = f"the bots are {', '.join(game.BOTS)}"
            faults.append(Fault(f"/seats/{number}/bot", "unknown", known))
    if faults:
        raise Invalid(*faults)
    return plans
