"""Seats around the table and their ranking."""

import pytest

from domain.kernel.seats import left_of, ranked, right_of


@pytest.mark.parametrize("count", [2, 3, 7])
def test_the_left_neighbour_is_the_next_seat_clockwise(count: int) -> None:
    assert [left_of(seat, count) for seat in range(count)] == [*range(1, count), 0]
    assert [right_of(seat, count) for seat in range(count)] == [count - 1, *range(count - 1)]
    assert all(right_of(left_of(seat, count), count) == seat for seat in range(count))


def test_seats_are_ranked_by_descending_key_and_equal_keys_share_a_rank() -> None:
    keys = [(5, 1), (7, 0), (5, 1), (5, 2), (7, 0)]
    assert ranked(range(5), keys) == [[1, 4], [3], [0, 2]]
    assert ranked([], []) == []
