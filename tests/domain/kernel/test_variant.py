"""A ruleset made from another one by replacing functions."""

import pickle

import pytest

from domain import seven_wonders, wonderful_kingdom
from domain.kernel.library import Library
from domain.kernel.variant import NAMES, variant
from tests.rulesets import dearer


def test_a_variant_differs_in_its_ruleset_and_what_was_replaced_alone() -> None:
    other = {name for name in NAMES if getattr(dearer.GAME, name) is not getattr(seven_wonders, name)}
    assert other == {"RULESET", "decide", "advance"}
    assert dearer.GAME.RULESET == dearer.RULESET != seven_wonders.RULESET


def test_the_names_of_a_game_are_those_every_game_binds() -> None:
    assert "decide" in NAMES and "RULESET" in NAMES and "initial" in NAMES
    assert all(hasattr(game, name) for game in (seven_wonders, wonderful_kingdom.GAME) for name in NAMES)
    with pytest.raises(AttributeError):
        _ = dearer.GAME.choosing  # type: ignore[attr-defined]


def test_a_variant_keeps_the_card_set_of_its_game() -> None:
    game = wonderful_kingdom.GAME
    newer = variant(game, "its-a-wonderful-kingdom/1.1.0", TITLE="Another")
    assert newer.RULESET.partition("+")[2] == game.RULESET.partition("+")[2] != ""
    live = Library([newer, game])
    assert live.for_options(game.NAME, {"card_set": game.RULESET.partition("+")[2]}) is newer
    assert live.under(game.NAME, game.RULESET, "its-a-wonderful-kingdom/1.1.0") is newer


def test_what_is_no_ruleset_of_the_game_or_no_name_of_a_game_is_refused() -> None:
    for wrong in (seven_wonders.RULESET, "seven-wonders", "chess/2.0.0", "seven-wonders/1.1.0+cards-1@aa"):
        with pytest.raises(ValueError):
            variant(seven_wonders, wrong)
    for name in ("NAME", "RULESET", "decided"):
        with pytest.raises(TypeError):
            variant(seven_wonders, "seven-wonders/3.0.0", **{name: "x"})


def test_a_state_of_a_variant_is_pickled_without_the_rules() -> None:
    state = dearer.GAME.initial()
    assert pickle.loads(pickle.dumps(state)) == state
