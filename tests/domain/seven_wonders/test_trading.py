"""What a cost costs (rules 5.1-5.11): the vectors, the brute-force twin, and what holds of every position."""

import json
import random
import statistics
import time
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import chain
from operator import or_
from pathlib import Path
from typing import Any

import pytest

from domain.seven_wonders import effects as fx
from domain.seven_wonders import trading
from domain.seven_wonders.cards import CARDS, GUILDS, TABLE, Card, deck
from domain.seven_wonders.trading import affordable, cheapest, missing, payments, undominated
from domain.seven_wonders.wonders import WONDERS, Stage
from tests.domain.seven_wonders.brute_force_payments import City, fewest_missing, legal_pairs

VECTOR_FILE = Path(__file__).parents[2] / "vectors" / "seven_wonders.json"
VECTORS = {vector["id"]: vector for vector in json.loads(VECTOR_FILE.read_text("utf-8"))["vectors"]}
PAYMENT_IDS = [
    id for id, vector in VECTORS.items() if vector["area"] == "payment" and "cost" in vector["given"]
]

BOARDS = [board for sides in WONDERS.values() for board in sides.values()]
ROWS: list[Card | Stage] = [*TABLE, *(stage for board in BOARDS for stage in board.stages)]
COSTS = sorted({row.cost for row in ROWS} - {0})
CACHES = [value for value in vars(trading).values() if hasattr(value, "cache_clear")]
SEEDS = range(40)  # of 100 positions each


def packed(city: City) -> tuple[fx.Sources, fx.Sources, int]:
    """What a city makes for itself, what it sells, its discounts."""
    board = WONDERS[city.wonder][city.side]
    cards = [CARDS[card] for card in city.cards]
    stages = board.stages[: city.stages]
    built: list[Card | Stage] = [*cards, *stages]
    discounts = reduce(or_, (row.discounts for row in built), 0)
    own = board.makes + sum(row.makes for row in built)
    return own, board.makes + sum(card.sells for card in cards), discounts


def ask(cost: fx.Sources, me: City, left: City, right: City) -> tuple[int, int, int, int, int]:
    """The arguments of `payments` for three cities."""
    own, _, discounts = packed(me)
    return cost, own, packed(left)[1], packed(right)[1], discounts


def cities(dice: random.Random, players: int) -> list[City]:
    """A table in the course of a game: boards and cards as dealt, built at random, nothing twice."""
    pool = [card for age in (1, 2, 3) for card in deck(age, players)] + dice.sample(GUILDS, players + 2)
    dice.shuffle(pool)
    return [city(dice, wonder, pool, dice.randrange(18)) for wonder in dice.sample(sorted(WONDERS), players)]


def city(dice: random.Random, wonder: str, pool: list[str], wanted: int) -> City:
    """A board with so many cards taken from the end of the pool, fewer if it runs out; duplicates are
    dropped."""
    board = WONDERS[wonder][dice.choice("AB")]
    built: dict[str, str] = {}
    while pool and len(built) < wanted:
        card = CARDS[pool.pop()]
        built.setdefault(card.structure, card.id)
    return City(wonder, board.side, dice.randrange(len(board.stages) + 1), tuple(built.values()))


def trading_cities(dice: random.Random) -> list[City]:
    """A city with little but some discount, and two neighbours that sell much."""
    wonders = dice.sample(sorted(WONDERS), 3)
    goods = [card for age in (1, 2) for card in deck(age, 7) if CARDS[card].makes]
    dice.shuffle(goods)
    posts = dice.sample(["east_trading_post", "west_trading_post", "marketplace"], dice.randrange(1, 3))
    me = city(dice, wonders[0], goods[: dice.randrange(4)] + posts, 5)
    return [me, city(dice, wonders[1], goods, 9), city(dice, wonders[2], goods, 9)]


def positions(seed: int, count: int) -> Iterator[tuple[fx.Sources, City, City, City]]:
    """Costs that occur, each with a city and its two neighbours."""
    dice = random.Random(seed)
    for number in range(count):
        table = trading_cities(dice) if number % 2 else cities(dice, dice.choice((3, 4, 5, 6, 7)))
        yield dice.choice(COSTS), table[0], table[1], table[-1]


def city_of(facts: dict[str, Any]) -> City:
    wonder, side = facts["wonder"].split(":")
    return City(wonder, side, facts["stages"], tuple(facts["cards"]))


def test_the_vectors_are_those_that_need_tables_and_solver_only() -> None:
    others = {"PAY-30", "PAY-31", "PAY-32", "PAY-33", "PAY-34"}  # chains and duplicates: the game's own tests
    assert set(PAYMENT_IDS) == {id for id in VECTORS if id.startswith("PAY-")} - others
    assert len(PAYMENT_IDS) == 22


@pytest.mark.parametrize("id", PAYMENT_IDS)
def test_vector(id: str) -> None:
    given, expect = VECTORS[id]["given"], VECTORS[id]["expect"]
    coins = given["cost"].get("coins", 0)
    cost = sum(
        fx.units(fx.LETTERS[fx.RESOURCES.index(r)] * n) for r, n in given["cost"].items() if r != "coins"
    )
    me, left, right = (city_of(given[name]) for name in ("me", "left", "right"))
    asked = ask(cost, me, left, right)
    legal = payments(*asked)
    pareto = undominated(legal)
    budget = given["treasury"] - coins
    assert [list(pair) for pair in legal] == expect["legal_left_right"]
    assert [list(pair) for pair in pareto] == expect["pareto_left_right"]
    assert [list(pair) for pair in affordable(pareto, budget)] == expect["affordable_pareto"]
    assert cheapest(*asked) == expect["min_trade_coins"]
    assert bool(affordable(legal, budget)) == expect["affordable"]
    assert bool(legal) == (not missing(*asked[:4])) == expect["resources_obtainable"]
    assert coins == expect["to_bank"]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_legal_payment_is_found_and_no_other(seed: int) -> None:
    for cost, me, left, right in positions(seed, 100):
        need = fx.unpacked(cost)
        pairs = legal_pairs(need, me, left, right)
        asked = ask(cost, me, left, right)
        assert list(payments(*asked)) == pairs, (need, me, left, right)
        assert cheapest(*asked) == min((a + b for a, b in pairs), default=None), (need, me, left, right)
        lacked = missing(*asked[:4])
        assert sum(lacked.values()) == fewest_missing(need, me, left, right), (need, me, left, right)
        assert all(0 < count <= need[resource] for resource, count in lacked.items())


def test_the_random_positions_are_hard_enough_to_tell_solvers_apart() -> None:
    """Purchases on both sides, choices of what to buy, discounts and costs beyond reach occur often."""
    seen = {"several": 0, "both": 0, "dominated": 0, "beyond": 0, "either_or": 0, "discount": 0}
    for cost, me, left, right in chain.from_iterable(positions(seed, 100) for seed in SEEDS):
        asked = ask(cost, me, left, right)
        pairs = payments(*asked)
        seen["several"] += len(pairs) > 1
        seen["both"] += any(a and b for a, b in pairs)
        seen["dominated"] += undominated(pairs) != pairs
        seen["beyond"] += not pairs
        seen["either_or"] += len(trading.lacking(*asked[:2])) > 1
        seen["discount"] += any((a + b) % 2 for a, b in pairs)
    assert min(seen.values()) >= 50, seen


def test_greedy_buying_resource_by_resource_would_fail_where_the_solver_does_not() -> None:
    left = City("ephesus", "A", 0, ("forest_cave", "timber_yard", "lumber_yard"))
    me, right = City("babylon", "A", 0, ()), City("alexandria", "A", 0, ())
    assert payments(*ask(fx.units("WSO"), me, left, right)) == ((6, 0),)
    assert payments(*ask(fx.units("WWO"), me, left, right)) == ((6, 0),)
    assert payments(*ask(fx.units("SSO"), me, left, right)) == ()


def test_more_production_never_makes_a_cost_dearer() -> None:
    dice = random.Random(11)
    extra = [row.makes for row in TABLE if row.makes]
    for cost, me, left, right in positions(12, 400):
        asked = ask(cost, me, left, right)
        before = cheapest(*asked)
        for place in (1, 2, 3):
            richer = list(asked)
            richer[place] += dice.choice(extra)
            after = cheapest(*richer)
            assert before is None or (after is not None and after <= before)


def test_a_discount_never_makes_a_cost_dearer_nor_anything_else_available() -> None:
    for cost, me, left, right in positions(13, 400):
        cost, own, on_left, on_right, _ = ask(cost, me, left, right)
        full = payments(cost, own, on_left, on_right, 0)
        for discounts in range(16):
            pairs = payments(cost, own, on_left, on_right, discounts)
            assert bool(pairs) == bool(full)
            if pairs:
                cheaper = cheapest(cost, own, on_left, on_right, discounts)
                dearer = cheapest(cost, own, on_left, on_right, 0)
                assert cheaper is not None and dearer is not None
                assert dearer / 2 <= cheaper <= dearer


def test_more_coins_never_afford_fewer_payments() -> None:
    for cost, me, left, right in positions(14, 400):
        pairs = payments(*ask(cost, me, left, right))
        within = [affordable(pairs, budget) for budget in range(-1, 20)]
        assert within[0] == () and within[-1] == pairs
        assert all(set(fewer) <= set(more) for fewer, more in zip(within, within[1:], strict=False))


def test_yellow_cards_and_stages_of_a_neighbour_are_never_for_sale() -> None:
    for cost, me, left, right in positions(15, 400):
        plain = payments(*ask(cost, me, left, right))
        for neighbour in (left, right):
            board = WONDERS[neighbour.wonder][neighbour.side]
            goods = tuple(c for c in neighbour.cards if CARDS[c].structure not in ("forum", "caravansery"))
            more = City(neighbour.wonder, neighbour.side, len(board.stages), (*goods, "forum", "caravansery"))
            sides = (more, right) if neighbour is left else (left, more)
            assert payments(*ask(cost, me, *sides)) == plain


def test_left_and_right_are_mirror_images() -> None:
    swap = {fx.RAW_LEFT: fx.RAW_RIGHT, fx.RAW_RIGHT: fx.RAW_LEFT} | {
        fx.MADE_LEFT: fx.MADE_RIGHT,
        fx.MADE_RIGHT: fx.MADE_LEFT,
    }
    for cost, me, left, right in positions(16, 400):
        cost, own, on_left, on_right, discounts = ask(cost, me, left, right)
        swapped = sum(swap[bit] for bit in swap if discounts & bit)
        mirrored = payments(cost, own, on_right, on_left, swapped)
        assert sorted((b, a) for a, b in mirrored) == list(payments(cost, own, on_left, on_right, discounts))


def test_own_production_is_used_before_anything_is_bought() -> None:
    me = City("olympia", "A", 0, ())
    seller = City("giza", "A", 0, ("lumber_yard", "sawmill"))
    assert payments(*ask(fx.units("W"), me, seller, seller)) == ((0, 0),)
    assert payments(*ask(fx.units("WW"), me, seller, seller)) == ((0, 2), (2, 0))


def test_an_own_choice_leaves_the_choice_of_what_to_buy() -> None:
    """Tree Farm covers the wood or the clay; the other is bought, at whichever price."""
    me = City("giza", "A", 0, ("tree_farm", "west_trading_post"))
    left, right = City("olympia", "A", 0, ()), City("babylon", "A", 0, ())
    assert payments(*ask(fx.units("WC"), me, left, right)) == ((0, 2), (1, 0))


def test_a_discount_is_for_one_class_of_goods_on_its_side() -> None:
    left, right = City("olympia", "A", 0, ("press_age1",)), City("olympia", "B", 0, ("press_age2",))
    east, west = City("giza", "A", 0, ("east_trading_post",)), City("giza", "A", 0, ("west_trading_post",))
    market, zeus = City("giza", "A", 0, ("marketplace",)), City("olympia", "B", 1, ())
    wood, papyrus = fx.units("W"), fx.units("P")
    assert payments(*ask(wood, east, left, right)) == ((0, 1), (2, 0))
    assert payments(*ask(wood, west, left, right)) == ((0, 2), (1, 0))
    assert payments(*ask(wood, market, left, right)) == ((0, 2), (2, 0))
    assert payments(*ask(papyrus, market, left, right)) == ((0, 1), (1, 0))
    assert payments(*ask(papyrus, east, left, right)) == ((0, 2), (2, 0))
    assert payments(*ask(wood + wood, zeus, left, right)) == ((0, 1), (1, 0))


def test_what_costs_nothing_is_paid_with_nothing() -> None:
    assert payments(0, 0, 0, 0, 0) == ((0, 0),)
    assert cheapest(0, 0, 0, 0, 0) == 0
    assert missing(0, 0, 0, 0) == {}


def test_what_nobody_has_is_named() -> None:
    me, left, right = City("rhodes", "A", 0, ()), City("giza", "A", 0, ()), City("olympia", "A", 0, ())
    cost = fx.units("WWSOLL")
    assert missing(*ask(cost, me, left, right)[:4]) == {"wood": 1, "cloth": 2}
    assert payments(*ask(cost, me, left, right)) == ()
    timber = City("ephesus", "A", 0, ("timber_yard",))
    assert missing(*ask(fx.units("WS"), me, timber, me)[:4]) == {"stone": 1}


def test_undominated_drops_what_is_no_better_on_either_side() -> None:
    assert undominated([(2, 2), (0, 4), (1, 2), (3, 0), (3, 1), (0, 4)]) == ((0, 4), (1, 2), (3, 0))
    assert undominated([]) == ()
    for cost, me, left, right in positions(17, 300):
        pairs = payments(*ask(cost, me, left, right))
        front = {p for p in pairs if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in pairs)}
        assert set(undominated(pairs)) == front


def test_the_caches_change_nothing_and_stay_bounded() -> None:
    assert len(CACHES) >= 6
    assert all(cache.cache_parameters()["maxsize"] for cache in CACHES)
    asked = [ask(*position) for position in positions(18, 200)]
    warm = [payments(*arguments) for arguments in asked]
    forget()
    assert [payments(*arguments) for arguments in asked] == warm


def test_answers_are_remembered() -> None:
    """Hands of seven Age III cards and the next stage at tables of seven; `pytest -s` shows the figures."""
    dice = random.Random(19)
    hands = []
    for _ in range(40):
        table = cities(dice, 7)
        for seat, me in enumerate(table):
            stages = WONDERS[me.wonder][me.side].stages[me.stages :]
            costs = [CARDS[card].cost for card in dice.sample(deck(3, 7), 7)] + [s.cost for s in stages[:1]]
            hands.append([ask(cost, me, table[(seat + 1) % 7], table[(seat - 1) % 7]) for cost in costs])
    for solve in (payments, cheapest):
        forget()
        first = statistics.median(timed(solve, hand) for hand in hands)
        again = statistics.median(timed(solve, hand) for hand in hands)
        cold = statistics.median(timed(solve, hand, cold=True) for hand in hands)
        print(f"\n{solve.__name__}, µs a hand: {cold:.0f} cold, {first:.0f} first, {again:.1f} again", end="")
        assert again < cold / 5


def timed(
    solve: Callable[..., object], hand: list[tuple[int, int, int, int, int]], cold: bool = False
) -> float:
    """Microseconds for all questions of a hand."""
    if cold:
        forget()
    begun = time.perf_counter()
    for arguments in hand:
        solve(*arguments)
    return (time.perf_counter() - begun) * 1e6


def forget() -> None:
    """Empty every cache of the solver."""
    for cache in CACHES:
        cache.cache_clear()
