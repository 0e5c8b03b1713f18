"""`wonderlog demo`: a whole match, watched and audited, with nothing left behind."""

import re
import time
from pathlib import Path

from tests.cli.running import wonderlog


def test_a_whole_match_is_played_and_every_check_holds(tmp_path: Path) -> None:
    began = time.monotonic()
    done = wonderlog("demo", TMPDIR=str(tmp_path), timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert time.monotonic() - began < 60
    assert "outcome: finished" in done.stdout
    assert done.stdout.count("\nok ") == 7
    assert "FAILED" not in done.stdout
    assert list(tmp_path.glob("wonderlog-demo-*")) == []


def test_what_is_kept_can_be_verified_and_served_again(tmp_path: Path) -> None:
    done = wonderlog("demo", "--seats", "2", "--keep", TMPDIR=str(tmp_path), timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    kept = re.search(r"Kept: (\S+)", done.stdout)
    assert kept is not None
    assert wonderlog("verify", f"{kept[1]}/match.jsonl").returncode == 0
    assert (Path(kept[1]) / "data" / "secrets.json").exists()
