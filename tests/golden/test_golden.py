"""Recorded matches replay to the recorded views, and deciding them again gives the recorded events."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.kernel import match as matches
from domain.kernel.match import By
from domain.kernel.table import OVER
from events import codec
from tests.golden import golden
from tests.golden.golden import difference

every_match = pytest.mark.parametrize(
    "path", golden.files(), ids=lambda path: f"{path.parent.name}/{path.stem}"
)


def events_of(recorded: list[golden.Json]) -> list[golden.Json]:
    return [line for line in recorded if "type" in line]


@every_match
def test_the_recorded_events_fold_to_the_recorded_views(path: Path) -> None:
    """Read from their stored form, through upcasts where the shape has changed since."""
    header, *recorded = golden.lines(path)
    game, match, compared = GAMES[header["game"]], matches.initial(), 0
    for line in recorded:
        if "views" in line:
            shown = json.loads(json.dumps(golden.views(game, match)))
            assert shown == line["views"], f"{path.name}, version {match.version}"
            compared += 1
            continue
        registry, upcasts = matches.events(game), matches.upcasts(game)
        event: Any = codec.read(registry, upcasts, line["type"], line["schema"], line["data"])
        matches.evolve(game, match, event)
    assert match.status == OVER
    assert len(match.chairs) == header["seats"]
    assert compared >= 4


@every_match
def test_deciding_the_recorded_commands_again_gives_the_recorded_events(path: Path) -> None:
    """Under the ruleset the match was recorded with."""
    header, *recorded = golden.lines(path)
    game, match, chance = GAMES[header["game"]], matches.initial(), golden.chance(header)
    assert header["ruleset"] == game.RULESET
    registry, upcasts = matches.events(game), matches.upcasts(game)
    names = {kind.cls: kind for kind in registry.values()}
    for lines in golden.commands(events_of(recorded)):
        first = lines[0]
        event: Any = codec.read(registry, upcasts, first["type"], first["schema"], first["data"])
        command = matches.command_of(game, event)
        assert command is not None
        seat = int(first["actor"][5:]) if first["actor"].startswith("seat:") else None
        by = By(seat, first["cause"], first["decision"])
        facts = matches.handle(game, match, by, command, chance)
        told = [(names[type(f.event)].name, f.actor, f.cause, codec.encode(f.event)) for f in facts]
        read = [codec.read(registry, upcasts, line["type"], line["schema"], line["data"]) for line in lines]
        kept = [codec.encode(event) for event in read]  # members that are new since have their defaults
        assert told == [
            (line["type"], line["actor"], line["cause"], data) for line, data in zip(lines, kept, strict=True)
        ]


@every_match
def test_a_recorded_view_is_a_readable_difference(path: Path) -> None:
    """Seats differ from the spectator in what they hold and have chosen, nothing else."""
    _, *recorded = golden.lines(path)
    for line in recorded:
        for shown in line.get("views", {}).get("seats", {}).values():
            assert set(shown) <= {"state"}
            assert set(shown["state"]) <= {"you", "hand", "choices", "searching", "cities", "free_city"}


def test_matches_of_two_three_five_and_seven_are_recorded() -> None:
    seats = [golden.lines(path)[0]["seats"] for path in golden.files() if path.parent.name == "seven_wonders"]
    assert seats == [2, 3, 5, 7]


def test_the_recorded_matches_show_the_rare_things_too() -> None:
    types = {line["type"] for path in golden.files() for line in golden.lines(path) if "type" in line}
    rare = {
        "match.deadline_expired",
        "match.seat_resigned",
        "seven_wonders.action_withdrawn",
        "seven_wonders.board_chosen",
        "seven_wonders.card_drawn",
        "seven_wonders.discard_pile_searched",
        "seven_wonders.guild_copied",
        "seven_wonders.seventh_card_kept",
        "seven_wonders.symbols_chosen",
    }
    assert rare <= types


def test_differences_are_named_by_their_place() -> None:
    base = {"a": 1, "b": [1, {"c": 2}], "d": 3, "e": [1]}
    view = {"a": 1, "b": [1, {"c": 4}], "e": [1, 2], "f": 5}
    assert difference(view, base) == {"b": {"1": {"c": 4}}, "d": None, "e": [1, 2], "f": 5}
