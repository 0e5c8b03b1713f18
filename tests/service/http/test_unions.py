"""The unions of the wire: every registered command and event is in exactly one, and commands are closed."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.catalogue import GAMES
from domain.kernel import registry, table
from service.games import PUBLIC_TABLE_COMMANDS
from service.http import shapes, unions
from service.http.problems import Problem
from service.http.unions import CommandBody

COMMANDS = unions.commands(GAMES)
EVENTS = unions.events(GAMES)
BODY = CommandBody(COMMANDS)
MOVES = sorted(name for name, variant in COMMANDS.items() if variant.decides)


def sample(shape: dict[str, Any]) -> Any:
    """A value that fits the schema."""
    kind = shape.get("type", "null")
    kind = kind[0] if isinstance(kind, list) else kind
    if "enum" in shape:
        return shape["enum"][0]
    if kind == "object":
        return {name: sample(inner) for name, inner in shape.get("properties", {}).items()}
    return {
        "string": "x",
        "integer": max(1, shape.get("minimum", 1)),
        "boolean": True,
        "array": [],
        "null": None,
    }[kind]


def pointers(body: dict[str, Any]) -> list[str]:
    """Where the body is refused; empty when it is read."""
    try:
        BODY.read(body)
    except Problem as refused:
        return [error.pointer for error in refused.errors]
    return []


def test_every_command_of_every_game_is_in_the_union() -> None:
    wanted = set(PUBLIC_TABLE_COMMANDS).union(*(game.COMMANDS for game in GAMES.values()))
    assert set(COMMANDS) == wanted


def test_commands_of_the_service_itself_cannot_be_sent() -> None:
    hidden = set(table.COMMANDS) - set(COMMANDS)
    assert {"expire_deadline", "report_bot_failure", "create_match", "join_seat"} <= hidden
    for name in hidden:
        assert pointers({"command": {"type": name}}) == ["/command/type"]


def test_every_event_of_every_game_is_in_the_union() -> None:
    assert set(EVENTS) == set(table.EVENTS).union(*(game.EVENTS for game in GAMES.values()))


def test_each_variant_has_a_component_of_its_own() -> None:
    for union in (COMMANDS, EVENTS):
        names = [variant.component for variant in union.values()]
        assert len(names) == len(set(names))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_fits_its_schema_is_read(name: str) -> None:
    assert pointers({"decision": "d7.choose", "command": sample(COMMANDS[name].shape)}) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_with_one_member_too_many_is_refused(name: str) -> None:
    body = {"decision": "d7.choose", "command": {**sample(COMMANDS[name].shape), "extra": 1}}
    assert pointers(body) == ["/command/extra"]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_without_a_required_member_is_refused(name: str) -> None:
    whole = sample(COMMANDS[name].shape)
    for missing in COMMANDS[name].shape["required"]:
        command = {member: value for member, value in whole.items() if member != missing}
        assert pointers({"decision": "d7.choose", "command": command}) == [f"/command/{missing}"]


@pytest.mark.parametrize(
    "member", ["seat", "player", "player_id", "playerID", "actor", "match", "credential"]
)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_cannot_say_whose_it_is(name: str, member: str) -> None:
    command = sample(COMMANDS[name].shape)
    assert pointers({"decision": "d7.choose", "command": {**command, member: 0}}) == [f"/command/{member}"]
    assert pointers({"decision": "d7.choose", member: 0, "command": command}) == [f"/{member}"]


@pytest.mark.parametrize("name", MOVES)
def test_a_move_must_name_its_decision(name: str) -> None:
    assert pointers({"command": sample(COMMANDS[name].shape)}) == ["/decision"]


@pytest.mark.parametrize(
    "decision", ["", "d0.choose", "x", "d1", "d1.", 7, None, "d1.choose/../x", "d" + "9" * 20 + ".a"]
)
def test_a_decision_must_look_like_one(decision: object) -> None:
    body = {"decision": decision, "command": sample(COMMANDS[MOVES[0]].shape)}
    assert pointers(body) == ["/decision"]


words = st.text("a~/\x00é", max_size=3)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)


@given(anything)
def test_no_body_makes_the_check_fall_over(value: Any) -> None:
    for body in ({"command": value}, {"decision": value, "command": {"type": MOVES[0]}}, {"x": value}):
        pointers(body)
    for name in COMMANDS:
        pointers({"decision": "d1.choose", "command": {"type": name, "card": value, "symbols": value}})


def test_two_games_may_not_give_one_name_to_different_commands() -> None:
    @dataclass(frozen=True, slots=True)
    class BuildStage:
        stage: int

    other: Any = SimpleNamespace(NAME="other", COMMANDS=registry.commands(BuildStage))
    with pytest.raises(ValueError, match="build_stage"):
        unions.commands({**GAMES, "other": other})


@dataclass(frozen=True, slots=True)
class Inner:
    """Something inside."""

    name: str


@dataclass(frozen=True, slots=True)
class Everything:
    """All the types there are."""

    text: str
    count: int
    flag: bool
    inner: Inner
    many: list[Inner]
    by_name: dict[str, int]
    either: Inner | str
    maybe: int | None = None


FITS: dict[str, Any] = {
    "text": "a",
    "count": 1,
    "flag": True,
    "inner": {"name": "x"},
    "many": [{"name": "x"}],
    "by_name": {"a": 1},
    "either": "x",
    "maybe": None,
}


def faults_of(**changes: Any) -> list[tuple[str, str]]:
    properties, required = shapes.members(Everything, closed=True)
    shape = shapes.object_of(properties, required, closed=True)
    found = shapes.faults(shape, {**FITS, **changes}, "")
    return [(fault.pointer, fault.code) for fault in found]


def test_a_value_that_fits_has_no_faults() -> None:
    assert faults_of() == []
    assert faults_of(either={"name": "x"}, maybe=3) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"text": 1}, ("/text", "type")),
        ({"text": "a" * 201}, ("/text", "length")),
        ({"count": True}, ("/count", "type")),
        ({"count": 1.0}, ("/count", "type")),
        ({"count": 2**53}, ("/count", "range")),
        ({"flag": 1}, ("/flag", "type")),
        ({"inner": {}}, ("/inner/name", "required")),
        ({"inner": {"name": "x", "more": 1}}, ("/inner/more", "unknown")),
        ({"many": [{"name": "x"}, {"name": 1}]}, ("/many/1/name", "type")),
        ({"many": [{"name": "x"}] * 201}, ("/many", "length")),
        ({"by_name": {"a": "b"}}, ("/by_name/a", "type")),
        ({"by_name": {"a/b~c": "b"}}, ("/by_name/a~1b~0c", "type")),
        ({"either": 7}, ("/either", "type")),
        ({"maybe": "3"}, ("/maybe", "type")),
        ({"text": None}, ("/text", "type")),
    ],
)
def test_a_fault_is_found_where_it_is(change: dict[str, Any], fault: tuple[str, str]) -> None:
    assert faults_of(**change) == [fault]


def test_a_type_without_a_place_on_the_wire_is_an_error_of_ours() -> None:
    with pytest.raises(TypeError):
        shapes.of(float, closed=True)
