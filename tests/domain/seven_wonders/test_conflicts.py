"""Military conflicts at the end of an Age (7W 10)."""

import pytest

from domain import seven_wonders
from domain.kernel.table import MatchEnded
from domain.seven_wonders.commands import BuildStage, BuildStructure
from domain.seven_wonders.events import ConflictsResolved
from tests.domain.seven_wonders.tables import BOARDS, Town, Vector, at, scores, take_turn, town, vector
from tests.given_when_then import secrets

SHIELDS = {
    0: (),
    1: ("stockade",),
    2: ("walls",),
    3: ("circus",),
    5: ("circus", "walls"),
    30: ("circus",) * 10,
}


def armed(shields: int, seat: int) -> Town:
    """A city with so many shields; ten copies of one card, where no real city could have as many."""
    return town(BOARDS[seat] if BOARDS[seat] != "rhodes:A" else "olympia:A", *SHIELDS[shields])


@vector("MIL-02", "MIL-03", "MIL-04", "MIL-05", "MIL-06")
def test_vector_of_tokens(vector: Vector) -> None:
    given, expect = vector["given"], vector["expect"]
    towns = [armed(shields, seat) for seat, shields in enumerate(given["shields_clockwise"])]
    story = at(*towns, age=given["age"], turn=6, chance=secrets())
    assert [city["shields"] for city in story.view()["cities"]] == given["shields_clockwise"]
    take_turn(story).then_among(ConflictsResolved(given["age"], expect["tokens_vs_left_and_right"]))
    tokens = [city["tokens"] for city in story.view()["cities"]]
    assert [sum(won) for won in tokens] == expect["points"]
    assert [won.count(-1) for won in tokens] == expect["defeat_tokens"]


@vector("MIL-08")
def test_vector_of_the_left_and_the_right_neighbour(vector: Vector) -> None:
    given, expect = vector["given"], vector["expect"]
    towns = [armed(given[name], seat) for seat, name in enumerate(("own", "left", "right"))]
    story = take_turn(at(*towns, age=given["age"], turn=6, chance=secrets()))
    assert story.last(ConflictsResolved).tokens[0] == [expect["vs_left"], expect["vs_right"]]
    assert sum(story.city(0)["tokens"]) == expect["points"]


@vector("MIL-09")
def test_vector_of_the_extremes_of_a_game(vector: Vector) -> None:
    """Three Ages played to the end: who is always first and who is always last."""
    expect = vector["expect"]
    towns = [armed(shields, seat) for seat, shields in enumerate((30, 5, 0))]
    story = at(*towns, turn=6, chance=secrets())
    while seven_wonders.outcome(story.state) is None:
        take_turn(story)
    points = [score["military"] for score in story.view()["scores"]]
    assert (max(points), min(points)) == (expect["max_points"], expect["min_points"])
    assert story.city(2)["tokens"].count(-1) == expect["max_defeat_tokens"]
    assert story.city(0)["tokens"] == [1, 1, 3, 3, 5, 5]


@vector("MIL-10")
def test_vector_of_the_sum_of_tokens(vector: Vector) -> None:
    me = town("giza:A", tokens=vector["given"]["tokens"])
    assert scores(me, "rhodes:A", "ephesus:A")[0]["military"] == vector["expect"]["points"]


@vector("MIL-11")
def test_vector_of_shields_of_a_wonder(vector: Vector) -> None:
    """Rhodes A: stage 2 gives them, stage 1 none; they count in every conflict from then on (7W 8.1)."""
    city, expect = vector["given"]["city"], vector["expect"]
    me = town(city["wonder"], "brickyard", "clay_pool", *city["cards"], stages=city["stages"] - 1)
    hands = {0: ["altar", "baths"]}
    story = at(me, "giza:A", "ephesus:A", hands=hands, age=2, turn=6, chance=secrets())
    assert story.city(0)["shields"] == 0
    take_turn(story, {0: BuildStage("altar")})
    assert story.city(0)["shields"] == expect["shields"]
    assert story.city(0)["tokens"] == [3, 3]


def test_a_red_card_built_on_the_sixth_turn_counts() -> None:
    story = at(
        *BOARDS[:1], "olympia:A", "ephesus:A", hands={0: ["barracks", "altar"]}, turn=6, chance=secrets()
    )
    take_turn(story)
    assert story.city(0)["tokens"] == []
    me = town("rhodes:B", "altar")
    story = at(me, "olympia:A", "ephesus:A", hands={0: ["barracks", "baths"]}, turn=6, chance=secrets())
    take_turn(story, {0: BuildStructure("barracks")})
    assert story.city(0)["tokens"] == [1, 1]


@pytest.mark.parametrize(("age", "victory"), [(1, 1), (2, 3), (3, 5)])
def test_victory_is_worth_more_each_age_and_defeat_the_same(age: int, victory: int) -> None:
    """7W 10.2."""
    story = at(armed(3, 0), armed(2, 4), armed(2, 2), age=age, turn=6, chance=secrets())
    take_turn(story)
    assert [city["tokens"] for city in story.view()["cities"]] == [[victory, victory], [-1], [-1]]


def test_only_direct_neighbours_fight() -> None:
    towns = [armed(5, 0), armed(0, 4), armed(3, 2), armed(0, 3)]
    story = take_turn(at(*towns, age=3, turn=6))
    assert story.last(ConflictsResolved).tokens == [[5, 5], [-1, -1], [5, 5], [-1, -1]]


def test_shields_are_not_used_up() -> None:
    """7W 10.3."""
    story = take_turn(at(armed(3, 0), armed(0, 4), armed(0, 2), age=1, turn=6, chance=secrets()))
    assert story.city(0)["shields"] == 3


@pytest.mark.parametrize("turn", [1, 2, 3, 4, 5])
def test_there_are_no_conflicts_before_the_end_of_an_age(turn: int) -> None:
    take_turn(at(armed(3, 0), armed(0, 4), armed(0, 2), turn=turn)).then_no(ConflictsResolved, MatchEnded)
