"""A choice may be changed, but not without end: one seat must not be able to fill the log of a match."""

from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.kernel import match as matches
from domain.kernel import table
from domain.kernel.errors import IllegalMove
from domain.kernel.match import By
from domain.kernel.table import SeatPlan
from tests.twins import chance, options

TABLES = [("seven-wonders", 2), ("seven-wonders", 3), ("its-a-wonderful-world", 3)]
HOST = By(None, "host")


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_choice_stands_once_it_was_changed_too_often(name: str, seats: int) -> None:
    game, secrets, state = GAMES[name], chance("mat_change", 4), matches.initial()

    def ask(by: By, command: Any) -> None:
        matches.handle(game, state, by, command, secrets)

    ask(HOST, table.CreateMatch(options(game), [SeatPlan()] * seats))
    for seat in range(seats):
        ask(By(seat, "player"), table.JoinSeat(seat))
    ask(HOST, table.Start())
    opened = matches.decisions(game, state)[0].id
    before, restless = state.version, 0
    while moves := matches.legal_moves(game, state, restless):
        assert state.version - before < 500, "this could go on for ever"
        tried = moves[-1][1]
        ask(By(restless, "player", opened), tried)
    decision = matches.decisions(game, state)[0]
    assert decision.id == opened
    assert restless not in decision.awaited and restless not in decision.revisable, "it stands"
    with pytest.raises(IllegalMove):
        ask(By(restless, "player", opened), tried)
    for seat in decision.awaited:
        ask(By(seat, "player", opened), matches.legal_moves(game, state, seat)[0][1])
    while opened in {open_.id for open_ in matches.decisions(game, state)}:
        seat = matches.awaited(game, state)[0]
        ask(By(seat, "player", opened), matches.legal_moves(game, state, seat)[0][1])
    assert matches.legal_moves(game, state, restless), "the next choice is a new one"
