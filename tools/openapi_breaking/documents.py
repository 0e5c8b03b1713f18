"""OpenAPI documents as JSON values: reading, references, canonical text, what they name."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

Node = dict[str, Any]
WORDS = ("example", "examples", "description", "summary", "x-api-version")
NAMED = ("properties", "schemas", "headers", "parameters", "responses", "mapping")
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Document:
    """A document, and every value that any enum in it lists: what its clients can know."""

    root: Node
    values: frozenset[str] = field(default=frozenset())

    def resolve(self, node: Node) -> tuple[Node, str | None]:
        """The node behind a `$ref` and the reference, or the node itself and None. Raises KeyError when the
        reference leads nowhere."""
        reference = node.get("$ref")
        if reference is None:
            return node, None
        found: Any = self.root
        for step in reference.removeprefix("#/").split("/"):
            found = found[step.replace("~1", "/").replace("~0", "~")]
        inner, deeper = self.resolve(found)
        return inner, deeper or reference


def of(root: Node) -> Document:
    """The document with this root."""
    return Document(root, frozenset(_values(root)))


def read(path: Path) -> Document:
    """The document in a YAML or JSON file."""
    return of(yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER))


def text(value: Any) -> str:
    """One text for equal JSON values."""
    return json.dumps(value, sort_keys=True)


def contract(node: Any, names: bool = False) -> Any:
    """What of a part of a document binds; `names` says that its keys are names, not words of OpenAPI."""
    if isinstance(node, dict):
        return {
            name: contract(value, not names and name in NAMED)
            for name, value in node.items()
            if names or name not in WORDS
        }
    return [contract(each) for each in node] if isinstance(node, list) else node


def _values(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for name, value in node.items():
            if name == "enum" and isinstance(value, list):
                yield from map(text, value)
            elif name not in ("example", "examples"):
                yield from _values(value)
    elif isinstance(node, list):
        for value in node:
            yield from _values(value)
