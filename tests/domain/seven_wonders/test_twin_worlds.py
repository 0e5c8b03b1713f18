"""Twin worlds: two full states that differ only in what a viewer must not see look and act alike to it.

What a viewer was told is folded, then every face-down place is filled at random, twice: hands, draw pile,
markers, discard pile, draws, unrevealed choices. Nothing the viewer is shown, may do, is offered, or would be
answered for it, and nothing a bot in its seat does, may depend on the filling.
"""

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest

from domain import seven_wonders
from domain.kernel import match as matches
from domain.kernel.chance import Dice
from domain.kernel.redaction import FACE_DOWN, redact
from domain.kernel.seats import Viewer
from domain.kernel.table import RUNNING
from domain.seven_wonders.cards import CARDS
from domain.seven_wonders.state import Action, State
from tests.domain.stories import Story, Title, story, strings
from tests.given_when_then import NoChance

TITLES = [Title(seven_wonders.NAME, seats, seed) for seats in (2, 3, 5, 7) for seed in (0, 1, 2)]
USES = ("structure", "stage", "discard")


@pytest.fixture(params=TITLES, ids=str)
def told(request: pytest.FixtureRequest) -> Story:
    """Some stories, under default and other options."""
    return story(request.param)


def known(told: Story, viewer: Viewer) -> Iterator[tuple[State, State]]:
    """At rest after every fourth step: the full state, and what the viewer can fold of it."""
    redactions = matches.redactions(told.game)
    full, folded = matches.initial(), matches.initial()
    for number, step in enumerate(told.steps):
        for fact in step.facts:
            matches.evolve(told.game, full, fact.event)
            matches.evolve(told.game, folded, redact(redactions, fact.event, viewer))
        if number % 4 == 0 and full.status == RUNNING:
            yield full.play, folded.play


def filled(state: State, dice: random.Random) -> State:
    """A full state that this viewer cannot tell from any other: every face-down place gets a face."""
    world = copy.deepcopy(state)
    kinds = sorted(CARDS)

    def faces(cards: list[str]) -> list[str]:
        return [dice.choice(kinds) if card == FACE_DOWN else card for card in cards]

    world.hands = [faces(hand) for hand in world.hands]
    world.pile, world.drawn, world.found = faces(world.pile), faces(world.drawn), faces(world.found)
    world.discard = faces(world.discard)
    for city in world.cities:
        city.markers = faces(city.markers)
    world.chosen = [
        Action(dice.choice(USES), dice.choice(kinds), dice.randrange(5), dice.randrange(5))
        if choice == FACE_DOWN
        else choice
        for choice in world.chosen
    ]
    return world


def everything(game: Any, state: State, viewer: Viewer) -> dict[str, Any]:
    """All that a viewer can learn or do here."""
    decisions = game.decisions(state)
    shown = {"view": game.view(state, viewer), "decisions": decisions, "outcome": game.outcome(state)}
    if viewer < 0:
        return shown
    moves = game.legal_moves(state, viewer)
    shown |= {
        "moves": moves,
        "described": [game.describe(state, viewer, move) for move in moves[:6]],
        "refused": game.refused(state, viewer),
        "events": [game.decide(state, viewer, move, NoChance()) for move in moves[:6]],
    }
    if any(viewer in decision.awaited for decision in decisions):
        shown["default"] = game.default_move(state, viewer)
        shown["bots"] = {
            name: policy(shown["view"], moves, Dice(bytes(32))) for name, policy in game.BOTS.items()
        }
    return shown


def test_two_worlds_that_differ_only_in_what_is_hidden_are_one_to_the_viewer(told: Story) -> None:
    dice, different = random.Random(5), 0
    for viewer in told.viewers:
        for full, folded in known(told, viewer):
            one, other = filled(folded, dice), filled(folded, dice)
            different += one != other
            seen = everything(told.game, one, viewer)
            assert seen == everything(told.game, other, viewer)
            assert seen == everything(told.game, full, viewer)
    assert different > 10


def test_no_back_is_left_in_a_filled_world_and_nothing_else_was_changed(told: Story) -> None:
    """The twins are real ones: full states, made of the same public facts."""
    dice = random.Random(6)
    for viewer in told.viewers[:2]:
        for _, folded in known(told, viewer):
            world = filled(folded, dice)
            places = [*world.hands, world.pile, world.discard, world.drawn, world.found]
            assert FACE_DOWN not in set(strings(places))
            assert FACE_DOWN not in world.chosen
            assert world.version == folded.version
            assert [city.cards for city in world.cities] == [city.cards for city in folded.cities]
            assert [len(hand) for hand in world.hands] == [len(hand) for hand in folded.hands]
