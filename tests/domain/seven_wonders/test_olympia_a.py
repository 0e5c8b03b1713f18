"""Olympia A stage 2: one structure an Age without any cost (7W 8.6)."""

import pytest

from domain.seven_wonders.commands import BuildForFree, BuildStage, BuildStructure, DiscardForCoins
from domain.seven_wonders.events import StructureBuilt
from tests.domain.seven_wonders.tables import Vector, at, take_turn, town, vector
from tests.given_when_then import Given, secrets

OTHERS = ("giza:A", "rhodes:A")


def olympia(hand: list[str], *cards: str, stages: int = 2, **facts: object) -> Given:
    """Olympia A in seat 0."""
    return at(town("olympia:A", *cards, stages=stages), *OTHERS, hands={0: hand}, **facts)  # type: ignore[arg-type]


def test_a_structure_is_built_without_resources_and_coins() -> None:
    story = olympia(["palace"], age=3)
    assert BuildStructure("palace") not in story.legal(0)
    take_turn(story, {0: BuildForFree("palace")})
    story.then_among(StructureBuilt(0, 0, "palace", "olympia"))
    assert story.city(0)["cards"] == ["palace"]
    assert story.coins()[0] == 3


def test_a_coin_cost_is_waived_too() -> None:
    story = at(
        town("olympia:A", stages=2, coins=0), *(town(o, coins=0) for o in OTHERS), hands={0: ["clay_pit"]}
    )
    assert story.legal(0) == [BuildForFree("clay_pit"), DiscardForCoins("clay_pit")]
    take_turn(story, {0: BuildForFree("clay_pit")})
    assert story.coins()[0] == 0


def test_it_has_its_effects_and_its_coins() -> None:
    story = olympia(["haven"], "lumber_yard", "stone_pit", age=3)
    take_turn(story, {0: BuildForFree("haven")})
    assert story.last(StructureBuilt).coins == 2


@vector("FLO-13")
def test_vector_of_once_an_age(vector: Vector) -> None:
    """Used, it is gone until the next Age; not used, it is not carried over."""
    given = vector["given"]
    me = town(given["wonder"], stages=given["stages"])
    hands = {0: ["baths", "clay_pit"], 2: ["clay_pit", "guard_tower"]}
    story = at(me, *OTHERS, hands=hands)
    uses = 0
    take_turn(story, {0: BuildForFree("baths")})
    uses += story.last(StructureBuilt).by == "olympia"
    assert uses == vector["expect"]["uses_per_age"]
    hand = story.view(0)["hand"]
    assert hand == ["guard_tower"]
    story.refuses(0, BuildForFree("guard_tower"), "free-build-used")


def test_it_can_be_used_again_in_the_next_age() -> None:
    hands = {0: ["baths", "altar"], 1: ["pawnshop", "altar"], 2: ["theater", "altar"]}
    story = at(town("olympia:A", stages=2), *OTHERS, hands=hands, turn=6, chance=secrets())
    take_turn(story, {0: BuildForFree("baths")})
    assert story.view()["age"] == 2
    assert story.legal(0, BuildForFree)
    (command, *_) = story.legal(0, BuildForFree)
    take_turn(story, {0: command})
    assert not story.legal(0, BuildForFree)


def test_an_unused_power_is_not_carried_over() -> None:
    """Nothing used in Age I: still one use in Age II."""
    hands = {0: ["baths", "altar"], 1: ["pawnshop", "altar"], 2: ["theater", "altar"]}
    story = take_turn(at(town("olympia:A", stages=2), *OTHERS, hands=hands, turn=6, chance=secrets()))
    (command, *_) = story.legal(0, BuildForFree)
    take_turn(story, {0: command})
    assert not story.legal(0, BuildForFree)


def test_it_can_be_used_from_the_turn_after_the_stage_was_built() -> None:
    """Also in the same Age, not in the very turn."""
    me = town("olympia:A", "quarry", stages=1)
    hands = {0: ["altar", "palace"], 2: ["guard_tower", "palace"]}
    story = at(me, *OTHERS, hands=hands, age=3)
    story.refuses(0, BuildForFree("palace"), "no-free-build")
    take_turn(story, {0: BuildStage("altar")})
    assert story.legal(0, BuildForFree) == [BuildForFree("palace")]


@vector("FLO-15")
def test_vector_of_a_stage_that_cannot_be_built_for_free(vector: Vector) -> None:
    """The power is for structures: with no ore stage 3 stays out of reach."""
    story = olympia(["altar"])
    legal = any(isinstance(move, BuildStage) for move in story.legal(0))
    assert legal == vector["expect"]["legal"]
    story.refuses(0, BuildStage("altar"), "not-affordable")


def test_no_duplicates() -> None:
    """7W 3.6."""
    olympia(["baths"], "baths").refuses(0, BuildForFree("baths"), "already-built")


@pytest.mark.parametrize(("card", "cards"), [("altar", ()), ("library", ("scriptorium",))])
def test_a_card_that_is_free_anyway_does_not_use_the_power(card: str, cards: tuple[str, ...]) -> None:
    story = olympia([card], *cards, age=2)
    assert story.legal(0) == [BuildStructure(card), DiscardForCoins(card)]
    story.refuses(0, BuildForFree(card), "free-anyway")
    take_turn(story, {0: BuildStructure(card)})
    assert BuildForFree("barracks") in olympia(["barracks"]).legal(0)


def test_an_affordable_card_may_be_built_either_way() -> None:
    """The player declares the power."""
    story = olympia(["stockade"])
    assert story.legal(0) == [
        BuildStructure("stockade"),
        BuildForFree("stockade"),
        DiscardForCoins("stockade"),
    ]
    hands = {0: ["stockade"], 2: ["guard_tower", "barracks"]}
    story = at(town("olympia:A", stages=2), *OTHERS, hands=hands)
    take_turn(story, {0: BuildStructure("stockade"), 2: DiscardForCoins("guard_tower")})
    assert BuildForFree("barracks") in story.legal(0)


def test_a_choice_to_build_for_free_may_be_replaced_and_leaves_the_power() -> None:
    hands = {0: ["baths", "tavern"], 2: ["altar", "barracks"]}
    story = at(town("olympia:A", stages=2), *OTHERS, hands=hands)
    story.when(0, BuildForFree("baths")).when(0, DiscardForCoins("baths"))
    story.when(1, DiscardForCoins("barracks")).when(2, DiscardForCoins("altar"))
    assert story.legal(0, BuildForFree) == [BuildForFree("barracks")]


@pytest.mark.parametrize(("board", "stages"), [("olympia:A", 1), ("olympia:B", 3), ("giza:B", 4)])
def test_nobody_else_has_the_power(board: str, stages: int) -> None:
    story = at(town(board, stages=stages), "ephesus:A", "rhodes:A", hands={0: ["palace"]}, age=3)
    story.refuses(0, BuildForFree("palace"), "no-free-build")
