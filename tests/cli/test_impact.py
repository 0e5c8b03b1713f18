"""`wonderlog audit --ruleset`: files in parallel, drafts, the report for people and for programs."""

import json
from pathlib import Path

import pytest

from domain import seven_wonders, wonderful_world
from tests.cli.conftest import Finished
from tests.cli.running import Up, wonderlog
from tests.rulesets import finished as matches

ROOT = Path(__file__).parents[2]
DEARER = "tests.rulesets.dearer:GAME"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two matches of 7 Wonders and one of another game, as bundles."""
    folder = tmp_path_factory.mktemp("bundles")
    tables = ((seven_wonders, 3, 5), (seven_wonders, 4, 6), (wonderful_world, 2, 7))
    made = []
    for number, (game, seats, seed) in enumerate(tables):
        path = folder / f"{number}.jsonl"
        path.write_bytes(b"".join(matches.lines(game, matches.records(game, seats, seed))))
        made.append(str(path))
    return made


def test_many_files_are_decided_again_under_their_own_rules(files: list[str]) -> None:
    done = wonderlog("audit", *files, "--processes", "2")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("3 matches, ") and ": 3 as recorded, 0 not." in done.stdout


def test_a_draft_is_reported_by_rule_and_other_games_are_skipped(files: list[str]) -> None:
    done = wonderlog("audit", "--ruleset", DEARER, "--json", *files, PYTHONPATH=str(ROOT))
    assert done.returncode == 1, done.stderr
    said = json.loads(done.stdout)
    assert (said["matches"], said["same"], said["different"]) == (2, 0, 2)
    assert [(rule["kind"], rule["subject"], rule["matches"]) for rule in said["rules"]] == [
        ("changed", "seven_wonders.card_discarded", 2)
    ]
    assert [first["match"] for first in said["rules"][0]["first"]] == files[:2]
    assert said["skipped"] == [{"match": files[2], "reason": "it is a match of its-a-wonderful-world"}]


def test_the_report_in_words_names_rule_file_and_event(files: list[str]) -> None:
    draft = "tests.rulesets.stricter:NEITHER"
    done = wonderlog("audit", "--ruleset", draft, *files, "--processes", "1", PYTHONPATH=str(ROOT))
    assert done.returncode == 1, done.stderr
    assert ": 0 as recorded, 2 not." in done.stdout
    assert "refused " in done.stdout and f"{files[0]}: event " in done.stdout
    assert "skipped: 1" in done.stdout


def test_a_damaged_file_is_named_and_the_others_are_decided(files: list[str], tmp_path: Path) -> None:
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(Path(files[0]).read_bytes()[:-2000])
    done = wonderlog("audit", str(torn), files[1])
    assert done.returncode == 1
    assert "1 as recorded" in done.stdout
    assert f"unreadable: 1\n  {torn}: line " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--ruleset", "seven-wonders/9.9.9"], "there is no ruleset seven-wonders/9.9.9 here"),
        (["--ruleset", "json:loads"], "json:loads is no game: it lacks "),
        (["--ruleset", "no_such_module:GAME"], "no_such_module:GAME: "),
        (["--stored"], "give either FILES or --stored"),
    ],
)
def test_what_cannot_be_done_is_said(files: list[str], arguments: list[str], said: str) -> None:
    done = wonderlog("audit", *arguments, files[0])
    assert done.returncode in (1, 2)
    assert said in done.stderr and "Traceback" not in done.stderr


def test_the_workers_of_a_service_decide_its_own_matches(server: Up, finished: Finished) -> None:
    done = wonderlog("audit", "--stored", "--json", "--data", str(server.home))
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["same"] >= 1 and said["different"] == 0
    assert finished.id not in {match["match"] for match in said["skipped"]}
    only = wonderlog(
        "audit", "--stored", "--ruleset", "its-a-wonderful-world/1.0.0", "--data", str(server.home)
    )
    assert only.returncode == 0 and f"{finished.id}: it is a match of seven-wonders" in only.stdout
    draft = wonderlog("audit", "--stored", "--ruleset", DEARER, "--data", str(server.home))
    assert draft.returncode == 2 and "no draft" in draft.stderr
