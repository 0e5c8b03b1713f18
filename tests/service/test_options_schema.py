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


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_what_the_number_of_seats_decides_is_stored_as_it_is_played(game: Game) -> None:
    for option in game.OPTIONS:
        for numbers, value in option.decided:
            for seats in numbers:
                assert seats in game.SEATS
                for choice in option.choices or ():
                    assert games.options(game, {option.name: choice}, seats)[option.name] == value


def test_options_that_mean_nothing_at_a_table_are_not_shown_there() -> None:
    world = GAMES["its-a-wonderful-world"]
    wish = {"corruption_and_ascension": True, "scenario": "a-better-world", "scenario_cards_required": True}
    for seats in (1, 2, 5, 7):
        chosen, alone = games.options(world, wish, seats), seats == 1
        assert chosen["corruption_and_ascension"] is not alone
        assert (chosen["scenario"] != "free-play", chosen["scenario_cards_required"]) == (alone, alone)
    assert games.options(world, {}, 6)["corruption_and_ascension"] is True
    assert games.options(world, {}, 5)["corruption_and_ascension"] is False


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_midnight_is_a_minute_like_any_other(game: Game) -> None:
    for minute in (0, 30):
        with pytest.raises(Invalid):
            games.options(game, {"daily_anchor_minute": minute})
        chosen = games.options(game, {"daily_anchor_minute": minute, "decision_limit_days": 1})
        assert chosen["daily_anchor_minute"] == minute
    # It was taken once, and such matches have rematches.
    stored = {"daily_anchor_minute": 0, "decision_limit_days": None, "bank_ms": 5000, "increment_ms": 7}
    assert games.still_meant(stored).keys() == {"decision_limit_days", "bank_ms", "increment_ms"}


def test_what_is_expected_is_said_in_words_of_json() -> None:
    game = GAMES["seven-wonders"]
    switches = [option.name for option in game.OPTIONS if option.choices == (True, False)]
    switches += [option.name for option in game.OPTIONS if option.choices == (False, True)]
    assert switches
    for name in switches:
        with pytest.raises(Invalid) as refused:
            games.options(game, {name: 1})
        (fault,) = refused.value.faults
        assert "true" in fault.detail and "True" not in fault.detail
