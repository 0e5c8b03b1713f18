"""The ranking: points, then coins, then shared (7W 11.8)."""

from typing import Any

from domain import seven_wonders
from tests.domain.seven_wonders.tables import Town, Vector, ended, town, vectors

BOARDS = ("giza:A", "rhodes:A", "ephesus:A")


def rated(board: str, points: int, coins: int) -> Town:
    """A city worth so many points with so many coins; the rest of the points are tokens."""
    return town(board, "loom_age1", coins=coins, tokens=[points - coins // 3])


def ranks(players: list[dict[str, Any]]) -> list[int]:
    """Everybody's rank; with two players the Free City takes no part."""
    towns = [rated(board, **player) for board, player in zip(BOARDS, players, strict=False)]
    if len(towns) == 2:
        towns.append(rated(BOARDS[2], 99, 99))
    story = ended(*towns, seats=len(players), pile=["altar"])
    outcome = seven_wonders.outcome(story.state)
    assert outcome is not None
    assert [sum(score.values()) for score in outcome.scores] == [player["points"] for player in players]
    return [
        1 + sum(len(group) for group in outcome.ranking[:place])
        for seat in range(len(players))
        for place, group in enumerate(outcome.ranking)
        if seat in group
    ]


@vectors("ranking")
def test_vector(vector: Vector) -> None:
    players = vector["given"]["players"]
    assert ranks(players) == vector["expect"]["ranks"]
    assert ranks(players[::-1]) == vector["expect"]["ranks"][::-1]


def test_more_points_win_whatever_the_coins() -> None:
    players = [{"points": 30, "coins": 0}, {"points": 29, "coins": 60}, {"points": 31, "coins": 1}]
    assert ranks(players) == [2, 3, 1]


def test_coins_below_a_point_decide_a_tie() -> None:
    """Coins are not spent when they are counted."""
    players = [{"points": 40, "coins": 4}, {"points": 40, "coins": 5}, {"points": 40, "coins": 3}]
    assert ranks(players) == [2, 1, 3]


def test_a_shared_second_place() -> None:
    players = [{"points": 10, "coins": 1}, {"points": 20, "coins": 1}, {"points": 10, "coins": 1}]
    assert ranks(players) == [2, 1, 2]
    story = ended(*(rated(board, **player) for board, player in zip(BOARDS, players, strict=True)))
    outcome = seven_wonders.outcome(story.state)
    assert outcome is not None and outcome.ranking == [[1], [0, 2]]
