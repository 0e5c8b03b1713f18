"""Folding events and handling commands."""

import copy

import pytest

from domain.kernel import engine
from domain.kernel.errors import IllegalMove
from domain.kernel.game import Event
from domain.kernel.table import MatchStarted
from tests.domain.kernel.sitting import options, started
from tests.given_when_then import NoChance, given, secrets
from tests.service import tiny_game
from tests.service.tiny_game import NumberPicked, Pick, RoundScored

START = MatchStarted(2, options(tiny_game, bonus=False))


def test_folding_counts_the_events() -> None:
    state = engine.fold(tiny_game, [START, NumberPicked(0, 3)])
    assert (state.version, state.picks) == (2, {0: 3})


def test_folding_goes_on_from_a_state() -> None:
    whole = engine.fold(tiny_game, [START, NumberPicked(0, 3), NumberPicked(1, 4)])
    state = engine.fold(tiny_game, [START])
    assert engine.fold(tiny_game, [NumberPicked(0, 3), NumberPicked(1, 4)], state) is state
    assert state == whole


def test_handling_folds_what_it_records_and_runs_to_rest() -> None:
    story = given(tiny_game, [START]).when(0, Pick(3)).then(NumberPicked(0, 3))
    story.when(1, Pick(4)).then(NumberPicked(1, 4), RoundScored([3, 4], [0, 4]))
    assert story.state == engine.fold(
        tiny_game, [START, NumberPicked(0, 3), NumberPicked(1, 4), RoundScored([3, 4], [0, 4])]
    )


def test_a_refused_command_leaves_the_state_alone() -> None:
    state = engine.fold(tiny_game, [START])
    before = copy.deepcopy(state)
    with pytest.raises(IllegalMove, match="out-of-range"):
        engine.handle(tiny_game, state, 0, Pick(9), NoChance())
    assert state == before


def test_a_game_that_does_not_come_to_rest_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiny_game, "advance", lambda state, chance: [NumberPicked(0, 1)])
    recorded: list[Event] = []
    with pytest.raises(RuntimeError, match="tiny does not come to rest"):
        engine.settle(tiny_game, engine.fold(tiny_game, [START]), NoChance(), recorded)
    assert len(recorded) == engine.MOST_ROUNDS


def test_a_match_that_does_not_come_to_rest_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = started(2)
    monkeypatch.setattr(tiny_game, "advance", lambda state, chance: [NumberPicked(0, 1)])
    with pytest.raises(RuntimeError, match="a match of tiny does not come to rest"):
        sitting.move(0, Pick(1))


def test_a_default_move_that_never_answers_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = started(2)
    monkeypatch.setattr(tiny_game, "decide", lambda state, seat, command, chance: [])
    with pytest.raises(RuntimeError, match="never answers"):
        sitting.expire()


def test_the_same_secrets_give_the_same_match() -> None:
    stories = [
        given(tiny_game, [MatchStarted(2, options(tiny_game))], secrets(match)).when_nobody_acts()
        for match in ("mat_a", "mat_a", "mat_b", "mat_c", "mat_d", "mat_e", "mat_f")
    ]
    assert stories[0].recorded == stories[1].recorded
    assert len({story.state.bonus for story in stories}) > 1
