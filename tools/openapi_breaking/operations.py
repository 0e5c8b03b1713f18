"""What became of the operations, their parameters, bodies, answers, and of the webhooks."""

from collections.abc import Iterator

from tools.openapi_breaking.documents import Document, Node, contract, text
from tools.openapi_breaking.schemas import Comparison, Direction

METHODS = ("get", "put", "post", "delete", "patch", "head", "options", "trace")
Levels = tuple[Node, Node]  # a path and an operation of it: both have parameters


def breaks(old: Document, new: Document) -> list[str]:
    """Every break, as `place: what`, sorted, each once."""
    both = Comparison(old, new)
    found = {*_items(both, "paths"), *_items(both, "webhooks")}
    return sorted(found)


def _items(both: Comparison, section: str) -> Iterator[str]:
    for path, item in both.old.root.get(section, {}).items():
        later = both.new.root.get(section, {}).get(path, {})
        for method in METHODS:
            if method not in item:
                continue
            place = f"{method.upper()} {path}" if section == "paths" else f"webhook {path}"
            if method not in later:
                yield f"{place}: removed"
            elif section == "paths":
                yield from _operation(both, (item, item[method]), (later, later[method]), place)
            else:
                yield from _body(both, item[method], later[method], "answer", place)


def _operation(both: Comparison, old: Levels, new: Levels, place: str) -> Iterator[str]:
    if old[1].get("operationId") != new[1].get("operationId"):
        yield f"{place}: operationId changed"
    yield from _security(both, old[1], new[1], place)
    yield from _parameters(both, old, new, place)
    yield from _body(both, old[1], new[1], "request", place)
    yield from _answers(both, old[1], new[1], place)


def _security(both: Comparison, old: Node, new: Node, place: str) -> Iterator[str]:
    """Each way to prove who one is has to remain; an operation open to all has to stay so."""
    before = old.get("security", both.old.root.get("security", [])) or [{}]
    after = new.get("security", both.new.root.get("security", [])) or [{}]
    for way in before:
        if not any(other.keys() <= way.keys() for other in after):
            yield f"{place}: {'+'.join(sorted(way)) or 'no credential'} is no longer enough"


def _parameters(both: Comparison, old: Levels, new: Levels, place: str) -> Iterator[str]:
    before, after = _given(both.old, old), _given(both.new, new)
    for key, parameter in sorted(before.items()):
        at = f"{place} {key[0]} {key[1]}"
        if key not in after:
            yield f"{at}: removed"
            continue
        if after[key].get("required") and not parameter.get("required"):
            yield f"{at}: became required"
        yield from both.schema(parameter.get("schema", {}), after[key].get("schema", {}), "request", at)
    for key in sorted(after.keys() - before.keys()):
        if after[key].get("required"):
            yield f"{place} {key[0]} {key[1]}: added and required"


def _given(document: Document, levels: Levels) -> dict[tuple[str, str], Node]:
    found = {}
    for level in levels:
        for parameter in level.get("parameters", ()):
            node, _ = document.resolve(parameter)
            found[node["in"], node["name"].lower() if node["in"] == "header" else node["name"]] = node
    return found


def _body(both: Comparison, old: Node, new: Node, direction: Direction, place: str) -> Iterator[str]:
    before, _ = both.old.resolve(old.get("requestBody", {}))
    after, _ = both.new.resolve(new.get("requestBody", {}))
    if after.get("required") and not before.get("required"):
        yield f"{place} body: became required"
    yield from _content(both, before, after, direction, f"{place} body")


def _answers(both: Comparison, old: Node, new: Node, place: str) -> Iterator[str]:
    for status, answer in old.get("responses", {}).items():
        at = f"{place} {status}"
        if status not in new.get("responses", {}):
            if status.startswith("2"):  # a refusal that is gone hurts nobody
                yield f"{at}: removed"
            continue
        before, _ = both.old.resolve(answer)
        after, _ = both.new.resolve(new["responses"][status])
        headers = {name.lower() for name in after.get("headers", {})}
        for name in sorted(before.get("headers", {})):
            if name.lower() not in headers:
                yield f"{at} header {name}: removed"
        yield from _content(both, before, after, "answer", at)


def _content(both: Comparison, old: Node, new: Node, direction: Direction, at: str) -> Iterator[str]:
    for kind, media in old.get("content", {}).items():
        if kind not in new.get("content", {}):
            yield f"{at} {kind}: removed"
            continue
        yield from both.schema(media.get("schema", {}), new["content"][kind].get("schema", {}), direction, at)


def differ(old: Document, new: Document) -> bool:
    """Whether the two say different things: words, examples and the contract's date aside."""
    return text(contract(old.root)) != text(contract(new.root))
