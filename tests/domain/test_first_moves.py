"""The simplest client there is posts the first legal move whenever it is awaited: every match ends."""

import pytest

from domain.catalogue import GAMES
from domain.kernel import match as matches
from domain.kernel import table
from domain.kernel.match import By
from domain.kernel.table import SeatPlan
from tests.twins import chance, options

TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.SEATS]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_whoever_takes_the_first_move_each_time_gets_to_the_end(name: str, seats: int) -> None:
    game, secrets, state = GAMES[name], chance("mat_first", 11), matches.initial()
    host = By(None, "host")
    matches.handle(game, state, host, table.CreateMatch(options(game), [SeatPlan()] * seats), secrets)
    for seat in range(seats):
        matches.handle(game, state, By(seat, "player"), table.JoinSeat(seat), secrets)
    matches.handle(game, state, host, table.Start(), secrets)
    for _ in range(3000):
        if state.status == table.OVER:
            return
        seat = matches.awaited(game, state)[0]
        decision, command = matches.legal_moves(game, state, seat)[0]
        matches.handle(game, state, By(seat, "player", decision.id), command, secrets)
    raise AssertionError(f"{name} with {seats} seats goes on for ever")
