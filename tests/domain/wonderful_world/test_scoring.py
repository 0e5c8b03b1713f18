"""The four parts of the score, ties, shared victory (rules 9)."""

from typing import Any

from domain import wonderful_world
from domain.wonderful.commands import Validate
from domain.wonderful_world.events import PointsCounted
from tests.domain.wonderful_world.tables import Land, Vector, board, planning, producing, total, vectors


def land_of(facts: dict[str, Any]) -> Land:
    return Land(
        facts["empire"],
        facts["constructed"],
        {kind: {} for kind in facts["under_construction"]},
        (),
        0,
        facts["krystallium"],
        facts["financiers"],
        facts["generals"],
    )


@vectors("scoring")
def test_the_score_of_a_board(vector: Vector) -> None:
    other = Land("aztec_empire")
    table = producing(
        "exploration", [0, 0], land_of(vector["given"]), other, side=vector["given"]["side"], round=4
    )
    assert total(board(table)["points"]) == vector["then"]
    table.when(0, Validate()).when(1, Validate())
    assert total(table.last(PointsCounted).scores[0]) == vector["then"]


@vectors("tie_break")
def test_the_winners_of_a_match(vector: Vector) -> None:
    seats = vector["given"]
    boards = [
        Land("aztec_empire", seat["constructed"], financiers=seat["financiers"], generals=seat["generals"])
        for seat in seats
    ]
    table = producing("exploration", [0, 0], *boards, side="B", round=4)
    for seat in range(len(seats)):
        table.when(seat, Validate())
    outcome = wonderful_world.outcome(table.state)
    assert outcome is not None
    assert [sum(scores.values()) for scores in outcome.scores] == [seat["total"] for seat in seats]
    assert outcome.ranking[0] == vector["then"]["winners"]


def test_more_cards_win_a_tie_over_more_characters() -> None:
    cards = Land("aztec_empire", ["harbor_zone", "museum"])
    characters = Land("aztec_empire", ["zeppelin"], financiers=2)
    table = producing("exploration", [0, 0], characters, cards, side="B", round=4)
    table.when(0, Validate()).when(1, Validate())
    outcome = wonderful_world.outcome(table.state)
    assert outcome is not None
    assert [sum(scores.values()) for scores in outcome.scores] == [2, 2]
    assert outcome.ranking == [[1], [0]]


def test_there_is_no_outcome_while_the_game_runs() -> None:
    table = planning(Land(), Land())
    assert wonderful_world.outcome(table.state) is None
    assert wonderful_world.outcome(wonderful_world.initial()) is None


def test_a_pair_scores_for_the_element_there_is_fewer_of() -> None:
    table = planning(
        Land("aztec_empire", ["utopia", "museum", "polar_base", "roswell", "atlantis"]), Land(), side="B"
    )
    assert board(table)["points"]["combo"] == 12 * 2 + 2 * 2 + 2 * 2


def test_a_character_spent_on_a_card_does_not_score() -> None:
    table = planning(Land(financiers=2, building={"giant_tower": {"financier": 1}}), Land())
    assert board(table)["points"]["financiers"] == 2 * 2
