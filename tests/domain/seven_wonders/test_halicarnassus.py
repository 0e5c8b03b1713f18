"""Halicarnassus builds from the discard pile (7W 9.2-9.4, U1, U7)."""

import pytest

from domain import seven_wonders
from domain.kernel.redaction import FACE_DOWN
from domain.seven_wonders import REDACTIONS
from domain.seven_wonders.commands import (
    BuildStage,
    BuildStructure,
    DiscardForCoins,
    LeaveSeventhCard,
    TakeFromDiscard,
    TakeNothing,
)
from domain.seven_wonders.events import (
    CardDiscarded,
    ConflictsResolved,
    DiscardPileSearched,
    HandsPassed,
    LeftoversDiscarded,
    NothingTaken,
    PointsCounted,
    SeventhCardKept,
    StageBuilt,
    StructureBuilt,
)
from tests.domain.seven_wonders.tables import Vector, at, take_turn, town, vector
from tests.given_when_then import Given, secrets

RESOURCES = ("foundry", "ore_vein", "brickyard", "clay_pool", "glassworks_age1", "press_age1")


def story_of(
    *cards: str, stages: int = 1, side: str = "A", discard: tuple[str, ...] = (), **facts: object
) -> Given:
    """Halicarnassus in seat 0 with the resources for any stage and these cards more."""
    me = town(f"halicarnassus:{side}", *RESOURCES, *cards, stages=stages)
    others = {1: ["baths", "theater"], 2: ["pawnshop", "stockade"]}
    hands = {**others, 0: ["altar", "tavern"]}
    return at(me, "giza:A", "rhodes:A", hands=hands, discard=discard, **facts)  # type: ignore[arg-type]


def searching(*cards: str, **facts: object) -> Given:
    """The same, after the stage was built and the others discarded."""
    return take_turn(story_of(*cards, **facts), {0: BuildStage("altar")})  # type: ignore[arg-type]


@pytest.mark.parametrize(("side", "built"), [("A", 1), ("B", 0), ("B", 1), ("B", 2)])
def test_the_stage_lets_its_owner_build_one_discarded_card(side: str, built: int) -> None:
    story = searching(side=side, stages=built, discard=("palace",))
    assert story.awaited() == [("discard-pick", (0,))]
    assert story.last(DiscardPileSearched) == DiscardPileSearched(0, 0, ["baths", "palace", "pawnshop"], True)
    story.when(0, TakeFromDiscard("palace"))
    story.then_among(StructureBuilt(0, 0, "palace", "discard-pile"))
    assert isinstance(story.recorded[-1], HandsPassed)
    assert story.city(0)["cards"] == [*RESOURCES, "palace"]
    assert story.view()["discard_pile"] == 2


@pytest.mark.parametrize(("side", "built"), [("A", 0), ("A", 2)])
def test_the_other_stages_do_not(side: str, built: int) -> None:
    story = searching("loom_age1", side=side, stages=built, discard=("palace",))
    story.then_no(DiscardPileSearched)
    assert story.awaited() == [("choose", (0, 1, 2))]


def test_the_power_is_used_in_the_turn_of_the_stage_only() -> None:
    """One card a stage."""
    story = searching(discard=("palace",)).when(0, TakeFromDiscard("palace"))
    take_turn(story).then_no(DiscardPileSearched)


def test_cards_discarded_in_this_very_turn_can_be_taken() -> None:
    story = searching()
    assert story.legal(0) == [TakeFromDiscard("baths"), TakeFromDiscard("pawnshop"), TakeNothing()]


def test_it_costs_nothing_and_has_all_its_effects() -> None:
    """Immediate coins, production, shields."""
    story = searching(discard=("tavern",)).when(0, TakeFromDiscard("tavern"))
    assert story.last(StructureBuilt) == StructureBuilt(0, 0, "tavern", "discard-pile", coins=5)
    assert story.coins()[0] == 8
    story = searching(discard=("circus",)).when(0, TakeFromDiscard("circus"))
    assert story.city(0)["shields"] == 3
    story = searching(discard=("tree_farm",)).when(0, TakeFromDiscard("tree_farm"))
    assert story.coins()[0] == 3
    assert story.legal(0, BuildStructure) == [BuildStructure("stockade")]


@vector("COI-07")
def test_vector_of_coins_of_a_card_taken(vector: Vector) -> None:
    """The stage just built counts for the Arena."""
    given = vector["given"]
    stages = given["me_after_placing"]["stages"]
    story = searching(stages=stages - 1, discard=(given["card"],)).when(0, TakeFromDiscard(given["card"]))
    assert story.last(StructureBuilt).coins == vector["expect"]["coins_from_bank"]


def test_a_card_taken_counts_itself() -> None:
    """Lighthouse is one of the yellow cards it counts."""
    story = searching("tavern", discard=("lighthouse",)).when(0, TakeFromDiscard("lighthouse"))
    assert story.last(StructureBuilt).coins == 2


def test_coins_of_a_card_taken_count_what_the_neighbours_placed_in_this_turn() -> None:
    hands = {1: ["sawmill"], 2: ["stone_pit"], 0: ["altar"]}
    me = town("halicarnassus:A", *RESOURCES, stages=1)
    story = at(me, "giza:A", "rhodes:A", hands=hands, discard=("vineyard",), age=2)
    commands = {0: BuildStage("altar"), 1: BuildStructure("sawmill"), 2: BuildStructure("stone_pit")}
    take_turn(story, commands).when(0, TakeFromDiscard("vineyard"))
    assert story.last(StructureBuilt).coins == 4 + 2


@vector("FLO-09")
def test_vector_of_a_pile_with_duplicates_only(vector: Vector) -> None:
    """Nobody is asked, the game goes on (7W 9.2)."""
    given = vector["given"]
    me = town("halicarnassus:A", "foundry", *given["city"], stages=1)
    built = {1: ["theater"], 2: ["pawnshop"]}
    story = at(me, "giza:A", "rhodes:A", hands={**built, 0: ["altar"]}, discard=given["discard"])
    take_turn(story, {0: BuildStage("altar"), 1: BuildStructure("theater"), 2: BuildStructure("pawnshop")})
    asked = ("discard-pick", (0,)) in story.awaited()
    assert asked == vector["expect"]["choice_requested"]
    assert not story.last(DiscardPileSearched).asked
    assert story.view()["turn"] == 2


def test_an_empty_pile_asks_nobody() -> None:
    me = town("halicarnassus:A", *RESOURCES, stages=1)
    hands = {0: ["altar"], 1: ["theater"], 2: ["pawnshop"]}
    story = at(me, "giza:A", "rhodes:A", hands=hands)
    take_turn(story, {0: BuildStage("altar"), 1: BuildStructure("theater"), 2: BuildStructure("pawnshop")})
    story.then_among(DiscardPileSearched(0, 0, [], False))
    assert story.awaited() == [("choose", (0, 1, 2))]


@vector("FLO-10")
def test_vector_of_a_duplicate_in_the_pile(vector: Vector) -> None:
    given, expect = vector["given"], vector["expect"]
    me = town("halicarnassus:A", "foundry", *given["city"], stages=1)
    hands = {0: ["altar"], 1: ["theater"], 2: ["pawnshop"]}
    story = at(me, "giza:A", "rhodes:A", hands=hands, discard=given["discard"])
    take_turn(story, {0: BuildStage("altar"), 1: BuildStructure("theater"), 2: BuildStructure("pawnshop")})
    assert story.legal(0, TakeFromDiscard) == [TakeFromDiscard(card) for card in expect["legal"]]
    for card in expect["illegal"]:
        story.refuses(0, TakeFromDiscard(card), "already-built")
    story.refuses(0, TakeFromDiscard("altar"), "not-in-discard")
    story.refuses(0, DiscardForCoins("palace"), "not-now")


def test_the_loom_of_another_age_is_a_duplicate_too() -> None:
    story = searching("loom_age1", discard=("loom_age2",))
    story.refuses(0, TakeFromDiscard("loom_age2"), "already-built")


def test_the_pick_may_be_declined() -> None:
    """7W U1."""
    story = searching(discard=("palace",)).when(0, TakeNothing())
    story.then_among(NothingTaken(0, 0))
    assert story.view()["discard_pile"] == 3
    assert story.awaited() == [("choose", (0, 1, 2))]


def test_only_the_searcher_is_asked() -> None:
    story = searching(discard=("palace",))
    for seat in (1, 2):
        assert story.legal(seat) == []
        story.refuses(seat, TakeFromDiscard("palace"), "not-your-turn")
        story.refuses(seat, TakeNothing(), "not-your-turn")


def test_only_the_searcher_sees_the_pile_and_only_while_it_chooses() -> None:
    """7W U7."""
    story = searching(discard=("palace",))
    event = story.last(DiscardPileSearched)
    secret = REDACTIONS[DiscardPileSearched]
    assert secret is not None
    assert secret.hide(event, 0) == event
    for viewer in (1, 2, -1):
        assert secret.hide(event, viewer).cards == [FACE_DOWN] * 3
        assert story.view(viewer)["searching"] is None
    assert story.view(0)["searching"] == ["baths", "palace", "pawnshop"]
    story.when(0, TakeNothing())
    assert story.view(0)["searching"] is None


def test_copies_in_the_pile_are_one_move_and_one_of_them_is_taken() -> None:
    story = searching(discard=("palace", "palace"))
    assert story.legal(0, TakeFromDiscard).count(TakeFromDiscard("palace")) == 1
    story.when(0, TakeFromDiscard("palace"))
    assert story.view()["discard_pile"] == 3


def test_the_default_is_to_build_nothing() -> None:
    story = searching(discard=("palace",))
    assert seven_wonders.default_move(story.state, 0) == TakeNothing()


# The sixth turn


def test_leftovers_of_the_sixth_turn_can_be_taken() -> None:
    """7W 2.4, 9.3: they are discarded in this turn, before the search."""
    story = searching(age=1, turn=6, chance=secrets())
    assert story.view(0)["searching"] == ["baths", "pawnshop", "stockade", "tavern", "theater"]


@vector("FLO-12")
def test_vector_of_a_red_card_taken_on_the_sixth_turn(vector: Vector) -> None:
    """7W 9.4."""
    story = searching(age=2, turn=6, chance=secrets(), discard=("walls",))
    assert story.awaited() == [("discard-pick", (0,))]
    story.when(0, TakeFromDiscard("walls"))
    assert (story.last(ConflictsResolved).tokens[0] == [3, 3]) == vector["expect"]["counts"]


STEPS = {
    "turn 6 actions": StageBuilt,
    "babylon seventh card (if any)": CardDiscarded,
    "leftover cards discarded": LeftoversDiscarded,
    "halicarnassus pick": DiscardPileSearched,
    "conflicts": ConflictsResolved,
    "scoring": PointsCounted,
}


def with_babylon(**facts: object) -> Given:
    """Both powers at one table: Halicarnassus in seat 0, Babylon B in seat 1, Age III, sixth turn."""
    me = town("halicarnassus:A", *RESOURCES, stages=1)
    hands = {0: ["altar", "tavern"], 1: ["baths", "theater"], 2: ["pawnshop", "stockade"]}
    towns = (me, town("babylon:B", stages=2), town("rhodes:A"))
    story = at(*towns, hands=hands, age=3, turn=6, **facts)  # type: ignore[arg-type]
    return take_turn(story, {0: BuildStage("altar")})


@vector("FLO-11")
def test_vector_of_the_order_of_the_last_turn(vector: Vector) -> None:
    """7W 9.3: actions, Babylon, leftovers, Halicarnassus, conflicts, scoring. The cards of those without
    Babylon's power are already in the pile when Babylon plays (7W 7 step 2); Babylon's own joins it before
    the pick."""
    story = with_babylon()
    facts = list(story.recorded)
    assert story.awaited() == [("seventh-card", (1,))]
    story.when(1, LeaveSeventhCard())
    facts += story.recorded
    assert story.awaited() == [("discard-pick", (0,))]
    assert "theater" in story.view(0)["searching"]
    assert story.view()["cities"][0]["tokens"] == []
    story.when(0, TakeNothing())
    facts += story.recorded
    order = [name for event in facts for name, kind in STEPS.items() if type(event) is kind]
    last = {name: index for index, name in enumerate(order)}
    steps = [step for step in vector["expect"]["order"] if not step.startswith(("babylon", "leftover"))]
    assert sorted(steps, key=last.__getitem__) == steps
    assert last["leftover cards discarded"] < last["halicarnassus pick"]


def test_what_babylon_discards_as_its_seventh_card_can_be_taken() -> None:
    story = with_babylon().when(1, DiscardForCoins("theater"))
    assert story.awaited() == [("discard-pick", (0,))]
    assert TakeFromDiscard("theater") in story.legal(0)


def test_what_babylon_builds_as_its_seventh_card_cannot_be_taken() -> None:
    story = with_babylon().when(1, BuildStructure("theater"))
    story.refuses(0, TakeFromDiscard("theater"), "not-in-discard")


def test_the_search_comes_after_babylon_even_where_the_stage_was_built_first() -> None:
    story = with_babylon()
    assert [type(event) for event in story.recorded[-2:]] == [LeftoversDiscarded, SeventhCardKept]
