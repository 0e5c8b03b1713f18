"""Pauses, proposals, more time: what is decided at the table around the game, and how it is folded."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.kernel import undo
from domain.kernel.agreements import (
    CLOCKS,
    CONSENT,
    HOST,
    LEAST_ADDED_MS,
    MOST_ADDED_MS,
    PAUSE,
    RESUME,
    SEATS,
    UNDO,
    AddTime,
    Agree,
    CreditOutage,
    Decline,
    MatchPaused,
    MatchResumed,
    MatchUndone,
    OutageCredited,
    Pause,
    Proposal,
    ProposalAgreed,
    ProposalDeclined,
    ProposalMade,
    Resume,
    TimeAdded,
    Undo,
)
from domain.kernel.errors import IllegalMove, refuse
from domain.kernel.game import Command, Event, Game
from domain.kernel.seats import Seat
from domain.kernel.table import RUNNING, Match

# How often a seat may propose something in one match: a log must not grow without end.
MOST_PROPOSALS: Final = 100
# How often time may be added in one match, for the same reason.
MOST_ADDED: Final = 500


# Deciding. `seat` is who asks, None for the host. All raise IllegalMove.


def pause(game: Game, match: Match, seat: Seat | None, command: Pause) -> list[Event]:
    """The host pauses, a seat proposes to."""
    _running(match)
    if match.paused:
        raise paused()
    return [MatchPaused(HOST)] if seat is None else _propose(match, PAUSE, seat)


def resume(game: Game, match: Match, seat: Seat | None, command: Resume) -> list[Event]:
    """The host goes on, a seat proposes to."""
    _running(match)
    if not match.paused:
        raise refuse("not-paused", "the match is not paused", kind="conflict")
    return [MatchResumed(HOST)] if seat is None else _propose(match, RESUME, seat)


def agree(game: Game, match: Match, seat: Seat | None, command: Agree) -> list[Event]:
    """A person agrees to the open proposal; see `completed` for what follows."""
    proposal, who = _open(match, seat, command.proposal)
    if who in proposal.agreed:
        raise refuse("agreed-already", "you have agreed already", kind="conflict")
    return [ProposalAgreed(who, proposal.id)]


def decline(game: Game, match: Match, seat: Seat | None, command: Decline) -> list[Event]:
    """A person does not agree, or takes back what it proposed."""
    proposal, who = _open(match, seat, command.proposal)
    return [ProposalDeclined(who, proposal.id)]


def take_back(game: Game, match: Match, seat: Seat | None, command: Undo) -> list[Event]:
    """Back to before the seat's last commands, or the proposal to."""
    _running(match)
    who = _person(match, seat)
    reason = undo.why_not(game, match, who, command.to)
    if reason is not None:
        raise IllegalMove(reason, "undo-refused")
    assert command.to is not None, "there is something to go back to"
    if match.options[UNDO] == CONSENT:
        return _propose(match, UNDO, who, command.to)
    return undo.undone(game, match, who, command.to)


def add_time(game: Game, match: Match, seat: Seat | None, command: AddTime) -> list[Event]:
    """More time for persons; a seat gives none to itself."""
    _running(match)
    if all(match.options.get(name) is None for name in CLOCKS):
        raise refuse("no-clock", "this match has no clock", kind="conflict")
    if not LEAST_ADDED_MS <= command.ms <= MOST_ADDED_MS:
        raise refuse("ms", f"{LEAST_ADDED_MS} to {MOST_ADDED_MS} milliseconds can be added")
    if match.added >= MOST_ADDED:
        raise refuse("too-much-time", f"time is added {MOST_ADDED} times at most", kind="conflict")
    giver = None if seat is None else _person(match, seat)
    others = [each for each in match.persons if each != giver]
    wanted = others if command.seats is None else sorted(set(command.seats))
    if not set(wanted) <= set(range(len(match.chairs))):
        raise refuse("no-such-seat", f"the seats are 0 to {len(match.chairs) - 1}")
    if not wanted or not set(wanted) <= set(others):
        raise refuse("not-theirs", "time is given to one or more other people at the table")
    return [TimeAdded(wanted, command.ms)]


def credit(game: Game, match: Match, seat: Seat | None, command: CreditOutage) -> list[Event]:
    """The service gives time back."""
    _running(match)
    if seat is not None or command.since_ms >= command.until_ms:
        raise refuse("no-outage", "there is nothing to give back", kind="conflict")
    return [OutageCredited(command.since_ms, command.until_ms)]


def paused() -> IllegalMove:
    """The refusal of what cannot be done in a pause, ready to raise."""
    return refuse("match-paused", "the match is paused", kind="match-paused")


def completed(game: Game, match: Match) -> list[Event]:
    """What follows from an agreement of all; and from a pause that nobody is left to end."""
    proposal = match.proposal
    if match.paused == SEATS and not match.persons:
        return [MatchResumed("rules")]
    if proposal is None or not set(match.persons) <= set(proposal.agreed):
        return []
    if proposal.kind == PAUSE:
        return [MatchPaused(SEATS)]
    if proposal.kind == RESUME:
        return [MatchResumed(SEATS)]
    assert proposal.to is not None, "such a proposal names a version"
    return undo.undone(game, match, proposal.seat, proposal.to)


def _propose(match: Match, kind: str, seat: Seat, to: int | None = None) -> list[Event]:
    who = _person(match, seat)
    if match.proposal is not None:
        raise refuse("proposal-open", "agree to the open proposal or decline it first", kind="conflict")
    if match.proposed.get(who, 0) >= MOST_PROPOSALS:
        raise refuse("too-many-proposals", f"a seat proposes {MOST_PROPOSALS} times at most", kind="conflict")
    return [ProposalMade(kind, who, to)]


def _open(match: Match, seat: Seat | None, wanted: int) -> tuple[Proposal, Seat]:
    _running(match)
    who = _person(match, seat)
    if match.proposal is None or match.proposal.id != wanted:
        raise refuse("no-such-proposal", "this proposal is not open", kind="conflict")
    return match.proposal, who


def _running(match: Match) -> None:
    if match.status != RUNNING:
        raise refuse("not-started", "the match has not started", kind="not-started")


def _person(match: Match, seat: Seat | None) -> Seat:
    if seat is None:
        raise refuse("no-seat", "only a seat can do this", kind="not-your-decision")
    if seat not in match.persons:
        raise refuse("not-at-the-table", "this seat does not play for itself", kind="not-your-decision")
    return seat


DECIDERS: Final[Mapping[type, Callable[[Game, Match, Seat | None, Any], list[Event]]]] = {
    Pause: pause,
    Resume: resume,
    Agree: agree,
    Decline: decline,
    Undo: take_back,
    AddTime: add_time,
    CreditOutage: credit,
}


# Folding


def lapse(match: Match, gone: Seat | None = None) -> None:
    """The game went on: a proposal to take something back is no more; nor any of a seat that is `gone`."""
    proposal = match.proposal
    if proposal is not None and (proposal.kind == UNDO or proposal.seat == gone):
        match.proposal = None


def _made(match: Match, event: ProposalMade) -> None:
    match.proposal = Proposal(match.version, event.kind, event.seat, event.to, [event.seat])
    match.proposed[event.seat] = match.proposed.get(event.seat, 0) + 1


def _agreed(match: Match, event: ProposalAgreed) -> None:
    if match.proposal is not None:
        match.proposal.agreed.append(event.seat)


def _closed(match: Match, event: ProposalDeclined | MatchUndone) -> None:
    match.proposal = None


def _paused(match: Match, event: MatchPaused) -> None:
    match.paused, match.proposal = event.by, None


def _resumed(match: Match, event: MatchResumed) -> None:
    match.paused, match.proposal = "", None


def _added(match: Match, event: TimeAdded) -> None:
    match.added += 1


HANDLERS: Final[Mapping[type, Callable[[Match, Any], None]]] = {
    ProposalMade: _made,
    ProposalAgreed: _agreed,
    ProposalDeclined: _closed,
    MatchPaused: _paused,
    MatchResumed: _resumed,
    MatchUndone: _closed,
    TimeAdded: _added,
}


# Asking


def view(match: Match) -> dict[str, Any]:
    """What everybody sees of it: whether the match is paused, and the open proposal."""
    proposal = match.proposal
    return {
        "paused": bool(match.paused),
        "proposal": None
        if proposal is None
        else {
            "id": proposal.id,
            "kind": proposal.kind,
            "seat": proposal.seat,
            "to": proposal.to,
            "agreed": sorted(proposal.agreed),
            "awaited": [seat for seat in match.persons if seat not in proposal.agreed],
        },
    }


def _of_proposal(event: ProposalMade) -> Command:
    if event.kind == UNDO:
        return Undo(event.to)
    return Pause() if event.kind == PAUSE else Resume()


COMMANDS_OF: Final[Mapping[type, Callable[[Any], Command]]] = {
    ProposalMade: _of_proposal,
    ProposalAgreed: lambda e: Agree(e.proposal),
    ProposalDeclined: lambda e: Decline(e.proposal),
    MatchPaused: lambda e: Pause(),
    MatchResumed: lambda e: Resume(),
    TimeAdded: lambda e: AddTime(e.ms, e.seats),
    MatchUndone: lambda e: Undo(e.to),
    OutageCredited: lambda e: CreditOutage(e.since_ms, e.until_ms),
}
