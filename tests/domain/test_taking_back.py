"""Moves taken back, in every game: the state is exactly the old one, for everybody, and nobody knows more."""

import copy
import random
from collections import Counter
from functools import cache

import pytest

from domain import seven_wonders, wonderful_kingdom, wonderful_world
from domain.kernel import match as matches
from domain.kernel import table, undo
from domain.kernel.agreements import Agree, MatchUndone
from domain.kernel.chance import DeckShuffled
from domain.kernel.match import By
from domain.kernel.redaction import redact
from domain.kernel.seats import SPECTATOR
from domain.kernel.table import OVER, SeatPlan
from domain.seven_wonders.cards import CARDS
from domain.wonderful_world import decks
from events import codec
from tests import twins
from tests.domain.stories import CATALOGUE, GAMES, HOST, Story, fold, options, strings, taking_back
from tests.given_when_then import secrets
from tests.service import tiny_game

KINDS = {
    seven_wonders.NAME: {name: (card.age, card.colour == "purple") for name, card in CARDS.items()},
    wonderful_world.NAME: {kind: kind in decks.ASCENSION for kind in decks.CARDS},
    wonderful_kingdom.NAME: dict(wonderful_kingdom.ORIGINAL.kinds),
    tiny_game.NAME: {},
}
WALKS = [
    (game, seats, option)
    for game, seats in (
        (seven_wonders.NAME, 2),
        (seven_wonders.NAME, 4),
        (wonderful_world.NAME, 1),
        (wonderful_world.NAME, 3),
        (wonderful_kingdom.NAME, 2),
        (tiny_game.NAME, 3),
    )
    for option in ("own-turn", "consent")
]


@cache
def walk(name: str, seats: int, option: str) -> Story:
    """A match of people who move at random and take back whatever they may, every third time."""
    dice = random.Random(f"{name} {seats} {option}")
    told = Story(GAMES[name], secrets("mat_back"))
    told.ask(HOST, table.CreateMatch(options(told.game, undo=option), [SeatPlan()] * seats))
    for seat in range(seats):
        told.ask(By(seat, "player"), table.JoinSeat(seat))
    told.ask(HOST, table.Start())
    while told.live.status != OVER:
        if told.live.proposal is not None:
            (seat, *_) = set(told.live.persons) - set(told.live.proposal.agreed)
            told.ask(By(seat, "player"), Agree(told.live.proposal.id))
        elif dice.random() < 0.3 and (back := taking_back(told)) is not None:
            told.ask(*back)
        else:
            decision = dice.choice(matches.decisions(told.game, told.live))
            seat = dice.choice(decision.awaited)
            moves = told.game.legal_moves(told.live.play, seat)
            told.ask(By(seat, "player", decision.id), dice.choice(moves))
    return told


@pytest.fixture(params=WALKS, ids=lambda walked: "-".join(map(str, walked)))
def walked(request: pytest.FixtureRequest) -> Story:
    """Every walk in turn."""
    return walk(*request.param)


def undone(told: Story) -> list[tuple[int, MatchUndone]]:
    """The moves taken back, with the number of events before each."""
    return [(at, event) for at, event in enumerate(told.events) if isinstance(event, MatchUndone)]


def test_much_is_taken_back_and_the_match_ends(walked: Story) -> None:
    assert len(undone(walked)) >= (3 if walked.game.NAME in CATALOGUE else 1)
    assert fold(walked.game, walked.events) == walked.live


def test_the_game_is_exactly_as_it_was(walked: Story) -> None:
    for at, event in undone(walked)[:25]:
        before = fold(walked.game, walked.events[: event.to])
        after = fold(walked.game, walked.events[: at + 1])
        decisions = matches.decisions(walked.game, before)
        assert matches.decisions(walked.game, after) == decisions
        after.play.version = before.play.version
        assert after.play == before.play
        known = {decision.id for decision in decisions}
        gone = fold(walked.game, walked.events[:at])
        still = {decision.id for decision in matches.decisions(walked.game, gone)}
        assert event.reopened == sorted(known - still)


def test_every_viewer_folds_what_it_was_told_to_what_it_is_shown(walked: Story) -> None:
    redactions = matches.redactions(walked.game)
    for viewer in walked.viewers:
        full, known = matches.initial(), matches.initial()
        for event in walked.events:
            matches.evolve(walked.game, full, event)
            matches.evolve(walked.game, known, redact(redactions, event, viewer))
            if isinstance(event, MatchUndone):
                shown = matches.view(walked.game, full, viewer)
                assert matches.view(walked.game, known, viewer) == shown
        assert matches.view(walked.game, known, viewer) == matches.view(walked.game, full, viewer)


def test_what_was_taken_back_had_shown_nothing_to_anybody(walked: Story) -> None:
    """No draw, nobody else's doing, and no card that a viewer had not been shown before it."""
    redactions, kinds = matches.redactions(walked.game), KINDS[walked.game.NAME]
    for at, event in undone(walked):
        steps = [step for step in walked.steps if event.to <= step.before < at]
        acted = {step.by.seat for step in steps if type(step.command) in walked.game.COMMANDS.values()}
        assert acted == {event.seat}
        then = fold(walked.game, walked.events[: event.to])
        for viewer in walked.viewers:
            known = twins.Shown(walked.game, viewer).add(walked.events[: event.to]).known
            known.update(strings(matches.view(walked.game, then, viewer)))
            for each in walked.events[event.to : at]:
                assert not isinstance(each, DeckShuffled)
                named = set(strings(codec.encode(redact(redactions, each, viewer)))) & kinds.keys()
                assert named <= known, (viewer, each)


def test_no_viewer_can_tell_a_twin_world_apart_by_what_was_taken_back(walked: Story) -> None:
    """Swap what a viewer had not been shown when the move was made: up to where it was taken back the viewer
    is told the same, and the move can be taken back there just as well."""
    game, kinds, dice = walked.game, KINDS[walked.game.NAME], random.Random(5)
    told = [twins.Told(fact, None, 0) for fact in walked.facts]
    compared: Counter[int] = Counter()
    for at, event in undone(walked)[:8]:
        for viewer in walked.viewers:
            names = twins.hidden(game, walked.events[: event.to], viewer, kinds)
            if not (swap := twins.swaps(names, kinds, dice)):
                continue
            other = [each.fact.event for each in twins.swapped(game, told[: at + 1], viewer, swap)]
            full, twin = fold(game, walked.events[:at]), fold(game, other[:at])
            assert matches.view(game, twin, viewer) == matches.view(game, full, viewer)
            if viewer != SPECTATOR:
                for match in (full, twin):
                    match.proposal = None
                wanted = undo.why_not(game, full, viewer, event.to)
                assert undo.why_not(game, twin, viewer, event.to) == wanted
                assert (wanted is None) == (viewer == event.seat)
            compared[viewer] += 1
    if kinds and len(walked.live.chairs) > 1:
        assert set(compared) == set(walked.viewers)


def test_asking_whether_something_can_be_taken_back_changes_nothing(walked: Story) -> None:
    for at, event in undone(walked)[:10]:
        match = fold(walked.game, walked.events[:at])
        before = copy.deepcopy(match)
        for seat in range(len(match.chairs)):
            for to in (None, event.to, event.to - 1, 0, at, at + 5):
                undo.why_not(walked.game, match, seat, to)
        assert match == before


def test_nothing_that_somebody_else_did_is_ever_taken_back(walked: Story) -> None:
    """Whatever version is named: it is refused, or all that the game saw since were commands of this seat."""
    commands = tuple(walked.game.COMMANDS.values())
    for at, _ in undone(walked)[:6]:
        match = fold(walked.game, walked.events[:at])
        for seat in match.persons:
            for to in range(max(0, at - 12), at + 1):
                if undo.why_not(walked.game, match, seat, to) is None:
                    since = [step for step in walked.steps if to <= step.before < at]
                    assert {step.by.seat for step in since if isinstance(step.command, commands)} <= {seat}
