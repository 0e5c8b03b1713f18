"""A page of a list costs the same, however many matches there are."""

import random
from collections.abc import Iterator

import pytest

from tests.embedded import start_valkey
from tools.bench import listing

FEW, MANY, TIMES = 300, 6_000, 25
MOST = 4.0


@pytest.mark.parametrize(("name", "query"), listing.QUERIES, ids=[name for name, _ in listing.QUERIES])
def test_a_page_of_a_long_list_costs_little_more_than_one_of_a_short_list(
    name: str, query: listing.Query, lists: tuple[listing.Lists, listing.Lists]
) -> None:
    best = []
    for each in lists:
        spent = [listing.walked(each, query(random.Random(seed), each.matches), 1) for seed in range(TIMES)]
        best.append(min(ms for walk in spent for ms in walk))
    assert best[1] < MOST * best[0] + 10, (name, best)


@pytest.fixture(scope="module")
def lists() -> Iterator[tuple[listing.Lists, listing.Lists]]:
    """A short list and a long one, each on a server of its own."""
    with start_valkey() as one, start_valkey() as other:
        yield listing.filled(one.url, FEW), listing.filled(other.url, MANY)
