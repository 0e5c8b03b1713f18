"""The verifier of the service and the stand-alone one, written apart, name the same first wrong line."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from events.bundle import verify
from tests.audit import test_dishonest_operator as dishonest
from tests.audit.short_match import BUNDLES, FULL, forged, joined, objects, tool
from tests.events.test_bundle import SIGNER, bundle, mutations


def first_wrong_lines(raw: bytes) -> tuple[int, int]:
    """As both verifiers see it; 0 when nothing is wrong."""
    report = tool.verify(raw)
    return verify(raw.splitlines(keepends=True)).line or 0, 0 if report.log else report.line


@pytest.mark.parametrize("raw", BUNDLES.values(), ids=BUNDLES.keys())
def test_both_accept_the_bundles_of_both(raw: bytes) -> None:
    assert first_wrong_lines(raw) == (0, 0)
    for perspective, over in (("full", True), ("s1", True), ("s2", False), ("public", False)):
        assert first_wrong_lines(b"".join(bundle(perspective, over))) == (0, 0)


@pytest.mark.parametrize(("perspective", "over"), [("full", True), ("s0", False)])
def test_both_blame_the_same_line_for_any_change(perspective: str, over: bool) -> None:
    lines = bundle(perspective, over, SIGNER)
    for number, line in enumerate(lines, 1):
        for what, mutant in itertools.islice(mutations(line), number % 3, None, 3):
            ours, theirs = first_wrong_lines(b"".join([*lines[: number - 1], mutant, *lines[number:]]))
            assert ours == theirs == number, f"line {number}, {what}"


def operators() -> list[Any]:
    """What dishonest operators do, as the other verifier's tests list it."""
    marks = dishonest.test_what_an_operator_may_not_write_is_refused_at_its_line.pytestmark
    listed = [(edit, line) for mark in marks for edit, line, _ in mark.args[1]]
    # A nonce not made from the match key, of an event that is sealed for nobody but full.
    return [*listed, (dishonest.put(7, forced={"nonce": "11" * 32}), 8)]


@pytest.mark.parametrize(("edit", "line"), operators())
def test_both_find_what_a_dishonest_operator_wrote(edit: Callable[[Any], Any], line: int) -> None:
    raw = forged(edit)
    assert raw != FULL
    ours, theirs = first_wrong_lines(raw)
    assert ours == theirs == line


def headers() -> list[Any]:
    """Signed headers that do not fit the events, as the other verifier's tests list them."""
    marks = dishonest.test_a_signed_header_that_does_not_fit_the_events_is_refused.pytestmark
    return [(header, line) for mark in marks for header, line, _ in mark.args[1]]


@pytest.mark.parametrize(("header", "line"), headers())
def test_both_find_a_header_that_does_not_fit_the_events(header: dict[str, Any], line: int) -> None:
    assert first_wrong_lines(forged(lambda events: None, header)) == (line, line)


def test_both_tell_which_of_header_events_and_trailer_is_the_odd_one() -> None:
    other, lines = objects(forged(dishonest.put(3, decision="d1.none"))), objects(FULL)
    for mixed, line in (
        ([lines[0], *other[1:-1], lines[-1]], len(lines) - 1),
        ([*other[:-1], lines[-1]], len(lines)),
        ([other[0], *lines[1:]], 1),
        ([lines[0], *other[1:]], 1),
    ):
        assert first_wrong_lines(joined(mixed)) == (line, line)
