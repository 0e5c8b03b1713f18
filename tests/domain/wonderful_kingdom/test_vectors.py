"""Every vector is played by a test that bears its id."""

from pathlib import Path

import pytest

from tests.domain.wonderful_kingdom.tables import VECTORS

TEXT = "".join(path.read_text("utf-8") for path in sorted(Path(__file__).parent.glob("test_vectors_*.py")))


@pytest.mark.parametrize("name", VECTORS)
def test_a_vector_is_played_by_its_id(name: str) -> None:
    assert f"def test_{name.lower()}_" in TEXT
    assert f'expect("{name}")' in TEXT
