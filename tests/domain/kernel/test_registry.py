"""Names on the wire and upcasts."""

from dataclasses import dataclass

import pytest

from domain.kernel import registry, table
from domain.kernel.registry import EventType, upcast


@dataclass(frozen=True)
class HandsPassed:
    pass


@dataclass(frozen=True)
class TinyEnded:
    pass


def test_classes_are_named_in_snake_case() -> None:
    assert registry.snake("BuildStructure") == "build_structure"
    assert registry.commands(HandsPassed) == {"hands_passed": HandsPassed}


def test_events_have_the_prefix_of_their_game_once() -> None:
    assert registry.events("tiny", HandsPassed, TinyEnded, schemas={HandsPassed: 3}) == {
        "tiny.hands_passed": EventType("tiny.hands_passed", HandsPassed, 3),
        "tiny.ended": EventType("tiny.ended", TinyEnded, 1),
    }


def test_upcasts_are_chained_to_the_newest_shape() -> None:
    upcasts = {
        ("tiny.x", 1): lambda shape: {**shape, "b": 2},
        ("tiny.x", 2): lambda shape: {**shape, "c": shape["b"] + 1},
    }
    assert upcast(upcasts, "tiny.x", 1, 3, {"a": 1}) == {"a": 1, "b": 2, "c": 3}
    assert upcast(upcasts, "tiny.x", 3, 3, {"a": 1}) == {"a": 1}
    with pytest.raises(KeyError):
        upcast(upcasts, "tiny.y", 1, 2, {})


def test_the_names_of_the_table_are_for_ever() -> None:
    assert list(table.EVENTS) == [
        "match.created",
        "match.seat_joined",
        "match.bot_seated",
        "match.seat_left",
        "match.started",
        "match.seat_resigned",
        "match.deadline_expired",
        "match.seat_taken_over",
        "match.seat_reclaimed",
        "match.seat_token_changed",
        "match.seat_handed_over",
        "match.bot_failed",
        "match.forked",
        "match.ended",
        "match.proposal_made",
        "match.proposal_agreed",
        "match.proposal_declined",
        "match.paused",
        "match.resumed",
        "match.time_added",
        "match.expiry_claimed",
        "match.expiry_ordered",
        "match.outage_credited",
        "match.undone",
        "match.changed",
    ]
    assert list(table.COMMANDS) == [
        "create_match",
        "join_seat",
        "seat_bot",
        "leave_seat",
        "start",
        "cancel",
        "resign",
        "reclaim_seat",
        "change_token",
        "hand_over_seat",
        "expire_deadline",
        "report_bot_failure",
        "pause",
        "resume",
        "agree",
        "decline",
        "undo",
        "add_time",
        "claim",
        "expire",
        "credit_outage",
        "change_match",
    ]
