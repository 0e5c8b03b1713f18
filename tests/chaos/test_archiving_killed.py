"""Processes that archive a match, bring it back or remove it are killed (SIGKILL) at every line that does it.

The match is never in neither place, and never another by a byte: see `archiving_steps`, which forks a process
for each line and therefore runs in one of its own.
"""

import json
import subprocess
import sys
from pathlib import Path

from tests.embedded import start_valkey
from tests.service.http.running import ROOT


def test_a_match_is_never_in_neither_place_and_never_another_by_a_byte(tmp_path: Path) -> None:
    with start_valkey() as server:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-m", "tests.chaos.archiving_steps", server.url, str(tmp_path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=600,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    counts = json.loads(done.stdout)
    assert (
        counts["archive"] > 50 and counts["restore"] > 30 and counts["write"] > 30 and counts["remove"] > 15
    )
