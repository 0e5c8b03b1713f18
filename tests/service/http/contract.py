"""Holds answers against the OpenAPI document: a small reader of JSON Schema of its own."""

import json
import re
from functools import cache
from typing import Any

from domain.catalogue import GAMES
from service.http import openapi

Json = Any
TYPES: dict[str, Any] = {
    "string": str, "integer": int,
    "number": (int, float), "boolean": bool, "array": list, "object": dict, "null": type(None)
}  # fmt: skip


@cache
def document() -> dict[str, Any]:
    """The document of this tree."""
    return openapi.document(GAMES)


def resolved(node: Json) -> Json:
    """The node, or what its `$ref` points to."""
    while isinstance(node, dict) and "$ref" in node:
        found: Json = document()
        for step in node["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        node = found
    return node


def misfits(schema: Json, value: Json, place: str = "") -> list[str]:
    """Where and why a value does not fit a schema; empty when it does."""
    schema = resolved(schema)
    if "oneOf" in schema:
        return _one_of(schema, value, place)
    if "anyOf" in schema:
        fits = any(not misfits(option, value, place) for option in schema["anyOf"])
        return [] if fits else [f"{place}: fits none of anyOf"]
    found: list[str] = []
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(
        isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
        for kind in kinds
    ):
        return [f"{place}: {value!r} is no {kinds}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{place}: {value!r} is not in {schema['enum']}")
    if isinstance(value, str):
        if len(value) > schema.get("maxLength", len(value)) or len(value) < schema.get("minLength", 0):
            found.append(f"{place}: length {len(value)}")
        if "pattern" in schema and not re.search(schema["pattern"], value):
            found.append(f"{place}: {value!r} does not match {schema['pattern']}")
    elif isinstance(value, int) and not isinstance(value, bool):
        if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            found.append(f"{place}: {value} is out of range")
    elif isinstance(value, list):
        if len(value) > schema.get("maxItems", len(value)):
            found.append(f"{place}: {len(value)} items")
        for index, item in enumerate(value):
            found += misfits(schema.get("items", {}), item, f"{place}/{index}")
    elif isinstance(value, dict):
        found += _object(schema, value, place)
    return found


def _one_of(schema: Json, value: Json, place: str) -> list[str]:
    tag = schema["discriminator"]["propertyName"]
    mapping = schema["discriminator"]["mapping"]
    name = value.get(tag) if isinstance(value, dict) else None
    if name not in mapping:
        return [f"{place}: no variant for {name!r}"]
    wrong = misfits({"$ref": mapping[name]}, value, place)
    others = [ref for key, ref in mapping.items() if key != name and not misfits({"$ref": ref}, value, place)]
    return wrong + [f"{place}: fits {ref} as well" for ref in others]


def _object(schema: Json, value: dict[str, Any], place: str) -> list[str]:
    properties = schema.get("properties", {})
    found = [f"{place}/{name}: is missing" for name in schema.get("required", []) if name not in value]
    for name, item in value.items():
        if name in properties:
            found += misfits(properties[name], item, f"{place}/{name}")
        elif schema.get("additionalProperties", True) is False:
            found.append(f"{place}/{name}: is unknown")
        elif isinstance(schema.get("additionalProperties"), dict):
            found += misfits(schema["additionalProperties"], item, f"{place}/{name}")
        elif properties and "additionalProperties" not in schema:
            # Clients must bear it, but the document should have told them.
            found.append(f"{place}/{name}: is not documented")
    return found


def operation_of(method: str, path: str) -> dict[str, Any] | None:
    """The operation a request is for, or None."""
    path = path.partition("?")[0]
    for template, item in document()["paths"].items():
        pattern = re.sub(r"\\{[a-z_]+\\}", "[^/]+", re.escape(template))
        if re.fullmatch(pattern, path):
            operation: dict[str, Any] | None = item.get("get" if method == "HEAD" else method.lower())
            return operation
    return None


# What any request may be answered with before an operation has been found or heard.
ALWAYS = {404, 405}
# Headers that the description tells of once for all answers, or that OpenAPI describes in another way.
PLAIN = {
    "content-type", "content-length", "date", "x-content-type-options", "access-control-allow-origin",
    "access-control-expose-headers",
}  # fmt: skip


def undocumented(method: str, path: str, status: int, headers: Any, data: bytes) -> list[str]:
    """What of an answer the document does not tell."""
    media = headers.get("Content-Type", "").partition(";")[0]
    parts = data.splitlines() if "ndjson" in media else [data]
    bodies = [json.loads(part) for part in parts if part and "json" in media]
    operation = operation_of(method, path)
    if operation is None:
        return [] if status in ALWAYS else [f"{method} {path}: {status} without an operation"]
    said = operation["responses"].get(str(status))
    if said is None:
        return [f"{operation['operationId']}: {status} is not documented"]
    codes = said.get("description", "") if status >= 400 else None
    said = resolved(said)
    told = {name.lower() for name in said.get("headers", {})}
    hidden = {name.lower() for name, _ in headers} - told - PLAIN
    found = [f"{operation['operationId']}: {status} with {name}" for name in sorted(hidden)]
    found += [
        f"{operation['operationId']}: {status} without {name}"
        for name in ("Request-Id", "ETag", "Retry-After", "WWW-Authenticate", "Location")
        if name in said.get("headers", {}) and name not in headers
    ]
    content = said.get("content")
    if content is None or method == "HEAD":
        return found
    if media not in content:
        return [*found, f"{operation['operationId']}: {media} is not documented"]
    for body in bodies:
        if codes is not None and f"`{body['code']}`" not in codes:
            found.append(f"{operation['operationId']}: {status} {body['code']} is not documented")
        found += misfits(content[media]["schema"], body, operation["operationId"])
    return found
