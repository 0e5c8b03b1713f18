"""Conditions across members of a request: `if`, `then`, `else`, `not`, `allOf`, `contains`.

A condition may be dropped. A new one is a break, unless a client of the old document can never meet it: it is
about a member or a value which that document did not have.
"""

from collections.abc import Iterator
from typing import Any

from tools.openapi_breaking.documents import Document, Node, contract, text

WORDS = ("if", "then", "else", "not", "contains")


def conditions(document: Document, old: Node, new: Node, at: str) -> Iterator[str]:
    """The breaks in the conditions of a schema that requests are held to; `document` is the old one."""
    members = set(old.get("properties", {}))
    kept = {text(_known(document, rule, members)) for rule in _rules(old)}
    for rule in _rules(new):
        seen = _known(document, rule, members)
        if text(seen) not in kept and not _never(seen, members):
            yield f"{at}: a condition was added or changed"


def _rules(node: Node) -> list[Node]:
    own = {word: contract(node[word]) for word in WORDS if word in node}
    rules = [own] if own else []
    for branch in node.get("allOf", ()):
        rules.extend(_rules(branch) if any(word in branch for word in WORDS) else [contract(branch)])
    return rules


def _known(document: Document, node: Any, members: set[str]) -> Any:
    """A condition as a client of the old document meets it: without values and members that are new."""
    if isinstance(node, list):
        return [_known(document, each, members) for each in node]
    if not isinstance(node, dict):
        return node
    seen = {name: _known(document, value, members) for name, value in node.items()}
    if isinstance(seen.get("enum"), list):
        seen["enum"] = [each for each in seen["enum"] if text(each) in document.values]
    if isinstance(seen.get("allOf"), list):
        seen["allOf"] = [each for each in seen["allOf"] if not _never(each, members)]
        if not seen["allOf"]:
            del seen["allOf"]
    return seen


def _never(rule: Node, members: set[str]) -> bool:
    """Whether the rule is about nothing that an old client can send."""
    about: Any = rule.get("if", rule.get("not", {}))
    if any(name not in members for name in about.get("required", ())):
        return True
    return any(
        name not in members or each.get("enum") == []
        for name, each in about.get("properties", {}).items()
        if isinstance(each, dict)
    ) and ("required" in about or "if" in rule)
