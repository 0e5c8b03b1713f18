"""What fits the JSON Schema of a game's options is accepted, and nothing else is."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator, meta

from domain.catalogue import GAMES
from domain.kernel.game import Game
from service import games
from service.errors import Invalid
from tests.exploring import examples

# Whole numbers are written without a point: 1.0 is one for JSON Schema, and is refused here.
_ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.integers(-3, 40),
    st.floats(allow_nan=False, allow_infinity=False).filter(lambda number: not number.is_integer()),
    st.text(max_size=8),
    st.just([]),
    st.just({}),
)


def values(shape: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that fit the schema of an option, lie at its edges, or are of another kind."""
    if "enum" in shape:
        return st.one_of(st.sampled_from(shape["enum"]), st.sampled_from(shape["enum"]), _ODD)
    least, most = shape["minimum"], shape["maximum"]
    edges = st.sampled_from([least - 1, least, most, most + 1, shape["default"]])
    return st.one_of(st.integers(least, most), edges, _ODD)


def wanted(schema: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Options of a match, mostly sensible."""
    known = {name: values(shape) for name, shape in schema["properties"].items()}
    some = st.lists(st.sampled_from(sorted(known)), unique=True, max_size=4)
    chosen = some.flatmap(lambda names: st.fixed_dictionaries({name: known[name] for name in names}))
    odd = st.dictionaries(st.text(max_size=12), _ODD, max_size=1)
    return st.one_of(chosen, chosen, chosen, st.builds(lambda one, other: {**one, **other}, chosen, odd))


@pytest.mark.hypothesis
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_what_fits_the_schema_is_accepted_and_nothing_else(game: Game) -> None:
    schema = games.options_schema(game)
    meta.validate(schema)
    validator = Draft202012Validator(schema)
    seen = {True: 0, False: 0}

    @settings(max_examples=examples(400), suppress_health_check=list(HealthCheck))
    @given(wanted(schema))
    def holds(options: dict[str, Any]) -> None:
        fits = validator.is_valid(options)
        try:
            chosen = games.options(game, options)
        except Invalid as wrong:
            assert not fits, (options, wrong.faults)
        else:
            assert fits, (options, [error.message for error in validator.iter_errors(options)])
            assert validator.is_valid(chosen), "with the defaults filled in it fits as well"
            assert chosen.keys() == schema["properties"].keys()
        seen[fits] += 1

    holds()
    assert min(seen.values()) > 40, seen
