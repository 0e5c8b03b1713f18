"""The sandbox: its clock, and the mark on every answer to one of its credentials."""

from typing import Final

from flask import Flask, Response, current_app, g

from events.store import StoreUnavailable
from service import sandbox, scopes
from service.clock import timestamp
from service.credentials import Caller
from service.http import replies
from service.http.face import Face, face_of
from service.http.operations import TENANT, Answer, Asked, Operation, SchemaBody
from service.http.schemas import ClockMove

HEADER: Final = "Sandbox-Time"


def show_clock(face: Face, asked: Asked) -> Response:
    """Read the clock of your sandbox

    With a test key. Deadlines, time left and the times of events in the matches of the sandbox follow this
    clock; every answer to a credential of the sandbox carries it as `Sandbox-Time`.
    """
    shown = face.matches.sandbox_clock.show(asked.caller)
    return replies.as_json(shown, keeps=replies.AT_HEAD, Vary="Authorization")


def move_clock(face: Face, asked: Asked) -> Response:
    """Move the clock of your sandbox

    On by `advance_ms`, or to `set`; never back. What falls due by that is done within about a second, as in
    any other match. The matches of your live keys, and other tenants, have another clock.
    """
    shown, replayed = face.matches.move_sandbox_clock(asked.caller, asked.body, asked.key, asked.fingerprint)
    return replies.done(shown, replayed)


def install(app: Flask) -> None:
    """Say on every answer to a credential of a sandbox that it is one, and what time it is there."""

    @app.after_request
    def mark(response: Response) -> Response:
        caller: Caller | None = g.get("caller")
        if caller is not None and sandbox.is_sandbox(caller.world):
            try:
                now = face_of(current_app).matches.sandbox_clock.now_ms(caller)
            except StoreUnavailable:
                return response
            response.headers[HEADER] = timestamp(now)
        return response


OPERATIONS = (
    Operation(
        "GET",
        "/v1/sandbox/clock",
        "getSandboxClock",
        show_clock,
        {200: Answer("The clock.", "SandboxClock", ("CacheControl",))},
        TENANT,
        credential=True,
        scope=scopes.READ,
    ),
    Operation(
        "POST",
        "/v1/sandbox/clock",
        "moveSandboxClock",
        move_clock,
        {200: Answer("The clock as it was moved.", "SandboxClock", ("IdempotencyReplayed", "CacheControl"))},
        TENANT,
        credential=True,
        scope=scopes.WRITE,
        body=SchemaBody(ClockMove),
        keyed=True,
    ),
)
