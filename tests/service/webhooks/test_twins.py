"""Matches that differ only in what is hidden are told of in the same words."""

import random
from typing import Any

import pytest

from domain.kernel.game import Game
from domain.kernel.seats import SPECTATOR
from domain.kernel.table import MatchEnded
from events.memory import MemoryStore
from service.positions import Cache, Positions
from service.webhooks import notices
from tests import twins
from tests.service.http.test_twin_worlds import TABLES, Log, pairs

EVERY = 12


def told(log: Log, known: Positions) -> list[tuple[str, str]]:
    """Everything there would be to tell of a log as it stands, without the id of the match."""
    position = known.load(log.match)
    assert position is not None
    found = notices.derive(position, log.records)
    return [(notice.type, notice.body.replace(log.match, "*")) for notice in found]


@pytest.mark.parametrize(
    ("game", "seats", "options", "zones"),
    [TABLES[1], TABLES[4], TABLES[6]],
    ids=["seven-wonders", "world", "kingdom"],
)
def test_twins_are_told_alike(game: Game, seats: int, options: dict[str, Any], zones: set[str]) -> None:
    facts = twins.tell(game, seats, seed=3, **options)
    facts = [each for each in facts if not isinstance(each.fact.event, MatchEnded)]
    store = MemoryStore()
    known = Positions(store, {game.NAME: game}, Cache(10))
    compared, waiting = 0, 0
    for number, pair in enumerate(pairs(store, game, seats, facts, SPECTATOR, random.Random(1))):
        if number % EVERY == 0:
            one, two = told(pair.one, known), told(pair.two, known)
            assert one == two
            compared += 1
            waiting += any(type == notices.DECISION_OPENED for type, _ in one)
    assert compared >= 3
    assert waiting >= 3
