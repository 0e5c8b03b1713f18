"""Legal moves and refusals in words and numbers."""

from typing import Any

import pytest

from domain import seven_wonders
from domain.kernel.game import Description
from domain.seven_wonders.commands import (
    BuildForFree,
    BuildStage,
    BuildStructure,
    ChooseBoard,
    ChooseSymbols,
    CopyGuild,
    DiscardForCoins,
    LeaveSeventhCard,
    PlayFreeCity,
    TakeFromDiscard,
    TakeNothing,
    Withdraw,
)
from tests.domain.seven_wonders.tables import at, ended, take_turn, town
from tests.given_when_then import Given


def described(story: Given, command: Any, seat: int = 0) -> Description:
    return seven_wonders.describe(story.state, seat, command)


def paid(bank: int = 0, left: int = 0, right: int = 0) -> dict[str, int | bool]:
    return {"bank": bank, "left": left, "right": right}


def test_a_structure_with_what_it_costs_and_brings() -> None:
    me = town("babylon:A", "west_trading_post", coins=9)
    left, right = town("olympia:A", "glassworks_age1"), town("alexandria:A", "lumber_yard")
    story = at(me, left, right, hands={0: ["temple"]}, age=2)
    found = {
        (move.pay_left, move.pay_right): described(story, move) for move in story.legal(0, BuildStructure)
    }
    assert found[1, 2] == Description(
        "Build Temple, pay 1 to the left and 2 to the right",
        paid(0, 1, 2) | {"minimal": True, "undominated": True},
        {"points": 3},
    )
    flags = {pair: (what.cost["minimal"], what.cost["undominated"]) for pair, what in found.items()}
    assert flags == {
        (0, 4): (False, True),
        (1, 2): (True, True),
        (2, 2): (False, False),
        (3, 0): (True, True),
    }


def test_a_structure_that_costs_a_coin_or_nothing_or_comes_by_a_chain() -> None:
    story = at("giza:A", "rhodes:A", "ephesus:A", hands={0: ["clay_pit", "altar"]})
    assert described(story, BuildStructure("clay_pit")) == Description(
        "Build Clay Pit", paid(1) | {"minimal": True, "undominated": True}, {"produces": True}
    )
    assert described(story, BuildStructure("altar")).label == "Build Altar"
    story = at(town("giza:A", "scriptorium"), "rhodes:A", "ephesus:A", hands={0: ["library"]}, age=2)
    assert described(story, BuildStructure("library")) == Description(
        "Build Library by chain",
        paid() | {"minimal": True, "undominated": True, "chain": True},
        {"symbol": "tablet"},
    )


def test_coins_and_points_count_the_card_itself() -> None:
    """Lighthouse is one of the yellow cards it counts, Shipowners Guild one of the purple ones."""
    me = town("giza:A", "caravansery", "tavern", "lumber_yard")
    story = at(me, "rhodes:A", "ephesus:A", hands={0: ["lighthouse"]}, age=3)
    assert described(story, BuildStructure("lighthouse")).effects == {"coins": 3, "points": 3}
    me = town("olympia:A", "lumber_yard", "loom_age1", stages=2)
    story = at(me, "rhodes:A", "ephesus:A", hands={0: ["shipowners_guild"]}, age=3)
    assert described(story, BuildForFree("shipowners_guild")).effects == {"points": 3}


@pytest.mark.parametrize("guild", ["workers_guild", "spies_guild", "magistrates_guild", "builders_guild"])
def test_points_of_other_guilds_are_those_they_would_score_now(guild: str) -> None:
    towns = town("olympia:A", stages=2), town("rhodes:A", "quarry", "walls"), town("ephesus:A", "altar")
    story = at(*towns, hands={0: [guild]}, age=3)
    now = ended(town("olympia:A", guild, stages=2), *towns[1:]).view()["scores"][0]["guilds"]
    assert described(story, BuildForFree(guild)).effects == {"points": now}


def test_a_stage_with_its_marker() -> None:
    me = town("rhodes:B", "quarry", "stone_pit")
    story = at(me, "giza:A", "ephesus:A", hands={0: ["palace"]}, age=3)
    assert described(story, BuildStage("palace")) == Description(
        "Build stage 1 with Palace",
        paid() | {"minimal": True, "undominated": True},
        {"stage": 1, "coins": 3, "shields": 1, "points": 3},
    )


def test_a_discard_brings_three_coins() -> None:
    story = at("giza:A", "rhodes:A", "ephesus:A", hands={0: ["palace"]}, age=3)
    assert described(story, DiscardForCoins("palace")) == Description(
        "Discard Palace for 3 coins", {}, {"coins": 3}
    )


def test_every_other_move_has_a_label() -> None:
    story = at("giza:A", "rhodes:A", "ephesus:A")
    labels = {
        Withdraw(): "Take back your choice",
        LeaveSeventhCard(): "Let the seventh card be discarded without coins",
        TakeNothing(): "Build nothing from the discard pile",
        CopyGuild(None): "Copy no guild",
        CopyGuild("spies_guild"): "Copy Spies Guild",
        ChooseBoard("rhodes", "B"): "Take Rhodes, side B",
    }
    for command, label in labels.items():
        assert described(story, command).label == label
    assert described(story, ChooseSymbols(["gear", "tablet"])).label == "Choose gear, tablet"
    with pytest.raises(TypeError, match="not a command"):
        described(story, "build")


def test_a_card_of_the_discard_pile_costs_nothing() -> None:
    me = town("halicarnassus:A", "foundry", "ore_vein", stages=1)
    story = at(me, "giza:A", "rhodes:A", hands={0: ["altar"]}, discard=["tavern", "arena"])
    take_turn(story, {0: BuildStage("altar")})
    assert described(story, TakeFromDiscard("arena")) == Description(
        "Build Arena from the discard pile", paid(), {"coins": 6, "points": 2}
    )


def test_moves_of_the_free_city_say_so() -> None:
    story = at("giza:A", "rhodes:A", "ephesus:A", seats=2, hands={0: ["altar", "theater"]})
    story.when(0, DiscardForCoins("altar"))
    assert described(story, PlayFreeCity("structure", "theater")).label == "Free City: Build Theater"


# Why not


def test_what_cannot_be_built_is_named_with_what_nobody_sells() -> None:
    me = town("rhodes:A", "loom_age1", coins=0)
    others = town("giza:A", coins=0), town("ephesus:A", coins=0)
    story = at(me, *others, hands={0: ["loom_age2", "walls", "palace", "altar"]}, age=2)
    found = {why.label: (why.reason.code, why.missing) for why in seven_wonders.refused(story.state, 0)}
    assert found == {
        "Build Loom": ("already-built", {}),
        "Build Walls": ("not-affordable", {"stone": 2}),
        "Build Palace": ("not-affordable", {"wood": 1, "clay": 1, "glass": 1}),
        "Build stage 1": ("not-affordable", {"wood": 2}),
    }


def test_nothing_is_missing_where_only_coins_are() -> None:
    towns = [town(board, coins=0) for board in ("giza:A", "olympia:A", "rhodes:A")]
    story = at(*towns, hands={0: ["stockade", "clay_pit"]})
    found = {why.label: why.missing for why in seven_wonders.refused(story.state, 0)}
    assert found == {"Build Stockade": {}, "Build Clay Pit": {}, "Build stage 1": {"stone": 1}}


def test_reasons_agree_with_what_decide_says() -> None:
    me = town("rhodes:A", "loom_age1", coins=0)
    others = town("giza:A", coins=0), town("ephesus:A", coins=0)
    story = at(me, *others, hands={0: ["loom_age2", "walls"]}, age=2)
    duplicate, walls, stage = seven_wonders.refused(story.state, 0)
    assert story.refuses(0, BuildStructure("loom_age2"), duplicate.reason.code) == duplicate.reason
    assert story.refuses(0, BuildStructure("walls"), walls.reason.code) == walls.reason
    assert story.refuses(0, BuildStage("walls"), stage.reason.code) == stage.reason


def test_nothing_is_said_when_cards_are_not_played() -> None:
    assert seven_wonders.refused(ended("giza:A", "rhodes:A", "ephesus:A").state, 0) == []
