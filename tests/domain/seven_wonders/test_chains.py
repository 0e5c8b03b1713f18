"""Building for free after an earlier structure (7W 6.2-6.4)."""

import pytest

from domain.seven_wonders.cards import CARDS, TABLE
from domain.seven_wonders.commands import BuildStructure
from domain.seven_wonders.events import StructureBuilt
from tests.domain.seven_wonders.tables import Vector, at, take_turn, town, vector

CHAINS = [(card.id, earlier) for card in TABLE for earlier in card.chain_from]
POOR = ("rhodes:A", "giza:A", "ephesus:A")


@pytest.mark.parametrize(("card", "earlier"), CHAINS)
def test_an_earlier_structure_makes_it_free(card: str, earlier: str) -> None:
    me, *others = (town(board, coins=0) for board in POOR)
    story = at(me, *others, hands={0: [card]}, age=CARDS[card].age)
    story.refuses(0, BuildStructure(card), "not-affordable")
    with_chain = at(town(POOR[0], earlier, coins=0), *others, hands={0: [card]}, age=CARDS[card].age)
    assert with_chain.legal(0, BuildStructure) == [BuildStructure(card)]


@vector("PAY-30", "PAY-31")
def test_vector_of_a_chain(vector: Vector) -> None:
    """One of several named structures is enough (7W 6.2)."""
    given, expect = vector["given"], vector["expect"]
    cards = given["me"]["cards"]
    for earlier in [cards, ["east_trading_post"]] if given["card"] == "forum" else [cards]:
        me = town(given["me"]["wonder"], *earlier, coins=given["treasury"])
        others = [town(board, coins=given["treasury"]) for board in POOR[1:]]
        story = at(me, *others, hands={0: [given["card"]]}, age=2)
        assert story.allows(0, BuildStructure(given["card"])) == expect["affordable"]
        take_turn(story, {0: BuildStructure(given["card"])})
        assert story.last(StructureBuilt) == StructureBuilt(0, 0, given["card"], "chain")
        assert given["treasury"] - story.coins()[0] == expect["coins"]


@vector("PAY-32")
def test_vector_of_no_chain_from_a_marker_or_a_discarded_card(vector: Vector) -> None:
    """7W 6.3."""
    given = vector["given"]
    (marker,) = given["wonder_markers"]
    towns = [
        town(given[name]["wonder"], stages=given[name]["stages"], coins=given["treasury"], marker=marker)
        for name in ("me", "left", "right")
    ]
    story = at(*towns, hands={0: [given["card"]]}, age=2, discard=[marker])
    assert story.allows(0, BuildStructure(given["card"])) == vector["expect"]["affordable"]
    story.refuses(0, BuildStructure(given["card"]), "not-affordable")


def test_a_structure_next_door_makes_nothing_free() -> None:
    left, right = town("giza:A", "scriptorium"), town("ephesus:A", "scriptorium")
    at("rhodes:A", left, right, hands={0: ["library"]}, age=2).refuses(
        0, BuildStructure("library"), "not-affordable"
    )


def test_a_chain_counts_although_the_structure_was_built_in_this_age() -> None:
    """Links lead from an Age to a later one; what stands in the city is what counts (7W 6.2)."""
    story = at(town("rhodes:A", "school"), "giza:A", "ephesus:A", hands={0: ["academy"]}, age=3)
    assert story.legal(0, BuildStructure) == [BuildStructure("academy")]


def test_a_chain_makes_no_second_copy_legal() -> None:
    """7W 3.6."""
    me = town("rhodes:A", "scriptorium", "library")
    story = at(me, "giza:A", "ephesus:A", hands={0: ["library"]}, age=2)
    story.refuses(0, BuildStructure("library"), "already-built")


def test_a_chain_is_free_even_where_it_could_be_paid_for() -> None:
    """7W 6.4: by default it is not even offered to pay a neighbour."""
    me, left = town("giza:A", "scriptorium", "stone_pit"), town("rhodes:A", "loom_age1")
    story = at(me, left, "ephesus:A", hands={0: ["library"]}, age=2)
    assert story.legal(0, BuildStructure) == [BuildStructure("library")]
    story.refuses(0, BuildStructure("library", 2, 0), "wrong-payment")
