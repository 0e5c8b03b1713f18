"""What docs/credentials.md shows works as it stands, and again when it is repeated."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from service.scopes import SCOPES
from tests.cli.running import CLEAN, start_up
from tests.docs.test_docs import blocks, text

PAGE = "docs/credentials.md"


@pytest.mark.skipif(shutil.which("curl") is None, reason="the page calls curl")
def test_the_calls_of_the_page_work(tmp_path: Path) -> None:
    up = start_up(tmp_path / "home")
    try:
        script = "set -eu\n" + "\n".join(blocks(PAGE, "sh"))
        path = f"{Path(sys.executable).parent}:{CLEAN['PATH']}"
        surroundings = {**CLEAN, "PATH": path, "URL": up.url, "KEY": up.ready["tenant_key"]}
        for _ in range(2):
            done = subprocess.run(
                ["sh", "-c", script],
                cwd=tmp_path,
                env=surroundings,
                capture_output=True,
                text=True,
                timeout=120,
            )
            assert done.returncode == 0, done.stdout + done.stderr
            assert '"bot":"easy"' in done.stdout and '"origins":["https://play.example"]' in done.stdout
        new = json.loads((tmp_path / "rotated.json").read_text())
        assert up.get("/v1/matches", new["key"])["items"]
        (match,) = up.get("/v1/matches")["items"]
        assert match["seats"][0]["kind"] == "human" and "taken_over" not in match["seats"][0]
    finally:
        up.stop()


def test_the_page_lists_every_scope() -> None:
    page = text(PAGE)
    assert all(f"| `{scope}` |" in page for scope in SCOPES)
