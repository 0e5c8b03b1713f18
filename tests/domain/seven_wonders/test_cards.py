"""The tables say what the cards and boards say."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain.seven_wonders import effects as fx
from domain.seven_wonders.cards import CARDS, CHAINS_TO, GUILDS, TABLE, TYPES, Card, deck
from domain.seven_wonders.wonders import WONDERS, Board, Stage

FACTS = Path(__file__).parents[2] / "data" / "seven_wonders"
CARD_FACTS: list[dict[str, Any]] = json.loads((FACTS / "cards.json").read_text("utf-8"))["cards"]
WONDER_FACTS: list[dict[str, Any]] = json.loads((FACTS / "wonders.json").read_text("utf-8"))["wonders"]
SIDES = [(facts, side) for facts in WONDER_FACTS for side in facts["sides"]]
PLAYERS = (3, 4, 5, 6, 7)
SHIFTS = range(0, fx.FIELD_BITS * len(fx.FIELDS), fx.FIELD_BITS)


def per(kind: str, colours: tuple[str, ...], scope: tuple[str, ...]) -> dict[str, Any]:
    counted = {"kind": kind, "colours": list(colours)} if kind == "cards" else {"kind": kind}
    return {"per": counted, "scope": list(scope)}


def facts_of(effect: fx.Effect) -> dict[str, Any]:
    """An effect in the vocabulary of the data files; what a class means by itself is spelled out here."""
    symbols, at_end = list(fx.SYMBOLS), {"when": "end_of_game"}
    match effect:
        case fx.Produce(alternatives, sellable):
            bundles = [[fx.RESOURCES[unit] for unit in bundle] for bundle in alternatives]
            return {"type": "produce", "alternatives": bundles, "sellable": sellable}
        case fx.Discount(sides, resources):
            kind = {fx.RAW: "raw_material", fx.MADE: "manufactured_good"}[resources]
            names = [fx.RESOURCES[resource] for resource in resources]
            goods = {"resource_class": kind, "resources": names}
            return {"type": "trade_discount", "from": list(sides), **goods, "price": 1}
        case fx.Shields(count):
            return {"type": "shields", "count": count}
        case fx.Science(symbol):
            return {"type": "science", "symbol": fx.SYMBOLS[symbol], "count": 1}
        case fx.ScienceChoice():
            return {"type": "science_choice", "choose_from": symbols, "count": 1, **at_end}
        case fx.Points(points):
            return {"type": "victory_points", "points": points}
        case fx.Coins(amount):
            return {"type": "coins", "amount": amount, "when": "on_build"}
        case fx.CoinsPer(amount, kind, colours, scope):
            return {"type": "coins_per", "amount": amount, **per(kind, colours, scope), "when": "on_build"}
        case fx.PointsPer(points, kind, colours, scope):
            return {"type": "points_per", "points": points, **per(kind, colours, scope), **at_end}
        case fx.SeventhCard():
            options = ["build_structure", "build_wonder_stage", "discard_for_coins"]
            when = {"when": "end_of_each_age", "active_in_the_age_it_is_built": True}
            return {"type": "play_last_card", "options": options, **when}
        case fx.FreeBuild():
            return {"type": "free_build", "limit": "once_per_age", "applies_to": "structure_from_hand"}
        case fx.CopyGuild():
            return {"type": "copy_guild", "from": ["left", "right"], "optional": True, **at_end}
        case fx.BuildFromDiscard():
            return {"type": "build_from_discard", "when": "end_of_turn", "count": 1, "cost": "free"}


def cost_of(row: Card | Stage) -> dict[str, Any]:
    return {"coins": row.coins, "resources": fx.unpacked(row.cost)}


def card_facts(card: Card) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "id": card.id,
        "structure": card.structure,
        "name": card.name,
        "age": card.age,
        "colour": card.colour,
        "type": TYPES[card.colour],
        "cost": cost_of(card),
        "chain_from": list(card.chain_from),
        "chains_to": list(CHAINS_TO[card.structure]),
        "effects": [facts_of(effect) for effect in card.effects],
        "player_count_marks": None if card.marks is None else list(card.marks),
        "copies": {str(n): card.copies(n) for n in PLAYERS},
    }
    # One of each guild is in the pool that players + 2 of them are drawn from; the deck itself holds none.
    pool = {"copies": {str(n): GUILDS.count(card.id) for n in PLAYERS}, "guild_pool": True}
    return facts | pool if card.id in GUILDS else facts


def board_facts(board: Board) -> list[dict[str, Any]]:
    return [
        {"stage": number, "cost": cost_of(stage), "effects": [facts_of(effect) for effect in stage.effects]}
        for number, stage in enumerate(board.stages, start=1)
    ]


def test_the_table_lists_every_card_in_the_order_of_the_printed_list() -> None:
    assert [card.id for card in TABLE] == [facts["id"] for facts in CARD_FACTS] == list(CARDS)


@pytest.mark.parametrize("facts", CARD_FACTS, ids=lambda facts: facts["id"])
def test_a_card_says_what_is_printed_on_it(facts: dict[str, Any]) -> None:
    assert card_facts(CARDS[facts["id"]]) == facts


@pytest.mark.parametrize(
    ("facts", "side"), SIDES, ids=lambda value: value if value in ("A", "B") else value["id"]
)
def test_a_board_says_what_is_printed_on_it(facts: dict[str, Any], side: str) -> None:
    board = WONDERS[facts["id"]][side]
    assert (board.wonder, board.side) == (facts["id"], side)
    assert (board.name, board.full_name) == (facts["name"], facts["full_name"])
    assert fx.RESOURCES[board.resource] == facts["starting_resource"]
    assert board_facts(board) == facts["sides"][side]["stages"]


def test_there_are_seven_wonders_with_two_sides_and_nothing_else() -> None:
    assert list(WONDERS) == [facts["id"] for facts in WONDER_FACTS]
    assert all(sorted(sides) == ["A", "B"] for sides in WONDERS.values())
    assert len(WONDERS) == 7


@pytest.mark.parametrize("players", PLAYERS)
def test_every_age_deals_seven_cards_a_player(players: int) -> None:
    guilds = players + 2
    assert [len(deck(age, players)) for age in (1, 2, 3)] == [7 * players, 7 * players, 7 * players - guilds]
    assert len(GUILDS) >= guilds


@pytest.mark.parametrize("players", PLAYERS)
def test_a_deck_holds_the_printed_copies_sorted_by_code_point_and_no_guild(players: int) -> None:
    for age in (1, 2, 3):
        dealt = deck(age, players)
        assert dealt == sorted(dealt)
        assert not set(dealt) & set(GUILDS)
        printed = [facts for facts in CARD_FACTS if facts["age"] == age and facts["colour"] != "purple"]
        assert set(dealt) <= {facts["id"] for facts in printed}
        for facts in printed:
            assert dealt.count(facts["id"]) == facts["copies"][str(players)]


@pytest.mark.parametrize(("age", "players"), [(0, 3), (4, 3), (1, 2), (1, 8)])
def test_there_is_no_deck_for_other_ages_or_player_counts(age: int, players: int) -> None:
    with pytest.raises(ValueError, match="no deck"):
        deck(age, players)


def test_there_are_ten_guilds_all_of_the_third_age_sorted_for_the_draw() -> None:
    assert len(GUILDS) == 10
    assert list(GUILDS) == sorted(GUILDS)
    assert {card.id for card in TABLE if card.marks is None} == set(GUILDS)
    assert {(CARDS[guild].age, CARDS[guild].colour) for guild in GUILDS} == {(3, "purple")}


def test_a_chain_leads_from_a_structure_of_an_earlier_age() -> None:
    ages = {card.structure: card.age for card in reversed(TABLE)}
    for card in TABLE:
        assert all(ages[earlier] < card.age for earlier in card.chain_from)


def test_only_loom_glassworks_and_press_are_printed_in_two_ages() -> None:
    structures = [card.structure for card in TABLE]
    assert {name for name in structures if structures.count(name) > 1} == {"loom", "glassworks", "press"}


def counted(production: list[fx.Produce]) -> list[list[int]]:
    """What single units each source may give, a two-unit card being two sources."""
    sources = []
    for produce in production:
        if len(produce.alternatives) == 1:
            sources += [[unit] for unit in produce.alternatives[0]]
        else:
            sources.append(sorted(unit for (unit,) in produce.alternatives))
    return sorted(sources)


def fields(packed: fx.Sources) -> list[list[int]]:
    found = []
    for index, gives in enumerate(fx.FIELDS):
        found += [sorted(gives)] * (packed >> fx.FIELD_BITS * index & fx.FIELD_MASK)
    return sorted(found)


def produces(row: Card | Stage) -> list[fx.Produce]:
    return [effect for effect in row.effects if isinstance(effect, fx.Produce)]


@pytest.mark.parametrize("card", TABLE, ids=lambda card: card.id)
def test_what_is_worked_out_of_a_card_agrees_with_its_effects(card: Card) -> None:
    sellable = [produce for produce in produces(card) if produce.sellable]
    assert fields(card.makes) == counted(produces(card))
    assert fields(card.sells) == counted(sellable)
    assert card.sells in (0, card.makes)
    assert card.shields == sum(effect.count for effect in card.effects if isinstance(effect, fx.Shields))
    assert card.points == sum(effect.points for effect in card.effects if isinstance(effect, fx.Points))
    symbols = [effect.symbol for effect in card.effects if isinstance(effect, fx.Science)]
    assert card.symbol == (symbols[0] if symbols else -1) and len(symbols) < 2


def test_only_brown_and_grey_cards_are_for_sale() -> None:
    assert {card.colour for card in TABLE if card.sells} == {"brown", "grey"}
    assert {card.id for card in TABLE if card.makes and not card.sells} == {"forum", "caravansery"}


def test_what_is_worked_out_of_a_stage_agrees_with_its_effects() -> None:
    for sides in WONDERS.values():
        for board in sides.values():
            assert fields(board.makes) == [[board.resource]]
            for stage in board.stages:
                assert not any(produce.sellable for produce in produces(stage))
                assert fields(stage.makes) == counted(produces(stage))
                shields = [effect.count for effect in stage.effects if isinstance(effect, fx.Shields)]
                points = [effect.points for effect in stage.effects if isinstance(effect, fx.Points)]
                assert (stage.shields, stage.points) == (sum(shields), sum(points))


def test_discounts_go_to_the_side_and_the_goods_on_the_card() -> None:
    found = {card.id: card.discounts for card in TABLE if card.discounts}
    assert found == {
        "west_trading_post": fx.RAW_LEFT,
        "east_trading_post": fx.RAW_RIGHT,
        "marketplace": fx.MADE_LEFT | fx.MADE_RIGHT,
    }
    stages = [stage for sides in WONDERS.values() for board in sides.values() for stage in board.stages]
    assert [stage for stage in stages if stage.discounts] == [WONDERS["olympia"]["B"].stages[0]]
    assert WONDERS["olympia"]["B"].stages[0].discounts == fx.RAW_LEFT | fx.RAW_RIGHT


def test_the_either_or_sources_of_the_tables_are_the_ones_that_have_a_field() -> None:
    rows: list[Card | Stage] = [
        *TABLE,
        *(stage for sides in WONDERS.values() for board in sides.values() for stage in board.stages),
    ]
    choices = {tuple(gives) for row in rows for gives in counted(produces(row)) if len(gives) > 1}
    assert choices == set(fx.CHOICES)
    assert len(set(fx.CHOICES)) == len(fx.CHOICES)


def test_no_field_of_a_packed_number_can_overflow() -> None:
    """The worst city: every structure once, on any board with all its stages; and every cost."""
    once = {card.structure: card for card in TABLE}
    for sides in WONDERS.values():
        for board in sides.values():
            made = [*(card.makes for card in once.values()), board.makes, *(s.makes for s in board.stages)]
            worst = [sum(packed >> shift & fx.FIELD_MASK for packed in made) for shift in SHIFTS]
            assert max(worst) <= fx.FIELD_MASK
            assert [sum(made) >> shift & fx.FIELD_MASK for shift in SHIFTS] == worst
    assert max(max(facts["cost"]["resources"].values(), default=0) for facts in CARD_FACTS) <= fx.FIELD_MASK


def test_a_cost_is_packed_unit_by_unit() -> None:
    assert fx.unpacked(fx.units("WSCOGPL")) == dict.fromkeys(fx.RESOURCES, 1)
    assert fx.unpacked(fx.units("OWOOO")) == {"wood": 1, "ore": 4}
    assert fx.units("") == 0
    with pytest.raises(ValueError, match="substring not found"):
        fx.units("X")
