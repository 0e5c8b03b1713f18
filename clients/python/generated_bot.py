"""Plays a whole match with the package that openapi-python-client makes of openapi.yaml:

python generated_bot.py URL KEY GAME SEATS
"""

import json
import random
import sys
import uuid
from typing import TypeVar

from httpx import Timeout
from wonderlog_api import AuthenticatedClient
from wonderlog_api.api.matches import create_match, join_match
from wonderlog_api.api.play import get_view, list_legal_moves, send_command
from wonderlog_api.models import (
    JoinedSeat,
    LegalMoves,
    Match,
    MatchStartCommand,
    MatchStartCommandType,
    NewMatch,
    NewMatchGame,
    NewSeat,
    Outcome,
    SeatPlan,
    SeatPlanKind,
    SendCommand,
    View,
)

T = TypeVar("T")


def the(kind: type[T], answer: object) -> T:
    """The answer, of the kind that was hoped for. Raises RuntimeError with the problem when it is another."""
    if not isinstance(answer, kind):
        raise RuntimeError(f"{kind.__name__} expected: {answer}")
    return answer


def main(url: str, key: str, game: str, seats: str) -> None:
    """Every seat plays at random, to the end."""
    dice = random.Random(1)
    with AuthenticatedClient(base_url=url, token=key, timeout=Timeout(60)) as host:
        plan = NewMatch(game=NewMatchGame(game), seats=[SeatPlan(kind=SeatPlanKind.OPEN)] * int(seats))
        match = the(Match, create_match.sync(client=host, body=plan, idempotency_key=uuid.uuid4().hex)).id
        players = []
        for _ in range(int(seats)):
            joined = join_match.sync(match, client=host, body=NewSeat(), idempotency_key=uuid.uuid4().hex)
            token = str(the(JoinedSeat, joined).token)
            players.append(AuthenticatedClient(base_url=url, token=token, timeout=Timeout(60)))
        start = SendCommand(command=MatchStartCommand(type_=MatchStartCommandType.START))
        send_command.sync(match, client=host, body=start, idempotency_key=uuid.uuid4().hex)
        while (view := the(View, get_view.sync(match, client=host))).status == "running":
            for player in (players[number] for number in view.awaited):
                moves = the(LegalMoves, list_legal_moves.sync(match, client=player)).moves
                bodies = [move.body for move in moves if not move.body.command.type_.startswith("withdraw")]
                if bodies:
                    key = uuid.uuid4().hex
                    body = dice.choice(bodies)
                    done = send_command.sync_detailed(match, client=player, body=body, idempotency_key=key)
                    if done.status_code != 200:
                        raise RuntimeError(done.content.decode())
        print(json.dumps({"status": view.status, "reason": the(Outcome, view.outcome).reason}))


if __name__ == "__main__":
    main(*sys.argv[1:])
