"""The points of the end, category by category (7W 11)."""

import pytest

from domain import seven_wonders
from domain.kernel.game import Outcome
from domain.seven_wonders.cards import BLUE, CARDS, TABLE
from domain.seven_wonders.effects import Points
from domain.seven_wonders.wonders import WONDERS
from tests.domain.seven_wonders.tables import Vector, at, ended, scores, town, town_of, vector

CATEGORIES = ["military", "treasury", "wonder", "civilian", "science", "commerce", "guilds"]


def test_there_are_seven_categories_in_the_printed_order() -> None:
    assert list(scores("giza:A", "rhodes:A", "ephesus:A")[0]) == CATEGORIES


@vector("TRE-00", "TRE-02", "TRE-14", "TRE-23")
def test_vector_of_the_treasury(vector: Vector) -> None:
    """7W 11.2: a point for three coins, rounded down."""
    towns = [town(board, coins=vector["given"]["coins"]) for board in ("giza:A", "rhodes:A", "ephesus:A")]
    assert scores(*towns)[0]["treasury"] == vector["expect"]["points"]


@vector("YEL-01", "YEL-03", "YEL-04")
def test_vector_of_a_yellow_card(vector: Vector) -> None:
    """7W 11.6: counted at the end of the game."""
    given = vector["given"]
    towns = [town_of(given[name]) for name in ("me", "left", "right")]
    assert scores(*towns)[0]["commerce"] == vector["expect"]["points"]


def test_the_chamber_of_commerce_gives_two_points_for_each_own_grey_card() -> None:
    me = town("giza:A", "chamber_of_commerce", "loom_age1", "press_age2")
    others = town("rhodes:A", "glassworks_age1"), town("alexandria:A", "loom_age1")
    assert scores(me, *others)[0]["commerce"] == 4


def test_a_military_total_may_be_negative() -> None:
    """7W 11.1."""
    assert scores(town("giza:A", tokens=[-1, -1, -1]), "rhodes:A", "ephesus:A")[0]["military"] == -3


@pytest.mark.parametrize("wonder", list(WONDERS))
@pytest.mark.parametrize("side", ["A", "B"])
def test_built_stages_give_their_points_and_no_others(wonder: str, side: str) -> None:
    """7W 11.3."""
    stages = WONDERS[wonder][side].stages
    for built in range(len(stages) + 1):
        printed = [
            effect.points
            for stage in stages[:built]
            for effect in stage.effects
            if isinstance(effect, Points)
        ]
        others = ("giza:A", "giza:B")
        assert scores(town(f"{wonder}:{side}", stages=built), *others)[0]["wonder"] == sum(printed)


@pytest.mark.parametrize("card", [card.id for card in TABLE if card.colour == BLUE])
def test_a_blue_card_gives_its_points(card: str) -> None:
    """7W 11.4."""
    (points,) = [effect.points for effect in CARDS[card].effects if isinstance(effect, Points)]
    mine = scores(town("giza:A", card), "rhodes:A", "ephesus:A")[0]
    assert mine == dict.fromkeys(CATEGORIES, 0) | {"civilian": points, "treasury": 1}


def test_blue_cards_add_up_and_a_marker_gives_nothing() -> None:
    me = town("giza:A", "palace", "pantheon", stages=1, marker="senate")
    assert scores(me, "rhodes:A", "ephesus:A")[0]["civilian"] == 15


def test_the_outcome_has_the_points_of_every_seat() -> None:
    """A seat's total is the sum of its categories."""
    me = town("rhodes:A", "palace", "library", "haven", "lumber_yard", stages=3, tokens=[1, 3, -1], coins=7)
    left = town("giza:B", "spies_guild", "altar", stages=2, coins=9)
    right = town("ephesus:A", "walls", "tavern", coins=7)
    story = ended(me, left, right)
    assert seven_wonders.outcome(story.state) == Outcome(
        [[0], [1], [2]],
        [
            {
                "military": 3,
                "treasury": 2,
                "wonder": 10,
                "civilian": 8,
                "science": 1,
                "commerce": 1,
                "guilds": 0,
            },
            {
                "military": 0,
                "treasury": 3,
                "wonder": 8,
                "civilian": 2,
                "science": 0,
                "commerce": 0,
                "guilds": 1,
            },
            {
                "military": 0,
                "treasury": 2,
                "wonder": 0,
                "civilian": 0,
                "science": 0,
                "commerce": 0,
                "guilds": 0,
            },
        ],
    )


def test_there_is_no_outcome_and_no_score_while_the_game_runs() -> None:
    story = at("giza:A", "rhodes:A", "ephesus:A", age=3, turn=6)
    assert seven_wonders.outcome(story.state) is None
    assert story.view()["scores"] is None
