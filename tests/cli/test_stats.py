"""`wonderlog stats` over a running service: shown, as CSV, as JSON, rebuilt."""

import csv
import json
from pathlib import Path

from tests.cli.conftest import Finished
from tests.cli.running import Up, wonderlog


def test_a_finished_match_is_counted_shown_exported_and_counted_again(
    server: Up, finished: Finished, tmp_path: Path
) -> None:
    at = ("--data", str(server.home))
    done = wonderlog("stats", *at, "rebuild")
    assert done.returncode == 0, done.stderr
    looked, counted = (int(word) for word in done.stdout.split() if word.isdigit())
    assert looked >= counted >= 1

    first = wonderlog("stats", *at, "--json")
    assert first.returncode == 0, first.stderr
    (report,) = [each for each in json.loads(first.stdout) if each["game"] == "seven-wonders"]
    assert report["matches"] >= 1 and report["draws"]["otherwise"] == 0
    players = {row["player"] for row in report["results"]}
    assert {"person", "bot:random"} <= players

    shown = wonderlog("stats", *at, "--game", "seven-wonders", "--seats", "3", COLUMNS="200")
    assert shown.returncode == 0, shown.stderr
    assert "Results by seat and player" in shown.stdout and "bot:random" in shown.stdout

    folder = tmp_path / "tables"
    written = wonderlog("stats", *at, "--game", "seven-wonders", "--csv", str(folder))
    assert written.returncode == 0, written.stderr
    names = {path.name for path in folder.iterdir()}
    assert {f"seven-wonders-{name}.csv" for name in ("results", "boards", "cards", "picks")} <= names
    with (folder / "seven-wonders-results.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(report["results"])
    assert {row["player"] for row in rows} == players
    assert sum(int(row["played"]) for row in rows) == sum(row["played"] for row in report["results"])

    again = wonderlog("stats", *at, "rebuild")
    assert again.stdout == done.stdout
    assert wonderlog("stats", *at, "--json").stdout == first.stdout


def test_what_there_is_not_is_said(server: Up) -> None:
    at = ("--data", str(server.home))
    unknown = wonderlog("stats", *at, "--game", "chess")
    assert unknown.returncode == 1 and "there is no game chess" in unknown.stderr
    nobody = wonderlog("stats", *at, "--tenant", "nobody")
    assert nobody.returncode == 0 and "No finished public match" in nobody.stdout
