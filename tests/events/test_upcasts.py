"""Every shape of an event that was ever released still loads.

`tests/events/old/<folder>/<any name>.json` holds one stored event each: `{"type", "schema", "data"}`. The
folder names whose it is: `match` for events of the table, `sample` for those of the tests, else a package of
`domain`.
"""

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from events.codec import encode, read
from tests.events import record_old

OLD = Path(__file__).parent / "old"
DOMAIN = Path(__file__).parents[2] / "domain"
SAMPLES = sorted(OLD.glob("*/*.json"))


def owner(folder: str) -> Any:
    """The module, or the game, that binds EVENTS and UPCASTS."""
    known = {"match": "domain.kernel.table", "sample": "tests.events.sample_game"}
    module = importlib.import_module(known.get(folder, f"domain.{folder}"))
    return getattr(module, "GAME", module)  # a game that is bound to a card set


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


@pytest.mark.parametrize("folder", [folder for folder in owners() if folder != "sample"])
def test_every_event_has_a_sample_of_its_present_shape(folder: str) -> None:
    """`python -m tests.events.record_old` writes those of new events, and never over an old one."""
    missing = [
        f"{name} {schema}"
        for name, schema in record_old.current().items()
        if record_old.folder_of(name) == folder and not record_old.path_of(name, schema).exists()
    ]
    assert missing == []


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_is_written_under_a_number_is_read_as_it_is(path: Path) -> None:
    """A shape may get members with defaults; what there was means what it meant, or the number is another."""
    module, old = owner(path.parent.name), sample(path)
    if old["schema"] == module.EVENTS[old["type"]].schema:
        event = read(module.EVENTS, module.UPCASTS, old["type"], old["schema"], old["data"])
        now = encode(event)
        assert {name: now[name] for name in old["data"]} == old["data"]


def test_the_folders_are_the_table_the_sample_and_every_game() -> None:
    games = {folder for name in record_old.current() if (folder := record_old.folder_of(name)) != "match"}
    assert games == {"seven_wonders", "wonderful_world", "wonderful_kingdom"}
    assert set(owners()) == {path.name for path in OLD.iterdir()} == {"match", "sample", *games}


def test_nothing_is_written_over_a_sample(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(record_old, "OLD", tmp_path)
    monkeypatch.setattr(record_old, "current", lambda: {"match.time_added": 1, "match.token_eaten": 1})
    kept = record_old.path_of("match.time_added", 1)
    assert record_old.main() == 1, "an event that is nowhere to be found is said"
    first = kept.read_text()
    kept.write_text(first.replace("60000", "61000"))
    assert record_old.main() == 1
    assert kept.read_text() != first
    assert [path.name for path in tmp_path.rglob("*.json")] == ["time_added.1.json"]


def test_there_is_a_sample_that_needs_an_upcast() -> None:
    assert {path.stem for path in SAMPLES} >= {"structure_built.1", "structure_built.2"}
