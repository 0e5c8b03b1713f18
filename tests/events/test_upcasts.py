"""Every shape of an event that was ever released still loads.

`tests/events/old/<folder>/<any name>.json` holds one stored event each: `{"type", "schema", "data"}`. The
folder names whose it is: `match` for events of the table, `sample` for those of the tests, else a package of
`domain`.
"""

import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from events.codec import encode, read

OLD = Path(__file__).parent / "old"
DOMAIN = Path(__file__).parents[2] / "domain"
SAMPLES = sorted(OLD.glob("*/*.json"))


def owner(folder: str) -> ModuleType:
    """The module that binds EVENTS and UPCASTS."""
    known = {"match": "domain.kernel.table", "sample": "tests.events.sample_game"}
    return importlib.import_module(known.get(folder, f"domain.{folder}"))


def owners() -> list[str]:
    """The folders there may be: the table, the sample, and every package of `domain` that is a game."""
    games = [path.parent.name for path in DOMAIN.glob("*/__init__.py")]
    return ["match", "sample", *(name for name in games if hasattr(owner(name), "EVENTS"))]


def sample(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    assert found.keys() == {"type", "schema", "data"}
    return found


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_an_old_shape_loads(path: Path) -> None:
    module, old = owner(path.parent.name), sample(path)
    event = read(module.EVENTS, module.UPCASTS, old["type"], old["schema"], old["data"])
    newest = module.EVENTS[old["type"]]
    assert type(event) is newest.cls
    assert read(module.EVENTS, module.UPCASTS, old["type"], newest.schema, encode(event)) == event


@pytest.mark.parametrize("folder", owners())
def test_every_older_schema_has_an_upcast_and_a_sample(folder: str) -> None:
    module = owner(folder)
    kept = {(old["type"], old["schema"]) for old in map(sample, (OLD / folder).glob("*.json"))}
    older = {(name, schema) for name, kind in module.EVENTS.items() for schema in range(1, kind.schema)}
    assert module.UPCASTS.keys() == older
    assert kept >= older


def test_there_is_a_sample_that_needs_an_upcast() -> None:
    assert {path.stem for path in SAMPLES} >= {"structure_built.1", "structure_built.2"}
