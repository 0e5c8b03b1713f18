"""Positions of the past: the same whether snapshots help or not, and never those of another history."""

import random

import pytest

from domain.catalogue import GAMES
from domain.kernel.game import Game
from events.memory import MemoryStore
from service.pasts import EVERY, Pasts, frozen, pieces
from service.positions import Cache, Positions
from tests import twins
from tests.service.http.test_twin_worlds import Log, opened


def stored(game: Game, seed: int = 5) -> tuple[MemoryStore, Log]:
    store = MemoryStore()
    log = opened(store, game, 2, random.Random(1))
    log.tell(twins.tell(game, 2, seed))
    return store, log


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_position_of_the_past_is_the_same_with_and_without_snapshots(game: Game) -> None:
    store, log = stored(game)
    warm, dice = Positions(store, GAMES, Cache(1)), random.Random(2)
    versions = [len(log.records), *(dice.randint(1, len(log.records)) for _ in range(40))]
    for version in versions:
        one, other = warm.at(log.match, version), Positions(store, GAMES, Cache(1)).at(log.match, version)
        assert one is not None and other is not None
        assert (one.state, one.hash, one.times) == (other.state, other.hash, other.times), version
    assert warm.at(log.match, len(log.records) + 1) is None
    assert len(log.records) > 2 * EVERY, "there were snapshots"


def test_a_snapshot_of_another_history_is_not_used() -> None:
    game = GAMES["seven-wonders"]
    store, log = stored(game)
    known = Positions(store, GAMES, Cache(1))
    assert known.at(log.match, len(log.records)) is not None
    lost, other = MemoryStore(), opened(MemoryStore(), game, 2, random.Random(1))
    other.store = lost
    other.tell(twins.tell(game, 2, 6))
    known._store = lost
    for version in (EVERY + 20, 3, len(other.records)):
        one = known.at(log.match, version)
        fresh = Positions(lost, GAMES, Cache(1)).at(log.match, version)
        assert one is not None and fresh is not None
        assert (one.state, one.hash) == (fresh.state, fresh.hash)


def test_the_matches_least_looked_at_are_forgotten() -> None:
    store, log = stored(GAMES["seven-wonders"])
    position = Positions(store, GAMES, Cache(1)).at(log.match, 60)
    assert position is not None
    kept, snapshot = Pasts(2), frozen("r", position.state, position.times, position.hash)
    for match in ("a", "b", "a", "c"):
        kept.put(match, snapshot)
    assert [kept.nearest(match, 60) is not None for match in "abc"] == [True, False, True]
    assert kept.nearest("a", 59) is None


def test_pieces_end_where_commands_end() -> None:
    _, log = stored(GAMES["seven-wonders"])
    found = pieces(log.records)
    assert [record for piece in found for record in piece] == log.records
    assert all(piece[0].command == piece[0].version for piece in found)
    assert all(len(piece) >= EVERY for piece in found[:-1])
