"""7 Wonders through the use cases: in turn and out of it, left alone, and without a word in the log."""

import logging
from dataclasses import replace
from typing import Any

import pytest

from domain import seven_wonders
from domain.catalogue import GAMES
from domain.seven_wonders.cards import CARDS
from events import bundle
from service.bootstrap import Services
from service.credentials import hashed
from service.errors import Refused
from service.work import GRACE_MS
from tests.service.table import Hands, Table, in_memory, run_jobs, set_up, started
from workers.deadlines import DeadlineLoop


@pytest.fixture
def services(clock: Hands) -> Services:
    """Services in memory, with the games of the catalogue."""
    return in_memory(clock, GAMES)


def wonders(services: Services, seats: int, **more: Any) -> Table:
    """A match of 7 Wonders that has started."""
    return started(services, seats, game=seven_wonders.NAME, seed="wonders", **more)


def moves(table: Table, seat: int) -> list[dict[str, Any]]:
    """What a seat may do."""
    shown = table.services.matches.legal_moves(table.seat(seat), table.match)
    found: list[dict[str, Any]] = shown["moves"]
    return found


def test_nobody_chooses_a_board_out_of_turn(services: Services) -> None:
    table = wonders(services, 3, options={"wonders": "choose"})
    (first,) = table.view()["awaited"]
    body = moves(table, first)[0]["body"]
    for seat in {0, 1, 2} - {first}:
        assert moves(table, seat) == []
        with pytest.raises(Refused) as refused:
            table.command(table.seat(seat), body)
        assert refused.value.kind == "not-your-decision"
    table.command(table.seat(first), body)


def test_every_legal_move_is_accepted_as_it_stands(services: Services) -> None:
    table = wonders(services, 3)
    while table.view()["status"] == "running":
        for seat in table.view()["awaited"]:
            offered = moves(table, seat)
            table.command(table.seat(seat), offered[len(offered) // 2]["body"])
    assert table.view()["outcome"]["reason"] == "finished"
    report = bundle.verify(services.matches.export(table.tenant, table.match))
    assert report.ok, report.reason
    assert report.draws_repeated == report.draws > 0


@pytest.mark.parametrize("policy", ["default-move", "bot-takes-over", "forfeit"])
@pytest.mark.parametrize("seats", [2, 3, 7])
def test_a_match_ends_although_everybody_has_left(
    services: Services, clock: Hands, policy: str, seats: int
) -> None:
    table = wonders(services, seats, options={"on_expiry": policy, "decision_limit_ms": 10_000})
    watch = DeadlineLoop(services.scheduler, services.upkeep, clock)
    for _ in range(100):
        clock.move(10_000 + GRACE_MS)
        watch.tick()
        run_jobs(services)
        if table.view()["status"] == "over":
            break
    assert table.view()["status"] == "over"
    reason = table.view()["outcome"]["reason"]
    assert reason == ("forfeit" if policy == "forfeit" else "finished")


def test_each_of_seven_seats_resigns_at_another_time_and_the_match_ends(services: Services) -> None:
    table = wonders(services, 7)
    for gone in range(6):
        for seat in table.view()["awaited"][:3]:
            table.command(table.seat(seat), moves(table, seat)[0]["body"])
        table.command(table.seat(gone), {"command": {"type": "resign"}})
        assert moves(table, gone) == []
    view = table.view()
    assert view["status"] == "over"
    assert view["outcome"]["ranking"] == [[6], [0, 1, 2, 3, 4, 5]]


def test_the_log_of_the_service_tells_nothing(services: Services, caplog: pytest.LogCaptureFixture) -> None:
    def fails(*seen: object) -> object:
        raise KeyError(f"what this bot has seen: {seen}")

    names = {name: getattr(seven_wonders, name) for name in seven_wonders.__all__}
    game: Any = type("Changed", (), {**{k: staticmethod(v) if callable(v) else v for k, v in names.items()}})
    game.BOTS = {"random": fails, "easy": fails}
    release = in_memory(games={seven_wonders.NAME: game}, adapters=services.adapters)
    caplog.set_level(logging.DEBUG)
    table = set_up(release, 3, {1: "easy", 2: "random"}, game=seven_wonders.NAME, seed="tells nothing")
    table.start()
    hand = replace(table, services=release).view(table.seat(0))["state"]["hand"]
    run_jobs(release)
    secrets = release.store.secrets(table.match)
    assert "bot_turns.py" in caplog.text and "KeyError" in caplog.text
    for said in (secrets["match_key"], secrets["commit_nonce"], table.tokens[0], hashed(table.tokens[0])):
        assert said not in caplog.text
    assert "what this bot has seen" not in caplog.text
    assert len(hand) == 7 and set(hand) <= set(CARDS)
    # The id of the match is made of letters, which might make a word.
    assert all(card not in caplog.text.replace(table.match, "") for card in hand)
