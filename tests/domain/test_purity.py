"""The domain imports nothing that could tell time, throw dice or do I/O."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import domain

ROOT = Path(next(iter(domain.__path__)))
ALLOWED = {
    "collections",
    "collections.abc",
    "copy",
    "dataclasses",
    "enum",
    "functools",
    "itertools",
    "math",
    "operator",
    "re",
    "types",
    "typing",
}
ONLY_IN_CHANCE = {"hashlib", "hmac", "json"}
FORBIDDEN_CALLS = {"open", "input", "print", "exec", "eval", "__import__", "id", "hash"}
MODULES = sorted(ROOT.rglob("*.py"))


def imported(tree: ast.Module) -> Iterator[str]:
    """Every module imported anywhere in a file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_of_the_domain_is_pure(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    allowed = ALLOWED | (ONLY_IN_CHANCE if path == ROOT / "kernel" / "chance.py" else set())
    foreign = {name for name in imported(tree) if name != "domain" and not name.startswith("domain.")}
    assert foreign <= allowed
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & FORBIDDEN_CALLS


def test_there_are_modules_to_look_at() -> None:
    assert len(MODULES) > 20
    assert ROOT / "kernel" / "chance.py" in MODULES
