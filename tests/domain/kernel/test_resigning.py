"""Giving up: the seat ranks last, its decisions are answered by default, the match goes on."""

from domain.kernel import match as matches
from domain.kernel.match import By
from domain.kernel.table import MatchEnded, Resign, SeatResigned
from tests.domain.kernel.sitting import started
from tests.service.tiny_game import NumberPicked, Pick, RoundScored


def test_the_default_move_answers_for_a_seat_that_gave_up() -> None:
    sitting = started(3)
    assert sitting.ask(By(1, "player"), Resign()) == [SeatResigned(1, "resigned"), NumberPicked(1, 1)]
    assert [(fact.actor, fact.cause) for fact in sitting.facts[-2:]] == [
        ("seat:1", "player"),
        ("rules", "rules"),
    ]
    assert sitting.awaited() == [0, 2]


def test_and_for_every_decision_after_it() -> None:
    sitting = started(3)
    sitting.ask(By(1, "player"), Resign())
    sitting.move(0, Pick(5))
    events = sitting.move(2, Pick(4))
    assert [type(event) for event in events] == [NumberPicked, RoundScored, NumberPicked]
    assert events[-1] == NumberPicked(1, 1)


def test_an_answer_already_given_stands() -> None:
    sitting = started(3)
    sitting.move(1, Pick(5))
    assert sitting.ask(By(1, "player"), Resign()) == [SeatResigned(1, "resigned")]


def test_the_resignation_of_the_last_awaited_seat_closes_the_decision() -> None:
    sitting = started(3)
    sitting.move(0, Pick(5))
    sitting.move(1, Pick(4))
    events = sitting.ask(By(2, "player"), Resign())
    assert [type(event) for event in events] == [SeatResigned, NumberPicked, RoundScored, NumberPicked]


def test_a_seat_that_gave_up_does_nothing_more() -> None:
    sitting = started(3)
    sitting.ask(By(1, "player"), Resign())
    sitting.refuses(By(1, "player"), Resign(), "not-your-decision", "resigned")
    for cause in ("player", "bot"):
        by = By(1, cause, sitting.decision.id)
        sitting.refuses(by, Pick(2), "not-your-decision", "resigned" if cause == "player" else "not-a-bot")
    assert matches.legal_moves(sitting.game, sitting.match, 1) == []
    assert sitting.view()["seats"][1] == {"seat": 1, "kind": "human", "resigned": True}


def test_it_ranks_below_all_that_did_not() -> None:
    """Whatever its points; they are counted all the same."""
    sitting = started(3, rounds=1, bonus=False)
    sitting.move(0, Pick(5))
    sitting.ask(By(0, "player"), Resign())
    sitting.move(1, Pick(2))
    sitting.move(2, Pick(3))
    ended = sitting.facts[-1].event
    assert ended.ranking == [[1, 2], [0]]
    assert [score.total for score in ended.scores] == [5, 0, 0]


def test_when_only_one_seat_is_left_the_match_is_forfeited_to_it() -> None:
    sitting = started(3)
    sitting.ask(By(2, "player"), Resign())
    *_, ended = sitting.ask(By(0, "player"), Resign())
    assert isinstance(ended, MatchEnded)
    assert (ended.reason, ended.ranking, ended.scores) == ("forfeit", [[1], [0, 2]], [])
    assert ended.match_key == sitting.chance.match_key.hex()


def test_bots_play_on_without_people() -> None:
    sitting = started(3, bots=2)
    sitting.ask(By(0, "player"), Resign())
    assert sitting.view()["status"] == "running"
    assert sitting.awaited() == [1, 2]


def test_of_two_seats_one_wins_when_the_other_gives_up() -> None:
    sitting = started(2)
    assert sitting.ask(By(0, "player"), Resign())[-1].ranking == [[1], [0]]


def test_only_a_seat_gives_up() -> None:
    sitting = started(3)
    sitting.refuses(By(None, "host"), Resign(), "not-your-decision", "no-seat")
    sitting.refuses(By(3, "player"), Resign(), "not-your-decision", "no-seat")
    sitting.refuses(By(-1, "player"), Resign(), "not-your-decision", "no-seat")
