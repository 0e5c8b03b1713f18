"""What a seat may do at the table around the game, as bodies to post: give up, pause, agree, take back."""

from collections.abc import Iterator
from typing import Any, Final

from domain.kernel import undo
from domain.kernel.agreements import (
    CLAIMABLE,
    CONSENT,
    DAY_MS,
    LEAST_ADDED_MS,
    MOST_ADDED_MS,
    PAUSE,
    RESUME,
    AddTime,
    Agree,
    Claim,
    Decline,
    Pause,
    Resume,
    Undo,
)
from domain.kernel.seats import Seat
from domain.kernel.table import RUNNING, ReclaimSeat, Resign
from service import times, wire, work
from service.clock import timestamp
from service.positions import Position

Json = dict[str, Any]
Offer = tuple[str, object, Json]  # label, command, further members

_WISHES: Final = {PAUSE: "a pause", RESUME: "to go on", "undo": "to take back what it did last"}


def at_the_table(position: Position, seat: Seat) -> list[Json]:
    """Every command of the table accepted from the seat now; a claim: from `not_before` on."""
    command_json = wire.of(position.game).command_json
    return [
        {
            "id": f"t{number}",
            "label": label,
            "body": {"command": command_json(command)},
            "cost": {},
            "effects": {},
            **more,
        }
        for number, (label, command, more) in enumerate(_offers(position, seat), 1)
    ]


def _offers(position: Position, seat: Seat) -> Iterator[Offer]:
    state = position.state
    chair = state.chairs[seat]
    if state.status != RUNNING or chair.resigned:
        return
    yield "Give up", Resign(), {}
    if chair.taken_over:
        yield "Take your seat back from the bot", ReclaimSeat(), {}
        return
    yield from _agreements(position, seat)
    if position.has_clock and len(state.persons) > 1:
        ranges = {"ms": {"min": LEAST_ADDED_MS, "max": MOST_ADDED_MS}}
        yield "Give the others more time", AddTime(_more_ms(position)), {"parameters": ranges}
    if not state.paused:
        yield from _claims(position, seat)


def _more_ms(position: Position) -> int:
    """How much more time is offered: a minute, or a day where decisions have days."""
    return DAY_MS if position.state.options.get("decision_limit_days") else 60_000


def _agreements(position: Position, seat: Seat) -> Iterator[Offer]:
    state, proposal = position.state, position.state.proposal
    if proposal is not None:
        wish = _WISHES[proposal.kind]
        if seat == proposal.seat:
            yield "Take your proposal back", Decline(proposal.id), {}
            return
        if seat not in proposal.agreed:
            yield f"Agree: seat {proposal.seat} wants {wish}", Agree(proposal.id), {}
        yield f"Decline: seat {proposal.seat} wants {wish}", Decline(proposal.id), {}
        return
    if state.paused:
        yield "Propose to go on", Resume(), {}
        return
    yield "Propose a pause", Pause(), {}
    starts = times.commands_in_a_row(position.times, seat)
    if starts and undo.why_not(position.game, state, seat, starts[-1]) is None:
        asks = "Ask to take" if state.options["undo"] == CONSENT else "Take"
        yield f"{asks} back what you did last", Undo(starts[-1]), {}


def _claims(position: Position, seat: Seat) -> Iterator[Offer]:
    for decision in position.decisions() if work.policy(position) == CLAIMABLE else ():
        at = position.deadline_ms(decision)
        if at is not None and seat not in decision.awaited:
            yield "Claim that time is over", Claim(decision.id), {"not_before": timestamp(at)}


def clocks(position: Position) -> list[Json] | None:
    """What each seat has left; None in a match without a clock. `bank_ms` is as of the last event of the
    log (None for bots, and without a bank); `deadline_at` is there while time runs for the seat."""
    if not position.has_clock:
        return None
    state, known = position.state, position.times
    ends: dict[Seat, int] = {}
    banks = dict(enumerate(known.banks))
    for decision in position.decisions():
        for seat in decision.awaited:
            end = position.seat_deadline_ms(decision, seat)
            if end is not None:
                ends[seat] = min(end, ends.get(seat, end))
            if seat in banks:
                banks[seat] = times.left(known, state, decision, seat)
    return [
        {
            "seat": seat,
            "bank_ms": banks.get(seat) if chair.kind == "human" else None,
            "deadline_at": timestamp(ends[seat]) if seat in ends else None,
        }
        for seat, chair in enumerate(state.chairs)
    ]
