"""The document is linted, and TypeScript generated from it type-checks and plays whole matches."""

import json
from pathlib import Path

import pytest

from tests.clients.node import run
from tests.service.http.conftest import Live


def test_the_document_is_without_a_fault_or_a_warning(project: Path) -> None:
    command = ["node_modules/@redocly/cli/bin/cli.js", "lint", "--config", "redocly.yaml"]
    told = json.loads(run(project, *command, "--format", "json", "openapi.yaml"))
    assert [(p["ruleId"], p["message"], p["location"]) for p in told["problems"]] == []


STRICT = ["--strict", "--noEmit", "--target", "es2024", "--module", "nodenext", "--skipLibCheck"]
STRICT += ["--types", "node", "--erasableSyntaxOnly", "--noImplicitOverride", "--allowImportingTsExtensions"]
CLIENTS = ["generated_bot.ts", "wonderlog_client.ts", "example_bot.ts", "faulty_bot.ts", "checks.ts"]


@pytest.mark.parametrize(
    "words",
    [["--noUncheckedIndexedAccess", *CLIENTS], ["verify_bundle.ts"]],
    ids=["the clients", "the verifier of bundles"],
)
def test_typescript_checks_strictly(project: Path, words: list[str]) -> None:
    run(project, "node_modules/typescript/bin/tsc", *STRICT, *words)


GAMES = [("seven-wonders", 3), ("its-a-wonderful-world", 2), ("its-a-wonderful-kingdom", 2)]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_the_generated_client_plays_a_whole_match(project: Path, live: Live, game: str, seats: int) -> None:
    key = live.services.keys.create("typescript").key
    told = run(project, "--no-warnings", "generated_bot.ts", live.url, key, game, str(seats))
    assert json.loads(told) == {"status": "over", "reason": "finished"}
