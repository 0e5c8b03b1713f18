"""Recorded requests and answers, shown in the document. `tests/service/http/record_examples.py` records them
from a real match; nothing in them is written by hand."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).with_name("examples.json")


@dataclass(frozen=True, slots=True)
class Examples:
    """By operation id (requests, answers), and by code (problems)."""

    requests: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    answers: Mapping[str, Any] = field(default_factory=dict)
    problems: Mapping[str, Any] = field(default_factory=dict)

    def of_request(self, operation: str) -> dict[str, Any]:
        """The `examples` member of a request body, or nothing."""
        recorded = self.requests.get(operation)
        return {"examples": {name: {"value": value} for name, value in recorded.items()}} if recorded else {}

    def of_answer(self, operation: str) -> dict[str, Any]:
        """The `example` member of an answer, or nothing."""
        return {"example": self.answers[operation]} if operation in self.answers else {}

    def of_problems(self, codes: Sequence[str]) -> dict[str, Any]:
        """The `examples` member of a problem response, or nothing."""
        known = {code: {"value": self.problems[code]} for code in codes if code in self.problems}
        return {"examples": known} if known else {}


def recorded() -> Examples:
    """The examples recorded last."""
    kept = json.loads(RECORDED.read_text(encoding="utf-8"))
    return Examples(kept["requests"], kept["answers"], kept["problems"])
