"""What every viewer of every game is told: enough to see what it may see, and no more."""

import random
from collections.abc import Iterator

import pytest

from domain.kernel import match as matches
from domain.kernel.redaction import forms, redact
from domain.kernel.seats import SPECTATOR
from domain.kernel.table import RUNNING, Match
from events import codec
from tests.domain.stories import TITLES, Story, card_ids, story, strings


@pytest.fixture(params=TITLES, ids=str)
def told(request: pytest.FixtureRequest) -> Story:
    """Every story in turn."""
    return story(request.param)


def seen_so_far(told: Story, every: int = 1) -> Iterator[tuple[int, Match, list[Match]]]:
    """After every event: its number, the match in full, and the match as each viewer can fold it."""
    redactions = matches.redactions(told.game)
    full, folded = matches.initial(), [matches.initial() for _ in told.viewers]
    for number, event in enumerate(told.events):
        matches.evolve(told.game, full, event)
        for viewer, known in zip(told.viewers, folded, strict=True):
            matches.evolve(told.game, known, redact(redactions, event, viewer))
        if number % every == 0:
            yield number, full, folded


def test_what_a_viewer_is_told_is_enough(told: Story) -> None:
    """Folding the redacted events and viewing is viewing the full state, after every event."""
    for number, full, folded in seen_so_far(told):
        for viewer, known in zip(told.viewers, folded, strict=True):
            expected = matches.view(told.game, full, viewer)
            assert matches.view(told.game, known, viewer) == expected, (number, viewer, told.events[number])


def test_what_a_seat_may_do_depends_on_nothing_it_does_not_see(told: Story) -> None:
    """Decisions, legal moves, their descriptions, refusals and default moves follow from what it was told."""
    dice = random.Random(11)
    game = told.game
    for _, full, folded in seen_so_far(told, every=2):
        if full.status != RUNNING or full.play is None:
            continue
        decisions = game.decisions(full.play)
        for viewer, known in zip(told.viewers, folded, strict=True):
            assert game.decisions(known.play) == decisions
            if viewer == SPECTATOR:
                continue
            moves = game.legal_moves(full.play, viewer)
            assert game.legal_moves(known.play, viewer) == moves
            assert game.refused(known.play, viewer) == game.refused(full.play, viewer)
            for move in dice.sample(moves, min(4, len(moves))):
                assert game.describe(known.play, viewer, move) == game.describe(full.play, viewer, move)
            if any(viewer in decision.awaited for decision in decisions):
                assert game.default_move(known.play, viewer) == game.default_move(full.play, viewer)


def test_a_viewer_is_told_no_more_than_its_view_shows(told: Story) -> None:
    """A redacted event names only cards that this viewer's view has shown by then. The present view is looked
    at first, all earlier ones only where it does not answer for a card."""
    ids, redactions = card_ids(told.game), matches.redactions(told.game)
    shown: list[set[str]] = [set() for _ in told.viewers]
    match = matches.initial()
    for number, event in enumerate(told.events):
        matches.evolve(told.game, match, event)
        for viewer, known in zip(told.viewers, shown, strict=True):
            named = set(strings(codec.encode(redact(redactions, event, viewer)))) & ids
            if not named <= known:
                known.update(strings(matches.view(told.game, match, viewer)))
            if not named <= known:
                known.update(ever_shown(told, viewer, number))
            assert named <= known, (viewer, event)


def ever_shown(told: Story, viewer: int, last: int) -> set[str]:
    """Every string that a viewer's view has shown up to and after this event."""
    match, known = matches.initial(), set[str]()
    for event in told.events[: last + 1]:
        matches.evolve(told.game, match, event)
        known.update(strings(matches.view(told.game, match, viewer)))
    return known


def test_forms_differ_only_where_the_event_says_so(told: Story) -> None:
    """The same class for everybody; seats without a form of their own see what spectators see; which seats
    have one follows from public fields."""
    redactions = matches.redactions(told.game)
    for event in told.events:
        public, parts, sealed = forms(redactions, event)
        assert type(public) is type(event)
        assert sealed == (redactions[type(event)] is not None)
        assert forms(redactions, public)[1].keys() == parts.keys()
        assert forms(redactions, public)[0] == public, "hiding twice hides more"
        for viewer in told.viewers:
            assert redact(redactions, event, viewer) == parts.get(viewer, public)
