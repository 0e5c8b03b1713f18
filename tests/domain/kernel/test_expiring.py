"""Time runs out: the three policies, bots that take over, seats that are reclaimed."""

import pytest

from domain.kernel.match import By
from domain.kernel.table import (
    DeadlineExpired,
    ExpireDeadline,
    MatchEnded,
    ReclaimSeat,
    Resign,
    SeatReclaimed,
    SeatResigned,
    SeatTakenOver,
)
from tests.domain.kernel.sitting import CLOCK, started
from tests.service.tiny_game import NumberPicked, Pick, RoundScored


def test_late_seats_get_the_default_move() -> None:
    sitting = started(3)
    decision = sitting.decision.id
    sitting.move(1, Pick(5))
    events = sitting.expire()
    assert events[:3] == [
        DeadlineExpired(decision, [0, 2], "default-move"),
        NumberPicked(0, 1),
        NumberPicked(2, 1),
    ]
    assert [(fact.actor, fact.cause) for fact in sitting.facts[-4:-1]] == [
        ("rules", "deadline"),
        ("seat:0", "deadline"),
        ("seat:2", "deadline"),
    ]
    assert isinstance(events[3], RoundScored)
    assert sitting.awaited() == [0, 1, 2]


def test_only_an_open_decision_expires() -> None:
    sitting = started(3)
    old = sitting.decision.id
    sitting.expire()
    sitting.refuses(CLOCK, ExpireDeadline(old), "stale-decision", "stale-decision")
    sitting.refuses(CLOCK, ExpireDeadline("d0.pick"), "stale-decision", "stale-decision")


def test_a_match_in_which_nobody_ever_moves_ends() -> None:
    for policy in ("default-move", "forfeit", "bot-takes-over"):
        sitting = started(4, on_expiry=policy)
        for _ in range(50):
            if sitting.view()["status"] == "over":
                break
            sitting.expire()
        assert isinstance(sitting.facts[-1].event, MatchEnded), policy


def test_late_seats_forfeit() -> None:
    sitting = started(3, on_expiry="forfeit")
    decision = sitting.decision.id
    for seat in (0, 1):
        sitting.move(seat, Pick(4))
    events = sitting.expire()
    assert events[:3] == [
        DeadlineExpired(decision, [2], "forfeit"),
        SeatResigned(2, "deadline"),
        NumberPicked(2, 1),
    ]
    assert sitting.view()["seats"][2]["resigned"]
    assert sitting.awaited() == [0, 1]


def test_when_all_forfeit_the_match_ends_without_a_winner() -> None:
    sitting = started(3, on_expiry="forfeit")
    ended = sitting.expire()[-1]
    assert (ended.reason, ended.ranking) == ("forfeit", [[0, 1, 2]])


def test_a_bot_that_is_late_does_not_forfeit_but_gets_the_default_move() -> None:
    for policy in ("forfeit", "bot-takes-over"):
        sitting = started(3, bots=1, on_expiry=policy)
        sitting.move(0, Pick(4))
        sitting.move(1, Pick(3))
        events = sitting.expire()
        assert NumberPicked(2, 1) in events
        assert not [event for event in events if isinstance(event, (SeatResigned, SeatTakenOver))]


def test_a_bot_takes_over_and_is_awaited() -> None:
    sitting = started(3, on_expiry="bot-takes-over", takeover_bot="random")
    decision = sitting.decision.id
    sitting.move(0, Pick(4))
    assert sitting.expire() == [
        DeadlineExpired(decision, [1, 2], "bot-takes-over"),
        SeatTakenOver(1, "random"),
        SeatTakenOver(2, "random"),
    ]
    assert sitting.awaited() == [1, 2]
    assert sitting.decision.id == decision
    taken = {"seat": 1, "kind": "human", "resigned": False, "bot": "random", "taken_over": True}
    assert sitting.view()["seats"][1] == taken


def test_the_bot_moves_for_the_seat_and_its_owner_may_not() -> None:
    sitting = started(3, on_expiry="bot-takes-over")
    sitting.expire()
    by = By(1, "player", sitting.decision.id)
    sitting.refuses(by, Pick(2), "not-your-decision", "taken-over")
    assert sitting.move(1, Pick(2), "bot") == [NumberPicked(1, 2)]


def test_the_owner_takes_the_seat_back() -> None:
    sitting = started(3, on_expiry="bot-takes-over")
    sitting.refuses(By(1, "player"), ReclaimSeat(), "not-your-decision", "not-taken-over")
    sitting.expire()
    assert sitting.ask(By(1, "player"), ReclaimSeat()) == [SeatReclaimed(1)]
    assert sitting.view()["seats"][1] == {"seat": 1, "kind": "human", "resigned": False}
    sitting.refuses(By(1, "bot", sitting.decision.id), Pick(2), "not-your-decision", "not-a-bot")
    assert sitting.move(1, Pick(2)) == [NumberPicked(1, 2)]
    sitting.refuses(By(1, "player"), ReclaimSeat(), "not-your-decision", "not-taken-over")


def test_a_seat_that_is_late_again_after_a_bot_took_over_gets_the_default_move() -> None:
    sitting = started(3, on_expiry="bot-takes-over")
    sitting.expire()
    events = sitting.expire()
    assert [event for event in events if isinstance(event, NumberPicked)] == [
        NumberPicked(seat, 1) for seat in range(3)
    ]
    assert not [event for event in events if isinstance(event, SeatTakenOver)]


def test_entropy_and_draws_do_not_change_when_a_bot_takes_over() -> None:
    sitting = started(2, on_expiry="bot-takes-over")
    before = [chair.entropy for chair in sitting.match.chairs]
    sitting.expire()
    assert [chair.entropy for chair in sitting.match.chairs] == before


def test_a_seat_that_gave_up_is_not_late() -> None:
    sitting = started(4)
    sitting.ask(By(1, "player"), Resign())
    assert sitting.expire()[0].seats == [0, 2, 3]


def test_a_seat_taken_over_may_still_give_up() -> None:
    sitting = started(3, on_expiry="bot-takes-over")
    sitting.expire()
    events = sitting.ask(By(1, "player"), Resign())
    assert events[:2] == [SeatResigned(1, "resigned"), NumberPicked(1, 1)]


@pytest.mark.parametrize("policy", ["default-move", "bot-takes-over", "forfeit"])
def test_the_last_event_is_the_only_end(policy: str) -> None:
    sitting = started(3, on_expiry=policy)
    while sitting.view()["status"] == "running":
        sitting.expire()
    ends = [n for n, fact in enumerate(sitting.facts) if isinstance(fact.event, MatchEnded)]
    assert ends == [len(sitting.facts) - 1]
