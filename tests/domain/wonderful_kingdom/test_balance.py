"""The report on balance: intervals, counts, and a short version of what `make balance` plays."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from domain.wonderful_kingdom import ORIGINAL
from service.statistics.figures import interval as wilson
from tools.balance.__main__ import main
from tools.balance.matches import MODES, Played, play
from tools.balance.report import Share, report


@pytest.mark.parametrize(
    ("won", "of", "low", "high"),
    [(0, 10, 0.0, 0.278), (5, 10, 0.237, 0.763), (10, 10, 0.722, 1.0), (1020, 2000, 0.488, 0.532)],
)
def test_the_interval_is_wilsons(won: float, of: int, low: float, high: float) -> None:
    """Values of Newcombe's table and of the formula by hand; of nothing nothing is known."""
    assert wilson(won, of) == pytest.approx((low, high), abs=5e-4)
    assert wilson(0, 0) == (0.0, 1.0)
    assert Share("seat 0", 1120, 2000).leans and not Share("seat 0", 1020, 2000).leans


@pytest.fixture(scope="module", params=MODES)
def played(request: pytest.FixtureRequest) -> tuple[str, list[Played]]:
    """A few matches of each mode."""
    return request.param, [play(request.param, seed) for seed in range(12)]


def test_a_report_counts_every_match_from_both_seats(played: tuple[str, list[Played]]) -> None:
    mode, matches = played
    found = report(mode, matches, ORIGINAL)
    decided = found.matches - found.without_winner
    by_name = {share.name: share for share in found.shares}
    for pair in (("seat 0", "seat 1"), ("start player", "second player")):
        assert sum(by_name[name].won for name in pair) == decided
        assert [by_name[name].of for name in pair] == [decided] * 2
    for side in "AB":
        both = [by_name[f"{duchy}, side {side}"] for duchy in ORIGINAL.duchies]
        assert sum(share.won for share in both) == both[0].of == both[1].of > 0
    sets = [share for share in found.shares if share.name.endswith(" chosen")]
    assert sum(share.of for share in sets) == (2 * decided if mode == "menaces" else 0)
    assert len(found.scores) == 24 and found.scores == sorted(found.scores)
    assert sum(found.categories.values()) == pytest.approx(found.mean)
    assert bool(found.failed) == (mode == "quests")


def test_what_is_never_completed_is_named(played: tuple[str, list[Played]]) -> None:
    mode, matches = played
    found = report(mode, matches, ORIGINAL)
    done = {kind for match in matches for kind in match.counts["completed"]}
    assert set(found.never_completed) == set(ORIGINAL.developments) - done
    completed = sum(sum(match.counts["completed"].values()) for match in matches)
    copies = sum(rate * ORIGINAL.developments[kind].copies for kind, rate in found.rates.items())
    assert copies * len(matches) == pytest.approx(completed) == pytest.approx(2 * 12 * found.developments)


def test_sides_boards_and_menace_sets_take_turns(played: tuple[str, list[Played]]) -> None:
    mode, matches = played
    assert [match.options["side"] for match in matches] == ["A", "B"] * 6
    if mode == "quests":
        assert {match.options["quest_board"] for match in matches} == set(ORIGINAL.boards)
    if mode == "menaces":
        assert len({name for match in matches for name in match.sets}) == 4


def test_the_same_number_is_the_same_match() -> None:
    assert play("quests", 3) == play("quests", 3) != play("quests", 4)


def test_the_command_prints_a_table_and_writes_json(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    done = CliRunner().invoke(main, ["--matches", "4", "--mode", "quests", "--json", str(file)])
    assert done.exit_code == 0, done.output
    assert "quests: 4 matches of easy against itself" in done.output
    (mode,) = json.loads(file.read_text())
    assert (mode["mode"], mode["matches"], len(mode["completed_a_copy_and_match"])) == (
        "quests",
        4,
        len(ORIGINAL.developments),
    )
