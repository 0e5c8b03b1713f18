"""No vector is left without a test."""

from collections import Counter
from importlib import import_module
from pathlib import Path

from tests.domain.seven_wonders.tables import CLAIMED, VECTORS
from tests.domain.seven_wonders.test_trading import PAYMENT_IDS


def test_every_vector_has_a_test() -> None:
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        import_module(f"tests.domain.seven_wonders.{path.stem}")
    assert CLAIMED | set(PAYMENT_IDS) == set(VECTORS)


def test_all_vectors_are_here() -> None:
    areas = Counter(vector["area"] for vector in VECTORS.values())
    assert areas == {
        "science": 18,
        "military": 9,
        "treasury": 4,
        "ranking": 2,
        "guild": 12,
        "yellow": 3,
        "coins_on_build": 6,
        "payment": 27,
        "flow": 16,
    }
