"""A bot that fails at a decision: it is recorded who answers instead."""

import pytest

from domain.kernel.match import By
from domain.kernel.table import BotFailed, ReportBotFailure
from tests.domain.kernel.sitting import started
from tests.service.tiny_game import NumberPicked, Pick

WORKER = By(None, "bot")


def test_a_weaker_bot_answers_and_nothing_else_happens() -> None:
    sitting = started(3, bots=1)
    decision = sitting.decision.id
    report = ReportBotFailure(decision, 2, "easy", "random")
    assert sitting.ask(WORKER, report) == [BotFailed(decision, 2, "easy", "random")]
    assert (sitting.facts[-1].actor, sitting.facts[-1].cause) == ("rules", "bot")
    assert sitting.awaited() == [0, 1, 2]


def test_in_the_end_the_default_move_answers() -> None:
    sitting = started(3, bots=1)
    decision = sitting.decision.id
    report = ReportBotFailure(decision, 2, "random", "default-move")
    assert sitting.ask(WORKER, report) == [
        BotFailed(decision, 2, "random", "default-move"),
        NumberPicked(2, 1),
    ]
    assert (sitting.facts[-1].actor, sitting.facts[-1].cause) == ("seat:2", "bot")


@pytest.mark.parametrize("seat", [0, 1])
def test_only_the_seat_of_a_bot_can_fail(seat: int) -> None:
    sitting = started(3, bots=1)
    report = ReportBotFailure(sitting.decision.id, seat, "random", "default-move")
    sitting.refuses(WORKER, report, "stale-decision", "not-awaited")


def test_a_bot_that_has_answered_cannot_fail_any_more() -> None:
    sitting = started(3, bots=1)
    sitting.move(2, Pick(4), "bot")
    report = ReportBotFailure(sitting.decision.id, 2, "random", "default-move")
    sitting.refuses(WORKER, report, "stale-decision", "not-awaited")
    report = ReportBotFailure("d0.pick", 2, "random", "default-move")
    sitting.refuses(WORKER, report, "stale-decision", "stale-decision")


def test_a_bot_that_took_a_seat_over_can_fail() -> None:
    sitting = started(3, on_expiry="bot-takes-over")
    sitting.expire()
    events = sitting.ask(WORKER, ReportBotFailure(sitting.decision.id, 0, "easy", "default-move"))
    assert NumberPicked(0, 1) in events
