"""Babylon B stage 2: the seventh card (7W 9.1, U3)."""

import pytest

from domain import seven_wonders
from domain.kernel.engine import apply
from domain.kernel.table import MatchStarted
from domain.seven_wonders.commands import (
    BuildStage,
    BuildStructure,
    DiscardForCoins,
    LeaveSeventhCard,
    Withdraw,
)
from domain.seven_wonders.events import (
    ActionChosen,
    BoardDealt,
    CardDiscarded,
    ConflictsResolved,
    LeftoversDiscarded,
    SeventhCardKept,
    SeventhCardLeft,
    StageBuilt,
    StructureBuilt,
)
from domain.seven_wonders.state import Action
from tests.domain.seven_wonders.tables import Vector, at, options, take_turn, town, vector
from tests.given_when_then import Given, given, secrets

RESOURCES = ("sawmill", "brickyard", "glassworks_age1", "press_age1")
HANDS = {0: ["altar", "tavern"], 1: ["baths", "theater"], 2: ["pawnshop", "stockade"]}


def sixth(stages: int, age: int = 3, hand: tuple[str, str] = ("altar", "tavern")) -> Given:
    """The sixth turn of an Age at the table of Babylon B (seat 0)."""
    me = town("babylon:B", *RESOURCES, stages=stages, marker="walls")
    hands = {**HANDS, 0: list(hand)}
    return at(me, "giza:A", "rhodes:A", hands=hands, age=age, turn=6, chance=secrets())


@vector("FLO-05")
@pytest.mark.parametrize("age", [1, 2, 3])
def test_vector_of_the_stage_built_on_the_sixth_turn(vector: Vector, age: int) -> None:
    given, expect = vector["given"], vector["expect"]
    story = sixth(given["stages_before"], age)
    assert len(story.view(0)["hand"]) == given["hand"]
    take_turn(story, {0: BuildStage("altar")})
    assert (story.awaited() == [("seventh-card", (0,))]) == expect["extra_play"]
    names = {
        BuildStructure: "build_structure",
        BuildStage: "build_wonder_stage",
        DiscardForCoins: "discard_for_coins",
    }
    moves = [type(move) for move in story.legal(0)]
    assert [names[move] for move in moves if move in names] == expect["options"]
    assert moves[-1] == LeaveSeventhCard


@vector("FLO-06")
def test_vector_of_the_seventh_card_as_the_marker_of_stage_three(vector: Vector) -> None:
    story = take_turn(sixth(vector["given"]["stages_before"]))
    assert story.allows(0, BuildStage("tavern")) == vector["expect"]["legal"]
    story.when(0, BuildStage("tavern")).then_among(StageBuilt(0, 0, 3, "tavern", False))
    assert story.view(0)["cities"][0]["markers"] == ["walls", "walls", "tavern"]


@vector("FLO-07")
def test_vector_of_who_plays_the_seventh_card(vector: Vector) -> None:
    """The others' last cards are discarded; nobody else is asked."""
    story = take_turn(sixth(2))
    seats = {"babylon": 0}
    assert story.awaited() == [("seventh-card", tuple(seats[name] for name in vector["expect"]["active"]))]
    story.then_among(LeftoversDiscarded([[], ["theater"], ["stockade"]], []), SeventhCardKept(0, 0))
    for seat in range(1, vector["given"]["players"]):
        assert story.legal(seat) == []
        story.refuses(seat, DiscardForCoins("tavern"), "not-your-turn")
        story.refuses(seat, LeaveSeventhCard(), "not-your-turn")


def test_the_seventh_card_may_be_built_at_its_normal_cost() -> None:
    me = town("babylon:B", "glassworks_age1", stages=2)
    left = town("rhodes:A", "altar", coins=5)
    story = at(me, left, "olympia:A", hands={**HANDS, 0: ["stockade", "theater"]}, age=3, turn=6)
    take_turn(story, {0: BuildStructure("theater")})
    assert story.legal(0, BuildStructure) == [BuildStructure("stockade", 0, 2)]
    story.when(0, BuildStructure("stockade", 0, 2))
    story.then_among(
        ActionChosen(0, 0, Action("structure", "stockade", 0, 2)),
        StructureBuilt(0, 0, "stockade", "paid", 0, 0, 2),
    )
    assert story.coins() == [1, 8, 8]


def test_the_seventh_card_may_be_discarded_for_coins() -> None:
    story = take_turn(sixth(2)).when(0, DiscardForCoins("tavern"))
    story.then_among(CardDiscarded(0, 0, "tavern", False, 3))
    assert story.coins()[0] == 3 + 3 + 3
    assert story.view()["discard_pile"] == 6


def test_the_seventh_card_may_be_left_without_coins() -> None:
    story = take_turn(sixth(2)).when(0, LeaveSeventhCard())
    assert story.recorded[0] == SeventhCardLeft(0, 0, "tavern")
    assert story.coins()[0] == 3 + 3
    assert story.view()["discard_pile"] == 6
    assert story.view()["hands"] == [0, 0, 0]


def test_a_duplicate_is_refused_as_the_seventh_card_too() -> None:
    """7W 3.6."""
    story = take_turn(sixth(2, hand=("altar", "altar")), {0: BuildStructure("altar")})
    story.refuses(0, BuildStructure("altar"), "already-built")


def test_coins_and_production_of_the_sixth_turn_can_be_used() -> None:
    """7W U3: a step of its own on the updated state."""
    me = town("babylon:B", stages=2, coins=0)
    others = [town("giza:A", coins=0), town("rhodes:A", coins=0)]
    hands = {**HANDS, 0: ["apothecary", "loom_age1"]}
    story = take_turn(at(me, *others, hands=hands, age=3, turn=6), {0: BuildStructure("loom_age1")})
    assert story.legal(0, BuildStructure) == [BuildStructure("apothecary")]
    hands = {**HANDS, 0: ["tavern", "tree_farm"]}
    story = take_turn(at(me, *others, hands=hands, age=3, turn=6), {0: BuildStructure("tavern")})
    assert story.legal(0, BuildStructure) == [BuildStructure("tree_farm")]


def test_a_red_seventh_card_counts_in_the_conflicts_that_follow() -> None:
    story = take_turn(sixth(2, hand=("altar", "guard_tower"))).when(0, BuildStructure("guard_tower"))
    assert story.last(ConflictsResolved).tokens == [[5, 5], [0, -1], [-1, 0]]


def test_nothing_can_be_withdrawn_and_the_card_played_is_gone() -> None:
    story = take_turn(sixth(2))
    story.refuses(0, Withdraw(), "nothing-chosen")
    story.refuses(0, DiscardForCoins("altar"), "not-in-hand")


@pytest.mark.parametrize(("board", "stages"), [("babylon:B", 1), ("babylon:A", 3), ("rhodes:B", 2)])
def test_without_the_stage_nothing_is_asked(board: str, stages: int) -> None:
    story = at(town(board, stages=stages), "giza:A", "ephesus:A", hands=HANDS, age=3, turn=6)
    take_turn(story).then_among(LeftoversDiscarded([["tavern"], ["theater"], ["stockade"]], []))
    story.then_no(SeventhCardKept)
    assert story.awaited() == []


def test_the_power_is_for_the_sixth_turn_only() -> None:
    story = at(town("babylon:B", stages=2), "giza:A", "rhodes:A", hands=HANDS, age=2, turn=5)
    take_turn(story).then_no(SeventhCardKept)
    assert story.awaited() == [("choose", (0, 1, 2))]


def test_the_power_is_used_once_an_age() -> None:
    story = take_turn(sixth(3)).when(0, DiscardForCoins("tavern"))
    story.then_no(SeventhCardKept)
    assert story.awaited() == []


def test_the_default_is_to_discard_it_for_coins() -> None:
    story = take_turn(sixth(2))
    assert seven_wonders.default_move(story.state, 0) == DiscardForCoins("tavern")


@vector("FLO-19")
def test_vector_of_the_number_of_turns(vector: Vector) -> None:
    """18 cards a player; 21 with Babylon B from Age I on."""
    seats, expect = vector["given"]["players"], vector["expect"]
    boards = ["babylon:B", "giza:A", "rhodes:A", "ephesus:A", "alexandria:A", "olympia:A", "halicarnassus:A"]
    events = [MatchStarted(seats, options())]
    story = given(seven_wonders, events, secrets("mat_test", seats)).when_nobody_acts()
    dealt = (BoardDealt(city, *board.split(":")) for city, board in enumerate(boards[:seats]))
    chosen = [next(dealt) if isinstance(event, BoardDealt) else event for event in story.recorded]
    marked = [StageBuilt(0, 0, stage, "altar", False) for stage in (1, 2)]
    *table_set, hands = chosen
    nobody = type(hands)(1, [[] for _ in range(seats)], [])
    story = given(seven_wonders, [*events, *table_set, nobody, *marked, hands], secrets("mat_test", seats))
    turns, played = 0, [0] * seats
    while seven_wonders.outcome(story.state) is None:
        turns += story.awaited()[0][0] == "choose"
        for seat in story.awaited()[0][1]:
            story.when(seat, seven_wonders.default_move(story.state, seat))
            played[seat] += 1
    assert turns == expect["turns"]
    assert played[1:] == [expect["built_or_discarded_per_player"]] * (seats - 1)
    assert played[0] == expect["with_babylon_b_from_age_1"]


def test_once_it_is_chosen_nobody_is_awaited_and_the_rules_carry_it_out() -> None:
    """Whoever answers for an absent seat must see that it has answered."""
    story = take_turn(sixth(2))
    (chosen,) = seven_wonders.decide(story.state, 0, DiscardForCoins("tavern"), story.chance)
    apply(seven_wonders, story.state, chosen)
    assert story.awaited() == []
    assert story.legal(0) == []
    story.when_nobody_acts().then_among(CardDiscarded(0, 0, "tavern", False, 3))
