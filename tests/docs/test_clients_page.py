"""The code of docs/clients.md runs: the bots in both languages, and the seat that goes on where it was."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import CLEAN, Up, start_up
from tests.clients.node import NODE
from tests.docs.test_docs import ROOT, blocks


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Up:
    running = start_up(tmp_path_factory.mktemp("clients-page") / "home")
    yield running
    running.stop()


def said(up: Up, *words: str) -> str:
    """What a program prints, run at the top of the tree. Fails with all of it when the program does."""
    path = f"{Path(sys.executable).parent}:{NODE.parent}:{os.environ['PATH']}"
    environment = {**CLEAN, "PATH": path, "URL": up.url, "KEY": up.ready["tenant_key"]}
    environment |= {"PYTHONPATH": str(ROOT / "clients" / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_example_bots_play(up: Up) -> None:
    (script,) = blocks("docs/clients.md", "sh")
    told = said(up, "sh", "-c", f"set -eu\n{script}")
    assert ": finished, ranking [[" in told and '"reason":"finished"' in told


def test_a_seat_goes_on_where_it_was(up: Up) -> None:
    (code,) = blocks("docs/clients.md", "python")
    told = said(
        up, sys.executable, "-c", f"import os\nURL, KEY = os.environ['URL'], os.environ['KEY']\n{code}"
    )
    assert told == ""
