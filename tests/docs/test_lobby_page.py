"""What docs/lobby.md shows works as it stands."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from service.http.schemas import MatchesQuery
from tests.cli.running import CLEAN, start_up
from tests.docs.test_docs import blocks, text

PAGE = "docs/lobby.md"


@pytest.mark.skipif(shutil.which("curl") is None, reason="the page calls curl")
def test_the_calls_of_the_page_work(tmp_path: Path) -> None:
    up = start_up(tmp_path / "home")
    try:
        script = "set -eu\n" + "\n".join(blocks(PAGE, "sh"))
        path = f"{Path(sys.executable).parent}:{CLEAN['PATH']}"
        surroundings = {**CLEAN, "PATH": path, "URL": up.url, "KEY": up.ready["tenant_key"]}
        done = subprocess.run(
            ["sh", "-c", script],
            cwd=tmp_path,
            env=surroundings,
            capture_output=True,
            text=True,
            timeout=180,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "\nrunning\n" in done.stdout, "the match that waits for Ann"
        assert "\nmatched\nst_\n" in done.stdout and done.stdout.endswith("mat_\n")
        items = up.get("/v1/matches")["items"]
        assert [each["status"] for each in items] == ["lobby", "lobby", "running", "lobby", "over"]
        new, old = items[3:]
        assert (old["rematch"], new["rematch_of"]) == (new["id"], old["id"])
        assert [seat["kind"] for seat in new["seats"]] == ["open", "human"]
    finally:
        up.stop()


def test_the_page_lists_every_filter() -> None:
    rows = [line.partition(" | ")[0] for line in text(PAGE).splitlines() if line.startswith("| `")]
    named = {name.partition("=")[0] for row in rows for name in row.split("`")[1::2]}
    assert named >= set(MatchesQuery().fields) - {"limit", "cursor"}
