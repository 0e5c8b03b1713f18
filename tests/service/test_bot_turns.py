"""Bots play from what they may see; they may crash, stall or answer nonsense, and the match goes on."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest

from domain.kernel.bots import random_policy
from domain.kernel.chance import Dice
from domain.kernel.game import Command, Generator, Policy, View
from domain.kernel.table import Resign
from events.store import StoreUnavailable
from service import bootstrap, bot_turns
from service.adapters.memory import Job, MemoryScheduler
from service.bootstrap import Services
from service.scheduling import PLAY_BOT_TURN
from service.transact import Done
from tests.service import tiny_game
from tests.service.table import Hands, Table, as_game, at_once, in_memory, records, run_jobs, started
from tests.service.tiny_game import Pick


def with_bot(policy: Policy, weakest: Policy = random_policy, limit: Any = bootstrap.unlimited) -> Services:
    """Services whose game has another `easy` bot."""
    return in_memory(games={"tiny": as_game(BOTS={"random": weakest, "easy": policy})}, limit=limit)


def failures(table: Table) -> list[tuple[str, str]]:
    """Which bot failed, and what was done instead."""
    return [
        (event["data"]["bot"], event["data"]["instead"])
        for event in table.log()
        if event["type"] == "match.bot_failed"
    ]


def test_a_match_of_bots_ends_by_itself(services: Services) -> None:
    table = started(services, seats=4, bots={seat: "easy" for seat in range(4)})
    run_jobs(services)
    assert table.view()["status"] == "over"


def asked(services: Services) -> list[Job]:
    """The jobs that wait."""
    scheduler = services.scheduler
    assert isinstance(scheduler, MemoryScheduler)
    return list(scheduler.jobs.values())


def test_one_job_is_asked_for_the_bots_of_a_decision_and_none_when_others_move(services: Services) -> None:
    table = started(services, seats=4, bots={2: "easy", 3: "random"})
    (job,) = asked(services)
    opened = table.decision()["id"].partition(".")[0].removeprefix("d")
    assert (job.name, *job.args) == (PLAY_BOT_TURN, table.match, table.decision()["id"], 2)
    assert job.id == f"bot-{table.match}-{opened}-2-0"
    table.pick(0, 3)
    assert asked(services) == [job]
    assert services.bots.play(table.match, table.decision()["id"], 2) == 2
    assert table.view()["awaited"] == [1]


def test_bots_that_take_long_are_left_to_jobs_of_their_own(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = started(services, seats=5, bots={seat: "easy" for seat in range(1, 5)})
    (job,) = asked(services)
    services.scheduler.take_job()  # type: ignore[attr-defined]  # the one in memory
    monkeypatch.setattr(bot_turns, "SLICE_S", -1.0)
    assert services.bots.play(table.match, table.decision()["id"], 1) == 1
    assert [waiting.args[2] for waiting in asked(services)] == [2, 3, 4]
    run_jobs(services)
    assert table.view()["awaited"] == [0]


def test_a_bot_gets_what_its_seat_sees_its_legal_moves_and_dice() -> None:
    seen: list[tuple[View, Sequence[Command], Generator]] = []

    def curious(view: View, moves: Sequence[Command], dice: Generator) -> Command:
        seen.append((view, moves, dice))
        return moves[-1]

    services = with_bot(curious)
    table = started(services, seats=2, bots={1: "easy"})
    table.pick(0, 4)
    run_jobs(services)
    view, moves, dice = seen[0]
    assert view == {"round": 1, "points": [0, 0], "picks": {"0": "face-down"}}
    assert list(moves) == [Pick(number) for number in range(1, 6)]
    assert isinstance(dice, Dice)


def test_a_bot_throws_the_same_dice_at_the_same_version_and_others_at_a_second_try(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    thrown: list[list[int]] = []

    def thrower(view: View, moves: Sequence[Command], dice: Generator) -> Command:
        thrown.append([dice.below(1000) for _ in range(5)])
        raise ZeroDivisionError

    def crashes(*rest: object) -> Done:
        raise StoreUnavailable

    services = with_bot(thrower)
    table = started(services, seats=2, bots={1: "easy"})
    monkeypatch.setattr(services.bots._transactor, "run", crashes)
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            services.bots.play(table.match, table.decision()["id"], 1)
    first, second, *again = thrown
    assert first != second
    assert again == [first, second]


def raises(view: View, moves: Sequence[Command], dice: Generator) -> Command:
    raise ZeroDivisionError


def garbage(view: View, moves: Sequence[Command], dice: Generator) -> Command:
    return {"type": "pick", "number": 3}


def nothing(view: View, moves: Sequence[Command], dice: Generator) -> Command:
    return None


def illegal(view: View, moves: Sequence[Command], dice: Generator) -> Command:
    return Pick(6)


def of_the_table(view: View, moves: Sequence[Command], dice: Generator) -> Command:
    return Resign()


class _Impatient(Exception):
    """Raised in the place of a bot that stalls."""


@contextmanager
def impatient(seconds: float) -> Iterator[None]:
    """A limit that is over at once for a bot that says that it stalls."""
    yield


def stalls(view: View, moves: Sequence[Command], dice: Generator) -> Command:
    raise _Impatient


BROKEN: dict[str, Policy] = {
    "raises": raises,
    "answers garbage": garbage,
    "answers nothing": nothing,
    "answers illegally": illegal,
    "answers a command of the table": of_the_table,
    "stalls": stalls,
}


@pytest.mark.parametrize("how", BROKEN)
def test_the_weakest_bot_answers_for_one_that_fails(how: str) -> None:
    services = with_bot(BROKEN[how], limit=impatient)
    table = started(services, seats=3, bots={1: "easy", 2: "random"})
    table.pick(0, 5)
    run_jobs(services)
    # Once in the first round, and once in the round that the bots' own moves opened.
    assert failures(table) == [("easy", "random")] * 2
    assert table.view()["awaited"] == [0]


@pytest.mark.parametrize("how", BROKEN)
def test_the_default_move_answers_when_every_bot_fails(how: str) -> None:
    services = with_bot(BROKEN[how], weakest=BROKEN[how], limit=impatient)
    table = started(services, seats=2, bots={0: "easy", 1: "random"})
    run_jobs(services)
    assert table.view()["status"] == "over"
    assert failures(table) == [("easy", "random"), ("random", "default-move"), ("random", "default-move")] * 3
    numbers = [event["data"]["numbers"] for event in table.log() if event["type"] == "tiny.round_scored"]
    assert numbers == [[1, 1]] * 3


def test_a_bot_that_fails_once_gets_a_second_try() -> None:
    calls: list[int] = []

    def shaky(view: View, moves: Sequence[Command], dice: Generator) -> Command:
        calls.append(len(calls))
        if len(calls) % 2:
            raise TimeoutError
        return moves[0]

    services = with_bot(shaky)
    table = started(services, seats=2, bots={0: "easy", 1: "random"})
    run_jobs(services)
    assert table.view()["status"] == "over"
    assert failures(table) == []
    assert len(calls) == 6


def test_a_bot_the_game_does_not_have_any_more_is_replaced() -> None:
    services = with_bot(tiny_game.low)
    table = started(services, seats=2, bots={1: "easy"})
    later = in_memory(games={"tiny": as_game(BOTS={"random": random_policy})}, adapters=services.adapters)
    run_jobs(later)
    assert failures(table) == [("easy", "random")]


def test_a_turn_that_is_over_is_not_played(services: Services) -> None:
    table = started(services, seats=2, bots={1: "easy"})
    decision = table.decision()["id"]
    assert services.bots.play(table.match, decision, 1) == 1
    assert services.bots.play(table.match, decision, 1) == 0
    assert services.bots.play(table.match, "d999.pick", 1) == 0
    assert services.bots.play("mat_" + "a" * 26, decision, 1) == 0


def test_a_bot_that_is_refused_for_ever_does_not_try_for_ever(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(self: object, *rest: object) -> None:
        raise bot_turns.MovedOn

    table = started(services, seats=2, bots={1: "easy"})
    monkeypatch.setattr(bot_turns.BotTurns, "_answer", refuses)
    assert services.bots.play(table.match, table.decision()["id"], 1) == 0


def test_no_bot_plays_for_a_person(services: Services) -> None:
    table = started(services, seats=2, bots={1: "easy"})
    assert services.bots.play(table.match, table.decision()["id"], 0) == 0


def test_a_job_goes_on_with_the_turns_its_own_moves_have_opened() -> None:
    services = with_bot(tiny_game.low)
    table = started(services, seats=2, bots={0: "easy", 1: "random"})
    decision = table.decision()["id"]
    assert services.bots.play(table.match, decision, 0) == 6
    assert table.view()["status"] == "over"


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_every_job_run_twice_at_once_gives_the_log_it_gives_once(
    monkeypatch: pytest.MonkeyPatch, order: tuple[int, ...]
) -> None:
    def keys(count: int) -> str:
        return "5a" * count

    monkeypatch.setattr(secrets, "token_hex", keys)
    bots = {seat: "easy" for seat in range(3)}

    def played(play: Callable[[Services, tuple[str, str, int]], object]) -> list[tuple[Any, ...]]:
        services = in_memory(
            Hands(), {"tiny": as_game(BOTS={"random": random_policy, "easy": tiny_game.low})}
        )
        table = started(services, seats=3, bots=bots, key="the-same-match-each-time")
        while table.view()["status"] != "over":
            decision = table.decision()["id"]
            for seat in order:
                play(services, (table.match, decision, seat))
        return [(record.type, record.actor, record.data) for record in records(services, table.match)]

    once = played(lambda services, job: services.bots.play(*job))
    twice = played(lambda services, job: at_once(*[lambda: services.bots.play(*job)] * 4))
    assert twice == once


def test_bots_and_persons_at_once_lose_nothing(services: Services) -> None:
    for _ in range(10):
        table = started(services, seats=5, bots={seat: "random" for seat in range(1, 5)})
        while table.view()["status"] != "over":
            decision = table.decision()["id"]
            bots = (partial(services.bots.play, table.match, decision, seat) for seat in range(1, 5))
            at_once(partial(table.pick, 0, 3, decision), *bots)
        types = table.types()
        assert types.count("tiny.round_scored") == 3
        assert types.count("match.bot_failed") == 0
        assert types.count("tiny.number_picked") == 15
