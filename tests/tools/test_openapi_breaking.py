"""What breaks a client of an older document is found, what a client has to bear is not."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools.openapi_breaking import documents, release
from tools.openapi_breaking.__main__ import ROOT, faults, last_release
from tools.openapi_breaking.operations import breaks

Node = dict[str, Any]


def document() -> Node:
    """A small document with a bit of everything."""
    return {
        "info": {"x-api-version": "2026-01-01"},
        "security": [{"Key": []}],
        "paths": {
            "/things/{id}": {
                "parameters": [{"in": "path", "name": "id", "required": True, "schema": {"type": "string"}}],
                "get": {
                    "operationId": "getThing",
                    "parameters": [{"in": "query", "name": "part", "schema": {"type": "string"}}],
                    "responses": {
                        "200": {
                            "headers": {"ETag": {"schema": {"type": "string"}}},
                            "content": {
                                "application/json": {"schema": {"$ref": "#/components/schemas/Thing"}},
                                "text/html": {"schema": {"type": "string"}},
                            },
                        },
                        "410": {"content": {}},
                    },
                },
                "post": {
                    "operationId": "changeThing",
                    "security": [{"Key": []}, {"Seat": []}],
                    "requestBody": {
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Change"}}}
                    },
                    "responses": {"204": {}},
                },
            }
        },
        "webhooks": {
            "thing.changed": {
                "post": {
                    "requestBody": {
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}
                    }
                }
            }
        },
        "components": {
            "schemas": {
                "Thing": {
                    "type": "object",
                    "required": ["id", "kind"],
                    "properties": {
                        "id": {"type": "string", "maxLength": 20},
                        "kind": {"type": "string", "enum": ["red", "blue"]},
                        "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}},
                        "end": {"anyOf": [{"$ref": "#/components/schemas/End"}, {"type": "null"}]},
                    },
                },
                "End": {"type": "object", "properties": {"why": {"type": "string"}}},
                "Change": {
                    "oneOf": [{"$ref": "#/components/schemas/Paint"}, {"$ref": "#/components/schemas/Move"}],
                    "discriminator": {
                        "propertyName": "type",
                        "mapping": {
                            "paint": "#/components/schemas/Paint",
                            "move": "#/components/schemas/Move",
                        },
                    },
                },
                "Paint": {
                    "type": "object",
                    "required": ["type"],
                    "additionalProperties": False,
                    "properties": {
                        "type": {"type": "string", "enum": ["paint"]},
                        "colour": {"type": "string", "enum": ["red", "blue"]},
                        "coats": {"type": "integer", "minimum": 1, "maximum": 9},
                        "note": {"type": "string", "maxLength": 80, "pattern": "^[a-z]*$"},
                    },
                },
                "Move": {
                    "type": "object",
                    "required": ["type"],
                    "properties": {
                        "type": {"type": "string", "enum": ["move"]},
                        "by": {"type": "integer"},
                        "to": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
                    },
                    "if": {"required": ["by"]},
                    "then": {"not": {"required": ["to"]}},
                },
            }
        },
    }


PATH = "/things/{id}"


def _at(root: Node, *steps: str) -> Any:
    for step in steps:
        root = root[step]
    return root


def _schema(root: Node, name: str, *members: str) -> Any:
    found = root["components"]["schemas"][name]
    for member in members:
        found = found["properties"][member]
    return found


def _set(*steps: str, to: object) -> Callable[[Node], None]:
    def change(root: Node) -> None:
        _at(root, *steps[:-1])[steps[-1]] = to

    return change


def _drop(*steps: str) -> Callable[[Node], None]:
    def change(root: Node) -> None:
        del _at(root, *steps[:-1])[steps[-1]]

    return change


def _of(name: str, *members: str, **words: object) -> Callable[[Node], None]:
    """Words of a schema, set; `None` drops one."""

    def change(root: Node) -> None:
        schema = _schema(root, name, *members)
        schema.update(words)
        for word in [word for word, value in words.items() if value is None]:
            del schema[word]

    return change


def _member(name: str, member: str, schema: Node | None) -> Callable[[Node], None]:
    def change(root: Node) -> None:
        members = _schema(root, name)["properties"]
        if schema is None:
            del members[member]
        else:
            members[member] = schema

    return change


def _parameter(**words: object) -> Callable[[Node], None]:
    def change(root: Node) -> None:
        root["paths"][PATH]["get"]["parameters"].append({"in": "query", "schema": {}, **words})

    return change


GET, POST = ("paths", PATH, "get"), ("paths", PATH, "post")
BREAKS = [
    (_drop("paths", PATH), f"GET {PATH}: removed"),
    (_drop(*POST), f"POST {PATH}: removed"),
    (_drop("webhooks", "thing.changed"), "webhook thing.changed: removed"),
    (_set(*GET, "operationId", to="other"), f"GET {PATH}: operationId changed"),
    (_set(*GET, "parameters", to=[]), f"GET {PATH} query part: removed"),
    (_parameter(name="new", required=True), f"GET {PATH} query new: added and required"),
    (_drop(*GET, "responses", "200"), f"GET {PATH} 200: removed"),
    (_drop(*GET, "responses", "200", "headers", "ETag"), f"GET {PATH} 200 header ETag: removed"),
    (_drop(*GET, "responses", "200", "content", "text/html"), f"GET {PATH} 200 text/html: removed"),
    (_set(*POST, "security", to=[{"Key": []}]), f"POST {PATH}: Seat is no longer enough"),
    (_set(*GET, "security", to=[{"Seat": []}]), f"GET {PATH}: Key is no longer enough"),
    (_set(*POST, "requestBody", "required", to=True), f"POST {PATH} body: became required"),
    (_member("Thing", "id", None), "Thing.id: removed"),
    (_of("Thing", required=["kind"]), "Thing.id: no longer always there"),
    (_of("Thing", "id", type="integer"), "Thing.id: type string became integer"),
    (_of("Thing", "id", type=["string", "null"]), "Thing.id: type string became null|string"),
    (_of("Thing", "kind", enum=["green"]), "Thing.kind: none of the values it had is left"),
    (_member("End", "why", None), "End.why: removed"),
    (_of("Thing", "end", anyOf=[{"type": "string"}]), "Thing.end: may now be string"),
    (_member("Paint", "note", None), "Paint (sent).note: removed"),
    (_of("Paint", required=["type", "colour"]), "Paint (sent).colour: became required"),
    (_of("Paint", "colour", enum=["red"]), 'Paint (sent).colour: value "blue" removed'),
    (_of("Paint", "coats", maximum=8), "Paint (sent).coats: maximum 9 became 8"),
    (_of("Paint", "coats", minimum=2), "Paint (sent).coats: minimum 1 became 2"),
    (_of("Paint", "note", maxLength=79), "Paint (sent).note: maxLength 80 became 79"),
    (_of("Paint", "note", pattern="^x$"), "Paint (sent).note: pattern changed"),
    (_of("Move", "by", maximum=5), "Move (sent).by: maximum none became 5"),
    (_of("Move", additionalProperties=False), "Move (sent): further members are no longer allowed"),
    (_of("Move", "to", oneOf=[{"type": "string"}]), "Move (sent).to: may no longer be integer"),
    (_of("Move", "by", type="string"), "Move (sent).by: type integer became string"),
    (_of("Move", then={"required": ["to"]}), "Move (sent): a condition was added or changed"),
    (_of("Paint", allOf=[{"not": {"required": ["note"]}}]), "Paint (sent): a condition was added or changed"),
    (
        _drop("components", "schemas", "Change", "discriminator", "mapping", "move"),
        "Change (sent)<move>: removed",
    ),
]
BORNE = [
    _parameter(name="new"),
    _set("paths", "/others", to={"get": {"responses": {}}}),
    _set(*GET, "responses", "404", to={"content": {}}),
    _drop(*GET, "responses", "410"),
    _member("Thing", "size", {"type": "integer"}),
    _of("Thing", "kind", enum=["red", "blue", "green"]),
    _of("Thing", "id", maxLength=40),
    _of("Thing", required=["id", "kind", "parts"]),
    _of("Paint", "colour", enum=["red", "blue", "green"]),
    _of("Paint", "coats", maximum=10, minimum=0),
    _of("Paint", "note", pattern=None, maxLength=None),
    _of("Paint", "note", type=["string", "null"]),
    _member("Paint", "gloss", {"type": "boolean"}),
    _member("Paint", "coats", {"type": "number", "minimum": 1, "maximum": 9}),
    _of("Paint", required=[]),
    _of("Move", **{"if": None, "then": None}),
    _of("Move", allOf=[{"if": {"required": ["pace"]}, "then": {"required": ["to"]}}]),
    _of("Move", then={"not": {"required": ["to"]}, "allOf": [{"not": {"required": ["pace"]}}]}),
    _of("Paint", allOf=[{"not": {"properties": {"colour": {"enum": ["green"]}}, "required": ["colour"]}}]),
    _of("Paint", description="With a brush."),
]


@pytest.mark.parametrize(("change", "said"), BREAKS, ids=[said for _, said in BREAKS])
def test_a_break_is_found_and_only_that(change: Callable[[Node], None], said: str) -> None:
    later = document()
    change(later)
    found = breaks(documents.of(document()), documents.of(later))
    allowed = {said, f"POST {PATH}: removed"} if said == f"GET {PATH}: removed" else {said}
    assert said in found and set(found) <= allowed


@pytest.mark.parametrize("number", range(len(BORNE)))
def test_what_a_client_has_to_bear_is_no_break(number: int) -> None:
    later = document()
    BORNE[number](later)
    assert later != document()
    assert breaks(documents.of(document()), documents.of(later)) == []


CHANGELOG = """# Changelog

## [Unreleased]

### Breaking

* No more `Thing.id: removed`
"""


def test_a_break_has_to_be_declared_and_nothing_else() -> None:
    old, later = document(), document()
    _member("Thing", "id", None)(later)
    later["info"]["x-api-version"] = "2026-02-01"
    pair = documents.of(old), documents.of(later)
    assert faults(*pair, CHANGELOG) == []
    for text in ("", CHANGELOG.replace("Breaking", "Added"), CHANGELOG.replace("Unreleased", "1.0.0")):
        assert faults(*pair, text) == ["not declared under Breaking in CHANGELOG.md: `Thing.id: removed`"]
    assert faults(pair[0], pair[0], CHANGELOG) == ["declared, but no break: `Thing.id: removed`"]


def test_a_change_of_any_kind_needs_a_later_date() -> None:
    later = document()
    _member("Thing", "size", {"type": "integer"})(later)
    assert faults(documents.of(document()), documents.of(later), "") == [
        "the contract changed and is still of 2026-01-01: set CONTRACT in versioning.py"
    ]
    told = copy.deepcopy(document())
    _of("Thing", description="A thing.", example={"id": "x"})(told)
    assert faults(documents.of(document()), documents.of(told), "") == []


def test_what_is_kept_of_a_release_is_what_binds(tmp_path: Path) -> None:
    kept = documents.read(release.main(ROOT / "openapi.yaml", "9.10.0", tmp_path))
    now = documents.read(ROOT / "openapi.yaml")
    assert breaks(kept, now) == breaks(now, kept) == []
    assert faults(kept, now, "") == []
    with pytest.raises(FileExistsError):
        release.main(ROOT / "openapi.yaml", "9.10.0", tmp_path)
    (tmp_path / "openapi-9.9.0.yaml").touch()
    assert last_release(tmp_path).name == "openapi-9.10.0.yaml"
    with pytest.raises(ValueError, match="no openapi-"):
        last_release(tmp_path / "nowhere")


def test_an_operation_taken_away_from_the_real_document_is_noticed() -> None:
    now = documents.read(ROOT / "openapi.yaml")
    for path in list(now.root["paths"])[::8]:
        less = {**now.root, "paths": {k: v for k, v in now.root["paths"].items() if k != path}}
        assert any(path in each for each in breaks(now, documents.of(less)))
