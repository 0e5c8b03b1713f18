"""Several rulesets and card sets of a game side by side: which game plays a match."""

from types import SimpleNamespace
from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.kernel.library import Library, UnknownRuleset, library, pin_of


def game(name: str, ruleset: str) -> Any:
    """As much of a game as a library looks at."""
    return SimpleNamespace(NAME=name, RULESET=ruleset)


NEW = game("go", "go/2.0.0")
OLD = game("go", "go/1.0.0")
FIRST = game("cards", "cards/2.0.0+first-1@aa")
SECOND = game("cards", "cards/2.0.0+second-1@bb")
LIVE = Library([NEW, OLD, FIRST, SECOND, game("cards", "cards/2.0.0+first-1@aa")])


def test_new_matches_are_of_the_first_game_of_a_name() -> None:
    assert dict(LIVE) == {"go": NEW, "cards": FIRST}
    assert (LIVE.all_of("go"), LIVE.all_of("cards"), LIVE.all_of("chess")) == (
        (NEW, OLD),
        (FIRST, SECOND),
        (),
    )


def test_a_match_is_played_by_the_game_of_its_ruleset() -> None:
    for each in (NEW, OLD, FIRST, SECOND):
        assert LIVE.game_for(each.NAME, each.RULESET) is each


def test_nothing_stands_in_for_a_ruleset_that_is_not_live() -> None:
    for name, ruleset in (
        ("go", "go/1.1.0"),
        ("cards", "cards/1.0.0+second-1@bb"),
        ("cards", "cards/2.0.0+third-1@cc"),
        ("cards", "cards/2.0.0+first-1@ab"),
        ("cards", "cards/2.0.0"),
        ("go", "go/2.0.0+first-1@aa"),
        ("chess", "chess/1.0.0"),
    ):
        with pytest.raises(UnknownRuleset) as unknown:
            LIVE.game_for(name, ruleset)
        assert unknown.value.ruleset == ruleset


def test_new_rules_are_tried_on_a_match_with_the_cards_it_was_played_with() -> None:
    assert LIVE.under("go", "go/1.0.0", "go/2.0.0") is NEW
    assert LIVE.under("cards", "cards/1.0.0+second-1@bb", "cards/2.0.0") is SECOND
    assert LIVE.under("cards", "cards/1.0.0+second-1@bb", FIRST.RULESET) is FIRST
    for new in ("cards/3.0.0", "cards/2.0.0+third-1@cc"):
        with pytest.raises(UnknownRuleset):
            LIVE.under("cards", "cards/1.0.0+second-1@bb", new)


def test_a_new_match_has_the_card_set_its_options_name() -> None:
    assert LIVE.for_options("cards", {"card_set": "second-1@bb"}) is SECOND
    assert LIVE.for_options("cards", {"card_set": ["second-1@bb"]}) is FIRST
    assert LIVE.for_options("cards", {}) is LIVE.for_options("cards", {"card_set": None}) is FIRST


def test_games_by_name_become_a_library_and_a_library_stays_what_it_is() -> None:
    assert library(LIVE) is LIVE
    assert dict(library({"go": NEW})) == {"go": NEW}
    assert [pin_of(each.RULESET).partition("@")[0] for each in GAMES.values()] == ["", "", "original-1"]
