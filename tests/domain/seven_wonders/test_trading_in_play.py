"""Buying from the neighbours during a turn (7W 5)."""

from domain.seven_wonders.commands import BuildStage, BuildStructure, DiscardForCoins
from domain.seven_wonders.events import StageBuilt, StructureBuilt
from tests.domain.seven_wonders.tables import BOARDS, Vector, at, take_turn, town, vector


def test_coins_go_to_the_neighbours_who_sell() -> None:
    """Seat 0 buys ore from its left neighbour, seat 1, and from its right, seat 2 (7W 1.1, 5.3)."""
    me = town("ephesus:A", "lumber_yard", coins=5)
    left, right = town("alexandria:A", "ore_vein"), town("rhodes:A")
    story = at(me, left, right, hands={0: ["statue"]}, age=2)
    assert story.legal(0, BuildStructure) == [BuildStructure("statue", 2, 2)]
    take_turn(story, {0: BuildStructure("statue", 2, 2)})
    story.then_among(StructureBuilt(0, 0, "statue", "paid", 0, 2, 2))
    assert story.coins() == [1, 8, 8]


def test_the_payer_chooses_among_all_exact_payments() -> None:
    """7W 5.11; both neighbours sell the same, the dearer split is as legal as the cheaper one."""
    me = town("giza:A", "west_trading_post")
    left, right = town("olympia:A"), town("olympia:B")
    story = at(me, left, right, hands={0: ["stockade"]})
    assert story.legal(0, BuildStructure) == [
        BuildStructure("stockade", 0, 2),
        BuildStructure("stockade", 1, 0),
    ]
    for left_coins, right_coins in ((0, 0), (1, 2), (2, 0), (0, 1), (1, 1), (-1, 2)):
        story.refuses(0, BuildStructure("stockade", left_coins, right_coins), "wrong-payment")
    take_turn(story, {0: BuildStructure("stockade", 0, 2)})
    assert story.coins() == [1, 6, 8]


def test_more_than_the_treasury_holds_cannot_be_spent() -> None:
    """7W 5.8: wood and glass are for sale on both sides, the left wood at half price; of the exact payments
    (0, 4), (1, 2), (2, 2) and (3, 0) a treasury of 3 affords two."""
    left, right = town("olympia:A", "glassworks_age1"), town("alexandria:A", "lumber_yard")
    for coins, pairs in ((2, []), (3, [(1, 2), (3, 0)]), (4, [(0, 4), (1, 2), (2, 2), (3, 0)])):
        me = town("babylon:A", "west_trading_post", coins=coins)
        towns = [me, *(town(each.board, *each.cards, coins=2) for each in (left, right))]
        story = at(*towns, hands={0: ["temple"]}, age=2)
        assert story.legal(0, BuildStructure) == [BuildStructure("temple", *pair) for pair in pairs]
        code = "wrong-payment" if pairs else "not-affordable"
        story.refuses(0, BuildStructure("temple", 4, 0), code)
        if coins < 4:
            story.refuses(0, BuildStructure("temple", 0, 4), code)


def test_the_whole_treasury_may_be_spent() -> None:
    towns = [town(board, coins=2) for board in ("giza:A", "olympia:A", "olympia:B")]
    story = take_turn(at(*towns, hands={0: ["stockade"]}), {0: BuildStructure("stockade", 2, 0)})
    assert story.coins() == [0, 7, 5]


@vector("PAY-33")
def test_vector_of_two_buyers_of_the_same_stones(vector: Vector) -> None:
    """7W 5.5: both neighbours buy both stones and the owner uses them too."""
    owner = vector["given"]["owner"]
    me = town(owner["wonder"], *owner["cards"], coins=4)
    left, right = town("alexandria:A", "altar", coins=4), town("ephesus:A", "altar", coins=4)
    card = vector["expect"]["owner_can_build"]
    story = at(me, left, right, hands={0: [card], 1: ["tavern"], 2: ["tavern"]}, age=2)
    take_turn(story, {0: BuildStructure(card), 1: BuildStage("tavern", 0, 4), 2: BuildStage("tavern", 4, 0)})
    story.then_among(
        StructureBuilt(0, 0, card, "paid"),
        StageBuilt(1, 1, 1, "tavern", False, 0, 4),
        StageBuilt(2, 2, 1, "tavern", False, 4, 0),
    )
    assert story.coins() == [4 + vector["expect"]["owner_income"], 0, 0]


@vector("FLO-17")
def test_vector_of_income_that_cannot_be_spent_in_the_same_turn(vector: Vector) -> None:
    """7W 5.8: what comes from a sale, a discard or a Tavern is there after the turn."""
    given, expect = vector["given"], vector["expect"]
    me, left = town("olympia:A", coins=given["treasury"]), town("giza:A", "altar", coins=2)
    right = town("olympia:B", coins=given["treasury"])
    story = at(me, left, right, hands={0: ["clay_pit", "barracks"], 1: ["stockade"], 2: ["tavern"]})
    affordable = expect["spendable_this_turn"]
    assert story.allows(0, BuildStructure("clay_pit")) == (affordable >= 1)
    story.refuses(0, BuildStructure("barracks", 2, 0), "not-affordable")
    story.when(1, BuildStructure("stockade", 0, given["sells_this_turn"]))
    story.refuses(0, BuildStructure("barracks", 2, 0), "not-affordable")
    sold = at(me, left, right, hands={0: ["altar"], 1: ["stockade"], 2: ["tavern"]})
    take_turn(sold, {0: BuildStructure("altar"), 1: BuildStructure("stockade", 0, given["sells_this_turn"])})
    assert sold.coins()[0] == expect["treasury_after_if_nothing_spent"]


def test_a_tavern_built_in_this_turn_pays_for_nothing_in_it() -> None:
    towns = [town("giza:A", coins=0), town("olympia:A", coins=0), town("rhodes:A", coins=0)]
    story = at(*towns, hands={0: ["tavern"], 1: ["altar"], 2: ["stockade", "clay_pit"]})
    story.when(0, BuildStructure("tavern")).when(1, BuildStructure("altar"))
    story.refuses(2, BuildStructure("stockade", 0, 2), "not-affordable")
    story.when(2, DiscardForCoins("clay_pit"))
    assert story.coins() == [5, 0, 3]


@vector("FLO-18")
def test_vector_of_a_discount_that_works_from_the_next_turn(vector: Vector) -> None:
    """7W 5.7: Marketplace halves the price of glass from the turn after."""
    given, expect = vector["given"], vector["expect"]
    hands = {0: [given["builds"], "workshop"], 2: ["altar", "workshop"]}
    story = at("giza:A", "alexandria:A", "rhodes:A", hands=hands)
    now = expect["price_this_turn"]
    assert story.legal(0, BuildStructure) == [
        BuildStructure(given["builds"]),
        BuildStructure("workshop", now, 0),
    ]
    take_turn(story, {0: BuildStructure(given["builds"])})
    assert story.legal(0, BuildStructure) == [BuildStructure("workshop", expect["price_next_turn"], 0)]


def test_what_is_built_in_this_turn_neither_produces_nor_sells_yet() -> None:
    """7W 5.9: legality is judged on the table before the turn."""
    hands = {0: ["altar", "apothecary"], 1: ["loom_age1"], 2: ["altar", "apothecary"]}
    story = at("giza:A", "rhodes:A", "ephesus:A", hands=hands)
    story.when(1, BuildStructure("loom_age1"))
    story.refuses(0, BuildStructure("apothecary", 2, 0), "not-affordable")
    story.when(0, DiscardForCoins("altar")).when(2, DiscardForCoins("altar"))
    assert story.legal(0, BuildStructure) == [BuildStructure("apothecary", 2, 0)]


def test_yellow_cards_and_stages_are_not_for_sale() -> None:
    """7W 5.2."""
    left = town("alexandria:B", "caravansery", "forum", stages=2)
    story = at("giza:A", left, "ephesus:A", hands={0: ["stockade", "apothecary", "workshop"]}, age=2)
    assert story.legal(0, BuildStructure) == [BuildStructure("workshop", 2, 0)]


def test_who_sits_two_seats_away_neither_sells_nor_is_paid() -> None:
    """7W 1.1: only direct neighbours interact."""
    story = at(*BOARDS[:2], "olympia:A", BOARDS[3], hands={0: ["stockade"], 1: ["stockade"], 3: ["stockade"]})
    story.refuses(0, BuildStructure("stockade", 2, 0), "not-affordable")
    assert story.legal(1, BuildStructure) == [BuildStructure("stockade", 2, 0)]
    assert story.legal(3, BuildStructure) == [BuildStructure("stockade", 0, 2)]


def test_own_production_comes_first() -> None:
    """7W 5.10: only what is missing can be bought."""
    story = at("olympia:A", "olympia:B", "giza:A", hands={0: ["stockade"]})
    assert story.legal(0, BuildStructure) == [BuildStructure("stockade")]
    story.refuses(0, BuildStructure("stockade", 2, 0), "wrong-payment")


def test_production_of_stages_is_the_owners_own() -> None:
    """Alexandria A stage 2 and B stages 1 and 2 (7W 8.2)."""
    hand = ["stockade", "guard_tower", "barracks", "baths", "apothecary", "scriptorium"]
    raw = ["stockade", "guard_tower", "barracks", "baths"]
    for board, stages, free in (
        ("alexandria:A", 1, []),
        ("alexandria:A", 2, raw),
        ("alexandria:B", 1, raw),
        ("alexandria:B", 2, [*raw, "apothecary", "scriptorium"]),
    ):
        me = town(board, stages=stages, coins=0)
        story = at(me, town("giza:A", coins=0), town("giza:B", coins=0), hands={0: hand})
        assert story.legal(0, BuildStructure) == [BuildStructure(card) for card in sorted(free)]
