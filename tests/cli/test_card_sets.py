"""A card set of one's own behind real processes: played with bots, audited; refused where it is missing."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from service import card_sets
from tests.cli.running import Up, play, seated, start_up, wonderlog

ROOT = Path(__file__).parents[2]
SECOND = ROOT / "tests" / "data" / "wonderful_kingdom" / "second_set"
GAME = "its-a-wonderful-kingdom"
VARIABLE = "WONDERLOG_KINGDOM_CARDS"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "home"


def test_matches_with_a_set_of_ones_own_from_set_up_to_audit(home: Path, tmp_path: Path) -> None:
    cards = card_sets.load(SECOND)
    up = start_up(home, **{VARIABLE: str(SECOND)})
    try:
        match, token = seated(up, "own", 2, "easy", GAME, {"mode": "quests"})
        ruleset = up.get(f"/v1/matches/{match}")["ruleset"]
        assert ruleset == f"its-a-wonderful-kingdom/1.0.0+{cards.pin}"
        view = play(up, match, token)
        assert view["outcome"]["reason"] == "finished"
        running, its_token = seated(up, "runs", 2, "easy", GAME, {"mode": "menaces"})
        seen = play(up, running, its_token, turns=5)
        file = exported(up, match, tmp_path / "own.jsonl")
        described = up.get(f"/v1/games/{GAME}")
        assert described["ruleset"] == ruleset and len(described["rulesets"]) == 2
        assert {card["id"] for card in described["cards"]} == set(cards.kinds)
        shown = wonderlog("replay", match, "--json", "--data", str(home))
        assert json.loads(shown.stdout)["version"] == view["version"]
    finally:
        up.stop()

    # The log is whole whatever is here; to fold and decide it again takes the cards.
    assert wonderlog("verify", str(file)).returncode == 0
    for command in ("audit", "replay"):
        alone = wonderlog(command, str(file))
        assert alone.returncode == 1 and ruleset in alone.stderr and VARIABLE in alone.stderr
        with_cards = wonderlog(command, str(file), **{VARIABLE: str(SECOND)})
        assert with_cards.returncode == 0, with_cards.stderr

    # Without the folder the service says so of these matches, and plays others with the original set.
    without = start_up(home)
    try:
        for id in (match, running):
            refused = requests.get(
                f"{without.url}/v1/matches/{id}/view",
                headers={"Authorization": f"Bearer {without.ready['tenant_key']}"},
                timeout=30,
            )
            assert (refused.status_code, refused.json()["code"]) == (409, "ruleset-unsupported")
            assert ruleset in refused.json()["detail"]
        refused = requests.get(f"{without.url}/v1/matches/{running}/legal-moves", timeout=30)
        assert refused.status_code == 401
        other, other_token = seated(without, "other", 2, "random", GAME)
        assert play(without, other, other_token, turns=5)["status"] == "running"
    finally:
        without.stop()

    # The folder is back, and so are the matches.
    again = start_up(home, **{VARIABLE: str(SECOND)})
    try:
        before = again.get(f"/v1/matches/{running}/view?version={seen['version']}", its_token)
        assert before["state"] == seen["state"]
        for id, its in ((running, its_token), (other, other_token)):
            version = again.get(f"/v1/matches/{id}")["version"]
            assert play(again, id, its, turns=5)["version"] > version
    finally:
        again.stop()


def exported(up: Up, match: str, file: Path) -> Path:
    """The bundle of a match."""
    done = wonderlog("export", match, "-o", str(file), "--data", str(up.home))
    assert done.returncode == 0, done.stderr
    return file


def test_no_process_starts_on_a_folder_that_is_no_card_set(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(SECOND, folder)
    (folder / "quest_boards.json").unlink()
    said = f"{VARIABLE}: mine/quest_boards.json is missing"
    environment = {
        VARIABLE: str(folder),
        "WONDERLOG_SERVER_SECRET": "00" * 32,
        "WONDERLOG_BIND": "127.0.0.1:0",
    }
    for command in (("up", "--data", str(home), "--port", "0"), ("work",), ("serve",)):
        refused = wonderlog(*command, **environment)
        assert refused.returncode not in (0, None) and said in refused.stderr, (command, refused.stderr)
    bundle = tmp_path / "empty.jsonl"
    bundle.write_text("")
    assert wonderlog("audit", str(bundle), **environment).returncode == 1
