"""The bot every game has."""

from collections import Counter

from domain.kernel.bots import random_policy
from domain.kernel.chance import Dice


def test_random_plays_every_legal_move_as_often() -> None:
    dice = Dice(bytes(32))
    counts = Counter(random_policy({}, ["a", "b", "c"], dice) for _ in range(3000))
    assert set(counts) == {"a", "b", "c"}
    assert all(abs(times - 1000) < 130 for times in counts.values()), counts


def test_random_takes_the_only_move_there_is() -> None:
    assert random_policy({}, ["a"], Dice(bytes(32))) == "a"
