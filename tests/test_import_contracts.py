"""Each import contract is broken by what it is there to forbid, and by nothing else."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RUN = "lint_imports_command"
LAYERS = "workers over service over (events | domain)"
DOMAIN = "domain: catalogue over games over what they share over kernel"
WONDERFUL = "7 Wonders owes nothing to the Wonderful kernel"
SERVICE = "service: faces over bootstrap over use cases over what they stand on"
HTTP = "HTTP libraries in the HTTP face only"
REDIS = "Redis and RQ in their adapters only"
CYCLES = "no cycles among modules that have no layers"

# What is wrong: a line added to a module (or a module made), and the contract that says so.
PROBES = {
    "7 Wonders imports Wonderful": ("domain/seven_wonders/scoring.py", "domain.wonderful.cubes", WONDERFUL),
    "events import the domain": ("events/probe.py", "domain.kernel.seats", LAYERS),
    "the domain imports events": ("domain/kernel/seats.py", "events.canonical", LAYERS),
    "the command line imports workers": ("service/cli/serving.py", "workers.main", LAYERS),
    "the kernel imports what games share": ("domain/kernel/seats.py", "domain.wonderful.cubes", DOMAIN),
    "a game imports another": ("domain/seven_wonders/scoring.py", "domain.wonderful_world.cards", DOMAIN),
    "a use case imports redis": ("service/playing.py", "redis", REDIS),
    "a use case imports flask": ("service/playing.py", "flask", HTTP),
    "a read model imports the use cases": ("service/read_models.py", "service.matches", SERVICE),
    "a module of the service has no place": ("service/helpers.py", "service.settings", SERVICE),
    "two modules need each other": ("domain/seven_wonders/cards.py", "domain.seven_wonders.state", CYCLES),
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the code, with the packages of games that are still to come."""
    for package in ("domain", "events", "service", "workers"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for module in ("wonderful/cubes", "wonderful_world/cards"):
        path = tmp_path / "domain" / f"{module}.py"
        path.parent.mkdir(exist_ok=True)
        path.touch()
        path.with_name("__init__.py").touch()
    return tmp_path


def broken(tree: Path) -> list[str]:
    """The contracts that do not hold."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"from importlinter.cli import {RUN} as run; run()", "--no-cache"],
        cwd=tree,
        env={"PYTHONPATH": str(tree), "COLUMNS": "200", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "Contracts: " in done.stdout, done.stdout + done.stderr
    return re.findall(r"^(.+) BROKEN", done.stdout, re.MULTILINE)


def test_every_contract_holds(tree: Path) -> None:
    assert broken(tree) == []


@pytest.mark.parametrize("wrong", PROBES)
def test_a_forbidden_import_breaks_the_contract_that_forbids_it(tree: Path, wrong: str) -> None:
    path, imported, contract = PROBES[wrong]
    with (tree / path).open("a") as module:
        module.write(f"\nimport {imported}\n")
    assert broken(tree) == [contract]
