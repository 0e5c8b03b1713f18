"""Budgets: the short version of the benchmark, held to some three times what is measured on a quiet machine.

All but the share of the bare endpoint are in calibration loops, measured in turns with the work itself, so
that a slow or busy machine does not fail them; a change that makes something three times as dear does.
"""

import json
import math
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from domain import seven_wonders
from domain.catalogue import GAMES
from domain.kernel.seats import Seat
from domain.seven_wonders.state import State
from tests.performance.lowest import lowest
from tools.bench import calibration, figures, http, log, moves, playing, store, strength
from tools.bench.__main__ import main
from tools.bench.calibration import settled
from tools.bench.recorded import story

SECONDS = 0.4


@pytest.mark.parametrize(("seats", "most"), [(2, 250), (3, 90), (5, 150), (7, 220)])
def test_a_random_match_stays_within_its_budget(seats: int, most: float) -> None:
    dice, seed = random.Random(seats), iter(range(100_000))

    def work() -> int:
        playing.playout(seats, next(seed), dice)
        return 1

    assert settled(work, SECONDS).loops < most


def test_legal_moves_of_late_positions_among_seven_stay_within_their_budget() -> None:
    def described(state: State, seat: Seat) -> None:
        for command in seven_wonders.legal_moves(state, seat):
            seven_wonders.describe(state, seat, command)

    def loops() -> tuple[float, float]:
        found = moves.timed(range(4), described)
        return found.median * found.loops_a_ms, found.p99 * found.loops_a_ms

    median, p99 = lowest(loops, (8, 60))
    assert median < 8
    assert p99 < 60


@pytest.mark.parametrize(("seats", "most"), [(3, 30), (7, 60)])
def test_folding_a_stored_match_stays_within_its_budget(seats: int, most: float) -> None:
    assert settled(log.fold(story(seats)), SECONDS).loops < most


@pytest.mark.parametrize(("seats", "most"), [(3, 1.5), (7, 3.0)])
def test_the_view_of_a_seat_stays_within_its_budget(seats: int, most: float) -> None:
    assert settled(log.view(story(seats)), SECONDS).loops < most


def test_sealing_an_event_stays_within_its_budget() -> None:
    assert settled(log.seal(story(3)), SECONDS).loops < 1.5


def test_a_decision_of_easy_stays_within_its_budget() -> None:
    def loops() -> list[float]:
        return [figure.ratio or math.inf for figure in strength.decision_times(2)]

    median, p99 = lowest(loops, (6, 60))
    assert median < 6
    assert p99 < 60


def test_a_match_is_small_in_the_store_and_loads_fast() -> None:
    def measured() -> tuple[float, float, float]:
        found = {figure.name: figure for figure in store.figures(quick=True)}
        sizes = (found[f"a match of {seats} in Valkey"].value for seats in (3, 7))
        return (*sizes, found["cold load, 3 players"].ratio or math.inf)

    of_three, of_seven, load = lowest(measured, (160, 330, 150))
    assert of_three < 160
    assert of_seven < 330
    assert load < 150


def test_accepted_commands_keep_up_with_a_bare_endpoint() -> None:
    def times_bare() -> tuple[float]:
        found = {figure.name: figure for figure in http.figures(quick=True)}
        return (1 / (found["accepted commands, fsync"].ratio or math.nan),)

    assert lowest(times_bare, (5,))[0] < 5


# The benchmark itself


def test_measuring_takes_turns_with_the_calibration_loop() -> None:
    def work() -> int:
        for _ in range(10):
            calibration.loop()
        return 10

    assert 0.5 < settled(work, SECONDS).loops < 2.0


def test_the_interval_holds_the_mean_and_narrows_with_more_deals() -> None:
    dice = random.Random(3)
    few = [dice.choice([0.0, 1 / 3, 2 / 3, 1.0]) for _ in range(30)]
    many = few * 20
    for shares in (few, many):
        low, high = strength.interval(shares)
        assert low < sum(shares) / len(shares) < high
    width_of_few = strength.interval(few)[1] - strength.interval(few)[0]
    width_of_many = strength.interval(many)[1] - strength.interval(many)[0]
    assert width_of_many < width_of_few / 3


def test_the_command_writes_its_figures_as_json(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    shown = CliRunner().invoke(main, ["--only", "playouts", "--quick", "--json", str(path)])
    assert shown.exit_code == 0, shown.output
    written = json.loads(path.read_text("utf-8"))
    assert written["machine"]["cores"] >= 1
    names = [figure["name"] for figure in written["figures"]]
    assert names[:4] == [f"random matches of {seats}" for seats in (2, 3, 5, 7)]
    assert len(names) == sum(len(playing.tables(game, (2, 3, 5, 7))) for game in GAMES.values()) == 4 + 4 + 3
    assert all(figure["ratio"] > 0 for figure in written["figures"])


def test_the_command_knows_its_sections(tmp_path: Path) -> None:
    refused = CliRunner().invoke(main, ["--only", "nothing", "--json", str(tmp_path / "figures.json")])
    assert refused.exit_code == 2
    assert "playouts" in refused.output


def test_targets_say_whether_they_are_met() -> None:
    assert figures.at_least(98.0, 97.0, " %") == {"target": "≥ 97 %", "met": True}
    assert figures.at_most(11.0, 10.0, " ms") == {"target": "≤ 10 ms", "met": False}
