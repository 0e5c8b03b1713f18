"""The OpenAPI document: the committed one is the generated one, and generators can work with it."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from domain.catalogue import GAMES
from domain.kernel import table
from service.games import PUBLIC_TABLE_COMMANDS
from service.http import examples as examples_module
from service.http import openapi
from service.http.catalogue import CATALOGUE
from service.webhooks.notices import TYPES
from tests.clients.node import NODE
from tests.service.http import record_examples
from tests.service.http.conftest import Api
from tests.service.http.contract import document, misfits, resolved

ROOT = Path(__file__).parents[3]
METHODS = ("get", "post", "put", "patch", "delete")
DOCUMENT = document()
SCHEMAS = DOCUMENT["components"]["schemas"]
OPERATIONS = {
    operation["operationId"]: operation
    for item in DOCUMENT["paths"].values()
    for method, operation in item.items()
    if method in METHODS
}


def nodes(node: Any, place: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of the document with its place; not what stands in examples."""
    if isinstance(node, dict):
        yield place, node
        for name, inner in node.items():
            if name not in ("example", "examples", "default"):
                yield from nodes(inner, f"{place}/{name}")
    elif isinstance(node, list):
        for index, inner in enumerate(node):
            yield from nodes(inner, f"{place}/{index}")


def test_the_committed_document_is_the_generated_one() -> None:
    committed = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
    assert committed == openapi.text(GAMES), "run `make openapi` and commit openapi.yaml"
    assert yaml.safe_load(committed) == DOCUMENT


def test_it_is_openapi_3_1() -> None:
    assert DOCUMENT["openapi"] == "3.1.0"
    assert not [place for place, node in nodes(DOCUMENT) if "nullable" in node]


def test_every_reference_has_a_target() -> None:
    references = [node["$ref"] for _, node in nodes(DOCUMENT) if isinstance(node.get("$ref"), str)]
    assert len(references) > 100
    for reference in references:
        resolved({"$ref": reference})


def test_every_shared_component_but_a_few_answers_is_used() -> None:
    used = {node["$ref"] for _, node in nodes(DOCUMENT) if isinstance(node.get("$ref"), str)}
    for kind in ("schemas", "headers", "parameters"):
        for name in DOCUMENT["components"][kind]:
            assert f"#/components/{kind}/{name}" in used or name in ("Problem", "Notice"), name
    unused = {
        name for name in DOCUMENT["components"]["responses"] if f"#/components/responses/{name}" not in used
    }
    # Answers of the server before it knows which operation is asked for.
    assert unused == {"MethodNotAllowed", "UriTooLong", "HeadersTooLarge", "NotImplemented"}


def test_operation_ids_are_verbs_and_nouns_and_unique() -> None:
    count = sum(method in METHODS for item in DOCUMENT["paths"].values() for method in item)
    assert len(OPERATIONS) == count
    verbs = "list|get|create|join|leave|send|export|update|delete|rotate|test|redeliver|renew|revoke|set|hand"
    verbs += "|erase|move"
    for name in OPERATIONS:
        assert re.fullmatch(rf"({verbs})[A-Z][A-Za-z]+", name)


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_says_all_there_is_to_say(name: str) -> None:
    operation = OPERATIONS[name]
    assert len(operation["tags"]) == 1
    assert operation["tags"][0] in [tag["name"] for tag in DOCUMENT["tags"]]
    assert operation["summary"] and "\n" not in operation["summary"]
    assert "security" in operation
    statuses = set(operation["responses"])
    assert {"400", "500", "503"} <= statuses
    assert statuses & {"200", "201", "204"}
    if operation["security"]:
        assert "401" in statuses
    for status, answer in operation["responses"].items():
        shared = resolved(answer)
        assert shared["description"]
        if int(status) >= 400:
            assert answer["$ref"].startswith("#/components/responses/")
            assert list(shared["content"]) == ["application/problem+json"]
            assert {CATALOGUE[code].status for code in re.findall(r"`([a-z-]+)`", answer["description"])} == {
                int(status)
            }
        if status in ("401", "503"):
            assert {"401": "WWW-Authenticate", "503": "Retry-After"}[status] in shared["headers"]


def test_every_write_needs_a_key_and_says_so() -> None:
    for item in DOCUMENT["paths"].values():
        if "post" in item:
            assert {"$ref": "#/components/parameters/IdempotencyKey"} in item["post"]["parameters"]


UNIONS = {name: schema for name, schema in SCHEMAS.items() if "oneOf" in schema}


def test_the_unions_hold_what_the_registries_hold() -> None:
    mapping = {name: set(union["discriminator"]["mapping"]) for name, union in UNIONS.items()}
    games = GAMES.values()
    assert mapping["Command"] == set(PUBLIC_TABLE_COMMANDS).union(*(game.COMMANDS for game in games))
    assert mapping["Event"] == set(table.EVENTS).union(*(game.EVENTS for game in games))
    assert mapping["Problem"] == set(CATALOGUE)
    assert mapping["Notice"] == set(TYPES) == set(DOCUMENT["webhooks"])


@pytest.mark.parametrize("name", UNIONS)
def test_a_union_can_be_told_apart_by_its_discriminator(name: str) -> None:
    union = UNIONS[name]
    tag, mapping = union["discriminator"]["propertyName"], union["discriminator"]["mapping"]
    assert [option["$ref"] for option in union["oneOf"]] == list(mapping.values())
    assert len(set(mapping.values())) == len(mapping)
    for value, reference in mapping.items():
        variant = resolved({"$ref": reference})
        assert tag in variant["required"]
        assert variant["properties"][tag] == {"type": "string", "enum": [value]}
        assert "allOf" not in variant and "oneOf" not in variant


def request_schemas() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema a client's body may meet, by place."""
    seen: set[str] = set()
    todo = [
        (name, next(iter(operation["requestBody"]["content"].values()))["schema"])
        for name, operation in OPERATIONS.items()
        if "requestBody" in operation
    ]
    while todo:
        place, schema = todo.pop()
        if place in seen:
            continue
        seen.add(place)
        for inner, node in nodes(schema, place):
            if isinstance(node.get("$ref"), str):
                todo.append((node["$ref"], resolved(node)))
            elif "type" in node and isinstance(node["type"], str | list):
                yield inner, node


def test_requests_are_closed_and_bounded() -> None:
    found = list(request_schemas())
    assert len(found) > 30
    for place, schema in found:
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if "object" in kinds:
            assert "additionalProperties" in schema, place
            assert schema["additionalProperties"] is False or place.endswith("/options"), place
        if "string" in kinds:
            assert schema.keys() & {"maxLength", "pattern", "enum", "format"}, place
        if "integer" in kinds:
            assert {"minimum", "maximum", "format"} <= schema.keys(), place
        if "array" in kinds:
            assert "maxItems" in schema, place


def test_no_request_and_no_answer_speaks_of_seeds_of_chance() -> None:
    for place, node in nodes(SCHEMAS):
        names = set(node.get("properties", {})) if isinstance(node.get("properties"), dict) else set()
        assert not names & {"rng", "random_seed"}, place
        # Where seeds are no secrets, and said to be none.
        if not place.endswith(("/sandbox", "/SandboxWish")):
            assert "seed" not in names, place
        if names & {"match_key", "commit_nonce"}:
            where = place.split("/")[1]
            assert where in (CAMEL_END, "Proof"), "the secrets stand in the last event and the proof after it"


CAMEL_END = next(name for name in SCHEMAS if name.endswith("EndedEvent"))


def test_answers_may_grow() -> None:
    requests = {place for place, _ in request_schemas()}
    for name, schema in SCHEMAS.items():
        if f"#/components/schemas/{name}" not in requests and schema.get("type") == "object":
            assert schema.get("additionalProperties") is not False or name in CLOSED, name


CLOSED = {"SeatPlan", "NewMatch", "NewSeat", "SendCommand"} | {n for n in SCHEMAS if n.endswith("Command")}


def examples() -> Iterator[tuple[str, Any, Any]]:
    """Every recorded example with its schema."""
    for place, node in nodes(DOCUMENT):
        if "schema" not in node or not re.search(r"/content/[^/]+/[^/]+$", place):
            continue
        if "example" in node:
            yield place, node["schema"], node["example"]
        for name, example in node.get("examples", {}).items():
            yield f"{place}/{name}", node["schema"], example["value"]


EXAMPLES = list(examples())


@pytest.mark.parametrize(("schema", "value"), [e[1:] for e in EXAMPLES], ids=[e[0] for e in EXAMPLES])
def test_an_example_fits_its_schema(schema: Any, value: Any) -> None:
    assert misfits(schema, value) == []


def test_there_is_an_example_of_every_body_and_of_every_problem_of_the_application() -> None:
    places = " ".join(place for place, _, _ in EXAMPLES)
    for name, operation in OPERATIONS.items():
        if "requestBody" in operation:
            contents = operation["requestBody"]["content"].values()
            assert any("examples" in content for content in contents), name
        for status in ("200", "201"):
            for media, content in operation["responses"].get(status, {}).get("content", {}).items():
                assert media == "text/html" or name == "getOpenApi" or "example" in content, name
    servers_own = {"uri-too-long", "headers-too-large", "not-implemented", "conflict"}
    for code in set(CATALOGUE) - servers_own:
        assert f"/{code}" in places, code


def outline(value: Any) -> Any:
    """The members an example has, without the values, and without what depends on the cards."""
    if isinstance(value, dict):
        free = (
            "state",
            "cost",
            "effects",
            "missing",
            "data",
            "public",
            "cards",
            "wonders",
            "options",
            "seals",
        )
        return {name: outline(inner) if name not in free else "…" for name, inner in value.items()}
    if isinstance(value, list):
        return [outline(value[0])] if value else []
    return type(value).__name__


def test_the_examples_are_what_the_service_says_today(api: Api) -> None:
    """Run `python -m tests.service.http.record_examples` and `make openapi` when this fails."""
    now, kept = record_examples.record(api), examples_module.recorded()
    for name, answer in kept.answers.items():
        if isinstance(answer, str):  # a notation: it has the same tags
            said, was = (re.findall(r"^\[(\w+)", each, re.MULTILINE) for each in (now.answers[name], answer))
            assert said == was != [], name
            continue
        assert outline(now.answers[name]).keys() == outline(answer).keys(), name
    assert {name: outline(problem) for name, problem in kept.problems.items()} == {
        name: outline(problem) for name, problem in now.problems.items() if name != "conflict"
    }
    assert {name: set(requests) for name, requests in kept.requests.items()} == {
        name: set(requests) for name, requests in now.requests.items()
    }


def test_examples_hold_no_token() -> None:
    text = openapi.text(GAMES)
    assert "token: st_…" in text, "the place of the token is there"
    assert not re.findall(r"(?:st|it|vt|tk_live|tk_test)_[a-z0-9]{16,}_[a-z0-9]{20,}", text)


def test_every_pattern_is_one_in_the_engines_of_clients() -> None:
    def patterns(node: Any) -> set[str]:
        if isinstance(node, dict):
            own = {node["pattern"]} if isinstance(node.get("pattern"), str) else set()
            return own.union(*map(patterns, node.values()))
        return set().union(*map(patterns, node)) if isinstance(node, list) else set()

    found = patterns(DOCUMENT)
    assert len(found) > 20
    for pattern in found:
        jsonschema_rs.validator_for({"pattern": pattern})  # raises where the engine of Rust cannot read it
    said = subprocess.run(
        [
            str(NODE),
            "-e",
            "for (const p of JSON.parse(process.argv[1])) new RegExp(p, 'u')",
            json.dumps([*found]),
        ],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert said.returncode == 0, said.stderr
