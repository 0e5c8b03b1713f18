"""What others hold never shows: twin worlds, two copies of one card (rules 13)."""

import random
from typing import Any

import pytest

from domain import wonderful_world
from domain.kernel.bots import random_policy
from domain.kernel.chance import Dice
from domain.kernel.table import OVER
from domain.wonderful_world.decks import ASCENSION, CARDS
from tests import twins

# Within a group kinds may be swapped without a trace: the backs of the two decks differ.
KINDS: dict[str, Any] = {kind: kind in ASCENSION for kind in CARDS}


@pytest.mark.parametrize(
    ("seats", "options"),
    [(1, {}), (2, {}), (3, {}), (3, {"corruption_and_ascension": True}), (5, {"side": "B"}), (7, {})],
    ids=str,
)
def test_two_worlds_that_differ_in_what_is_hidden_look_the_same(seats: int, options: dict[str, Any]) -> None:
    dice = random.Random(seats)
    told = [each for each in twins.tell(wonderful_world, seats, seats, **options)]
    told = [each for each in told if type(each.fact.event).__name__ != "MatchEnded"]
    compared = 0
    for end in sorted(dice.sample(range(seats + 8, len(told)), 16)):
        if told[end - 1].command == told[end].command:
            continue
        for viewer in twins.viewers(seats):
            other = twins.twin(wonderful_world, told[:end], viewer, KINDS, dice)
            if other is None:
                continue
            one = twins.fold(wonderful_world, [each.fact.event for each in told[:end]])
            two = twins.fold(wonderful_world, [each.fact.event for each in other])
            assert one.play != two.play
            assert one.status == two.status != OVER
            shown = wonderful_world.view(one.play, viewer)
            assert wonderful_world.view(two.play, viewer) == shown
            assert wonderful_world.decisions(one.play) == wonderful_world.decisions(two.play)
            if viewer < 0:
                continue
            moves = wonderful_world.legal_moves(one.play, viewer)
            assert wonderful_world.legal_moves(two.play, viewer) == moves
            assert wonderful_world.refused(one.play, viewer) == wonderful_world.refused(two.play, viewer)
            if viewer in wonderful_world.decisions(one.play)[0].awaited:
                default = wonderful_world.default_move(one.play, viewer)
                assert wonderful_world.default_move(two.play, viewer) == default
            if moves:
                for policy in (random_policy, *wonderful_world.BOTS.values()):
                    assert policy(shown, moves, Dice(bytes(32))) in moves
            compared += 1
    assert compared > 5
