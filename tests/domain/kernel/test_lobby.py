"""Before a match starts: setting up the table, sitting down, getting up, calling it off."""

import pytest

from domain.kernel.match import By
from domain.kernel.table import (
    BotSeated,
    Cancel,
    CreateMatch,
    ExpireDeadline,
    JoinSeat,
    LeaveSeat,
    MatchCreated,
    MatchEnded,
    MatchStarted,
    ReclaimSeat,
    Resign,
    SeatBot,
    SeatJoined,
    SeatLeft,
    SeatPlan,
    Start,
)
from tests.domain.kernel.sitting import HOST, Sitting, created, options, seated, started
from tests.service import tiny_game
from tests.service.tiny_game import Pick


def test_a_table_is_set_up_with_a_commitment_to_its_secrets() -> None:
    sitting = created(2)
    (created_,) = [fact.event for fact in sitting.facts]
    secrets = sitting.chance
    assert created_ == MatchCreated(
        "tiny", options(tiny_game), [SeatPlan(), SeatPlan()], "public", secrets.commitment()
    )
    assert secrets.match_key.hex() not in str(created_)
    assert [(fact.actor, fact.cause) for fact in sitting.facts] == [("tenant", "host")]
    assert sitting.view()["status"] == "lobby"
    assert sitting.view()["state"] is None


@pytest.mark.parametrize("seats", [0, 1, 8])
def test_a_table_has_as_many_seats_as_the_game_allows(seats: int) -> None:
    command = CreateMatch(options(tiny_game), [SeatPlan()] * seats)
    Sitting(tiny_game).refuses(HOST, command, "illegal-move", "seats")


def test_a_seat_is_open_or_a_bots() -> None:
    for plan in (SeatPlan("human"), SeatPlan("robot", "random"), SeatPlan("open", "random")):
        command = CreateMatch(options(tiny_game), [SeatPlan(), plan])
        Sitting(tiny_game).refuses(HOST, command, "illegal-move", "seat-plan")
    for bot in ("deep-blue", None):
        command = CreateMatch(options(tiny_game), [SeatPlan(), SeatPlan("bot", bot)])
        Sitting(tiny_game).refuses(HOST, command, "illegal-move", "unknown-bot")


def test_a_match_is_created_once() -> None:
    command = CreateMatch(options(tiny_game), [SeatPlan()] * 2)
    created(2).refuses(HOST, command, "conflict", "already-created")
    started(2).refuses(HOST, command, "conflict", "already-created")


@pytest.mark.parametrize(
    ("by", "command"),
    [
        (HOST, Start()),
        (HOST, Cancel()),
        (HOST, SeatBot("random")),
        (By(0, "player"), JoinSeat()),
        (By(0, "player"), LeaveSeat()),
        (By(0, "player"), Resign()),
        (By(0, "player"), ReclaimSeat()),
        (By(0, "player", "d1.pick"), Pick(1)),
        (By(None, "deadline"), ExpireDeadline("d1.pick")),
    ],
)
def test_nothing_happens_at_a_table_that_was_never_set_up(by: By, command: object) -> None:
    Sitting(tiny_game).refuses(by, command, "not-started", "not-created")


def test_people_take_the_seat_they_wish_or_the_first_open_one() -> None:
    sitting = created(3)
    assert sitting.ask(By(1, "player"), JoinSeat(1, "ab")) == [SeatJoined(1, "ab")]
    assert sitting.ask(By(None, "player"), JoinSeat()) == [SeatJoined(0, None)]
    assert sitting.ask(By(None, "player"), JoinSeat()) == [SeatJoined(2, None)]
    assert [(fact.actor, fact.cause) for fact in sitting.facts[1:]] == [
        ("seat:1", "player"),
        ("seat:0", "player"),
        ("seat:2", "player"),
    ]
    sitting.refuses(By(None, "player"), JoinSeat(), "seat-taken", "seat-taken")


def test_a_taken_seat_and_a_seat_that_does_not_exist_are_refused() -> None:
    sitting = created(3)
    sitting.ask(By(None, "player"), JoinSeat(1))
    sitting.refuses(By(None, "player"), JoinSeat(1), "seat-taken", "seat-taken")
    for seat in (3, -1):
        sitting.refuses(By(None, "player"), JoinSeat(seat), "illegal-move", "no-such-seat")
        sitting.refuses(HOST, SeatBot("random", seat), "illegal-move", "no-such-seat")


def test_the_host_seats_bots() -> None:
    sitting = created(2)
    assert sitting.ask(HOST, SeatBot("random", 1)) == [BotSeated(1, "random")]
    assert sitting.ask(HOST, SeatBot("easy")) == [BotSeated(0, "easy")]
    assert sitting.facts[-1].actor == "tenant"
    sitting.refuses(HOST, SeatBot("random"), "seat-taken", "seat-taken")
    created(2).refuses(HOST, SeatBot("deep-blue"), "illegal-move", "unknown-bot")


def test_a_seat_is_left_and_taken_by_another_with_other_entropy() -> None:
    sitting = created(2)
    sitting.ask(By(0, "player"), JoinSeat(0, "aa"))
    assert sitting.ask(By(0, "player"), LeaveSeat()) == [SeatLeft(0)]
    assert sitting.view()["seats"][0] == {"seat": 0, "kind": "open", "resigned": False}
    sitting.refuses(By(0, "player"), LeaveSeat(), "seat-open", "seat-open")
    sitting.refuses(HOST, LeaveSeat(), "seat-open", "seat-open")
    sitting.refuses(HOST, LeaveSeat(5), "seat-open", "seat-open")
    assert sitting.ask(By(None, "player"), JoinSeat(0, "bb")) == [SeatJoined(0, "bb")]
    assert [chair.entropy for chair in sitting.match.chairs] == ["bb", None]


def test_the_host_may_clear_the_seat_of_a_bot() -> None:
    sitting = created(2, plans=[SeatPlan("bot", "random"), SeatPlan()])
    assert sitting.view()["seats"][0]["bot"] == "random"
    assert sitting.ask(HOST, LeaveSeat(0)) == [SeatLeft(0)]
    assert (sitting.facts[-1].actor, sitting.facts[-1].cause) == ("tenant", "host")


def test_a_match_starts_when_every_seat_is_taken() -> None:
    sitting = created(2)
    sitting.refuses(HOST, Start(), "seats-open", "seats-open")
    sitting.ask(By(None, "player"), JoinSeat())
    sitting.refuses(HOST, Start(), "seats-open", "seats-open")
    sitting.ask(HOST, SeatBot("random"))
    events = sitting.ask(HOST, Start())
    assert events[0] == MatchStarted(2, options(tiny_game))
    assert sitting.view()["status"] == "running"
    assert sitting.awaited() == [0, 1]
    sitting.refuses(HOST, Start(), "already-started", "already-started")


def test_after_the_start_nobody_sits_down_or_gets_up() -> None:
    sitting = started(2)
    sitting.refuses(By(None, "player"), JoinSeat(), "already-started", "already-started")
    sitting.refuses(HOST, SeatBot("random"), "already-started", "already-started")
    sitting.refuses(By(0, "player"), LeaveSeat(), "already-started", "already-started")
    sitting.refuses(HOST, Cancel(), "already-started", "already-started")


def test_in_the_lobby_nothing_is_awaited_and_no_move_is_taken() -> None:
    sitting = seated(2)
    assert sitting.awaited() == []
    sitting.refuses(By(0, "player", "d1.pick"), Pick(1), "not-started", "not-started")
    sitting.refuses(By(0, "player"), Resign(), "not-started", "not-started")
    sitting.refuses(By(0, "player"), ReclaimSeat(), "not-started", "not-started")
    sitting.refuses(By(None, "deadline"), ExpireDeadline("d1.pick"), "stale-decision", "stale-decision")


def test_a_match_that_is_called_off_ends_and_reveals_its_secrets() -> None:
    sitting = seated(2)
    (ended,) = sitting.ask(HOST, Cancel())
    key, nonce = sitting.chance.match_key.hex(), sitting.chance.commit_nonce.hex()
    assert ended == MatchEnded("cancelled", [], [], key, nonce)
    assert sitting.view()["status"] == "over"
    assert sitting.view()["outcome"] == {
        "reason": "cancelled",
        "ranking": [],
        "winners": [],
        "scores": [],
    }
    sitting.refuses(HOST, Cancel(), "match-over", "match-over")
    sitting.refuses(HOST, Start(), "match-over", "match-over")
    sitting.refuses(By(None, "player"), JoinSeat(), "match-over", "match-over")


def test_draws_depend_on_the_entropy_of_the_seats() -> None:
    draws = []
    for entropy in ("00", "01"):
        sitting = created(2)
        sitting.ask(By(None, "player"), JoinSeat(0, entropy))
        sitting.ask(By(None, "player"), JoinSeat(1))
        sitting.ask(HOST, Start())
        draws.append(sitting.facts[-1].event)
        again = sitting.chance.with_entropy([entropy, None]).shuffled("tiny/bonus", ["1", "2", "3"])
        assert draws[-1].output == again[:1]
    wide = {tuple(created(2).chance.with_entropy([str(n)]).shuffled("x", list("abcdef"))) for n in range(9)}
    assert len(wide) > 1
