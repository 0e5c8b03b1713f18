"""Science: squares, sets and symbols of choice (7W 8.4, 11.5)."""

from itertools import product

import pytest

from domain.seven_wonders.commands import ChooseSymbols
from domain.seven_wonders.effects import SYMBOLS
from tests.domain.seven_wonders.tables import SYMBOL_CARDS, Town, Vector, ended, scores, town, vectors


def scholars(compass: int, gear: int, tablet: int, wildcards: int) -> Town:
    """A city with so many symbols. Wild ones come from Babylon A stage 2, then from Scientists Guild; a third
    one, which no real city can have, from a second copy of the guild."""
    counts = {"compass": compass, "gear": gear, "tablet": tablet}
    cards = [card for name, owned in counts.items() for card in SYMBOL_CARDS[name][:owned]]
    guilds = ["scientists_guild"] * (wildcards - 1)
    return town("babylon:A", *cards, *guilds, stages=2 if wildcards else 0)


def brute_force(counts: list[int], wild: int) -> int:
    """The best of all assignments."""
    best = 0
    for choice in product(range(3), repeat=wild):
        total = [count + choice.count(symbol) for symbol, count in enumerate(counts)]
        best = max(best, sum(count**2 for count in total) + 7 * min(total))
    return best


@vectors("science")
def test_vector(vector: Vector) -> None:
    given = vector["given"]
    me = scholars(given["compass"], given["gear"], given["tablet"], given["wildcards"])
    assert scores(me, "giza:A", "rhodes:A")[0]["science"] == vector["expect"]["points"]


@vectors("science")
def test_vector_where_the_symbols_are_asked_for(vector: Vector) -> None:
    """The default choice scores as much, and no other choice more (7W U5)."""
    given = vector["given"]
    me = scholars(given["compass"], given["gear"], given["tablet"], given["wildcards"])
    found = []
    choices = [None]
    story = ended(me, "giza:A", "rhodes:A", end_of_game_choices="ask")
    if given["wildcards"]:
        assert story.awaited() == [("choose-symbols", (0,))]
        assert story.view()["offered"]["symbols"] == {"0": given["wildcards"]}
        default = story.game.default_move(story.state, 0)
        choices = story.legal(0)
        assert default in choices
        story.when(0, default)
    assert story.view()["scores"][0]["science"] == vector["expect"]["points"]
    for choice in choices:
        story = ended(me, "giza:A", "rhodes:A", end_of_game_choices="ask")
        if choice is not None:
            story.when(0, choice)
        found.append(story.view()["scores"][0]["science"])
    assert max(found) == vector["expect"]["points"]


@pytest.mark.parametrize("wild", [0, 1, 2])
def test_every_city_scores_the_best_assignment(wild: int) -> None:
    for counts in product(range(5), repeat=3):
        me = scholars(*counts, wild)
        science = scores(me, "giza:A", "rhodes:A")[0]["science"]
        assert science == brute_force(list(counts), wild), (counts, wild)


def test_a_wild_symbol_comes_from_babylon_b_stage_three_too() -> None:
    assert scores(town("babylon:B", stages=3), "giza:A", "rhodes:A")[0]["science"] == 1
    assert scores(town("babylon:B", stages=2), "giza:A", "rhodes:A")[0]["science"] == 0
    assert scores(town("babylon:A", stages=1), "giza:A", "rhodes:A")[0]["science"] == 0


def test_the_symbols_of_others_do_not_count() -> None:
    left = town("giza:A", *SYMBOL_CARDS["gear"])
    assert scores(town("babylon:A", "apothecary"), left, "rhodes:A")[0]["science"] == 1


def test_the_view_counts_the_printed_symbols() -> None:
    story = ended(scholars(2, 1, 3, 1), "giza:A", "rhodes:A")
    assert story.city(0)["symbols"] == {"compass": 2, "gear": 1, "tablet": 3}


def test_as_many_symbols_are_named_as_there_are_in_the_printed_order() -> None:
    story = ended(scholars(1, 1, 0, 2), "giza:A", "rhodes:A", end_of_game_choices="ask")
    assert len(story.legal(0)) == 6
    for wrong in ([], ["tablet"], ["tablet", "gear"], ["gear"] * 3, ["gear", "wheel"]):
        story.refuses(0, ChooseSymbols(wrong), "wrong-symbols")
    assert story.allows(0, ChooseSymbols(["gear", "tablet"]))
    assert list(SYMBOLS) == ["compass", "gear", "tablet"]
