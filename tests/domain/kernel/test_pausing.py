"""Pauses, proposals, more time, claims, orders of the host: given a table, when somebody asks, then facts."""

from domain.kernel import match as matches
from domain.kernel.agreements import (
    AddTime,
    Agree,
    Claim,
    Decline,
    Expire,
    ExpiryClaimed,
    ExpiryOrdered,
    MatchPaused,
    MatchResumed,
    Pause,
    ProposalAgreed,
    ProposalDeclined,
    ProposalMade,
    Resume,
    TimeAdded,
)
from domain.kernel.match import By
from domain.kernel.pausing import MOST_ADDED, MOST_PROPOSALS
from domain.kernel.table import DeadlineExpired, MatchEnded, ReportBotFailure, Resign, SeatResigned
from tests.domain.kernel.sitting import CLOCK, HOST, Sitting, created, started
from tests.service.tiny_game import NumberPicked, Pick

CLOCKED = {"decision_limit_ms": 10_000}


def player(seat: int) -> By:
    return By(seat, "player")


def paused(seats: int = 3, bots: int = 0) -> Sitting:
    """A table that has agreed on a pause."""
    sitting = started(seats, bots)
    sitting.ask(player(0), Pause())
    for seat in sitting.match.persons[1:]:
        sitting.ask(player(seat), Agree(proposal(sitting)))
    assert sitting.match.paused == "seats"
    return sitting


def proposal(sitting: Sitting) -> int:
    """The id of the open proposal."""
    assert sitting.match.proposal is not None
    return sitting.match.proposal.id


def test_the_host_pauses_and_goes_on_at_once() -> None:
    sitting = started(3)
    assert sitting.ask(HOST, Pause()) == [MatchPaused("host")]
    sitting.refuses(HOST, Pause(), "match-paused", "match-paused")
    assert sitting.ask(HOST, Resume()) == [MatchResumed("host")]
    sitting.refuses(HOST, Resume(), "conflict", "not-paused")


def test_a_pause_of_seats_needs_every_person_and_no_bot() -> None:
    sitting = started(4, bots=1)
    assert sitting.ask(player(0), Pause()) == [ProposalMade("pause", 0)]
    id = proposal(sitting)
    assert sitting.ask(player(1), Agree(id)) == [ProposalAgreed(1, id)]
    sitting.refuses(player(3), Agree(id), "not-your-decision", "not-at-the-table")
    sitting.refuses(HOST, Agree(id), "not-your-decision", "no-seat")
    assert sitting.ask(player(2), Agree(id)) == [ProposalAgreed(2, id), MatchPaused("seats")]
    assert [fact.actor for fact in sitting.facts[-2:]] == ["seat:2", "rules"]


def test_the_only_person_among_bots_pauses_alone() -> None:
    sitting = started(3, bots=2)
    assert sitting.ask(player(0), Pause()) == [ProposalMade("pause", 0), MatchPaused("seats")]


def test_who_gives_up_does_not_stand_in_the_way_of_a_pause() -> None:
    sitting = started(3)
    sitting.ask(player(0), Pause())
    sitting.ask(player(1), Agree(proposal(sitting)))
    events = sitting.ask(player(2), Resign())
    assert events[:2] == [SeatResigned(2, "resigned"), MatchPaused("seats")]


def test_the_proposal_of_a_seat_that_gives_up_is_no_more() -> None:
    sitting = started(3)
    sitting.ask(player(0), Pause())
    sitting.ask(player(0), Resign())
    assert sitting.match.proposal is None
    assert sitting.match.paused == ""


def test_one_proposal_at_a_time_and_a_decline_ends_it() -> None:
    sitting = started(3)
    sitting.ask(player(0), Pause())
    id = proposal(sitting)
    sitting.refuses(player(1), Pause(), "conflict", "proposal-open")
    sitting.refuses(player(0), Agree(id), "conflict", "agreed-already")
    sitting.refuses(player(1), Decline(id + 1), "conflict", "no-such-proposal")
    assert sitting.ask(player(0), Decline(id)) == [ProposalDeclined(0, id)]
    sitting.refuses(player(1), Agree(id), "conflict", "no-such-proposal")


def test_a_seat_does_not_propose_for_ever() -> None:
    sitting = started(3)
    for _ in range(MOST_PROPOSALS):
        sitting.ask(player(0), Pause())
        sitting.ask(player(0), Decline(proposal(sitting)))
    sitting.refuses(player(0), Pause(), "conflict", "too-many-proposals")
    sitting.ask(player(1), Pause())


def test_nothing_moves_in_a_pause() -> None:
    sitting = paused(3, bots=1)
    decision = sitting.decision.id
    for by, command in (
        (By(0, "player", decision), Pick(3)),
        (By(2, "bot", decision), Pick(3)),
        (CLOCK, ReportBotFailure(decision, 2, "random", "default-move")),
        (HOST, Expire(decision)),
        (HOST, Claim(decision, [0])),
    ):
        sitting.refuses(by, command, "match-paused", "match-paused")
    assert sitting.awaited() == [0, 1, 2]
    assert matches.legal_moves(sitting.game, sitting.match, 0) == []


def test_what_follows_from_giving_up_waits_for_the_end_of_a_pause() -> None:
    sitting = paused(3)
    assert sitting.ask(player(1), Resign()) == [SeatResigned(1, "resigned")]
    sitting.ask(player(0), Resume())
    events = sitting.ask(player(2), Agree(proposal(sitting)))
    assert events[1:] == [MatchResumed("seats"), NumberPicked(1, 1)]


def test_a_pause_that_nobody_is_left_to_end_ends() -> None:
    sitting = paused(4, bots=2)
    sitting.ask(player(0), Resign())
    events = sitting.ask(player(1), Resign())
    assert events[:2] == [SeatResigned(1, "resigned"), MatchResumed("rules")]
    assert NumberPicked(0, 1) in events and NumberPicked(1, 1) in events


def test_a_match_in_which_one_is_left_ends_in_a_pause_as_well() -> None:
    sitting = paused(2)
    assert isinstance(sitting.ask(player(1), Resign())[-1], MatchEnded)


def test_before_the_start_there_is_nothing_to_pause() -> None:
    sitting = created(3)
    for command in (Pause(), Resume(), AddTime(5_000)):
        sitting.refuses(HOST, command, "not-started", "not-started")


def test_time_is_given_to_others_only() -> None:
    sitting = started(4, bots=1, **CLOCKED)
    assert sitting.ask(HOST, AddTime(5_000)) == [TimeAdded([0, 1, 2], 5_000)]
    assert sitting.ask(player(1), AddTime(5_000)) == [TimeAdded([0, 2], 5_000)]
    assert sitting.ask(player(1), AddTime(5_000, [2, 2])) == [TimeAdded([2], 5_000)]
    for seats, code in (
        ([1], "not-theirs"),
        ([3], "not-theirs"),
        ([], "not-theirs"),
        ([0, 7], "no-such-seat"),
        ([-1], "no-such-seat"),
    ):
        sitting.refuses(player(1), AddTime(5_000, seats), "illegal-move", code)
    for ms in (999, 8 * 24 * 3600 * 1000, -5_000):
        sitting.refuses(HOST, AddTime(ms), "illegal-move", "ms")
    started(3).refuses(HOST, AddTime(5_000), "conflict", "no-clock")


def test_time_is_not_added_for_ever() -> None:
    sitting = started(2, **CLOCKED)
    for _ in range(MOST_ADDED):
        sitting.ask(player(1), AddTime(1_000))
    sitting.refuses(player(1), AddTime(1_000), "conflict", "too-much-time")


def test_a_claim_does_what_the_policy_says_for_those_who_are_late() -> None:
    sitting = started(3, **CLOCKED, expiry="claimable", on_expiry="forfeit")
    sitting.move(0, Pick(4))
    decision = sitting.decision.id
    sitting.refuses(player(1), Claim(decision, [2]), "not-your-decision", "awaited-yourself")
    sitting.refuses(player(0), Claim(decision, []), "conflict", "not-due")
    sitting.refuses(player(0), Claim("d1.pick", [2]), "stale-decision", "stale-decision")
    events = sitting.ask(player(0), Claim(decision, [2]))
    assert events == [
        ExpiryClaimed(decision, [2]),
        DeadlineExpired(decision, [2], "forfeit"),
        SeatResigned(2, "deadline"),
        NumberPicked(2, 1),
    ]


def test_the_host_ends_the_time_of_a_decision() -> None:
    sitting = started(3)
    decision = sitting.decision.id
    events = sitting.ask(HOST, Expire(decision, [0]))
    assert events[:2] == [ExpiryOrdered(decision, [0]), DeadlineExpired(decision, [0], "default-move")]
    sitting.refuses(HOST, Expire(decision, [0]), "conflict", "not-awaited")
    assert sitting.ask(HOST, Expire(decision))[0] == ExpiryOrdered(decision, [1, 2])
