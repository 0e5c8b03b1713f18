"""A seat changes hands: to another person, to a bot, and back; its token is replaced. In every game."""

import random

import pytest

from domain.catalogue import GAMES
from domain.kernel import match as matches
from domain.kernel.bots import random_policy
from domain.kernel.chance import Dice
from domain.kernel.game import Game
from domain.kernel.match import By
from domain.kernel.table import (
    ChangeToken,
    HandOverSeat,
    MatchEnded,
    ReclaimSeat,
    Resign,
    SeatHandedOver,
    SeatResigned,
    SeatTokenChanged,
)
from tests.domain.kernel.sitting import HOST, Sitting, created, seated, started
from tests.service.tiny_game import NumberPicked, Pick


def test_a_seat_lends_itself_to_a_bot_and_takes_itself_back() -> None:
    sitting = started(3)
    assert sitting.ask(By(1, "player"), HandOverSeat(1, "bot", "random")) == [
        SeatHandedOver(1, "bot", "random")
    ]
    lent = {"seat": 1, "kind": "human", "resigned": False, "bot": "random", "taken_over": True}
    assert sitting.view()["seats"][1] == lent
    by = By(1, "player", sitting.decision.id)
    sitting.refuses(by, Pick(2), "not-your-decision", "taken-over")
    assert sitting.move(1, Pick(2), "bot") == [NumberPicked(1, 2)]
    sitting.ask(By(1, "player"), ReclaimSeat())
    assert sitting.view()["seats"][1] == {"seat": 1, "kind": "human", "resigned": False}
    assert sitting.move(1, Pick(3)), "the choice of the bot may be replaced by its owner"


def test_another_person_goes_on_where_the_seat_is() -> None:
    sitting = started(3)
    sitting.move(1, Pick(4))
    before = sitting.view(1)
    assert sitting.ask(HOST, HandOverSeat(1, "person")) == [SeatHandedOver(1, "person", None)]
    after = sitting.view(1)
    assert after["state"]["picks"] == before["state"]["picks"] == {"1": 4}
    assert after["awaited"] == before["awaited"] == [0, 2]


def test_a_person_takes_a_seat_of_a_bot_and_of_a_bot_that_stands_in() -> None:
    sitting = started(3, bots=1)
    sitting.ask(HOST, HandOverSeat(2, "person"))
    assert sitting.view()["seats"][2] == {"seat": 2, "kind": "human", "resigned": False}
    sitting.refuses(By(2, "bot", sitting.decision.id), Pick(2), "not-your-decision", "not-a-bot")
    sitting.ask(HOST, HandOverSeat(2, "bot", "random"))
    sitting.ask(HOST, HandOverSeat(2, "person"))
    assert sitting.move(2, Pick(2)) == [NumberPicked(2, 2)]


def test_a_bot_may_be_replaced_by_a_better_one_but_not_by_itself() -> None:
    sitting = started(3, bots=1)
    sitting.refuses(HOST, HandOverSeat(2, "bot", "random"), "conflict", "same-bot")
    sitting.ask(HOST, HandOverSeat(2, "bot", "easy"))
    assert sitting.view()["seats"][2] == {"seat": 2, "kind": "bot", "resigned": False, "bot": "easy"}
    sitting.refuses(By(2, "player"), ReclaimSeat(), "not-your-decision", "not-taken-over")


def test_what_cannot_be_handed_over_is_refused() -> None:
    lobby = seated(3)
    lobby.refuses(HOST, HandOverSeat(1, "person"), "not-started", "not-started")
    sitting = started(4)
    sitting.refuses(By(1, "player"), HandOverSeat(2, "bot", "easy"), "not-your-decision", "another-seat")
    sitting.refuses(By(1, "player"), ChangeToken(2), "not-your-decision", "another-seat")
    sitting.refuses(HOST, HandOverSeat(1, "bot", "genius"), "illegal-move", "unknown-bot")
    sitting.refuses(HOST, HandOverSeat(1, "cat"), "illegal-move", "controller")
    sitting.refuses(HOST, HandOverSeat(9, "person"), "illegal-move", "no-such-seat")
    sitting.refuses(HOST, ChangeToken(-1), "illegal-move", "no-such-seat")
    sitting.ask(By(1, "player"), Resign())
    sitting.refuses(HOST, HandOverSeat(1, "person"), "conflict", "resigned")


def test_a_token_is_changed_at_any_time_and_changes_nothing_else() -> None:
    for sitting in (seated(3), started(3)):
        before = sitting.view()
        assert sitting.ask(HOST, ChangeToken(1)) == [SeatTokenChanged(1, False)]
        assert sitting.ask(By(0, "player"), ChangeToken(0, True)) == [SeatTokenChanged(0, True)]
        after = sitting.view()
        for changing in ("version", "state"):
            before.pop(changing), after.pop(changing)
        assert after == before
    bots = started(3, bots=1)
    bots.refuses(HOST, ChangeToken(2), "conflict", "no-person")
    created(3).refuses(HOST, ChangeToken(2), "seat-open", "seat-open")


@pytest.mark.parametrize("policy", ["default-move", "bot-takes-over", "forfeit"])
def test_a_seat_that_was_lent_does_not_forfeit_when_its_bot_is_late(policy: str) -> None:
    sitting = started(3, on_expiry=policy)
    for seat in (0, 2):
        sitting.move(seat, Pick(4))
    sitting.ask(By(1, "player"), HandOverSeat(1, "bot", "random"))
    events = sitting.expire()
    assert NumberPicked(1, 1) in events
    assert not [event for event in events if isinstance(event, SeatResigned)]


def test_handing_over_again_and_again_does_not_hold_a_decision_open() -> None:
    sitting = started(3, on_expiry="bot-takes-over")
    sitting.expire()
    sitting.ask(HOST, HandOverSeat(0, "person"))
    sitting.ask(HOST, HandOverSeat(0, "bot", "random"))
    sitting.ask(HOST, HandOverSeat(0, "person"))
    assert NumberPicked(0, 1) in sitting.expire()


def _play_on(sitting: Sitting, dice: random.Random, most: int = 20_000) -> int:
    """Random moves of everybody; now and then seats change hands. How often they did."""
    game, handed = sitting.game, 0
    for step in range(most):
        if sitting.view()["status"] == "over":
            return handed
        if step % 5 == 0:
            seat = dice.randrange(len(sitting.match.chairs))
            chair = sitting.match.chairs[seat]
            if chair.played_by_bot:
                sitting.ask(HOST, HandOverSeat(seat, "person"))
            else:
                sitting.ask(By(seat, "player"), HandOverSeat(seat, "bot", dice.choice(sorted(game.BOTS))))
            handed += 1
        seat = dice.choice(sitting.awaited())
        moves = matches.legal_moves(game, sitting.match, seat)
        decision = moves[0][0]
        view = game.view(sitting.match.play, seat)
        commands = [command for _, command in moves]
        if sitting.match.chairs[seat].played_by_bot:
            policy = game.BOTS[sitting.match.chairs[seat].bot or "random"]
            command = policy(view, commands, Dice(dice.randbytes(32)))
            sitting.ask(By(seat, "bot", decision.id), command)
        else:
            command = random_policy(view, commands, Dice(dice.randbytes(32)))
            sitting.ask(By(seat, "player", decision.id), command)
    raise AssertionError("the match does not end")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_in_every_game_seats_change_hands_and_the_match_ends(game: Game) -> None:
    sitting = started(max(2, game.SEATS[0]), game=game)
    handed = _play_on(sitting, random.Random(game.NAME))
    assert handed > 3
    assert isinstance(sitting.facts[-1].event, MatchEnded)
    assert sitting.facts[-1].event.reason == "finished"
