"""Playing: commands, what became of one, legal moves, the view."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Response

from service import scopes
from service.errors import Fault
from service.http import conditions, replies
from service.http.face import Face
from service.http.operations import EITHER, SEAT, WATCHERS, Answer, Asked, Operation
from service.http.problems import Problem
from service.http.schemas import ViewQuery
from service.http.unions import BatchBody, CommandBody, Variant


def send_command(face: Face, asked: Asked) -> Response:
    """Do something

    The one write of a seat and of the host. Who acts is known from the credential alone. The answer comes
    when the events are recorded, and shows them as the caller sees them. The same key again gives the same
    answer, whatever has happened since.
    """
    return _recorded(face.matches.command, asked)


def send_batch(face: Face, asked: Asked) -> Response:
    """Do several things at once

    Commands of one seat, decided one after the other and recorded together: all of them or none. A refusal
    points at the command that is refused. A command that closes a decision, so that the rules run on, must be
    the last: what follows is decided with open eyes. So a batch may hold a whole step, such as every card of
    a planning step and `validate`. What the rules do by themselves between two commands (cubes that fit
    nowhere are stored) is not to be asked for. The answer is that of a single command.
    """
    return _recorded(face.matches.command_batch, asked)


def _recorded(write: Callable[..., tuple[dict[str, Any], bool]], asked: Asked) -> Response:
    answer, replayed = write(asked.caller, asked.match, asked.body, asked.key, asked.fingerprint, asked.wants)
    return replies.done(answer, replayed)


def show_outcome(face: Face, asked: Asked) -> Response:
    """Look a command up

    By its key, after an answer was lost: `applied` with the versions it appended, or `unknown`, and then it
    is safe for you to send it again. Only who sent it is told: the tenant with any of its keys, a seat also
    with a token that replaced the one it was sent with. To everybody else, the host of a seat too, every key
    is `unknown`.
    """
    key = asked.path["key"]
    if not conditions.is_key(key):
        wrong = Fault("/path/key", "pattern", "a key holds 16 to 64 characters of A-Z a-z 0-9 _ -")
        raise Problem("validation", "that cannot be a key", [wrong])
    return replies.as_json(face.matches.command_outcome(asked.caller, asked.match, key))


def list_legal_moves(face: Face, asked: Asked) -> Response:
    """List the legal moves of your seat

    Every command the service would accept from this seat now, ready to be posted, with its cost and effect,
    and what is refused and why. A client without any rule code can play from this alone. A move with
    `parameters` stands for several commands: any number of the range may be put into the body. `moves` are
    those of the game; `table` is what the seat may do around it: give up, propose a pause, agree, take back,
    claim (from `not_before` on).
    """
    moves = face.matches.legal_moves(asked.caller, asked.match)
    return _seen(face, asked, moves, replies.AT_HEAD)


def show_view(face: Face, asked: Asked) -> Response:
    """See the table

    All the caller may know, as a seat or as a spectator; at the newest version, or at one of the past.
    """
    version = asked.query.get("version")
    view = face.matches.view(asked.caller, asked.match, version)
    # Names are in no event: in the lobby players may still get others, and who is erased has none.
    named = any("name" in seat for seat in view["seats"])
    settled = version is not None and view["status"] != "lobby" and not named
    return _seen(face, asked, view, replies.FOR_EVER if settled else replies.AT_HEAD)


def _seen(face: Face, asked: Asked, value: Mapping[str, Any], keeps: str) -> Response:
    viewer = conditions.viewer(asked.caller, asked.match)
    names = [seat.get("name", "") for seat in value.get("seats", ())]
    shown = names if any(names) else ()
    tag = conditions.entity_tag(asked.match, value["version"], viewer, face.settings.build, shown)
    return replies.tagged(value, tag, keeps=keeps)


_REFUSED: Final = (
    "stale-decision",
    "not-your-decision",
    "match-over",
    "not-started",
    "already-started",
    "seats-open",
    "conflict",
    "match-paused",
    "undo-refused",
    "archived",
    "illegal-move",
)


def operations(commands: Mapping[str, Variant]) -> tuple[Operation, ...]:
    """The rows; `commands` is the union of all that may be sent."""
    return (
        Operation(
            "POST",
            "/v1/matches/<match>/commands",
            "sendCommand",
            send_command,
            {200: Answer("It is recorded.", "CommandAnswer", ("IdempotencyReplayed", "CacheControl"))},
            EITHER,
            scope=scopes.WRITE,
            credential=True,
            body=CommandBody(commands),
            keyed=True,
            conditional=True,
            problems=_REFUSED,
        ),
        Operation(
            "POST",
            "/v1/matches/<match>/command-batches",
            "sendCommandBatch",
            send_batch,
            {200: Answer("All is recorded.", "CommandAnswer", ("IdempotencyReplayed", "CacheControl"))},
            SEAT,
            credential=True,
            body=BatchBody(commands),
            keyed=True,
            conditional=True,
            problems=_REFUSED,
        ),
        Operation(
            "GET",
            "/v1/matches/<match>/commands/<key>",
            "getCommandOutcome",
            show_outcome,
            {200: Answer("What became of the command.", "CommandOutcome", ("CacheControl",))},
            EITHER,
            scope=scopes.READ,
            credential=True,
            problems=("archived",),
        ),
        Operation(
            "GET",
            "/v1/matches/<match>/legal-moves",
            "listLegalMoves",
            list_legal_moves,
            {200: Answer("The moves.", "LegalMoves", ("ETag", "CacheControl", "Vary"))},
            SEAT,
            credential=True,
            cached=True,
            problems=("archived",),
        ),
        Operation(
            "GET",
            "/v1/matches/<match>/view",
            "getView",
            show_view,
            {200: Answer("The table as the caller sees it.", "View", ("ETag", "CacheControl", "Vary"))},
            WATCHERS,
            scope=scopes.READ,
            query=ViewQuery,
            cached=True,
            problems=("archived",),
        ),
    )
