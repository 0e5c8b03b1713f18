"""Scripted full matches of every mode, event by event, and what of the effects they exercise."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from domain.kernel.engine import handle
from domain.kernel.game import Command
from domain.wonderful_kingdom import GAME, ORIGINAL
from events import codec
from tests.domain.wonderful_kingdom.coverage import VOCABULARY, exercised
from tests.domain.wonderful_kingdom.matches import MODES, Turn, begin
from tests.domain.wonderful_kingdom.record import GOLDEN, SCRIPTS, written


def lines(name: str) -> list[dict[str, Any]]:
    """A golden file."""
    return [json.loads(line) for line in (GOLDEN / f"{name}.jsonl").read_text("utf-8").splitlines()]


def replayed(name: str) -> Iterator[Turn]:
    """The script played again: its commands, as recorded; `events` are those of now."""
    head, *script = lines(name)
    state, events, chance = begin(GAME, head["options"], head["seed"])
    yield Turn(state, None, None, events)
    for line in script[1:]:
        fields = dict(line["command"])
        command: Command = codec.decode(GAME.COMMANDS[fields.pop("type")], fields, closed=True)
        yield Turn(state, line["seat"], command, handle(GAME, state, line["seat"], command, chance))


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_scripted_match_goes_as_recorded_event_by_event(name: str) -> None:
    head, *script = lines(name)
    assert (head["options"], head["seed"]) == SCRIPTS[name][:2]
    turns = [written(copy.deepcopy(turn)) for turn in replayed(name)]
    for turn, line in zip(turns, script, strict=True):
        assert turn == line
    assert script[-1]["events"][-1]["type"] == "wonderful_kingdom.points_counted"


def test_every_mode_has_a_scripted_match() -> None:
    assert {options["mode"] for options, *_ in SCRIPTS.values()} == set(MODES)


def test_the_scripts_exercise_every_op_trigger_window_and_limit() -> None:
    seen: set[str] = set()
    for name in SCRIPTS:
        seen |= exercised(GAME, ORIGINAL, replayed(name))
    assert seen == VOCABULARY
