"""The queue: players who wait for a table."""

from functools import partial
from typing import Any, Final

from flask import Response

from service import scopes
from service.http import replies
from service.http.face import Face
from service.http.operations import TENANT, Answer, Asked, Operation, SchemaBody
from service.http.schemas import NewQueueTicket, QueueTicketQuery


def create_queue_ticket(face: Face, asked: Asked) -> Response:
    """Let a player wait for a table

    With others who want the same game under the same options, at a table of `seats.min` to `seats.max`. It
    gets the largest table as soon as there are people for it; after `wait_ms` the largest that people fill;
    or else, with `bot`, one where bots take the seats that are left. The match starts at once. Poll the
    ticket for it.
    """
    made, replayed = face.matches.enter_queue(asked.caller, asked.body, asked.key, asked.fingerprint)
    return replies.made(made, replayed, f"/v1/queue-tickets/{made['id']}")


def show_queue_ticket(face: Face, asked: Asked) -> Response:
    """Read a ticket

    With `wait`, the answer is held back until the ticket is `matched` (or waits no more for another
    reason), or the time is up. A match comes with the seat and its token.
    """
    id, wait_s = asked.path["ticket"], int(asked.query["wait"])
    if not wait_s:
        return replies.as_json(face.matches.queue_ticket(asked.caller, id)[0])

    def look(seconds: float) -> dict[str, Any]:
        shown, settled = face.matches.queue_ticket(asked.caller, id, seconds)
        return {"items": [shown] if settled else [], "ticket": shown}

    with face.polls.place() as granted:
        page = face.polls.wait(look, wait_s) if granted else look(0)
    return replies.as_json(page["ticket"])


def delete_queue_ticket(face: Face, asked: Asked) -> Response:
    """Wait no longer

    Refused once a table was found.
    """
    face.matches.leave_queue(asked.caller, asked.path["ticket"])
    return replies.nothing()


_CREATED: Final = ("Location", "IdempotencyReplayed", "CacheControl")
_ONE: Final = "/v1/queue-tickets/<ticket>"

_row: Final = partial(Operation, security=TENANT, credential=True, scope=scopes.SEATS)

OPERATIONS = (
    _row(
        "POST",
        "/v1/queue-tickets",
        "createQueueTicket",
        create_queue_ticket,
        {201: Answer("The ticket, matched at once if others waited.", "QueueTicket", _CREATED)},
        body=SchemaBody(NewQueueTicket),
        keyed=True,
    ),
    _row(
        "GET",
        _ONE,
        "getQueueTicket",
        show_queue_ticket,
        {200: Answer("The ticket.", "QueueTicket", ("CacheControl",))},
        query=QueueTicketQuery,
    ),
    _row(
        "DELETE",
        _ONE,
        "deleteQueueTicket",
        delete_queue_ticket,
        {204: Answer("The player waits no longer.")},
        problems=("conflict",),
    ),
)
