"""What the table looks like from each side of it, one test a hidden place; the rest of them stand with their
rules."""

import copy
from typing import Any

import pytest

from domain import seven_wonders
from domain.seven_wonders.commands import BuildStage, BuildStructure
from domain.seven_wonders.events import DiscardPileSearched
from tests.domain.seven_wonders.tables import BOARDS, at, ended, take_turn, town
from tests.given_when_then import Given

VIEWERS = (-1, 0, 1, 2)


def story_so_far() -> Given:
    hands = {0: ["altar", "loom_age1"], 1: ["tavern", "theater"], 2: ["baths", "stockade"]}
    return at(*BOARDS[:3], hands=hands, turn=2)


def test_a_seat_sees_its_own_hand_and_of_the_others_how_many_cards_they_hold() -> None:
    story = story_so_far()
    for seat, hand in enumerate((["altar", "loom_age1"], ["tavern", "theater"], ["baths", "stockade"])):
        shown = story.view(seat)
        assert (shown["you"], shown["hand"], shown["hands"]) == (seat, hand, [2, 2, 2])
        others = {"altar", "loom_age1", "tavern", "theater", "baths", "stockade"} - set(hand)
        assert not [card for card in others if card in str(shown)]


def test_the_spectator_sees_no_hand() -> None:
    shown = story_so_far().view(-1)
    assert (shown["you"], shown["hand"], shown["hands"]) == (None, None, [2, 2, 2])


def test_cities_look_the_same_to_everybody_but_for_the_markers() -> None:
    me = town("rhodes:A", "sawmill", "walls", "library", stages=2, tokens=[1, -1], coins=7)
    story = at(me, "giza:A", "ephesus:A", age=2)
    shown = [copy.deepcopy(story.view(viewer)["cities"]) for viewer in VIEWERS]
    assert shown[1][0].pop("markers") == ["altar", "altar"]
    assert shown[2][1].pop("markers") == shown[3][2].pop("markers") == []
    assert shown[0] == shown[1] == shown[2] == shown[3]
    assert shown[0][0] == {
        "city": 0,
        "seat": 0,
        "wonder": "rhodes",
        "side": "A",
        "coins": 7,
        "stages": 2,
        "cards": ["sawmill", "walls", "library"],
        "shields": 4,
        "tokens": [1, -1],
        "symbols": {"compass": 0, "gear": 0, "tablet": 1},
        "next_stage": {"stage": 3, "cost": {"coins": 0, "ore": 4}},
    }


def test_the_discard_pile_is_a_number() -> None:
    story = take_turn(story_so_far())
    for viewer in VIEWERS:
        assert story.view(viewer)["discard_pile"] == 3
        assert "discards_face_up" not in story.view(viewer)


def test_a_pile_in_which_nothing_can_be_built_is_shown_to_nobody() -> None:
    """Nobody is asked, so nobody learns what lies there (7W 9.2, U7): not even that the Loom is another
    one."""
    me = town("halicarnassus:A", "foundry", "ore_vein", "loom_age1", stages=1)
    hands = {0: ["altar"], 1: ["theater"], 2: ["pawnshop"]}
    story = at(me, "giza:A", "rhodes:A", hands=hands, discard=["loom_age2"])
    commands = {0: BuildStage("altar"), 1: BuildStructure("theater"), 2: BuildStructure("pawnshop")}
    event = take_turn(story, commands).last(DiscardPileSearched)
    secret = seven_wonders.REDACTIONS[DiscardPileSearched]
    assert secret is not None and not event.asked
    for viewer in VIEWERS:
        assert secret.hide(event, viewer) == DiscardPileSearched(0, 0, ["face-down"], False)


def test_after_the_end_scores_are_shown_to_everybody() -> None:
    story = ended("giza:A", "rhodes:A", "ephesus:A")
    assert all(story.view(viewer)["scores"] == story.view()["scores"] for viewer in VIEWERS)
    assert story.view()["scores"][0]["treasury"] == 1


def scribble(value: Any) -> None:
    """Spoil everything that can be changed in a view."""
    if isinstance(value, dict):
        for inner in value.values():
            scribble(inner)
        value.clear()
    elif isinstance(value, list):
        for inner in value:
            scribble(inner)
        value.append("scribble")


@pytest.mark.parametrize("story", [story_so_far(), ended("giza:A", "rhodes:A", "ephesus:A")])
def test_whoever_scribbles_on_a_view_changes_nothing(story: Given) -> None:
    before = copy.deepcopy(story.state)
    for viewer in VIEWERS:
        scribble(story.view(viewer))
    assert story.state == before


def test_whoever_scribbles_on_what_is_offered_changes_nothing() -> None:
    left = town("giza:A", "magistrates_guild", "scientists_guild")
    story = ended(town("olympia:B", stages=3), left, "rhodes:A", end_of_game_choices="ask")
    before = copy.deepcopy(story.state)
    scribble(story.view(0))
    assert story.state == before
