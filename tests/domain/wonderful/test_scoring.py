"""The four parts of the score (rules 9.1, 12.3)."""

from domain.wonderful.cards import DISCOVERY, PROJECT, VEHICLE, per
from domain.wonderful.cubes import FINANCIER, GENERAL
from domain.wonderful.scoring import points


def elements(**counts: int) -> list[int]:
    named = ["structure", "vehicle", "research", "project", "discovery", "memorial", "financier", "general"]
    return [counts.get(name, 0) for name in named]


def test_a_character_is_worth_one_and_what_effects_add() -> None:
    counted = elements(financier=3, general=2)
    assert points(0, [], counted) == {"gross": 0, "combo": 0, "generals": 2, "financiers": 3}
    effects = [per(1, FINANCIER), per(2, GENERAL), per(1, GENERAL)]
    assert points(0, effects, counted) == {"gross": 0, "combo": 0, "generals": 8, "financiers": 6}


def test_a_set_counts_as_a_combination_also_of_characters() -> None:
    counted = elements(vehicle=3, project=1, financier=2, general=4)
    effects = [per(6, VEHICLE, PROJECT), per(5, FINANCIER, GENERAL), per(2, VEHICLE), per(3, DISCOVERY)]
    assert points(4, effects, counted) == {
        "gross": 4,
        "combo": 6 * 1 + 5 * 2 + 2 * 3,
        "generals": 4,
        "financiers": 2,
    }
