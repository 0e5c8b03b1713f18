"""Every field of every line of a bundle of each game, changed in every way: all of it is detected.

`python -m tests.audit.mutations` tries every change and prints the count; here every so many. A change in the
middle is put to what checks that line when its turn comes, in the state the lines before it left; changes of
every kind are put into whole files as well, where header and trailer have their say.
"""

import random

import pytest

from tests.audit import mutations
from tests.audit.whole_matches import TABLES, lines_of

SHORT = 24


@pytest.mark.parametrize("game", TABLES)
def test_every_change_of_a_line_is_detected_by_both_verifiers_at_that_line(game: str) -> None:
    tried = mutations.lines(game, "full", stride=SHORT)
    assert tried.missed == [], tried.missed[:5]
    assert tried.count > 1000
    print(f"{game}: {tried.count} changes of {tried.lines} lines tried, all caught by both verifiers")


@pytest.mark.parametrize("game", TABLES)
def test_every_change_in_a_whole_file_is_named_by_its_line(game: str) -> None:
    tried = mutations.files(game, "full", random.Random(5), 10)
    assert tried.missed == [], tried.missed[:5]
    assert tried.count == 10


@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize(("perspective", "over"), [("s1", False), ("public", True)])
def test_so_is_a_change_of_what_one_viewer_was_sent(game: str, perspective: str, over: bool) -> None:
    tried = mutations.lines(game, perspective, over, stride=5 * SHORT)
    assert tried.missed == [], tried.missed[:5]
    assert tried.count > 100


def test_the_search_finds_what_no_verifier_checks() -> None:
    """The test of the test: a verifier that takes everything misses everything."""
    tried = mutations.lines("seven-wonders", "full", stride=5000, checks=(lambda line, mutant: True,))
    assert len(tried.missed) == tried.count > 0


@pytest.mark.parametrize("game", TABLES)
def test_a_line_that_is_dropped_repeated_swapped_or_of_another_match_is_named(game: str) -> None:
    raw = lines_of(game)
    foreign = lines_of(next(name for name in TABLES if name != game))
    dice = random.Random(6)
    for at in [0, len(raw) - 1, *dice.sample(range(1, len(raw) - 2), 4)]:
        for lines, wrong in (
            (raw[:at] + raw[at + 1 :], at + 1),
            (raw[: at + 1] + raw[at:], at + 2),
            ([*raw[:at], foreign[min(at, len(foreign) - 1)], *raw[at + 1 :]], at + 1),
            ([*raw[: at - 1], raw[at], raw[at - 1], *raw[at + 1 :]] if at else None, at),
            (raw[:at], at + 1),
        ):
            if lines is not None and lines != raw:
                assert mutations.verdicts(lines) == (wrong, wrong)
