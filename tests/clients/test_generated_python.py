"""Python that openapi-python-client generates from the document type-checks, and plays whole matches."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service.http.conftest import Live
from tests.service.http.contract import document
from tests.service.http.running import ROOT

HERE = ROOT / "clients" / "python"
GAMES = [("seven-wonders", 3), ("its-a-wonderful-world", 2), ("its-a-wonderful-kingdom", 2)]


def run(folder: Path, *words: str) -> str:
    """What a Python program prints, run in a folder. Fails with all of it when the program does."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package and the bot that uses it. Every warning of the generator fails."""
    folder = tmp_path_factory.mktemp("generated")
    command = ["generate", "--path", str(ROOT / "openapi.yaml"), "--meta", "none", "--fail-on-warning"]
    command += ["--output-path", "wonderlog_api", "--config", str(HERE / "openapi-python-client.yaml")]
    run(folder, "-m", "openapi_python_client", *command)
    shutil.copy(HERE / "generated_bot.py", folder)
    return folder


def test_every_operation_is_a_module(generated: Path) -> None:
    operations = sum("operationId" in each for item in document()["paths"].values() for each in item.values())
    modules = [file for file in generated.glob("wonderlog_api/api/*/*.py") if file.name != "__init__.py"]
    assert len(modules) == operations


def test_a_bot_on_top_of_it_is_typed_strictly(generated: Path) -> None:
    run(generated, "-m", "mypy", "--strict", "--follow-imports", "silent", "generated_bot.py")


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_it_plays_a_whole_match(generated: Path, live: Live, game: str, seats: int) -> None:
    key = live.services.keys.create("generated").key
    told = json.loads(run(generated, "generated_bot.py", live.url, key, game, str(seats)))
    assert told == {"status": "over", "reason": "finished"}
