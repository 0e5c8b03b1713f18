"""Every vector is played somewhere in these tests."""

from pathlib import Path

import pytest

from tests.domain.wonderful_world.tables import VECTORS

FILES = sorted(Path(__file__).parent.glob("test_*.py"))
PARAMETRISED = ("scoring", "tie_break", "supremacy", "production")


@pytest.mark.parametrize("name", VECTORS)
def test_a_vector_is_played_by_its_id(name: str) -> None:
    text = "".join(path.read_text("utf-8") for path in FILES if path.name != Path(__file__).name)
    category = VECTORS[name]["category"]
    named = f'"{name}"' in text
    assert named or (category in PARAMETRISED and f'vectors("{category}"' in text)
