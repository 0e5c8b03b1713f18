"""Choosing in secret, replacing and withdrawing (7W 2.2)."""

import pytest

from domain.kernel.redaction import FACE_DOWN
from domain.seven_wonders import REDACTIONS
from domain.seven_wonders.commands import BuildStage, BuildStructure, DiscardForCoins, Withdraw
from domain.seven_wonders.events import (
    ActionChosen,
    ActionWithdrawn,
    CardDiscarded,
    HandsPassed,
    StructureBuilt,
)
from domain.seven_wonders.state import Action
from tests.domain.seven_wonders.tables import BOARDS, at
from tests.given_when_then import Given

HANDS = {0: ["altar", "loom_age1"], 1: ["tavern", "theater"], 2: ["baths", "stockade"]}


def three() -> Given:
    return at(*BOARDS[:3], hands=HANDS, turn=2)


def test_a_choice_is_recorded_and_nothing_happens_before_the_last_seat_has_chosen() -> None:
    story = three().when(0, BuildStructure("altar"))
    story.then(ActionChosen(0, 0, Action("structure", "altar")))
    assert story.awaited() == [("choose", (1, 2))]
    assert story.city(0)["cards"] == []
    story.when(2, DiscardForCoins("baths")).then(ActionChosen(2, 2, Action("discard", "baths")))
    assert story.awaited() == [("choose", (1,))]


def test_when_the_last_seat_has_chosen_all_is_carried_out_at_once() -> None:
    three().when_all(
        BuildStructure("altar"), BuildStructure("theater"), DiscardForCoins("baths")
    ).then(
        ActionChosen(2, 2, Action("discard", "baths")),
        StructureBuilt(0, 0, "altar", "paid"),
        StructureBuilt(1, 1, "theater", "paid"),
        CardDiscarded(2, 2, "baths", False, 3),
        HandsPassed([["stockade"], ["loom_age1"], ["tavern"]]),
    )  # fmt: skip


def test_a_choice_may_be_replaced_until_the_last_seat_has_chosen() -> None:
    story = three().when(0, BuildStructure("altar")).when(0, DiscardForCoins("loom_age1"))
    story.then(ActionChosen(0, 0, Action("discard", "loom_age1")))
    story.when(1, DiscardForCoins("tavern")).when(2, DiscardForCoins("baths"))
    story.then_among(CardDiscarded(0, 0, "loom_age1", False, 3))
    story.then_no(StructureBuilt)


def test_a_choice_may_be_withdrawn_and_the_seat_is_awaited_again() -> None:
    story = three().when(0, BuildStructure("altar")).when(0, Withdraw())
    story.then(ActionWithdrawn(0, 0))
    assert story.awaited() == [("choose", (0, 1, 2))]
    assert story.view(0)["choices"] == []
    story.refuses(0, Withdraw(), "nothing-chosen")


def test_only_a_seat_that_has_chosen_may_withdraw() -> None:
    story = three()
    assert Withdraw() not in story.legal(0)
    story.refuses(0, Withdraw(), "nothing-chosen")
    story.when(0, BuildStructure("altar"))
    assert Withdraw() in story.legal(0)
    assert Withdraw() not in story.legal(1)


def test_a_seat_that_has_chosen_is_not_awaited_but_may_revise() -> None:
    story = three().when(1, DiscardForCoins("tavern"))
    (decision,) = story.game.decisions(story.state)
    assert (decision.awaited, decision.revisable) == ((0, 2), (1,))


def test_a_choice_names_the_same_decision_whoever_has_chosen_before() -> None:
    story = three()
    (before,) = story.game.decisions(story.state)
    story.when(2, DiscardForCoins("baths")).when(2, Withdraw()).when(0, BuildStructure("altar"))
    (after,) = story.game.decisions(story.state)
    assert (before.id, before.kind) == (after.id, "choose")
    story.when(1, DiscardForCoins("tavern")).when(2, DiscardForCoins("baths"))
    (later,) = story.game.decisions(story.state)
    assert later.id == f"d{story.state.version}.choose" != before.id


def test_a_card_that_is_not_in_the_hand_is_refused_whatever_is_done_with_it() -> None:
    story = three()
    for command in (BuildStructure("tavern"), BuildStage("tavern"), DiscardForCoins("tavern")):
        story.refuses(0, command, "not-in-hand")
    story.refuses(0, DiscardForCoins("no_such_card"), "not-in-hand")
    story.refuses(0, DiscardForCoins(FACE_DOWN), "not-in-hand")


@pytest.mark.parametrize("seat", [-1, 3])
def test_who_has_no_seat_may_do_nothing(seat: int) -> None:
    story = three()
    assert story.legal(seat) == []
    story.refuses(seat, DiscardForCoins("altar"), "not-your-turn")


def test_the_others_see_that_a_seat_has_chosen_and_not_what() -> None:
    story = three().when(0, BuildStructure("altar"))
    (event,) = story.recorded
    secret = REDACTIONS[ActionChosen]
    assert secret is not None
    assert secret.hide(event, 0) == event
    assert secret.hide(event, 1) == secret.hide(event, -1) == ActionChosen(0, 0, FACE_DOWN)
    for viewer in (1, 2, -1):
        assert story.view(viewer)["chosen"] == [True, False, False]
        assert story.view(viewer)["choices"] == []
    shown = {"city": 0, "use": "structure", "card": "altar", "left": 0, "right": 0}
    assert story.view(0)["choices"] == [shown]


def test_copies_of_a_card_are_one_move() -> None:
    story = at(*BOARDS[:3], hands={0: ["altar", "altar"]}, turn=2)
    assert story.legal(0) == [BuildStructure("altar"), DiscardForCoins("altar")]
    story.when_all(BuildStructure("altar"), *[DiscardForCoins("barracks")] * 2)
    assert story.city(0)["cards"] == ["altar"]


def test_the_default_move_discards_the_first_card() -> None:
    story = three()
    assert story.game.default_move(story.state, 1) == DiscardForCoins("tavern")
