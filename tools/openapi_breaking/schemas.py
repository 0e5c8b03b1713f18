"""What became of a schema: may a client of the old one still send what it sends and read what it is told?

Requests: whatever the old schema allowed, the new one has to allow. Answers: the new schema has to keep the
promises of the old one, but answers are open: more members, values, variants and wider bounds are no break,
since a client ignores what it does not know (docs/clients.md).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from tools.openapi_breaking.conditions import conditions
from tools.openapi_breaking.documents import Document, Node, text

Direction = Literal["request", "answer"]
NUMBERS = {"integer", "number"}
# Bounds, and whether a larger number allows more.
BOUNDS = {
    "minimum": False,
    "exclusiveMinimum": False,
    "minLength": False,
    "minItems": False,
    "minProperties": False,
    "maximum": True,
    "exclusiveMaximum": True,
    "maxLength": True,
    "maxItems": True,
    "maxProperties": True,
}
CHOICES = ("oneOf", "anyOf")


@dataclass(slots=True)
class Comparison:
    """Two documents side by side; `seen` keeps schemas that contain themselves from being walked for ever."""

    old: Document
    new: Document
    seen: set[tuple[str, str, str]] = field(default_factory=set)

    def schema(self, old: Node, new: Node, direction: Direction, at: str) -> Iterator[str]:
        """The breaks between two schemas, as `place: what`."""
        (old, old_name), (new, new_name) = self.old.resolve(old), self.new.resolve(new)
        if old_name is not None and new_name is not None:
            if (old_name, new_name, direction) in self.seen:
                return
            self.seen.add((old_name, new_name, direction))
            if old_name == new_name:  # breaks of a component are told once, by its name
                at = old_name.rpartition("/")[2] + (" (sent)" if direction == "request" else "")
        if any(name in node for node in (old, new) for name in CHOICES):
            yield from self._choice(old, new, direction, at)
            return
        yield from _types(old, new, direction, at)
        yield from _values(old, new, direction, at)
        if direction == "request":
            yield from _bounds(old, new, at)
            yield from conditions(self.old, old, new, at)
        yield from self._members(old, new, direction, at)
        if "items" in old and "items" in new:
            yield from self.schema(old["items"], new["items"], direction, f"{at}[]")
        elif "items" in new and direction == "request":
            yield from self.schema({}, new["items"], direction, f"{at}[]")

    def _members(self, old: Node, new: Node, direction: Direction, at: str) -> Iterator[str]:
        before, after = old.get("properties", {}), new.get("properties", {})
        extra_old, extra_new = (each.get("additionalProperties", True) for each in (old, new))
        for name in sorted(before.keys() - after.keys()):
            if direction == "answer" or extra_new is False:
                yield f"{at}.{name}: removed"
        for name in sorted(before.keys() & after.keys()):
            yield from self.schema(before[name], after[name], direction, f"{at}.{name}")
        needed_old, needed_new = set(old.get("required", ())), set(new.get("required", ()))
        if direction == "request":
            for name in sorted(needed_new - needed_old):
                yield f"{at}.{name}: became required"
        else:
            for name in sorted((needed_old - needed_new) & after.keys()):
                yield f"{at}.{name}: no longer always there"
        if direction == "request" and extra_new is False and extra_old is not False and old:
            yield f"{at}: further members are no longer allowed"
        if isinstance(extra_old, dict) and isinstance(extra_new, dict):
            yield from self.schema(extra_old, extra_new, direction, f"{at}.*")

    def _choice(self, old: Node, new: Node, direction: Direction, at: str) -> Iterator[str]:
        """Variants with a discriminator by name; others by whether there is one that fits."""
        before, after = _mapping(old), _mapping(new)
        if before and after:
            if old["discriminator"]["propertyName"] != new["discriminator"]["propertyName"]:
                yield f"{at}: another discriminator"
                return
            for name in sorted(before):
                if name in after:
                    variants = {"$ref": before[name]}, {"$ref": after[name]}
                    yield from self.schema(*variants, direction, f"{at}<{name}>")
                elif direction == "request":
                    yield f"{at}<{name}>: removed"
            return
        yield from self._variants(_variants(old), _variants(new), direction, at)

    def _variants(self, old: list[Node], new: list[Node], direction: Direction, at: str) -> Iterator[str]:
        """Variants with names by their names. Of the others, each that may be sent still has to fit one; what
        may be told is at least of a type that was there."""
        named = {each["$ref"]: each for each in new if "$ref" in each}
        for one in old:
            if one.get("$ref") in named:
                yield from self.schema(one, named[one["$ref"]], direction, at)
            elif direction == "request" and not any(self._fits(one, other) for other in new):
                yield f"{at}: may no longer be {_name(one)}"
        if direction == "answer":
            known = [_kinds(self.old.resolve(each)[0]) for each in old]
            kinds = set().union(*(each or () for each in known))
            for other in new:
                found = _kinds(self.new.resolve(other)[0])
                if None not in known and (found is None or not found <= kinds):
                    yield f"{at}: may now be {_name(other)}"

    def _fits(self, one: Node, other: Node) -> bool:
        alone = Comparison(self.old, self.new)  # trying is not telling: nothing counts as seen
        return next(alone.schema(one, other, "request", ""), None) is None


def _mapping(node: Node) -> dict[str, str]:
    mapping: dict[str, str] = node.get("discriminator", {}).get("mapping", {})
    return mapping


def _variants(node: Node) -> list[Node]:
    for name in CHOICES:
        if name in node:
            variants: list[Node] = node[name]
            return variants
    return [node]


def _name(node: Node) -> str:
    return node["$ref"].rpartition("/")[2] if "$ref" in node else _said(_kinds(node))


def _kinds(node: Node) -> set[str] | None:
    kinds: Any = node.get("type")
    if kinds is None:
        return None
    return set(kinds) if isinstance(kinds, list) else {kinds}


def _types(old: Node, new: Node, direction: Direction, at: str) -> Iterator[str]:
    left, right = (old, new) if direction == "request" else (new, old)
    narrow, wide = _kinds(left), _kinds(right)
    if wide is None:
        return
    if "number" in wide:
        wide |= NUMBERS
    if narrow is None or not narrow <= wide:
        yield f"{at}: type {_said(_kinds(old))} became {_said(_kinds(new))}"


def _said(kinds: set[str] | None) -> str:
    return "any" if kinds is None else "|".join(sorted(kinds))


def _values(old: Node, new: Node, direction: Direction, at: str) -> Iterator[str]:
    """Enums and constants. In an answer only one case breaks: no value is left that was known."""
    before, after = _listed(old), _listed(new)
    if after is None:
        return
    if before is None:
        if direction == "request":
            yield f"{at}: only certain values are left"
        return
    if direction == "request":
        for value in sorted(before - after):
            yield f"{at}: value {value} removed"
    elif not before & after:
        yield f"{at}: none of the values it had is left"


def _listed(node: Node) -> set[str] | None:
    if "const" in node:
        return {text(node["const"])}
    return {text(value) for value in node["enum"]} if "enum" in node else None


def _bounds(old: Node, new: Node, at: str) -> Iterator[str]:
    for name, more_is_wider in BOUNDS.items():
        if name not in new or _listed(new) is not None:
            continue
        before, after = old.get(name), new[name]
        if before is None and name.startswith("min") and after == 0 and name != "minimum":
            continue
        if before is None or (after < before if more_is_wider else after > before):
            yield f"{at}: {name} {'none' if before is None else before} became {after}"
    for name in ("pattern", "format", "multipleOf", "uniqueItems"):
        hint = name == "format" and "string" not in (_kinds(new) or {"string"})  # bounds say it
        if name in new and new[name] not in (old.get(name), False) and _listed(new) is None and not hint:
            yield f"{at}: {name} changed"
