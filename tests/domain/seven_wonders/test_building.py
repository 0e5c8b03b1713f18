"""Building the structure on a card (7W 3.1, 3.6, 6.1, 7)."""

import pytest

from domain.seven_wonders.commands import BuildForFree, BuildStage, BuildStructure, DiscardForCoins
from domain.seven_wonders.events import StructureBuilt
from tests.domain.seven_wonders.tables import BOARDS, Vector, at, take_turn, town, vector
from tests.given_when_then import Given


def test_a_structure_without_a_cost_is_free() -> None:
    story = take_turn(at(*BOARDS[:3], hands={0: ["altar"]}), {0: BuildStructure("altar")})
    story.then_among(StructureBuilt(0, 0, "altar", "paid"))
    assert story.city(0)["cards"] == ["altar"]
    assert story.coins() == [3, 6, 6]


def test_a_structure_leaves_the_hand_and_stands_in_the_city() -> None:
    story = at(*BOARDS[:3], hands={0: ["altar", "baths"], 1: ["tavern"], 2: ["theater"]})
    take_turn(story, {0: BuildStructure("altar")})
    assert [story.view(seat)["hand"] for seat in range(3)] == [[], ["baths"], []]


def test_a_coin_cost_goes_to_the_bank() -> None:
    story = take_turn(at(*BOARDS[:3], hands={0: ["clay_pit"]}), {0: BuildStructure("clay_pit")})
    story.then_among(StructureBuilt(0, 0, "clay_pit", "paid", bank=1))
    assert sum(story.coins()) == 9 - 1 + 6
    assert story.coins()[0] == 2


def test_without_the_coin_it_cannot_be_built() -> None:
    story = at(
        town("giza:A", coins=0), *(town(board, coins=0) for board in BOARDS[1:3]), hands={0: ["clay_pit"]}
    )
    story.refuses(0, BuildStructure("clay_pit"), "not-affordable")
    assert story.legal(0) == [DiscardForCoins("clay_pit")]


def test_own_production_pays_a_cost_of_resources() -> None:
    story = at("giza:A", *BOARDS[1:3], hands={0: ["baths"]})
    assert story.legal(0, BuildStructure) == [BuildStructure("baths")]
    story.refuses(0, BuildStructure("baths", 0, 2), "wrong-payment")


def test_what_nobody_makes_cannot_be_paid_for() -> None:
    story = at("babylon:A", "rhodes:A", "olympia:A", hands={0: ["baths"]})
    reason = story.refuses(0, BuildStructure("baths"), "not-affordable")
    assert reason.rule == "7W 5.8"


def test_a_resource_is_not_spent_and_there_again_in_the_next_turn() -> None:
    """7W 4.2."""
    hands = {0: ["walls", "tavern"], 1: ["altar", "aqueduct"]}
    story = at(town("giza:A", "quarry"), *BOARDS[1:3], hands=hands, age=2)
    take_turn(story, {0: BuildStructure("walls")})
    take_turn(story, {0: BuildStructure("aqueduct")})
    assert story.city(0)["cards"] == ["quarry", "walls", "aqueduct"]
    assert story.coins()[0] == 3


@vector("PAY-34")
def test_vector_of_identical_structures(vector: Vector) -> None:
    """Loom of Age II is the Loom of Age I (7W 3.6); it may still be discarded or be a marker."""
    card, expect = vector["given"]["card"], vector["expect"]
    me = town(vector["given"]["me"]["wonder"], *vector["given"]["me"]["cards"], "sawmill")
    story = at(me, "giza:A", "babylon:A", hands={0: [card]}, age=2)
    assert story.allows(0, BuildStructure(card)) == expect["build_legal"]
    assert story.allows(0, DiscardForCoins(card)) == expect["discard_legal"]
    assert story.allows(0, BuildStage(card)) == expect["stage_marker_legal"]
    story.refuses(0, BuildStructure(card), "already-built")


@pytest.mark.parametrize("first", ["loom_age1", "glassworks_age1", "press_age1"])
def test_the_grey_cards_of_both_ages_are_one_structure(first: str) -> None:
    second = first.replace("1", "2")
    story = at(town("rhodes:A", first), "giza:A", "babylon:A", hands={0: [second], 1: [second]}, age=2)
    story.refuses(0, BuildStructure(second), "already-built")
    assert story.allows(1, BuildStructure(second))


def test_a_second_copy_of_the_same_card_is_refused() -> None:
    story = at(town("rhodes:A", "tavern"), "giza:A", "babylon:A", hands={0: ["tavern"]})
    story.refuses(0, BuildStructure("tavern"), "already-built")


def test_a_marker_of_the_same_name_does_not_stand_in_the_way() -> None:
    """A marker is no structure (7W 3.2)."""
    story = at(town("rhodes:A", stages=1, marker="tavern"), "giza:A", "babylon:A", hands={0: ["tavern"]})
    assert story.allows(0, BuildStructure("tavern"))


def turn_of_coins(vector: Vector) -> Given:
    """The turn in which the card is built; the neighbours place the last card of theirs in the same turn."""
    facts = vector["given"]
    card = facts["card"]
    chain = {"haven": ("forum",), "arena": ("dispensary",)}.get(card, ())
    me = facts["me_after_placing"]
    standing = [name for name in me["cards"] if name != card]
    towns = [town(me["wonder"], *standing, *chain, stages=me["stages"])]
    hands, commands = {0: [card]}, {0: BuildStructure(card)}
    for seat, side in ((1, "left"), (2, "right")):
        *standing, placed = [None, *facts[f"{side}_after_placing"]["cards"]]
        towns.append(town(facts[f"{side}_after_placing"]["wonder"], *(c for c in standing if c)))
        if placed:
            hands[seat], commands[seat] = [placed], BuildStructure(placed)
    return take_turn(at(*towns, hands=hands, age=2), commands)


@vector("COI-01", "COI-02", "COI-03", "COI-04", "COI-05")
def test_vector_of_coins_when_built(vector: Vector) -> None:
    """Coins are counted when every card of the turn is placed, the neighbours' too (7W 7 step 5)."""
    story = turn_of_coins(vector)
    (built,) = [event for event in story.recorded if isinstance(event, StructureBuilt) and event.seat == 0]
    assert built.coins == vector["expect"]["coins_from_bank"]
    assert story.coins()[0] == 3 + built.coins


def test_a_card_counts_itself_when_its_coins_are_counted() -> None:
    """Lighthouse is a yellow card (7W 7 step 5)."""
    me = town("giza:A", "caravansery", "tavern")
    story = take_turn(
        at(me, *BOARDS[1:3], hands={0: ["lighthouse"]}, age=3), {0: BuildStructure("lighthouse")}
    )
    assert story.last(StructureBuilt).coins == 3


def test_a_card_built_for_free_next_door_in_the_same_turn_is_counted() -> None:
    """By Olympia's power or by a chain: it stands there when the coins are counted."""
    left, right = town("olympia:A", stages=2), town("rhodes:A", "dispensary")
    hands = {0: ["vineyard"], 1: ["foundry"], 2: ["arena"]}
    story = at("giza:A", left, right, hands=hands, age=2)
    take_turn(story, {0: BuildStructure("vineyard"), 1: BuildForFree("foundry"), 2: BuildStructure("arena")})
    assert [e.coins for e in story.recorded if isinstance(e, StructureBuilt)] == [1, 0, 0]


def test_a_stage_built_next_door_is_no_stage_for_the_arena() -> None:
    """Arena counts the own stages only (7W 11.6)."""
    me, left = town("rhodes:A", "dispensary", stages=1), town("giza:A", "quarry")
    story = at(me, left, "ephesus:A", hands={0: ["arena"], 1: ["walls"]}, age=3)
    take_turn(story, {0: BuildStructure("arena"), 1: BuildStage("walls")})
    assert story.last(StructureBuilt).coins == 3


def test_markers_discards_and_boards_next_door_are_not_counted_by_the_vineyard() -> None:
    """Only cards in play, of any Age; a card discarded or used as a marker in this turn is none."""
    left = town("rhodes:A", "sawmill", "tree_farm", stages=1, marker="lumber_yard")
    right = town("ephesus:A", "quarry")
    story = at("giza:A", left, right, hands={0: ["vineyard"], 1: ["ore_vein"], 2: ["clay_pool"]}, age=2)
    take_turn(
        story, {0: BuildStructure("vineyard"), 1: DiscardForCoins("ore_vein"), 2: BuildStage("clay_pool")}
    )
    assert story.last(StructureBuilt).coins == 3


def test_new_shields_production_and_discounts_are_there_after_the_turn() -> None:
    """7W 7 step 6."""
    story = at(
        "giza:A", "rhodes:A", "ephesus:A", hands={0: ["loom_age1", "altar"], 2: ["apothecary", "altar"]}
    )
    story.refuses(0, BuildStructure("apothecary"), "not-in-hand")
    take_turn(story, {0: BuildStructure("loom_age1"), 2: DiscardForCoins("altar")})
    assert story.view(0)["hand"] == ["apothecary"]
    assert story.legal(0, BuildStructure) == [BuildStructure("apothecary")]


def test_the_facts_of_a_turn_come_seat_by_seat_in_the_order_of_the_seats() -> None:
    story = at(*BOARDS[:4], hands={seat: ["altar", "theater"] for seat in range(4)})
    for seat in (3, 1, 0, 2):
        story.when(seat, BuildStructure("altar"))
    assert [event.seat for event in story.recorded if isinstance(event, StructureBuilt)] == [0, 1, 2, 3]
