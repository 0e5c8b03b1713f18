"""Many matches at once, all or none: each is set up hidden, and all are shown in one step when the last is
there.

What is to be set up is written down first, as a job. Whoever began it tries to be done with it before it
answers; what a crash leaves behind is taken up by any worker. Every command has a key that follows from the
job, so that nothing happens twice. A job that cannot be done is undone: what was set up is called off, and
never shown.
"""

import hmac
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from events.canonical import canonical
from events.store import EventStore, KeyReused, OutcomeUnknown, StoreUnavailable
from service import access, follow_ups, job_records, scopes, showing
from service.clock import timestamp
from service.credentials import Caller, letters, match_id
from service.errors import (
    Fault,
    Forbidden,
    Invalid,
    NotFound,
    Refused,
    RulesetUnsupported,
    Unauthenticated,
    invalid,
)
from service.job_records import FAILED, FINISHED, STARTED, UNDOING, JobRecord, JobStorage
from service.lobby import Lobby
from service.playing import Playing
from service.positions import Positions
from service.read_models import ReadModels
from service.sandbox import WorldClock
from service.upkeep import Upkeep

Json = dict[str, Any]

KIND: Final = "match-batch"
MOST: Final = 200
JOB: Final = re.compile(r"job_[a-z2-7]{26}")
# How long the request that begins a job works on it itself.
_AT_ONCE_S: Final = 2.0
# A job that nobody has finished is taken up again after this long; so often, then it is undone.
_AGAIN_MS: Final = 5_000
_MOST_TRIES: Final = 20
_FINGERPRINT: Final = "batch"


class Batching:
    """Jobs that set up matches."""

    def __init__(
        self,
        storage: JobStorage,
        store: EventStore,
        lobby: Lobby,
        playing: Playing,
        known: Positions,
        lists: ReadModels,
        upkeep: Upkeep,
        clock: WorldClock,
        server_secret: bytes,
    ) -> None:
        self._storage = storage
        self._store = store
        self._lobby = lobby
        self._playing = playing
        self._positions = known
        self._lists = lists
        self._upkeep = upkeep
        self._clock = clock
        self._secret = server_secret

    def begin(
        self,
        caller: Caller,
        body: Mapping[str, Any],
        key: str,
        fingerprint: str,
        at_once_s: float = _AT_ONCE_S,
    ) -> tuple[Json, bool]:
        """Set up all matches of a body, or none: the job, and whether this key began it before. Raises
        Unauthenticated, Forbidden, Invalid with every fault, KeyReused, StoreUnavailable before it has
        begun."""
        if caller.tenant is None:
            raise Forbidden("only a tenant can set up matches") if caller.scheme else Unauthenticated
        said = ["wonderlog/job/1", access.scope(caller), KIND, key]
        id = f"job_{letters(hmac.digest(self._secret, canonical(said), 'sha256')[:16])}"
        known = self._storage.get(id)
        replayed = known is not None
        if known is None or known.status not in job_records.ENDED:
            made = known or self._made(id, caller, caller.tenant, body, fingerprint)
            known = self._storage.add(made, self._clock.now_ms() + _AGAIN_MS)
            replayed = replayed or known is not made
        if known.fingerprint != fingerprint:
            raise KeyReused
        if not replayed:
            # Else whoever began it, or a worker, is at it.
            try:
                self.work(id, at_once_s)
            except (StoreUnavailable, OutcomeUnknown):
                # It is written down: a worker goes on with it.
                return self._shown(known), replayed
            known = self._storage.get(id) or known
        return self._shown(known), replayed

    def _made(
        self, id: str, caller: Caller, tenant: str, body: Mapping[str, Any], fingerprint: str
    ) -> JobRecord:
        """A job for a body. Raises Invalid."""
        plan = self._plan(tenant, body)
        now = self._clock.now_ms(tenant)
        return JobRecord(id, tenant, KIND, fingerprint, caller.credential, plan, now)

    def job(self, caller: Caller, id: str) -> Json:
        """A job of the tenant. Raises Unauthenticated, Forbidden, NotFound, StoreUnavailable."""
        if caller.tenant is None:
            raise Forbidden("only a tenant has jobs") if caller.scheme else Unauthenticated
        known = self._storage.get(id) if JOB.fullmatch(id) else None
        if known is None or known.tenant != caller.tenant:
            raise NotFound("job")
        return self._shown(known)

    def due(self, most: int = 10) -> list[str]:
        """The jobs somebody must take up: this process, as nobody else is told of them for a while. Raises
        StoreUnavailable."""
        now = self._clock.now_ms()
        return self._storage.due(now, now + _AGAIN_MS, most)

    def work(self, id: str, most_s: float | None = None) -> None:
        """Go on with a job, for so long at most; harmless when it is done or somebody else is at it. Raises
        StoreUnavailable."""
        job = self._storage.get(id)
        if job is None or job.status in job_records.ENDED:
            return
        if job.status == UNDOING:
            self._undo(job)
            return
        begun = replace(job, status=STARTED, tries=job.tries + 1)
        if not self._storage.move(begun, job.status, self._clock.now_ms() + _AGAIN_MS):
            return
        if begun.tries > _MOST_TRIES:
            self._give_up(begun, "it was tried too often")
            return
        until = None if most_s is None else time.monotonic() + most_s
        try:
            self._go_on(begun, until)
        except (Refused, Invalid, RulesetUnsupported, KeyReused) as error:
            self._give_up(begun, f"a match cannot be set up: {type(error).__name__}")

    def _go_on(self, job: JobRecord, until: float | None) -> None:
        host = _host(job)
        for number, plan in enumerate(job.plan):
            if until is not None and time.monotonic() > until:
                return
            self._lobby.create(host, plan, _key(job, number), _FINGERPRINT, hidden=job.id)
        self._show(job)

    def _show(self, job: JobRecord) -> None:
        """All matches are there: put them into the lists in one step, then tell of each."""
        matches = self._matches(job)
        positions = [position for each in matches if (position := self._positions.load(each)) is not None]
        self._lists.note_all([follow_ups.summary(position) for position in positions])
        for position in positions:
            if position.secrets.get(showing.HIDDEN):
                self._store.put_secrets(position.id, {showing.HIDDEN: ""})
            self._upkeep.look_at(position.id)
        done = replace(
            job, status=FINISHED, ended_ms=self._clock.now_ms(job.tenant), results=matches, plan=[]
        )
        self._storage.move(done, STARTED, None)

    def _give_up(self, job: JobRecord, why: str) -> None:
        undoing = replace(job, status=UNDOING, error=why)
        if self._storage.move(undoing, STARTED, self._clock.now_ms() + _AGAIN_MS):
            self._undo(undoing)

    def _undo(self, job: JobRecord) -> None:
        """Call off what was set up. It was never shown, and is not now."""
        cancel = {"command": {"type": "cancel"}}
        for number, match in enumerate(self._matches(job)):
            if self._positions.load(match) is None:
                continue
            try:
                self._playing.command(
                    _host(job), match, cancel, f"{_key(job, number)}:off", _FINGERPRINT, None
                )
            except Refused as refused:
                if refused.kind != "match-over":
                    raise
        ended = replace(job, status=FAILED, ended_ms=self._clock.now_ms(job.tenant), plan=[])
        self._storage.move(ended, UNDOING, None)

    def _matches(self, job: JobRecord) -> list[str]:
        return [match_id(self._secret, job.tenant, _key(job, number)) for number in range(len(job.plan))]

    def _plan(self, tenant: str, body: Mapping[str, Any]) -> list[Json]:
        """What to set up, every match of it checked. Raises Invalid."""
        wanted = body.get("matches")
        if set(body) != {"matches"} or not isinstance(wanted, list) or not 1 <= len(wanted) <= MOST:
            raise invalid("/matches", "length", f"1 to {MOST} matches are expected")
        faults: list[Fault] = []
        for number, plan in enumerate(wanted):
            try:
                if not isinstance(plan, Mapping):
                    raise invalid("", "type", "an object is expected")
                self._lobby.check(tenant, plan)
            except Invalid as wrong:
                faults += [
                    Fault(f"/matches/{number}{fault.pointer}", fault.code, fault.detail)
                    for fault in wrong.faults
                ]
        if faults:
            raise Invalid(*faults[:MOST])
        return [dict(plan) for plan in wanted]

    def _shown(self, job: JobRecord) -> Json:
        ended = None if job.ended_ms is None else timestamp(job.ended_ms)
        results = [{"match": match, "self": f"/v1/matches/{match}"} for match in job.results]
        return {
            "id": job.id,
            "kind": job.kind,
            "status": STARTED if job.status == UNDOING else job.status,
            "created_at": timestamp(job.made_ms),
            "ended_at": ended,
            "error": job.error if job.status == FAILED else None,
            "result": {"matches": results} if job.status == FINISHED else None,
        }


def _host(job: JobRecord) -> Caller:
    return Caller(tenant=job.tenant, credential=job.credential, scopes=scopes.ALL)


def _key(job: JobRecord, number: int) -> str:
    """A command key no client can use: theirs have no colon."""
    return f"{job.id}:{number}"
