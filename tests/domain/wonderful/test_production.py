"""Who produced most (rules 6.4, 12.4)."""

from hypothesis import given
from hypothesis import strategies as st

from domain.wonderful.production import supremacy


def places_from_the_top(counts: list[int], places: int) -> list[int]:
    """The rule seat by seat: a seat wins if, with all that tie with it, it is among the first places."""
    return [
        seat
        for seat, count in enumerate(counts)
        if count > 0 and sum(other >= count for other in counts) <= places
    ]


@given(st.lists(st.integers(0, 6), min_size=1, max_size=7), st.integers(1, 3))
def test_a_seat_wins_if_it_is_among_the_first_with_all_that_tie_with_it(
    counts: list[int], places: int
) -> None:
    assert supremacy(counts, places) == places_from_the_top(counts, places)
