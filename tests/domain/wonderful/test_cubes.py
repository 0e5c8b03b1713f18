"""Pools as letters and names; five cubes become one krystallium (rules 1.3, 8.1)."""

import pytest

from domain.wonderful.cubes import COLOURS, LETTERS, NAMES, named, pool, stored


def test_letters_names_and_indexes_go_together() -> None:
    assert len(LETTERS) == len(NAMES) == 8
    for index, letter in enumerate(LETTERS):
        assert named(pool(letter)) == {NAMES[index]: 1}
    assert [NAMES[colour] for colour in COLOURS] == ["materials", "energy", "science", "gold", "exploration"]


def test_a_minus_sign_takes_one_away() -> None:
    assert named(pool("M-EGG-X")) == {"materials": 1, "energy": -1, "gold": 2, "exploration": -1}
    assert pool("") == (0,) * 8
    assert named(pool("M-M")) == {}


@pytest.mark.parametrize("loose", range(5))
@pytest.mark.parametrize("count", range(13))
def test_no_cube_is_lost_when_five_become_a_krystallium(loose: int, count: int) -> None:
    rest, formed = stored(loose, count)
    assert 0 <= rest < 5
    assert rest + 5 * formed == loose + count
