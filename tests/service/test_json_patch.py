"""Patches make the new value of the old one, and touch nothing they need not."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.json_patch import patch
from tests.applying import applied

SCALARS = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a", "a/b", "~", "~1", "é"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.sampled_from(["", "a", "b", "/", "~", "0"]), inner, max_size=4)
    ),
    max_leaves=25,
)


@given(VALUES, VALUES)
def test_a_patch_makes_the_new_value_of_the_old(old: Any, new: Any) -> None:
    before = copy.deepcopy((old, new))
    made = applied(patch(old, new), old)
    assert json.dumps(made, sort_keys=True) == json.dumps(new, sort_keys=True), "True is not 1"
    assert (old, new) == before, "neither is touched"


@given(VALUES)
def test_nothing_is_said_of_equal_values(value: Any) -> None:
    assert patch(value, copy.deepcopy(value)) == []


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ({"a": 1}, {"a": True}, [{"op": "replace", "path": "/a", "value": True}]),
        ({"a": 1}, {"a": 1, "b/c~": 2}, [{"op": "add", "path": "/b~1c~0", "value": 2}]),
        ({"a": 1, "b": 2}, {"a": 1}, [{"op": "remove", "path": "/b"}]),
        ([1, 2, 3, 4], [1, 3, 4], [{"op": "remove", "path": "/1"}]),
        ([1, 3], [1, 2, 3], [{"op": "add", "path": "/1", "value": 2}]),
        ([{"a": [1, 2]}], [{"a": [1]}], [{"op": "remove", "path": "/0/a/1"}]),
        (1, [1], [{"op": "replace", "path": "", "value": [1]}]),
    ],
)  # fmt: skip
def test_patches_are_small(old: Any, new: Any, wanted: list[dict[str, Any]]) -> None:
    assert patch(old, new) == wanted
