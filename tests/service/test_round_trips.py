"""An accepted command waits for the store twice: to load the match, and to append to it."""

import threading
from typing import Any

import pytest
from redis import Connection

from service.bootstrap import Services
from tests.service.table import set_up, started


@pytest.mark.parametrize("named", [False, True], ids=["strangers", "players the tenant has named"])
def test_a_command_waits_for_the_store_twice(
    on_redis: Services, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    """What is asked now and then (whether the tenant has webhooks, for how long the match is marked) is not
    part of most commands; what follows the commit is sent by another thread."""
    sent: list[int] = []
    send = Connection.send_packed_command

    def counted(self: Connection, *arguments: Any, **named: Any) -> None:
        if threading.current_thread() is threading.main_thread():
            sent[-1] += 1
        send(self, *arguments, **named)

    table = started(on_redis, seats=7) if not named else set_up(on_redis, seats=7)
    if named:
        for seat in range(7):
            on_redis.matches.leave(table.tenant, table.match, seat)
            table.join(seat=seat, player_ref=f"player-{seat}")
        table.start()
    decision = table.decision()["id"]
    callers = [table.seat(seat) for seat in range(7)]
    monkeypatch.setattr(Connection, "send_packed_command", counted)
    for seat, caller in enumerate(callers[:6]):
        sent.append(0)
        body = {"decision": decision, "command": {"type": "pick", "number": 1 + seat % 5}}
        table.command(caller, body)
    assert min(sent) == 2, sent
